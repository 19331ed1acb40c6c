//! Sentences that only say how strictly the one before them holds: `every tool, always`, `goes for you too`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::packer::Packer;
use super::standing_rule::{any_listed, has_one, has_part, lists, only_stresses, plain};
use super::statement::LONGEST_RULE;

/// Longer sentences say more than that, in bytes.
const LONG: usize = 64;
/// How such a sentence begins that says of itself whom else a rule holds for.
const FOR_ALL: &str = "goes for you too|that goes for you too|that includes you|same for you|same goes for you|applies to you too|for you too|applies to anything that|goes for anything that|holds for anything that|\
gilt auch für dich|das gilt auch für dich|vale para ti también|también para vos|también vale para vos|ça vaut pour toi aussi|pour toi aussi|\
vale pra você também|vale para você também|isso vale pra você também|vale anche per te|тебя тоже касается|тебя это тоже касается";
/// How one begins that makes what is asked for once a rule only where that says when: `when you find a crack, stop. ask first`.
const ASKING: &str = "ask first|ask me first|ask before|frag vorher|frag mich vorher|pregunta antes|preguntame antes|demande d'abord|pergunta antes|chiedi prima|\
сначала спроси";
const WHENS: &str = "when|whenever|before|wenn|bevor|immer wenn|cuando|antes de|quand|avant de|quando|prima di|когда|прежде чем";
/// One that has nothing but words for how strictly.
const EXCEPTIONS: &str = "exceptions|exception|ausnahme|ausnahmen|ausnahmslos|excepción|excepciones|exceção|exceções|eccezioni|исключений";
const PARTS_EXCEPTIONS: &str = "例外なし|例外なく|没有例外|无一例外|예외 없이|예외 없음|예외는 없";
const LONG_IN_CJK: usize = 12;
/// What may stand behind words for that: `no exceptions, even if it burns`.
const EVEN: &str = "even |not even |auch nicht |auch wenn |selbst |incluso |ni siquiera |même |mesmo |nem |anche |nemmeno |neanche |даже ";
/// What says of the sentence before that it is a rule, and what may stand behind that: `das ist eine Regel` is one, `das ist eine
/// Regel des Linters` is none.
const A_RULE: &str = "that's a rule|thats a rule|that is a rule|this is a rule|das ist eine regel|das ist regel|das ist ab jetzt regel|eso es una regla|\
es una regla|eso es regla|c'est une règle|isso é regra|isso é uma regra|é uma regra|è una regola|questa è una regola|это правило|\
это навсегда правило";
const BEHIND_A_RULE: &str = "now|too|forever|for good|from now on|jetzt|ab jetzt|für immer|ahora|ya|para siempre|maintenant|pour toujours|agora|\
para sempre|adesso|per sempre|теперь|навсегда";
/// What says so in a clause of its own, behind what it is said of: `every tool, always`.
const ALWAYS: &str =
    "always|never|ever|immer|nie|niemals|siempre|nunca|toujours|jamais|sempre|mai|всегда|никогда";
/// With a capital that is not of ASCII, of which it is not known here that it is the same letter.
const CAPITALS: &str = "Всегда|Никогда|Тебя|Сначала|Это|É|È";
/// How many words a clause before that has at most, and a sentence that says whom else a rule holds for.
const WORDS: usize = 3;
/// What a sentence has that says what has to be, rather than how things are: `all tests fail. always`.
const RULING: &str = "anything|anybody|anyone|whoever|whatever|must|should|shall|please|bitte|muss|müssen|soll|sollen|wer|debe|deben|quien|doit|doivent|\
quiconque|deve|devem|quem|devono|chiunque|надо|нужно|должен|должны|пожалуйста";
/// And what it forbids with, where it is said that there is no exception.
const FORBIDDING: &str = "no|not|never|don't|dont|nobody|nothing|only|kein|keine|keinen|nie|nicht|niemand|nichts|nur|nunca|nadie|solo|jamais|personne|\
seulement|ninguém|só|mai|nessuno|не|никто|никогда|только";

