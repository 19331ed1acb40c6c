//! What git's own files say, as far as it matters here: which paths are tracked, where a linked worktree belongs.
//!
//! Pure, and only ever about the repository a project lies in. No git is run: a hook has no time for a process, and
//! the program may not be there.

/// Whether git's index has a path that `wanted` says yes to. An index of a kind that is not known has none.
pub(crate) fn tracks(index: &[u8], wanted: impl Fn(&[u8]) -> bool) -> bool {
    entries(index).iter().any(|entry| wanted(&entry.name))
}

/// What git's index says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staged {
    /// its path below the worktree
    name: Vec<u8>,
    /// its bytes, as far as 32 bits count them; 0 also where git is not sure that it knows them
    pub size: u32,
    /// when it was changed, in seconds since 1970 and nanoseconds, as far as 32 bits count them; nanoseconds are 0
    /// where git keeps none
    pub changed: (u32, u32),
    /// whether it is one side of a merge that is not finished
    pub is_unmerged: bool,
}

/// What the index says of the file at a path.
pub(crate) fn staged(index: &[u8], path: &[u8]) -> Option<Staged> {
    entries(index).into_iter().find(|entry| entry.name == path)
}

/// What an index has; nothing if it is of a kind that is not known.
fn entries(index: &[u8]) -> Vec<Staged> {
    // A repository of SHA-256 has longer ids, and nothing in the file says which it is.
    [20, 32].into_iter().find_map(|id| entries_with(index, id)).unwrap_or_default()
}

/// What an index has whose object ids have `id` bytes; `None` if it does not read as one.
fn entries_with(index: &[u8], id: usize) -> Option<Vec<Staged>> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let version =
        number(4).filter(|version| index.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let count = number(8)?;
    let mut entries: Vec<Staged> = Vec::new();
    let mut at = 12;
    for _ in 0..count {
        let start = at;
        at += 40 + id;
        let flags = u16::from_be_bytes(index.get(at..at + 2)?.try_into().ok()?);
        at += if flags & 0x4000 == 0 { 2 } else { 4 };
        let mut name = Vec::new();
        if version == 4 {
            // A path is stored by what it has in common with the one before.
            let (strip, after) = varint(index, at)?;
            let before = entries.last().map(|entry| &entry.name[..]).unwrap_or_default();
            name.extend_from_slice(before.get(..before.len().checked_sub(strip)?)?);
            at = after;
        }
        let rest = index.get(at..)?;
        let end = memchr::memchr(0, rest)?;
        name.extend_from_slice(&rest[..end]);
        at += end + 1;
        if version < 4 {
            at = start + (at - start).next_multiple_of(8);
        }
        let told = usize::from(flags & 0xfff);
        if name.is_empty() || told != name.len().min(0xfff) {
            return None;
        }
        let (size, changed) = (number(start + 36)?, (number(start + 8)?, number(start + 12)?));
        entries.push(Staged { name, size, changed, is_unmerged: flags & 0x3000 != 0 });
    }
    Some(entries)
}

/// A number of git's: seven bits a byte, the most significant first.
fn varint(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        value = value.checked_mul(128)? | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at));
        }
        value = value.checked_add(1)?;
    }
}

/// The path in a `.git` file, `gitdir: PATH`.
pub(crate) fn gitdir(file: &[u8]) -> Option<&str> {
    line(file)?.strip_prefix("gitdir:").map(str::trim).filter(|path| !path.is_empty())
}

/// The one line of a file such as `commondir`.
pub(crate) fn line(file: &[u8]) -> Option<&str> {
    std::str::from_utf8(file).ok()?.lines().next().map(str::trim).filter(|line| !line.is_empty())
}

/// Whether a repository's configuration says `core.bare = true`.
pub(crate) fn is_bare(config: &[u8]) -> bool {
    last_value(config, ("core", ""), "bare", Some("true")).is_some_and(|value| {
        ["true", "yes", "on", "1"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
    })
}

/// The last value of `key` in the section `[section "name"]` of a configuration: `merge`, `hipocampus`, `driver`.
pub(crate) fn setting(config: &[u8], section: &str, name: &str, key: &str) -> Option<String> {
    last_value(config, (section, name), key, None)
}

/// The same, where a key without a value may stand for one.
fn last_value(
    config: &[u8],
    (section, name): (&str, &str),
    key: &str,
    without: Option<&str>,
) -> Option<String> {
    let config = String::from_utf8_lossy(config);
    let mut inside = false;
    let mut found = None;
    for mut line in config.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix('[') {
            let (head, behind) = rest.split_once(']').unwrap_or((rest, ""));
            let (kind, quoted) = head.trim().split_once(char::is_whitespace).unwrap_or((head, ""));
            inside = kind.trim().eq_ignore_ascii_case(section)
                && quoted.trim().trim_matches('"') == name;
            line = behind;
        }
        let (found_key, value) = match line.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (line, without),
        };
        if inside && found_key.trim().eq_ignore_ascii_case(key) {
            found = value.map(unquoted).or(found);
        }
    }
    found
}

