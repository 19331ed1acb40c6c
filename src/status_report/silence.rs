//! The alarm: a client was used, and for longer than a session nothing of it was saved.
//!
//! It is raised by words alone. A session without any, one that has just begun, and one whose words came in later are
//! no silence, since an alarm that is wrong once is not read the next time.

use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use serde::Serialize;

use super::saved::Saved;
use super::unsaved::{Unsaved, UnsavedReason};
use crate::capture::redact::Redactor;
use crate::disk::{Folder, Memory};
use crate::hooks::fired::{self, Fired};
use crate::hooks::log as hook_log;
use crate::import::sessions::{self, KeptSession, SessionOwner};
use crate::import::unread::speaks_after;
use crate::layout;
use crate::memory::sessions_of_log::SILENCE;
use crate::platform;
use crate::project::Project;
use crate::world::World;

/// How long after the hook of a session's start its first words come at most.
const SLACK: TimeDelta = TimeDelta::minutes(15);

/// Nothing of a client was saved, though it was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Silence {
    pub(crate) agent: &'static str,
    /// when it was last heard of; `None` where it never was
    pub(crate) since: Option<DateTime<FixedOffset>>,
    /// the sessions that are missing
    pub(crate) sessions: usize,
    pub(crate) why: UnsavedReason,
}

impl Silence {
    /// What is said at the start of a session. The same for as long as the silence lasts, so that it is said once.
    pub(crate) fn line(&self) -> String {
        let Self { agent, since, why, .. } = self;
        let since =
            since.map_or_else(String::new, |since| format!(" since {}", since.format("%F %R")));
        let (what, mend) = match why {
            UnsavedReason::NoEvent if since.is_empty() => {
                ("it has never called hipocampus", mend(agent))
            }
            UnsavedReason::NoEvent => ("it no longer calls hipocampus", mend(agent)),
            UnsavedReason::Unreadable => {
                ("its transcripts cannot be read", "`hipocampus status` says why".to_owned())
            }
            UnsavedReason::Untold => {
                let text = "no record of it tells in which folder it was held";
                (text, "if it is this project's, `hipocampus import PATH` takes it in".to_owned())
            }
            UnsavedReason::UnknownForm => {
                let text = "its transcripts have a form that this version does not know";
                (text, "install the newest hipocampus, then run `hipocampus update`".to_owned())
            }
        };
        format!("nothing that was said in `{agent}` was saved{since}: {what}; {mend}")
    }
}

/// What makes a client call again.
fn mend(agent: &str) -> String {
    let then = platform::by_id(agent)
        .map_or_else(String::new, |row| format!(", then {}", row.calls_after));
    format!("run `hipocampus update`{then}")
}

/// The silences, one per client and reason.
pub(crate) fn of(
    saved: Option<&Saved>,
    unsaved: &[Unsaved],
    fired: &[Fired],
    now: DateTime<FixedOffset>,
) -> Vec<Silence> {
    let mut silences: Vec<Silence> = Vec::new();
    for missing in unsaved {
        let saved = saved.filter(|saved| saved.agent.is_none_or(|agent| agent == missing.agent));
        let called = fired::by(fired, missing.agent);
        if !is_silent(missing, saved, called, unsaved, now) {
            continue;
        }
        let same =
            |silence: &&mut Silence| (silence.agent, silence.why) == (missing.agent, missing.why);
        if let Some(silence) = silences.iter_mut().find(same) {
            silence.sessions += 1;
            continue;
        }
        let called = called.filter(|_| missing.why == UnsavedReason::NoEvent).map(|fired| fired.at);
        let since = saved.map(|saved| saved.at).max(called);
        let (agent, why) = (missing.agent, missing.why);
        silences.push(Silence { agent, since, sessions: 1, why });
    }
    silences
}

/// Whether a session went on for more than six hours after its client was last heard of.
fn is_silent(
    missing: &Unsaved,
    saved: Option<&Saved>,
    called: Option<&Fired>,
    unsaved: &[Unsaved],
    now: DateTime<FixedOffset>,
) -> bool {
    // A call that cannot bring anything in does not show that the client is heard.
    let called = called.filter(|_| missing.why == UnsavedReason::NoEvent);
    let heard = saved.map(|saved| saved.at).max(called.map(|fired| fired.at));
    let heard = heard.map(|at| at.to_utc());
    let of_it = unsaved.iter().filter(|other| other.agent == missing.agent);
    let moment =
        |other: &Unsaved| other.first.map_or_else(|| utc(other.written), |first| first.to_utc());
    let heard_or_begun =
        heard.or_else(|| of_it.map(moment).min()).unwrap_or_else(|| moment(missing));
    let last = missing.last.map_or_else(|| utc(missing.written), |last| last.to_utc());
    let goes_on = !missing.begun
        && now.to_utc() - last <= SILENCE
        && called.zip(missing.first).is_some_and(|(called, first)| called.at >= first - SLACK);
    let by_words = last - heard_or_begun > SILENCE;
    // Copies and simulations have times of their own: files are compared with files.
    let file = saved.map(|saved| utc(saved.written)).max(called.map(|fired| fired.at.to_utc()));
    let by_files =
        saved.is_some() && file.is_some_and(|file| utc(missing.written) - file > SILENCE);
    !goes_on && (by_words || by_files)
}

