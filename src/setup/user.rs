//! `init --user` and `uninstall --user`: the memory of the user, made and left.

use std::path::Path;

use super::steps::{carry_out, remark, show};
use crate::disk::{self, Memory};
use crate::install::{InstallPlan, Scan, user_config};
use crate::layout::{self, CONFIG, MEMORY};
use crate::plan::{Change, Plan, Step, hash};
use crate::refresh::tree;
use crate::terminal::{answer, safe};
use crate::{Exit, Problem, World, install, project, user_memory};

/// `init --user`
pub(crate) fn set_up(world: &mut World) -> Result<Exit, Problem> {
    let folder = user_memory::folder(world)?;
    let config = folder.join(CONFIG);
    if disk::is_there(&config) {
        // Says so where it is another user's.
        user_memory::or_user(true, None, world)?;
        let _ = writeln!(world.out, "everything is in place");
        return Ok(Exit::Done);
    }
    disk::put_private(&config, &user_config())?;
    let memory = Memory::make(&folder, false)?;
    tree::begin_clean(&memory, project::open(&folder)?.redactor()?.version());
    let place = folder.join(MEMORY);
    let _ = writeln!(
        world.out,
        "set up: your own memory in `{}`; its rules are told at the start of every session in every project, no session is ever saved in it",
        safe(&place.display().to_string())
    );
    let _ = writeln!(
        world.out,
        "next: `hipocampus flush --user --type feedback --topic TOPIC -m \"rule: …\"` saves a rule, `hipocampus promote RULE` moves one there"
    );
    Ok(Exit::Done)
}

/// `uninstall --user`: its rules are told no more. Its entries stay, unless they are to go.
pub(crate) fn leave(world: &mut World, purge: bool, dry_run: bool) -> Result<Exit, Problem> {
    let folder = user_memory::folder(world)?;
    let config = disk::read_users_file(&folder.join(CONFIG))?;
    if config.is_none() && !purge {
        let _ = writeln!(world.out, "nothing to uninstall");
        return Ok(Exit::Done);
    }
    let mut plan = Plan::default();
    if let Some(bytes) = config {
        let change = Change::Delete { was: hash(&bytes) };
        plan.steps.push(Step::to_users_file(CONFIG, change, "configuration"));
    }
    if purge && disk::is_dir(&folder.join(MEMORY)) {
        plan.steps.push(Step::to_users_file(MEMORY, Change::RemoveTree, "memory"));
    } else {
        plan.steps.extend(unused(&folder)?);
    }
    let outcome = InstallPlan { plan, ..InstallPlan::default() };
    if dry_run {
        show(world, &Scan::default(), &outcome);
        return Ok(Exit::Done);
    }
    if purge {
        confirm(world, &folder)?;
    }
    carry_out(world, &folder, &outcome)?;
    if let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) {
        // Copies of the program may lie beside it.
        let step = Step::to_users_file(name.to_string_lossy(), Change::RemoveDir, "folder");
        disk::apply(above, &Plan { steps: vec![step], notes: Vec::new() });
    }
    if disk::is_dir(&folder.join(MEMORY)) {
        remark(world, &format!("stays: your entries, in `{}`", folder.join(MEMORY).display()));
    }
    Ok(Exit::Done)
}

/// The files of the program alone, and the memory where nothing else is in it.
fn unused(folder: &Path) -> Result<Vec<Step>, Problem> {
    let mut steps = Vec::new();
    for name in install::WORK_FILES.into_iter().chain([layout::SCRUBBED]) {
        let path = format!("{MEMORY}/{name}");
        if let Some(bytes) = disk::read_users_file(&folder.join(&path))? {
            let change = Change::Delete { was: hash(&bytes) };
            steps.push(Step::to_users_file(path, change, "working file"));
        }
    }
    for level in ["daily", "weekly", "monthly"] {
        let path = format!("{MEMORY}/{level}");
        if disk::is_dir(&folder.join(&path)) {
            steps.push(Step::to_users_file(path, Change::RemoveDir, "folder"));
        }
    }
    steps.push(Step::to_users_file(MEMORY, Change::RemoveDir, "folder"));
    Ok(steps)
}

fn confirm(world: &mut World, folder: &Path) -> Result<(), Problem> {
    let place = folder.join(MEMORY);
    remark(world, &format!("this removes `{}` with everything in it, for good", place.display()));
    match &*answer(world, "type `yes` to go on: ") {
        "yes" => Ok(()),
        _ => Err(Problem::usage("not confirmed; nothing was removed")
            .hint("answer `yes` on a terminal, or leave out `--purge` to keep your entries")),
    }
}
