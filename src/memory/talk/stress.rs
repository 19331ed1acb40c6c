//! Sentences that only say how strictly the one before them holds: `every tool, always`, `goes for you too`.

use super::packer::Packer;
use super::standing_rule::{lists, only_stresses};

/// Longer sentences say more than that, in bytes.
const LONG: usize = 64;
/// How such a sentence begins where it needs nothing else to say so.
const STRICT: &str = "no exceptions|no exception|without exception|goes for you too|that goes for you too|that includes you|same for you|same goes for you|\
applies to you too|for you too|ask first|ask me first|ask before|ohne ausnahme|ausnahmslos|keine ausnahmen|gilt auch für dich|das gilt auch für dich|\
sin excepción|sin excepciones|vale para ti también|también para vos|también vale para vos|sans exception|ça vaut pour toi aussi|pour toi aussi|\
sem exceção|sem exceções|vale pra você também|vale para você também|isso vale pra você também|senza eccezioni|vale anche per te|\
без исключений|тебя тоже касается|тебя это тоже касается|例外なし|例外なく|没有例外|无一例外|예외 없이|예외 없음|예외는 없";
/// What says so in a clause of its own, behind what it is said of: `every tool, always`.
const ALWAYS: &str = "always|never|ever|every time|every single time|immer|nie|niemals|jedes mal|siempre|nunca|cada vez|toujours|jamais|\
à chaque fois|sempre|mai|toda vez|ogni volta|всегда|никогда|каждый раз";
/// How many words a clause before that has at most.
const WORDS: usize = 3;
/// What a sentence has that says what has to be, rather than how things are.
const RULING: &str = "anything|everything|anybody|everybody|anyone|everyone|nobody|nothing|none|no|not|don't|dont|each|every|all|whoever|whatever|\
must|should|only|please|alle|alles|jeder|jede|jedes|keiner|keine|kein|nichts|niemand|nicht|wer|nur|bitte|muss|todo|todos|toda|todas|cada|\
nadie|nada|ningún|ninguna|solo|debe|tout|tous|toute|toutes|chaque|aucun|personne|rien|seulement|doit|tudo|ninguém|nenhum|nenhuma|só|\
deve|tutto|tutti|ogni|nessuno|niente|все|всё|каждый|никто|ничего|только|надо|нужно";

/// Puts the sentences of a person together with those behind them that only stress them.
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
        all[from] = arena.alloc_str(&all[from..=at].join(" "));
        all.drain(from + 1..=at);
        at = from + 1;
    }
}

/// Whether a sentence only says how strictly something holds.
fn stresses(sentence: &str) -> bool {
    if sentence.len() > LONG || sentence.ends_with(['?', '？']) {
        return false;
    }
    let text = sentence.to_lowercase().replace('’', "'");
    is_strict(&text) || is_always(&text)
}

fn is_strict(text: &str) -> bool {
    let begins = |word: &str| {
        text.strip_prefix(word).is_some_and(|rest| {
            !word.is_ascii() || !rest.starts_with(|c: char| c.is_alphanumeric())
        })
    };
    STRICT.split('|').any(begins) && text.split_whitespace().count() <= 2 * WORDS
}

/// `always`, `every tool, always, i've been burnt`.
fn is_always(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', '!', ' ', ')']);
    let mut clauses = bare.split([',', ';', '–', '—']).map(str::trim);
    let first = clauses.next().unwrap_or_default();
    if only_stresses(first) {
        return has_always(first);
    }
    let is_name = first.split_whitespace().count() <= WORDS
        && ["every ", "each ", "all ", "any "].iter().any(|word| first.starts_with(word));
    is_name && clauses.next().is_some_and(has_always)
}

fn has_always(clause: &str) -> bool {
    lists(ALWAYS, clause)
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
    let last = last.to_lowercase().replace('’', "'");
    let ruled = ruled.to_lowercase().replace('’', "'");
    let mut words = ruled.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    is_strict(&last) || words.any(|word| lists(RULING, word))
}

/// What stands before the last sentence of a text, and that sentence.
fn last_sentence(text: &str) -> Option<(&str, &str)> {
    const ENDS: [&str; 5] = [". ", "! ", "。", "！", ".) "];
    let inside = text.trim_end_matches(['.', '!', '。', '！', ' ']);
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
        ] {
            assert!(!stresses(text), "{text}");
        }
    }

    #[test]
    fn what_is_stressed_has_to_be() {
        for text in [
            "anything that lifts shows me the load first. every crane, always, i've been burnt",
            "what lies in the hold stays there. goes for you too",
            "nobody paints the hull. not for a feast. that goes for you too",
            "夜は吊り上げないで。例外なし",
            "when i find a crane that nobody asked me about, my morning is gone. ask first",
        ] {
            assert!(is_stressed(text), "{text}");
        }
        for text in [
            "the crane is red. always",
            "always. the crane is red",
            "no exceptions",
            "it lifts. it is red",
        ] {
            assert!(!is_stressed(text), "{text}");
        }
    }
}
