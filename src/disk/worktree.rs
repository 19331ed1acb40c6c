//! Linked git worktrees: which folder of the main worktree corresponds to one of their folders.
//!
//! A `.git` file, and what it points at, may have come with anything that was unpacked somewhere. It is believed
//! only if the repository points back at it and all of it has the same owner: nobody can put a pointer into another
//! user's repository, or into a repository of the user's own that knows nothing of this worktree.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::repository::{self, small};
use super::{names, real_path};
use crate::git;

/// A worktree that git keeps beside the main one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Worktree {
    pub top: PathBuf,
    /// the folder of the main worktree
    pub main: PathBuf,
    /// what git keeps about it, in the repository
    gitdir: PathBuf,
}

impl Worktree {
    /// The linked worktree that a folder lies in. Links in `folder` must be resolved.
    pub(crate) fn around(folder: &Path) -> Option<Self> {
        Self::at(repository::top(folder)?)
    }

    /// The linked worktree whose folder this is.
    fn at(top: &Path) -> Option<Self> {
        let pointer = top.join(".git");
        let owner = owner(&pointer)?;
        let gitdir = small(&pointer).ok()?;
        let gitdir = top.join(git::gitdir(&gitdir)?).canonicalize().ok()?;
        let common = gitdir.join(git::line(&small(&gitdir.join("commondir")).ok()?)?);
        let common = common.canonicalize().ok()?;
        let back = gitdir.join(git::line(&small(&gitdir.join("gitdir")).ok()?)?);
        let main = common.parent()?;
        let in_repository = gitdir.parent()? == common.join("worktrees");
        let points_back = back.canonicalize().ok()? == pointer.canonicalize().ok()?;
        let all = [
            gitdir.as_path(),
            &gitdir.join("commondir"),
            &gitdir.join("gitdir"),
            &common,
            main,
            top,
        ];
        let is_plain = common.file_name()? == ".git" && !is_bare(&common);
        let same = all.into_iter().all(|path| self::owner(path) == Some(owner));
        (in_repository && points_back && is_plain && same && main != top).then(|| Self {
            top: top.to_path_buf(),
            main: main.to_path_buf(),
            gitdir,
        })
    }

    /// The folders of linked worktrees that git still has a record of, although they are gone, of the repository whose
    /// main worktree `folder` lies in.
    pub(crate) fn gone(folder: &Path) -> Vec<PathBuf> {
        let real = real_path(folder);
        let Some(main) = real.ancestors().find(|folder| folder.join(".git").is_dir()) else {
            return Vec::new();
        };
        let kept = main.join(".git/worktrees");
        let tops = names(&kept).into_iter().filter_map(|name| {
            let pointer = PathBuf::from(git::line(&small(&kept.join(name).join("gitdir")).ok()?)?);
            pointer.parent().map(Path::to_owned)
        });
        tops.filter(|top| top.is_absolute() && !super::is_there(top)).collect()
    }

    /// Every linked worktree of the repository whose main worktree `folder` lies in, by path.
    pub(crate) fn beside(folder: &Path) -> Vec<Self> {
        let real = real_path(folder);
        let Some(main) = real.ancestors().find(|folder| folder.join(".git").is_dir()) else {
            return Vec::new();
        };
        let kept = main.join(".git/worktrees");
        let tops = names(&kept).into_iter().filter_map(|name| {
            let gitdir = kept.join(name);
            let back = gitdir.join(git::line(&small(&gitdir.join("gitdir")).ok()?)?);
            back.parent()?.canonicalize().ok()
        });
        let mut found: Vec<_> = tops
            .filter_map(|top| Self::at(&top))
            .filter(|worktree| worktree.main == main)
            .collect();
        found.sort_by(|a, b| a.top.cmp(&b.top));
        found
    }

    /// The folder of the main worktree that a folder of this one stands for.
    pub(crate) fn of_main(&self, folder: &Path) -> Option<PathBuf> {
        folder.strip_prefix(&self.top).ok().map(|below| join(&self.main, below))
    }

