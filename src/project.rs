//! Which project a run is about.
//!
//! The nearest folder, upwards from where the run starts, that has a `hipocampus.config.json`, or a `memory/`
//! with a log or ROOT.md in it. Only `init` makes a project. In a linked git worktree it is the folder of the main
//! worktree that the nearest one stands for: what is learnt there outlives the worktree. The memory of a private project
//! lies in git's own folder, and every worktree finds it there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use crate::capture::redact::Redactor;
use crate::config::{Config, Worktrees};
use crate::disk::{GitFolder, Worktree};
use crate::error::Mistake;
use crate::memory::compaction::Rules;
use crate::memory::period::{Level, Period};
use crate::plan::Note;
use crate::world::World;
use crate::{Problem, disk, layout};

#[derive(Debug)]
pub(crate) struct Project {
    pub root: PathBuf,
    /// its configuration; the defaults where there is no file
    pub config: Config,
    /// what was odd about the configuration
    pub notes: Vec<Note>,
    /// the folder of a linked worktree that stands for `root` and that the run began in or below; of a private project,
    /// the folder it is for
    pub worktree: Option<PathBuf>,
}

/// Where a run begins to look, and which folder is the user's home.
#[derive(Debug, Clone)]
pub(crate) struct StartFolder {
    path: PathBuf,
    home: Option<PathBuf>,
}

impl StartFolder {
    /// Begins in another folder.
    #[must_use]
    pub(crate) fn at(&self, path: PathBuf) -> Self {
        Self { path, home: self.home.clone() }
    }

    /// Whether a folder is the user's home.
    pub(crate) fn is_home(&self, folder: &Path) -> bool {
        self.home.as_deref().is_some_and(|home| disk::real_path(home) == disk::real_path(folder))
    }
}

