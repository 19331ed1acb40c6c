//! A log cut into its parts: entries, turns that somebody wrote down, and of blocks the two lines around them,
//! headings, titles and turns.

use std::ops::Range;

use crate::capture::block;
use crate::capture::transcript::Role;
use crate::markdown::block::Blocks;
use crate::markdown::fence;
use crate::markdown::form::{Form, form};
use crate::markdown::heading;
use crate::markdown::marker::{self, Marker, marker};
use crate::meaning::session::Speakers;
use crate::memory::entry;
use crate::text::lossy;

pub(super) struct Unit {
    pub(super) kind: UnitKind,
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnitKind {
    /// a paragraph under no heading (`0`), or an entry up to its first turn
    Entry(usize),
    /// the line that says when what is below it was noted down
    At,
    /// a turn in the entry of this number
    Turn(usize),
    /// a line around the block of this number
    Start(usize),
    End(usize),
    /// the heading of a session, and the blank line below it
    Heading(usize),
    /// a title that was learnt later, and the blank line below it
    Title(usize),
    /// lines of a block before its first turn
    Rest(usize),
    Said(usize, Role),
}

impl UnitKind {
    /// The block that it is in.
    pub(super) fn block(&self) -> Option<usize> {
        match *self {
            Self::Start(at)
            | Self::End(at)
            | Self::Heading(at)
            | Self::Title(at)
            | Self::Rest(at)
            | Self::Said(at, _) => Some(at),
            Self::Entry(_) | Self::Turn(_) | Self::At => None,
        }
    }
}

pub(super) struct BlockRange {
    pub(super) session: String,
    pub(super) range: Range<u64>,
    /// whether its end is there
    pub(super) complete: bool,
}

/// Cuts a log into its parts. Together they are all of it, in order.
pub(super) fn units(log: &[u8]) -> (Vec<Unit>, Vec<BlockRange>) {
    let text = lossy(log);
    let mut cutter = Cutter::default();
    for (line, range) in fence::lines(&text).zip(ranges(log, 0..log.len())) {
        cutter.line(line.text, range, line.code);
    }
    let units = cutter.units.into_iter().flat_map(|unit| match unit.kind {
        UnitKind::Entry(at) => turns(log, unit.range, at),
        _ => vec![unit],
    });
    let units = units.flat_map(|unit| match unit.kind {
        UnitKind::Entry(0) => paragraphs(log, unit.range),
        _ => vec![unit],
    });
    (units.collect(), cutter.blocks)
}

/// Where each line of a part of a text stands, its end included.
pub(in crate::retract) fn ranges(
    text: &[u8],
    part: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut end = part.start;
    text[part].split_inclusive(|byte| *byte == b'\n').map(move |line| {
        end += line.len();
        end - line.len()..end
    })
}

/// What is under no heading, cut where a merge cuts it: at blank lines that are no code. Those belong to what is
/// above them.
fn paragraphs(log: &[u8], range: Range<usize>) -> Vec<Unit> {
    let text = lossy(&log[range.clone()]);
    let mut units: Vec<Unit> = Vec::new();
    let mut is_set_off = true;
    for (line, range) in fence::lines(&text).zip(ranges(log, range)) {
        let is_blank = line.text.trim_ascii().is_empty() && !line.code;
        match units.last_mut() {
            Some(unit) if is_blank || !is_set_off => unit.range.end = range.end,
            _ => units.push(Unit { kind: UnitKind::Entry(0), range }),
        }
        is_set_off = is_blank;
    }
    units
}

/// An entry outside of blocks, cut where somebody begins to speak.
fn turns(log: &[u8], range: Range<usize>, at: usize) -> Vec<Unit> {
    let text = lossy(&log[range.clone()]);
    let lines: Vec<_> = fence::lines(&text).collect();
    let speakers = Speakers::of(&lines, Blocks::before([]));
    let mut units = vec![Unit { kind: UnitKind::Entry(at), range: range.start..range.start }];
    for (line, range) in lines.iter().zip(ranges(log, range)) {
        let begins = !line.code && speakers.begin(line.text).is_some();
        match units.last_mut() {
            Some(unit) if !begins => unit.range.end = range.end,
            _ => units.push(Unit { kind: UnitKind::Turn(at), range }),
        }
    }
    units.retain(|unit| !unit.range.is_empty());
    units
}

/// Follows the lines of a log.
#[derive(Default)]
struct Cutter {
    units: Vec<Unit>,
    blocks: Vec<BlockRange>,
    /// the block that a line is in
    inside: Option<usize>,
    entries: usize,
    fence: fence::OpenFence,
}

impl Cutter {
    fn line(&mut self, line: &str, range: Range<usize>, code: bool) {
        match (marker(line), self.inside) {
            (Some(Marker::Start { session, from, to }), _) => {
                let at = self.blocks.len();
                let (session, range_of) = (session.to_owned(), from..to);
                self.blocks.push(BlockRange { session, range: range_of, complete: false });
                self.inside = Some(at);
                self.fence = fence::OpenFence::default();
                self.begin(UnitKind::Start(at), range);
            }
            (Some(Marker::End { session, .. }), Some(at)) if self.blocks[at].session == session => {
                self.inside = None;
                self.blocks[at].complete = true;
                self.begin(UnitKind::End(at), range);
            }
            (_, Some(at)) => self.in_block(at, line, range, code),
            (_, None) => self.outside(line, range, code),
        }
    }

