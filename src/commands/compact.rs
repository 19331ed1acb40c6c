//! `hipocampus compact`: brings the tree up to date.

use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;

use crate::capture::Redact as _;
use crate::capture::hook_input::HookInput;
use crate::cli::CompactArgs;
use crate::commands::import::{self, ImportOutcome};
use crate::commands::tree::{self, Ask, Done};
use crate::disk::{Busy, Folder, Lock, Memory, Wait};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::memory::period::{Level, Period};
use crate::plan::Plan;
use crate::project::{self, Project};
use crate::qmd;
use crate::terminal::safe;
use crate::world::{Talk, World};

pub(crate) fn run(args: &CompactArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let reopen = args.reopen.as_deref().map(day).transpose()?;
    let today = world.today()?;
    let mut done = Done::default();
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
        let ask = Ask {
            today,
            dry_run: args.dry_run,
            full: args.full,
            reopen: reopen.into_iter().collect(),
            rebuild_root: args.rebuild_root,
            alone: lock.as_ref().and_then(Lock::held),
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

/// Lets the search engine know, where there is one and something changed. Its failures are warnings.
pub(crate) fn search(project: &Project, world: &mut World, done: &Done, in_hook: bool) {
    let changed = !done.levels().is_empty() && done.failure.is_none();
    if changed
        && let Some(trouble) = qmd::refresh(world, &project.root, &project.config.search, in_hook)
    {
        let _ = writeln!(world.err, "note: {}", safe(&trouble));
    }
}

fn finish(args: &CompactArgs, world: &mut World, done: Done) -> Result<Exit> {
    say(args, world, &done)?;
    match done.failure {
        Some(failure) => Err(failure.into()),
        None if done.plan.notes.iter().any(|note| note.problem) => Ok(Exit::Problem),
        None => Ok(Exit::Done),
    }
}

/// What `compact` does, for a command that has just written to a log.
pub(crate) fn after_capture(
    project: &Project,
    memory: &Memory,
    world: &mut World,
    lock: &Lock,
) -> Result<Exit> {
    if matches!(lock, Lock::Busy(_)) {
        writeln!(
            world.err,
            "note: another run has the memory, so its nodes follow with the next run"
        )?;
        return Ok(Exit::Done);
    }
    let ask = Ask { today: world.today()?, alone: lock.held(), ..Ask::default() };
    let mut done = tree::update(project, memory, &ask)?;
    done.plan.notes.extend(project.notes.iter().cloned());
    search(project, world, &done, false);
    finish(&CompactArgs::default(), world, done)
}

fn day(text: &str) -> Result<NaiveDate, Problem> {
    match Period::parse(Level::Daily, text) {
        Some(Period::Day(day)) => Ok(day),
        _ => Err(Problem::usage(format!("`{text}` is no date")).hint("write it like `2026-03-15`")),
    }
}

/// Takes the lock for a command that does nothing without it while another run has it.
pub(crate) fn take_lock(memory: &Folder) -> Result<Lock, Problem> {
    match memory.lock(layout::LOCK, Wait::ByHand) {
        Lock::Busy(Busy { stuck }) => {
            let who = stuck.map(|stuck| format!(": {stuck}")).unwrap_or_default();
            Err(Problem::new(format!("another `hipocampus` is working on this memory{who}"))
                .hint("wait for it to finish and run the command again; nothing was changed")
                .exit(Exit::Busy))
        }
        lock => Ok(lock),
    }
}

/// Says what was done, in the words of `spec/compaction.md`. Remarks that were there before are `status`'s to make.
fn say(args: &CompactArgs, world: &mut World, done: &Done) -> Result<()> {
    let done_what = [done.levels(), done.beside()].into_iter().find(|parts| !parts.is_empty());
    let summary = done_what.map_or_else(|| "nothing to do".to_owned(), |parts| parts.join(", "));
    if args.json {
        #[derive(serde::Serialize)]
        struct Report<'a> {
            summary: &'a str,
            #[serde(flatten)]
            plan: &'a Plan,
        }
        let report = Report { summary: &summary, plan: &done.plan };
        writeln!(world.out, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    if args.dry_run {
        for step in &done.plan.steps {
            writeln!(world.out, "{}", safe(&step.to_string()))?;
        }
    }
    if world.talk == Talk::Verbose && !args.dry_run {
        for step in &done.plan.steps {
            writeln!(world.err, "{}", safe(&step.to_string()))?;
        }
    }
    if done.failure.is_none() {
        writeln!(world.out, "hipocampus compact: {summary}")?;
    }
    for note in done.plan.notes.iter().filter(|note| note.problem || world.talk > Talk::Quiet) {
        let label = if note.problem { "error" } else { "note" };
        writeln!(world.err, "{label}: {}", safe(&note.to_string()))?;
    }
    Ok(())
}
