//! What is around a byte: escapes, boundaries, quoted values.
//!
//! Logs hold JSON inside Markdown and JSON inside JSON, so a quote may carry any number of backslashes
//! and a line may end in the two characters `\n`. Everything here works on such text as it stands.

use std::ops::Range;

/// How many bytes at the beginning of a text are of a kind; at most so many are looked at.
#[inline]
pub(super) fn run_of(text: &[u8], most: usize, is: impl Fn(&u8) -> bool) -> usize {
    text.iter().take(most).take_while(|byte| is(byte)).count()
}

/// The first of these signs that a text begins with. Their first bytes tell most of them apart, in less time than a
/// call takes.
#[inline]
pub(super) fn sign_of<S: AsRef<[u8]> + Copy>(text: &[u8], signs: &[S]) -> Option<S> {
    let first = text.first()?;
    let begins = |sign: &[u8]| sign.first() == Some(first) && text.starts_with(sign);
    signs.iter().find(|sign| begins(sign.as_ref())).copied()
}

/// Whether a text ends with one of these signs, of two bytes or more.
#[inline]
pub(super) fn ends_with_one_of(text: &[u8], signs: &[&[u8]]) -> bool {
    let last = text.last_chunk::<2>();
    signs.iter().any(|sign| sign.last_chunk() == last && text.ends_with(sign))
}

/// Whether a word is one of `list`, in any case.
pub(super) fn is_one_of(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Longest run of backslashes that is told apart; real nesting stays far below.
const DEEPEST: usize = 32;

/// How many backslashes are directly before `at`, at most [`DEEPEST`].
pub(super) fn backslashes_before(text: &[u8], at: usize) -> usize {
    text[..at].iter().rev().take(DEEPEST).take_while(|byte| **byte == b'\\').count()
}

/// Whether the byte at `at` belongs to an escape: `n` in `\n`, but not in `\\n`.
pub(super) fn escaped(text: &[u8], at: usize) -> bool {
    backslashes_before(text, at) % 2 == 1
}

/// A letter, a digit or `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a token may start at `at`: nothing that could belong to it is before it.
///
/// `\nAKIA`, `\u003dAKIA`, `%3DAKIA` and a terminal colour before the token are boundaries too.
pub(super) fn starts_token(text: &[u8], at: usize) -> bool {
    if escaped(text, at) {
        return false;
    }
    let Some(&before) = at.checked_sub(1).and_then(|i| text.get(i)) else { return true };
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    matches!(before, b'n' | b'r' | b't' | b'b' | b'f' | b'v')
        && backslashes_before(text, at - 1) > 0
        || at >= 6
            && text[at - 5] == b'u'
            && escaped(text, at - 5)
            && text[at - 4..at].iter().all(u8::is_ascii_hexdigit)
        || at >= 3 && text[at - 3] == b'%' && text[at - 2..at].iter().all(u8::is_ascii_hexdigit)
        || before == b'm' && ends_colour(&text[..at - 1])
}

/// Whether the text before an `m` is the start of a terminal colour: ESC `[94`.
fn ends_colour(before: &[u8]) -> bool {
    let digits = before
        .iter()
        .rev()
        .take(12)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    let head = &before[..before.len() - digits];
    head.ends_with(b"\x1b[") || head.ends_with(b"\\u001b[") || head.ends_with(b"\\x1b[")
}

/// An opening quote: how many backslashes it carries, and which character it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    /// backslashes before the quote character
    pub(super) depth: usize,
    /// `"`, `'`, `` ` ``
    pub(super) mark: u8,
}

/// Where the value after an opening quote ends: before the closing quote, the end of the line, or `limit` bytes on.
pub(super) fn quoted_end(text: &[u8], from: usize, quote: Quote, limit: usize) -> usize {
    let end = text.len().min(from + limit);
    let mut at = from;
    while at < end {
        match text[at] {
            b'\n' | b'\r' => return at,
            b'\\' => {
                let run = text[at..end].iter().take_while(|byte| **byte == b'\\').count();
                match text.get(at + run) {
                    // The string goes on in the next line.
                    Some(b'\n' | b'\r') if run % 2 == 1 => return at + run - 1,
                    Some(&next) if next == quote.mark && run <= quote.depth => return at,
                    // An odd run escapes what follows; `\n` at the depth of the quote ends a line.
                    Some(b'n' | b'r') if run <= quote.depth.max(1) && run % 2 == 1 => return at,
                    Some(_) if run % 2 == 1 => at += run + 1,
                    _ => at += run,
                }
            }
            // Any double quote ends it: a span must never swallow the end of a JSON string.
            byte if byte == quote.mark
                || byte == b'"'
                || byte.is_ascii_control() && byte != b'\t' =>
            {
                return at;
            }
            _ => at += 1,
        }
    }
    end
}

/// Where a value without quotes ends.
///
/// `=` may be in it (Base64), separators of lists, tags, cells and queries may not.
pub(super) fn bare_end(text: &[u8], from: usize, limit: usize) -> usize {
    let end = text.len().min(from + limit);
    (from..end)
        .find(|at| match text[*at] {
            b'"' | b'\'' | b'`' | b'\\' | b',' | b';' | b'<' | b'>' | b'|' => true,
            b'&' => parameter(&text[*at + 1..]),
            byte => byte.is_ascii_whitespace() || !byte.is_ascii() || byte.is_ascii_control(),
        })
        .unwrap_or(end)
}