/// Puts the sentences of a person together with those behind them that only stress them, as long as a rule may be.
pub(super) fn join_stressed(sentences: &mut Packer<'_>) {
    let arena = sentences.arena();
    let all = &mut sentences.done;
    let mut at = all.len();
    while at > 1 {
        at -= 1;
        if !stresses(all[at]) {
            continue;
        }
        // `Nobody writes to it. not for tags. goes for you too`
        let from = if at > 1 && goes_on_denying(all[at - 1]) { at - 2 } else { at - 1 };
        let joined = all[from..=at].join(" ");
        let is_asked = all[from].ends_with(['?', '？']);
        if is_asked || joined.chars().count() > LONGEST_RULE {
            continue;
        }
        all[from] = arena.alloc_str(&joined);
        all.drain(from + 1..=at);
        at = from + 1;
    }
}

/// Whether a sentence only says how strictly something holds.
fn stresses(sentence: &str) -> bool {
    if sentence.len() > LONG || sentence.ends_with(['?', '？']) || !may_stress(sentence) {
        return false;
    }
    let text = plain(sentence);
    begins_with(&text, FOR_ALL)
        || begins_with(&text, ASKING)
        || says_it_is_a_rule(&text)
        || has_no_exception(&text)
        || is_always(&text)
}

/// Whether a text has one of the words that no such sentence is without. Hardly any has.
fn may_stress(text: &str) -> bool {
    static ALL: LazyLock<AhoCorasick> = LazyLock::new(|| {
        any_listed(&[FOR_ALL, ASKING, EXCEPTIONS, PARTS_EXCEPTIONS, ALWAYS, A_RULE, CAPITALS])
    });
    ALL.is_match(text)
}

/// Whether a text begins so, and says no more.
fn begins_with(text: &str, list: &str) -> bool {
    let begins = |word: &str| {
        let behind = text.strip_prefix(word);
        behind.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    text.split_whitespace().count() <= 2 * WORDS && list.split('|').any(begins)
}

/// `that's a rule`, `это правило навсегда`.
fn says_it_is_a_rule(text: &str) -> bool {
    let text = text.trim_end_matches(['.', '!', ' ']);
    let ends = |rest: &str| rest.is_empty() || lists(BEHIND_A_RULE, rest.trim_start());
    A_RULE.split('|').any(|rule| text.strip_prefix(rule).is_some_and(ends))
}

fn has_no_exception(text: &str) -> bool {
    let is_even =
        |(_, rest): &(&str, &str)| EVEN.split('|').any(|even| rest.trim_start().starts_with(even));
    let text = text.split_once(',').filter(is_even).map_or(text, |(bare, _)| bare);
    (only_stresses(text) && has_one(text, EXCEPTIONS))
        || (text.chars().count() <= LONG_IN_CJK && has_part(text, PARTS_EXCEPTIONS))
}

/// `always`, `every tool, always, i've been burnt`.
fn is_always(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', '!', ' ', ')']);
    let mut clauses = bare.split([',', ';', '–', '—']).map(str::trim);
    let first = clauses.next().unwrap_or_default();
    if lists(ALWAYS, first) {
        return true;
    }
    let is_name = first.split_whitespace().count() <= WORDS
        && ["every ", "each ", "all ", "any "].iter().any(|word| first.starts_with(word));
    is_name && clauses.next().is_some_and(|clause| lists(ALWAYS, clause))
}

/// `not for tags, not to fix anything`
fn goes_on_denying(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    ["not ", "nicht ", "nem ", "ni ", "não ", "ne ", "не ", "ни "]
        .iter()
        .any(|word| text.starts_with(word))
}

