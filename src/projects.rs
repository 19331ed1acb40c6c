//! The projects of this user, which `search --everywhere` looks through. Kept in the user's state folder, where no
//! clone and no pull reaches.
//!
//! `STATE/hipocampus/projects/HASH` holds the path of one project, behind a `-` where the user wants it left out.
//! `STATE` is `$XDG_STATE_HOME`, else `~/.local/state`. Each has a file of its own, so that a hook takes one look and
//! waits for no lock.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Problem;
use crate::config::Config;
use crate::disk::{self, Folder, Memory};
use crate::error::describe;
use crate::layout;
use crate::plan::hash;
use crate::project::{self, Project};
use crate::terminal::safe;
use crate::user_memory;
use crate::world::World;

/// The variable that keeps hooks and `init` from noting a project.
pub(crate) const NO_REGISTER: &str = "HIPOCAMPUS_NO_REGISTER";
/// Where the records are, below the state folder.
const FOLDER: &str = "projects";
/// What stands before the path of a project that is left out.
const LEFT_OUT: u8 = b'-';
/// The hexadecimal digits of a record's name.
const DIGITS: usize = 16;

/// A project of this user's that may be read.
#[derive(Debug)]
pub(crate) struct OwnProject {
    /// the end of its path, so much of it that no other project is called the same
    pub(crate) name: Arc<str>,
    pub(crate) root: PathBuf,
    pub(crate) memory: Memory,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct OwnProjects {
    /// by path
    pub(crate) all: Vec<OwnProject>,
    /// those that are not read, and why
    pub(crate) refused: Vec<(PathBuf, String)>,
}

/// Whether a project may be noted: its configuration and the environment do not say otherwise, and it is no tenant,
/// whose memory is apart from all others.
pub(crate) fn may_note(world: &World, config: &Config) -> bool {
    config.register != Some(false) && config.tenant.is_none() && !world.is_on(NO_REGISTER)
}

/// Notes a project that is not noted yet, unless the user has it left out. Tells whether it did. Nothing depends on it,
/// so a failure is no problem.
pub(crate) fn note(world: &World, project: &Project, memory: &Memory) -> bool {
    if !may_note(world, &project.config) {
        return false;
    }
    let Some(file) = file_of(world, &project.root) else { return false };
    !disk::is_there(&file)
        && memory.folder().is_own()
        && disk::create_private(&file, &bytes_of(&project.root)).is_ok()
}

/// The same for `init`, which takes back that it was left out.
pub(crate) fn note_anew(world: &World, project: &Project) -> bool {
    let Some(memory) = Memory::open(&project.root).ok().flatten() else { return false };
    let is_left_out = read(world, &project.root).is_some_and(|it| it.first() == Some(&LEFT_OUT));
    if is_left_out {
        take_out(world, &project.root);
    }
    note(world, project, &memory)
}

/// Takes a project out, until it is noted again.
pub(crate) fn take_out(world: &World, root: &Path) {
    let Some(state) = world.state_folder() else { return };
    // A record that names nothing does no harm.
    let _ = Folder::open(&state.join(FOLDER)).and_then(|folder| folder.remove(&name_of(root)));
    let _ = Folder::open(&state).and_then(|state| state.remove_folder(FOLDER));
    let above = state.parent().zip(state.file_name());
    let _ = above.map(|(above, name)| Folder::open(above)?.remove_folder(&name.to_string_lossy()));
}

/// Leaves a project out, whatever hooks say later. Fails when it is not noted, or that cannot be written.
pub(crate) fn leave_out(world: &World, root: &Path) -> Result<(), Problem> {
    let known = read(world, root).filter(|it| it.first() != Some(&LEFT_OUT));
    let (Some(known), Some(file)) = (known, file_of(world, root)) else {
        let what = format!("`{}` is not among the projects", root.display());
        return Err(Problem::new(what).hint("take a name or path from `hipocampus projects`"));
    };
    disk::put_private(&file, &[&[LEFT_OUT], &*known].concat())
}

/// All that are noted, and the one at `here`. A record of a memory that is gone is removed.
pub(crate) fn all(world: &World, here: Option<&Path>) -> OwnProjects {
    let mut roots = noted(world);
    roots.extend(here.map(Path::to_path_buf));
    roots.sort();
    roots.dedup();
    let mut found = OwnProjects::default();
    let mut kept: Vec<(PathBuf, Memory)> = Vec::new();
    for root in roots {
        match may_read(&root) {
            Ok(Some(memory)) => kept.push((root, memory)),
            Ok(None) => take_out(world, &root),
            Err(why) => found.refused.push((root, why)),
        }
    }
    // A private one is called after its folder.
    let shown: Vec<PathBuf> = kept.iter().map(|(root, _)| project::shown(root)).collect();
    let roots: Vec<&Path> = shown.iter().map(PathBuf::as_path).collect();
    let names = names(&roots);
    for (name, (root, memory)) in names.into_iter().zip(kept) {
        found.all.push(OwnProject { name, root, memory });
    }
    found
}

/// The project and the rest of `NAME:REST`, as [`crate::search`] prints places of other projects.
pub(crate) fn named<'a>(world: &World, what: &'a str) -> Option<(PathBuf, &'a str)> {
    if !what.contains(':') {
        return None;
    }
    let here = project::start(world, None, None).ok().and_then(|start| project::locate(&start));
    let all = all(world, here.as_deref()).all.into_iter();
    let rest = |name: &str| what.strip_prefix(name)?.strip_prefix(':');
    let mut found = all.filter_map(|it| Some((it.root, rest(&it.name)?)));
    found.next().or_else(|| {
        let rest = rest(user_memory::NAME)?;
        Some((user_memory::open(world)?.project.root, rest))
    })
}

