//! `hipocampus merge-file`: merges one file of a memory, called by git as its merge driver.
//!
//! git hands over three files of its own and takes the result from the second. Whatever cannot be merged stays as it
//! is, with exit code 1: then git has its conflict.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Error, Result};

use crate::cli::MergeFileArgs;
use crate::disk::{self, Folder, NamedError, Write};
use crate::error::{Exit, Problem};
use crate::git_program;
use crate::import::buried;
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::merge::{self, FileKind, LIMIT, MergeError};
use crate::retract::in_merges;
use crate::world::World;

pub(crate) fn run(args: &MergeFileArgs, world: &mut World) -> Result<Exit> {
    let path = args.path.to_string_lossy().into_owned();
    let refused = |why: anyhow::Error| {
        let problem = Problem::new(format!("`{path}` cannot be merged"));
        Error::msg(disk::describe(&*why))
            .context(problem.hint("it is left as a conflict of git's; nothing was changed"))
    };
    let read = |file: &Path| read(&world.cwd.join(file)).map_err(refused);
    let (base, ours, theirs) = (read(&args.base)?, read(&args.ours)?, read(&args.theirs)?);
    // A file that both sides made has nothing in common.
    let base = (!base.is_empty() || ours.is_empty() || theirs.is_empty()).then_some(&*base);
    let merged = match merge::kind(&path) {
        Some(kind) => {
            let day = layout::day_of_log(layout::name(&path)).filter(|_| kind == FileKind::Log);
            let forgotten = match day {
                Some(day) => {
                    let (known, both) = forgotten(&path, world).map_err(|error| {
                        refused(NamedError::put(layout::FORGOTTEN, error).into())
                    })?;
                    if both { known } else { in_merges::of_one_side(known, day, base, &theirs) }
                }
                None => Forgotten::default(),
            };
            in_merges::merged((kind, day), base, &ours, &theirs, &forgotten)
        }
        None => merge::line_by_line(base, &ours, &theirs),
    };
    let merged = merged.map_err(|error| refused(error.into()))?;
    let file = world.cwd.join(&args.ours);
    let done = place(&file).and_then(|(folder, name)| {
        sweep(&folder, name)?;
        if merged != ours {
            folder.replace(name, &merged, Write { sync: true, private: false })?;
        }
        Ok(())
    });
    done.map_err(|error| disk::problem("write", &file, error))?;
    Ok(Exit::Done)
}

/// What was forgotten on either side, as far as that can be known here: the tombstones as they are in the worktree,
/// which git changes last, and those of the commits that `git merge` names to its driver. The next `compact` looks
/// again. Without those of the worktree, words that were taken out would come back. Also whether there were any of the
/// other side's.
fn forgotten(log: &str, world: &World) -> io::Result<(Forgotten, bool)> {
    let beside = log.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = format!("{beside}/{}", layout::FORGOTTEN);
    let folder = world.cwd.join(beside);
    let here = match Folder::open(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Forgotten::default()),
        folder => folder.and_then(|folder| buried::load(&folder)),
    };
    let mut all = here?;
    let heads = world.env.keys().filter_map(|name| name.to_str()?.strip_prefix("GITHEAD_"));
    let is_id = |id: &&str| id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut both = false;
    for head in heads.filter(is_id) {
        let object = format!("{head}:{path}");
        if let Ok(there) = git_program::output(world, &world.cwd, &["cat-file", "blob", &object]) {
            all.union(&Forgotten::parse(&there));
        }
        both = true;
    }
    Ok((all, both))
}

/// Removes what killed runs left half written: git gives its files another name each time, so nobody else would.
fn sweep(folder: &Folder, name: &str) -> io::Result<()> {
    let of = [format!(".{name}."), "..merge_file_".to_owned()];
    let is_left =
        |left: &str| of.iter().any(|start| left.starts_with(start)) && disk::is_abandoned(left);
    for left in folder.list(is_left)? {
        folder.remove(&left.name)?;
    }
    Ok(())
}

/// The folder of a file, and its name there.
fn place(file: &Path) -> io::Result<(Folder, &str)> {
    let name = file.file_name().and_then(|name| name.to_str());
    let (Some(folder), Some(name)) = (file.parent(), name) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    Ok((Folder::open(folder)?, name))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    let (folder, name) = place(file)?;
    let entry = folder.entry(name)?.context("one of its versions is not there")?;
    if entry.stamp.size > LIMIT {
        return Err(MergeError::TooLarge.into());
    }
    Ok(folder.read(name)?.0)
}
