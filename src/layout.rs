//! Where every file lives, relative to the project root. Nothing else.

use std::path::{Component, Path, PathBuf};

use crate::memory::period::{Level, Period};

pub(crate) const MEMORY: &str = "memory";
pub(crate) const CONFIG: &str = "hipocampus.config.json";
/// The index of everything.
pub(crate) const ROOT: &str = "ROOT.md";
/// How the name of a text ends that was in ROOT.md before the program wrote it anew.
pub(crate) const KEPT: &str = ".kept";
/// The lock of a memory; never deleted.
pub(crate) const LOCK: &str = ".hipocampus.lock";
/// What earlier runs learnt about each file; disposable.
pub(crate) const CACHE: &str = ".hipocampus.cache";
/// The facts that ROOT.md is made from; disposable.
pub(crate) const ROOT_CACHE: &str = ".hipocampus.cache-root";
/// The long-term memory of an agent that loads it; holds a mirror of ROOT.md there.
pub(crate) const MEMORY_MD: &str = "MEMORY.md";
/// The problems hooks met, newest last.
pub(crate) const LOG: &str = ".hipocampus.log";
/// When the hook of each event last fired.
pub(crate) const FIRED: &str = ".hipocampus.log-fired";
/// Which sessions were told that a summary is due.
pub(crate) const DUE: &str = ".hipocampus.log-due";
/// What hooks told of the memory.
pub(crate) const RECALLED: &str = ".hipocampus.log-recall";
/// What the last receipt came to.
pub(crate) const RECEIPT: &str = ".hipocampus.log-receipt";
/// Locked while the search engine indexes; says whether to do so once more.
pub(crate) const QMD: &str = ".hipocampus.qmd";
/// When a model last summarised, and the counters since.
pub(crate) const STATE: &str = ".compaction-state.json";
/// The days whose chain of nodes is to be made again; written before what makes it necessary.
pub(crate) const REOPEN: &str = ".hipocampus.reopen";
/// Keyed hashes of values that were proven to be secrets; private.
pub(crate) const PROVEN: &str = ".hipocampus.proven";
/// What was forgotten on purpose, without a word of it.
pub(crate) const FORGOTTEN: &str = ".hipocampus.forgotten";
/// Which sessions are kept out of the memory.
pub(crate) const OFF: &str = ".hipocampus.off";
/// Under which redaction rules everything that is in the memory was last looked through.
pub(crate) const SCRUBBED: &str = ".hipocampus.scrubbed";
/// How the name of a backup begins and ends; between them stands the day.
pub(crate) const BACKUP: (&str, &str) = (".session-transcript-", ".jsonl");
/// What summaries by a model cost, a line for each call before it is made and after.
pub(crate) const TOKENS: &str = ".hipocampus.tokens.jsonl";
/// What summaries in the background last did.
pub(crate) const BACKGROUND: &str = ".hipocampus.background";
/// How the name of the folder begins in which a summarizer runs. What is said in such a folder is no session of a
/// project.
pub(crate) const SUMMARIZING: &str = "hipocampus-summarizing-";
/// What was learnt about summarising this project, below the memory.
pub(crate) const NOTES_OF_COMPACTION: &str = "agents/compaction/AGENT.md";
/// The folder of tenants below a root project.
pub(crate) const TENANTS: &str = "tenants";
/// The hot files that agents write, and the number of lines each should stay under. ROOT.md has its cap, in tokens.
pub(crate) const HOT_FILES: [(&str, u64); 3] =
    [("SCRATCHPAD.md", 150), ("WORKING.md", 100), ("TASK-QUEUE.md", 50)];

/// A file of the memory, below the project root.
pub(crate) fn in_memory(name: &str) -> String {
    format!("{MEMORY}/{name}")
}

/// The folder of a level's nodes inside the memory.
pub(crate) fn level_dir(level: Level) -> &'static str {
    match level {
        Level::Daily => "daily",
        Level::Weekly => "weekly",
        Level::Monthly => "monthly",
    }
}

/// The folder of a level's nodes, below the project root.
pub(crate) fn level_path(level: Level) -> String {
    format!("{MEMORY}/{}", level_dir(level))
}

