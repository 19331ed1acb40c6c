//! `hipocampus compact`: brings the tree up to date.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::cli::CompactArgs;
use crate::disk::{self, Lock, Memory, Wait};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::memory::compaction::{self, Outcome, Rules};
use crate::memory::library::{Facts, Library};
use crate::memory::period::{Level, Period};
use crate::plan::{Note, Plan};
use crate::project::{self, Project};
use crate::terminal::safe;
use crate::world::World;

pub(crate) fn run(args: &CompactArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None))?;
    let reopen = args.reopen.as_deref().map(day).transpose()?;
    let Some(memory) = Memory::open(&project.root)? else {
        return finish(args, world, &Plan::default(), project.notes);
    };
    let lock = if args.dry_run { None } else { Some(take_lock(&memory, Wait::ByHand)?) };
    let listing = memory.list(lock.as_ref().is_some_and(Lock::is_held))?;
    if let Some(day) = reopen
        && !listing.logs.contains_key(&day)
        && !listing.nodes.contains_key(&Period::Day(day))
    {
        let what = format!("there is no log and no daily node of {day} to reopen");
        return Err(Problem::usage(what).hint("give a date as in `memory/YYYY-MM-DD.md`").into());
    }
    let rules = rules(world, reopen.into_iter().collect())?;
    let known = if args.full { Facts::default() } else { memory.facts() };
    let mut library = Library::new(listing, known, &memory);
    let Outcome { plan, nodes } = compaction::plan(&mut library, &rules);
    let mut notes = project.notes;
    if !args.dry_run {
        let applied = disk::apply(&project.root, &plan);
        for (index, stamp) in &applied.done {
            if let (Some((period, facts)), Some(stamp)) = (nodes.get(index), stamp) {
                library.wrote_node(*period, *stamp, *facts);
            }
        }
        if let Some(facts) = library.into_facts() {
            memory.keep_facts(&facts);
        }
        notes.extend(applied.skipped);
        if let Some(failure) = applied.failure {
            return Err(failure.into());
        }
    }
    finish(args, world, &plan, notes)
}

fn day(text: &str) -> Result<chrono::NaiveDate, Problem> {
    match Period::parse(Level::Daily, text) {
        Some(Period::Day(day)) => Ok(day),
        _ => Err(Problem::usage(format!("`{text}` is no date")).hint("write it like `2026-03-15`")),
    }
}

fn rules(world: &World, reopen: BTreeSet<chrono::NaiveDate>) -> Result<Rules<'static>, Problem> {
    Ok(Rules { today: world.today()?, redact: &|text| text, rules_version: 0, reopen })
}

fn take_lock(memory: &Memory, wait: Wait) -> Result<Lock, Problem> {
    match memory.folder().lock(layout::LOCK, wait) {
        Lock::Busy => Err(Problem::new("another `hipocampus` is working on this memory")
            .hint("wait for it to finish and run the command again; nothing was changed")
            .exit(Exit::Busy)),
        lock => Ok(lock),
    }
}

/// Says what was done, in the words of the contract.
fn finish(args: &CompactArgs, world: &mut World, plan: &Plan, notes: Vec<Note>) -> Result<Exit> {
    let notes: Vec<_> = plan.notes.iter().cloned().chain(notes).collect();
    let failed = notes.iter().any(|note| note.problem);
    if args.json {
        let plan = Plan { steps: plan.steps.clone(), notes };
        writeln!(world.out, "{}", serde_json::to_string(&plan)?)?;
    } else {
        if args.dry_run {
            for step in &plan.steps {
                writeln!(world.out, "{}", safe(&step.to_string()))?;
            }
        }
        writeln!(world.out, "hipocampus compact: {}", summary(plan))?;
        for note in &notes {
            let label = if note.problem { "error" } else { "note" };
            writeln!(world.err, "{label}: {}", safe(&note.to_string()))?;
        }
    }
    Ok(if failed { Exit::Problem } else { Exit::Done })
}

fn summary(plan: &Plan) -> String {
    let touched = |level: Level| {
        let folder = format!("{}/{}/", layout::MEMORY, layout::level_dir(level));
        plan.steps.iter().any(|step| step.path.starts_with(&folder))
    };
    let parts: Vec<_> = Level::ALL
        .into_iter()
        .filter(|level| touched(*level))
        .map(|level| format!("{level} nodes updated"))
        .collect();
    if parts.is_empty() { "nothing to do".to_owned() } else { parts.join(", ") }
}
