//! A log cut into what goes or stays as a whole: entries, turns of conversations, blocks of sessions.
//!
//! Nothing else of a log changes: what stays keeps its bytes. The two lines around a block stay where single turns go, since
//! they say how far a conversation was read.

#[cfg(test)]
mod tests;
mod units;

use std::ops::Range;

use chrono::NaiveDate;

use super::words::Words;
use crate::capture::transcript::Role;
use crate::markdown::form::{Form, form};
use crate::markdown::heading;
use crate::markdown::marker::{Marker, marker};
use crate::memory::forgotten::{Forgotten, Id, plain};
use crate::text::lossy;
use units::{Block, Of, Unit, units};

/// What goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goes<'a> {
    /// all of it
    All,
    /// what belongs to one of these sessions
    Sessions(&'a [String]),
    /// every entry and turn that says this
    Words(&'a Words),
    /// what was forgotten before and came back
    Buried(&'a Forgotten),
}

/// Something that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gone {
    /// what it is
    pub(crate) kind: Kind,
    /// its words, without label and markers
    pub(crate) text: String,
}

/// What it is that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// an entry with its heading, or what stands above the first one
    Entry,
    /// a turn that somebody wrote down
    Turn,
    /// a turn of an imported session
    Said {
        /// whose
        session: String,
        /// who speaks
        role: Role,
    },
    /// the title of a sitting, or its heading
    Title,
    /// a whole block: its part of the transcript
    Block {
        /// whose
        session: String,
        /// where it was read
        range: Range<u64>,
    },
}

impl Gone {
    /// Adds what keeps it from coming back by a merge: of a block its part of the transcript, of what somebody wrote down its
    /// words. A turn of a session is known by its part of the transcript.
    pub(crate) fn bury(&self, day: NaiveDate, forgotten: &mut Forgotten) {
        match &self.kind {
            Kind::Block { session, range } => forgotten.add_range(session, range.clone()),
            // The title of a log stands in each new one.
            Kind::Entry if self.text == format!("# {day}") => {}
            Kind::Entry | Kind::Turn => forgotten.add(Id::entry(day, &self.text)),
            Kind::Said { .. } | Kind::Title => {}
        }
    }
}

/// What is left of a log, and what went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) bytes: Vec<u8>,
    pub(crate) gone: Vec<Gone>,
}

/// Cuts a log of a day. `None` where nothing goes.
pub(crate) fn cut(log: &[u8], day: NaiveDate, goes: Goes<'_>) -> Option<Cut> {
    if let Goes::Words(words) = goes
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
    let mut cut = Cut { bytes: Vec::with_capacity(log.len()), gone: Vec::new() };
    // Of a block that goes as a whole, its part of the transcript is told once.
    let mut told = None;
    let mut gap = false;
    let whole: Vec<usize> = units
        .iter()
        .zip(&goes)
        .filter_map(|(unit, goes)| match unit.kind {
            Of::Start(at) if *goes => Some(at),
            _ => None,
        })
        .collect();
    for (unit, goes) in units.iter().zip(&goes) {
        let bytes = &log[unit.range.clone()];
        if !goes {
            put(&mut cut.bytes, unit, bytes, gap);
            gap = false;
            continue;
        }
        gap = true;
        let words = words_of(unit, &text(unit));
        match &unit.kind {
            Of::Heading(at) => {
                // When it was said is nobody's words, and the turns that stay need a heading.
                if !whole.contains(at) {
                    cut.bytes.extend_from_slice(&untitled(bytes));
                    gap = false;
                }
                if !words.is_empty() {
                    cut.gone.push(Gone { kind: Kind::Title, text: words });
                }
            }
            Of::Start(at) | Of::End(at) => {
                if told != Some(*at) {
                    told = Some(*at);
                    let Block { session, range, .. } = &blocks[*at];
                    let kind = Kind::Block { session: session.clone(), range: range.clone() };
                    cut.gone.push(Gone { kind, text: String::new() });
                }
            }
            Of::At => {}
            Of::Title(_) => cut.gone.push(Gone { kind: Kind::Title, text: words }),
            Of::Said(at, role) => {
                let kind = Kind::Said { session: blocks[*at].session.clone(), role: *role };
                cut.gone.push(Gone { kind, text: words });
            }
            Of::Entry(_) | Of::Rest(_) if words.is_empty() => {}
            Of::Entry(_) => cut.gone.push(Gone { kind: Kind::Entry, text: words }),
            Of::Turn(_) | Of::Rest(_) => {
                cut.gone.push(Gone { kind: Kind::Turn, text: words });
            }
        }
    }
    Some(cut)
}

