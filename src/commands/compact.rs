//! `hipocampus compact`: brings the tree up to date.

use std::path::Path;

use anyhow::Result;

use super::day;
use crate::capture::Redact as _;
use crate::capture::hook_input::HookInput;
use crate::cli::CompactArgs;
use crate::disk::{Lock, Memory};
use crate::error::{Exit, Problem};
use crate::import::{self, ImportOutcome};
use crate::project::{self, Project};
use crate::refresh::by_hand::{finish, search, take_lock};
use crate::refresh::tree::{self, UpdateOptions, Updated};
use crate::world::World;

pub(crate) fn run(args: &CompactArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let reopen = args.reopen.as_deref().map(day).transpose()?;
    let today = world.today()?;
    let mut done = Updated::default();
    // How older versions were told of a conversation by whatever called them.
    let has_transcript = world.var("TRANSCRIPT_PATH").is_some() && !args.dry_run;
    let memory = if has_transcript {
        Some(Memory::make(&project.root, project.config.share)?)
    } else {
        Memory::open(&project.root)?
    };
    if let Some(memory) = memory {
        let lock = if args.dry_run { None } else { Some(take_lock(memory.folder())?) };
        let imported = match lock.as_ref().filter(|_| has_transcript) {
            Some(lock) => import_named(&project, &memory, world, lock)?,
            None => ImportOutcome::default(),
        };
        let ask = UpdateOptions {
            today,
            dry_run: args.dry_run,
            full: args.full,
            reopen: reopen.into_iter().collect(),
            rebuild_root: args.rebuild_root,
            alone: lock.as_ref().and_then(Lock::held),
            ..UpdateOptions::default()
        };
        done = tree::update(&project, &memory, &ask)?;
        done.imported = imported.turns > 0;
        done.plan.notes.extend(imported.notes);
    }
    if !args.dry_run {
        search(&project, world, &done, false);
    }
    done.plan.notes.extend(project.notes);
    finish(args, world, done)
}

/// Imports the conversation that `TRANSCRIPT_PATH` names.
fn import_named(
    project: &Project,
    memory: &Memory,
    world: &World,
    lock: &Lock,
) -> Result<ImportOutcome> {
    let Some(alone) = lock.held() else {
        let problem = Problem::new("the memory cannot be locked, so the conversation was not read");
        return Err(problem.hint("see what `hipocampus status` says; nothing was changed").into());
    };
    let redactor = project.redactor()?;
    let hook = HookInput::default();
    let mut outcome = import::import(memory.folder(), alone, &hook, world, &redactor, None)?;
    for note in &mut outcome.notes {
        note.text = redactor.text(&note.text).into_owned();
    }
    Ok(outcome)
}
