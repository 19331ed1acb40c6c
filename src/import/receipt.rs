//! The receipt: what is said in each session, in its agent's store and in the memory, turn by turn.
//!
//! A turn is compared by who speaks and what: as an import of today would write it down, and as it is in the log.

mod comparison;
mod last;

use std::io;

use chrono::NaiveDate;
use serde::Serialize;

use super::buried;
use super::context::ImportContext;
use super::filter::Prefilter;
use super::logs::Logs;
use super::past::{self, Past, PastFilter};
use super::{proven, sessions, since};
use crate::capture::Redact as _;
use crate::capture::block;
use crate::capture::remembering::Remembering;
use crate::disk::{self, EntryKind, Folder, Memory};
use crate::error::Problem;
use crate::layout;
use crate::plan::Note;
use crate::progress;
use crate::project::Project;
use crate::world::World;
use comparison::Comparison;
pub(crate) use last::LastReceipt;

/// The turns of one session, or of several together. Every turn of the store is in one of `here`, `left_out`, `waiting`
/// and `missing`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct TurnCount {
    /// turns with words in the agent's store
    pub(crate) store: usize,
    /// those of them that are in the memory
    pub(crate) memory: usize,
    /// of these: with values taken out that must not be written down
    pub(crate) redacted: usize,
    /// of these: without the end of what is longer than a turn may be
    pub(crate) cut: usize,
    /// of these: under the session that this one is a copy of
    pub(crate) copied: usize,
    /// of these: in other words, as edited by hand or redacted by other rules
    pub(crate) changed: usize,
    pub(crate) left_out: LeftOutTurns,
    /// said since its agent last called; the next call brings them in
    pub(crate) waiting: usize,
    pub(crate) missing: usize,
}

/// Turns that are not in the memory on purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct LeftOutTurns {
    /// removed by `hipocampus forget`
    pub(crate) forgotten: usize,
    /// all of it between `<private>` and `</private>`
    pub(crate) private: usize,
    /// in a session that was off
    pub(crate) off: usize,
    /// between two agents
    pub(crate) delegated: usize,
}

impl TurnCount {
    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            store: self.store + other.store,
            memory: self.memory + other.memory,
            redacted: self.redacted + other.redacted,
            cut: self.cut + other.cut,
            copied: self.copied + other.copied,
            changed: self.changed + other.changed,
            left_out: LeftOutTurns {
                forgotten: self.left_out.forgotten + other.left_out.forgotten,
                private: self.left_out.private + other.left_out.private,
                off: self.left_out.off + other.left_out.off,
                delegated: self.left_out.delegated + other.left_out.delegated,
            },
            waiting: self.waiting + other.waiting,
            missing: self.missing + other.missing,
        }
    }
}

impl LeftOutTurns {
    pub(crate) fn sum(self) -> usize {
        self.forgotten + self.private + self.off + self.delegated
    }
}

/// What the memory has of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SessionReceipt {
    /// the id of the agent
    pub(crate) agent: &'static str,
    pub(crate) session: String,
    /// the day of its first turn
    pub(crate) day: Option<NaiveDate>,
    #[serde(flatten)]
    pub(crate) turns: TurnCount,
    /// a hash over the turns in the store that are to be in the memory, and one over those that are
    pub(crate) store_hash: String,
    pub(crate) memory_hash: String,
    /// lines of the store that are no records, as after a crash of the agent
    pub(crate) unreadable: usize,
    /// how the first missing turns begin
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lost: Vec<String>,
    /// why not all of it could be compared
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// When agents called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls<'a> {
    /// when a session began last that brought in what earlier ones had left, nanoseconds since 1970
    pub(crate) caught_up: Option<i64>,
    /// the agents that do not call any more: nothing of them waits
    pub(crate) silent: &'a [&'static str],
}

