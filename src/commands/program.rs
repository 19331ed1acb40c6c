//! By what name the clients call this program.

use std::path::{Component, Path, PathBuf};

use crate::disk;
use crate::{Problem, World};

/// The absolute path for hooks and plugins: the one on `PATH` if that is this program, since it stays
/// where it is over an upgrade; else the program that runs. Nothing below a `node_modules` is taken from
/// `PATH`: it goes with its project or the cache it was unpacked in.
///
/// # Errors
/// When the system does not tell where the program is.
pub(super) fn stable(world: &World) -> Result<String, Problem> {
    let running = world.exe.clone().ok_or_else(|| {
        Problem::new("the system does not tell where this program is")
            .hint("run it by its absolute path")
    })?;
    let real = disk::real_path(&running);
    let named = on_path(world, "hipocampus")
        .into_iter()
        .find(|path| !is_below_node_modules(path) && disk::real_path(path) == real);
    let path = named.unwrap_or(running);
    path.into_os_string().into_string().map_err(|path| {
        Problem::new(format!("the path of this program is no UTF-8: `{}`", path.display()))
            .hint("move it to a path that is")
    })
}

/// Every program of this name on `PATH`, the first one first. Relative entries are left out.
pub(super) fn on_path(world: &World, name: &str) -> Vec<PathBuf> {
    let path = world.env.get(std::ffi::OsStr::new("PATH")).cloned().unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .filter(|program| disk::is_program(program))
        .collect()
}

/// The first program of our name on `PATH` if that is another one: it is what agents get when they call us.
pub(super) fn in_our_place(world: &World) -> Option<PathBuf> {
    let first = on_path(world, "hipocampus").into_iter().next()?;
    let running = world.exe.as_deref()?;
    let bytes = |path| disk::read_users_file(path).ok().flatten();
    let size = |path| disk::stamp(path).map(|stamp| stamp.size);
    let same = disk::real_path(&first) == disk::real_path(running)
        || size(&first).is_some()
            && size(&first) == size(running)
            && bytes(&first) == bytes(running);
    (!same).then_some(first)
}

/// What to do where no program of our name is on `PATH`.
pub(super) const NOT_ON_PATH: &str =
    "`hipocampus` is not on your PATH, and the agents call it by its name: put it there";

/// What to do about [`in_our_place`].
pub(super) fn make_way(other: &Path, world: &World) -> String {
    let running = world.exe.clone().unwrap_or_default();
    format!(
        "`hipocampus` on your PATH is `{}`, not this program (`{}`), and the agents call it by its name: remove that one, or put this one before it",
        other.display(),
        running.display()
    )
}

fn is_below_node_modules(path: &Path) -> bool {
    path.components().any(|part| part == Component::Normal("node_modules".as_ref()))
}
