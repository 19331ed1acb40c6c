//! A `memory` that is a link. One that the user made is the memory; one that came with a clone and leads out of the
//! project would have us write wherever somebody else likes.

use std::path::Path;

use super::{is_link, real_path, repository};
use crate::Problem;
use crate::layout;

/// Refuses a memory that is a link out of the project under version control. Fails when it is one.
pub(crate) fn refuse_committed_link(root: &Path) -> Result<(), Problem> {
    let link = root.join(layout::MEMORY);
    if !is_link(&link) || real_path(&link).starts_with(real_path(root)) || !is_tracked(&link) {
        return Ok(());
    }
    let what = format!(
        "`{}` is a link that came with the repository and leads out of the project, so nothing is read or written there",
        link.display()
    );
    let hint = "remove it, or, if you made it, take it out of git with `git rm --cached memory`";
    Err(Problem::new(what).hint(hint))
}

/// Whether git has a path in its index. If the repository does not say, it counts as there.
fn is_tracked(path: &Path) -> bool {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let parent = real_path(parent);
    let Some(top) = repository::top(&parent) else { return false };
    let below = parent.strip_prefix(top).unwrap_or(Path::new("")).join(name);
    let index = repository::gitdir(top).and_then(|dir| std::fs::read(dir.join("index")).ok());
    let index = index.unwrap_or_default();
    lists(&index, below.as_os_str().as_encoded_bytes())
}

/// Whether an index lists a path. Versions 2 and 3 have it whole, after its length and before a zero byte; version 4
/// leaves out what a path shares with the one before it.
fn lists(index: &[u8], path: &[u8]) -> bool {
    match index.get(4..8) {
        Some([0, 0, 0, 2 | 3]) => {}
        Some(_) => return true,
        None => return false,
    }
    memchr::memmem::find_iter(index, path).any(|at| {
        let length =
            at.checked_sub(2).map(|from| u16::from_be_bytes([index[from], index[from + 1]]));
        // In version 3 two more bytes may be between.
        let further =
            at.checked_sub(4).map(|from| u16::from_be_bytes([index[from], index[from + 1]]));
        let fits = |flags: Option<u16>| {
            flags.is_some_and(|flags| usize::from(flags & 0xfff) == path.len().min(0xfff))
        };
        index.get(at + path.len()) == Some(&0) && (fits(length) || fits(further))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_lists_whole_paths_only() {
        fn index(version: u8, flags: &[u8], path: &str) -> Vec<u8> {
            [
                b"DIRC\0\0\0",
                &[version][..],
                b"\0\0\0\x01",
                &[7; 60],
                flags,
                path.as_bytes(),
                b"\0\0",
            ]
            .concat()
        }
        assert!(lists(&index(2, &[0, 6], "memory"), b"memory"));
        assert!(lists(&index(3, &[0x40, 6, 0x20, 0], "memory"), b"memory"));
        assert!(lists(&index(2, &[0, 8], "a/memory"), b"a/memory"));
        assert!(!lists(&index(2, &[0, 8], "a/memory"), b"memory"));
        assert!(!lists(&index(2, &[0, 9], "memory/a"), b"memory"));
        assert!(lists(&index(4, &[0, 6], "ory"), b"memory"));
        assert!(!lists(b"", b"memory"));
    }
}