/// A value without its quotes, escapes and comment.
fn unquoted(value: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    let mut letters = value.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' => out.extend(letters.next()),
            '#' | ';' if !quoted => break,
            other => out.push(other),
        }
    }
    out.trim_end().to_owned()
}

/// The branch in a `HEAD` file; `None` where no branch is checked out.
pub(crate) fn branch(head: &[u8]) -> Option<&str> {
    line(head)?.strip_prefix("ref:")?.trim().strip_prefix("refs/heads/")
}

/// Whether a list of packed references has one.
pub(crate) fn is_packed(refs: &[u8], name: &str) -> bool {
    let refs = String::from_utf8_lossy(refs);
    refs.lines().any(|line| line.split_once(' ').is_some_and(|(_, found)| found.trim() == name))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "asks git itself")]

    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, line: &str) -> bool {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(line.split(' '));
        git.current_dir(folder).output().unwrap().status.success()
    }

    #[test]
    fn an_index_of_every_version_is_read() {
        for (format, version) in
            [("sha1", 2), ("sha1", 3), ("sha1", 4), ("sha256", 2), ("sha256", 4)]
        {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path();
            assert!(git(root, &format!("init -q --object-format={format}")));
            for name in ["a", "deep/memory/x.md", "deep/memory/xy.md", "src/memory.rs", "한글.md"]
            {
                std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
                std::fs::write(root.join(name), name).unwrap();
            }
            assert!(git(root, "add -A"));
            if version == 3 {
                // Makes an entry with extended flags.
                std::fs::write(root.join("later"), "x").unwrap();
                assert!(git(root, "add -N later"));
            }
            assert!(git(root, &format!("update-index --index-version {version}")));
            let index = std::fs::read(root.join(".git/index")).unwrap();
            let has = |prefix: &str| tracks(&index, |name| name.starts_with(prefix.as_bytes()));
            for prefix in ["a", "deep/memory/xy", "src/memory.rs", "한글"] {
                assert!(has(prefix), "{format} {version}: {prefix}");
            }
            assert!(!has("memory/") && !has("b"), "{format} {version}");
            for cut in 0..index.len() {
                tracks(&index[..cut], |_| false);
            }
            let found = staged(&index, b"deep/memory/xy.md").unwrap();
            assert!(!found.is_unmerged && found.changed.0 > 1_700_000_000, "{found:?}");
            assert!([0, 17].contains(&found.size), "{found:?}");
            assert_eq!(staged(&index, b"deep/memory/xy"), None);
        }
        assert!(!tracks(b"", |_| true) && !tracks(b"DIRC\0\0\0\x09\0\0\0\x01", |_| true));
    }

    #[test]
    fn the_small_files_are_read() {
        assert_eq!(gitdir(b"gitdir: ../m/.git/worktrees/w\n"), Some("../m/.git/worktrees/w"));
        assert_eq!(gitdir(b"gitdir:\n"), None);
        assert_eq!(gitdir(b"\xff"), None);
        assert_eq!(line(b"../..\n"), Some("../.."));
        let config = b"[merge]\n\tdriver = no\n[merge \"hipocampus\"]\n\tname = x\n\tdriver = /a/b merge-file %O %A %B %P\n[user]\n";
        let driver = setting(config, "merge", "hipocampus", "driver");
        assert_eq!(driver.as_deref(), Some("/a/b merge-file %O %A %B %P"));
        assert_eq!(setting(config, "merge", "union", "driver"), None);
        let config = br#"[merge "hipocampus"]
            driver = "\"/a b/c\" merge-file %O" # ours
        "#;
        let driver = setting(config, "merge", "hipocampus", "driver");
        assert_eq!(driver.as_deref(), Some("\"/a b/c\" merge-file %O"));
        assert_eq!(branch(b"ref: refs/heads/feat/x\n"), Some("feat/x"));
        assert_eq!(branch(b"3f2a\n"), None);
        assert!(is_packed(b"# pack-refs\n3f2a refs/heads/main\n", "refs/heads/main"));
        assert!(!is_packed(b"3f2a refs/heads/main2\n", "refs/heads/main"));
        for bare in ["[core]\n\tbare = true\n", "[Core] bare\n", "[core]\nBare=YES ; so it is\n"] {
            assert!(is_bare(bare.as_bytes()), "{bare}");
        }
        for not in [
            "",
            "[core]\n\tbare = false\n",
            "[remote \"core\"]\nbare = true\n",
            "[core]\nbare = true\nbare = no\n",
        ] {
            assert!(!is_bare(not.as_bytes()), "{not}");
        }
    }
}
