//! Claude Code: `~/.claude/projects/SLUG/SESSION.jsonl`, a folder for each that it was started in.

use std::path::{Path, PathBuf};

use super::{Owner, Past, PastSessions, home, origin_of};
use crate::disk;
use crate::import::sessions::{SLUG_LIMIT, claude_folders, slug};
use crate::platform::{Store, id_of};
use crate::world::World;

pub(super) fn find(whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    let Some(home) = home(world, "CLAUDE_CONFIG_DIR", ".claude") else { return };
    let projects = home.join("projects");
    if disk::is_link(&projects) {
        let why =
            "it is a link, which is not followed; name what it leads to: `hipocampus import PATH`";
        return found.refuse(&projects, why);
    }
    let mut folders = claude_folders(whose.root, whose.from, &projects);
    // A worktree that is gone lay elsewhere: where git has noted down, or it was perhaps called after the project.
    let name = whose.root.file_name().map(|name| slug(Path::new(name))).unwrap_or_default();
    let gone: Vec<String> = whose.gone.iter().map(|folder| slug(folder)).collect();
    let is_after_it = |folder: &String| {
        let folder = format!("{folder}-");
        folder.contains(&format!("-{name}-"))
            || gone.iter().any(|gone| folder.starts_with(&format!("{gone}-")))
    };
    for folder in disk::names(&projects).into_iter().filter(is_after_it) {
        let folder = projects.join(folder);
        if !folders.iter().any(|(known, _)| *known == folder) {
            folders.push((folder, false));
        }
    }
    folders.sort();
    for (folder, is_exact) in folders {
        let name = folder.file_name().and_then(|name| name.to_str()).filter(|_| is_exact);
        let wanted = |path: &Path| path.extension().is_some_and(|it| it == "jsonl");
        found.each(&folder, 1, wanted, |found, stored| session(whose, stored, name, found));
    }
}

/// `folder` is the name of the folder it lies in where that is one of the project's own.
fn session(
    whose: &Owner<'_>,
    stored: &disk::Stored,
    folder: Option<&str>,
    found: &mut PastSessions,
) {
    let path = &stored.path;
    let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let origin = match origin_of(stored) {
        Ok(origin) if origin.delegated && origin.cwd.is_none() => return,
        Ok(origin) => origin,
        // Whether it is this project's is unknown. In another folder it probably is not.
        Err(why) if folder.is_some() => return found.pass_over(None, &why),
        Err(_) => return,
    };
    let is_ours = match (&origin.cwd, folder) {
        (None, None) => false,
        // Two projects may have one such folder.
        (None, Some(_)) => {
            let past = Past::in_file(id_of(Store::ClaudeCode), id, stored);
            // An empty one is named as such.
            let says = past.says_something();
            return if says { found.untold.push(past) } else { found.sessions.push(past) };
        }
        (Some(cwd), None) => whose.owns(Path::new(cwd)),
        // Kept under this name although held elsewhere: somebody put it here, as after the project moved.
        (Some(cwd), Some(folder)) => whose.owns(Path::new(cwd)) || !is_of_folder(cwd, folder),
    };
    let past = Past::in_file(id_of(Store::ClaudeCode), id, stored);
    let held_in = origin.cwd.as_ref().map(PathBuf::from);
    let past = Past { held_in, delegated: origin.delegated, ..past };
    if is_ours {
        found.add(past);
    } else if let Some(cwd) = origin.cwd.filter(|_| folder.is_none()) {
        found.take(whose, Path::new(&cwd), past);
    }
}

/// Whether a session that was held in `cwd` lies where Claude Code keeps it. Two paths may have one name.
fn is_of_folder(cwd: &str, folder: &str) -> bool {
    let slug = slug(Path::new(cwd));
    slug == folder || slug.len() >= SLUG_LIMIT && folder.starts_with(&slug)
}