    fn in_block(&mut self, at: usize, line: &str, range: Range<usize>, code: bool) {
        let read = block::line(line);
        if let block::BlockLine::Turn(role, words) = read {
            self.fence = fence::OpenFence::default();
            self.fence.line(words);
            return self.begin(UnitKind::Said(at, role), range);
        }
        let in_code = self.fence.is_open() && matches!(read, block::BlockLine::Words(_));
        if heading::session_heading(line).is_some() && !in_code {
            return self.begin(UnitKind::Heading(at), range);
        }
        if (heading::entry(line).is_some() || marker::at(line).is_some()) && !in_code {
            // A torn block, and somebody's entry after it.
            self.inside = None;
            return self.outside(line, range, code);
        }
        if matches!(form(line), Some(Form::Title(_))) {
            return self.begin(UnitKind::Title(at), range);
        }
        self.fence.line(line);
        let is_blank = line.trim().is_empty();
        match self.units.last().map(|unit| &unit.kind) {
            Some(UnitKind::Start(_) | UnitKind::Heading(_) | UnitKind::Title(_)) if !is_blank => {
                // A turn that an earlier block began goes on here.
                let role = self.role_before(at);
                self.begin(role.map_or(UnitKind::Rest(at), |role| UnitKind::Said(at, role)), range);
            }
            Some(UnitKind::Start(_)) => self.begin(UnitKind::Rest(at), range),
            _ => self.extend(range),
        }
    }

    /// Who spoke last in an earlier block of the same session.
    fn role_before(&self, at: usize) -> Option<Role> {
        let session = &self.blocks[at].session;
        self.units.iter().rev().find_map(|unit| match unit.kind {
            UnitKind::Said(block, role) if self.blocks[block].session == *session => Some(role),
            _ => None,
        })
    }

    fn outside(&mut self, line: &str, range: Range<usize>, code: bool) {
        if marker::at(line).is_some() && !code {
            return self.begin(UnitKind::At, range);
        }
        if entry::heading(line).is_some() && !code {
            self.entries += 1;
            return self.begin(UnitKind::Entry(self.entries), range);
        }
        match self.units.last().map(|unit| &unit.kind) {
            Some(UnitKind::Entry(_)) => self.extend(range),
            // What follows a block belongs to no entry.
            _ => self.begin(UnitKind::Entry(0), range),
        }
    }

    fn begin(&mut self, kind: UnitKind, range: Range<usize>) {
        self.units.push(Unit { kind, range });
    }

    fn extend(&mut self, range: Range<usize>) {
        if let Some(unit) = self.units.last_mut() {
            unit.range.end = range.end;
        }
    }
}
