//! OpenCode: `instructions` in its config load the hot files, a plugin hands over sessions.

use super::{ContextField, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "opencode",
    name: "OpenCode",
    evidence: &[".opencode", "opencode.json", "opencode.jsonc"],
    hints: &["AGENTS.md"],
    program: "opencode",
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::Instructions {
        files: &[
            "opencode.json",
            "opencode.jsonc",
            ".opencode/opencode.json",
            ".opencode/opencode.jsonc",
        ],
        key: "instructions",
        stale: &[
            ("plugin", ".opencode/plugins/hipocampus.js"),
            ("plugin", "./.opencode/plugins/hipocampus.js"),
        ],
    },
    memory_file: MemoryFile::Loaded,
    start_brings_root: false,
    asks_on_compact: true,
    has_plugins: false,
    store: Some(Store::OpenCode),
    transcripts: None,
    sets: None,
    moved_by: None,
    signs: Signs::NONE,
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".opencode/skills",
    reads_skills_of: &["claude-code", "codex"],
    seeds: &["MEMORY.md", "USER.md"],
    hooks: None,
    files: &[(".opencode/plugins/hipocampus.js", "opencode/hipocampus.js")],
    next_steps: &["OpenCode: restart it if it is running, it reads plugins and config once"],
    skill_sign: Some("/"),
    calls_after: "start `opencode` anew",
    tenants_lack: None,
    last_steps: &[],
};
