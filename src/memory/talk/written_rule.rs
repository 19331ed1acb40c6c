//! Rules that a reply says it wrote down where agents read them: `It is in AGENTS.md now: no crane moves at night`.
//!
//! A person rules in passing, and often with words that point at what was said before: `ok so none of that while a ship is in`. What
//! is written down for agents can be read by itself.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use super::cues::{Cue, cue};
use super::standing_rule::{any_listed, has_one, has_part, is_standing_rule, lists, says};
use super::statement::{LONGEST_RULE, can_stand_alone};

/// Where agents look for what always holds, and people for what holds in a project.
const FILES: &str = "AGENTS.md|AGENT.md|CLAUDE.md|CLAUDE.local.md|GEMINI.md|QWEN.md|.cursorrules|.windsurfrules|copilot-instructions.md|\
CONTRIBUTING.md";
/// What stands before the name of one that something was written into.
const INTO: &str = "in|into|to|im|ins|zur|en|a|al|à|au|dans|no|na|ao|em|nel|в|к";
const PARTS_INTO: &str = "进|入|到|在";
const PARTS_BEHIND: &str = "に|へ|에";
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

/// What is only offered, asked or advised.
const OFFERED: &str = "if|can|could|would|should|may|might|want|suggest|recommend|consider|wenn|kann|könnte|soll|sollte|möchtest|si|puedo|\
podría|quieres|peux|pourrais|veux|se|posso|poderia|quer|vuoi|если|могу|можно|хочешь";
const PARTS_OFFERED: &str = "要不要|可以|建议|如果|吗|しましょうか|すれば|할까|원하면";

/// What tells that something was written, or that it is a rule: `a typo in AGENTS.md: …` does neither.
const WRITTEN: &str = "wrote|written|put|added|updated|changed|recorded|schrieb|geschrieben|eingetragen|ergänzt|écrit|ajouté|ajoutée|\
inscrit|escrito|anotado|añadido|escribí|escrevi|anotei|adicionei|coloquei|scritto|aggiunto|записал|записала|добавил|добавила|добавлено|внёс|внесла|дописал|дописала|появилась|появилось";
const PARTS_WRITTEN: &str = "写|记|加|追加|書き|書い|入れ|추가|적었|넣었";

/// What tells the same only where it is said beside what is noted: `I noted it in AGENTS.md` may be a finding.
const NOTED: &str = "noted|notiert|noté|notée|annotato";

/// What of that takes a rule back, and how it is called there.
const TAKEN_BACK: &str = "removed|deleted|withdrawn|dropped|taken out|gone|entfernt|gelöscht|gestrichen|retirée|supprimée|quitada|eliminada|\
retirei|removi|removida|tolta|rimossa|удалил|удалила|удалено|убрал|убрала|снято";
const PARTS_TAKEN_BACK: &str = "删了|删掉|去掉|消しました|削除|지웠|삭제";
const RULE: &str = "rule|regel|règle|regla|regra|regola|правило";
const PARTS_RULE: &str = "规则|规矩|那条|決まり|ルール|규칙";
/// And what sort of rule: `the limit of 400 lines is gone from AGENTS.md`.
const KIND: &str =
    "limit|ban|grenze|verbot|límite|limite|interdiction|prohibición|proibição|divieto|лимит|запрет";
const PARTS_KIND: &str = "限制|制限|제한|禁令|금지";

/// How a text begins that tells what is explained there, rather than ruled.
const EXPLAINED: &str =
    "how|where|what|which|why|wie|wo|was|cómo|dónde|qué|comment|où|como|onde|come|dove|как|где|что";

/// How a reply says that it understood, before a colon or a comma.
const UNDERSTOOD: &str = "understood|noted|agreed|got it|will do|verstanden|notiert|alles klar|entendido|anotado|de acuerdo|entendu|compris|noté|\
d'accord|combinado|certo|capito|d'accordo|annotato|договорились|понял|поняла|понятно|\
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

/// The rule that a sentence of a reply tells, where it, the one `before` or the `next` one says that it was written down; all of
/// the sentence where it takes one back. As with what a person takes back, both are then told.
pub(super) fn written_rule<'t>(
    text: &'t str,
    before: Option<&str>,
    next: Option<&str>,
) -> Option<&'t str> {
    let own = Mention::of(text);
    let beside = own.as_ref().and_then(Mention::told_beside);
    let taken_back = || own.as_ref().filter(|_| takes_back(text)).map(|_| text);
    let announced = || {
        let before = before.filter(|_| own.is_none() && !explains(text));
        before.and_then(Mention::of)?.announces().then_some(text)
    };
    let rule = beside.or_else(taken_back).or_else(announced).or_else(|| {
        let next = Mention::of(next.filter(|next| next.len() <= SHORT)?)?;
        if !next.is_written_into() || next.told_beside().is_some() {
            return None;
        }
        understood(text).or_else(|| (next.points_back() && may_rule(text)).then_some(text))
    })?;
    can_stand_alone(rule, LONGEST_RULE).then_some(rule)
}

