//! Claude Code: `~/.claude/projects/SLUG/SESSION.jsonl`, a folder for each that it was started in.

use std::path::{Path, PathBuf};

use super::{Past, PastSessions, Whose, home, origin_of};
use crate::disk::{self, describe};
use crate::import::sessions::{SLUG_LIMIT, slug};
use crate::plan::Note;
use crate::platform::{Store, id_of};
use crate::project;
use crate::world::World;

pub(super) fn find(whose: &Whose<'_>, world: &World, found: &mut PastSessions) {
    let Some(home) = home(world, "CLAUDE_CONFIG_DIR", ".claude") else { return };
    let mut roots: Vec<PathBuf> = vec![whose.root.to_path_buf(), disk::real_path(whose.root)];
    roots.extend(project::worktrees(whose.root));
    roots.extend(whose.from.iter().flat_map(|from| [from.clone(), disk::real_path(from)]));
    let mut slugs: Vec<String> = roots.iter().map(|root| slug(root)).collect();
    slugs.sort();
    slugs.dedup();
    // A folder of the project: `SLUG-sub`. A long path ends in a hash, which is not ours to make.
    let may_be = |name: &str| {
        slugs.iter().any(|slug| {
            name.strip_prefix(slug.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    let projects = home.join("projects");
    if disk::is_link(&projects) {
        let why =
            "it is a link, which is not followed; name what it leads to: `hipocampus import PATH`";
        found.passed_over.push(Note::problem(projects.display().to_string(), why));
        return;
    }
    let mut names = disk::names(&projects);
    names.sort();
    for name in names.into_iter().filter(|name| may_be(name)) {
        let is_exact = slugs.contains(&name);
        let wanted = |path: &Path| path.extension().is_some_and(|it| it == "jsonl");
        for stored in disk::stored(&projects.join(&name), 1, wanted) {
            match stored {
                Ok(stored) => session(whose, &stored, is_exact.then_some(name.as_str()), found),
                Err(why) => found.passed_over.push(Note::problem("import", describe(&why))),
            }
        }
    }
}

/// `folder` is the name of the folder it lies in where that is one of the project's own.
fn session(
    whose: &Whose<'_>,
    stored: &disk::Stored,
    folder: Option<&str>,
    found: &mut PastSessions,
) {
    let path = &stored.path;
    let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let origin = match origin_of(stored) {
        Ok(origin) if origin.delegated => return,
        Ok(origin) => origin,
        // Whose it is cannot be told. What lies in another folder may well be somebody else's.
        Err(why) if folder.is_some() => {
            found.passed_over.push(Note::problem("import", describe(&why)));
            return;
        }
        Err(_) => return,
    };
    let is_ours = match (&origin.cwd, folder) {
        (None, folder) => folder.is_some(),
        (Some(cwd), None) => whose.owns(Path::new(cwd)),
        // Kept under this name although it was held elsewhere: somebody has put it here, as after the project moved.
        (Some(cwd), Some(folder)) => whose.owns(Path::new(cwd)) || !is_of_folder(cwd, folder),
    };
    if is_ours {
        found.sessions.push(Past::in_file(id_of(Store::ClaudeCode), id, stored));
    }
}

/// Whether a session that was held in `cwd` lies where Claude Code keeps it. Two paths may have one name.
fn is_of_folder(cwd: &str, folder: &str) -> bool {
    let slug = slug(Path::new(cwd));
    slug == folder || slug.len() >= SLUG_LIMIT && folder.starts_with(&slug)
}
