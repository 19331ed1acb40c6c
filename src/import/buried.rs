//! What was forgotten on purpose: an import reads a session without it.

use std::io;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use super::clean;
use super::source::{Conversation, Event, SourceKind};
use crate::capture::already_logged::{ids, is_unique};
use crate::capture::block;
use crate::capture::chunk::Chunk;
use crate::capture::remembering::Remembering;
use crate::capture::transcript::Role;
use crate::disk::{self, Folder, NamedError};
use crate::layout;
use crate::markdown::form;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::plan::Note;
use crate::retract::records;

/// The tombstones of a memory; none where there is no such file.
///
/// # Errors
/// When it is there and cannot be read, with its path.
pub(crate) fn load(memory: &Folder) -> io::Result<Forgotten> {
    let read = memory.read_if_there(layout::FORGOTTEN);
    let read =
        read.map_err(|error| NamedError::put(&super::logs::path(layout::FORGOTTEN), error))?;
    Ok(read.map(|(bytes, _)| Forgotten::parse(&bytes)).unwrap_or_default())
}

/// What was forgotten on purpose; if that is unknown, nothing may come in.
pub(super) fn tombstones(memory: &Folder) -> Result<Rc<Forgotten>, Note> {
    load(memory).map(Rc::new).map_err(|error| {
        let why = format!(
            "cannot be read ({}), so nothing is imported: what was forgotten could come back",
            disk::describe(&error)
        );
        Note::problem(super::logs::path(layout::FORGOTTEN), why)
    })
}

/// The titles of a session that were forgotten: its client goes on calling it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BuriedTitles {
    session: String,
    forgotten: Rc<Forgotten>,
}

impl BuriedTitles {
    pub(super) fn of(session: &str, forgotten: &Rc<Forgotten>) -> Self {
        Self { session: session.to_owned(), forgotten: Rc::clone(forgotten) }
    }

    /// Whether the title that a log would show of a name is one of them.
    pub(super) fn have(&self, name: &str) -> bool {
        let id = || ForgottenId::title(&self.session, &form::read_title(&form::write_title(name)));
        self.forgotten.has_texts() && self.forgotten.covers_text(id())
    }
}

/// What was forgotten of one session.
pub(super) struct Buried<'a> {
    ranges: Vec<Range<u64>>,
    times: Vec<RangeInclusive<i64>>,
    /// whether these are messages, which may come back in another shape
    messages: bool,
    forgotten: Rc<Forgotten>,
    redact: &'a Remembering<'a>,
}

impl<'a> Buried<'a> {
    /// What of a session, that of `session`, was forgotten.
    ///
    /// A part of a transcript counts only where both its ends are still the ends of records: else the file was written
    /// anew, and other words are in that place. Of messages, which move up when old ones are dropped, none does. When
    /// something was said counts for messages and for records without an id of their own: all others are known by that.
    pub(super) fn of(
        source: &Conversation<'_>,
        session: &str,
        forgotten: &Rc<Forgotten>,
        redact: &'a Remembering<'a>,
    ) -> io::Result<Self> {
        let messages = matches!(source.kind, SourceKind::Messages(_));
        let mut ranges = Vec::new();
        for range in forgotten.ranges(session).filter(|_| !messages) {
            if source.is_boundary(range.start)? && source.is_boundary(range.end)? {
                ranges.push(range);
            }
        }
        let times = forgotten.times(session).collect();
        Ok(Self { ranges, times, messages, forgotten: Rc::clone(forgotten), redact })
    }

    /// Whether what a record says was forgotten.
    pub(super) fn holds(&self, said: &Event<'_>) -> bool {
        let within =
            |range: &Range<u64>| range.start <= said.span.start && said.span.end <= range.end;
        if self.ranges.iter().any(within) {
            return true;
        }
        if said.piece.role == Role::Nobody {
            return false;
        }
        let id = said.piece.id.as_deref().filter(|id| is_unique(id));
        if let Some(time) = said.piece.time.filter(|_| self.messages || id.is_none()) {
            let time = time.timestamp_millis();
            if self.times.iter().any(|forgotten| forgotten.contains(&time)) {
                return true;
            }
        }
        if !self.forgotten.has_texts() {
            return false;
        }
        if let Some(id) = id
            && said.piece.reply.as_deref() != Some(id)
        {
            // Nothing else tells what this one is, so there is no need to look at its words.
            let known = ForgottenId::record(crate::plan::hash(id.as_bytes()));
            return self.forgotten.covers_text(known);
        }
        let piece = clean::clean(self.redact, said);
        ids(&piece).any(|id| self.forgotten.covers_text(id))
    }
}

/// A chunk without the turns that were forgotten by their words.
pub(super) fn without_buried(forgotten: &Forgotten, session: &str, mut chunk: Chunk) -> Chunk {
    if !forgotten.has_texts() {
        return chunk;
    }
    let role = |index: usize| Some(block::said(chunk.turn(index)).first()?.0);
    let is_buried = |index: &usize| {
        role(*index).is_some_and(|role| {
            let words = block::known_by(chunk.turn(*index));
            forgotten.covers_text(ForgottenId::turn(session, role.seed(), &words))
        })
    };
    let buried: Vec<usize> = (0..chunk.turns.len()).filter(is_buried).collect();
    if buried.is_empty() {
        return chunk;
    }
    let (mut text, mut turns, mut gone) = (String::new(), Vec::new(), Vec::new());
    for index in 0..chunk.turns.len() {
        let turn = chunk.turn(index);
        if buried.contains(&index) {
            gone.extend(role(index).map(|role| (role, turn.to_owned())));
            continue;
        }
        text.push_str(if text.is_empty() { turn.trim_start_matches('\n') } else { turn });
        turns.push((text.len(), chunk.turns[index].1));
    }
    chunk.backup = records::without(&chunk.backup, &gone);
    (chunk.text, chunk.turns) = (text, turns);
    chunk
}
