//! Claude Code: imports in CLAUDE.md, hooks in `.claude/settings.json`.

use super::{EVERY_START, HookEvent, Hooks, Loads, Platform};

pub(super) const ROW: Platform = Platform {
    id: "claude-code",
    name: "Claude Code",
    evidence: &[".claude"],
    home: None,
    protocol_file: "CLAUDE.md",
    loads: Loads::Imports,
    skills_dir: ".claude/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".claude/settings.json",
        events: &[
            HookEvent {
                event: "SessionStart",
                matcher: EVERY_START,
                arguments: "hook session-start",
                timeout: 10,
            },
            HookEvent {
                event: "PreCompact",
                matcher: None,
                arguments: "compact --stdin",
                timeout: 60,
            },
            // Without a timeout of its own the client ends this one after 1.5 s.
            HookEvent {
                event: "SessionEnd",
                matcher: None,
                arguments: "compact --stdin",
                timeout: 30,
            },
            HookEvent {
                event: "TaskCompleted",
                matcher: None,
                arguments: "compact --stdin",
                timeout: 30,
            },
        ],
    }),
    files: &[],
    next_steps: &[],
    last_steps: &[],
};
