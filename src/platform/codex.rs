//! Codex CLI: AGENTS.md without imports, hooks in `.codex/hooks.json` that the user has to trust.

use super::{
    ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Personal, Platform, Signs, Store,
};

pub(super) const ROW: Platform = Platform {
    id: "codex",
    name: "Codex",
    evidence: &[".codex"],
    hints: &["AGENTS.md"],
    program: "codex",
    resume: &["codex", "resume", "{session}"],
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::OnRequest,
    memory_file: MemoryFile::Unknown,
    start_brings_root: true,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Codex),
    transcripts: Some("rollout-"),
    sets: None,
    moved_by: Some("CODEX_HOME"),
    signs: Signs::NONE,
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".codex/hooks.json",
        shape: HookShape::Grouped,
        may_be_shared: true,
        was: &[],
        milliseconds: false,
        events: &[
            // Codex trusts a hook by its bytes: another matcher would switch it off until it is trusted anew.
            HookEvent::START,
            HookEvent::save("PreCompact", 60),
            HookEvent::save("Stop", 30),
            // The client clamps anything longer, with a warning.
            HookEvent::save("SessionEnd", 3),
            HookEvent::PROMPT,
            HookEvent::tool("apply_patch"),
        ],
    }),
    files: &[],
    personal: Some(Personal {
        variable: "CODEX_HOME",
        folder: ".codex",
        hooks: Some("hooks.json"),
        skills_dir: "skills",
        files: &[],
    }),
    next_steps: &[
        "Codex: start `codex` in {project}, trust the project, then open `/hooks` and trust the hipocampus hooks; until then Codex skips them without a word",
    ],
    steps_beside: &[],
    skill_sign: Some("$"),
    calls_after: "start `codex`, open `/hooks`, trust the hooks of hipocampus",
    tenants_lack: None,
    last_steps: &[],
};
