//! Copies of the program for who runs it out of a package manager's cache.
//!
//! npx, pnpm, bun and yarn unpack a program where it stays until they clean up or fetch another version. Hooks that
//! name such a place die with it, so they get a copy that no package manager knows:
//! `DATA/hipocampus/bin/VERSION/hipocampus`. `DATA` is `$XDG_DATA_HOME`, else `~/.local/share`, on macOS
//! `~/Library/Application Support`. Versions lie side by side: setting one project up with a new one changes nothing
//! for the others.

use std::path::{Component, Path, PathBuf};

use crate::disk;
use crate::{Problem, World};

/// Folders that package managers unpack into.
const CACHES: [&str; 6] = ["node_modules", "_npx", ".pnpm", ".pnpm-store", ".yarn", ".bun"];
/// The program's name in its folder.
const NAME: &str = "hipocampus";
/// Where data of a user lies below the home folder.
pub(crate) const DATA: &str =
    if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };

/// Whether a path lies where a package manager cleans up.
pub(super) fn is_in_cache(path: &Path) -> bool {
    path.components().any(|part| CACHES.iter().any(|name| part == Component::Normal(name.as_ref())))
}

/// Where the copy of this version belongs. Fails when the user has no folder for data.
pub(super) fn place(world: &World) -> Result<PathBuf, Problem> {
    let folder = folder(world).ok_or_else(|| {
        Problem::new("this program lies in a package manager's cache, and there is no place to keep a copy for the hooks")
            .hint("set `HOME` or `XDG_DATA_HOME`, or install the program somewhere else; nothing was changed")
    })?;
    Ok(folder.join(env!("CARGO_PKG_VERSION")).join(NAME))
}

/// Puts a copy of `program` to where it belongs, unless the same bytes are there. Tells whether it did. Fails when it
/// cannot be written, or could not be run where it is.
pub(super) fn keep(program: &Path, copy: &Path) -> Result<bool, Problem> {
    let new = disk::put_program(program, copy)?;
    if disk::may_run(copy) {
        return Ok(new);
    }
    let text = format!("`{}` cannot be run: its file system allows no programs", copy.display());
    Err(Problem::new(text)
        .hint("set `XDG_DATA_HOME` to a place where programs may be; the project was not changed"))
}

/// The folder of copies, and the versions in it.
pub(crate) fn all(world: &World) -> Option<(PathBuf, Vec<String>)> {
    let folder = folder(world)?;
    let mut versions = disk::names(&folder);
    versions.retain(|version| disk::is_program(&folder.join(version).join(NAME)));
    versions.sort();
    (!versions.is_empty()).then_some((folder, versions))
}

fn folder(world: &World) -> Option<PathBuf> {
    Some(world.own_folder("XDG_DATA_HOME", DATA)?.join("bin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_known_by_its_folders() {
        #[track_caller]
        fn check(path: &str, expect: bool) {
            assert_eq!(is_in_cache(Path::new(path)), expect, "{path}");
        }
        check("/home/u/.npm/_npx/3f1/node_modules/h-linux-x64/bin/hipocampus", true);
        check("/home/u/p/node_modules/.pnpm/h@1/node_modules/h/bin/hipocampus", true);
        check("/home/u/.local/share/pnpm/store/v10/links/h/1/node_modules/h/bin/hipocampus", true);
        check("/tmp/bunx-1000-h@latest/node_modules/h/bin/hipocampus", true);
        check("/home/u/p/.yarn/unplugged/h-npm-0.6.0-12ab/hipocampus", true);
        check("/usr/lib/node_modules/h/bin/hipocampus", true);
        check("/home/u/.cargo/bin/hipocampus", false);
        check("/usr/local/bin/hipocampus", false);
        check("/home/u/src/node_modules_of_mine/hipocampus", false);
    }
}
