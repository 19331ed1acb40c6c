//! Imports past sessions in the order in which they were held.
//!
//! Agents keep a session going for days, and such sessions alternate. So a session is imported up to each silence of
//! six hours in turn, as if its hook had fired there. Every part goes through the one import there is, with the lock taken anew, so that hooks of
//! sessions that are going on come in between. Nothing is remembered beside the logs: a killed run is continued by
//! looking again, and parts that are in the logs add nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};

use super::buried::tombstones;
use super::context::ImportContext;
use super::logs::ImportCache;
use super::logs::Logs;
use super::past::{KeptAs, Opened, Past, SessionContents};
use super::source::{self, Conversation, SourceKind};
use super::write::ImportOutcome;
use super::{Importer, proven};
use crate::capture::Redact;
use crate::capture::hook_input::HookInput;
use crate::capture::remembering::Remembering;
use crate::disk::{Folder, Lock, Transcript};
use crate::error::Problem;
use crate::interrupt;
use crate::layout;
use crate::plan::Note;
use crate::progress;
use crate::refresh::by_hand::take_lock;
use crate::text::counted;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) past: Past,
    pub(crate) look: SessionContents,
}

#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) turns: usize,
    pub(crate) sessions: usize,
    /// the days whose logs grew
    pub(crate) days: BTreeSet<NaiveDate>,
    pub(crate) notes: Vec<Note>,
    /// whether it was ended early
    pub(crate) stopped: bool,
}

/// A part of a session: up to a place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BacklogPart {
    session: usize,
    until: u64,
    /// when what is new in it begins
    time: DateTime<Utc>,
}

/// Which parts are imported in which order.
fn parts(items: &[Pending]) -> Vec<BacklogPart> {
    // A fork begins when its parent did, and goes on after it.
    let mut begun: Vec<(DateTime<Utc>, i64, usize, usize)> = Vec::new();
    for (session, item) in items.iter().enumerate() {
        let starts = item.look.sessions.iter().enumerate();
        let written = item.past.written;
        begun.extend(starts.map(|(index, start)| (start.time, written, session, index)));
    }
    begun.sort();
    let mut parts: Vec<BacklogPart> = Vec::new();
    for (time, _, session, index) in begun {
        let SessionContents { sessions, end, .. } = &items[session].look;
        let until = sessions.get(index + 1).map_or(*end, |next| next.at);
        // A name that is not among the records is given to each session as it ends.
        let joins = |last: &&mut BacklogPart| {
            last.session == session && items[session].past.title.is_none()
        };
        match parts.last_mut().filter(joins) {
            Some(last) => last.until = until,
            None => parts.push(BacklogPart { session, until, time }),
        }
    }
    parts
}

/// Imports sessions, in order of time. Fails when another run keeps the lock, the lock cannot be had, or the moment of
/// this run is unknown.
pub(crate) fn import(
    memory: &Folder,
    items: &[Pending],
    world: &World,
    redact: &dyn Redact,
) -> Result<Done, Problem> {
    let mut done = Done::default();
    let mut with_turns = BTreeSet::new();
    let parts = parts(items);
    let mut pace = Pace::new(items, &parts);
    let cache = ImportCache::default();
    let mut sure: Vec<Option<u64>> = vec![None; items.len()];
    let mut open: Option<(usize, Opened)> = None;
    for part in &parts {
        if interrupt::asked() {
            done.stopped = true;
            break;
        }
        let Pending { past, .. } = &items[part.session];
        if open.as_ref().is_none_or(|(session, _)| *session != part.session) {
            open = match past.open() {
                Ok(opened) => Some((part.session, opened)),
                Err(why) => {
                    done.notes.push(Note::problem("import", crate::disk::describe(&why)));
                    None
                }
            };
        }
        let Some((_, opened)) = &open else { continue };
        let lock = lock_memory(memory, world.patience)?;
        let Some(_held) = lock.held() else { continue };
        let known = Remembering::new(redact, || proven::load(memory));
        let mut logs = Logs::of(memory);
        logs.cache = Some(&cache);
        let forgotten = tombstones(memory).map_err(|note| Problem::new(note.to_string()))?;
        let context = ImportContext::new(memory, logs, &known, world, forgotten)?;
        pace.tell(part, (context.local)(part.time).date());
        let importer = Importer {
            beginning: part.until < items[part.session].look.end,
            sure: sure[part.session],
            from_backup: matches!(past.kept, KeptAs::Backup(..)),
            ..Importer::new(&context)
        };
        let outcome = part_of(importer, past, opened, part.until);
        let whole = outcome.notes.is_empty() && matches!(opened, Opened::Messages(_));
        sure[part.session] = whole.then_some(part.until);
        done.turns += outcome.turns;
        done.days.extend(outcome.days);
        if outcome.turns > 0 {
            with_turns.insert(part.session);
        }
        for note in outcome.notes.into_iter().chain(context.logs.notes()) {
            if !done.notes.contains(&note) {
                done.notes.push(note);
            }
        }
    }
    done.stopped |= interrupt::asked();
    done.sessions = with_turns.len();
    Ok(done)
}

/// The lock, or why nothing can be imported.
fn lock_memory(memory: &Folder, patience: Duration) -> Result<Lock, Problem> {
    let lock = take_lock(memory, patience).map_err(|busy| {
        busy.hint(
            "wait for it to finish and run the command again; it goes on where this run stopped",
        )
    })?;
    let name = memory.path().join(layout::LOCK);
    match lock.refusal(&name.to_string_lossy()) {
        Some(why) => {
            Err(Problem::new(why).hint("the sessions stay where they are; nothing was imported"))
        }
        None => Ok(lock),
    }
}

