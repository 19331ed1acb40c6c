//! The hooks in linked git worktrees of a project. A worktree has the files that git tracks and no others, so it lacks
//! the hooks, which are for this machine alone; everything else it has from the main worktree.
//!
//! A copy of a file that the user had there lies among the copies of the project, under a name that is made from
//! the worktree's path: nothing that a clone can carry says which files of a worktree are whose.

use std::path::Path;

use super::program;
use super::steps::{carry_out, configured, next_steps, remark, remarks, report_refused, show};
use crate::cli::{InitArgs, UninstallArgs};
use crate::disk::{self, Worktree};
use crate::install::{self, InstallPlan, Scan};
use crate::layout::CONFIG;
use crate::plan::{Change, Plan, Step, hash};
use crate::platform::{ALL, Platform, with_own_files};
use crate::project::{self, Project};
use crate::splice::ignore;
use crate::terminal::safe;
use crate::{Exit, Problem, World};

/// `init` and `update` inside a worktree: the project is set up elsewhere, only its hooks are put here. Fails when the
/// project's configuration does not parse, or something is asked for that only the project can have.
pub(crate) fn set_up(
    args: &InitArgs,
    root: &Path,
    folder: &Path,
    world: &mut World,
) -> Result<Exit, Problem> {
    let Project { config, .. } = project::open(root)?;
    let platforms = configured(&config.platforms())?;
    let is_new = |id: &String| !platforms.iter().any(|row| row.id == *id);
    if args.platform.iter().any(is_new)
        || args.tenant.is_some()
        || args.qmd
        || args.no_search
        || args.no_recall
        || args.no_register
        || args.no_vector
        || args.share
    {
        return Err(Problem::usage(format!(
            "this is a linked worktree of `{}`, which has what is asked for",
            root.display()
        ))
        .hint("run it there; here, `hipocampus update` puts the hooks in place"));
    }
    remark(
        world,
        &format!(
            "a linked worktree: it remembers in `{}`, unless `worktrees` is \"own\" in `{CONFIG}`",
            root.display()
        ),
    );
    let (exit, changed) = put_in(root, folder, &platforms, args.dry_run, world)?;
    if !changed && exit == Exit::Done {
        let _ = writeln!(world.out, "everything is in place");
    }
    if !args.dry_run && exit == Exit::Done {
        next_steps(world, folder, &platforms);
    }
    Ok(exit)
}