fn utc(nanoseconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_nanos(nanoseconds)
}

/// What the start of a session has to tell, once what was missed has been brought in: other clients that were used and
/// did not call, and sessions that cannot be brought in. `before` is what had fired before this call, `caller` the
/// client that calls now.
pub(crate) fn at_start(
    world: &World,
    project: &Project,
    memory: &Memory,
    redactor: &Redactor,
    before: &[Fired],
    caller: Option<&str>,
) -> Vec<String> {
    let folder = memory.folder();
    let platforms = project.config.platforms();
    let since = sessions::set_up(&project.root);
    let recent = sessions::recent(&project.root, world, since);
    let mut lines = Vec::new();
    for id in platforms.iter().filter(|id| caller.is_some_and(|caller| caller != *id)) {
        let last = fired::by(before, id);
        // Its first session may have been used before the others of the project called.
        let heard = last.map_or_else(|| utc(since), |fired| fired.at.to_utc());
        let late =
            |session: &&KeptSession| session.agent == id && utc(session.written) - heard > SILENCE;
        let used = recent.iter().filter(late);
        let now = world.clock.to_utc();
        // When the file was written to is the cheap answer; what was said in it is the right one.
        let spoke = |session: &&KeptSession| speaks_after(&session.path, heard + SILENCE, now);
        let mut used =
            used.filter(|it| it.whose(&project.root) == SessionOwner::Ours).filter(spoke);
        if let Some(session) = used.next() {
            let silence = Silence {
                agent: session.agent,
                since: last.map(|fired| fired.at),
                sessions: 1,
                why: UnsavedReason::NoEvent,
            };
            lines.push(silence.line());
        }
    }
    lines.extend(unheard(world, project, folder, memory, redactor, &recent));
    lines.retain(|line| !hook_log::has(world, folder, line));
    lines.dedup();
    lines
}

/// Sessions that grew after the last one was saved and that no event can bring in.
fn unheard(
    world: &World,
    project: &Project,
    folder: &Folder,
    memory: &Memory,
    redactor: &Redactor,
    recent: &[KeptSession],
) -> Vec<String> {
    let backups = folder.list(|name| name.starts_with(".session-transcript-")).unwrap_or_default();
    let newest = backups.iter().map(|entry| entry.stamp.mtime).max();
    let Some(newest) = newest else { return Vec::new() };
    let late = |session: &&KeptSession| utc(session.written) - utc(newest) > SILENCE;
    if !recent.iter().any(|session| late(&session)) {
        return Vec::new();
    }
    let zone = *world.clock.offset();
    let saved = super::saved::last(memory, zone, &[]);
    let reached = crate::import::reached(folder).map(|(reached, _)| reached).unwrap_or_default();
    let mine = recent.iter().filter(late);
    let unsaved: Vec<Unsaved> = mine
        .filter_map(|session| {
            let whose = session.whose(&project.root);
            super::unsaved::one(world, folder, redactor, session, whose, reached.get(&session.id))
        })
        .filter(|unsaved| unsaved.why != UnsavedReason::NoEvent)
        .collect();
    let now = world.now().unwrap_or(world.clock);
    of(saved.as_ref(), &unsaved, &[], now).iter().map(Silence::line).collect()
}

/// What an agent is told that asks whether a summary is due, which it does at the start of a session: also where its
/// client no longer calls, so that no hook can tell it.
pub(crate) fn for_agents(world: &World, project: &Project, memory: &Memory) -> Vec<String> {
    let folder = memory.folder();
    let fired = fired::all(folder);
    let recent = sessions::recent(&project.root, world, sessions::set_up(&project.root));
    let newest =
        folder.list(|name| name == layout::FIRED || name.starts_with(".session-transcript-"));
    let newest = newest.unwrap_or_default().iter().map(|entry| entry.stamp.mtime).max();
    let late =
        |session: &KeptSession| newest.is_none_or(|at| utc(session.written) - utc(at) > SILENCE);
    // Asked at every start of a session: most of the time, two listings answer.
    if !recent.iter().any(late) {
        return Vec::new();
    }
    let silences = now(world, project, memory, &fired);
    let lines = silences.iter().map(Silence::line);
    lines.filter(|line| !hook_log::has(world, folder, line)).collect()
}

