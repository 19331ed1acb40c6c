//! What can be read of a line of a transcript that is no record as it stands.
//!
//! A power cut leaves NUL bytes where a record was about to be, an editor a byte order mark, a tool bytes that are no
//! text. A kill cuts a record short, and whoever writes next may write after it on the same line: then that line ends
//! with a whole record, whose words are as good as any.

use std::borrow::Cow;
use std::ops::Range;

use super::{Record, parse};
use crate::text::without_bom;

/// The records in a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Mended<'a> {
    /// those that are whole, in order: where each stands, and its text
    pub(crate) records: Vec<(Range<usize>, Cow<'a, [u8]>)>,
    /// whether something else is there, too, which nobody can read
    pub(crate) torn: bool,
}

impl Mended<'_> {
    /// The records with their places in the transcript, where the line has the place `span`: together they fill it.
    pub(crate) fn in_line(&self, span: &Range<u64>) -> impl Iterator<Item = (Range<u64>, &[u8])> {
        let begin_of = |index: usize| match (index, self.records.get(index)) {
            (0, _) => span.start,
            (_, Some((range, _))) => span.start + range.start as u64,
            (_, None) => span.end,
        };
        let records = self.records.iter().enumerate();
        records.map(move |(at, (_, record))| (begin_of(at)..begin_of(at + 1), &**record))
    }
}

/// Takes a line apart in which no record was found. Looks at each byte a few times at most, however odd the line is.
pub(crate) fn mended(line: &[u8]) -> Mended<'_> {
    let begin = line.len() - without_filling(line).len();
    let mut end = without_rest(line).len();
    if begin >= end {
        return Mended::default();
    }
    if let Some(record) = whole(line) {
        return Mended { records: vec![(begin..end, record)], torn: false };
    }
    let mut records = Vec::new();
    while let Some(at) = last_object(&line[begin..end]).map(|at| begin + at) {
        let record = as_text(&line[at..end]);
        if !parse(&record).is_some_and(|record| at == begin || stands_alone(&record)) {
            break;
        }
        records.push((at..end, record));
        end = begin + without_rest(&line[begin..at]).len();
    }
    records.reverse();
    Mended { records, torn: !without_filling(&line[begin..end]).is_empty() }
}

/// The record of a line, without what is before it and bytes that are no text.
pub(crate) fn whole(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    let record = as_text(without_rest(without_filling(line)));
    parse(&record).is_some().then_some(record)
}

/// A line without what may be before its record.
fn without_filling(line: &[u8]) -> &[u8] {
    let mut rest = line;
    loop {
        let shorter = without_bom(rest.trim_ascii_start());
        let shorter = shorter.strip_prefix(b"\0").unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// A line without what may be after its record.
fn without_rest(line: &[u8]) -> &[u8] {
    let is_rest = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    &line[..line.iter().rposition(|byte| !is_rest(byte)).map_or(0, |last| last + 1)]
}

fn as_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Whether a record has what those of a transcript have and the objects within them lack: after a record that was cut
/// short, nothing else tells one from the other.
fn stands_alone(record: &Record<'_>) -> bool {
    record.kind.is_some() && (record.timestamp.is_some() || record.session_id.is_some())
}

/// Where the object begins that a text ends with. Read from its end, so that it does not matter what is before it.
fn last_object(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, text.len());
    if !text.ends_with(b"}") {
        return None;
    }
    loop {
        at = memchr::memrchr3(b'"', b'{', b'}', &text[..at])?;
        match text[at] {
            b'}' => depth += 1,
            b'{' => depth -= 1,
            _ => at = string_before(text, at)?,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Where the string begins whose last quote is at `end`.
fn string_before(text: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        at = memchr::memrchr(b'"', &text[..at])?;
        let escapes = text[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes % 2 == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"type":"user","timestamp":"2026-11-20T10:00:00Z","message":{"role":"user","content":"a {\"b\": [\\"}}"#;
    const TWO: &str =
        r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"c } \" {"}}"#;

    #[track_caller]
    fn check(line: &[u8], records: &[&str], torn: bool) {
        let found = mended(line);
        let text = |(range, record): &(Range<usize>, Cow<'_, [u8]>)| {
            let there = String::from_utf8_lossy(&line[range.clone()]);
            let record = String::from_utf8_lossy(record);
            assert_eq!(there, record);
            record.into_owned()
        };
        let all: Vec<String> = found.records.iter().map(text).collect();
        let shown = String::from_utf8_lossy(line);
        assert!(all == records && found.torn == torn, "{shown}: {all:?}");
    }

    #[test]
    fn what_stands_before_a_record_is_passed_over() {
        for before in ["", "\u{feff}", "\0\0\0", " \0\u{feff}\0 "] {
            for behind in ["", "\r", "  ", "\0\0"] {
                check([before, ONE, behind].concat().as_bytes(), &[ONE], false);
            }
        }
        for blank in ["", " ", "\r", "\0\0", "\u{feff}", "\0 \r"] {
            check(blank.as_bytes(), &[], false);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let line = [&br#"{"role":"user","content":"a "#[..], b"\xff\xc3", br#" b"}"#].concat();
        let found = mended(&line);
        let (_, record) = &found.records[0];
        let expect = "{\"role\":\"user\",\"content\":\"a \u{fffd}\u{fffd} b\"}";
        assert_eq!(String::from_utf8_lossy(record), expect);
        assert_eq!((found.records.len(), found.torn), (1, false));
    }

    #[test]
    fn a_whole_record_is_found_behind_one_that_was_cut_anywhere() {
        for end in 1..ONE.len() {
            let torn = &ONE[..end];
            for between in ["", "\0\0", " "] {
                check([torn, between, TWO].concat().as_bytes(), &[TWO], true);
            }
            check(torn.as_bytes(), &[], true);
        }
        check([ONE, TWO].concat().as_bytes(), &[ONE, TWO], false);
        check([ONE, " ", TWO, "\0", ONE].concat().as_bytes(), &[ONE, TWO, ONE], false);
        check([&ONE[..30], TWO, ONE].concat().as_bytes(), &[TWO, ONE], true);
        check([TWO, &ONE[..30]].concat().as_bytes(), &[], true);
        for no_record in ["x", "3", "[]", "}", "{", "\"", "{{}", "x{}", r#"x{"role":"user"}"#] {
            check(no_record.as_bytes(), &[], true);
        }
    }

    #[test]
    fn odd_lines_are_taken_apart_at_once() {
        for odd in ["{\"", "\"}", "}", "{", "\\\"", "{\"a\":", "{}", "[{}],"] {
            let line = odd.repeat(1024 * 1024 / odd.len()) + "}";
            assert!(mended(line.as_bytes()).torn, "{odd}");
        }
    }
}
