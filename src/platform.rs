//! Where things go for each agent: one static row per client.
//!
//! A fifth client is one file in `platform/`, one entry in [`ALL`] and its templates. Help, detection,
//! `init`, `update`, `uninstall`, `status` and the tests go through [`ALL`]. If it records in a format of its own, that
//! is a file in `capture/transcript/` and one in `import/past/`, under a new [`Store`].

mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini;
mod hooks;
#[cfg(test)]
mod made_up;
mod openclaw;
mod opencode;
mod others;
mod qwen;
mod signs;

use crate::splice::hooks::HookEntry;
pub(crate) use crate::splice::hooks::HookShape;
pub(crate) use hooks::{HookEvent, Hooks};
pub(crate) use others::{OTHERS, OtherAgent, UNKNOWN, other_by_id};
pub(crate) use signs::Signs;

/// Every client, in the order detection prefers them.
pub const ALL: &[&Platform] = &[
    &claude_code::ROW,
    &codex::ROW,
    &opencode::ROW,
    &openclaw::ROW,
    &copilot::ROW,
    &cline::ROW,
    &cursor::ROW,
    &droid::ROW,
    // It sets the variables of Gemini CLI as well.
    &qwen::ROW,
    &gemini::ROW,
    #[cfg(test)]
    &made_up::ROW,
];

/// What a client needs from a project, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Platform {
    /// the value of `--platform` and of the config
    pub id: &'static str,
    /// the client's name
    pub name: &'static str,
    /// paths that only this client leaves in a project
    pub evidence: &'static [&'static str],
    /// texts that it reads and others do, too: they hint at it
    pub hints: &'static [&'static str],
    /// what people start it with
    pub program: &'static str,
    /// the command that goes on with a session, word by word; `{session}` is its id
    pub resume: &'static [&'static str],
    /// a folder of the user's home whose subfolders are this client's workspaces
    pub home: Option<&'static str>,
    /// the file that tells the agent about the memory
    pub protocol_file: &'static str,
    /// how the hot files get into the context
    pub loads: Loads,
    /// what its MEMORY.md is to it
    pub memory_file: MemoryFile,
    /// whether a session has ROOT.md only if the hook at its start prints it
    pub start_brings_root: bool,
    /// whether its compaction reads what a hook prints as instructions
    pub asks_on_compact: bool,
    /// whether it knows plugins that do what `init` sets up a second time
    pub has_plugins: bool,
    /// how it keeps sessions, where `import` can read them
    pub store: Option<Store>,
    /// how the names of the transcripts begin that its hooks are given; the longest fitting one counts
    pub transcripts: Option<&'static str>,
    /// the variable that it sets for its hooks
    pub sets: Option<&'static str>,
    /// the variable by which a user moves its folder; others may see it as well
    pub moved_by: Option<&'static str>,
    /// what tells its calls and records where others read the same hooks
    pub(crate) signs: Signs,
    /// where it looks for the context in a hook's answer
    pub context: ContextField,
    /// the agent whose section and hooks it reads as they are, so that it needs none of its own beside these
    pub reads_files_of: Option<&'static str>,
    /// the folder that a linked git worktree lacks where the client runs the hooks of the main one there
    pub lends_hooks: Option<&'static str>,
    /// where its skills live
    pub skills_dir: &'static str,
    /// other clients whose skill folders it reads as well
    pub reads_skills_of: &'static [&'static str],
    /// seed files beside the three that all have
    pub seeds: &'static [&'static str],
    /// its hooks, as entries of a JSON file
    pub hooks: Option<Hooks>,
    /// files written whole: path and template
    pub files: &'static [(&'static str, &'static str)],
    /// what it reads in the user's home, in every project; without that there are no private projects for it
    pub personal: Option<Personal>,
    /// what only the user can do after `init`; `{project}` is the project's path, `{plugin}` that of
    /// [`OPENCLAW_PLUGIN`] as a word of a shell
    pub next_steps: &'static [&'static str],
    /// the same where it uses the files of another agent
    pub steps_beside: &'static [&'static str],
    /// what is before the name of a skill where the user types it; `None` where a skill is asked for in words
    pub skill_sign: Option<&'static str>,
    /// what the user does in it so that it calls hipocampus, once everything is in place
    pub calls_after: &'static str,
    /// what a tenant does without on this client; `{tenant}` is its folder below the project
    pub tenants_lack: Option<&'static str>,
    /// what only the user can do after `uninstall`
    pub last_steps: &'static [&'static str],
}

