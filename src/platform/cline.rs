//! Cline in the terminal: AGENTS.md without imports, and a plugin that tells ROOT.md as a rule and sends what was said.

use super::{ContextField, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "cline",
    name: "Cline",
    evidence: &[".cline"],
    // Of its extension for editors, which loads no plugins.
    hints: &[".clinerules"],
    program: "cline",
    resume: &["cline", "--id", "{session}"],
    home: None,
    protocol_file: "AGENTS.md",
    loads: Loads::OnRequest,
    memory_file: MemoryFile::Unknown,
    start_brings_root: true,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::Cline),
    transcripts: None,
    sets: None,
    moved_by: None,
    signs: Signs {
        paths: &["/.cline/", "/saoudrizwan.claude-dev/"],
        fields: &["clineVersion", "taskId"],
        ..Signs::NONE
    },
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".agents/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: None,
    files: &[(".cline/plugins/hipocampus/index.js", "cline/hipocampus.js")],
    personal: None,
    next_steps: &["Cline: start it anew if it is running, it reads plugins when a session begins"],
    steps_beside: &[],
    skill_sign: Some("/"),
    calls_after: "start `cline` in this folder",
    tenants_lack: None,
    last_steps: &[],
};
