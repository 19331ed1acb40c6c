//! Where words begin and end: runs of letters and digits, and the parts of `camelCase` in them.

use std::ops::Range;

use crate::meaning::script::is_cjk;

/// A letter or digit of a script that puts spaces between words.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() && !is_cjk(c) }
}

fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Whether a part of an identifier begins between two letters, seeing the one after: `get|Name`, `HTTP|Server`.
fn is_hump(before: char, here: char, after: Option<char>) -> bool {
    here.is_uppercase()
        && (before.is_lowercase()
            || before.is_ascii_digit()
            || (before.is_uppercase() && after.is_some_and(char::is_lowercase)))
}

/// What begins at a place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordStart {
    Run,
    /// a part inside one
    Part,
    /// nothing
    Inside,
}

/// What begins at `at`, which has to be a boundary of characters.
pub(super) fn start(text: &str, at: usize) -> WordStart {
    let Some(last) = before(text, at).filter(|c| is_word(*c)) else { return WordStart::Run };
    let mut rest = text[at..].chars();
    match rest.next() {
        Some(here) if is_hump(last, here, rest.next()) => WordStart::Part,
        _ => WordStart::Inside,
    }
}

/// The end of the run that goes on at `at`.
pub(super) fn run_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while let Some(byte) = bytes.get(end) {
        if byte.is_ascii() {
            if !byte.is_ascii_alphanumeric() {
                break;
            }
            end += 1;
        } else {
            let Some(c) = text[end..].chars().next().filter(|c| is_word(*c)) else { break };
            end += c.len_utf8();
        }
    }
    end
}

/// The end of the part that begins at `at`, in a run that ends at `end`.
pub(super) fn part_end(text: &str, at: usize, end: usize) -> usize {
    let mut letters = text[at..end].char_indices().peekable();
    let mut last = None;
    while let Some((offset, here)) = letters.next() {
        if let Some(last) = last
            && is_hump(last, here, letters.peek().map(|(_, after)| *after))
        {
            return at + offset;
        }
        last = Some(here);
    }
    end
}

pub(super) fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + text[at..].find(is_word)?;
        at = run_end(text, begin);
        Some(begin..at)
    })
}

pub(super) fn parts(run: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let end = (at < run.len()).then(|| part_end(run, at, run.len()))?;
        let part = &run[at..end];
        at = end;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_fall_into_their_parts() {
        fn check(text: &str, expect: &[&str]) {
            let found: Vec<&str> =
                runs(text).flat_map(|run| parts(&text[run]).collect::<Vec<_>>()).collect();
            assert_eq!(found, expect, "{text}");
        }
        check("formatAskUserTool", &["format", "Ask", "User", "Tool"]);
        check("HTTPServer OAuth", &["HTTP", "Server", "O", "Auth"]);
        check("session_portability.md:12", &["session", "portability", "md", "12"]);
        check("API를 v2로", &["API", "v2"]);
        check("ошибка сервера", &["ошибка", "сервера"]);
        check("user's—naïve", &["user", "s", "naïve"]);
        check("", &[]);
    }

    #[test]
    fn a_place_begins_a_run_a_part_or_nothing() {
        assert_eq!(start("getName", 0), WordStart::Run);
        assert_eq!(start("getName", 3), WordStart::Part);
        assert_eq!(start("getName", 4), WordStart::Inside);
        assert_eq!(start("get_name", 4), WordStart::Run);
        assert_eq!(start("한글name", 6), WordStart::Run);
    }
}
