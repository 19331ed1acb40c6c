//! Gemini CLI: imports in GEMINI.md, hooks in `.gemini/settings.json`.
//!
//! Its `PreCompress` comes before every call of the model, so it is left out: the file of a session is only added to.
//! What `SessionStart` prints is glued to the first prompt, which the agent then loses when the session is resumed. So
//! that hook is not used; the next event catches up.

use super::{ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "gemini",
    name: "Gemini CLI",
    evidence: &[".gemini"],
    hints: &["GEMINI.md"],
    program: "gemini",
    resume: &["gemini", "--resume", "{session}"],
    home: None,
    protocol_file: "GEMINI.md",
    loads: Loads::Imports,
    memory_file: MemoryFile::Unknown,
    start_brings_root: false,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Gemini),
    transcripts: None,
    sets: None,
    moved_by: None,
    signs: Signs {
        paths: &["/.gemini/"],
        fields: &["prompt_response"],
        sets: &["GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_PROJECT_DIR"],
        record: &[("projectHash", None), ("sessionId", None)],
    },
    context: ContextField::NestedAndTop,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".gemini/settings.json",
        shape: HookShape::Grouped,
        may_be_shared: true,
        was: &[],
        milliseconds: true,
        events: &[
            HookEvent::save("AfterAgent", 30),
            HookEvent::save("SessionEnd", 30),
            HookEvent { event: "BeforeAgent", ..HookEvent::PROMPT },
            HookEvent { event: "AfterTool", ..HookEvent::tool("read_file|replace|write_file") },
        ],
    }),
    files: &[],
    personal: None,
    next_steps: &[
        "Gemini CLI: trust the folder when `gemini` asks; in one that is not trusted it runs no hooks",
    ],
    steps_beside: &[],
    skill_sign: None,
    calls_after: "start `gemini` in this folder and trust it",
    tenants_lack: None,
    last_steps: &[],
};
