//! A log cut into what goes or stays as a whole: entries, turns of sessions, blocks of sessions.
//!
//! Nothing else of a log changes: what stays keeps its bytes. The two lines around a block stay where single turns go,
//! since they say how far a session was read.

#[cfg(test)]
mod tests;
mod units;

use std::ops::Range;

use chrono::NaiveDate;

use super::literal_words::LiteralWords;
use crate::capture::block::known_by;
use crate::capture::transcript::Role;
use crate::markdown::form::{Form, form, read_title};
use crate::markdown::heading;
use crate::markdown::marker::marker;
use crate::memory::forgotten::{Forgotten, ForgottenId, plain};
use crate::text::lossy;
pub(super) use units::ranges;
use units::{BlockRange, Unit, UnitKind, units};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Selection<'a> {
    All,
    Sessions(&'a [String]),
    /// every entry and turn that says this
    Words(&'a LiteralWords),
    /// what was forgotten before and came back
    Buried(&'a Forgotten),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gone {
    pub(crate) kind: GoneKind,
    /// its words, without label and markers
    pub(crate) text: String,
}

/// What it is that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GoneKind {
    /// an entry with its heading, or what is above the first one
    Entry,
    /// a turn that somebody wrote down
    Turn,
    /// a turn of an imported session
    Said { session: String, role: Role },
    /// the title of a session, or its heading
    Title { session: String },
    /// a whole block: its part of the transcript
    Block {
        session: String,
        /// where it was read
        range: Range<u64>,
    },
}

impl Gone {
    /// Whether it is known by its words rather than by its part of a transcript.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, GoneKind::Entry | GoneKind::Turn)
    }

    /// Adds what keeps it from coming back by a merge: of a block its part of the transcript, of what somebody wrote
    /// down its words, and so of a title. A turn of a session is known by its part of the transcript.
    pub(crate) fn bury(&self, day: NaiveDate, forgotten: &mut Forgotten) {
        match &self.kind {
            GoneKind::Block { session, range } => forgotten.add_range(session, range.clone()),
            // The title of a log is in each new one.
            GoneKind::Entry if self.text == format!("# {day}") => {}
            GoneKind::Entry | GoneKind::Turn => forgotten.add(ForgottenId::entry(day, &self.text)),
            // The client goes on calling it so.
            GoneKind::Title { session } => forgotten.add(ForgottenId::title(session, &self.text)),
            GoneKind::Said { .. } => {}
        }
    }
}

/// What is left of a log, and what went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogCut {
    pub(crate) bytes: Vec<u8>,
    pub(crate) gone: Vec<Gone>,
}

/// Cuts a log of a day. `None` where nothing goes.
pub(crate) fn cut(log: &[u8], day: NaiveDate, goes: Selection<'_>) -> Option<LogCut> {
    if let Selection::Words(words) = goes
        && !words.may_stand_in(log)
    {
        return None;
    }
    let (units, blocks) = units(log);
    let text = |unit: &Unit| lossy(&log[unit.range.clone()]).into_owned();
    let goes = which(&units, &blocks, day, goes, &text);
    if !goes.contains(&true) {
        return None;
    }
    let mut cut = LogCut { bytes: Vec::with_capacity(log.len()), gone: Vec::new() };
    // Of a block that goes as a whole, its part of the transcript is noted once.
    let mut told = None;
    let mut gap = false;
    let whole = numbers(&units, &goes, |kind| match kind {
        UnitKind::Start(at) => Some(*at),
        _ => None,
    });
    for (unit, goes) in units.iter().zip(&goes) {
        let bytes = &log[unit.range.clone()];
        if !goes {
            put(&mut cut.bytes, unit, bytes, gap);
            gap = false;
            continue;
        }
        gap = true;
        match unit.kind {
            // Of the heading the time stays: it is nobody's words, and the remaining turns need it.
            UnitKind::Heading(at) if !whole.contains(&at) => {
                cut.bytes.extend_from_slice(&untitled(bytes));
                gap = false;
            }
            UnitKind::Start(at) | UnitKind::End(at) if told.replace(at) == Some(at) => continue,
            _ => {}
        }
        cut.gone.extend(gone(unit, &blocks, words_of(unit, &text(unit))));
    }
    Some(cut)
}

