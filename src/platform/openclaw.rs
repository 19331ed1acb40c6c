//! OpenClaw: a workspace hook loads the hot files, a typed plugin hands over sessions. Both are
//! switched on in `~/.openclaw`, which is the user's to do.

use super::{ContextField, Loads, MemoryFile, Platform, Signs, Store};

pub(super) const ROW: Platform = Platform {
    id: "openclaw",
    name: "OpenClaw",
    evidence: &["SOUL.md", "IDENTITY.md"],
    hints: &[],
    program: "openclaw",
    resume: &["openclaw", "agent", "--local", "--session-id", "{session}", "--message", "go on"],
    home: Some(".openclaw"),
    protocol_file: "AGENTS.md",
    loads: Loads::OnRequest,
    memory_file: MemoryFile::Mirrors,
    start_brings_root: false,
    asks_on_compact: false,
    has_plugins: false,
    store: Some(Store::OpenClaw),
    transcripts: None,
    sets: None,
    moved_by: None,
    signs: Signs::NONE,
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: "skills",
    reads_skills_of: &[],
    seeds: &["MEMORY.md", "USER.md"],
    hooks: None,
    files: &[
        ("hooks/hipocampus-compact/HOOK.md", "openclaw/hook/HOOK.md"),
        ("hooks/hipocampus-compact/handler.js", "openclaw/hook/handler.js"),
        (
            ".hipocampus/openclaw-plugin/openclaw.plugin.json",
            "openclaw/plugin/openclaw.plugin.json",
        ),
        (".hipocampus/openclaw-plugin/package.json", "openclaw/plugin/package.json"),
        (".hipocampus/openclaw-plugin/index.js", "openclaw/plugin/index.js"),
    ],
    // Its workspaces lie in the home, and are no repository of a team.
    personal: None,
    next_steps: &[
        "OpenClaw: `openclaw hooks enable hipocampus-compact` loads the hot files",
        "OpenClaw: `openclaw plugins install --link {plugin}` and `openclaw config set plugins.entries.hipocampus.hooks.allowConversationAccess true` let it save sessions; OpenClaw asks for your consent",
        "OpenClaw: `openclaw gateway restart` when both are done",
        "OpenClaw: another agent has a folder of its own ({project}/ID, unless another is set), and no memory until `hipocampus init --platform openclaw` is run there",
    ],
    steps_beside: &[],
    skill_sign: None,
    calls_after: "`hipocampus init` prints what to enable in it",
    tenants_lack: Some(
        "OpenClaw reads AGENTS.md and skills in an agent's own workspace only, and `{tenant}` has neither: an agent that works there is recorded, and has to be told how to use the memory",
    ),
    last_steps: &[
        "OpenClaw: `openclaw plugins uninstall hipocampus` and `openclaw hooks disable hipocampus-compact` if you had set them up",
    ],
};
