//! The memory of the user: rules that hold in every project, below the user's own data folder. No session ever enters it.

use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use crate::disk::{self, Memory, Wait};
use crate::layout::{self, CONFIG, MEMORY};
use crate::memory::entry;
use crate::project::{self, Project};
use crate::recall::user::{OfProject, Rules, at_start};
use crate::refresh::{UpdateOptions, index, tree};
use crate::setup::program::DATA;
use crate::text::lossy;
use crate::{Problem, World};

/// What its places are called beside those of projects.
pub(crate) const NAME: &str = "user";

/// The user's memory, opened.
pub(crate) struct UserMemory {
    pub(crate) project: Project,
    pub(crate) memory: Memory,
}

/// The folder it lies in, or would. Fails where the user has no place for data.
pub(crate) fn folder(world: &World) -> Result<PathBuf, Problem> {
    world.own_folder("XDG_DATA_HOME", DATA).ok_or_else(|| {
        Problem::new("there is no place for a memory of yours")
            .hint("set `HOME` or `XDG_DATA_HOME`; nothing was changed")
    })
}

/// Where a command with `--user` looks for its memory; `dir` without that flag. Fails where it was not made.
pub(crate) fn or_user(
    user: bool,
    dir: Option<&Path>,
    world: &World,
) -> Result<Option<PathBuf>, Problem> {
    if !user {
        return Ok(dir.map(Path::to_path_buf));
    }
    let folder = folder(world)?;
    if !disk::is_there(&folder.join(CONFIG)) {
        return Err(Problem::new("you have no memory of your own yet")
            .hint("make it with `hipocampus init --user`; nothing was changed"));
    }
    if !is_ours(&folder) {
        return Err(Problem::new(format!("`{}` belongs to another user", folder.display()))
            .hint("give it back to its owner, or set `XDG_DATA_HOME`; nothing was changed"));
    }
    Ok(Some(folder))
}

/// Whether a project is the user's memory.
pub(crate) fn is_at(world: &World, root: &Path) -> bool {
    folder(world).is_ok_and(|folder| is_same_place(&folder, root))
}

/// Whether two paths lead to one folder.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    disk::real_path(one) == disk::real_path(other)
}

/// Refuses what would bring sessions into the user's memory, or make something else of it.
pub(crate) fn refuse(world: &World, root: &Path, what: &str) -> Result<(), Problem> {
    if !is_at(world, root) {
        return Ok(());
    }
    Err(Problem::usage(format!("`{}` is your own memory: {what}", root.display()))
        .hint("run this in a project; nothing was changed"))
}

/// Refuses everything but `user` and `feedback` entries. Fails with the first other one by its name.
pub(crate) fn check_types(text: &[u8]) -> Result<(), Problem> {
    let text = lossy(text);
    let parsed = entry::parse(&text);
    let above = parsed.untitled();
    let is_said = above.lines.iter().any(|line| !line.text.trim().is_empty());
    let other = parsed.entries().find(|entry| !entry.kind.is_about_user());
    let what = match other {
        Some(entry) => format!("`{}` is of type `{}`", entry.topic, entry.kind.word()),
        None if is_said => "there is text above the first heading".to_owned(),
        None => return Ok(()),
    };
    Err(Problem::usage(format!("{what}: your own memory has `user` and `feedback` entries alone"))
        .hint("say which with `--type`, or leave out `--user` to save it in the project; nothing was saved"))
}

/// The user's memory. `None` where it was not made, or belongs to another user.
pub(crate) fn open(world: &World) -> Option<UserMemory> {
    open_at(&folder(world).ok()?)
}

/// The same where its folder is known.
pub(crate) fn open_at(folder: &Path) -> Option<UserMemory> {
    if !disk::is_there(&folder.join(CONFIG)) || !is_ours(folder) {
        return None;
    }
    let project = project::open(folder).ok()?;
    let memory = Memory::open(&project.root).ok()??;
    Some(UserMemory { project, memory })
}

/// Whether what is read of a user's memory is this user's.
fn is_ours(folder: &Path) -> bool {
    [folder.to_path_buf(), folder.join(CONFIG), folder.join(MEMORY)]
        .iter()
        .all(|path| !disk::is_there(path) || disk::is_this_users(path))
}

/// The rules of the user that are told where a session of a project starts.
pub(crate) fn rules_for(world: &World, memory: &Memory, today: NaiveDate) -> Rules {
    let Some(user) = open(world) else { return Rules::default() };
    let mut facts = index::open(&user.memory, false);
    if facts.is_empty() {
        // What was kept is another version's.
        let lock = user.memory.folder().lock(layout::LOCK, Wait::Hook);
        let ask = UpdateOptions { today, alone: lock.held(), ..UpdateOptions::default() };
        if lock.held().is_some() && tree::update(&user.project, &user.memory, &ask).is_ok() {
            facts = index::open(&user.memory, false);
        }
    }
    at_start(&facts, &OfProject::of(&index::open(memory, false), today), today)
}