/// What goes with a unit that says these words.
fn gone(unit: &Unit, blocks: &[BlockRange], words: String) -> Option<Gone> {
    let session = |at: usize| blocks[at].session.clone();
    let kind = match unit.kind {
        UnitKind::At => return None,
        UnitKind::Heading(_) | UnitKind::Entry(_) | UnitKind::Rest(_) if words.is_empty() => {
            return None;
        }
        UnitKind::Heading(at) | UnitKind::Title(at) => GoneKind::Title { session: session(at) },
        UnitKind::Start(at) | UnitKind::End(at) => {
            GoneKind::Block { session: session(at), range: blocks[at].range.clone() }
        }
        UnitKind::Said(at, role) => GoneKind::Said { session: session(at), role },
        UnitKind::Entry(_) => GoneKind::Entry,
        UnitKind::Turn(_) | UnitKind::Rest(_) => GoneKind::Turn,
    };
    Some(Gone { kind, text: words })
}

pub(crate) fn sessions(log: &[u8]) -> Vec<String> {
    let text = lossy(log);
    let markers = crate::text::lines(&text).filter_map(marker);
    markers.map(|marker| marker.session().to_owned()).collect()
}

/// What was forgotten but is in the log of a day again, as after a merge: the log without it, and the beginnings
/// of what goes. `None` where the tombstones hold.
pub(crate) fn came_back(
    log: &[u8],
    day: NaiveDate,
    forgotten: &Forgotten,
) -> Option<(Vec<u8>, Vec<String>)> {
    let cut = cut(log, day, Selection::Buried(forgotten))?;
    let beginning = |gone: &Gone| match &gone.kind {
        GoneKind::Block { session, range } => {
            format!("session {session} {}-{}", range.start, range.end)
        }
        _ => gone.text.lines().next().unwrap_or_default().to_owned(),
    };
    Some((cut.bytes, cut.gone.iter().map(beginning).collect()))
}

/// Adds what stays. Where something went in front of it, no more than one blank line is left.
fn put(out: &mut Vec<u8>, unit: &Unit, bytes: &[u8], gap: bool) {
    let mut bytes = bytes;
    if gap && (out.is_empty() || out.ends_with(b"\n\n") || matches!(unit.kind, UnitKind::End(_))) {
        while let Some(rest) = bytes.strip_prefix(b"\n").or_else(|| bytes.strip_prefix(b"\r\n")) {
            bytes = rest;
        }
    }
    if gap && matches!(unit.kind, UnitKind::End(_)) {
        while out.ends_with(b"\n\n") {
            out.pop();
        }
    }
    out.extend_from_slice(bytes);
}

/// The numbers of those parts that go and that `of` numbers.
fn numbers(units: &[Unit], goes: &[bool], of: fn(&UnitKind) -> Option<usize>) -> Vec<usize> {
    let gone = units.iter().zip(goes).filter(|(_, goes)| **goes);
    gone.filter_map(|(unit, _)| of(&unit.kind)).collect()
}

fn which(
    units: &[Unit],
    blocks: &[BlockRange],
    day: NaiveDate,
    goes: Selection<'_>,
    text: &dyn Fn(&Unit) -> String,
) -> Vec<bool> {
    let alone = |unit: &Unit| goes_alone(unit, blocks, day, goes, text);
    let mut found: Vec<bool> = units.iter().map(alone).collect();
    // An entry whose heading or first lines go takes the turns below them along.
    let whole = numbers(units, &found, |kind| match kind {
        UnitKind::Entry(at) if *at > 0 => Some(*at),
        _ => None,
    });
    for (unit, goes) in units.iter().zip(&mut found) {
        *goes |= matches!(unit.kind, UnitKind::Turn(at) if whole.contains(&at));
    }
    // The time of something goes with it.
    for at in (0..units.len()).rev().filter(|at| units[*at].kind == UnitKind::At) {
        found[at] |= found.get(at + 1).copied().unwrap_or(false);
    }
    if matches!(goes, Selection::Words(_)) {
        titles_of(units, &mut found, text);
    }
    found
}

