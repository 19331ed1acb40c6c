//! What is in a session, without importing it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use chrono::{DateTime, Utc};

use super::{Opened, Past};
use crate::capture::chunk::{Before, joins};
use crate::capture::remembering::Remembering;
use crate::capture::session_day::{Local, SessionDay};
use crate::capture::transcript::Role;
use crate::disk::NotRead;
use crate::import::Reached;
use crate::import::buried::Buried;
use crate::import::repeats::{Repeated, Repeats};
use crate::import::source::{Conversation, Event, Met, unread_lines};
use crate::memory::forgotten::Forgotten;
use crate::plan::Note;

/// What is in a session.
#[derive(Debug, Default)]
pub(crate) struct SessionContents {
    pub(crate) turns: usize,
    /// those of them that begin before the place up to which it was imported, and were not forgotten
    pub(crate) here: usize,
    /// those of them that were forgotten on purpose
    pub(crate) forgotten: usize,
    /// whether the memory has a block of the session
    pub(crate) is_known: bool,
    /// bytes of the transcript, or of the messages
    pub(crate) bytes: u64,
    /// where it ends, as the ledger counts
    pub(crate) end: u64,
    /// its sessions, in order
    pub(crate) sessions: Vec<SessionStart>,
    pub(crate) last: Option<DateTime<Utc>>,
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionStart {
    pub(crate) time: DateTime<Utc>,
    /// where in the transcript
    pub(crate) at: u64,
}

/// What the memory has of a session, and what was taken out of it on purpose.
pub(crate) struct InMemory<'a> {
    /// by session, where the import of it has come to, as the ledger counts
    pub(crate) reached: &'a HashMap<String, Reached>,
    pub(crate) forgotten: &'a Rc<Forgotten>,
    pub(crate) redact: &'a Remembering<'a>,
}

/// Looks through a session. What was said without a time was said `now`, or when its file was written to.
pub(crate) fn look(
    past: &Past,
    in_memory: &InMemory<'_>,
    now: DateTime<Utc>,
    local: Local<'_>,
) -> Result<SessionContents, NotRead> {
    let opened = past.open()?;
    let look = SessionContents::default();
    let failed = |error: std::io::Error| NotRead::of(past.path(), error);
    let InMemory { reached, forgotten, redact } = *in_memory;
    let name = past.name(&opened).map_err(failed)?;
    let known = reached.get(&name);
    let reached = known.map_or(0, |reached| reached.to);
    let source = opened.source();
    let buried = Buried::of(&source, &name, forgotten, redact).map_err(failed)?;
    let mut counter = Counter {
        look,
        before: None,
        session_day: None,
        reached,
        buried,
        repeats: Repeats::default(),
        now: source.assumed(now),
        local,
    };
    let mut met = Met::default();
    let mut each = |said: Event<'_>| {
        counter.take(&source, &said);
        ControlFlow::Continue(())
    };
    let end = source.read_counting(None, 0..source.end(), &mut met, &mut each).map_err(failed)?;
    counter.look.end = end;
    counter.look.bytes = match &opened {
        Opened::Messages(messages) => messages.iter().map(|it| it.get().len() as u64).sum(),
        Opened::File(file) => file.size,
    };
    if matches!(opened, Opened::File(_)) {
        counter.look.notes.extend(notes(&met, past, counter.look.turns, now));
    }
    counter.look.is_known = known.is_some();
    Ok(counter.look)
}

struct Counter<'a> {
    look: SessionContents,
    before: Option<Before>,
    session_day: Option<SessionDay>,
    reached: u64,
    buried: Buried<'a>,
    repeats: Repeats,
    now: DateTime<Utc>,
    local: Local<'a>,
}

impl Counter<'_> {
    /// Counts as the import will: the same turns, the same sessions.
    fn take(&mut self, source: &Conversation<'_>, said: &Event<'_>) {
        let (piece, at) = (&said.piece, said.span.start);
        let is_new = self.repeats.have(source, said).is_ok_and(|it| it == Repeated::No);
        if piece.role.is_title() || !is_new {
            return;
        }
        let next = Before::after(self.before.as_ref(), piece, self.now);
        let time = next.time;
        if !self.before.as_ref().is_some_and(|before| joins(before, piece, time)) {
            let is_turn = piece.role != Role::Nobody;
            self.look.turns += usize::from(is_turn);
            let is_forgotten = self.buried.holds(said);
            self.look.forgotten += usize::from(is_turn && is_forgotten);
            self.look.here += usize::from(is_turn && !is_forgotten && at < self.reached);
        }
        let (session_day, begins) = SessionDay::of(self.session_day, time, self.local);
        if begins {
            self.look.sessions.push(SessionStart { time, at });
        }
        self.look.last = self.look.last.max(Some(time));
        (self.before, self.session_day) = (Some(next), Some(session_day));
    }
}

/// Remarks about a file in addition to its words.
fn notes(met: &Met, past: &Past, turns: usize, now: DateTime<Utc>) -> Vec<Note> {
    // A session that goes on is always about to be written to.
    let age = now.timestamp_nanos_opt().unwrap_or(i64::MAX).saturating_sub(past.written);
    let is_old = age > 60 * 1_000_000_000;
    let cut = (met.cut && is_old)
        .then(|| past.note("it is cut: its last record is not whole and was passed over"));
    let broken = (met.unreadable > 0).then(|| past.note(&unread_lines(met.unreadable)));
    let odd = (turns == 0 && !met.known && met.silent > 0)
        .then(|| past.note("it is of a format that this version does not know; passed over"));
    cut.into_iter().chain(broken).chain(odd).collect()
}
