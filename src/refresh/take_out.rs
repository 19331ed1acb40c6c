//! Carries out a retraction, in an order that lets the same command finish what was cut short.
//!
//! 1. The tombstones are written first: from then on nothing that was forgotten can be imported again.
//! 2. The days whose chains have to be made again go on the list for that, and the caches go: every run from here on looks
//!    for itself.
//! 3. Texts of people and models, backups, nodes, ROOT.md and its copy in MEMORY.md, each from what it was to what it will
//!    be in one step. All of these are found by means of the logs, so the logs still say everything: a run after a crash
//!    finds the same again, and a `compact` in between makes again what the logs say.
//! 4. The logs, each exchanged in one system call; what arrives meanwhile is carried over.
//! 5. Counters and caches, and what the words that arrived meanwhile make of nodes, as in any run. A run that was killed
//!    before leaves that to the next `compact`, which finds the list.

use chrono::NaiveDate;

use super::remake;
use crate::Problem;
use crate::disk::{self, Memory};
use crate::import;
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::plan::{Change, Note, Plan, Step, hash};
use crate::project::Project;
use crate::retract::retraction::Retraction;
use crate::state;

/// How often a text that changes all the time is tried.
const TRIES: usize = 8;

/// Takes out of the files what `plan` says, and asks it again for what changed meanwhile. Returns that, and what changed
/// later. What was done until a failure stands, and the same command goes on from there. Counters, caches and the nodes of
/// what arrived meanwhile are left to an update of the tree. For who has the lock.
pub(super) fn take_out(
    project: &Project,
    memory: &Memory,
    today: NaiveDate,
    mut plan: impl FnMut() -> Result<Retraction, Problem>,
) -> Result<(Retraction, Vec<Note>), Problem> {
    let mut late = Vec::new();
    for _ in 0..TRIES {
        let mut planned = plan()?;
        remake::settle(project, memory, today, &mut planned)?;
        late = prepare(project, memory, &planned)?;
        if !late.is_empty() {
            continue;
        }
        for step in &planned.logs.steps {
            let one = Plan { steps: vec![step.clone()], notes: Vec::new() };
            late.extend(apply(project, &one)?);
        }
        return Ok((planned, late));
    }
    let what = late.first().map_or_else(String::new, |note| format!("`{}` ", note.about));
    Err(Problem::new(format!("{what}changed again and again while it was looked at"))
        .hint("wait until nobody writes to it and run the command again; no log was changed"))
}

/// Everything up to the logs. Returns what changed meanwhile and is to be looked at again.
fn prepare(project: &Project, memory: &Memory, planned: &Retraction) -> Result<Vec<Note>, Problem> {
    bury(project, memory, &planned.tombstones)?;
    if !planned.days.is_empty() {
        let path = layout::in_memory(layout::REOPEN);
        let lines = state::day_lines(&planned.days).into_bytes();
        let step = Step::new(path, Change::Append(lines), "days to be made again");
        let announce = Plan { steps: vec![step.synced().private(true)], notes: Vec::new() };
        apply(project, &announce)?;
    }
    for cache in [layout::CACHE, layout::ROOT_CACHE] {
        memory.folder().remove(cache).map_err(|error| memory.failed("remove", cache, error))?;
    }
    apply(project, &planned.before)
}

/// The tombstones that are there.
pub(crate) fn tombstones(memory: &Memory) -> Result<Forgotten, Problem> {
    let found = import::buried::load(memory.folder());
    found.map_err(|error| memory.failed("read", layout::FORGOTTEN, error))
}

/// Adds tombstones to those that are there.
fn bury(project: &Project, memory: &Memory, new: &Forgotten) -> Result<(), Problem> {
    let path = layout::in_memory(layout::FORGOTTEN);
    let mut all = tombstones(memory)?;
    let before = all.to_bytes();
    all.union(new);
    let after = all.to_bytes();
    if new.is_empty() || before == after {
        return Ok(());
    }
    let change = match memory.file(layout::FORGOTTEN)? {
        Some(bytes) => Change::Replace { was: hash(&bytes), with: after },
        None => Change::Create(after),
    };
    let step = Step::new(path, change, "what must not come back").synced().private(true);
    apply(project, &Plan { steps: vec![step], notes: Vec::new() }).map(|_| ())
}

/// Applies a part. Returns what was left out because it changed meanwhile.
fn apply(project: &Project, part: &Plan) -> Result<Vec<Note>, Problem> {
    let mut part = part.clone();
    for step in &mut part.steps {
        step.private &= !project.config.share;
    }
    let applied = disk::apply(&project.root, &part);
    match applied.failure {
        Some(failure) => Err(failure.hint(
            "solve this and run the same command again: it goes on where this one stopped, and nothing else is lost",
        )),
        None => Ok(applied.skipped),
    }
}