/// A sentence that names a file for agents, and does not ask.
struct Mention<'t> {
    /// what stands before the name, in small letters, without a path and a mark
    before: String,
    behind: &'t str,
}

impl<'t> Mention<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let found = NAMED.find(text).filter(|_| !text.ends_with(['?', '？']))?;
        let before = text[..found.start()].trim_end_matches(['"', '“', '`']);
        let before = match before.strip_suffix('/') {
            Some(path) => {
                path.rfind(|c: char| c.is_whitespace() || c == '`').map_or("", |at| &path[..at])
            }
            None => before,
        };
        let before = before.trim_end_matches(['"', '“', '`', '.', ' ']).to_lowercase();
        Some(Self { before, behind: text[found.end()..].trim_start_matches('`') })
    }

    /// What stands behind the colon of `I put it into AGENTS.md: no crane at night`.
    fn told_beside(&self) -> Option<&'t str> {
        let colon = self.behind.find([':', '：']).filter(|at| *at <= NEAR)?;
        let (between, rest) = self.behind.split_at(colon);
        let rule = rest.trim_start_matches([':', '：']);
        let is_apart = rest.starts_with('：') || rule.starts_with(' ');
        let is_written = self.reads() || self.tells_of_rule(between);
        let rule = rule.trim_start();
        let is_rule = is_one_sentence(between) && is_apart && is_written && !explains(rule);
        (is_rule && self.is_written_into()).then_some(rule)
    }

    /// Whether what it says up to somewhere behind the name tells that something was written, or of a rule.
    fn tells_of_rule(&self, between: &str) -> bool {
        let told = [&self.before, " ", &between.to_lowercase()].concat();
        says(&told, WRITTEN, PARTS_WRITTEN)
            || says(&told, RULE, PARTS_RULE)
            || has_one(&told, NOTED)
    }

    /// Whether it ends in a colon, below which stands what was written: `Added under "Cranes" in AGENTS.md:`.
    fn announces(&self) -> bool {
        let between = self.behind.trim_end().strip_suffix([':', '：']);
        between.is_some_and(|between| {
            between.len() <= NEAR
                && is_one_sentence(between)
                && !between.contains([',', ':', '：'])
                && self.tells_of_rule(between)
                && self.is_written_into()
        })
    }

    /// Whether it tells what the file says now.
    fn reads(&self) -> bool {
        let behind = self.behind.trim_start();
        READS.split('|').any(|word| behind.starts_with(word))
    }

    /// Whether it says that something was written into the file.
    fn is_written_into(&self) -> bool {
        if self.reads() {
            return true;
        }
        let last = self.before.rsplit([' ', '\'', '’']).next().unwrap_or_default();
        let behind = self.behind.trim_start();
        let is_into = lists(INTO, last)
            || PARTS_INTO.split('|').any(|part| self.before.ends_with(part))
            || PARTS_BEHIND.split('|').any(|part| behind.starts_with(part));
        // What is said of it may stand behind it: `从 AGENTS.md 删掉了`.
        let end = self.behind.find([':', '：', '。', ',', '，']).unwrap_or(self.behind.len());
        let said = self.behind[..end].to_lowercase();
        let is_else = [&*self.before, &said]
            .iter()
            .any(|part| says(part, GONE, PARTS_GONE) || says(part, OFFERED, PARTS_OFFERED));
        is_into && !is_else
    }

    /// Whether what it says was written down is what the sentence before it says: `I put that into AGENTS.md`.
    fn points_back(&self) -> bool {
        let word = self.before.split_whitespace().rev().nth(1).unwrap_or_default();
        let points = lists(POINTING, word) || has_part(&self.before, PARTS_POINTING);
        points && says(&self.before, WRITTEN, PARTS_WRITTEN)
    }
}

fn is_one_sentence(text: &str) -> bool {
    !text.contains([';', '。', '!', '?']) && !text.contains(". ")
}

/// Whether what was written down explains something: `how to move the crane by hand`.
fn explains(text: &str) -> bool {
    let first = text.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    lists(EXPLAINED, &first)
}

/// Whether a sentence that names such a file says that a rule holds no more: `The rule about the crane is removed from AGENTS.md`.
fn takes_back(text: &str) -> bool {
    let text = text.to_lowercase();
    (says(&text, RULE, PARTS_RULE) || says(&text, KIND, PARTS_KIND))
        && says(&text, TAKEN_BACK, PARTS_TAKEN_BACK)
        && !has_one(&text, "not|nicht|не")
}

