//! The lines of `.gitignore` and `.gitattributes`.

use crate::layout;
use crate::platform::{ALL, Hooks, Platform};

/// Where git is told how to merge.
pub(super) const ATTRIBUTES: &str = ".gitattributes";

/// The lines of `.gitignore`, in a memory that git has if `shared`; `hides` says whether a file of hooks is among them.
pub(super) fn ignored(
    platforms: &[&'static Platform],
    shared: bool,
    hides: impl Fn(&Hooks) -> bool,
) -> Vec<String> {
    let mut lines: Vec<String> = [
        ".hipocampus/",
        "SCRATCHPAD*.md",
        "WORKING*.md",
        "TASK-QUEUE.md",
        "knowledge/",
        "plans/",
        "tenants/",
    ]
    .map(|line| format!("/{line}"))
    .to_vec();
    let memory = if shared { &OF_ONE_MACHINE[..] } else { &["memory/"] };
    lines.extend(memory.iter().map(|line| format!("/{line}")));
    lines.extend(platforms.iter().flat_map(|row| row.seeds).map(|seed| format!("/{seed}")));
    // They hold this machine's path of the program.
    let hooks = platforms.iter().flat_map(|row| &row.hooks).filter(|hooks| hides(hooks));
    lines.extend(hooks.map(|hooks| format!("/{}", hooks.file)));
    let files = platforms.iter().flat_map(|row| row.files).map(|(path, _)| format!("/{path}"));
    lines.extend(files.filter(|line| !line.starts_with("/.hipocampus/")));
    lines.sort();
    lines.dedup();
    lines
}

/// What of a memory that git has is this machine's or this user's alone: locks, caches, the log of hooks, what was proven
/// to be secret, records of conversations, files that are being written, and copies that somebody is to look at. What
/// was forgotten, `.hipocampus.forgotten`, is everybody's.
const OF_ONE_MACHINE: [&str; 5] = [
    "memory/**/.*.hipocampus-*",
    "memory/*.kept",
    "memory/*.recovered",
    "memory/.hipocampus.[!f]*",
    "memory/.session-transcript-*",
];

/// The lines of `.gitattributes`.
pub(super) fn attributes() -> Vec<String> {
    let day = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";
    let files = [
        "MEMORY.md".to_owned(),
        format!("memory/{}", layout::STATE),
        format!("memory/{}", layout::FORGOTTEN),
        format!("memory/{day}*.md"),
        format!("memory/{}", layout::ROOT),
        "memory/daily/*.md".to_owned(),
        "memory/monthly/*.md".to_owned(),
        "memory/weekly/*.md".to_owned(),
    ];
    files.map(|file| format!("/{file} merge=hipocampus")).to_vec()
}

/// Every line that may be ours in a `.gitignore`, of whichever clients.
pub(super) fn known_lines() -> Vec<String> {
    let mut lines = ignored(ALL, false, |_| true);
    lines.extend(ignored(ALL, true, |_| true));
    lines.sort();
    lines.dedup();
    lines
}