/// Puts the hooks into every worktree of a project.
pub(crate) fn put(
    root: &Path,
    platforms: &[&'static Platform],
    dry_run: bool,
    world: &mut World,
) -> Result<(), Problem> {
    for folder in project::worktrees(root) {
        put_in(root, &folder, platforms, dry_run, world)?;
    }
    Ok(())
}

fn put_in(
    root: &Path,
    folder: &Path,
    platforms: &[&'static Platform],
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    let program = program::settled(world, dry_run)?;
    let scan = look(root, folder)?;
    let own = with_own_files(platforms);
    let outcome = install::put_hooks(&scan, &own, &program);
    let done = do_or_show(&scan, &outcome, root, folder, dry_run, world)?;
    let hidden = own.iter().flat_map(|row| install::hidden_hooks(&scan, row)).collect();
    hide(folder, hidden, dry_run, world)?;
    Ok(done)
}

/// Sees to it that git does not add files with this machine's paths in them: a branch may be older than our lines of
/// `.gitignore`, and is no place to change them. Git's own list of what this clone ignores is in nobody's way.
fn hide(
    folder: &Path,
    hidden: Vec<&'static str>,
    dry_run: bool,
    world: &mut World,
) -> Result<(), Problem> {
    let Some(worktree) = Worktree::around(folder) else { return Ok(()) };
    let Ok(below) = folder.strip_prefix(&worktree.top) else { return Ok(()) };
    let ignored = disk::read_users_file(&folder.join(".gitignore"))?.unwrap_or_default();
    let ignored = String::from_utf8_lossy(&ignored);
    let is_ignored = |file: &str| ignored.lines().any(|line| line.trim() == format!("/{file}"));
    let lines = hidden.into_iter().filter(|file| !is_ignored(file));
    let lines: Vec<_> = lines.map(|file| line(below, file)).collect();
    if lines.is_empty() {
        return Ok(());
    }
    exclude(&worktree.main, dry_run, world, |old| {
        let known = ours(below);
        let mut all = lines;
        all.extend(known.iter().filter(|line| has_line(old, line)).cloned());
        all.sort();
        all.dedup();
        ignore::put(old, &all, &known)
    })
}

fn has_line(text: &[u8], line: &str) -> bool {
    text.split(|byte| *byte == b'\n').any(|found| found.trim_ascii_end() == line.as_bytes())
}

/// The lines that [`hide`] may have written for a folder of a worktree.
fn ours(below: &Path) -> Vec<String> {
    ALL.iter().flat_map(|row| install::hook_files(row)).map(|file| line(below, file)).collect()
}

/// A line of git's for a file of a folder below the top of a worktree.
fn line(below: &Path, file: &str) -> String {
    format!("/{}", below.join(file).display())
}

fn exclude(
    main: &Path,
    dry_run: bool,
    world: &mut World,
    edit: impl FnOnce(&[u8]) -> Vec<u8>,
) -> Result<(), Problem> {
    let (git, path) = (main.join(".git"), "info/exclude");
    let old = disk::read_users_file(&git.join(path))?;
    let new = edit(old.as_deref().unwrap_or_default());
    if old.as_deref().unwrap_or_default() == new || dry_run {
        return Ok(());
    }
    let mut plan = Plan::default();
    let change = if let Some(old) = old {
        Change::Replace { was: hash(&old), with: new }
    } else {
        plan.steps.push(Step::to_users_file("info", Change::EnsureDir, "folder"));
        Change::Create(new)
    };
    plan.steps.push(Step::to_users_file(path, change, "ignored files"));
    carry_out(world, &git, &InstallPlan { plan, ..InstallPlan::default() })
}

/// `uninstall` inside a worktree: its hooks leave, the project stays.
pub(crate) fn leave(
    args: &UninstallArgs,
    root: &Path,
    folder: &Path,
    world: &mut World,
) -> Result<Exit, Problem> {
    if args.purge || args.tenant.is_some() {
        return Err(Problem::usage(format!("this is a linked worktree of `{}`", root.display()))
            .hint(
                "run it there; here, `hipocampus uninstall` takes out the hooks of the worktree",
            ));
    }
    let (exit, changed) = take_out_of(root, folder, args.dry_run, world)?;
    if !changed && exit == Exit::Done {
        let _ = writeln!(world.out, "nothing to uninstall");
    }
    remark(world, &format!("the project itself is in `{}` and stays", root.display()));
    Ok(exit)
}

/// Takes the hooks out of every worktree of a project.
pub(crate) fn take_out(root: &Path, dry_run: bool, world: &mut World) -> Result<(), Problem> {
    let folders = project::worktrees(root);
    for folder in &folders {
        take_out_of(root, folder, dry_run, world)?;
    }
    let Some(worktree) = folders.first().and_then(|folder| Worktree::around(folder)) else {
        return Ok(());
    };
    let below = disk::real_path(root).strip_prefix(&worktree.main).map(Path::to_path_buf);
    let known = ours(&below.unwrap_or_default());
    exclude(&worktree.main, dry_run, world, |old| ignore::take_out(old, &known))
}

fn take_out_of(
    root: &Path,
    folder: &Path,
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    let scan = look(root, folder)?;
    let program = program::stable(world).unwrap_or_default();
    let outcome = install::take_out_hooks(&scan, &program);
    do_or_show(&scan, &outcome, root, folder, dry_run, world)
}

fn do_or_show(
    scan: &Scan,
    outcome: &InstallPlan,
    root: &Path,
    folder: &Path,
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    let line = format!("worktree: {}", folder.display());
    do_or_show_as(&line, (scan, outcome), root, folder, dry_run, world)
}

/// Carries out what is to be done in a folder, with copies in another one, or shows it, below a line that says where.
pub(super) fn do_or_show_as(
    line: &str,
    (scan, outcome): (&Scan, &InstallPlan),
    root: &Path,
    folder: &Path,
    dry_run: bool,
    world: &mut World,
) -> Result<(Exit, bool), Problem> {
    let InstallPlan { plan, refused, .. } = outcome;
    if !plan.is_empty() {
        let _ = writeln!(world.out, "  ~ {}", safe(line));
    }
    if dry_run && !plan.is_empty() {
        show(world, scan, outcome);
    } else if !dry_run {
        // Copies lie with the project, everything else in the worktree.
        let (copies, here): (Vec<_>, Vec<_>) =
            plan.steps.iter().cloned().partition(|step| install::is_record(&step.path));
        for (base, steps) in [(root, copies), (folder, here)] {
            let plan = Plan { steps, notes: Vec::new() };
            carry_out(world, base, &InstallPlan { plan, ..InstallPlan::default() })?;
        }
    }
    remarks(world, &plan.notes);
    Ok((report_refused(world, refused), !plan.is_empty()))
}

/// The worktrees of a project where a client has no hooks, or not those of this program, and which clients.
pub(crate) fn without_hooks(
    root: &Path,
    platforms: &[&'static Platform],
    program: &str,
) -> Vec<(String, Vec<&'static str>)> {
    let mut found = Vec::new();
    for folder in project::worktrees(root) {
        let Ok(scan) = look(root, &folder) else { continue };
        let outcome = install::put_hooks(&scan, platforms, program);
        let lacks = |row: &&&Platform| {
            if row.lends_hooks.is_some_and(|own| !disk::is_there(&folder.join(own))) {
                return false;
            }
            let files = install::hook_files(row);
            outcome.plan.steps.iter().any(|step| files.contains(&step.path.as_str()))
                || !outcome.refused.is_empty() && !files.is_empty()
        };
        let ids: Vec<_> = platforms.iter().filter(lacks).map(|row| row.id).collect();
        if !ids.is_empty() {
            found.push((folder.display().to_string(), ids));
        }
    }
    found
}

/// What lies in a worktree where hooks go, and the copies that the project keeps of it.
fn look(root: &Path, folder: &Path) -> Result<Scan, Problem> {
    let mut scan = super::scan::look_for_hooks(root, folder)?;
    scan.here = disk::mark_of(folder);
    Ok(scan)
}
