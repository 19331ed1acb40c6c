//! `hipocampus compact`: brings the tree up to date.

use std::path::Path;

use anyhow::Result;

use super::day;
use crate::capture::Redact as _;
use crate::capture::hook_input::HookInput;
use crate::cli::CompactArgs;
use crate::disk::{Lock, Memory};
use crate::error::{Exit, Problem};
use crate::hooks::call::HookCall;
use crate::hooks::caller::caller;
use crate::hooks::stdin;
use crate::import::{self, ImportOutcome, by_id, dry};
use crate::plan::Note;
use crate::project::{self, Project};
use crate::refresh::by_hand::{finish, search, take_lock};
use crate::refresh::{UpdateOptions, Updated, tree};
use crate::world::World;

pub(crate) fn run(args: &CompactArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    // A hook's call that only shows what it would do is a person's.
    let mut hook = if args.stdin { stdin::read_hook(world)? } else { HookInput::default() };
    let call = HookCall { dir, private: false };
    let project = project::find(&call.start(world, &hook)?)?;
    let reopen = args.reopen.as_deref().map(day).transpose()?;
    let today = world.today()?;
    let mut done = Updated::default();
    // How older versions were told of a session by whatever called them.
    let has_transcript = world.var("TRANSCRIPT_PATH").is_some() && !args.dry_run;
    let memory = if has_transcript {
        Some(Memory::make(&project.root, project.config.share)?)
    } else {
        Memory::open(&project.root)?
    };
    if let Some(memory) = memory {
        let lock =
            if args.dry_run { None } else { Some(take_lock(memory.folder(), world.patience)?) };
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
    if args.dry_run {
        let note = would_import(&project, &mut hook, world)?;
        done.imported = note.as_ref().is_some_and(|note| !note.problem);
        done.plan.notes.extend(note);
    } else {
        search(&project, world, &done, false);
    }
    done.plan.notes.extend(project.notes);
    finish(args, world, done)
}

/// What would become of the session that a hook or `TRANSCRIPT_PATH` names, if there is one.
fn would_import(project: &Project, hook: &mut HookInput, world: &World) -> Result<Option<Note>> {
    let client = caller(hook, world, &project.config.platforms());
    if let Some(other) = client.other() {
        return Ok(Some(Note::problem("import", other.unread())));
    }
    let client = client.known();
    if let Some(why) = client.and_then(|client| by_id::look_up(hook, client, world)) {
        return Ok(Some(Note::problem("import", why)));
    }
    if hook.messages.is_none() && import::transcript_of(hook, world).is_none() {
        return Ok(None);
    }
    let memory = Memory::open(&project.root)?;
    let redactor = project.redactor()?;
    let note = dry::would_import(memory.as_ref().map(Memory::folder), hook, world, &redactor);
    Ok(note.map(|note| Note { text: redactor.text(&note.text).into_owned(), ..note }))
}

/// Imports the session that `TRANSCRIPT_PATH` names.
fn import_named(
    project: &Project,
    memory: &Memory,
    world: &World,
    lock: &Lock,
) -> Result<ImportOutcome> {
    let Some(alone) = lock.held() else {
        let problem = Problem::new("the memory cannot be locked, so the session was not read");
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
