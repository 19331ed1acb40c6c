//! Small things about text that more than one module needs.

use std::borrow::Cow;
use std::ops::Range;

use chrono::{DateTime, FixedOffset};
use serde::Serialize;
use serde::de::DeserializeOwned;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Bytes as text; what is no UTF-8 is replaced. Borrows in the usual case.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // The check alone is several times faster than the replacing reader of the standard library.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A text without the mark of its byte order in front.
pub(crate) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Whether a line begins after this part of a text, perhaps with the mark of its byte order.
pub(crate) fn begins_line(above: &[u8]) -> bool {
    let above = above.strip_suffix(BOM).unwrap_or(above);
    above.is_empty() || above.ends_with(b"\n")
}

/// JSON as it is in a file, for people as well.
pub(crate) fn pretty_json(value: &(impl Serialize + ?Sized)) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// What is in a file of JSON lines; one that a crash cut short, or that is something else, is passed over.
pub(crate) fn json_lines<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// What follows the beginning of a text, whatever the case of its letters of ASCII.
pub(crate) fn behind<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(beginning.len())?;
    head.eq_ignore_ascii_case(beginning).then_some(rest)
}

/// A moment as our files have it: RFC 3339, to the second.
pub(crate) fn moment(at: DateTime<FixedOffset>) -> String {
    at.format("%FT%T%:z").to_string()
}

/// `1 day`, `2 days`: a number and a noun whose plural takes an `s`.
pub(crate) fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(number: usize) -> String {
    format!("{number} {}", if number == 1 { "entry" } else { "entries" })
}

/// A number with its thousands set apart: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A text on one line, with one blank between its words and without control characters.
pub(crate) fn printable(text: &str) -> String {
    if text.contains(char::is_control) {
        single_spaced(&text.replace(char::is_control, " "))
    } else {
        single_spaced(text)
    }
}

/// A text with one blank between its words, and none around it.
pub(crate) fn single_spaced(text: &str) -> String {
    if is_single_spaced(text) {
        return text.to_owned();
    }
    let mut spaced = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    spaced
}

/// Whether a text is ASCII and has one blank between its words and none around it. Most are.
pub(crate) fn is_single_spaced(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !bytes.windows(2).any(|pair| pair == b"  ")
}

/// The most characters of a name of anything, wherever it is shown.
pub(crate) const NAME: usize = 200;

/// A name as it is shown: at most [`NAME`] characters, cut between words where it has some, and marked with `…`.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    let short = short_name(text);
    if short.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(format!("{short}…")) }
}

/// The beginning of a name that [`name`] shows, without the mark.
pub(crate) fn short_name(text: &str) -> &str {
    if text.len() <= NAME || text.chars().nth(NAME).is_none() {
        return text;
    }
    // One is left for the mark.
    let Some((end, _)) = text.char_indices().nth(NAME - 1) else { return text };
    let head = &text[..end];
    if let Some(space) = head.rfind(char::is_whitespace).filter(|at| *at > end / 2) {
        return head[..space].trim_end();
    }
    // Few characters combine with the one before them; a text made only of such characters is cut anyway.
    let joined = |at: usize| {
        let joiner = '\u{200d}';
        let before = text[..at].chars().next_back();
        let after = text[at..].chars().next();
        before == Some(joiner) || after.is_some_and(|c| c == joiner || is_on_top(c))
    };
    let mut cuts = head.char_indices().rev().take(NAME / 4).map(|(at, _)| at);
    let end = if joined(end) { cuts.find(|at| !joined(*at)).unwrap_or(end) } else { end };
    text[..end].trim_end()
}

/// Whether `word` is one of the words of `list`, which a blank separates.
pub(crate) fn lists(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// A text that was cut out of a longer one, without brackets and quotes of which only one side is left.
pub(crate) fn without_lone_brackets(text: &str) -> String {
    let mut kept = text.to_owned();
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}'), ('“', '”'), ('「', '」')] {
        if kept.matches(open).count() != kept.matches(close).count() {
            kept = kept.replace([open, close], "");
        }
    }
    for quote in ['"', '`'] {
        if kept.matches(quote).count() % 2 == 1 {
            kept = kept.replace(quote, "");
        }
    }
    kept.trim().to_owned()
}

/// Whether a character changes the one before it: accents, vowels and ends of Korean syllables, variants, shades of
/// skin.
fn is_on_top(c: char) -> bool {
    is_combining_mark(c)
        || matches!(c, '\u{1160}'..='\u{11ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// A text in the composed form (NFC): an accent that is typed as a character of its own makes no other word.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii()
        || text.chars().all(stays_composed)
        || is_nfc_quick(text.chars()) == IsNormalized::Yes
    {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Whether a character is composed whatever is next to it. Most letters that people write with are, and ranges tell
/// that many times faster than tables do.
fn stays_composed(c: char) -> bool {
    matches!(c,
        '\0'..='\u{2ff}'
        | '\u{400}'..='\u{482}'
        | '\u{2010}'..='\u{2027}'
        | '\u{3001}'..='\u{3020}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}')
}

/// The lines of a text without their line ends, as [`str::lines`], at the speed of a byte search.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    std::iter::from_fn(move || {
        let end = ends.next();
        if end.is_none() && from >= text.len() {
            return None;
        }
        let line = &text[from..end.unwrap_or(text.len())];
        from = end.map_or(text.len(), |end| end + 1);
        Some(if end.is_some() { line.strip_suffix('\r').unwrap_or(line) } else { line })
    })
}

