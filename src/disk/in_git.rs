//! Where the memory of a private project lies: in `hipocampus/` of the folder that git keeps for itself and shares
//! between worktrees. Git lists, cleans, commits and clones nothing of it, and every worktree finds it.

use std::path::{Path, PathBuf};

use super::repository::{self, small};
use super::{Worktree, is_dir, is_link, is_there, is_this_users, real_path};
use crate::git;

/// The folder in git's own.
const FOLDER: &str = "hipocampus";
/// The memory of the folder at the top of the repository.
const TOP: &str = "top";
/// How the name of the memory of a folder below it begins; its path follows.
const BELOW: &str = "in-";

/// The repository around a folder, as far as private memories are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitFolder {
    /// the top of the worktree
    top: PathBuf,
    /// what git keeps for all worktrees
    common: PathBuf,
}

impl GitFolder {
    /// The repository around a folder. Links in `folder` must be resolved. `None` where there is none, or where a
    /// pointer to it is not answered by it: something that was unpacked may point anywhere.
    pub(crate) fn around(folder: &Path) -> Option<Self> {
        let top = repository::top(folder)?;
        let git = top.join(".git");
        let common = if git.is_dir() {
            git
        } else if let Some(worktree) = Worktree::around(top) {
            worktree.main.join(".git")
        } else {
            // A submodule: its repository says where it is checked out.
            let git = real_path(&repository::gitdir(top)?);
            (worktree_of(&git)? == top).then_some(git)?
        };
        Some(Self { top: top.to_path_buf(), common })
    }

    /// Where the private memory of a folder of this worktree lies, or would. `None` outside of it, or where the place
    /// is a link or another user's.
    pub(crate) fn memory_of(&self, folder: &Path) -> Option<PathBuf> {
        let below = folder.strip_prefix(&self.top).ok()?.to_str()?;
        let name = match below {
            "" => TOP.to_owned(),
            below => format!("{BELOW}{}", below.replace('%', "%25").replace('/', "%2F")),
        };
        let place = self.common.join(FOLDER);
        let root = place.join(name);
        (is_own_or_free(&place) && is_own_or_free(&root)).then_some(root)
    }
}

/// Whether a project's folder is where private ones lie.
pub(crate) fn is_private(root: &Path) -> bool {
    parts(root).is_some_and(|(common, _)| common.join("HEAD").is_file())
}

/// The folders whose private memory lies at `root`, one for each worktree that is there, the main one first.
pub(crate) fn folders_of(root: &Path) -> Vec<PathBuf> {
    let Some((common, below)) = parts(root) else { return Vec::new() };
    let join = |top: PathBuf| if below.is_empty() { top } else { top.join(&below) };
    let main = match common.parent() {
        Some(main) if common.file_name().is_some_and(|name| name == ".git") => {
            Some(main.to_owned())
        }
        _ => worktree_of(common),
    };
    let linked = Worktree::beside(common).into_iter().map(|worktree| worktree.top);
    main.into_iter().chain(linked).map(join).filter(|folder| is_dir(folder)).collect()
}

/// Git's own folder, and the path below the worktree that a private memory is for.
fn parts(root: &Path) -> Option<(&Path, String)> {
    let name = root.file_name()?.to_str()?;
    let below = match name.strip_prefix(BELOW) {
        Some(path) => path.replace("%2F", "/").replace("%25", "%"),
        None => (name == TOP).then(String::new)?,
    };
    let place = root.parent().filter(|place| place.file_name().is_some_and(|it| it == FOLDER))?;
    Some((place.parent()?, below))
}

/// Where the repository of a submodule is checked out.
fn worktree_of(git: &Path) -> Option<PathBuf> {
    let config = small(&git.join("config")).ok()?;
    let path = git::setting(&config, "core", "", "worktree")?;
    git.join(path).canonicalize().ok()
}

/// Whether nothing lies at a path, or a folder or file of this user's that is no link.
fn is_own_or_free(path: &Path) -> bool {
    !is_there(path) || !is_link(path) && is_this_users(path)
}
