//! Private projects: the memory lies in git's own folder, and what agents read in the user's home, so that the
//! repository has no trace of it. The home is shared by all private projects of the user; the last one to leave clears it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::steps::configured;
use super::worktrees::do_or_show_as;
use super::{program, scan};
use crate::cli::InitArgs;
use crate::disk::{self, GitFolder, is_private};
use crate::install::{self, Home, InstallPlan, InstallRecord, Scan};
use crate::layout::CONFIG;
use crate::plan::{Change, Plan, Step};
use crate::platform::{ALL, Platform};
use crate::project::{self, is_project};
use crate::projects;
use crate::terminal::read_line;
use crate::world::Talk;
use crate::{Exit, Problem, World, text};

/// The user's private projects, and what was made in the home for them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Register {
    /// where their memories lie
    projects: BTreeSet<PathBuf>,
    /// folders of the home that were not there before
    made: BTreeSet<PathBuf>,
    /// paths of the program that hooks were given
    programs: BTreeSet<String>,
}

/// Its file, in the folder of the user's records where copies of the home's files lie, too.
const REGISTER: &str = "projects.json";

/// Where the private memory of a folder goes. Fails where git has no place for it, or a project lies there already.
pub(crate) fn place_for(folder: &Path) -> Result<PathBuf, Problem> {
    let unchanged = "nothing was changed";
    let place = GitFolder::around(folder).and_then(|git| git.memory_of(folder)).ok_or_else(|| {
        let what = format!("`{}` is in no git repository of yours", folder.display());
        Problem::new(what).hint(format!(
            "run `git init` first, or leave out `--private`, which keeps the memory in git's own folder; {unchanged}"
        ))
    })?;
    if is_project(folder) {
        let what = format!("`{}` has a memory that is not private", folder.display());
        return Err(Problem::new(what).hint(format!(
            "run `hipocampus uninstall`, move its `memory/` away, run this again, then `hipocampus merge` with the moved folder; {unchanged}"
        )));
    }
    Ok(place)
}

/// Fails where something is asked of a private project that only one with files in the repository can have.
pub(crate) fn only_for_private(args: &InitArgs) -> Result<(), Problem> {
    if !args.share && args.tenant.is_none() {
        return Ok(());
    }
    Err(Problem::usage("this project is private: git has no part of it, and it has no tenants")
        .hint("run `hipocampus uninstall` and `hipocampus init` to have it in the repository; nothing was changed"))
}

