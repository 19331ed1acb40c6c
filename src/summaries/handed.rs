//! What a model gets to read of a day: its log, or the extract of a long one, which says where in the log it leaves lines
//! out.

use std::fmt::Write as _;
use std::ops::Range;

use crate::config::SummarySource;
use crate::meaning::extract;
use crate::memory::period::Period;
use crate::text::{counted, grouped};

/// The most tokens of a log that is handed out whole where nothing else is configured.
pub(super) const LONG: u32 = 12_000;
/// The most pieces of a log that are named in one place.
const PIECES: usize = 4;
/// So many lines between two pieces are no reason to name both.
const GAP: usize = 3;

/// Whether the extract of a log of so many tokens is handed out in its place.
pub(crate) fn is_extract(source: SummarySource, tokens: u32) -> bool {
    match source {
        SummarySource::Auto => tokens > LONG,
        SummarySource::Log => false,
        SummarySource::Extract => true,
    }
}

/// How many lines a text has.
pub(crate) fn lines_of(text: &[u8]) -> usize {
    let open = !text.is_empty() && !text.ends_with(b"\n");
    memchr::memchr_iter(b'\n', text).count() + usize::from(open)
}

/// The extract of a day's log. `files` are the logs it is put together from, below the project root, and their lines.
/// Where redaction took lines away nobody knows where the others stand, and they are only counted.
pub(crate) fn extract_of(period: Period, log: &str, files: &[(String, usize)]) -> String {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', log.as_bytes()).collect();
    let is_known = files.iter().map(|(_, lines)| lines).sum::<usize>() == lines_of(log.as_bytes());
    let line = |at: usize| ends.partition_point(|end| *end < at);
    let place = |pieces: &[Range<usize>]| {
        let mut pieces: Vec<(usize, usize)> =
            pieces.iter().map(|piece| (line(piece.start), line(piece.end))).collect();
        pieces.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (first, last) in pieces {
            match merged.last_mut() {
                Some(before) if first <= before.1 + GAP => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        let all: usize = merged.iter().map(|(first, last)| last - first + 1).sum();
        if is_known { named(&merged, files, all) } else { counted(all, "line") + " of the log" }
    };
    extract::with_places(period, log, &place)
}

/// `memory/2026-03-10.md:120-180, 200-240`
fn named(pieces: &[(usize, usize)], files: &[(String, usize)], lines: usize) -> String {
    let mut text = String::new();
    let mut before = "";
    for (first, last) in pieces.iter().take(PIECES) {
        let mut begin = 0;
        let file = files.iter().find(|(_, lines)| {
            let is_here = *first < begin + lines;
            begin += if is_here { 0 } else { *lines };
            is_here
        });
        let Some((name, _)) = file else { continue };
        text.push_str(if text.is_empty() { "" } else { ", " });
        if name != before {
            let _ = write!(text, "{name}:");
        }
        before = name;
        let _ = write!(text, "{}-{}", first - begin + 1, last - begin + 1);
    }
    if pieces.len() > PIECES {
        let lines = grouped(lines as u64);
        let _ = write!(text, " and {} more pieces, {lines} lines in all", pieces.len() - PIECES);
    }
    text
}
