//! By what name the clients call this program.

mod copies;

use std::path::{Path, PathBuf};

pub(crate) use copies::{DATA, all as copies};

use crate::terminal::safe;
use crate::{Problem, World, disk};

/// The absolute path for hooks and plugins: the one on `PATH` if that is this program, since it stays where it is over
/// an upgrade; else the program that runs, or its copy where it lies in a package manager's cache. Nothing in such a
/// cache is taken from `PATH`. Fails when the system does not tell where the program is, or there is no place for a
/// copy.
pub(crate) fn stable(world: &World) -> Result<String, Problem> {
    let running = running(world)?;
    let real = disk::real_path(&running);
    let path = if copies::is_in_cache(&running) || copies::is_in_cache(&real) {
        copies::place(world)?
    } else {
        on_path(world, "hipocampus")
            .into_iter()
            .find(|path| !copies::is_in_cache(path) && disk::real_path(path) == real)
            .unwrap_or(running)
    };
    path.into_os_string().into_string().map_err(|path| {
        Problem::new(format!("the path of this program is no UTF-8: `{}`", path.display()))
            .hint("move it to a path that is")
    })
}

/// As [`stable`], and sees to it that a copy is there if that is what it names. Says so where it is made. Fails as
/// [`stable`] does, and when the copy cannot be written.
pub(crate) fn settled(world: &mut World, dry_run: bool) -> Result<String, Problem> {
    let program = stable(world)?;
    let running = running(world)?;
    let path = Path::new(&program);
    let is_copy = copies::place(world).is_ok_and(|place| place == path) && running != path;
    let made =
        is_copy && if dry_run { !disk::is_program(path) } else { copies::keep(&running, path)? };
    let why = "a copy of this program for the hooks: package managers clear their caches";
    if made {
        let _ = writeln!(world.out, "  + {}", safe(&format!("{program} ({why})")));
    }
    Ok(program)
}

fn running(world: &World) -> Result<PathBuf, Problem> {
    world.exe.clone().ok_or_else(|| {
        Problem::new("the system does not tell where this program is")
            .hint("run it by its absolute path")
    })
}

/// Every program of this name on `PATH`, the first one first. Relative entries are left out.
pub(crate) fn on_path(world: &World, name: &str) -> Vec<PathBuf> {
    let path = world.env.get(std::ffi::OsStr::new("PATH")).cloned().unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .filter(|program| disk::is_program(program))
        .collect()
}

/// The first program of our name on `PATH` if that is another one: it is what agents get when they call us. What npx
/// and the like put in front of `PATH` is there for this run only.
pub(crate) fn shadowing_program(world: &World) -> Option<PathBuf> {
    let first = lasting(world).into_iter().next()?;
    let running = world.exe.as_deref()?;
    let bytes = |path| disk::read_users_file(path).ok().flatten();
    let size = |path| disk::stamp(path).map(|stamp| stamp.size);
    let same = disk::real_path(&first) == disk::real_path(running)
        || is_wrapper(&first)
        || size(&first).is_some()
            && size(&first) == size(running)
            && bytes(&first) == bytes(running);
    (!same).then_some(first)
}

/// Programs of our name on `PATH` that are there for every run, the first one first.
fn lasting(world: &World) -> Vec<PathBuf> {
    let mut found = on_path(world, "hipocampus");
    found.retain(|path| !copies::is_in_cache(path));
    found
}

/// Whether a program is the npm package's wrapper around this version.
fn is_wrapper(program: &Path) -> bool {
    let real = disk::real_path(program);
    let manifest = real.parent().and_then(Path::parent).map(|package| package.join("package.json"));
    let bytes = |path: PathBuf| disk::read_users_file(&path).ok().flatten();
    let is_ours = |manifest: serde_json::Value| {
        manifest["version"] == env!("CARGO_PKG_VERSION")
            && manifest["bin"]["hipocampus"] == "bin/hipocampus.js"
    };
    real.ends_with("bin/hipocampus.js")
        && manifest
            .and_then(bytes)
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .is_some_and(is_ours)
}

/// What agents get that call this program by its name, where that is another one or none, and what to do.
pub(crate) fn shadow(world: &World) -> Option<String> {
    if lasting(world).is_empty() {
        let way = match stable(world) {
            Ok(program) if copies::place(world).is_ok_and(|place| place == Path::new(&program)) => {
                let program = crate::splice::command::quote(&program);
                format!(": `ln -sf {program} ~/.local/bin/` puts it there, if that folder is on it")
            }
            _ => ": put it there".to_owned(),
        };
        return Some(format!("{NOT_ON_PATH}{way}"));
    }
    shadowing_program(world).map(|other| make_way(&other, world))
}

/// Where no program of our name is on `PATH`.
const NOT_ON_PATH: &str = "`hipocampus` is not on your PATH, and the agents call it by its name";

/// What to do about [`shadowing_program`].
fn make_way(other: &Path, world: &World) -> String {
    let running = world.exe.clone().unwrap_or_default();
    format!(
        "`hipocampus` on your PATH is `{}`, not this program (`{}`), and the agents call it by its name: remove that one, or put this one before it",
        other.display(),
        running.display()
    )
}