/// Fails where an agent reads nothing of the user's home.
pub(crate) fn check(platforms: &[&'static Platform]) -> Result<(), Problem> {
    match platforms.iter().find(|row| row.personal.is_none()) {
        None => Ok(()),
        Some(row) => Err(Problem::usage(format!(
            "no project of {} can be private: nothing in your home folder is known that it reads in every project",
            row.name
        ))
        .hint("leave out `--private`; nothing was changed")),
    }
}

/// Whether somebody at a terminal wants a new project private, because git tracks a file that it would change. `None`
/// where nobody was asked.
pub(crate) fn offer(
    world: &mut World,
    folder: &Path,
    platforms: &[&'static Platform],
    dry_run: bool,
) -> Option<bool> {
    let can_answer = world.in_is_terminal && world.err_is_terminal && world.talk > Talk::Quiet;
    if !can_answer || dry_run || world.var("CI").is_some() || check(platforms).is_err() {
        return None;
    }
    GitFolder::around(folder)?.memory_of(folder)?;
    let sections: Vec<_> = platforms.iter().map(|row| row.protocol_file.to_owned()).collect();
    let tracked = disk::tracked(folder, &sections)?.into_iter().next()?;
    let _ = write!(
        world.err,
        "git tracks `{tracked}`, so colleagues would see the section in it. Where is this memory to be?\n  \
         1  private: in git's own folder and your home folder; the repository has no trace of it\n  \
         2  in the project: a section in `{tracked}`, lines in `.gitignore`; the memory itself stays out of git\n\
         number [1]: "
    );
    let _ = world.err.flush();
    let answer = read_line(world)?;
    Some(matches!(answer.trim(), "" | "1"))
}

/// Makes the folder of a private memory, for nobody else's eyes.
pub(crate) fn make(root: &Path) -> Result<(), Problem> {
    let Some((git, steps)) = folders(root) else { return Ok(()) };
    let make = |path| Step::to_users_file(path, Change::EnsureDir, "folder").private(true);
    let plan = Plan { steps: steps.into_iter().map(make).collect(), notes: Vec::new() };
    disk::apply(git, &plan).failure.map_or(Ok(()), Err)
}

/// Removes what [`make`] made, as far as nothing is in it.
pub(crate) fn remove(root: &Path) -> Result<(), Problem> {
    let Some((git, steps)) = folders(root) else { return Ok(()) };
    let remove = |path| Step::to_users_file(path, Change::RemoveDir, "folder");
    let plan = Plan { steps: steps.into_iter().rev().map(remove).collect(), notes: Vec::new() };
    disk::apply(git, &plan).failure.map_or(Ok(()), Err)
}

/// Git's own folder, and those of a private memory below it, the outer one first.
fn folders(root: &Path) -> Option<(&Path, [String; 2])> {
    let outer = root.parent()?;
    let (name, inner) = (outer.file_name()?.to_str()?, root.file_name()?.to_str()?);
    Some((outer.parent()?, [name.to_owned(), format!("{name}/{inner}")]))
}

/// Puts what agents need for the project at `root` into the user's home.
pub(crate) fn put(root: &Path, dry_run: bool, world: &mut World) -> Result<(Exit, bool), Problem> {
    settle(Some(root), None, dry_run, world)
}

/// Takes it out again, unless other private projects need it.
pub(crate) fn leave(
    root: &Path,
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    settle(None, Some(root), dry_run, world)
}

/// Brings the home to what the private projects need, with one more or one less.
fn settle(
    more: Option<&Path>,
    less: Option<&Path>,
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    let program = program::settled(world, dry_run)?;
    let store = store(world)?;
    let known = read(&store)?;
    let mut register = known.clone();
    // One that was moved is known by what its hooks noted.
    register.projects.extend(projects::noted(world));
    register.projects.retain(|root| less != Some(root) && is_live(root));
    register.projects.extend(more.map(Path::to_path_buf));
    if more.is_some() {
        register.programs.insert(program.clone());
    }
    let platforms = platforms_of(&register)?;
    let mut looks = Vec::new();
    for row in ALL.iter().copied().filter(|row| row.personal.is_some()) {
        let Some((base, home, scan)) = look(world, &store, &register, row)? else { continue };
        let outcome = if platforms.contains(&row) {
            install::put_personal(&scan, &home, &platforms, &program)
        } else {
            install::take_out_personal(&scan, &home, &program)
        };
        looks.push((base, scan, outcome));
    }
    let is_new = |step: &&Step| step.change == Change::EnsureDir && !install::is_record(&step.path);
    for (base, _, outcome) in &looks {
        let folders = outcome.plan.steps.iter().filter(is_new).map(|step| base.join(&step.path));
        register.made.extend(folders);
    }
    if !dry_run {
        write(&store, &register)?;
    }
    let (mut exit, mut changed) = (Exit::Done, false);
    for (base, scan, mut outcome) in looks {
        outcome.plan.steps.retain(|step| {
            step.change != Change::RemoveDir || register.made.contains(&base.join(&step.path))
        });
        let line = format!("your home folder: {}", base.display());
        let done = do_or_show_as(&line, (&scan, &outcome), &store, &base, dry_run, world)?;
        exit = if done.0 == Exit::Done { exit } else { done.0 };
        changed |= done.1;
    }
    if !dry_run {
        register.made.retain(|folder| disk::is_dir(folder));
        if register.projects.is_empty() && exit == Exit::Done {
            register.programs.clear();
        }
        write(&store, &register)?;
    }
    Ok((exit, changed))
}

/// What would have to be done in the home for one client of a private project: with the scan it was planned from, and
/// the client's paths.
pub(super) fn plan(
    world: &World,
    row: &'static Platform,
    platforms: &[&'static Platform],
    program: &str,
) -> Result<Option<(Scan, Home, InstallPlan)>, Problem> {
    let store = store(world)?;
    let register = read(&store)?;
    let mut all = platforms_of(&register)?;
    all.extend(platforms.iter().filter(|row| !all.contains(row)).copied().collect::<Vec<_>>());
    let Some((_, home, scan)) = look(world, &store, &register, row)? else { return Ok(None) };
    let outcome = install::put_personal(&scan, &home, &all, program);
    Ok(Some((scan, home, outcome)))
}

/// How many other private projects of the user there are.
pub(crate) fn others(root: &Path, world: &World) -> usize {
    let mut register = store(world).and_then(|store| read(&store)).unwrap_or_default();
    register.projects.extend(projects::noted(world));
    register.projects.iter().filter(|other| *other != root && is_live(other)).count()
}

/// The agents of all private projects.
fn platforms_of(register: &Register) -> Result<Vec<&'static Platform>, Problem> {
    let mut all: Vec<&'static Platform> = Vec::new();
    for root in &register.projects {
        // One whose configuration is broken keeps what it has.
        let rows = match project::open(root) {
            Ok(project) => configured(&project.config.platforms())?,
            Err(_) => ALL.iter().copied().filter(|row| row.personal.is_some()).collect(),
        };
        all.extend(rows.into_iter().filter(|row| !all.contains(row)).collect::<Vec<_>>());
    }
    Ok(all)
}

/// What lies in the home where a client reads: the folder it is below, the client's paths, and what was found.
fn look(
    world: &World,
    store: &Path,
    register: &Register,
    row: &'static Platform,
) -> Result<Option<(PathBuf, Home, Scan)>, Problem> {
    let Some(personal) = &row.personal else { return Ok(None) };
    let user = world.var("HOME").map(PathBuf::from);
    let moved = world.var(personal.variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let Some(folder) = moved.or_else(|| Some(user.as_ref()?.join(personal.folder))) else {
        return Err(Problem::new("the environment does not tell where your home folder is")
            .hint("set `HOME`; nothing was changed"));
    };
    let base = user.filter(|home| folder.starts_with(home) && folder != *home);
    let base = base.or_else(|| folder.parent().map(Path::to_path_buf)).unwrap_or_default();
    let below = folder.strip_prefix(&base).ok().and_then(Path::to_str).unwrap_or_default();
    let Some(home) = Home::of(row, below.to_owned()) else { return Ok(None) };
    let mut scan = scan::look_at_home(store, &base, &home.paths())?;
    let programs = register.programs.clone();
    scan.record = Some(InstallRecord { programs, ..InstallRecord::default() });
    Ok(Some((base, home, scan)))
}

/// Whether a private memory is still there and set up.
fn is_live(root: &Path) -> bool {
    is_private(root) && disk::is_there(&root.join(CONFIG))
}

fn store(world: &World) -> Result<PathBuf, Problem> {
    let folder = world.state_folder().ok_or_else(|| {
        Problem::new("there is no place for your own records")
            .hint("set `HOME` or `XDG_STATE_HOME`; nothing was changed")
    })?;
    Ok(folder.join("private"))
}

fn read(store: &Path) -> Result<Register, Problem> {
    let path = store.join(REGISTER);
    let bytes = disk::read_users_file(&path)?;
    // Without it less is known; nothing is lost.
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
}

fn write(store: &Path, register: &Register) -> Result<(), Problem> {
    let path = store.join(REGISTER);
    let new = text::pretty_json(register);
    if disk::read_users_file(&path)?.is_some_and(|old| old == new) {
        return Ok(());
    }
    disk::put_private(&path, &new)
}