/// Whether the last sentence of a text only says how strictly the others hold, and these say what has to be.
pub(super) fn is_stressed(text: &str) -> bool {
    let Some((ruled, last)) = last_sentence(text) else { return false };
    if !stresses(last) {
        return false;
    }
    let (ruled, last) = (plain(ruled), plain(last));
    let has_to_be = || has_one(&ruled, RULING);
    if begins_with(&last, FOR_ALL) || says_it_is_a_rule(&last) {
        true
    } else if begins_with(&last, ASKING) {
        has_to_be() || has_one(&ruled, WHENS)
    } else if has_no_exception(&last) {
        // In these scripts a verb forbids that has no word of its own for that.
        has_to_be() || has_one(&ruled, FORBIDDING) || has_part(&last, PARTS_EXCEPTIONS)
    } else {
        has_to_be()
    }
}

/// What stands before the last sentence of a text, and that sentence.
fn last_sentence(text: &str) -> Option<(&str, &str)> {
    const ENDS: [&str; 5] = [". ", "! ", "。", "！", ".) "];
    let inside = text.trim_end_matches(['.', '!', '。', '！', ' ']);
    // Most texts are one sentence.
    if inside.is_ascii() && memchr::memchr2(b'.', b'!', inside.as_bytes()).is_none() {
        return None;
    }
    let at = ENDS.iter().filter_map(|end| Some(inside.rfind(end)? + end.len())).max()?;
    let (before, last) = text.split_at(at);
    Some((before.trim_end(), last.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_sentences_only_stress_what_stands_before_them() {
        for text in [
            "every tool, always, i've been burnt",
            "always.",
            "No exceptions!",
            "goes for you too",
            "ask first",
            "Ohne Ausnahme.",
            "例外なし",
            "예외 없이요.",
            "no exceptions, even if it burns",
            "без исключений, даже если горит",
            "that's a rule.",
            "Это навсегда правило",
        ] {
            assert!(stresses(text), "{text}");
        }
        for text in [
            "every tool is in the shed",
            "always read the scale before you lift",
            "never mind the crane",
            "ask Ada for the key of the crane",
            "the crane is red",
            "no exceptions?",
            "No exceptions are thrown.",
            "No exception this time.",
            "Every time.",
            "no exceptions, the crane just stops",
            "that's a rule of the harbour, i think",
            "das ist eine regel?",
            "Это правило не работает.",
            "That's a rule violation.",
            "C'est une règle métier.",
            "sin excepciones, aunque hoy usamos la otra",
        ] {
            assert!(!stresses(text), "{text}");
        }
    }

    #[test]
    fn each_way_to_call_something_a_rule_is_known_with_a_capital_too() {
        for rule in A_RULE.split('|') {
            let mut letters = rule.chars();
            let first = letters.next().unwrap().to_uppercase();
            for text in [rule.to_owned(), format!("{first}{}!", letters.as_str())] {
                assert!(stresses(&text), "{text}");
            }
        }
    }

    #[test]
    fn what_is_stressed_has_to_be() {
        for text in [
            "anything that lifts shows me the load first. every crane, always, i've been burnt",
            "what lies in the hold stays there. goes for you too",
            "nobody paints the hull. not for a feast. that goes for you too",
            "夜は吊り上げないで。例外なし",
            "no names of sailors in the letters. that's a rule",
            "сначала груз, потом кран. это правило",
            "when i find a crane that nobody asked me about, my morning is gone. ask first",
        ] {
            assert!(is_stressed(text), "{text}");
        }
        for text in [
            "the crane is red. always",
            "always. the crane is red",
            "no exceptions",
            "it lifts. it is red",
            "Alle Kräne stehen. Immer.",
            "nothing happens when i lift. ever.",
            "the crane stops and nobody is told. always.",
            "take the old ropes off the crane. ask first.",
            "The second crane of the yard does not lift. Every time.",
        ] {
            assert!(!is_stressed(text), "{text}");
        }
    }
}