/// The file name of a node inside its level's folder.
pub(crate) fn node_name(period: Period) -> String {
    format!("{period}.md")
}

/// A node's path below the project root, e.g. `memory/weekly/2026-W11.md`.
pub(crate) fn node_path(period: Period) -> String {
    [MEMORY, "/", level_dir(period.level()), "/", &period.to_string(), ".md"].concat()
}

/// The state file, below the project root.
pub(crate) fn state_path() -> String {
    format!("{MEMORY}/{STATE}")
}

/// The last name of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// ROOT.md, below the project root.
pub(crate) fn root_path() -> String {
    format!("{MEMORY}/{ROOT}")
}

/// Where the text of ROOT.md with this hash is kept, below the project root.
pub(crate) fn root_copy(hash: u64) -> String {
    format!("{MEMORY}/{ROOT}.{hash:016x}{KEPT}")
}

/// A day's raw log, inside the memory.
pub(crate) fn log_name(day: chrono::NaiveDate) -> String {
    format!("{}.md", Period::Day(day))
}

/// The records of the turns imported into a day's log, inside the memory.
pub(crate) fn backup_name(day: chrono::NaiveDate) -> String {
    format!("{}{}{}", BACKUP.0, Period::Day(day), BACKUP.1)
}

/// The day of a raw log by its name: `2026-03-15.md`, or `2026-03-15-0930.md` and `2026-03-15-shard-limits.md` as
/// `OpenClaw` writes them.
pub(crate) fn day_of_log(name: &str) -> Option<chrono::NaiveDate> {
    let stem = name.strip_suffix(".md")?;
    let (date, rest) = stem.split_at_checked(10)?;
    let is_clock = |time: &str| time.len() == 4 && time[..2] < *"24" && time[2..] < *"60";
    // Words in small letters with hyphens between them.
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase())
    };
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |name: &str| {
        if is_number(name) { is_clock(name) } else { name.split('-').all(is_word) }
    };
    match Period::parse(Level::Daily, date)? {
        Period::Day(day) if rest.is_empty() || rest.strip_prefix('-').is_some_and(is_name) => {
            Some(day)
        }
        _ => None,
    }
}

/// The day of a backup by its name.
pub(crate) fn day_of_backup(name: &str) -> Option<chrono::NaiveDate> {
    match Period::parse(Level::Daily, name.strip_prefix(BACKUP.0)?.strip_suffix(BACKUP.1)?)? {
        Period::Day(day) => Some(day),
        _ => None,
    }
}

/// A path below one of these folders, the first that it lies in. A relative one is meant from `cwd`, where that is known.
/// `None` for what lies elsewhere.
pub(crate) fn below<'a>(
    path: &str,
    cwd: Option<&Path>,
    roots: impl Iterator<Item = &'a Path>,
) -> Option<String> {
    let whole = cwd.map_or_else(|| PathBuf::from(path), |cwd| cwd.join(path));
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir if !plain.pop() => return None,
            Component::CurDir | Component::ParentDir => {}
            part => plain.push(part),
        }
    }
    let mut roots = roots;
    let inner = if plain.is_absolute() {
        roots.find_map(|root| plain.strip_prefix(root).ok())?
    } else {
        &plain
    };
    inner.to_str().filter(|inner| !inner.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_named_by_their_day() {
        fn check(name: &str, expect: Option<&str>) {
            let found = day_of_log(name).map(|day| day.to_string());
            assert_eq!(found.as_deref(), expect, "{name}");
        }
        check("2026-03-15.md", Some("2026-03-15"));
        check("2026-03-15-0930.md", Some("2026-03-15"));
        check("2026-03-15-2460.md", None);
        check("2026-03-15-notes.md", Some("2026-03-15"));
        check("2026-03-15-shard-limits-2.md", Some("2026-03-15"));
        check("2026-03-15-.md", None);
        check("2026-03-15--x.md", None);
        check("2026-03-15-LAPTOP.md", None);
        check("2026-03-15-a b.md", None);
        check("2026-02-30.md", None);
        check("2026-03-15.txt", None);
        check("２０26-03-15.md", None);
    }
}
