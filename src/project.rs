//! Which project a run is about.
//!
//! The nearest folder, upwards from where the run starts, that has a `hipocampus.config.json`, or a `memory/`
//! with a log or ROOT.md in it. Only `init` makes a project.

use std::path::{Path, PathBuf};

use crate::capture::redact::Redactor;
use crate::config::Config;
use crate::memory::period::{Level, Period};
use crate::plan::Note;
use crate::world::World;
use crate::{Problem, disk, layout};

/// A project that was found.
#[derive(Debug)]
pub struct Project {
    /// its folder
    pub root: PathBuf,
    /// its configuration; the defaults where there is no file
    pub config: Config,
    /// what was odd about the configuration
    pub notes: Vec<Note>,
}

/// Where to start looking: `-C`, else `CLAUDE_PROJECT_DIR`, else a hook's own folder, else the working
/// directory.
///
/// # Errors
/// When `-C` names no folder, or the working directory is gone and nothing else is named.
pub fn start(
    world: &World,
    dir: Option<&Path>,
    hook_cwd: Option<&Path>,
) -> Result<PathBuf, Problem> {
    if let Some(dir) = dir {
        return folder(world.cwd.join(dir), "give `-C` a folder that exists; nothing was changed");
    }
    let claude = world.var("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let chosen = claude.or_else(|| hook_cwd.map(Path::to_path_buf));
    let start = chosen.map_or_else(|| world.cwd.clone(), |path| world.cwd.join(path));
    if start.is_relative() {
        return Err(Problem::new("the working directory does not exist any more")
            .hint("change into a folder that exists; nothing was changed"));
    }
    Ok(start)
}

/// A path that has to be a folder; `hint` says what to do if it is none.
///
/// # Errors
/// When it is none.
pub fn folder(path: PathBuf, hint: &str) -> Result<PathBuf, Problem> {
    if disk::is_dir(&path) {
        return Ok(path);
    }
    let name = path.display();
    let what = if disk::is_there(&path) {
        format!("`{name}` is no folder")
    } else {
        format!("the folder `{name}` does not exist")
    };
    Err(Problem::new(what).hint(hint))
}

/// Finds the project a folder belongs to.
///
/// # Errors
/// When there is none, or its configuration does not parse.
pub fn find(start: &Path) -> Result<Project, Problem> {
    open(&locate(start).ok_or_else(|| none_at(start))?)
}

/// There is no project that `start` belongs to.
pub fn none_at(start: &Path) -> Problem {
    Problem::new(format!("no hipocampus project in `{}` or above it", start.display()))
        .hint("run `hipocampus init` in the project's folder")
}

/// The folder of the project that `start` belongs to.
pub fn locate(start: &Path) -> Option<PathBuf> {
    // Links and `..` are resolved once, so that "upwards" means what the user sees.
    let real = disk::real_path(start);
    real.ancestors().find(|folder| is_project(folder)).map(Path::to_path_buf)
}

impl Project {
    /// The redaction rules in force.
    ///
    /// # Errors
    /// When the configuration names a rule that does not exist or a regex that does not compile.
    pub fn redactor(&self) -> Result<Redactor, Problem> {
        Redactor::from_config(&self.config.redaction).map_err(|mistakes| {
            let path = self.root.join(layout::CONFIG);
            Problem::new(format!("`{}`: {}", path.display(), mistakes.join("; ")))
                .hint("mend it and run the command again; nothing was changed")
        })
    }
}

/// Reads the configuration of a project whose folder is known.
///
/// # Errors
/// When its configuration cannot be read or does not parse.
pub fn open(root: &Path) -> Result<Project, Problem> {
    let path = root.join(layout::CONFIG);
    let (config, notes) = match disk::read_users_file(&path)? {
        Some(bytes) => Config::parse(&bytes, &path.display().to_string())?,
        None => (Config::default(), Vec::new()),
    };
    Ok(Project { root: root.to_path_buf(), config, notes })
}

/// Whether a folder is a project: it has a configuration, or a memory with a log or ROOT.md.
pub fn is_project(folder: &Path) -> bool {
    disk::is_there(&folder.join(layout::CONFIG)) || has_memory(&folder.join(layout::MEMORY))
}

fn has_memory(memory: &Path) -> bool {
    disk::names(memory).iter().any(|name| {
        let stem = name.strip_suffix(".md").and_then(|stem| stem.get(..10));
        name == layout::ROOT || stem.is_some_and(|stem| Period::parse(Level::Daily, stem).is_some())
    })
}