/// The sessions that have blocks in a log.
pub(crate) fn sessions(log: &[u8]) -> Vec<String> {
    let text = lossy(log);
    let found = crate::text::lines(&text).filter_map(marker).map(|marker| match marker {
        Marker::Start { session, .. } | Marker::End { session, .. } => session.to_owned(),
    });
    found.collect()
}

/// What was forgotten and stands in the log of a day all the same, as after a merge: the log without it, and the beginnings
/// of what goes. `None` where the tombstones hold.
pub(crate) fn came_back(
    log: &[u8],
    day: NaiveDate,
    forgotten: &Forgotten,
) -> Option<(Vec<u8>, Vec<String>)> {
    let cut = cut(log, day, Goes::Buried(forgotten))?;
    let beginning = |gone: &Gone| match &gone.kind {
        Kind::Block { session, range } => {
            format!("session {session} {}-{}", range.start, range.end)
        }
        _ => gone.text.lines().next().unwrap_or_default().to_owned(),
    };
    Some((cut.bytes, cut.gone.iter().map(beginning).collect()))
}

/// Adds what stays. Where something went in front of it, no more than one blank line is left.
fn put(out: &mut Vec<u8>, unit: &Unit, bytes: &[u8], gap: bool) {
    let mut bytes = bytes;
    if gap && (out.is_empty() || out.ends_with(b"\n\n") || matches!(unit.kind, Of::End(_))) {
        while let Some(rest) = bytes.strip_prefix(b"\n").or_else(|| bytes.strip_prefix(b"\r\n")) {
            bytes = rest;
        }
    }
    if gap && matches!(unit.kind, Of::End(_)) {
        while out.ends_with(b"\n\n") {
            out.pop();
        }
    }
    out.extend_from_slice(bytes);
}

/// Which of the units go.
fn which(
    units: &[Unit],
    blocks: &[Block],
    day: NaiveDate,
    goes: Goes<'_>,
    text: &dyn Fn(&Unit) -> String,
) -> Vec<bool> {
    let block_of = |unit: &Unit| match unit.kind {
        Of::Start(at)
        | Of::End(at)
        | Of::Heading(at)
        | Of::Title(at)
        | Of::Rest(at)
        | Of::Said(at, _) => Some(at),
        Of::Entry(_) | Of::Turn(_) | Of::At => None,
    };
    let mut found: Vec<bool> = units
        .iter()
        .map(|unit| {
            let session = block_of(unit).map(|at| &blocks[at]);
            match goes {
                Goes::All => true,
                _ if unit.kind == Of::At => false,
                Goes::Sessions(names) => match session {
                    Some(block) => names.contains(&block.session),
                    None => is_session_of(&text(unit), &unit.kind, names),
                },
                Goes::Words(words) => match unit.kind {
                    Of::Start(_) | Of::End(_) => false,
                    _ => words.stand_in(&words_of(unit, &text(unit))),
                },
                Goes::Buried(forgotten) => match (&unit.kind, session) {
                    (Of::Said(_, role), Some(block)) => {
                        let words = words_of(unit, &text(unit));
                        forgotten.covers(&block.session, &block.range)
                            || forgotten.covers_text(Id::turn(&block.session, role.seed(), &words))
                    }
                    (_, Some(block)) => {
                        block.complete && forgotten.covers(&block.session, &block.range)
                    }
                    (_, None) => {
                        let words = words_of(unit, &text(unit));
                        !words.is_empty() && forgotten.covers_text(Id::entry(day, &words))
                    }
                },
            }
        })
        .collect();
    // An entry whose heading or first lines go takes the turns below them along.
    let whole: Vec<usize> = units
        .iter()
        .zip(&found)
        .filter_map(|(unit, goes)| match unit.kind {
            Of::Entry(at) if *goes && at > 0 => Some(at),
            _ => None,
        })
        .collect();
    for (unit, goes) in units.iter().zip(&mut found) {
        *goes |= matches!(unit.kind, Of::Turn(at) if whole.contains(&at));
    }
    // The time of something goes with it.
    for at in (0..units.len()).rev().filter(|at| units[*at].kind == Of::At) {
        found[at] |= found.get(at + 1).copied().unwrap_or(false);
    }
    if matches!(goes, Goes::Words(_)) {
        titles_of(units, &mut found, text);
    }
    found
}

