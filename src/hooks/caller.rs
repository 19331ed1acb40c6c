//! Which agent calls a hook: recognised by its payload and environment, never attributed to another one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::capture::hook_input::HookInput;
use crate::capture::transcript;
use crate::disk::{Transcript, read_range};
use crate::import;
use crate::platform::{self, ALL, OTHERS, OtherAgent, Platform, Signs, UNKNOWN};
use crate::world::World;

/// How much of a transcript is looked at to tell whose it is, in bytes.
const LOOK: u64 = 64 * 1024;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// an agent whose sessions can be read
    Known(&'static Platform),
    /// another one
    Other(&'static OtherAgent),
    /// nothing tells
    Untold,
}

impl Caller {
    pub(crate) fn known(self) -> Option<&'static Platform> {
        match self {
            Self::Known(row) => Some(row),
            Self::Other(_) | Self::Untold => None,
        }
    }

    pub(crate) fn other(self) -> Option<&'static OtherAgent> {
        match self {
            Self::Other(row) => Some(row),
            Self::Known(_) | Self::Untold => None,
        }
    }

    pub(crate) fn id(self) -> Option<&'static str> {
        self.known().map(|row| row.id).or_else(|| self.other().map(|row| row.id))
    }
}

/// The agent that calls: as our own plugins say it, else by where the transcript lies, else by what only one agent
/// hands its hooks or sets for them, else by what is in the transcript, else by an event that only one of them has, of
/// all or of those that the project is `configured` for.
pub(crate) fn caller(hook: &HookInput, world: &World, configured: &[String]) -> Caller {
    if let Some(row) = hook.platform.as_deref().and_then(platform::by_id) {
        return Caller::Known(row);
    }
    let path = import::transcript_of(hook, world);
    let shown = path.as_deref().map(Path::to_string_lossy).unwrap_or_default();
    let lies = |signs: &Signs| signs.paths.iter().any(|part| shown.contains(part));
    let hands = |signs: &Signs| signs.fields.iter().any(|name| hook.fields.contains(*name));
    let sets = |signs: &Signs| signs.sets.iter().any(|name| world.var(name).is_some());
    if let Some(caller) = by_signs(lies) {
        return caller;
    }
    let by_path = path.as_deref().and_then(by_name);
    if let Some(row) = by_path.filter(|row| is_at_home(row, &shown, world)) {
        return Caller::Known(row);
    }
    // What is set may be inherited from an agent that started this one.
    if let Some(caller) = by_signs(hands).or_else(|| by_signs(sets)) {
        return caller;
    }
    if let (Some(row), Some(path)) = (by_path, &path) {
        return by_records(path).unwrap_or(Caller::Known(row));
    }
    if hook.fields.contains("timestamp") {
        // Those that can be read and tell the time have other signs.
        return Caller::Other(&UNKNOWN);
    }
    by_event(hook, world, configured).map_or(Caller::Untold, Caller::Known)
}

/// The agent that has signs of which this holds. Asked in the order of the rows: some agents set the variables of
/// others as well.
fn by_signs(holds: impl Fn(&Signs) -> bool) -> Option<Caller> {
    let others = OTHERS.iter().map(|row| (&row.signs, Caller::Other(row)));
    let known = ALL.iter().map(|row| (&row.signs, Caller::Known(row)));
    others.chain(known).find(|(signs, _)| holds(signs)).map(|(_, caller)| caller)
}

/// The agent whose transcripts have such a name.
fn by_name(path: &Path) -> Option<&'static Platform> {
    let name = path.file_name()?.to_str()?;
    let begins = |row: &&Platform| row.transcripts.filter(|start| name.starts_with(start));
    let rows = ALL.iter().copied().filter(|row| begins(row).is_some());
    rows.max_by_key(|row| begins(row).map(str::len))
}

/// Whether a transcript lies in the folder of its agent, or has a name that only this one gives.
fn is_at_home(row: &Platform, path: &str, world: &World) -> bool {
    let moved = row.moved_by.and_then(|name| world.var(name)).map(PathBuf::from);
    row.transcripts.is_some_and(|start| !start.is_empty())
        || path.contains(&format!("/.{}/", row.program))
        || moved.is_some_and(|home| Path::new(path).starts_with(home))
}

/// The agent that wrote a transcript, by its first records; `None` where they show no agent's signs although they can
/// be read, or where there is none to look at.
pub(crate) fn by_records(path: &Path) -> Option<Caller> {
    let file = Transcript::open(path).ok()?;
    let bytes = read_range(&file.file, 0..file.size.min(LOOK)).ok()?;
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let records =
        || lines.iter().filter_map(|line| serde_json::from_slice::<Map<String, Value>>(line).ok());
    let first = |signs: &Signs| records().take(2).any(|record| signs.has_written(&record));
    if let Some(caller) = by_signs(first) {
        return Some(caller);
    }
    let is_known = |line: &&[u8]| transcript::is_known(line);
    let has_records = records().next().is_some();
    (has_records && !lines.iter().any(is_known)).then_some(Caller::Other(&UNKNOWN))
}

fn by_event(hook: &HookInput, world: &World, configured: &[String]) -> Option<&'static Platform> {
    // Agents with signs of their own are known by these.
    let known = || ALL.iter().copied().filter(|row| row.signs == Signs::NONE);
    let is_set = |variable: Option<&str>| variable.is_some_and(|name| world.var(name).is_some());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_told_by_its_call() {
        let world = World::for_tests();
        let by = |event: &str, configured: &[&str], expect: Option<&str>| {
            let hook = HookInput { event: event.to_owned(), ..HookInput::default() };
            let configured: Vec<_> = configured.iter().map(|&id| id.to_owned()).collect();
            let found = caller(&hook, &world, &configured).id();
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
            assert_eq!(caller(&hook, &world, &[]).id(), expect, "{event} {path} {platform}");
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
