//! What a person only passes on: the comments of a review, to which nobody has agreed yet.

/// What stands in front of the colon there, in small letters.
const LABELS: [&str; 25] = [
    "review comment",
    "review feedback",
    "review finding",
    "review note",
    "review remark",
    "reviewer",
    "pr comment",
    "mr comment",
    "copilot",
    "coderabbit",
    "linter",
    "review-kommentar",
    "anmerkung im review",
    "comentario de revisión",
    "comentario del revisor",
    "comentário de revisão",
    "comentário do revisor",
    "commentaire de revue",
    "commento di revisione",
    "комментарий ревью",
    "ревьюер",
    "评审意见",
    "审查意见",
    "レビュー指摘",
    "리뷰 의견",
];
/// A label is no longer than so many bytes.
const LABEL: usize = 48;

/// What a number of a line stands behind. In Chinese and Japanese it is followed by the word.
const LINES: [&str; 9] =
    ["line ", "lines ", "zeile ", "zeilen ", "línea ", "ligne ", "linha ", "riga ", "строка "];

/// Whether a sentence says in front of a colon that a reviewer made it, or names a line of the code: what is settled holds for
/// more than that.
pub(crate) fn is_of_review(text: &str) -> bool {
    is_of_reviewer(text) || names_a_line(text)
}

fn is_of_reviewer(text: &str) -> bool {
    let Some((label, comment)) = text.split_once([':', '：']) else { return false };
    label.len() <= LABEL && !comment.trim().is_empty() && {
        let label = label.to_lowercase();
        LABELS.iter().any(|known| label.contains(known))
    }
}

fn names_a_line(text: &str) -> bool {
    let text = text.to_lowercase();
    let has_number = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(char::is_alphabetic)
                && text[at + word.len()..].starts_with(|c: char| c.is_ascii_digit())
        })
    };
    LINES.iter().any(|word| has_number(word))
        || text
            .match_indices('行')
            .any(|(at, _)| text[..at].ends_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_names_its_reviewer_or_a_line() {
        let check = |text: &str, expect: bool| assert_eq!(is_of_review(text), expect, "{text}");
        check("A review comment: the crane is turned in two places rather than in one", true);
        check("Review feedback from Ida: use a list instead of a map", true);
        check("the reviewer says: the berth is looked up twice instead of once", true);
        check("评审意见：应该用列表而不是映射", true);
        check("Комментарий ревью: лучше использовать список вместо карты", true);
        check("the review is over: we use a list instead of a map", false);
        check("use a list instead of a map, as the reviewer wants", false);
        check("the crane has a flag (line 1846), but I don't see where it is read", true);
        check("In Zeile 12 steht die Waage, wir wollen den Kran", true);
        check("第12行应该用列表而不是映射", true);
        check("we don't want a line of 12 cranes", false);
        check("the tram of line B goes to pier 12, not to pier 3", false);
        check("reviewer:", false);
        check(
            "we decided after long talks with everybody who had been a reviewer: use a list",
            false,
        );
    }
}
