//! The raw log as its own ledger: where a session's last block ends, how a torn one is completed, what is
//! put between the end of a log and a new block.
//!
//! Works on bytes of a log. Between two calls anybody may have appended anything, and nothing in it is
//! ever changed.

use crate::capture::block::{self, Marker};
use crate::capture::chunk::Chunk;
use crate::markdown::escape;
use crate::markdown::form::TITLE;
use crate::markdown::marker::MARKER;
use crate::text::begins_line;

/// The beginnings of a session's two marker lines.
pub(crate) fn needles(session: &str) -> [String; 2] {
    [format!("{MARKER}session {session} "), format!("{MARKER}end {session} ")]
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockRead {
    /// where its first turn begins in the transcript
    pub from: u64,
    /// where reading stopped
    pub to: u64,
    /// whether its end is there
    pub complete: bool,
    /// from its first marker to its last; to the end of what was given where it is torn
    pub bytes: Vec<u8>,
}

/// Reads a block that begins at the first of these bytes. It is complete if its last line is, with its
/// newline.
pub(crate) fn read_block(bytes: &[u8], session: &str) -> Option<BlockRead> {
    let line_end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let line = std::str::from_utf8(&bytes[..line_end]).ok()?;
    let Marker::Start { session: found, from, to } = block::marker(line)? else { return None };
    if found != session {
        return None;
    }
    let torn = BlockRead { from, to, complete: false, bytes: bytes.to_vec() };
    let end = format!("\n{}", needles(session)[1]);
    let Some(at) = memchr::memmem::find(&bytes[line_end..], end.as_bytes()) else {
        return Some(torn);
    };
    let rest = &bytes[line_end + at + 1..];
    let Some(length) = memchr::memchr(b'\n', rest) else { return Some(torn) };
    match std::str::from_utf8(&rest[..length]).ok().and_then(block::marker) {
        Some(Marker::End { to, .. }) => {
            let bytes = bytes[..=line_end + at + 1 + length].to_vec();
            Some(BlockRead { from, to, complete: true, bytes })
        }
        _ => Some(torn),
    }
}

/// What is left to do for a torn block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Torn {
    /// it ends the log, and this completes it
    Complete(Vec<u8>),
    /// something is after it; a new block begins at this place in the transcript
    From(u64),
}

/// Compares a torn block, up to the end of the log, with the same turns read again. `before` is what
/// is before it in the log, as much as shows whether it follows a block of its session.
pub(crate) fn torn(before: &[u8], bytes: &[u8], session: &str, again: &Chunk) -> Torn {
    let heading = needs_heading(before, session, again);
    let untitled = Chunk { title: None, ..again.clone() };
    for (chunk, with_heading) in
        [(again, heading), (&untitled, heading), (again, !heading), (&untitled, !heading)]
    {
        let whole = chunk.block(session, with_heading).into_bytes();
        if let Some(rest) = whole.strip_prefix(bytes) {
            return Torn::Complete(rest.to_vec());
        }
    }
    // Written by another version, or at a time that the transcript does not have: compare the turns.
    let end = block::end(session, again.to);
    let Some(line_end) = memchr::memchr(b'\n', bytes) else { return Torn::From(again.from) };
    let mut body = &bytes[line_end + 1..];
    if ["## Session", TITLE].iter().any(|begins| body.starts_with(begins.as_bytes())) {
        match memchr::memmem::find(body, b"\n\n") {
            Some(at) => body = &body[at + 2..],
            None if !body.contains(&b'\n') || body.ends_with(b"\n") => {
                let gap = if body.ends_with(b"\n") { "\n" } else { "\n\n" };
                return Torn::Complete([gap, &again.text, &end].concat().into_bytes());
            }
            None => return Torn::From(again.from),
        }
    }
    let mut at = 0;
    for (index, (turn_end, from)) in again.turns.iter().enumerate() {
        let turn = again.turn(index).as_bytes();
        if let Some(rest) = body[at..].strip_prefix(turn) {
            at = body.len() - rest.len();
        } else if let Some(rest) = turn.strip_prefix(&body[at..]) {
            let more = &again.text.as_bytes()[*turn_end..];
            return Torn::Complete([rest, more, end.as_bytes()].concat());
        } else {
            return Torn::From(*from);
        }
    }
    match end.as_bytes().strip_prefix(&body[at..]) {
        Some(rest) => Torn::Complete(rest.to_vec()),
        None => Torn::From(again.to),
    }
}