impl Deref for StartFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Where to start looking: `-C`, else `CLAUDE_PROJECT_DIR`, else a hook's own folder, else the working directory. Fails
/// when `-C` names no folder, or the working directory is gone and nothing else is named.
pub(crate) fn start(
    world: &World,
    dir: Option<&Path>,
    hook_cwd: Option<&Path>,
) -> Result<StartFolder, Problem> {
    let home = world.var("HOME").map(PathBuf::from);
    if let Some(dir) = dir {
        let hint = "give `-C` a folder that exists; nothing was changed";
        return Ok(StartFolder { path: folder(world.cwd.join(dir), hint)?, home });
    }
    let claude = world.var("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let chosen = claude.or_else(|| hook_cwd.map(Path::to_path_buf));
    let start = chosen.map_or_else(|| world.cwd.clone(), |path| world.cwd.join(path));
    if start.is_relative() {
        return Err(Problem::new("the working directory does not exist any more")
            .hint("change into a folder that exists; nothing was changed"));
    }
    Ok(StartFolder { path: start, home })
}

/// A path that has to be a folder; `hint` says what to do if it is not one. Fails when it is not one.
pub(crate) fn folder(path: PathBuf, hint: &str) -> Result<PathBuf, Problem> {
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

/// Finds the project a folder belongs to. Fails when there is none, or its configuration does not parse.
pub(crate) fn find(start: &StartFolder) -> Result<Project, Problem> {
    let Location { root, worktree } = place(start).ok_or_else(|| none_at(start))?;
    Ok(Project { worktree, ..open(&root)? })
}

/// There is no project that `start` belongs to.
pub(crate) fn none_at(start: &StartFolder) -> Problem {
    let at_home = start.home.as_deref().is_some_and(is_project) && !start.is_home(start);
    let hint = if at_home {
        "run `hipocampus init` in the project's folder; the project in your home folder is for that folder alone, unless made with `hipocampus init --force`"
    } else {
        "run `hipocampus init` in the project's folder"
    };
    Problem::new(format!("no hipocampus project in `{}` or above it", start.display())).hint(hint)
}

/// Where the project of a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    pub root: PathBuf,
    /// the folder of a linked worktree that stands for it, if it was found from there, or that it is private to
    pub worktree: Option<PathBuf>,
}

impl Location {
    /// The folder of a private project that this was found from.
    pub(crate) fn private_to(&self) -> Option<&Path> {
        self.worktree.as_deref().filter(|_| disk::is_private(&self.root))
    }
}

/// The folder of the project that `start` belongs to.
pub(crate) fn locate(start: &StartFolder) -> Option<PathBuf> {
    place(start).map(|place| place.root)
}

/// The project that a folder belongs to, whosever home it is.
pub(crate) fn place_of(folder: &Path) -> Option<Location> {
    place(&StartFolder { path: folder.to_path_buf(), home: None })
}

/// The project that `start` belongs to.
pub(crate) fn place(start: &StartFolder) -> Option<Location> {
    // Links and `..` are resolved once, so that "upwards" means what the user sees.
    let real = disk::real_path(start);
    let worktree = Worktree::around(&real);
    let git = GitFolder::around(&real);
    real.ancestors().find_map(|folder| {
        let private = git.as_ref().and_then(|git| git.memory_of(folder));
        if let Some(root) = private.filter(|root| disk::is_there(&root.join(layout::CONFIG))) {
            return Some(Location { root, worktree: Some(folder.to_path_buf()) });
        }
        if let Some(root) = worktree.as_ref().and_then(|worktree| shared(worktree, folder)) {
            return Some(Location { root, worktree: Some(folder.to_path_buf()) });
        }
        let found = is_project(folder) && reaches(folder, &real, start);
        found.then(|| Location { root: folder.to_path_buf(), worktree: None })
    })
}

/// The project of the main worktree that a folder of a linked one stands for, unless the latter keeps a memory of its
/// own: because it has one already, because git gives each branch one, or because the user wants it so.
fn shared(worktree: &Worktree, folder: &Path) -> Option<PathBuf> {
    let root = worktree.of_main(folder)?;
    if !is_project(&root) || has_log(&folder.join(layout::MEMORY)) {
        return None;
    }
    let wants_own =
        |folder: &Path| config_of(folder).is_some_and(|it| it.worktrees == Worktrees::Own);
    let memory = folder.strip_prefix(&worktree.top).ok()?.join(layout::MEMORY);
    (!wants_own(&root) && !wants_own(folder) && !worktree.tracks(&memory)).then_some(root)
}

/// Every folder that stands for a project and is not its own: of linked worktrees, or those a private one is for.
pub(crate) fn folders(root: &Path) -> Vec<PathBuf> {
    if disk::is_private(root) { disk::folders_of(root) } else { worktrees(root) }
}

/// The folder that people know a project by.
pub(crate) fn shown(root: &Path) -> PathBuf {
    let folder = disk::is_private(root).then(|| disk::folders_of(root).into_iter().next());
    folder.flatten().unwrap_or_else(|| root.to_path_buf())
}

/// Every folder of a linked worktree that stands for a project of the main one, by path.
pub(crate) fn worktrees(root: &Path) -> Vec<PathBuf> {
    let root = disk::real_path(root);
    let all = Worktree::beside(&root).into_iter();
    all.filter_map(|worktree| {
        let folder = worktree.of_linked(&root)?;
        let stands = disk::is_dir(&folder) && shared(&worktree, &folder)? == root;
        stands.then_some(folder)
    })
    .collect()
}

/// Whether a project is that of the folders below it too. One in the home folder is so only where somebody said so,
/// with `init --force`: else everything that is ever worked on would end up in one memory.
fn reaches(project: &Path, real: &Path, start: &StartFolder) -> bool {
    if project == real || !start.is_home(project) {
        return true;
    }
    let below = real.strip_prefix(project).ok().and_then(|below| below.components().next());
    let own = [layout::MEMORY, layout::TENANTS, "knowledge", "plans", crate::install::FOLDER];
    below.is_some_and(|first| own.iter().any(|name| first.as_os_str() == *name))
        || config_of(project).is_some_and(|config| config.home)
}

/// The configuration of a folder where it can be read.
fn config_of(folder: &Path) -> Option<Config> {
    let bytes = disk::read_users_file(&folder.join(layout::CONFIG)).ok()??;
    Some(Config::parse(&bytes, layout::CONFIG).ok()?.0)
}

impl Project {
    /// The most tokens ROOT.md may take.
    pub(crate) fn root_cap(&self) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped between 500 and 100,000 when it was read"
        )]
        let cap = self.config.compaction.root_max_tokens as u32;
        cap
    }

    /// What a run that plans the nodes is bound by: redaction `redact` of that version, and nothing but what is due.
    pub(crate) fn rules<'a>(
        &self,
        today: NaiveDate,
        rules_version: u64,
        redact: &'a (dyn Fn(Vec<u8>) -> Vec<u8> + Sync),
    ) -> Rules<'a> {
        Rules {
            today,
            redact,
            rules_version,
            since: self.config.summaries.since,
            reopen: BTreeSet::new(),
            given: BTreeMap::new(),
            shared: self.config.share,
            threads: &|| 1,
        }
    }

    /// A path that was given in a folder, below the project or the linked worktree that stands for it; `None` for one that
    /// lies elsewhere.
    pub(crate) fn below(&self, cwd: &Path, path: &str) -> Option<String> {
        let roots = || [Some(&*self.root), self.worktree.as_deref()].into_iter().flatten();
        let below = |cwd: &Path| layout::below(path, Some(cwd), roots());
        // A folder may be known by a link to it.
        below(cwd).or_else(|| below(&disk::real_path(cwd))).or_else(|| {
            let real = disk::real_path(Path::new(path));
            layout::below(real.to_str()?, None, roots())
        })
    }

    /// The redaction rules in force. Fails when the configuration names a rule that does not exist or a regex that does
    /// not compile.
    pub(crate) fn redactor(&self) -> Result<Redactor, Problem> {
        Redactor::from_config(&self.config.redaction).map_err(|mistakes| {
            let path = self.root.join(layout::CONFIG).display().to_string();
            Problem::from(Mistake { path, at: None, what: mistakes.join("; ") })
                .hint("repair it and run the command again; nothing was changed")
        })
    }
}

/// Reads the configuration of a project whose folder is known. Fails when its configuration cannot be read or does not
/// parse.
pub(crate) fn open(root: &Path) -> Result<Project, Problem> {
    let path = root.join(layout::CONFIG);
    let (config, notes) = match disk::read_users_file(&path)? {
        Some(bytes) => Config::parse(&bytes, &path.display().to_string())?,
        None => (Config::default(), Vec::new()),
    };
    Ok(Project { root: root.to_path_buf(), config, notes, worktree: None })
}

/// Whether a folder is a project: it has a configuration, or a memory with a log or ROOT.md.
pub(crate) fn is_project(folder: &Path) -> bool {
    disk::is_there(&folder.join(layout::CONFIG)) || has_memory(&folder.join(layout::MEMORY))
}

fn has_memory(memory: &Path) -> bool {
    disk::names(memory).iter().any(|name| name == layout::ROOT || is_log(name))
}

fn has_log(memory: &Path) -> bool {
    disk::names(memory).iter().any(|name| is_log(name))
}

fn is_log(name: &str) -> bool {
    let stem = name.strip_suffix(".md").and_then(|stem| stem.get(..10));
    stem.is_some_and(|stem| Period::parse(Level::Daily, stem).is_some())
}