/// The logs that are no files, so that nothing in them was read.
fn not_files(memory: &Folder) -> io::Result<Vec<Note>> {
    let entries = memory.list(|name| layout::day_of_log(name).is_some())?;
    let odd = entries.into_iter().filter(|entry| entry.kind != EntryKind::File);
    let note = |entry: disk::DirEntry| {
        Note::problem(
            layout::in_memory(&entry.name),
            "it is no file, so what is in it was not read",
        )
    };
    Ok(odd.map(note).collect())
}

/// The receipts of all sessions of a project that agents still have on this machine, in order of agent and day, and
/// what is to be said of other files.
pub(crate) fn take(
    project: &Project,
    world: &World,
    calls: &Calls<'_>,
) -> Result<(Vec<SessionReceipt>, Vec<Note>), Problem> {
    let memory = Memory::open(&project.root)?.ok_or_else(|| {
        Problem::new("there is no memory yet, so nothing can be compared")
            .hint("`hipocampus import` brings in past sessions")
    })?;
    let folder = memory.folder();
    let failed =
        |error: io::Error| disk::problem("read", &project.root.join(layout::MEMORY), error);
    let redactor = project.redactor()?;
    let redact = Remembering::new(&redactor, || proven::load(folder));
    let forgotten = buried::tombstones(folder).map_err(|note| Problem::new(note.to_string()))?;
    let context = ImportContext::new(folder, Logs::of(folder), &redact, world, forgotten)?;
    let (reached, mut notes) = super::reached(folder).map_err(failed)?;
    let prefilter = Prefilter::new(&context);
    let mut days = since::days(&context.logs, None, false).map_err(failed)?;
    days.reverse();
    let spoken = prefilter.spoken(&days, None).map_err(failed)?;
    notes.extend(context.logs.notes());
    notes.extend(not_files(folder).map_err(failed)?);
    let found = past::find(&project.root, world, &PastFilter::default());
    notes.extend(found.passed_over);
    // Whose these are, nobody can tell, unless they are in the memory.
    let is_here = |past: &Past| spoken.contains_key(&block::session_name(&past.id));
    let (ours, others): (Vec<_>, Vec<_>) = found.untold.into_iter().partition(is_here);
    notes.extend(others.iter().map(|past| Note { problem: false, ..past.note(past::UNTOLD) }));
    let (gone, others): (Vec<_>, Vec<_>) =
        found.gone.into_iter().partition(|(_, past)| is_here(past));
    notes.extend(others.iter().filter(|(_, past)| past.says_something()).map(|(held_in, past)| {
        let why = format!("it was held in `{}`, which is gone: if that was a worktree of this project, `hipocampus import --from` with this folder takes it in", held_in.display());
        Note { problem: false, ..past.note(&why) }
    }));
    let own = found.sessions.into_iter().chain(ours).chain(gone.into_iter().map(|(_, past)| past));
    let left_out = found.left_out.into_iter().map(|(past, why)| (past, Some(why)));
    let all: Vec<_> = own.map(|past| (past, None)).chain(left_out).collect();
    let set_up = sessions::set_up(&project.root);
    let desk = Comparison {
        context: &context,
        prefilter: &prefilter,
        spoken: &spoken,
        reached: &reached,
        // What was not handed over for longer than sessions are caught up on is missing.
        waits_since: sessions::oldest(world).max(set_up).max(calls.caught_up.unwrap_or(0)),
        silent: calls.silent,
    };
    let count = all.len();
    let mut receipts = Vec::new();
    for (index, (past, why)) in all.iter().enumerate() {
        progress::tick(|| format!("comparing session {} of {count}", index + 1));
        receipts.push(desk.receipt(past, *why));
    }
    receipts.retain(|it| it.turns.store > 0 || it.problem.is_some());
    receipts.sort_by(|a, b| (a.agent, a.day, &a.session).cmp(&(b.agent, b.day, &b.session)));
    for note in &mut notes {
        note.text = redactor.text(&note.text).into_owned();
    }
    Ok((receipts, notes))
}