/// Imports a session up to a place in it.
fn part_of(
    mut importer: Importer<'_, '_>,
    past: &Past,
    opened: &Opened,
    until: u64,
) -> ImportOutcome {
    let name = past.path().to_string_lossy().into_owned();
    let mut hook = HookInput::default();
    match opened {
        Opened::File(file) => match file.file.try_clone() {
            Ok(clone) => {
                let size = until.min(file.size);
                let beginning = Transcript { file: clone, size, written: file.written };
                importer.import(&hook, &Conversation::whole(SourceKind::File(&beginning)), &name)
            }
            Err(error) => {
                let why = crate::disk::describe(&error);
                let notes = vec![Note::problem(name, format!("not read: {why}"))];
                ImportOutcome { notes, ..ImportOutcome::default() }
            }
        },
        Opened::Messages(messages) => {
            hook.session_id = Some(past.id.clone());
            importer.name.clone_from(&past.title);
            // A session may be going on.
            let said = source::said_to_the_end(messages, importer.context.now);
            let end = usize::try_from(until).unwrap_or(usize::MAX).min(said);
            let source = Conversation::whole(SourceKind::Messages(&messages[..end]));
            importer.import(&hook, &source, &name)
        }
    }
}

/// How far a run has come, for the line on the terminal.
struct Pace {
    began: std::time::Instant,
    /// where each session was left
    left: Vec<u64>,
    /// bytes that a unit of each session's places stands for
    weight: Vec<f64>,
    sessions: BTreeSet<usize>,
    of: usize,
    total: f64,
    read: f64,
}

impl Pace {
    fn new(items: &[Pending], parts: &[BacklogPart]) -> Self {
        let bytes =
            |item: &Pending| u32::try_from(item.look.bytes / 1024).map_or(f64::MAX, f64::from);
        let units = |item: &Pending| u32::try_from(item.look.end).map_or(f64::MAX, f64::from);
        Self {
            began: std::time::Instant::now(),
            left: vec![0; items.len()],
            weight: items.iter().map(|item| bytes(item) / units(item).max(1.0)).collect(),
            sessions: BTreeSet::new(),
            of: parts.iter().map(|part| part.session).collect::<BTreeSet<_>>().len(),
            total: items.iter().map(bytes).sum(),
            read: 0.0,
        }
    }

    /// Reports the progress, before this part.
    fn tell(&mut self, part: &BacklogPart, day: NaiveDate) {
        let units = part.until.saturating_sub(self.left[part.session]);
        self.left[part.session] = part.until;
        progress::tick(|| self.told(day, self.began.elapsed().as_secs_f64()));
        self.sessions.insert(part.session);
        self.read +=
            f64::from(u32::try_from(units).unwrap_or(u32::MAX)) * self.weight[part.session];
    }

    /// `34 of 138 sessions, 2026-03-04, 12.0 MB/s, 8 s left`. As long as little was read, nobody knows how long the
    /// rest takes.
    fn told(&self, day: NaiveDate, seconds: f64) -> String {
        let text = format!("{} of {}, {day}", self.sessions.len(), counted(self.of, "session"));
        if self.read <= 0.0 || seconds < 0.5 {
            return text;
        }
        let speed = self.read / seconds;
        let left = ((self.total - self.read).max(0.0) / speed).ceil();
        format!("{text}, {:.1} MB/s, {left:.0} s left", speed / 1024.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::past::{KeptAs, SessionStart};
    use super::*;

    fn item(id: &str, sessions: &[(i64, u64)], end: u64) -> Pending {
        let begun = |(hour, at): &(i64, u64)| {
            let time = DateTime::from_timestamp(1_773_579_600 + hour * 3600, 0).unwrap();
            SessionStart { time, at: *at }
        };
        let sessions = sessions.iter().map(begun).collect();
        Pending {
            past: Past::new("codex", id.to_owned(), KeptAs::Lines("x".into(), end), 0),
            look: SessionContents { end, sessions, ..SessionContents::default() },
        }
    }

    #[test]
    fn what_is_left_is_told_once_it_can_be_known() {
        let items = [item("a", &[(0, 0)], 50), item("b", &[(15, 5)], 9)];
        let mut pace = Pace::new(&items, &parts(&items));
        let day = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        pace.total = 3072.0;
        assert_eq!(pace.told(day, 2.0), "0 of 2 sessions, 2026-03-04");
        pace.sessions.insert(0);
        pace.read = 1024.0;
        assert_eq!(pace.told(day, 0.1), "1 of 2 sessions, 2026-03-04");
        assert_eq!(pace.told(day, 4.0), "1 of 2 sessions, 2026-03-04, 0.2 MB/s, 8 s left");
    }

    #[test]
    fn sessions_of_different_sessions_alternate() {
        fn check(items: &[Pending], expect: &[(usize, u64)]) {
            let found: Vec<_> =
                parts(items).iter().map(|part| (part.session, part.until)).collect();
            assert_eq!(found, expect);
        }
        check(&[], &[]);
        check(&[item("a", &[], 50)], &[]);
        check(&[item("a", &[(0, 0), (10, 30), (20, 40)], 50)], &[(0, 50)]);
        check(
            &[item("a", &[(0, 0), (10, 30), (20, 40)], 50), item("b", &[(15, 5)], 9)],
            &[(0, 40), (1, 9), (0, 50)],
        );
        // Two that begin at once are in the order of their ids.
        check(&[item("a", &[(5, 0)], 50), item("b", &[(5, 0)], 9)], &[(0, 50), (1, 9)]);
    }
}