/// There is no project to look through.
pub(crate) fn none() -> Problem {
    Problem::new("no project of yours is noted").hint(
        "run `hipocampus init` in a project; its hooks note it, too, unless `register` is false there",
    )
}

/// Says which projects were not read.
pub(crate) fn report(world: &mut World, command: &str, refused: &[(PathBuf, String)]) {
    for (root, why) in refused {
        let line = format!("hipocampus {command}: `{}` was not read: {why}", root.display());
        let _ = writeln!(world.err, "{}", safe(&line));
    }
}

/// The memory of a noted project; `None` where it is gone. An error says why it is not read.
fn may_read(root: &Path) -> Result<Option<Memory>, String> {
    if !disk::is_there(&root.join(layout::MEMORY)) {
        return Ok(None);
    }
    if disk::real_path(root) != root {
        return Err("a link leads elsewhere now".to_owned());
    }
    match Memory::open(root) {
        Ok(Some(memory)) if !memory.folder().is_own() => {
            Err("it belongs to another user".to_owned())
        }
        Ok(memory) => Ok(memory),
        Err(why) => Err(describe(&why)),
    }
}

/// The paths that are noted and not left out.
pub(crate) fn noted(world: &World) -> Vec<PathBuf> {
    let Some(folder) = folder(world).and_then(|folder| Folder::open(&folder).ok()) else {
        return Vec::new();
    };
    let is_name =
        |name: &str| name.len() == DIGITS && name.bytes().all(|it| it.is_ascii_hexdigit());
    let records = folder.list(is_name).unwrap_or_default();
    let mut roots = Vec::new();
    for record in records {
        let Ok((bytes, _)) = folder.read(&record.name) else { continue };
        let is_left_out = bytes.first() == Some(&LEFT_OUT);
        let root = PathBuf::from(OsString::from_vec(bytes));
        if is_left_out {
            continue;
        }
        if name_of(&root) == record.name {
            roots.push(root);
        } else {
            // Cut by a crash. The next hook notes the project again.
            let _ = folder.remove(&record.name);
        }
    }
    roots
}

/// For each path its last part, and as many before it as tell it from the others.
fn names(roots: &[&Path]) -> Vec<Arc<str>> {
    let end = |root: &Path, parts: usize| -> String {
        let all: Vec<_> = root.iter().map(|part| part.to_string_lossy()).collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    let name = |root: &&Path| {
        let depth = root.iter().count();
        let is_only = |parts: &usize| {
            let own = end(root, *parts);
            // The user's own memory is called so.
            own != user_memory::NAME
                && roots.iter().filter(|other| end(other, *parts) == own).count() == 1
        };
        let parts = (1..depth).find(is_only);
        parts.map_or_else(|| root.to_string_lossy().into_owned(), |parts| end(root, parts)).into()
    };
    roots.iter().map(name).collect()
}

fn read(world: &World, root: &Path) -> Option<Vec<u8>> {
    let folder = Folder::open(&folder(world)?).ok()?;
    folder.read(&name_of(root)).ok().map(|(bytes, _)| bytes)
}

fn folder(world: &World) -> Option<PathBuf> {
    Some(world.state_folder()?.join(FOLDER))
}

fn file_of(world: &World, root: &Path) -> Option<PathBuf> {
    Some(folder(world)?.join(name_of(root)))
}

fn name_of(root: &Path) -> String {
    format!("{:016x}", hash(&bytes_of(root)))
}

fn bytes_of(root: &Path) -> Vec<u8> {
    root.as_os_str().as_encoded_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_long_as_they_have_to_be() {
        #[track_caller]
        fn check(roots: &[&str], expect: &[&str]) {
            let roots: Vec<&Path> = roots.iter().map(Path::new).collect();
            let found = names(&roots);
            assert_eq!(found.iter().map(|name| &**name).collect::<Vec<_>>(), expect);
        }
        check(&["/home/ada/webshop"], &["webshop"]);
        check(&["/home/ada/webshop", "/home/ada/old/api"], &["webshop", "api"]);
        check(&["/work/shop/api", "/work/mail/api", "/api"], &["shop/api", "mail/api", "/api"]);
        check(&["/a/b", "/x/a/b"], &["/a/b", "x/a/b"]);
    }
}
