//! Words that a client writes down twice. Codex has what is said as an event, which is read, and as an item of its
//! history; where the event is missing, as of what a person said while it worked, the item is all there is.

use std::collections::VecDeque;
use std::io;

use super::records::Records;
use crate::capture::transcript::{self, Role, TurnPart};
use crate::disk::{FileLine, Transcript, find};

/// How far apart the two may be, in records that say something.
const NEAR: usize = 4;
/// How much of a transcript is read back at first to find what was said last.
const WINDOW: u64 = 64 * 1024;

/// What is done with an item of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HistoryItem {
    /// it is next to its event, or is no part of the session
    Again,
    /// it has no event
    Words,
    /// its event may still be written
    Open,
}

/// What was said last.
#[derive(Default)]
pub(super) struct Lately(VecDeque<(Role, String)>);

impl Lately {
    pub(super) fn add(&mut self, piece: &TurnPart) {
        if piece.text.is_empty() || piece.role.is_title() {
            return;
        }
        if self.0.len() == NEAR {
            self.0.pop_front();
        }
        self.0.push_back((piece.role, one_line(&piece.text)));
    }

    /// Reads what was said before a place, unless that is known.
    fn fill(&mut self, file: &Transcript, at: u64) -> io::Result<()> {
        let mut window = WINDOW;
        while self.0.is_empty() && at > 0 {
            let mut start = at.saturating_sub(window);
            if start > 0 {
                // The window begins somewhere in a line: that line is left out.
                start = find(&file.file, b"\n", start..at)?.map_or(at, |end| end + 1);
            }
            let mut lines = Records::of(&file.file, start..at)?;
            while let Some((_, line)) = lines.next()? {
                if let Some(piece) = said(&line).filter(|piece| !piece.is_item) {
                    self.add(&piece);
                }
            }
            if window > at {
                break;
            }
            window *= 8;
        }
        Ok(())
    }

    /// What an item of a history is whose record is in these places of a transcript.
    pub(super) fn of_file(
        &mut self,
        item: &TurnPart,
        file: &Transcript,
        span: &std::ops::Range<u64>,
    ) -> io::Result<HistoryItem> {
        self.fill(file, span.start)?;
        if self.have(item) {
            return Ok(HistoryItem::Again);
        }
        let mut lines = Records::of(&file.file, span.end..file.size)?;
        let mut next = || -> io::Result<Option<TurnPart>> {
            while let Some((_, line)) = lines.next()? {
                if let Some(piece) = said(&line) {
                    return Ok(Some(piece));
                }
            }
            Ok(None)
        };
        match behind(item, &mut next)? {
            // The event of a reply comes first; where replies have none, nothing is waited for.
            HistoryItem::Open if item.role == Role::Assistant && !self.has_reply() => {
                Ok(HistoryItem::Words)
            }
            found => Ok(found),
        }
    }

    fn has_reply(&self) -> bool {
        self.0.iter().any(|(role, _)| *role == Role::Assistant)
    }

    /// The same in a list of records, of which `rest` are after it. There, nothing is added any more.
    pub(super) fn of_list<'r>(
        &self,
        item: &TurnPart,
        rest: impl Iterator<Item = &'r [u8]>,
    ) -> HistoryItem {
        if self.have(item) {
            return HistoryItem::Again;
        }
        let mut pieces = rest.filter_map(transcript::piece);
        match behind(item, &mut || Ok(pieces.next())) {
            Ok(HistoryItem::Again) => HistoryItem::Again,
            _ => HistoryItem::Words,
        }
    }

    fn have(&self, item: &TurnPart) -> bool {
        let words = one_line(&item.text);
        self.0.iter().any(|(role, said)| *role == item.role && same(said, &words))
    }
}

/// What an item is by what follows it.
fn behind(
    item: &TurnPart,
    next: &mut dyn FnMut() -> io::Result<Option<TurnPart>>,
) -> io::Result<HistoryItem> {
    let words = one_line(&item.text);
    let mut seen = 0;
    while seen < NEAR {
        let Some(piece) = next()? else {
            return Ok(if seen == 0 { HistoryItem::Open } else { HistoryItem::Words });
        };
        if piece.is_item || piece.role.is_title() {
            continue;
        }
        seen += 1;
        // A history that is shortened has the text of its summary as a reply.
        let summarizes = seen == 1 && item.role == Role::Assistant && piece.role == Role::Summary;
        if summarizes || piece.role == item.role && same(&one_line(&piece.text), &words) {
            return Ok(HistoryItem::Again);
        }
    }
    Ok(HistoryItem::Words)
}

fn said(line: &FileLine<'_>) -> Option<TurnPart> {
    match line {
        FileLine::Whole(line) | FileLine::Unended(line) => transcript::said(line).ok().flatten(),
        FileLine::TooLong(_) => None,
    }
}

/// Whether two records say the same: one of them may have more, as a note about an image.
fn same(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && (one.contains(other) || other.contains(one))
}

fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