/// The bytes that add a chunk to a log, of which `tail` is the end (all of it, or at least the last block).
pub(crate) fn append(tail: &[u8], session: &str, chunk: &Chunk) -> Vec<u8> {
    let line_start = memchr::memrchr(b'\n', tail).map_or(0, |at| at + 1);
    let (before, last_line) = tail.split_at(line_start);
    if is_torn_marker(last_line) {
        for with_heading in [needs_heading(before, session, chunk), false, true] {
            let block = chunk.block(session, with_heading).into_bytes();
            if let Some(rest) = block.strip_prefix(last_line) {
                return rest.to_vec();
            }
        }
    }
    let with_heading = needs_heading(tail, session, chunk);
    let mut out = repair_tail(tail);
    let ends_with = |mark: &[u8]| {
        let both: Vec<u8> = tail.iter().rev().take(2).rev().chain(&out).copied().collect();
        both.ends_with(mark)
    };
    if with_heading && !(tail.is_empty() && out.is_empty()) && !ends_with(b"\n\n") {
        out.push(b'\n');
    }
    out.extend_from_slice(chunk.block(session, with_heading).as_bytes());
    out
}

/// What prepares the end of a log for more: ends its last line, closes a comment that a crash cut short
/// and would hide everything after it, closes a code fence that a torn block left open.
pub(crate) fn repair_tail(tail: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let line_start = memchr::memrchr(b'\n', tail).map_or(0, |at| at + 1);
    let last_line = &tail[line_start..];
    if is_torn_marker(last_line) && last_line.starts_with(b"<!-") {
        out.extend_from_slice(b" (cut short) -->");
    }
    if !last_line.is_empty() {
        out.push(b'\n');
    }
    if let Some(torn) = torn_end(tail) {
        let mut text = String::from_utf8_lossy(torn).into_owned();
        let length = text.len();
        escape::close_fence(&mut text);
        let fence = text[length..].trim_start_matches('\n');
        if !fence.is_empty() {
            out.extend_from_slice(fence.as_bytes());
            out.push(b'\n');
        }
    }
    out
}

/// Whether an unfinished line is the beginning of one of our markers.
fn is_torn_marker(line: &[u8]) -> bool {
    let marker = MARKER.as_bytes();
    !line.is_empty()
        && (marker.starts_with(line) || line.starts_with(marker))
        && !line.ends_with(b"-->")
}

