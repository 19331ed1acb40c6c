//! What a file of a memory is, by its path, and which names a program gives to a copy that met another one.

use crate::layout;
use crate::memory::period::{Level, Period};

/// What a file is to a merge. Anything else is merged as git would, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Log,
    Node(Level),
    Root,
    /// MEMORY.md, which may have a copy of ROOT.md in it
    MemoryMd,
    /// `.compaction-state.json`
    State,
    /// `.hipocampus.forgotten`, a line for each thing
    Forgotten,
}

/// What the file at a path is, wherever the project lies: `web/memory/2026-03-15.md` is a log.
pub(crate) fn kind(path: &str) -> Option<FileKind> {
    let mut names = path.rsplit('/');
    let (name, folder) = (names.next()?, names.next());
    if folder == Some(layout::MEMORY) {
        return match name {
            layout::ROOT => Some(FileKind::Root),
            layout::STATE => Some(FileKind::State),
            layout::FORGOTTEN => Some(FileKind::Forgotten),
            _ => layout::day_of_log(name).map(|_| FileKind::Log),
        };
    }
    let level = Level::ALL.into_iter().find(|level| folder == Some(layout::level_dir(*level)));
    if let Some(level) = level.filter(|_| names.next() == Some(layout::MEMORY)) {
        let period = Period::parse(level, name.strip_suffix(".md")?);
        return period.map(|_| FileKind::Node(level));
    }
    (name == layout::MEMORY_MD).then_some(FileKind::MemoryMd)
}

/// The name of the file that a file is a conflict copy of: what Syncthing, Dropbox, Nextcloud, iCloud, a browser or git
/// call the second of two that met. `None` for any other name.
pub(crate) fn copy_of(name: &str) -> Option<String> {
    if let Some((whole, side)) = name.split_once(".md~") {
        return (!side.is_empty()).then(|| format!("{whole}.md"));
    }
    let (stem, ending) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let original = |stem: &str| (!stem.is_empty()).then(|| format!("{stem}.{ending}"));
    for mark in [".sync-conflict-", "_conflict-"] {
        if let Some((stem, when)) = stem.rsplit_once(mark) {
            return when.starts_with(|c: char| c.is_ascii_digit()).then(|| original(stem))?;
        }
    }
    let is_number = |text: &str| {
        (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if let Some((stem, inner)) = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        let told = is_number(inner) || inner.to_ascii_lowercase().contains("conflict");
        return told.then(|| original(stem))?;
    }
    let (stem, number) = stem.rsplit_once(' ')?;
    is_number(number).then(|| original(stem))?
}

/// The name of the log that the file at a path is a conflict copy of; `None` for any other file.
pub(crate) fn log_copied_in(path: &str) -> Option<String> {
    copy_of(layout::name(path)).filter(|of| layout::day_of_log(of).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_path() {
        fn check(path: &str, expect: Option<FileKind>) {
            assert_eq!(kind(path), expect, "{path}");
        }
        check("memory/2026-03-15.md", Some(FileKind::Log));
        check("tenants/x/memory/2026-03-15-0930.md", Some(FileKind::Log));
        check("memory/2026-02-30.md", None);
        check("memory/daily/2026-03-15.md", Some(FileKind::Node(Level::Daily)));
        check("a/memory/weekly/2026-W11.md", Some(FileKind::Node(Level::Weekly)));
        check("memory/monthly/2026-03.md", Some(FileKind::Node(Level::Monthly)));
        check("memory/monthly/2026-13.md", None);
        check("daily/2026-03-15.md", None);
        check("2026-03-15.md", None);
        check("memory/ROOT.md", Some(FileKind::Root));
        check("MEMORY.md", Some(FileKind::MemoryMd));
        check("memory/.compaction-state.json", Some(FileKind::State));
        check("memory/.hipocampus.forgotten", Some(FileKind::Forgotten));
        check("memory/.hipocampus.proven", None);
        check("src/main.rs", None);
    }

    #[test]
    fn copies_are_known_by_their_name() {
        fn check(name: &str, expect: Option<&str>) {
            assert_eq!(copy_of(name).as_deref(), expect, "{name}");
        }
        check("2026-03-15.sync-conflict-20260316-101112-ABCDEFG.md", Some("2026-03-15.md"));
        check("2026-03-15 (1).md", Some("2026-03-15.md"));
        check("2026-W11 (12).md", Some("2026-W11.md"));
        check("ROOT (conflicted copy 2026-03-16 101112).md", Some("ROOT.md"));
        check("ROOT (Ann's Conflicted Copy).md", Some("ROOT.md"));
        check("2026-03-15_conflict-20260316-101112.md", Some("2026-03-15.md"));
        check("2026-03-15 2.md", Some("2026-03-15.md"));
        check("2026-03-15.md~HEAD", Some("2026-03-15.md"));
        check("2026-03-15.md~feat_x", Some("2026-03-15.md"));
        check(".compaction-state (1).json", Some(".compaction-state.json"));
        for own in [
            "2026-03-15.md",
            "2026-03-15-0930.md",
            "notes (draft).md",
            "a.md~",
            "x.sync-conflict-.md",
            " (1).md",
            "1.md",
        ] {
            check(own, None);
        }
    }

    #[test]
    fn a_copy_names_its_log() {
        let log = log_copied_in("memory/2026-03-15 (1).md");
        assert_eq!(log.as_deref(), Some("2026-03-15.md"));
        assert_eq!(log_copied_in("memory/ROOT (1).md"), None);
    }

    #[test]
    fn a_copy_names_its_file() {
        assert_eq!(copy_of("2026-03-15 (1).md").as_deref(), Some("2026-03-15.md"));
        assert_eq!(copy_of("2026-03-15.md"), None);
    }

    #[test]
    fn a_path_tells_what_its_file_is() {
        assert_eq!(kind("web/memory/2026-03-15.md"), Some(FileKind::Log));
        assert_eq!(kind("memory/notes.md"), None);
    }
}
