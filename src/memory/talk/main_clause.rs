//! What a long sentence says first, where that can be read by itself.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::negation::negates;

/// What stands between it and what is said of it besides.
const ENDS: [&str; 9] =
    ["; ", " — ", " – ", ", which ", ", da ", ", car ", ", ya que ", "；", "——"];
/// Two of these stand around an aside, behind which the sentence goes on.
const DASHES: [&str; 2] = [" — ", " – "];
/// Fewer characters say too little.
const LEAST: usize = 40;
/// Words that say that what stands before them does not hold, or not always; negations do, too.
const LIMITS: &str = "or wrong false reverted revert rolled ruled rejected disproved broke broken failed dropped abandoned thought supposed maybe \
    perhaps said says say oder falsch verworfen zurückgenommen angeblich vielleicht ou faux rejeté o falso descartado quizás quizá talvez rejeitado \
    oppure forse scartato или неверно отклонено возможно откат unless except excepting but only if until till however otherwise though although instead yet still provided \
    außer aber nur wenn falls sondern bis allerdings jedoch sonst obwohl solange sauf mais seulement si sinon jusqu'à \
    cependant pourtant salvo pero solo sólo sino hasta excepto mas só se exceto até ma solamente però кроме но только если \
    пока однако иначе хотя";
/// The same in scripts without blanks between words, and what is two words.
const LIMITING: [&str; 25] = [
    "peut-être",
    "不",
    "没",
    "非",
    "无",
    "但",
    "只",
    "除",
    "否则",
    "直到",
    "ない",
    "ません",
    "ただし",
    "だけ",
    "のみ",
    "まで",
    "以外",
    "しか",
    "않",
    "안 ",
    "없",
    "못",
    "다만",
    "만 ",
    "제외",
];

/// The longest beginning of a text in at most `most` characters that is a sentence by itself, where nothing behind it limits
/// what it says.
pub(super) fn main_clause(text: &str, most: usize) -> Option<&str> {
    if text.ends_with(['?', '？']) {
        return None;
    }
    let is_aside = |end: &&&str| DASHES.contains(*end) && text.matches(**end).count() > 1;
    let ends = ENDS
        .iter()
        .filter(|end| !is_aside(end))
        .flat_map(|end| text.match_indices(end))
        .map(|(at, _)| at);
    let fits = |at: &usize| (LEAST..=most).contains(&text[..*at].chars().count());
    let at = ends.filter(fits).max()?;
    let (clause, rest) = text.split_at(at);
    (!limits(rest)).then_some(clause)
}

/// Whether a text says of what stands before it that it does not hold, or not always.
fn limits(text: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| LIMITS.split_whitespace().collect());
    let lower = text.to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    words.any(|word| negates(word) || ALL.contains(word))
        || !lower.is_ascii() && LIMITING.iter().any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_besides_is_left_out() {
        fn check(text: &str, expect: Option<&str>) {
            assert_eq!(main_clause(text, 80), expect, "{text}");
        }
        let crane = "The crane of the north quay lifts with the new winch";
        check(&format!("{crane}, which came in May from the yard"), Some(crane));
        check(&format!("{crane}, so the old one is sold"), None);
        check(&format!("{crane}; the old one is sold"), Some(crane));
        check(&format!("{crane} — the old one is sold"), Some(crane));
        check(&format!("{crane}, and the old one is sold"), None);
        check("The crane lifts, which is new", None);
        // Who reads only the beginning would take it for all that holds.
        check(&format!("{crane}, which happens only in May"), None);
        check(&format!("{crane}; not with the old one"), None);
        check(&format!("{crane} — unless it is stormy"), None);
        check(&format!("{crane}; the quay doesn't"), None);
        check(&format!("{crane} — außer bei Sturm"), None);
        check(&format!("{crane}; 大風時は使わない"), None);
        check(&format!("{crane} — peut-être demain"), None);
        check(&format!("{crane} — ruled out by Ada"), None);
        check(&format!("{crane}; or we take the old one"), None);
        check(&format!("{crane}; does it need the old one?"), None);
        check(&format!("{crane} — the old one — is sold"), None);
        // The longest that fits.
        check(&format!("{crane}; it is red; and long"), Some(&format!("{crane}; it is red")));
        check(&format!("{crane} and {crane}; it is red"), None);
    }
}
