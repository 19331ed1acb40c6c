//! What stands between the values of a JSON file with comments.

use std::ops::Range;

/// What may stand between two values.
enum Trivia {
    Comma(usize),
    Comment(Range<usize>),
}

/// Commas and comments in a stretch that holds nothing else but white space.
fn trivia(text: &str, range: Range<usize>) -> Vec<Trivia> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let length = if rest.starts_with("//") {
            let line = rest.find('\n').unwrap_or(rest.len());
            let line = rest[..line].trim_end_matches('\r').len();
            found.push(Trivia::Comment(at..at + line));
            line
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
            found.push(Trivia::Comment(at..at + end));
            end
        } else {
            if rest.starts_with(',') {
                found.push(Trivia::Comma(at));
            }
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    found
}

/// The first comma.
pub(super) fn find_comma(text: &str, range: Range<usize>) -> Option<usize> {
    trivia(text, range).into_iter().find_map(|found| match found {
        Trivia::Comma(at) => Some(at),
        Trivia::Comment(_) => None,
    })
}

/// Where the last comment ends.
pub(super) fn last_comment_end(text: &str, range: Range<usize>) -> Option<usize> {
    trivia(text, range).into_iter().rev().find_map(|found| match found {
        Trivia::Comment(range) => Some(range.end),
        Trivia::Comma(_) => None,
    })
}