/// Whether a sentence tells none of what is written down as well: what was changed, why something happens, what is left to do.
fn may_rule(text: &str) -> bool {
    !matches!(cue(text), Some(Cue::Change | Cue::Cause | Cue::Open))
}

/// What a sentence says behind `Understood:`; behind a comma and without such a word, what is a rule by itself.
fn understood(text: &str) -> Option<&str> {
    let at = text.find([':', '：', ',', '，', '、']);
    let said = at.filter(|at| lists(UNDERSTOOD, text[..*at].trim().to_lowercase().as_str()));
    let Some(at) = said else { return is_standing_rule(text).then_some(text) };
    let rest = &text[at..];
    let rule = rest.trim_start_matches([':', '：', ',', '，', '、', ' ']);
    (is_standing_rule(rule) || (rest.starts_with([':', '：']) && may_rule(rule))).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_written_down_is_read_by_itself() {
        fn check(text: &str, next: Option<&str>, expect: Option<&str>) {
            assert_eq!(written_rule(text, None, next), expect, "{text} {next:?}");
        }
        let rule = "no crane is moved while a ship is in";
        for (before, behind) in [
            ("Your rule is in AGENTS.md at the top: ", ""),
            ("I added the rule to CLAUDE.md: ", ""),
            ("Noted in AGENTS.md: ", ""),
            ("Rule changed in `AGENTS.md`: ", "."),
            ("Rule, in `./AGENTS.md` and enforced: ", ", not even by hand."),
            ("收到，作为硬规则写进 AGENTS.md：", ""),
            ("AGENTS.md に書きました：", ""),
            ("Règle ajoutée à `AGENTS.md` : ", ""),
            ("The old rule is gone and `AGENTS.md` now reads: ", ""),
            ("Die Regel steht jetzt in AGENTS.md: ", ""),
            ("В `CLAUDE.md` появилась строка: ", ""),
        ] {
            let told = format!("{rule}{behind}");
            check(&format!("{before}{told}"), None, Some(&told));
        }
        let written = "I wrote it into `yard/AGENTS.md`, so that it is read at the start.";
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
    fn what_stands_below_what_announces_it_is_what_was_written() {
        let rule = "No crane is moved while a ship is in";
        let told = |before: &str| written_rule(rule, Some(before), None);
        for before in
            ["Added under \"Cranes\" in `AGENTS.md`:", "Die Regel steht jetzt in AGENTS.md:"]
        {
            assert_eq!(told(before), Some(rule), "{before}");
        }
        for before in [
            "I read AGENTS.md:",
            "Removed from AGENTS.md:",
            "Added to TIDES.md:",
            "I could add this to AGENTS.md:",
            "Added to AGENTS.md.",
            "I put it into AGENTS.md and ran the tests, with these results:",
        ] {
            assert_eq!(told(before), None, "{before}");
        }
        let before = Some("Added to AGENTS.md:");
        assert_eq!(written_rule("how to move the crane by hand", before, None), None);
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
    fn what_is_taken_back_there_is_told_as_it_is_said() {
        for text in [
            "The rule about the crane is removed from AGENTS.md",
            "La règle « pas de grue la nuit » est retirée de `AGENTS.md`",
            "Regra do guindaste: retirei do AGENTS.md",
            "The limit of 400 tons is gone from `AGENTS.md`",
            "吊车那条规则已从 AGENTS.md 删掉",
        ] {
            assert_eq!(written_rule(text, None, None), Some(text));
        }
        for text in [
            "The rule about the crane is not removed from AGENTS.md",
            "The crane is removed from AGENTS.md",
            "The crane is gone from `AGENTS.md`",
            "Should the rule about the crane be removed from AGENTS.md?",
        ] {
            assert_eq!(written_rule(text, None, None), None, "{text}");
        }
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
            "I'd suggest to add this to CLAUDE.md: no crane is moved while a ship is in",
            "The yard has no CLAUDE.md: the crane is moved as the README says",
            "You already have a CLAUDE.md: forty lines about the crane and its winch",
            "I found two problems in AGENTS.md: the crane is outdated and a path is wrong",
            "There is a typo in CONTRIBUTING.md: the crane has one letter too many",
            "在 AGENTS.md 中发现：吊车的命令已经过时了，路径也不对",
        ] {
            assert_eq!(written_rule(text, None, None), None, "{text}");
        }
        for (text, next) in [
            ("The crane tries three times", "I can add that to AGENTS.md if you like."),
            ("The crane tries three times", "Let me know if you want this in CLAUDE.md."),
            ("Done: the crane now has a lamp", "I also put the command into CLAUDE.md."),
            ("The crane still stops on long ropes", "I noted it in AGENTS.md."),
        ] {
            assert_eq!(written_rule(text, None, Some(next)), None, "{text} {next}");
        }
    }
}