/// Whether a unit goes, whatever becomes of those around it.
fn goes_alone(
    unit: &Unit,
    blocks: &[BlockRange],
    day: NaiveDate,
    goes: Selection<'_>,
    text: &dyn Fn(&Unit) -> String,
) -> bool {
    let block = unit.kind.block().map(|at| &blocks[at]);
    let words = || words_of(unit, &text(unit));
    match goes {
        Selection::All => true,
        _ if unit.kind == UnitKind::At => false,
        Selection::Sessions(names) => match block {
            Some(block) => names.contains(&block.session),
            None => is_session_of(&text(unit), &unit.kind, names),
        },
        Selection::Words(wanted) => {
            !matches!(unit.kind, UnitKind::Start(_) | UnitKind::End(_)) && wanted.stand_in(&words())
        }
        Selection::Buried(forgotten) => match (&unit.kind, block) {
            (UnitKind::Said(_, role), Some(block)) => {
                let words = words();
                let covers = |words: &str| {
                    let id = ForgottenId::turn(&block.session, role.seed(), words);
                    forgotten.covers_text(id)
                };
                // Older tombstones know a turn by its last lines, too.
                forgotten.covers(&block.session, &block.range)
                    || covers(&words)
                    || covers(&known_by(&words))
            }
            (_, Some(block)) => block.complete && forgotten.covers(&block.session, &block.range),
            (_, None) => {
                let words = words();
                !words.is_empty() && forgotten.covers_text(ForgottenId::entry(day, &words))
            }
        },
    }
}

/// A title that was made from a turn that goes, goes with it.
fn titles_of(units: &[Unit], found: &mut [bool], text: &dyn Fn(&Unit) -> String) {
    let said: Vec<String> = units
        .iter()
        .zip(&*found)
        .filter(|(unit, goes)| **goes && matches!(unit.kind, UnitKind::Said(..)))
        .map(|(unit, _)| plain(&words_of(unit, &text(unit))).to_lowercase())
        .collect();
    for (unit, goes) in units.iter().zip(found) {
        if !matches!(unit.kind, UnitKind::Heading(_) | UnitKind::Title(_)) || *goes {
            continue;
        }
        let title = plain(&words_of(unit, &text(unit))).to_lowercase();
        let title = title.trim_end_matches('…').trim();
        *goes = !title.is_empty() && said.iter().any(|words| words.contains(title));
    }
}

/// An entry that names a session in its heading, as the npm tool wrote them.
fn is_session_of(text: &str, kind: &UnitKind, names: &[String]) -> bool {
    let UnitKind::Entry(_) = kind else { return false };
    let heading = text.lines().next().and_then(heading::entry);
    heading.is_some_and(|title| {
        title.starts_with("Session") && names.iter().any(|name| title.contains(name.as_str()))
    })
}

/// What a unit says, without label, heading marks and markers.
fn words_of(unit: &Unit, text: &str) -> String {
    match unit.kind {
        UnitKind::Start(_) | UnitKind::End(_) | UnitKind::At => String::new(),
        UnitKind::Heading(_) => {
            let title =
                text.lines().next().and_then(heading::session_heading).and_then(|it| it.title);
            title.map(|title| read_title(title).into_owned()).unwrap_or_default()
        }
        UnitKind::Title(_) => match text.lines().next().and_then(form) {
            Some(Form::Title(title)) => read_title(title).into_owned(),
            _ => String::new(),
        },
        UnitKind::Said(..) => {
            let (label, words) = text.split_once(":**").unwrap_or(("", text));
            let is_label = label.trim_start().strip_prefix("**");
            let is_label = is_label.is_some_and(|name| name.chars().all(char::is_alphabetic));
            (if is_label { words } else { text }).trim().to_owned()
        }
        UnitKind::Entry(_) | UnitKind::Turn(_) | UnitKind::Rest(_) => text.trim().to_owned(),
    }
}

/// The heading of a session without its title.
fn untitled(bytes: &[u8]) -> Vec<u8> {
    let text = lossy(bytes);
    let line = text.lines().next().unwrap_or_default();
    let Some(session) = heading::session_heading(line) else { return bytes.to_vec() };
    let end = line.find(session.time).map_or(0, |at| at + session.time.len());
    let eol = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let eol = if bytes[..eol].ends_with(b"\r") { eol - 1 } else { eol };
    [&bytes[..end], &bytes[eol..]].concat()
}