/// The silences of now, of which `fired` is when hooks fired.
pub(crate) fn now(
    world: &World,
    project: &Project,
    memory: &Memory,
    fired: &[Fired],
) -> Vec<Silence> {
    let now = world.now().unwrap_or(world.clock);
    let redactor = project.redactor().unwrap_or_else(|_| Redactor::standard());
    let saved = super::saved::last(memory, *now.offset(), fired);
    let unsaved = super::unsaved::look(world, project, memory.folder(), &redactor);
    of(saved.as_ref(), &unsaved, fired, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(&format!("2026-03-{text}:00+01:00")).unwrap()
    }

    fn saved(time: &str) -> Saved {
        Saved {
            at: at(time),
            agent: Some("claude-code"),
            session: "s".to_owned(),
            log: String::new(),
            began: None,
            title: None,
            turns: 1,
            imported: false,
            written: at(time).timestamp_nanos_opt().unwrap(),
        }
    }

    fn missing(first: &str, last: &str, begun: bool) -> Unsaved {
        Unsaved {
            agent: "claude-code",
            session: "t".to_owned(),
            path: "/t.jsonl".into(),
            begun,
            first: Some(at(first)),
            last: Some(at(last)),
            why: UnsavedReason::NoEvent,
            problem: None,
            written: at(last).timestamp_nanos_opt().unwrap(),
        }
    }

    fn fired(time: &str, client: &'static str) -> Fired {
        Fired { event: "SessionStart".to_owned(), at: at(time), client: Some(client) }
    }

    #[test]
    fn more_than_a_session_without_a_call_is_a_silence() {
        let check =
            |saved_at: Option<&str>, calls: &[Fired], unsaved: Unsaved, now: &str, expect: bool| {
                let saved = saved_at.map(saved);
                let found = of(saved.as_ref(), std::slice::from_ref(&unsaved), calls, at(now));
                assert_eq!(!found.is_empty(), expect, "{saved_at:?} {calls:?} {unsaved:?}");
            };
        let day = || missing("15T09:00", "15T17:00", false);
        // Nobody called since yesterday.
        check(Some("14T10:00"), &[], day(), "15T17:01", true);
        check(Some("14T10:00"), &[fired("14T10:00", "claude-code")], day(), "15T17:01", true);
        // It grew for less than six hours.
        check(Some("15T09:00"), &[], missing("15T09:05", "15T15:00", true), "15T15:01", false);
        check(Some("15T09:00"), &[], missing("15T09:05", "15T15:01", true), "15T15:02", true);
        // Its start was reported, and it goes on.
        let start = [fired("15T08:59", "claude-code")];
        check(Some("14T10:00"), &start, day(), "15T17:01", false);
        check(Some("14T10:00"), &start, missing("15T09:00", "15T09:05", false), "16T09:00", false);
        check(Some("14T10:00"), &start, day(), "16T09:00", true);
        // Another client's call says nothing of this one.
        check(Some("14T10:00"), &[fired("15T08:59", "codex")], day(), "15T17:01", true);
        // Never heard of.
        check(None, &[], missing("15T09:00", "15T10:00", false), "15T10:01", false);
        check(None, &[], missing("15T09:00", "15T15:01", false), "15T15:02", true);
    }

    #[test]
    fn a_form_that_is_not_known_is_no_better_for_calls() {
        let calls = [fired("15T16:59", "claude-code")];
        let strange = Unsaved {
            why: UnsavedReason::UnknownForm,
            first: None,
            last: None,
            ..missing("15T09:00", "15T17:00", false)
        };
        let found = of(Some(&saved("14T10:00")), &[strange], &calls, at("15T17:01"));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].line().contains("since 2026-03-14 10:00: its transcripts have a form"),
            "{}",
            found[0].line()
        );
    }

    #[test]
    fn one_silence_has_one_line_for_as_long_as_it_lasts() {
        let first = [missing("15T09:00", "15T17:00", false)];
        let later = [missing("17T09:00", "17T17:00", false), first[0].clone()];
        let said = |unsaved: &[Unsaved]| {
            let found = of(Some(&saved("14T10:00")), unsaved, &[], at("17T17:01"));
            assert_eq!((found.len(), found[0].sessions), (1, unsaved.len()));
            found[0].line()
        };
        assert_eq!(said(&first), said(&later));
    }
}
