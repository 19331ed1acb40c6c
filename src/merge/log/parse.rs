//! A log cut into what a merge moves about as a whole: session blocks, entries, and paragraphs that are under no
//! heading.

use std::borrow::Cow;

use crate::markdown::fence::{self, OpenFence};
use crate::markdown::heading;
use crate::markdown::lines::Lines;
use crate::markdown::marker::{self, Marker};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParsedPart<'a> {
    Block(Block<'a>),
    Text(LogText<'a>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub(super) session: &'a str,
    pub(super) from: u64,
    pub(super) to: u64,
    /// whether its last line is there
    pub(super) whole: bool,
    /// the time in its heading, if it has one
    pub(super) time: Option<&'a str>,
    /// the time that is above it
    pub(super) at: Option<&'a str>,
    /// from its first line to its last, without the end of that
    pub(super) bytes: &'a [u8],
}

/// An entry, or a paragraph under no heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogText<'a> {
    /// when it was noted down, where the line above it says so
    pub(super) at: Option<&'a str>,
    /// whether it begins with a heading
    pub(super) is_entry: bool,
    /// without blank lines around it; a fence left open is closed
    pub(super) bytes: Cow<'a, [u8]>,
}

/// Cuts a log. Blank lines between its parts are no part of it, nor is a byte order mark at its beginning.
pub(super) fn parse(log: &[u8]) -> Vec<ParsedPart<'_>> {
    let lines = Lines::of(log);
    let mut parts = Vec::new();
    let (mut at, mut above) = (0, None);
    while at < lines.len() {
        if let Some(Marker::Start { session, from, to }) = lines.marker(at) {
            let (end, whole) = end_of_block(&lines, at, session);
            let time =
                (at + 1..end).map(|line| lines.text(line)).find(|line| !line.trim().is_empty());
            let time = time.and_then(heading::session_heading).map(|session| session.time);
            let bytes = lines.bytes(at..end).trim_ascii_end();
            let at_above = above.take();
            parts.push(ParsedPart::Block(Block {
                session,
                from,
                to,
                whole,
                time,
                at: at_above,
                bytes,
            }));
            at = end;
        } else {
            let is_start = |line: &usize| matches!(lines.marker(*line), Some(Marker::Start { .. }));
            let end = (at..lines.len()).find(is_start).unwrap_or(lines.len());
            above = texts(&lines, at..end, &mut parts);
            at = end;
        }
    }
    parts
}

/// Cuts what is outside of blocks: at headings, at the lines that name a time, and, under no heading, at blank lines.
/// None of these counts in fenced code. Returns the time that the last line names, if it does.
fn texts<'a>(
    lines: &Lines<'a>,
    range: std::ops::Range<usize>,
    parts: &mut Vec<ParsedPart<'a>>,
) -> Option<&'a str> {
    let code = lines.code(range.clone());
    let is_code = |line: usize| code[line - range.start];
    let mut begin = range.start;
    let mut time = None;
    let mut is_entry = false;
    for line in range.clone().chain([range.end]) {
        let ends = line == range.end;
        let text = if ends { "" } else { lines.text(line) };
        let at = marker::at(text).filter(|_| !ends && !is_code(line));
        let is_heading = !ends && !is_code(line) && heading::entry(text).is_some();
        let is_blank = !ends && text.trim().is_empty();
        // Inside a code block a blank line separates nothing.
        let sets_off = is_blank && !is_entry && !is_code(line);
        if !(ends || at.is_some() || is_heading || sets_off) {
            continue;
        }
        let bytes = trimmed(lines.bytes(begin..line));
        if !bytes.is_empty() {
            let text = LogText { at: time.take(), is_entry, bytes: closed(bytes) };
            parts.push(ParsedPart::Text(text));
            is_entry = false;
        }
        begin = if at.is_some() { line + 1 } else { line };
        time = at.or(time);
        is_entry |= is_heading;
        if at.is_some() {
            is_entry = false;
        }
    }
    time
}

/// Without blank lines before and white space after it: what indents its first line belongs to it.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.trim_ascii_end();
    let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let begin = memchr::memrchr(b'\n', &bytes[..blank]).map_or(0, |end| end + 1);
    &bytes[begin..]
}

/// Text in which no fence is left open, so that whatever comes to be after it is no code.
fn closed(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(bytes);
    if !fence::possible_in(&text) {
        return Cow::Borrowed(bytes);
    }
    match OpenFence::after(&text).closing() {
        None => Cow::Borrowed(bytes),
        Some(closing) => Cow::Owned([bytes, b"\n", closing.as_bytes()].concat()),
    }
}