    /// The folder of this worktree that stands for one of the main worktree.
    pub(crate) fn of_linked(&self, folder: &Path) -> Option<PathBuf> {
        folder.strip_prefix(&self.main).ok().map(|below| join(&self.top, below))
    }

    /// Whether git tracks something below `folder`, a path relative to both worktrees, in this one or the main one.
    pub(crate) fn tracks(&self, folder: &Path) -> bool {
        [self.main.join(".git/index"), self.gitdir.join("index")]
            .iter()
            .any(|index| tracked_below(index, folder))
    }
}

/// Which of these paths below `root` git tracks; `None` where no repository is around it.
pub(crate) fn tracked(root: &Path, paths: &[String]) -> Option<Vec<String>> {
    let (index, below) = index_of(root)?;
    let name = |path: &str| below.join(path).into_os_string().into_encoded_bytes();
    let wanted: BTreeMap<_, _> = paths.iter().map(|path| (name(path), path)).collect();
    let found = RefCell::new(Vec::new());
    // One look at the index for all of them.
    git::tracks(&index, |entry| {
        let folders = memchr::memchr_iter(b'/', entry).map(|at| &entry[..at]);
        let known = folders.chain([entry]).filter_map(|path| wanted.get(path));
        found.borrow_mut().extend(known.map(|path| (*path).clone()));
        false
    });
    let mut found = found.into_inner();
    found.sort();
    found.dedup();
    Some(found)
}

/// Whether no two files of this name are tracked in the repository around `root`. `true` where there is none.
pub(crate) fn is_only_one(root: &Path, name: &str) -> bool {
    let Some((index, _)) = index_of(root) else { return true };
    let count = std::cell::Cell::new(0);
    git::tracks(&index, |entry| {
        let is_it = entry.rsplit(|byte| *byte == b'/').next() == Some(name.as_bytes());
        count.set(count.get() + usize::from(is_it));
        count.get() > 1
    });
    count.get() < 2
}

/// Whether a file below `root` stands, as far as its size and time tell, as it was last handed to git, which keeps it.
pub(crate) fn is_as_staged(root: &Path, path: &str) -> bool {
    let is_so = || {
        let (index, below) = index_of(root)?;
        let known = git::staged(&index, &below.join(path).into_os_string().into_encoded_bytes())?;
        let meta = root.join(path).symlink_metadata().ok()?;
        // As git has them: the lower 32 bits.
        let low = |number: i64| u32::try_from(number & 0xffff_ffff).unwrap_or_default();
        let (seconds, nanoseconds) = known.changed;
        let same = low(meta.mtime()) == seconds
            && (nanoseconds == 0 || low(meta.mtime_nsec()) == nanoseconds)
            && low(meta.size().cast_signed()) == known.size;
        Some(same && !known.is_unmerged)
    };
    is_so().unwrap_or(false)
}

/// The index of the repository around a folder, and the folder's path below the worktree.
fn index_of(root: &Path) -> Option<(Vec<u8>, PathBuf)> {
    let real = real_path(root);
    let top = repository::top(&real)?;
    let index = std::fs::read(repository::gitdir(top)?.join("index")).unwrap_or_default();
    Some((index, real.strip_prefix(top).ok()?.to_path_buf()))
}

/// As [`Path::join`], without a slash at the end where there is nothing to join.
fn join(folder: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { folder.to_path_buf() } else { folder.join(below) }
}

fn tracked_below(index: &Path, folder: &Path) -> bool {
    let Ok(bytes) = std::fs::read(index) else { return false };
    let mut prefix = folder.as_os_str().as_encoded_bytes().to_vec();
    prefix.push(b'/');
    git::tracks(&bytes, |name| name.starts_with(&prefix))
}

fn is_bare(common: &Path) -> bool {
    ["config", "config.worktree"]
        .iter()
        .any(|name| small(&common.join(name)).is_ok_and(|config| git::is_bare(&config)))
}

fn owner(path: &Path) -> Option<u32> {
    let meta = path.symlink_metadata().ok()?;
    (!meta.is_symlink()).then(|| meta.uid())
}