/// A client's folder in the user's home, and what it reads there.
#[derive(Debug, PartialEq, Eq)]
pub struct Personal {
    /// the variable that moves the folder
    pub variable: &'static str,
    /// the folder, below the home
    pub folder: &'static str,
    /// below the folder: the file of hooks
    pub hooks: Option<&'static str>,
    /// where skills live
    pub skills_dir: &'static str,
    /// files written whole: path and template
    pub files: &'static [(&'static str, &'static str)],
}

/// How the hot files get into an agent's context.
#[derive(Debug, PartialEq, Eq)]
pub enum Loads {
    /// `@path` lines in the section file
    Imports,
    /// an array of paths in the first of these JSON files that is there, the first one else
    Instructions {
        /// the JSON files, in the client's order
        files: &'static [&'static str],
        /// the key of the array
        key: &'static str,
        /// further arrays the npm tool put strings into: key and string
        stale: &'static [(&'static str, &'static str)],
    },
    /// the agent reads them itself, told to by the section
    OnRequest,
}

/// Where an agent looks for the context in a hook's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextField {
    /// in `hookSpecificOutput`; Codex drops an answer that has it anywhere else
    Nested,
    /// there, or at the top
    NestedAndTop,
    /// as `additional_context` at the top, of at most so many UTF-16 units: of a longer one all is lost
    TopWithin(usize),
}

/// What MEMORY.md is to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryFile {
    /// a file like any other
    Unknown,
    /// loaded beside ROOT.md, so that no copy of that belongs in it
    Loaded,
    /// what it loads in place of ROOT.md, which therefore has a copy in it
    Mirrors,
}

/// How a client keeps sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// a JSONL file for each session, in a folder for each project, deleted after some weeks
    ClaudeCode,
    /// rollouts in folders by day, some of them in a database
    Codex,
    /// a database
    OpenCode,
    /// a database for each agent, and older JSONL files
    OpenClaw,
    /// a folder for each session with its events in a JSONL file
    Copilot,
    /// a JSONL file for each session, in a folder for each project
    Droid,
    /// the same
    Qwen,
    /// the same, deleted after a month
    Gemini,
    /// a JSON file for each session, in a folder of its own, written anew as a whole
    Cline,
    /// the same, in records without ids, and with the minute of a prompt at most
    Cursor,
}

impl Store {
    /// Whether the client deletes sessions by itself when they are old.
    pub fn is_cleaned(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Gemini)
    }

    /// Whether a session that is taken up again still has what the hook at its start printed.
    pub(crate) fn keeps_start(self) -> bool {
        self != Self::Droid
    }
}

/// OpenClaw's plugin, in the project.
pub(crate) const OPENCLAW_PLUGIN: &str = ".hipocampus/openclaw-plugin";

/// The hot files every client has.
pub(crate) const SEEDS: [&str; 3] = ["SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"];

/// The skills, in the order they are written.
pub const SKILLS: [&str; 5] = ["core", "compaction", "recall", "search", "flush"];

impl Platform {
    /// The entries of its hooks file.
    pub fn entries(&self, program: &str) -> Vec<HookEntry> {
        let program = crate::splice::command::quote(program);
        let Some(hooks) = &self.hooks else { return Vec::new() };
        let unit = if hooks.milliseconds { 1000 } else { 1 };
        let entry = |event: &HookEvent| HookEntry {
            event: event.event,
            matcher: event.matcher,
            command: format!("{program} {}", event.arguments),
            timeout: event.timeout * unit,
            shape: hooks.shape,
        };
        hooks.events.iter().map(entry).collect()
    }

    /// Whether it calls hooks, and none of them when a session starts: what an earlier one missed is made up for when
    /// one is saved.
    pub(crate) fn starts_unheard(&self) -> bool {
        let is_start = |event: &HookEvent| event.arguments == HookEvent::START.arguments;
        self.hooks.as_ref().is_some_and(|hooks| !hooks.events.iter().any(is_start))
    }

    /// The entries of its hooks file in the user's home, for private projects.
    pub fn private_entries(&self, program: &str) -> Vec<HookEntry> {
        let mut entries = self.entries(program);
        for entry in &mut entries {
            entry.command = format!("{} {}", entry.command, crate::splice::command::PRIVATE);
        }
        entries
    }

    /// The files that `Loads::Instructions` names, ROOT.md first.
    pub fn hot_files(&self) -> Vec<&'static str> {
        ["memory/ROOT.md"].iter().chain(&SEEDS).chain(self.seeds).copied().collect()
    }

    /// The path of one of its skills.
    pub fn skill_path(&self, skill: &str) -> String {
        format!("{}/hipocampus-{skill}/SKILL.md", self.skills_dir)
    }
}

/// Those that exist.
#[cfg(test)]
pub(crate) fn real() -> impl Iterator<Item = &'static Platform> + Clone {
    ALL.iter().copied().filter(|row| row.id != made_up::ROW.id)
}

