//! Carries out what `forget`, `scrub` and a merge plan to take out, and makes again what was made of it.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;

use super::by_hand::take_lock;
use super::take_out::take_out;
use super::{UpdateOptions, Updated, tree, unfinished};
use crate::disk::{self, Held, Lock, Memory};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::project::Project;
use crate::retract::retraction::Retraction;
use crate::terminal::safe;
use crate::world::World;

pub(crate) use super::take_out::tombstones;

/// Takes the memory for a retraction: the lock, and what runs that were cut short left is swept and repaired. Fails
/// when the lock cannot be had, or the memory cannot be read; nothing was taken out then.
pub(crate) fn begin(project: &Project, memory: &Memory, world: &mut World) -> Result<Held> {
    let alone = match take_lock(memory.folder(), world.patience)? {
        Lock::Held(alone) => alone,
        lock => {
            let why = lock.refusal(layout::LOCK).unwrap_or_default();
            return Err(Problem::new(why).hint("nothing was changed").into());
        }
    };
    memory.sweep(&alone, &memory.names()?);
    for note in unfinished::recover(project, memory)? {
        writeln!(world.err, "note: {}", safe(&note.to_string()))?;
    }
    Ok(alone)
}

/// Carries out what `plan` says, which is asked again for what changed meanwhile. Returns what was made anew. What was
/// done until a failure stands, and the same command goes on from there.
pub(crate) fn retraction(
    project: &Project,
    memory: &Memory,
    alone: &Held,
    today: NaiveDate,
    plan: impl FnMut() -> Result<Retraction, Problem>,
) -> Result<Updated, Problem> {
    let (_, late) = take_out(project, memory, today, plan)?;
    let ask = UpdateOptions { today, alone: Some(alone), ..UpdateOptions::default() };
    let mut done = tree::update(project, memory, &ask)?;
    done.plan.notes.extend(late);
    Ok(done)
}

/// Makes again what a run that was cut short left to be made. Fails when the list of it, or the memory, cannot be read.
pub(crate) fn finish_pending(
    project: &Project,
    memory: &Memory,
    alone: &Held,
    today: NaiveDate,
) -> Result<(), Problem> {
    if !unfinished::days(memory)?.is_empty() {
        tree::update(
            project,
            memory,
            &UpdateOptions { today, alone: Some(alone), ..UpdateOptions::default() },
        )?;
    }
    Ok(())
}

/// Tells what could not be done, and how the run ends.
pub(crate) fn report(done: &mut Updated, world: &mut World) -> Result<Exit> {
    let mut exit = Exit::Done;
    for note in done.plan.notes.iter().filter(|note| note.problem) {
        writeln!(world.err, "error: {}", safe(&note.to_string()))?;
        exit = Exit::Problem;
    }
    done.failure.take().map_or(Ok(exit), |failure| Err(failure.into()))
}

/// A number that nobody has used before, for new tombstones. Fails where the system gives none.
pub(crate) fn salt() -> Result<u128, Problem> {
    let name = disk::random_name(32);
    let name = name.map_err(|error| disk::problem("read", Path::new("/dev/urandom"), error))?;
    Ok(u128::from_str_radix(&name, 16).unwrap_or_default())
}
