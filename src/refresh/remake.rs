//! What the program will make of a memory from which something was taken: so that nodes, ROOT.md and its copy go from
//! what they are to what they will be in one step, and no run that is killed leaves one missing or half done.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use chrono::NaiveDate;

use super::{index, unfinished};
use crate::Problem;
use crate::disk::{self, Memory};
use crate::layout;
use crate::meaning::facts::FactCache;
use crate::meaning::page::plan_root;
use crate::memory::compaction::{self, CompactionPlan, Rules};
use crate::memory::period::Period;
use crate::memory::snapshot::{Facts, Listing, MemoryReader, Snapshot, Stamp};
use crate::plan::{Change, Plan, Step, hash};
use crate::project::Project;
use crate::retract::retraction::Retraction;

/// Puts into a retraction what the program will make of its nodes, of ROOT.md and of our section of MEMORY.md. Fails
/// when the memory, or a single log or node of it, or the configuration cannot be read.
pub(super) fn settle(
    project: &Project,
    memory: &Memory,
    today: NaiveDate,
    planned: &mut Retraction,
) -> Result<(), Problem> {
    let listing = without(memory.names()?.sort(), planned);
    let reopen = planned.days.union(&unfinished::days(memory)?).copied().collect();
    let steps = [&planned.before, &planned.logs].map(|plan| plan.steps.as_slice()).concat();
    let shelf = MemoryAfter { memory, changed: changed(&steps) };
    let mut library = Snapshot::new(listing, Facts::default(), &shelf);
    let redactor = project.redactor()?;
    let redact = |text| redactor.redact_owned(text);
    let rules = Rules { reopen, ..project.rules(today, redactor.version(), &redact) };
    let index = Some(index::open(memory, true));
    let CompactionPlan { plan, index, .. } = compaction::plan(&mut library, &rules, index);
    // ROOT.md made without a log would let go of what it says about that day.
    if let Some(note) = plan.notes.iter().find(|note| note.problem) {
        return Err(Problem::new(note.to_string())
            .hint("run the command again once it can be read; no log, node or text was changed"));
    }
    for step in plan.steps {
        put(&mut planned.before, step);
    }
    root(project, memory, today, &index, &mut planned.before)?;
    // Equal bytes are not written.
    planned.before.steps.retain(|step| match &step.change {
        Change::Replace { was, with } => *was != hash(with),
        _ => true,
    });
    Ok(())
}

/// The names that will be there.
fn without(mut listing: Listing, planned: &Retraction) -> Listing {
    let goes = |path: &str| {
        let mut steps = planned.before.steps.iter().chain(&planned.logs.steps);
        steps.any(|step| step.path == path && matches!(step.change, Change::Delete { .. }))
    };
    for files in listing.logs.values_mut() {
        Arc::make_mut(files).retain(|file| !goes(&layout::in_memory(&file.name)));
    }
    listing.logs.retain(|_, files| !files.is_empty());
    listing.nodes.retain(|period, _| !goes(&layout::node_path(*period)));
    listing
}

fn changed(steps: &[Step]) -> HashMap<String, Vec<u8>> {
    let with = steps.iter().filter_map(|step| match &step.change {
        Change::Replace { with, .. } => Some((step.path.clone(), with.clone())),
        _ => None,
    });
    with.collect()
}

/// A generated step in the place of the one that was planned for the file, against the bytes that are there.
fn put(plan: &mut Plan, step: Step) {
    let (Change::Create(with) | Change::Replace { with, .. }) = &step.change else { return };
    match plan.steps.iter_mut().find(|known| known.path == step.path) {
        Some(known) => {
            if let Change::Delete { was } | Change::Replace { was, .. } = known.change {
                known.change = Change::Replace { was, with: with.clone() };
            }
        }
        // What is not there yet is for the next run to make.
        None if matches!(step.change, Change::Replace { .. }) => {
            let inside = step.path.contains('/');
            plan.steps.push(step.synced().private(inside));
        }
        None => {}
    }
}

/// ROOT.md, and its copy in MEMORY.md.
fn root(
    project: &Project,
    memory: &Memory,
    today: NaiveDate,
    cache: &FactCache,
    plan: &mut Plan,
) -> Result<(), Problem> {
    let Some(before) = memory.file(layout::ROOT)? else { return Ok(()) };
    let known = changed(&plan.steps);
    let theirs = known.get(&layout::root_path()).unwrap_or(&before);
    let made = plan_root(Some(theirs), cache, today, project.root_cap());
    let change = Change::Replace { was: hash(&before), with: made.bytes.clone() };
    put(plan, Step::to_users_file(layout::root_path(), change, "the logs changed"));
    let mirror = disk::read_users_file(&project.root.join(layout::MEMORY_MD))?;
    let Some(mirror) = mirror else { return Ok(()) };
    let theirs = known.get(layout::MEMORY_MD).unwrap_or(&mirror);
    // Where there is a doubt, it stays as it is.
    if let Ok(Some(with)) = index::mirrored(project, theirs, Some(&before), &made.bytes) {
        let change = Change::Replace { was: hash(&mirror), with };
        put(plan, Step::to_users_file(layout::MEMORY_MD, change, "mirrors ROOT.md"));
    }
    Ok(())
}

/// The texts as they will be.
struct MemoryAfter<'a> {
    memory: &'a Memory,
    changed: HashMap<String, Vec<u8>>,
}

impl MemoryReader for MemoryAfter<'_> {
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        let changed = self.changed.get(&layout::in_memory(name));
        changed.map_or_else(|| self.memory.log(name), |bytes| Ok((bytes.clone(), Stamp::default())))
    }

    fn node(&self, period: Period) -> io::Result<(Vec<u8>, Stamp)> {
        let changed = self.changed.get(&layout::node_path(period));
        changed
            .map_or_else(|| self.memory.node(period), |bytes| Ok((bytes.clone(), Stamp::default())))
    }

    fn stray(&self, path: &str) -> io::Result<Vec<u8>> {
        let changed = self.changed.get(&layout::in_memory(path));
        changed.map_or_else(|| self.memory.stray(path), |bytes| Ok(bytes.clone()))
    }
}
