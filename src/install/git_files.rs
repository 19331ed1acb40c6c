//! The lines of `.gitignore` and `.gitattributes`.

use super::FOLDER;
use crate::layout::{self, MEMORY, TENANTS};
use crate::platform::{ALL, Hooks, Platform, SEEDS};

/// Where git is told how to merge.
pub(super) const ATTRIBUTES: &str = ".gitattributes";

/// The lines of `.gitignore`, in a memory that git has if `shared`: what `init` made and git tracks nothing in.
///
/// `is_ours` says so of a path; `hides`, whether a file of hooks is among them.
pub(super) fn ignored(
    platforms: &[&'static Platform],
    shared: bool,
    is_ours: impl Fn(&str) -> bool,
    hides: impl Fn(&Hooks) -> bool,
) -> Vec<String> {
    let mut lines = vec![format!("/{FOLDER}/")];
    let folders = ["knowledge", "plans", TENANTS].into_iter().filter(|folder| is_ours(folder));
    lines.extend(folders.map(|folder| format!("/{folder}/")));
    let seeds = SEEDS.iter().chain(platforms.iter().flat_map(|row| row.seeds));
    lines.extend(seeds.filter(|seed| is_ours(seed)).map(|seed| format!("/{seed}")));
    if shared {
        lines.extend(of_one_machine());
    } else if is_ours(MEMORY) {
        lines.push(format!("/{MEMORY}/"));
    } else {
        lines.extend(of_a_memory());
    }
    // They hold this machine's path of the program.
    let hooks = platforms.iter().flat_map(|row| &row.hooks).filter(|hooks| hides(hooks));
    lines.extend(hooks.map(|hooks| format!("/{}", hooks.file)));
    let files = platforms.iter().flat_map(|row| row.files).map(|(path, _)| format!("/{path}"));
    lines.extend(files.filter(|line| !line.starts_with("/.hipocampus/")));
    lines.sort();
    lines.dedup();
    lines
}

/// What of a memory that git has is this machine's or this user's alone: locks, caches, the log of hooks, what was
/// proven to be secret, records of sessions, files that are being written, and copies that somebody is to look at. What
/// was forgotten, `.hipocampus.forgotten`, is everybody's.
fn of_one_machine() -> impl Iterator<Item = String> {
    let names = [
        "**/.*.hipocampus-*",
        "*.kept",
        "*.recovered",
        ".hipocampus.[!f]*",
        ".session-transcript-*",
    ];
    names.into_iter().map(|name| format!("/{MEMORY}/{name}"))
}

/// What is ours in a folder that the user has files of their own in, by name.
fn of_a_memory() -> impl Iterator<Item = String> {
    let folders = ["agents/", "daily/", "monthly/", "weekly/"].map(str::to_owned);
    let files = [format!("{DAY}*.md"), layout::ROOT.to_owned(), layout::STATE.to_owned()];
    let names = folders.into_iter().chain(files).chain([layout::FORGOTTEN.to_owned()]);
    of_one_machine().chain(names.map(|name| format!("/{MEMORY}/{name}")))
}

/// A day in the name of a file, as git matches it.
const DAY: &str = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";

/// The lines of `.gitattributes`.
pub(super) fn attributes() -> Vec<String> {
    let files = [
        "MEMORY.md".to_owned(),
        format!("memory/{}", layout::STATE),
        format!("memory/{}", layout::FORGOTTEN),
        format!("memory/{DAY}*.md"),
        format!("memory/{}", layout::ROOT),
        "memory/daily/*.md".to_owned(),
        "memory/monthly/*.md".to_owned(),
        "memory/weekly/*.md".to_owned(),
    ];
    files.map(|file| format!("/{file} merge=hipocampus")).to_vec()
}

/// Every line that may be ours in a `.gitignore`, of whichever agents and versions.
pub(super) fn known_lines() -> Vec<String> {
    let mut lines = ignored(ALL, false, |_| true, |_| true);
    lines.extend(of_a_memory());
    // What earlier versions wrote.
    lines.extend(["/SCRATCHPAD*.md", "/WORKING*.md"].map(str::to_owned));
    lines.sort();
    lines.dedup();
    lines
}
