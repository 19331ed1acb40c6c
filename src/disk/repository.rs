//! What a git repository around a folder says, read from its own files: which branch is checked out, and whether this
//! clone knows how to merge a memory.

use std::io;
use std::path::{Path, PathBuf};

use crate::git;

/// The most bytes of git's small files that are read: 1 MiB, far more than any has.
const SMALL: u64 = 1024 * 1024;

/// The folder at or above this one that has a `.git`.
pub(crate) fn top(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| super::is_there(&folder.join(".git")))
}

/// What git keeps of the worktree with this top: its folder `.git`, or the one that a file of that name points to.
pub(super) fn gitdir(top: &Path) -> Option<PathBuf> {
    let pointer = top.join(".git");
    if pointer.is_dir() {
        Some(pointer)
    } else {
        Some(top.join(git::gitdir(&small(&pointer).ok()?)?))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// what git keeps of this worktree
    gitdir: PathBuf,
    /// what it keeps of all of them
    common: PathBuf,
}

impl Repository {
    /// The repository around a folder. `None` if there is none, or its files are not as git makes them.
    pub(crate) fn around(folder: &Path) -> Option<Self> {
        let real = super::real_path(folder);
        let gitdir = gitdir(top(&real)?)?;
        let common = small(&gitdir.join("commondir")).ok();
        let common = match common.as_deref().and_then(git::line) {
            Some(common) => gitdir.join(common),
            None => gitdir.clone(),
        };
        Some(Self { gitdir, common })
    }

    /// The command that merges memories in this clone, if it has one of its own.
    pub(crate) fn driver(&self) -> Option<String> {
        let config = small(&self.common.join("config")).ok()?;
        git::setting(&config, "merge", "hipocampus", "driver")
    }

    /// The branch that is worth telling of: any in a linked worktree, elsewhere one that is not the default.
    pub(crate) fn branch_apart(&self) -> Option<String> {
        let head = small(&self.gitdir.join("HEAD")).ok()?;
        let branch = git::branch(&head)?;
        let is_linked = self.gitdir != self.common;
        (is_linked || !self.is_default(branch)).then(|| branch.to_owned())
    }

    /// Whether a branch is the one that others start from: what `origin` calls so, else `main` or `master`. Where there
    /// is neither, any branch may be it.
    fn is_default(&self, branch: &str) -> bool {
        if let Ok(head) = small(&self.common.join("refs/remotes/origin/HEAD")) {
            let default = git::line(&head).and_then(|line| line.strip_prefix("ref:"));
            let default = default.and_then(|name| name.trim().strip_prefix("refs/remotes/origin/"));
            return default.is_none_or(|default| default == branch);
        }
        let mut usual = ["main", "master"].into_iter();
        usual.clone().any(|name| name == branch) || !usual.any(|name| self.has_branch(name))
    }

    fn has_branch(&self, name: &str) -> bool {
        let name = format!("refs/heads/{name}");
        self.common.join(&name).is_file()
            || small(&self.common.join("packed-refs"))
                .is_ok_and(|refs| git::is_packed(&refs, &name))
    }
}

/// A small regular file.
pub(super) fn small(path: &Path) -> io::Result<Vec<u8>> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() || meta.len() > SMALL {
        return Err(io::ErrorKind::InvalidData.into());
    }
    std::fs::read(path)
}