/// The last block, from its first marker on, if it has no end.
fn torn_end(tail: &[u8]) -> Option<&[u8]> {
    let mut before = tail.len();
    while let Some(at) = memchr::memmem::rfind(&tail[..before], MARKER.as_bytes()) {
        let line = tail[at..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        if begins_line(&tail[..at]) {
            match std::str::from_utf8(line).ok().and_then(block::marker) {
                Some(Marker::Start { .. }) => return Some(&tail[at..]),
                Some(Marker::End { .. }) => return None,
                None => {}
            }
        }
        before = at;
    }
    None
}

/// Whether the block that [`append`] adds behind `tail` has a heading.
pub(crate) fn heads(tail: &[u8], session: &str, chunk: &Chunk) -> bool {
    let line_start = memchr::memrchr(b'\n', tail).map_or(0, |at| at + 1);
    let (before, last_line) = tail.split_at(line_start);
    needs_heading(if is_torn_marker(last_line) { before } else { tail }, session, chunk)
}

/// A block needs a heading where a session begins, and where it does not follow a block of the same session.
pub(crate) fn needs_heading(before: &[u8], session: &str, chunk: &Chunk) -> bool {
    let before = before.trim_ascii_end();
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let last_line = std::str::from_utf8(&before[line_start..]).ok().and_then(block::marker);
    let follows = matches!(last_line, Some(Marker::End { session: found, .. }) if found == session);
    chunk.begins || !follows
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;

    fn chunk(begins: bool) -> Chunk {
        let turns =
            ["**User:** hi\n", "\n**Assistant:** see\n```\n# x\n```\n", "\n**User:** bye\n"];
        let mut chunk = Chunk {
            time: NaiveDate::from_ymd_opt(2026, 3, 15).unwrap().and_hms_opt(14, 2, 11).unwrap(),
            begins,
            from: 100,
            to: 400,
            ..Chunk::default()
        };
        for (turn, from) in turns.into_iter().zip([100, 200, 300]) {
            chunk.text.push_str(turn);
            chunk.turns.push((chunk.text.len(), from));
        }
        chunk
    }

    #[test]
    fn a_block_is_set_off_from_what_stands_before_it() {
        fn check(tail: &str, begins: bool, expect: &str) {
            let added = append(tail.as_bytes(), "s", &chunk(begins));
            let added = String::from_utf8(added).unwrap();
            let block = chunk(begins).block("s", true);
            let bare = chunk(begins).block("s", false);
            assert_eq!(added.replace(&block, "BLOCK").replace(&bare, "BARE"), expect, "{tail:?}");
        }
        check("", true, "BLOCK");
        check("# day\n", true, "\nBLOCK");
        check("# day\n\n", true, "BLOCK");
        check("- no newline", true, "\n\nBLOCK");
        check("x\n<!-- hipocampus:end s 100 -->\n", false, "BARE");
        check("x\n<!-- hipocampus:end s 100 -->", false, "\nBARE");
        check("x\n<!-- hipocampus:end s 100 -->\n", true, "\nBLOCK");
        check("x\n<!-- hipocampus:end t 100 -->\n", false, "\nBLOCK");
        check("<!-- hipocampus:end s 100 -->\n\n## Entry\n- x\n", false, "\nBLOCK");
        check("<!-- hipocampus:session t 0-9", true, " (cut short) -->\n\nBLOCK");
        check("<!-- hipocampus:session t 0-9 -->\n```\nx", true, "\n```\n\nBLOCK");
        check(
            "a\n<!-- hipocampus:session s 100-4",
            true,
            "00 -->\n## Session — 2026-03-15 14:02:11\n\nTURNS<!-- hipocampus:end s 400 -->\n"
                .replace("TURNS", &chunk(true).text)
                .as_str(),
        );
    }

    #[test]
    fn every_beginning_of_a_block_is_completed() {
        for with_heading in [true, false] {
            let again = chunk(with_heading);
            let whole = again.block("s", with_heading).into_bytes();
            let end = "<!-- hipocampus:end s 100 -->\n";
            let before = if with_heading { "# d\n\n" } else { end }.as_bytes();
            // Without its newline, the first line is whole already.
            let marker = block::start("s", 100, 400).len() - 1;
            for cut in marker..whole.len() {
                let expect = Torn::Complete(whole[cut..].to_vec());
                assert_eq!(torn(before, &whole[..cut], "s", &again), expect, "cut at {cut}");
            }
            // Cut inside the marker itself, the block is unknown; appending completes it.
            for cut in 1..marker {
                let tail = [before, &whole[..cut]].concat();
                let all = [tail.as_slice(), &append(&tail, "s", &again)].concat();
                assert_eq!(all, [before, &whole].concat(), "cut at {cut}");
            }
        }
    }

    #[test]
    fn another_heading_time_does_not_matter() {
        let again = chunk(true);
        let whole = again.block("s", true).replace("14:02:11", "09:00:00");
        for cut in block::start("s", 100, 400).len() + 1..whole.len() {
            let Torn::Complete(rest) = torn(b"", &whole.as_bytes()[..cut], "s", &again) else {
                panic!("cut at {cut}")
            };
            let all = [&whole.as_bytes()[..cut], &rest].concat();
            assert!(all.ends_with(b"bye\n<!-- hipocampus:end s 400 -->\n"), "cut at {cut}");
            assert_eq!(String::from_utf8(all).unwrap().matches("**User:** hi").count(), 1);
        }
    }

    #[test]
    fn a_torn_block_inside_a_log_is_taken_up_at_its_first_incomplete_turn() {
        fn check(kept: &str, from: u64) {
            let again = chunk(true);
            let whole = again.block("s", true);
            let cut = whole.find(kept).unwrap() + kept.len();
            let log = format!("{}\n## Entry\n- x\n", &whole[..cut]);
            assert_eq!(torn(b"", log.as_bytes(), "s", &again), Torn::From(from), "{kept}");
        }
        check("**User:** h", 100);
        check("**User:** hi\n", 200);
        check("**Assistant:** see\n```\n", 200);
        check("# x\n```\n\n", 300);
        check("**User:** bye\n", 400);
    }

    #[test]
    fn blocks_are_read_back() {
        let whole = chunk(true).block("s", true);
        let log = format!("{whole}\n## Entry\n");
        let last = read_block(log.as_bytes(), "s").unwrap();
        assert_eq!((last.from, last.to, last.complete), (100, 400, true));
        assert_eq!(last.bytes, whole.as_bytes());
        assert!(!read_block(whole.trim_end().as_bytes(), "s").unwrap().complete);
        assert_eq!(read_block(log.as_bytes(), "t"), None);
        assert!(!read_block(&whole.as_bytes()[..80], "s").unwrap().complete);
    }
}
