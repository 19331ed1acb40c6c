//! GitHub Copilot, in the terminal and in VS Code: both call the same hooks and record the same events.
//!
//! It reads the section, the hooks and the skills of Claude Code as they are, so a project that has these needs none of
//! its own. Hooks in a folder that the user has not trusted do not run.

use super::{ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "copilot",
    name: "GitHub Copilot",
    evidence: &[".github/hooks", ".github/copilot"],
    hints: &[".github/copilot-instructions.md"],
    program: "copilot",
    resume: &["copilot", "--resume={session}"],
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::Imports,
    memory_file: MemoryFile::Unknown,
    start_brings_root: false,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Copilot),
    transcripts: None,
    sets: None,
    moved_by: Some("COPILOT_HOME"),
    signs: Signs {
        paths: &["/session-state/", "/GitHub.copilot-chat/", "/workspaceStorage/"],
        fields: &[
            "initial_prompt",
            "initialPrompt",
            "transcriptPath",
            "sessionId",
            "hookEventName",
        ],
        sets: &["COPILOT_CLI", "COPILOT_PROJECT_DIR"],
        record: &[("type", Some("session.start"))],
    },
    context: ContextField::NestedAndTop,
    reads_files_of: Some("claude-code"),
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &["claude-code"],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".github/hooks/hipocampus.json",
        shape: HookShape::Grouped,
        may_be_shared: false,
        was: &[],
        milliseconds: false,
        events: &[
            HookEvent::START,
            HookEvent::save("PreCompact", 60),
            HookEvent::save("Stop", 30),
            HookEvent::save("SessionEnd", 30),
            HookEvent::PROMPT,
            HookEvent::tool("Read|Edit|Write|MultiEdit"),
        ],
    }),
    files: &[],
    personal: None,
    next_steps: &[
        "GitHub Copilot: start `copilot` in {project} and trust the folder; until then it skips the hooks without a word",
    ],
    steps_beside: &[],
    skill_sign: Some("/"),
    calls_after: "start `copilot` in this folder and trust it",
    tenants_lack: None,
    last_steps: &[],
};