/// The line after a block that begins at a line, and whether the block is whole. A torn one ends where another
/// begins, or something that nobody says in a session: an entry, or the time of one.
fn end_of_block(lines: &Lines<'_>, start: usize, session: &str) -> (usize, bool) {
    for line in start + 1..lines.len() {
        match lines.marker(line) {
            Some(Marker::End { session: found, .. }) if found == session => {
                return (line + 1, true);
            }
            Some(Marker::Start { .. }) => return (end_of_torn(lines, start, line), false),
            _ => {}
        }
    }
    (end_of_torn(lines, start, lines.len()), false)
}

fn end_of_torn(lines: &Lines<'_>, start: usize, end: usize) -> usize {
    let code = lines.code(start..end);
    let mut heading = true;
    for line in start + 1..end {
        let text = lines.text(line);
        if code[line - start] || text.trim().is_empty() {
            continue;
        }
        let is_entry = heading::entry(text).is_some()
            && !(heading && heading::session_heading(text).is_some());
        if is_entry || marker::at(text).is_some() {
            return line;
        }
        heading = false;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(log: &str) -> Vec<String> {
        let log = log.replace('§', "<!-- hipocampus:session s 0-9 -->");
        let log = log.replace('¶', "<!-- hipocampus:end s 9 -->").replace('|', "\n");
        let log = log.replace('@', "<!-- hipocampus:at 2026-03-15 14:02:11 -->");
        let parts = parse(log.as_bytes());
        let show = |part: &ParsedPart<'_>| match part {
            ParsedPart::Block(block) => {
                format!("{}{:?}", if block.whole { "block" } else { "torn" }, block.time)
            }
            ParsedPart::Text(text) => {
                let bytes = String::from_utf8_lossy(&text.bytes).replace('\n', "|");
                let time = if text.at.is_some() { "@" } else { "" };
                format!("{time}{}{bytes}", if text.is_entry { "" } else { "~" })
            }
        };
        parts.iter().map(show).collect()
    }

    #[test]
    fn a_log_is_cut_at_blocks_headings_and_times() {
        #[track_caller]
        fn check(log: &str, expect: &[&str]) {
            assert_eq!(shown(log), expect, "{log}");
        }
        check("", &[]);
        check("||", &[]);
        check("# d|| - a||b|", &["~# d", "~ - a", "~b"]);
        check("## a||- x|| y||## b", &["## a||- x|| y", "## b"]);
        check(
            "§|## Session — 2026-03-15 14:02:11||**User:** x|¶|note||## a",
            &["blockSome(\"2026-03-15 14:02:11\")", "~note", "## a"],
        );
        check("§|**User:** x|¶|§|y|¶", &["blockNone", "blockNone"]);
        check("@|## a|- x|@||loose||more|## b", &["@## a|- x", "@~loose", "~more", "## b"]);
        check("## a|@", &["## a"]);
        check(
            "§|## Session — 2026-03-15 14:02:11||x||## a|- y",
            &["tornSome(\"2026-03-15 14:02:11\")", "## a|- y"],
        );
        check("§|x|§|y|¶", &["tornNone", "blockNone"]);
        check("a|¶|b", &["~a|<!-- hipocampus:end s 9 -->|b"]);
    }

    #[test]
    fn code_is_not_cut_and_not_left_open() {
        #[track_caller]
        fn check(log: &str, expect: &[&str]) {
            assert_eq!(shown(log), expect, "{log}");
        }
        check("## a|```||## no|```||## b", &["## a|```||## no|```", "## b"]);
        check("~~~|x||y|~~~||z", &["~~~~|x||y|~~~", "~z"]);
        check("## a|```|x|§|y|¶|## b", &["## a|```|x|```", "blockNone", "## b"]);
        let left_open = "## a\n````\nx";
        let parts = parse(left_open.as_bytes());
        let ParsedPart::Text(text) = &parts[0] else { panic!() };
        assert_eq!(&*text.bytes, b"## a\n````\nx\n````");
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let log = b"## caf\xe9\n- \xff\n\n## b\n";
        let parts = parse(log);
        assert_eq!(parts.len(), 2);
        let ParsedPart::Text(text) = &parts[0] else { panic!() };
        assert_eq!(&*text.bytes, b"## caf\xe9\n- \xff");
    }
}
