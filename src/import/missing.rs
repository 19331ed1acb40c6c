//! Past sessions that are not in the memory, found without reading them through.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use chrono::{DateTime, Days, NaiveDate};
use serde::Serialize;

use super::buried::Buried;
use super::past::{KeptAs, Past, PastSessions};
use super::{Reached, is_silent, proven, unread};
use crate::capture::Redact;
use crate::capture::remembering::Remembering;
use crate::disk::{self, Folder};
use crate::memory::forgotten::Forgotten;
use crate::platform::{self, Store};
use crate::text::counted;
use crate::world::{LocalTime, World};

/// How many days Claude Code keeps a transcript where nothing else is set.
const KEPT_DAYS: u64 = 30;

/// Sessions that are not here, or not all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Missing {
    pub(crate) sessions: usize,
    /// how many of each client, by its name
    pub(crate) agents: BTreeMap<&'static str, usize>,
    /// the day the first of them began
    pub(crate) first: NaiveDate,
    /// the day the last of them was written to
    pub(crate) last: NaiveDate,
    /// the day from which on Claude Code deletes them
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deleted: Option<NaiveDate>,
}

struct Fact {
    agent: &'static str,
    first: NaiveDate,
    last: NaiveDate,
    deletes: bool,
}

/// Which of the sessions of a project are not here; `None` where all are. `reached` is how far each was imported,
/// `nothing_new` says of one that was not whether there is nothing to import in it.
pub(crate) fn missing(
    root: &Path,
    world: &World,
    found: &PastSessions,
    reached: &HashMap<String, Reached>,
    nothing_new: impl Fn(&Past) -> bool,
) -> Option<Missing> {
    let local = world.local().ok()?;
    // A session in which nothing is said counts only as long as the memory is empty: later there is nothing to import.
    let (cold, mut says) = (reached.is_empty(), false);
    let is_new = |it: &&Past| !is_here(it, reached) && (cold || !nothing_new(it));
    let facts = found.sessions.iter().filter(is_new).filter_map(|session| {
        let day = |nanoseconds| local(DateTime::from_timestamp_nanos(nanoseconds)).date();
        let last = day(session.written);
        let first = first_day(session, last, &local);
        says |= first.is_some();
        let first = first.or(cold.then_some(last))?;
        let deletes =
            platform::by_id(session.agent).and_then(|row| row.store).is_some_and(Store::is_cleaned);
        Some(Fact { agent: session.agent_name(), first, last, deletes })
    });
    let facts: Vec<_> = facts.collect();
    sum(&facts, kept_days(root, world)).filter(|_| says)
}

/// Whether all of a session was imported, as far as its size shows.
fn is_here(session: &Past, reached: &HashMap<String, Reached>) -> bool {
    let Some(reached) = reached.get(&session.id) else { return false };
    match &session.kept {
        KeptAs::Lines(path, size) => reached.to >= *size || is_silent(path, reached, *size),
        _ => true,
    }
}

