//! When hooks last fired, and which client called: `memory/.hipocampus.log-fired`.
//!
//! A line `EVENT MOMENT CLIENT` for each, latest first; `CLIENT` is left out where the call does not tell it. Written at
//! every event anyway, so knowing the client costs no write.

use std::path::Path;

use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::capture::hook_input::HookInput;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::platform::{self, ALL, Platform};
use crate::text::moment;
use crate::world::World;

/// The most lines that are kept.
const MOST: usize = 20;

/// The last time a client's hook fired for an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Fired {
    /// the event, as the client calls it
    pub(crate) event: String,
    pub(crate) at: DateTime<FixedOffset>,
    pub(crate) client: Option<&'static str>,
}

pub(crate) fn keep(memory: &Folder, fired: &Fired) {
    let event: String = fired.event.chars().filter(|c| in_event(*c)).take(40).collect();
    if event.is_empty() {
        return;
    }
    let fired = Fired { event, ..fired.clone() };
    let same = |other: &Fired| (&other.event, other.client) == (&fired.event, fired.client);
    let mut all: Vec<_> = all(memory).into_iter().filter(|other| !same(other)).collect();
    all.insert(0, fired);
    all.truncate(MOST);
    let lines: String = all.iter().map(line).collect();
    let _ = memory.replace(layout::FIRED, lines.as_bytes(), Write::CACHED);
}

fn line(fired: &Fired) -> String {
    let client = fired.client.map(|id| format!(" {id}")).unwrap_or_default();
    format!("{} {}{client}\n", fired.event, moment(fired.at))
}

/// What fired, latest first.
pub(crate) fn all(memory: &Folder) -> Vec<Fired> {
    let one = |line: &str| {
        let mut words = line.split(' ');
        let event = words.next().filter(|event| event.chars().all(in_event))?;
        let at = DateTime::parse_from_rfc3339(words.next()?).ok()?;
        let client = words.next().map(platform::by_id);
        let known = client.is_none_or(|row| row.is_some()) && words.next().is_none();
        let client = client.flatten().map(|row| row.id);
        known.then(|| Fired { event: event.to_owned(), at, client })
    };
    memory.text(layout::FIRED).lines().filter_map(one).collect()
}

/// The latest of these that a client may have been the one to call. A line of a version that did not write down who
/// called counts for every client.
pub(crate) fn by<'a>(fired: &'a [Fired], client: &str) -> Option<&'a Fired> {
    let mut of_it = fired.iter().filter(|fired| fired.client.is_none_or(|id| id == client));
    let first = of_it.next()?;
    Some(of_it.fold(first, |latest, other| if other.at > latest.at { other } else { latest }))
}

/// The client that calls: as our own plugins say it, else by where the transcript lies, else by what a client sets for its
/// hooks, else by an event that only one of them has, of all or of those that the project is `configured` for.
pub(crate) fn caller(
    hook: &HookInput,
    world: &World,
    configured: &[String],
) -> Option<&'static Platform> {
    if let Some(row) = hook.platform.as_deref().and_then(platform::by_id) {
        return Some(row);
    }
    let known = || ALL.iter().copied();
    let is_set = |variable: Option<&str>| variable.is_some_and(|name| world.var(name).is_some());
    let path = hook.transcript_path.as_deref().or_else(|| world.var("TRANSCRIPT_PATH"));
    let name = path.map(Path::new).and_then(Path::file_name).and_then(|name| name.to_str());
    if let Some(name) = name {
        let begins = |row: &&Platform| row.transcripts.filter(|start| name.starts_with(start));
        return known()
            .filter(|row| begins(row).is_some())
            .max_by_key(|row| begins(row).map(str::len));
    }
    if let Some(row) = known().find(|row| is_set(row.sets)) {
        return Some(row);
    }
    let has = |row: &&Platform| {
        let events = row.hooks.iter().flat_map(|hooks| hooks.events);
        events.into_iter().any(|known| known.event == hook.event)
    };
    let of_event: Vec<_> = known().filter(has).collect();
    let of_project = || of_event.iter().filter(|row| configured.iter().any(|id| id == row.id));
    // Whoever sets something for its hooks would have set it.
    let sets_nothing = || of_project().filter(|row| row.sets.is_none());
    only(of_event.iter())
        .or_else(|| known().find(|row| is_set(row.moved_by)))
        .or_else(|| only(of_project()))
        .or_else(|| only(sets_nothing()))
}

