//! Rules that a reply says it wrote down where agents read them: `It is in AGENTS.md now: no crane moves at night`.
//!
//! A person rules in passing, and often with words that point at what was said before: `ok so none of that while a ship is in`. What
//! is written down for agents can be read by itself.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use super::cues::{Cue, cue};
use super::standing_rule::{any_listed, has_one, has_part, is_standing_rule, lists};
use super::statement::{LONGEST_RULE, can_stand_alone};

/// Where agents look for what always holds, and people for what holds in a project.
const FILES: &str = "AGENTS.md|AGENT.md|CLAUDE.md|CLAUDE.local.md|GEMINI.md|QWEN.md|.cursorrules|.windsurfrules|copilot-instructions.md|\
CONTRIBUTING.md";
/// What stands before the name of one that something was written into.
const INTO: &str = "in|into|to|im|ins|zur|en|a|al|à|au|dans|no|na|ao|em|nel|в|к";
const PARTS_INTO: &str = "进|入|到|在";
const PARTS_BEHIND: &str = "に|へ|에|にも|에도";
/// What stands behind it where it tells what is written there now.
const READS: &str = "now reads|now says|reads now|sagt jetzt|lautet jetzt|dit désormais|dit maintenant|ahora dice|agora diz|ora dice|现在写着";

/// What stands for the sentence before, and for it in languages without blanks.
const POINTING: &str = "it|that|this|them|es|das|dies|lo|eso|esto|ça|cela|isso|isto|questo|это";
const PARTS_POINTING: &str = "把它|把这|それを|これを|이를|이걸|그걸";

/// What tells that something stands there no more, or has stood there before.
const GONE: &str = "remove|removed|removes|delete|deleted|dropped|took|taken|not|isn't|is no longer|was|stood|said|says|still|\
entfernt|gelöscht|gestrichen|raus|nicht|steht noch|quité|borré|eliminé|supprimé|retiré|retirei|removi|apaguei|tirei|tolto|rimosso|\
удалил|удалила|убрал|убрала|удалено|не";
const PARTS_GONE: &str = "删|去掉|移除|只剩|消し|削除|지웠|삭제|뺐";

/// How a text begins that tells what is explained there, rather than ruled.
const EXPLAINED: &str =
    "how|where|what|which|why|wie|wo|was|cómo|dónde|qué|comment|où|como|onde|come|dove|как|где|что";

/// How a reply says that it understood, before a colon or a comma.
const UNDERSTOOD: &str = "understood|noted|agreed|got it|fair|done|yes|ok|okay|right|will do|verstanden|notiert|alles klar|gut|entendido|\
anotado|hecho|vale|de acuerdo|entendu|compris|noté|d'accord|combinado|feito|certo|capito|d'accordo|annotato|договорились|понял|поняла|понятно|\
принято|записал|записала|明白|记下了|收到|好|好的|知道了|了解です|了解しました|承知しました|わかりました|はい|네|알겠습니다|넵";

/// The most bytes between the name of the file and the colon.
const NEAR: usize = 64;
/// The most bytes of a sentence that only says where a rule was written down.
const SHORT: usize = 160;

static PARTS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| [".md", "rules"].map(Finder::new));
static NAMED: LazyLock<AhoCorasick> = LazyLock::new(|| any_listed(&[FILES]));

/// Whether none of the sentences of a reply names such a file, as in nearly all of them.
pub(super) fn names_none(sentences: &[&str]) -> bool {
    // Each of the names has one of these, and they are found faster than the names.
    let has_part = |text: &str| PARTS.iter().any(|part| part.find(text.as_bytes()).is_some());
    !sentences.iter().any(|text| has_part(text) && NAMED.is_match(*text))
}

/// The rule that a sentence of a reply tells, where it, or the `next` sentence, says that it was written down.
pub(super) fn written_rule<'t>(text: &'t str, next: Option<&str>) -> Option<&'t str> {
    let rule = told_beside(text).or_else(|| {
        let next = next.filter(|next| next.len() <= SHORT && told_beside(next).is_none())?;
        written_into(next)?;
        // What was changed is no rule, even if that is written down, too.
        let is_meant = points_back(next) && !matches!(cue(text), Some(Cue::Change | Cue::Cause));
        understood(text).or_else(|| is_meant.then_some(text))
    })?;
    can_stand_alone(rule, LONGEST_RULE).then_some(rule)
}

/// What stands behind the colon of `I put it into AGENTS.md: no crane at night`.
fn told_beside(text: &str) -> Option<&str> {
    let behind = written_into(text)?;
    let colon = behind.find([':', '：']).filter(|at| *at <= NEAR)?;
    let (between, rule) = behind.split_at(colon);
    let is_one = !between.contains([';', '。', '!', '?']) && !between.contains(". ");
    let rule = rule.trim_start_matches([':', '：']);
    let is_apart = behind[colon..].starts_with('：') || rule.starts_with(' ');
    let rule = rule.trim_start();
    let first = rule.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    (is_one && is_apart && !lists(EXPLAINED, &first)).then_some(rule)
}