/// Rows of cells in columns, of which those in `right` end below each other.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]], right: Range<usize>) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let cell = |(column, cell): (usize, &String)| {
        let width = width(column);
        if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    };
    let row = |row: &[String; N]| {
        let cells: Vec<_> = row.iter().enumerate().map(cell).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(row).collect()
}

/// The last of the [`lines`] of a text; empty where there is none.
pub(crate) fn last_line(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let start = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |end| end + 1);
    text[start..].strip_suffix('\r').unwrap_or(&text[start..])
}

/// The beginning of a text: at most so many bytes, and whole characters.
pub(crate) fn start(text: &str, most: usize) -> &str {
    let end = (0..=text.len().min(most)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// At most `limit` bytes of a text, cut at the end of a line, and how much more there is; where that would leave less
/// than `least` in a hundred of them, in the middle of a line.
pub(crate) fn bounded(text: &str, limit: usize, least: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let kept = start(text, limit);
    let kept =
        kept.rfind('\n').filter(|at| at * 100 > kept.len() * least).map_or(kept, |at| &kept[..at]);
    format!("{}\n({})", kept.trim_end(), counted(text.len() - kept.len(), "more byte"))
}

/// Text without control and direction-changing characters, so that a file name cannot repaint a terminal.
pub(crate) fn safe(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let (kept, escaped) =
                if is_harmless(c) { (Some(c), None) } else { (None, Some(c.escape_unicode())) };
            kept.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

/// Whether a character neither drives a terminal nor turns the direction of what is around it.
pub(crate) fn is_harmless(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c == '\n' || c == '\t' || !(c.is_control() || turns)
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    #[test]
    fn thousands_are_set_apart() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        for (number, expect) in numbers {
            assert_eq!(super::grouped(number), expect);
        }
    }

    #[test]
    fn one_is_singular() {
        let counted = [0, 1, 2].map(|number| super::counted(number, "new turn"));
        assert_eq!(counted, ["0 new turns", "1 new turn", "2 new turns"]);
    }

    #[test]
    fn names_end_after_two_hundred_characters() {
        fn check(text: &str, expect: &str) {
            let name = super::name(text);
            assert_eq!(name, expect, "{text:?}");
            assert!(name.chars().count() <= super::NAME, "{text:?}");
            assert_eq!(super::name(&name), name, "cut once, it stays");
            assert!(text.starts_with(super::short_name(text)));
        }
        check("short", "short");
        check(&"a".repeat(60_000), &format!("{}…", "a".repeat(199)));
        check(&"한".repeat(200), &"한".repeat(200));
        check(&"한".repeat(201), &format!("{}…", "한".repeat(199)));
        check(&"e\u{301}".repeat(200), &format!("{}…", "e\u{301}".repeat(99)));
        let family = "👩\u{200d}👩\u{200d}👧";
        check(&format!("{}{family}", "a".repeat(197)), &format!("{}…", "a".repeat(197)));
        check(&format!("{} {}", "a".repeat(150), "b".repeat(60)), &format!("{}…", "a".repeat(150)));
        check(&format!("a {}", "b".repeat(250)), &format!("a {}…", "b".repeat(197)));
        check(&"\u{301}".repeat(300), &format!("{}…", "\u{301}".repeat(199)));
    }

    #[test]
    fn brackets_stay_in_pairs() {
        for (text, expect) in [
            ("Phase 4, CLI repo)", "Phase 4, CLI repo"),
            ("rid of it: (the cache", "rid of it: the cache"),
            ("load() and (more)", "load() and (more)"),
            ("\" resume needs `x`", "resume needs `x`"),
        ] {
            assert_eq!(super::without_lone_brackets(text), expect);
        }
    }

    #[test]
    fn accents_make_no_other_word() {
        for c in (char::MIN..=char::MAX).filter(|c| super::stays_composed(*c)) {
            // Then no mark in front of it and no order of marks can matter.
            assert_eq!(canonical_combining_class(c), 0, "{c:?}");
            assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes, "{c:?}");
        }
        assert_eq!(super::composed("cafe\u{301}"), "café");
        assert_eq!(super::composed("\u{1112}\u{1161}\u{11ab}"), "한");
        assert!(matches!(super::composed("café 한"), std::borrow::Cow::Borrowed(_)));
        for apart in ["cafe\u{301}", "\u{1112}\u{1161}\u{11ab}", "か\u{3099}"] {
            assert_ne!(super::composed(apart), apart);
        }
    }

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "a\nb", "a\r\nb\r", "\n\n", "\r\n", "é\n\r\n한"] {
            let ours: Vec<_> = super::lines(text).collect();
            assert_eq!(ours, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
