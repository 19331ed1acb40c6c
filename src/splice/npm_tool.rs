//! What the npm tool wrote into the files of a project, as far as `init`, `update` and `uninstall` have to know it
//! again.
//!
//! Its nodes are recognised in `memory/heal.rs`, its lines of MEMORY.md in `memory/root/mirror.rs`.

use super::Marks;
use super::json::JsonKey;

/// How its section begins in CLAUDE.md and AGENTS.md, between the marks that ours has too.
pub(super) const PROTOCOL_HEADING: &str = "## Hipocampus";

/// Lines it wrote below its block in CLAUDE.md; ours are inside the block.
pub(super) const IMPORTS: [&str; 6] = [
    "@memory/ROOT.md",
    "@SCRATCHPAD.md",
    "@WORKING.md",
    "@TASK-QUEUE.md",
    "@MEMORY.md",
    "@USER.md",
];

/// How its parts of `.gitignore` begin.
pub(super) const IGNORE_HEADINGS: [&str; 2] =
    ["# hipocampus - personal memory (don't commit)", "# hipocampus plugin (generated)"];

/// The lines that can follow.
pub(super) const IGNORE_LINES: [&str; 10] = [
    "MEMORY.md",
    "USER.md",
    "SCRATCHPAD*.md",
    "WORKING*.md",
    "TASK-QUEUE.md",
    "memory/",
    "knowledge/",
    "plans/",
    "tenants/",
    ".opencode/plugins/hipocampus.js",
];

/// Its checklist for a client that no longer reads it.
pub(crate) const HEARTBEAT_FILE: &str = "HEARTBEAT.md";

/// The marks of its part of that; only ever taken out.
pub(crate) const HEARTBEAT: Marks = Marks {
    start: "<!-- hipocampus:heartbeat:start -->",
    end: "<!-- hipocampus:heartbeat:end -->",
};

/// The hash of what it wrote there around its part.
pub(crate) const HEARTBEAT_REST: u64 = 0x2cbe_8bea_f180_d1c2;

/// The file with its hook entry for OpenClaw, which the client never reads.
pub(crate) const OPENCLAW_FILE: &str = "openclaw.json";

/// Where the entry is there.
pub(super) const OPENCLAW_ENTRY: [JsonKey<'_>; 4] = [
    JsonKey::Name("hooks"),
    JsonKey::Name("internal"),
    JsonKey::Name("entries"),
    JsonKey::Name("hipocampus-compact"),
];

/// What an entry of its making has in it.
pub(super) const OPENCLAW_VARIABLE: [JsonKey<'_>; 2] =
    [JsonKey::Name("env"), JsonKey::Name("HIPOCAMPUS_BIN")];

/// The hash of each seed it wrote, so that untouched ones can be distinguished from edited ones.
pub(crate) const SEEDS: [u64; 5] = [
    0x45e6_bf1f_c1be_d75b,
    0x136c_3c00_c3bf_ce60,
    0x4726_393c_9e6b_ca76,
    0xb6f6_c2df_8e8c_90e4,
    0xdb08_0d6c_6ab2_5d22,
];

/// Whether `node` runs the npm tool with this script. The folder above it has any name: a checkout, a cache of npx, a
/// package unpacked by hand.
pub(super) fn is_script(path: &str) -> bool {
    path.replace('\\', "/").ends_with("/cli/init.mjs")
}