/// What stands behind the name of a file that a text says something was written into. `None` where it says nothing like it.
fn written_into(text: &str) -> Option<&str> {
    let found = NAMED.find(text)?;
    let (before, behind) = (&text[..found.start()], &text[found.end()..]);
    let behind = behind.trim_start_matches('`');
    let small = before.trim_end_matches(['"', '“', '`', '/', '.', ' ']).to_lowercase();
    let last = small.rsplit([' ', '\'', '’']).next().unwrap_or_default();
    let is_into = lists(INTO, last)
        || PARTS_INTO.split('|').any(|part| small.ends_with(part))
        || PARTS_BEHIND.split('|').any(|part| behind.trim_start().starts_with(part));
    let reads = behind.trim_start();
    if READS.split('|').any(|word| reads.starts_with(word)) {
        return Some(behind);
    }
    // What is said of it may stand behind it: `从 AGENTS.md 删掉了`.
    let said = &behind[..behind.find([':', '：', '。', ',', '，']).unwrap_or(behind.len())];
    let is_gone = [&small, &said.to_lowercase()]
        .iter()
        .any(|part| has_one(part, GONE) || has_part(part, PARTS_GONE));
    (is_into && !is_gone && !text.ends_with(['?', '？'])).then_some(behind)
}

/// Whether what a text says was written down is what the sentence before it says: `I put that into AGENTS.md`.
fn points_back(text: &str) -> bool {
    let Some(found) = NAMED.find(text) else { return false };
    let before = text[..found.start()].to_lowercase();
    let word = before.split_whitespace().rev().nth(1).unwrap_or_default();
    lists(POINTING, word) || has_part(&before, PARTS_POINTING)
}

/// What a sentence says behind `Understood:`; behind a comma and without such a word, what is a rule by itself.
fn understood(text: &str) -> Option<&str> {
    let at = text.find([':', '：', ',', '，', '、']);
    let said = at.filter(|at| lists(UNDERSTOOD, text[..*at].trim().to_lowercase().as_str()));
    let Some(at) = said else { return is_standing_rule(text).then_some(text) };
    let rest = &text[at..];
    let rule = rest.trim_start_matches([':', '：', ',', '，', '、', ' ']);
    (rest.starts_with([':', '：']) || is_standing_rule(rule)).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_written_down_is_read_by_itself() {
        fn check(text: &str, next: Option<&str>, expect: Option<&str>) {
            assert_eq!(written_rule(text, next), expect, "{text} {next:?}");
        }
        let rule = "no crane is moved while a ship is in";
        for (before, behind) in [
            ("Your rule is in AGENTS.md at the top: ", ""),
            ("I added the rule to CLAUDE.md: ", ""),
            ("Rule changed in `AGENTS.md`: ", "."),
            ("Rule, in `./AGENTS.md` and enforced: ", ", not even by hand."),
            ("收到，作为硬规则写进 AGENTS.md：", ""),
            ("AGENTS.md に書きました：", ""),
            ("Règle ajoutée à `AGENTS.md` : ", ""),
            ("The old rule is gone and `AGENTS.md` now reads: ", ""),
            ("Die Regel steht jetzt in AGENTS.md: ", ""),
        ] {
            let told = format!("{rule}{behind}");
            check(&format!("{before}{told}"), None, Some(&told));
        }
        let written = "I wrote it into AGENTS.md, so that it is read at the start.";
        for before in ["Understood: ", "Entendu : ", "Договорились: ", "记下了：", "はい：", ""]
        {
            let told = format!("{before}no crane is moved without asking me");
            check(&told, Some(written), Some("no crane is moved without asking me"));
            check(&told, Some("The crane is moved."), None);
            check(&told, None, None);
        }
        check("Agreed, the crane has a lamp now", Some("The rule is in AGENTS.md."), None);
        check("I added a test for the crane and its lamp", Some(written), None);
        let told = "No names of ships, no times, berths in metres";
        check(told, Some(written), Some(told));
        check(told, Some("There is more in AGENTS.md."), None);
        check(
            "明白，以后吊车的日志一律用英文，不管谁开。",
            Some("已写进 AGENTS.md。"),
            Some("以后吊车的日志一律用英文，不管谁开。"),
        );
    }

    #[test]
    fn each_file_is_found_by_a_part_of_its_name() {
        for file in FILES.split('|') {
            assert!(!names_none(&["The crane.", &format!("It is in {file}.")]), "{file}");
        }
        assert!(names_none(&["The crane.", "It is in TIDES.md.", "These are the rules."]));
        assert!(names_none(&[]));
    }

    #[test]
    fn what_is_explained_there_or_stands_there_no_more_is_no_rule() {
        for text in [
            "I removed it from AGENTS.md: no crane is moved while a ship is in",
            "It is not in AGENTS.md: no crane is moved while a ship is in",
            "Added to CLAUDE.md: how to move the crane by hand",
            "I updated AGENTS.md for the new crane: it has a lamp and two winches",
            "I read AGENTS.md. Two things: the crane has a lamp, the winch does not",
            "从 AGENTS.md 删掉了：船在的时候不动吊车，也不动绞车，谁都不行",
            "Should it stand in AGENTS.md: no crane is moved while a ship is in?",
            "I put a table into TIDES.md: no crane is moved while a ship is in",
            "I put it into AGENTS.md: yes",
        ] {
            assert_eq!(written_rule(text, None), None, "{text}");
        }
    }
}
