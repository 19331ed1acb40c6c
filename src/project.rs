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
pub fn start(world: &World, dir: Option<&Path>, hook_cwd: Option<&Path>) -> PathBuf {
    let chosen = dir.map(Path::to_path_buf).or_else(|| {
        let claude = world.var("CLAUDE_PROJECT_DIR").map(PathBuf::from);
        claude.or_else(|| hook_cwd.map(Path::to_path_buf))
    });
    chosen.map_or_else(|| world.cwd.clone(), |path| world.cwd.join(path))
}

/// Finds the project a folder belongs to.
///
/// # Errors
/// When there is none, or its configuration does not parse.
pub fn find(start: &Path) -> Result<Project, Problem> {
    let root = locate(start).ok_or_else(|| {
        Problem::new(format!("no hipocampus project in `{}` or above it", start.display()))
            .hint("run `hipocampus init` in the project's folder")
    })?;
    open(&root)
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