/// A title that was made from a turn that goes, goes with it.
fn titles_of(units: &[Unit], found: &mut [bool], text: &dyn Fn(&Unit) -> String) {
    let said: Vec<String> = units
        .iter()
        .zip(&*found)
        .filter(|(unit, goes)| **goes && matches!(unit.kind, Of::Said(..)))
        .map(|(unit, _)| plain(&words_of(unit, &text(unit))).to_lowercase())
        .collect();
    for (unit, goes) in units.iter().zip(found) {
        if !matches!(unit.kind, Of::Heading(_) | Of::Title(_)) || *goes {
            continue;
        }
        let title = plain(&words_of(unit, &text(unit))).to_lowercase();
        let title = title.trim_end_matches('…').trim();
        *goes = !title.is_empty() && said.iter().any(|words| words.contains(title));
    }
}

/// An entry that names a session in its heading, as the npm tool wrote them.
fn is_session_of(text: &str, kind: &Of, names: &[String]) -> bool {
    let Of::Entry(_) = kind else { return false };
    let heading = text.lines().next().and_then(heading::entry);
    heading.is_some_and(|title| {
        title.starts_with("Session") && names.iter().any(|name| title.contains(name.as_str()))
    })
}

/// What a unit says, without label, heading marks and markers.
fn words_of(unit: &Unit, text: &str) -> String {
    match unit.kind {
        Of::Start(_) | Of::End(_) | Of::At => String::new(),
        Of::Heading(_) => {
            let title = text.lines().next().and_then(heading::sitting).and_then(|it| it.title);
            title.map(unbracketed).unwrap_or_default()
        }
        Of::Title(_) => match text.lines().next().and_then(form) {
            Some(Form::Title(title)) => unbracketed(title),
            _ => String::new(),
        },
        Of::Said(..) => {
            let (label, words) = text.split_once(":**").unwrap_or(("", text));
            let is_label = label.trim_start().strip_prefix("**");
            let is_label = is_label.is_some_and(|name| name.chars().all(char::is_alphabetic));
            (if is_label { words } else { text }).trim().to_owned()
        }
        Of::Entry(_) | Of::Turn(_) | Of::Rest(_) => text.trim().to_owned(),
    }
}

fn unbracketed(title: &str) -> String {
    crate::markdown::form::read_title(title).into_owned()
}

/// The heading of a sitting without its title.
fn untitled(bytes: &[u8]) -> Vec<u8> {
    let text = lossy(bytes);
    let line = text.lines().next().unwrap_or_default();
    let Some(sitting) = heading::sitting(line) else { return bytes.to_vec() };
    let end = line.find(sitting.time).map_or(0, |at| at + sitting.time.len());
    let eol = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let eol = if bytes[..eol].ends_with(b"\r") { eol - 1 } else { eol };
    [&bytes[..end], &bytes[eol..]].concat()
}
