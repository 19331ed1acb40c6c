//! Qwen Code: hooks in Claude Code's form in `.qwen/settings.json`, AGENTS.md with imports.

use super::{ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "qwen",
    name: "Qwen Code",
    evidence: &[".qwen"],
    hints: &["QWEN.md"],
    program: "qwen",
    resume: &["qwen", "--resume", "{session}"],
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::Imports,
    memory_file: MemoryFile::Unknown,
    start_brings_root: false,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Qwen),
    transcripts: None,
    sets: None,
    moved_by: None,
    signs: Signs {
        paths: &["/.qwen/"],
        fields: &["submitted_prompt", "context_limit"],
        sets: &["QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR", "QWEN_CODE_CLI"],
        record: &[("provenance", None), ("uuid", None)],
    },
    context: ContextField::NestedAndTop,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".qwen/settings.json",
        shape: HookShape::Grouped,
        may_be_shared: true,
        was: &[],
        // It takes numbers below 1,000 for seconds.
        milliseconds: false,
        events: &[
            HookEvent::START,
            HookEvent::save("PreCompact", 60),
            // Without a terminal it never tells the end of a session.
            HookEvent::save("Stop", 30),
            HookEvent::save("SessionEnd", 30),
            HookEvent::PROMPT,
            HookEvent::tool("read_file|edit|write_file"),
        ],
    }),
    files: &[],
    personal: None,
    next_steps: &[],
    skill_sign: Some("/"),
    calls_after: "start `qwen` in this folder",
    tenants_lack: None,
    last_steps: &[],
};
