//! What stands in a session, without importing it.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use chrono::{DateTime, Utc};

use super::{Opened, Past};
use crate::capture::chunk::{Before, joins};
use crate::capture::remembering::Remembering;
use crate::capture::sitting::{Local, Sitting};
use crate::capture::transcript::{self, Role, TurnPart};
use crate::disk::{Line, LineReader, NotRead};
use crate::import::Reached;
use crate::import::buried::Buried;
use crate::import::repeats::Repeats;
use crate::import::source::{Conversation, Event, LINE_LIMIT, skipped, unread_lines};
use crate::memory::forgotten::Forgotten;
use crate::plan::Note;

/// What stands in a session.
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
    /// its sittings, in order
    pub(crate) sittings: Vec<SittingStart>,
    pub(crate) last: Option<DateTime<Utc>>,
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SittingStart {
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

/// Looks through a session. What was said without a time was said `now`.
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
        sitting: None,
        reached,
        buried,
        repeats: Repeats::default(),
        now,
        local,
    };
    match &opened {
        Opened::Messages(messages) => {
            counter.look.bytes = messages.iter().map(|message| message.get().len() as u64).sum();
            let each = |said: Event<'_>| {
                counter.take(&source, &said);
                ControlFlow::Continue(())
            };
            source.read(0..source.end(), each).map_err(failed)?;
            counter.look.end = source.end();
        }
        Opened::File(file) => {
            let mut state = LinesSeen::default();
            let mut lines = LineReader::of(&file.file, 0..file.size, LINE_LIMIT).map_err(failed)?;
            while let Some((span, line)) = lines.next().map_err(failed)? {
                state.pieces(&span, &line, |said| counter.take(&source, said));
                if state.cut {
                    break;
                }
                counter.look.end = span.end;
            }
            counter.look.bytes = file.size;
            counter.look.notes.extend(state.notes(past, counter.look.turns, now));
        }
    }
    counter.look.is_known = known.is_some();
    Ok(counter.look)
}

struct Counter<'a> {
    look: SessionContents,
    before: Option<Before>,
    sitting: Option<Sitting>,
    reached: u64,
    buried: Buried<'a>,
    repeats: Repeats,
    now: DateTime<Utc>,
    local: Local<'a>,
}

impl Counter<'_> {
    /// Counts as the import will: the same turns, the same sittings.
    fn take(&mut self, source: &Conversation<'_>, said: &Event<'_>) {
        let (piece, at) = (&said.piece, said.span.start);
        if piece.role.is_title() || self.repeats.have(source, said).unwrap_or(false) {
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
        let (sitting, begins) = Sitting::of(self.sitting, time, self.local);
        if begins {
            self.look.sittings.push(SittingStart { time, at });
        }
        self.look.last = self.look.last.max(Some(time));
        (self.before, self.sitting) = (Some(next), Some(sitting));
    }
}

/// What was seen of the lines of a file.
#[derive(Default)]
struct LinesSeen {
    records: usize,
    known: bool,
    broken: usize,
    cut: bool,
}

impl LinesSeen {
    /// Calls `each` for what a line says, and where in it that stands.
    fn pieces(&mut self, span: &Range<u64>, line: &Line<'_>, mut each: impl FnMut(&Event<'_>)) {
        let line = match line {
            Line::Whole(line) => line,
            Line::Unended(line) if transcript::whole(line).is_some() => line,
            Line::Unended(line) => {
                self.cut = !line.trim_ascii().is_empty();
                return;
            }
            Line::TooLong(bytes) => {
                return each(&Event { piece: skipped(*bytes), span: span.clone(), record: b"" });
            }
        };
        if let Ok(piece) = transcript::said(line) {
            return self.record(line, piece, span.clone(), &mut each);
        }
        let mended = transcript::mended(line);
        self.broken += usize::from(mended.torn);
        for (span, record) in mended.in_line(span) {
            self.record(record, transcript::piece(record), span, &mut each);
        }
    }

    /// Takes note of a record, and hands on what it says.
    fn record(
        &mut self,
        record: &[u8],
        piece: Option<TurnPart>,
        span: Range<u64>,
        each: &mut impl FnMut(&Event<'_>),
    ) {
        // Only as long as nothing was recognised: to look into every record would cost a lot.
        self.known = self.known || piece.is_some() || transcript::is_known(record);
        match piece {
            Some(piece) => each(&Event { piece, span, record }),
            None => self.records += 1,
        }
    }

    fn notes(&self, past: &Past, turns: usize, now: DateTime<Utc>) -> Vec<Note> {
        // A session that goes on is always about to be written to.
        let age = now.timestamp_nanos_opt().unwrap_or(i64::MAX).saturating_sub(past.written);
        let is_old = age > 60 * 1_000_000_000;
        let cut = (self.cut && is_old)
            .then(|| past.note("it is cut: its last record is not whole and was passed over"));
        let broken = (self.broken > 0).then(|| past.note(&unread_lines(self.broken)));
        let odd = (turns == 0 && !self.known && self.records > 0)
            .then(|| past.note("it is of a format that this version does not know; passed over"));
        cut.into_iter().chain(broken).chain(odd).collect()
    }
}
