//! Cursor, the editor and `cursor-agent`: hooks in `.cursor/hooks.json`, AGENTS.md, of which nobody has seen that it
//! expands imports.
//!
//! It reads the section, the hooks and the skills of Claude Code as they are, so a project that has these needs none of
//! its own. What its hooks are given names no folder but those of the workspace.

use super::{ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "cursor",
    name: "Cursor",
    evidence: &[".cursor"],
    hints: &[".cursorrules"],
    program: "cursor-agent",
    resume: &["cursor-agent", "--resume={session}"],
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::OnRequest,
    memory_file: MemoryFile::Unknown,
    start_brings_root: true,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Cursor),
    transcripts: None,
    sets: None,
    moved_by: Some("CURSOR_DATA_DIR"),
    signs: Signs {
        paths: &["/.cursor/projects/", "/agent-transcripts/"],
        fields: &["cursor_version", "conversation_id", "workspace_roots"],
        sets: &["CURSOR_VERSION", "CURSOR_TRANSCRIPT_PATH", "CURSOR_PROJECT_DIR"],
        record: &[("role", None), ("message", None)],
    },
    context: ContextField::TopWithin(10_000),
    reads_files_of: Some("claude-code"),
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &["claude-code"],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".cursor/hooks.json",
        shape: HookShape::Flat,
        may_be_shared: true,
        was: &[],
        milliseconds: false,
        events: &[
            HookEvent { event: "sessionStart", matcher: None, ..HookEvent::START },
            HookEvent::save("preCompact", 60),
            HookEvent::save("stop", 30),
            HookEvent::save("sessionEnd", 30),
            HookEvent { event: "beforeSubmitPrompt", ..HookEvent::PROMPT },
            HookEvent { event: "postToolUse", ..HookEvent::tool("Read|Write|StrReplace") },
        ],
    }),
    files: &[],
    personal: None,
    next_steps: &[],
    steps_beside: &[
        "Cursor: beside Claude Code it runs the hooks of that one, once `Include third-party Plugins, Skills, and other configs` is on in its settings",
    ],
    skill_sign: Some("/"),
    calls_after: "open this folder in Cursor, or start `cursor-agent` in it",
    tenants_lack: None,
    last_steps: &[],
};