/// The only one of these.
fn only<'a>(mut rows: impl Iterator<Item = &'a &'static Platform>) -> Option<&'static Platform> {
    let first = rows.next()?;
    rows.next().is_none().then_some(*first)
}

fn in_event(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '_' | '-')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    fn at(text: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(text).unwrap()
    }

    #[test]
    fn the_last_time_of_each_event_and_client_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let (early, late) = (at("2026-03-15T14:02:11+01:00"), at("2026-03-15T15:02:11+01:00"));
        let fire = |event: &str, at, client| {
            keep(&memory, &Fired { event: event.to_owned(), at, client });
        };
        fire("PreCompact", early, Some("codex"));
        fire("PreCompact", early, Some("claude-code"));
        fire("Session\nEnd", early, None);
        fire("PreCompact", late, Some("codex"));
        fire("", late, None);
        let text = std::fs::read_to_string(dir.path().join(layout::FIRED)).unwrap();
        assert_eq!(
            text,
            "PreCompact 2026-03-15T15:02:11+01:00 codex\n\
             SessionEnd 2026-03-15T14:02:11+01:00\n\
             PreCompact 2026-03-15T14:02:11+01:00 claude-code\n"
        );
        let all = all(&memory);
        assert_eq!(by(&all, "codex").unwrap().at, late);
        assert_eq!(by(&all, "claude-code").unwrap().event, "SessionEnd");
        assert_eq!(by(&all[..1], "claude-code"), None);
    }

    #[test]
    fn lines_of_another_form_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let check = |line: &str, expect: usize| {
            std::fs::write(dir.path().join(layout::FIRED), line).unwrap();
            assert_eq!(all(&memory).len(), expect, "{line:?}");
        };
        check("Stop 2026-03-15T14:02:11+01:00\n", 1);
        check("Stop 2026-03-15T14:02:11+01:00 codex\n", 1);
        check("Stop 2026-03-15T14:02:11+01:00 nobody\n", 0);
        check("Stop 2026-03-15T14:02:11+01:00 codex x\n", 0);
        check("Stop do as I say\n", 0);
        check("St\u{1b}op 2026-03-15T14:02:11+01:00\n", 0);
    }

    #[test]
    fn the_client_is_told_by_its_call() {
        let world = World::for_tests();
        let by = |event: &str, configured: &[&str], expect: Option<&str>| {
            let hook = HookInput { event: event.to_owned(), ..HookInput::default() };
            let configured: Vec<_> = configured.iter().map(|&id| id.to_owned()).collect();
            let found = caller(&hook, &world, &configured).map(|row| row.id);
            assert_eq!(found, expect, "{event} {configured:?}");
        };
        by("SessionStart", &["codex"], Some("codex"));
        by("SessionStart", &["claude-code"], Some("claude-code"));
        by("SessionStart", &["claude-code", "codex", "opencode"], Some("codex"));
        by("SessionStart", &["opencode"], None);
        by("SessionStart", &[], None);
        let check = |event: &str, path: &str, platform: &str, expect: Option<&str>| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let hook = HookInput {
                event: event.to_owned(),
                transcript_path: some(path),
                platform: some(platform),
                ..HookInput::default()
            };
            assert_eq!(
                caller(&hook, &world, &[]).map(|row| row.id),
                expect,
                "{event} {path} {platform}"
            );
        };
        check("Stop", "/h/rollout-x.jsonl", "", Some("codex"));
        check("Stop", "/h/.claude/projects/x/s.jsonl", "", Some("claude-code"));
        check("session.idle", "", "opencode", Some("opencode"));
        check("TaskCompleted", "", "", Some("claude-code"));
        check("Stop", "", "", Some("codex"));
        check("PreCompact", "", "", None);
        check("PreCompact", "", "somebody", None);
    }
}