/// The client with this id.
pub fn by_id(id: &str) -> Option<&'static Platform> {
    ALL.iter().copied().find(|platform| platform.id == id)
}

/// The id of the client that keeps sessions like this; empty if none does.
pub(crate) fn id_of(store: Store) -> &'static str {
    ALL.iter().find(|row| row.store == Some(store)).map_or("", |row| row.id)
}

/// The ids, for messages: `claude-code, codex, ...`.
pub(crate) fn ids() -> String {
    ALL.iter().map(|platform| platform.id).collect::<Vec<_>>().join(", ")
}

/// Those of the configured clients that get a section and hooks of their own.
pub(crate) fn with_own_files(platforms: &[&'static Platform]) -> Vec<&'static Platform> {
    let is_there = |id: &str| platforms.iter().any(|row| row.id == id);
    platforms.iter().copied().filter(|row| !row.reads_files_of.is_some_and(is_there)).collect()
}

/// Those of the configured clients that get skills of their own.
pub(crate) fn with_own_skills(platforms: &[&'static Platform]) -> Vec<&'static Platform> {
    let reads_anothers = |platform: &&Platform| {
        platforms.iter().any(|other| platform.reads_skills_of.contains(&other.id))
    };
    platforms.iter().copied().filter(|platform| !reads_anothers(platform)).collect()
}

/// Which client a project belongs to, going by what lies in it. `is_there` looks for a path in the
/// project; `folder` is the project's path with `/` between names. The first is taken, the others are
/// worth a word.
pub(crate) fn detect(is_there: impl Fn(&str) -> bool, folder: &str) -> Vec<&'static Platform> {
    let below = |home: &str| folder.split('/').any(|name| name == home);
    let fits = |platform: &&&'static Platform| {
        platform.evidence.iter().any(|path| is_there(path)) || platform.home.is_some_and(below)
    };
    ALL.iter().filter(fits).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_of_any_kind_is_listened_to() {
        for (id, forks) in [("claude-code", true), ("codex", false)] {
            let row = ALL.iter().find(|row| row.id == id).unwrap();
            let entries = row.entries("/bin/hipocampus");
            let start = entries.iter().find(|entry| entry.event == "SessionStart").unwrap();
            let kinds: Vec<&str> = start.matcher.unwrap().split('|').collect();
            assert!(
                ["startup", "resume", "clear", "compact"].iter().all(|kind| kinds.contains(kind))
            );
            assert_eq!(kinds.contains(&"fork"), forks, "{id}");
        }
    }

    #[test]
    fn only_unmistakable_evidence_counts() {
        #[track_caller]
        fn check(there: &[&str], folder: &str, expect: &[&str]) {
            let found = detect(|path| there.contains(&path), folder);
            assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), expect, "{there:?}");
        }
        check(&["AGENTS.md"], "/home/x/p", &[]);
        check(&[".claude"], "/p", &["claude-code"]);
        check(&[".codex", "AGENTS.md"], "/p", &["codex"]);
        check(&["opencode.jsonc"], "/p", &["opencode"]);
        check(&[".opencode"], "/p", &["opencode"]);
        check(&["SOUL.md", "AGENTS.md"], "/p", &["openclaw"]);
        check(&[], "/home/x/.openclaw/workspace", &["openclaw"]);
        check(&[".opencode", ".claude", ".codex"], "/p", &["claude-code", "codex", "opencode"]);
    }

    #[test]
    fn opencode_reads_the_skills_of_others() {
        #[track_caller]
        fn check(ids: &[&str], expect: &[&str]) {
            let rows: Vec<_> = ids.iter().map(|id| by_id(id).unwrap()).collect();
            let own = with_own_skills(&rows);
            assert_eq!(own.iter().map(|row| row.id).collect::<Vec<_>>(), expect);
        }
        check(&["opencode"], &["opencode"]);
        check(&["opencode", "codex"], &["codex"]);
        check(&["claude-code", "codex", "opencode"], &["claude-code", "codex"]);
        check(&["opencode", "openclaw"], &["opencode", "openclaw"]);
    }

    #[test]
    fn session_end_fits_into_what_codex_allows() {
        let codex = by_id("codex").unwrap().entries("/b/hipocampus");
        let end = codex.iter().find(|entry| entry.event == "SessionEnd").unwrap();
        assert!(end.timeout <= 3);
        assert_eq!(end.command, "\"/b/hipocampus\" compact --stdin");
        // Seconds, not milliseconds.
        let all = ALL.iter().flat_map(|row| &row.hooks).flat_map(|hooks| hooks.events);
        assert!(all.clone().all(|event| event.timeout <= 60));
    }
}
