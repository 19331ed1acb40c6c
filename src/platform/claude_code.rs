//! Claude Code: imports in CLAUDE.md, hooks in `.claude/settings.local.json`.

use super::{
    ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Personal, Platform, Signs, Store,
};

pub(super) const ROW: Platform = Platform {
    id: "claude-code",
    name: "Claude Code",
    evidence: &[".claude"],
    hints: &["CLAUDE.md"],
    program: "claude",
    resume: &["claude", "--resume", "{session}"],
    home: None,
    protocol_file: "CLAUDE.md",
    loads: Loads::Imports,
    memory_file: MemoryFile::Unknown,
    start_brings_root: false,
    asks_on_compact: true,
    has_plugins: true,
    store: Some(Store::ClaudeCode),
    transcripts: Some(""),
    sets: Some("CLAUDE_PROJECT_DIR"),
    moved_by: None,
    signs: Signs::NONE,
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: Some(".claude"),
    skills_dir: ".claude/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        // They name the program by its path on this machine, and the other file is the team's.
        file: ".claude/settings.local.json",
        shape: HookShape::Grouped,
        may_be_shared: false,
        was: &[".claude/settings.json"],
        milliseconds: false,
        events: &[
            HookEvent::START_OR_FORK,
            HookEvent::save("PreCompact", 60),
            // Without a timeout of its own the client ends this one after 1.5 s.
            HookEvent::save("SessionEnd", 30),
            HookEvent::save("TaskCompleted", 30),
            HookEvent::PROMPT,
            HookEvent::tool("Read|Edit|Write|MultiEdit|NotebookEdit"),
        ],
    }),
    files: &[],
    personal: Some(Personal {
        variable: "CLAUDE_CONFIG_DIR",
        folder: ".claude",
        hooks: Some("settings.json"),
        skills_dir: "skills",
        files: &[],
    }),
    next_steps: &[],
    steps_beside: &[],
    skill_sign: Some("/"),
    calls_after: "start `claude` in this folder",
    tenants_lack: Some(
        "Claude Code, started in `{tenant}`, has none of the hooks of this project and imports none of its files: it saves with `hipocampus flush` only, and reads the memory when it is told to",
    ),
    last_steps: &[],
};