/// Whether `name=` or `amp;` follows: then the `&` before it is no part of a value.
fn parameter(rest: &[u8]) -> bool {
    let name = run_of(rest, 32, |byte| is_word(*byte) || *byte == b'-');
    rest.get(name).is_some_and(|byte| matches!(byte, b'=' | b';'))
}

/// The span without a half escape at its end, and without sentence punctuation after it.
pub(super) fn tidy(text: &[u8], mut span: Range<usize>) -> Range<usize> {
    while span.end > span.start
        && (escaped(text, span.end) || matches!(text[span.end - 1], b'.' | b',' | b';' | b':'))
    {
        span.end -= 1;
    }
    span
}

/// The part of a span that splits no escape and no character: `\n`, `\u00e9` and `é` are inside it or outside.
pub(super) fn unsplit(text: &[u8], mut span: Range<usize>) -> Range<usize> {
    if let Some(escape) = escape_around(text, span.start) {
        span.start = escape.end.min(span.end);
    }
    while span.end > span.start
        && let Some(escape) = escape_around(text, span.end)
    {
        span.end = escape.start.max(span.start);
    }
    let continues = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    while span.start < span.end && continues(span.start) {
        span.start += 1;
    }
    while span.start < span.end && continues(span.end) {
        span.end -= 1;
    }
    span
}

/// The escape that starts before `at` and ends after it.
fn escape_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    if escaped(text, at) && text.get(at).is_none_or(u8::is_ascii) {
        let length =
            if text.get(at) == Some(&b'u') && hexadecimal(text, at + 1, at + 5) { 6 } else { 2 };
        return Some(at - 1..at - 1 + length);
    }
    let opens = |from: &usize| {
        text[*from] == b'u' && escaped(text, *from) && hexadecimal(text, from + 1, from + 5)
    };
    let from = (at.saturating_sub(4)..at).rev().find(opens)?;
    Some(from - 1..from + 5)
}

fn hexadecimal(text: &[u8], from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// The part of a span that neither ends a JSON string nor splits an escape.
pub(super) fn inside_json(text: &[u8], span: Range<usize>) -> Range<usize> {
    let mut span = unsplit(text, span);
    if let Some(quote) = span.clone().find(|at| text[*at] == b'"' && !escaped(text, *at)) {
        span.end = quote;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_told_apart() {
        fn check(text: &str, sign: Option<&str>, ends: bool) {
            assert_eq!(sign_of(text.as_bytes(), &["|| ", "||", "– "]), sign, "{text}");
            assert_eq!(ends_with_one_of(text.as_bytes(), &[b"ENV ", b"set "]), ends, "{text}");
        }
        check("|| x", Some("|| "), false);
        check("||x", Some("||"), false);
        check("– ENV ", Some("– "), true);
        check("| set ", None, true);
        check("T ", None, false);
        check(" ", None, false);
        check("", None, false);
    }

    #[test]
    fn tokens_start_after_escapes_but_not_inside_words() {
        let check = |text: &str, expect: bool| {
            let at = text.find("AKIA").unwrap();
            assert_eq!(starts_token(text.as_bytes(), at), expect, "{text}");
        };
        check("AKIA", true);
        check("=AKIA", true);
        check("_AKIA", true);
        check("xAKIA", false);
        check("9AKIA", false);
        check(r"\nAKIA", true);
        check(r"\\nAKIA", true);
        check(r"\\\nAKIA", true);
        check(r"\u003dAKIA", true);
        check(r"\AKIA", false);
        check("%3DAKIA", true);
        check("\u{1b}[94mAKIA", true);
        check("94mAKIA", false);
    }

    #[test]
    fn quoted_values_end_at_their_own_quote() {
        let check = |text: &str, depth: usize, mark: u8, expect: &str| {
            let end = quoted_end(text.as_bytes(), 0, Quote { depth, mark }, 99);
            assert_eq!(&text[..end], expect, "{text}");
        };
        check("abc\" def\"", 0, b'"', "abc");
        check(r#"a\"bc" d"#, 0, b'"', r#"a\"bc"#);
        check(r#"abc\" d"#, 1, b'"', "abc");
        check(r#"a\\\"bc\" d"#, 1, b'"', r#"a\\\"bc"#);
        check("it's\nnext", 0, b'"', "it's");
        check(r"abc\ndef", 1, b'"', "abc");
        check("abc\"def'", 0, b'\'', "abc");
        check("no end", 0, b'"', "no end");
    }

    #[test]
    fn escapes_are_inside_a_span_or_outside() {
        let check = |span: Range<usize>, expect: &str| {
            let text = r"a\nb\u00e9c\\d";
            assert_eq!(&text[unsplit(text.as_bytes(), span)], expect);
        };
        check(0..14, r"a\nb\u00e9c\\d");
        check(2..5, "b");
        check(7..12, "c");
        check(0..8, r"a\nb");
        check(3..12, r"b\u00e9c");
        check(6..8, "");
    }

    #[test]
    fn a_span_never_ends_inside_an_escape() {
        assert_eq!(tidy(br"abc\n", 0..4), 0..3);
        assert_eq!(tidy(br"abc\\", 0..5), 0..5);
        assert_eq!(tidy(b"abc.", 0..4), 0..3);
    }
}
