//! What commands that somebody types do around an update of the tree: wait for the lock, tell the search engine, say
//! what was done.

use std::time::Duration;

use anyhow::Result;

use super::{UpdateOptions, Updated, tree};
use crate::cli::CompactArgs;
use crate::disk::{Busy, Folder, Lock, Memory, Wait};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::plan::Plan;
use crate::project::Project;
use crate::qmd;
use crate::terminal::safe;
use crate::world::{Talk, World};

/// Takes the lock for a command that does nothing without it while another run has it.
pub(crate) fn take_lock(memory: &Folder, patience: Duration) -> Result<Lock, Problem> {
    match memory.lock(layout::LOCK, Wait::ByHand(patience)) {
        Lock::Busy(Busy { stuck }) => {
            let who = stuck.map(|stuck| format!(": {stuck}")).unwrap_or_default();
            Err(Problem::new(format!("another `hipocampus` is working on this memory{who}"))
                .hint("wait for it to finish and run the command again; nothing was changed")
                .exit(Exit::Busy))
        }
        lock => Ok(lock),
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
    let ask =
        UpdateOptions { today: world.today()?, alone: lock.held(), ..UpdateOptions::default() };
    let mut done = tree::update(project, memory, &ask)?;
    done.plan.notes.extend(project.notes.iter().cloned());
    search(project, world, &done, false);
    finish(&CompactArgs::default(), world, done)
}

/// Lets the search engine know, where there is one and something changed. Its failures are warnings.
pub(crate) fn search(project: &Project, world: &mut World, done: &Updated, in_hook: bool) {
    let changed = !done.levels().is_empty() && done.failure.is_none();
    if changed
        && let Some(trouble) = qmd::refresh(world, &project.root, &project.config.search, in_hook)
    {
        let _ = writeln!(world.err, "note: {}", safe(&trouble));
    }
}

/// Says what an update of the tree could not do, for a command whose own work is done.
pub(crate) fn tell_problems(world: &mut World, done: &Updated) {
    for note in done.plan.notes.iter().filter(|note| note.problem) {
        let _ = writeln!(world.err, "note: {}", safe(&note.to_string()));
    }
}

/// Says what was done, and how the command ends.
pub(crate) fn finish(args: &CompactArgs, world: &mut World, done: Updated) -> Result<Exit> {
    say(args, world, &done)?;
    match done.failure {
        Some(failure) => Err(failure.into()),
        None if done.plan.notes.iter().any(|note| note.problem) => Ok(Exit::Problem),
        None => Ok(Exit::Done),
    }
}

/// Says what was done, in the words of `spec/compaction.md`. Remarks that were there before are `status`'s to make.
fn say(args: &CompactArgs, world: &mut World, done: &Updated) -> Result<()> {
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
        let summary =
            if args.dry_run { summary.replace(" updated", " would be updated") } else { summary };
        writeln!(world.out, "hipocampus compact: {summary}")?;
    }
    for note in done.plan.notes.iter().filter(|note| note.problem || world.talk > Talk::Quiet) {
        let label = if note.problem { "error" } else { "note" };
        writeln!(world.err, "{label}: {}", safe(&note.to_string()))?;
    }
    Ok(())
}