/// Whether a session that has no block is a copy of one that has, or all that is said in it was forgotten.
pub(super) fn has_nothing_new(
    session: &Past,
    memory: &Folder,
    world: &World,
    redact: &dyn Redact,
    forgotten: &Rc<Forgotten>,
) -> io::Result<bool> {
    let KeptAs::Lines(path, _) = &session.kept else { return Ok(false) };
    if unread::is_elsewhere(memory, path, world, redact)? {
        return Ok(true);
    }
    let Some(opened) = session.open().ok().filter(|_| !forgotten.is_empty()) else {
        return Ok(false);
    };
    let redact = Remembering::new(redact, || proven::load(memory));
    let name = session.name(&opened)?;
    let buried = Buried::of(&opened.source(), &name, forgotten, &redact)?;
    let (mut says, mut left) = (false, false);
    opened.source().read(0..opened.source().end(), |said| {
        (says, left) = (true, !buried.holds(&said));
        if left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(says && !left)
}

/// The day something was first said in a session, where that is quickly told, else `last`; `None` where nothing is said
/// in it.
fn first_day(session: &Past, last: NaiveDate, local: &LocalTime) -> Option<NaiveDate> {
    let KeptAs::Lines(..) = session.kept else { return Some(last) };
    let opened = session.open().ok()?;
    let mut first = None;
    let source = opened.source();
    let read = source.read(0..source.end(), |said| {
        first = Some(said.piece.time.map_or(last, |time| local(time).date()));
        ControlFlow::Break(())
    });
    read.ok().and(first)
}

fn sum(facts: &[Fact], kept_days: u64) -> Option<Missing> {
    let first = facts.iter().map(|fact| fact.first).min()?;
    let last = facts.iter().map(|fact| fact.last).max()?;
    let mut agents = BTreeMap::new();
    for fact in facts {
        *agents.entry(fact.agent).or_insert(0) += 1;
    }
    let oldest = facts.iter().filter(|fact| fact.deletes).map(|fact| fact.last).min();
    let deleted = oldest.and_then(|day| day.checked_add_days(Days::new(kept_days)));
    Some(Missing { sessions: facts.len(), agents, first, last, deleted })
}

/// How long Claude Code keeps transcripts: `cleanupPeriodDays` of the nearest settings that have it.
fn kept_days(root: &Path, world: &World) -> u64 {
    let home = super::agent_files::home(world, "CLAUDE_CONFIG_DIR", ".claude");
    let files =
        [".claude/settings.local.json", ".claude/settings.json"].map(|name| root.join(name));
    let files = files.into_iter().chain(home.map(|home| home.join("settings.json")));
    let days = |bytes: Vec<u8>| {
        serde_json::from_slice::<serde_json::Value>(&bytes).ok()?["cleanupPeriodDays"].as_u64()
    };
    let mut set = files.filter_map(|file| days(disk::read_users_file(&file).ok()??));
    set.next().unwrap_or(KEPT_DAYS)
}

impl Missing {
    /// `138 past sessions of this project (Claude Code 130, Codex 8), 2026-01-12 to today`
    pub(crate) fn told(&self, today: NaiveDate) -> String {
        let agents = self.agents.iter().map(|(name, count)| format!("{name} {count}"));
        let agents = agents.collect::<Vec<_>>().join(", ");
        let sessions = counted(self.sessions, "past session");
        let day = |day: NaiveDate| if day == today { "today".to_owned() } else { day.to_string() };
        let days = if self.first == self.last {
            day(self.first)
        } else {
            format!("{} to {}", day(self.first), day(self.last))
        };
        format!("{sessions} of this project ({agents}), {days}")
    }

    /// What `status` says: how many, and when they are gone.
    pub(crate) fn warning(&self, today: NaiveDate) -> String {
        let deleted = self.deleted.map(|day| {
            let when = if day <= today {
                "at its next start".to_owned()
            } else {
                format!("from {day} on")
            };
            format!("; Claude Code deletes its own {when}")
        });
        let (told, deleted) = (self.told(today), deleted.unwrap_or_default());
        format!("{told}, not in the memory{deleted}; run `hipocampus import`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn fact(agent: &'static str, first: &str, last: &str) -> Fact {
        let deletes = agent == "Claude Code";
        Fact { agent, first: day(first), last: day(last), deletes }
    }

    #[test]
    fn what_is_missing_is_told_in_one_line() {
        #[track_caller]
        fn check(facts: &[Fact], today: &str, told: &str, warning: &str) {
            let missing = sum(facts, 30).unwrap();
            assert_eq!(missing.told(day(today)), told);
            assert_eq!(missing.warning(day(today)), format!("{told}, not in the memory{warning}"));
        }
        assert_eq!(sum(&[], 30), None);
        check(
            &[
                fact("Claude Code", "2026-01-12", "2026-03-10"),
                fact("Codex", "2026-03-14", "2026-03-15"),
                fact("Claude Code", "2026-03-01", "2026-03-01"),
            ],
            "2026-03-15",
            "3 past sessions of this project (Claude Code 2, Codex 1), 2026-01-12 to today",
            "; Claude Code deletes its own from 2026-03-31 on; run `hipocampus import`",
        );
        check(
            &[fact("Codex", "2026-03-14", "2026-03-14")],
            "2026-03-15",
            "1 past session of this project (Codex 1), 2026-03-14",
            "; run `hipocampus import`",
        );
        check(
            &[fact("Claude Code", "2026-01-01", "2026-01-02")],
            "2026-03-15",
            "1 past session of this project (Claude Code 1), 2026-01-01 to 2026-01-02",
            "; Claude Code deletes its own at its next start; run `hipocampus import`",
        );
    }
}
