//! Cuts text into sentences, and long ones into pieces.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation as _;

use super::lexicon::shape;

/// The sentences of a text, in any of the scripts that mark their ends, as Unicode cuts them. Numbers of a list and
/// short forms (`shape.toml`) end none.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let mut rest = text;
    let mut bounds = may_end_inside(text).then(|| text.split_sentence_bound_indices().peekable());
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let start = text.len() - rest.len();
        let mut end = text.len();
        while let Some((at, part)) = bounds.as_mut().and_then(Iterator::next) {
            let read = &text[start..at + part.len()];
            let is_apart = read.ends_with(char::is_whitespace) || read.ends_with(WIDE);
            if is_apart && !goes_on(read) {
                end = at + part.len();
                break;
            }
        }
        rest = &text[end..];
        Some(text[start..end].trim())
    })
    .filter(|sentence| !sentence.is_empty())
}

/// Marks that end a sentence without a blank after them.
const WIDE: [char; 4] = ['。', '！', '？', '…'];

/// Whether a text may have more than one sentence: the rules of Unicode are asked for few lines.
fn may_end_inside(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |at: usize| bytes.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric());
    memchr::memchr3_iter(b'.', b'!', b'?', bytes).any(|at| at + 1 < bytes.len() && ends(at))
        || (!text.is_ascii() && text.contains(WIDE))
}

/// Whether what was read so far is no sentence yet.
fn goes_on(text: &str) -> bool {
    static SHORT: LazyLock<HashSet<&str>> =
        LazyLock::new(|| shape::ABBREVIATIONS.iter().copied().collect());
    let text = text.trim_end();
    let Some(text) = text.strip_suffix('.') else { return false };
    let last = text.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    SHORT.contains(last) || text.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

/// Cuts a text that is longer than `most` characters between words, into pieces that are not.
pub(crate) fn pieces(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.len() <= most {
            return (!rest.is_empty()).then(|| std::mem::take(&mut rest));
        }
        let Some((limit, _)) = rest.char_indices().nth(most) else {
            return Some(std::mem::take(&mut rest));
        };
        let head = &rest[..limit];
        let end = if rest[limit..].starts_with(char::is_whitespace) {
            limit
        } else {
            let gap = head.char_indices().rfind(|(_, c)| c.is_whitespace());
            gap.map_or(limit, |(at, c)| at + c.len_utf8())
        };
        let (piece, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(piece.trim_end())
    })
    .filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        for (text, expect) in [
            (
                "Use v1.2, e.g. the tool. Then stop.",
                &["Use v1.2, e.g. the tool.", "Then stop."][..],
            ),
            ("See url vs. `URL` (e.g. Foo). Stop.", &["See url vs. `URL` (e.g. Foo).", "Stop."]),
            ("It failed! Why? `x` was 3.", &["It failed!", "Why?", "`x` was 3."]),
            ("인증을 고쳤다. 그리고 배포했다.", &["인증을 고쳤다.", "그리고 배포했다."]),
            ("検索を直した。次は索引。", &["検索を直した。", "次は索引。"]),
            ("Исправлено. Теперь быстрее", &["Исправлено.", "Теперь быстрее"]),
            ("1. Grill", &["1. Grill"]),
            ("", &[]),
        ] {
            assert_eq!(sentences(text).collect::<Vec<_>>(), expect, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_word_is_lost(text in "([a-z]{1,9}[.!?]?|検索。| |\\n){0,40}", most in 1_usize..40) {
            let whole: String = text.split_whitespace().collect();
            let joined = |parts: Vec<&str>| parts.concat().split_whitespace().collect::<String>();
            proptest::prop_assert_eq!(joined(sentences(&text).collect()), whole.clone());
            let parts: Vec<&str> = pieces(text.trim(), most).collect();
            proptest::prop_assert!(parts.iter().all(|part| part.chars().count() <= most));
            proptest::prop_assert_eq!(joined(parts), whole);
        }
    }
}
