//! Loads a memory, plans it, applies the plan: what `compact`, `flush` and the hooks have in common.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use chrono::{Datelike, NaiveDate};
use xxhash_rust::xxh3::Xxh3;

use super::after_nodes::{AfterNodes, keep_private};
use super::tombstones::{Settled, settle};
use super::{UpdateOptions, Updated, index, unfinished};
use crate::Problem;
use crate::disk::{self, Applied, Memory, Names, Seal};
use crate::hooks::in_force;
use crate::import;
use crate::layout;
use crate::memory::compaction::{self, CompactionPlan, Rules};
use crate::memory::node::NodeFacts;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::{Facts, Listing, Snapshot, Stamp};
use crate::plan::{Change, Note, Plan};
use crate::project::Project;
use crate::retract::scrub;

/// Brings the tree of a project up to date.
///
/// # Errors
/// When the memory cannot be listed, or a day to reopen does not exist. A write that fails is in
/// [`Updated::failure`]: what was written before it stands.
pub(crate) fn update(
    project: &Project,
    memory: &Memory,
    ask: &UpdateOptions<'_>,
) -> Result<Updated, Problem> {
    let names = memory.names()?;
    let pending = unfinished::days(memory)?;
    let sealed = memory.sealed();
    let memory_md = index::memory_md(project);
    let seal = seal_of(project, memory, &names, ask.today, memory_md);
    if !ask.wants_more()
        && pending.is_empty()
        && let Some((_, remarks)) = sealed.as_ref().filter(|(known, _)| *known == seal)
    {
        let plan = Plan { notes: remarks.clone(), ..Plan::default() };
        return Ok(Updated { plan, ..Updated::default() });
    }
    let mut notes = Vec::new();
    if let Some(alone) = ask.alone {
        memory.sweep(alone, &names);
        notes = unfinished::recover(project, memory)?;
        if !ask.dry_run {
            note_clean(memory, project.config.redaction.version(), || !names.has_log());
        }
    }
    let before = others(&names, memory_md);
    let mut listing = names.sort();
    listing.nodes.retain(|period, _| !ask.anew.contains_key(period));
    check_reopen(&listing, &ask.reopen)?;
    let known = if ask.full { Facts::default() } else { memory.facts() };
    let settled = settled(project, memory, ask, (&listing, &known), &mut notes);
    if settled.took_out {
        // The days that lost something are on the list of those to be made again.
        let mut done = update(project, memory, ask)?;
        done.plan.notes.extend(settled.notes.into_iter().chain(notes));
        return Ok(done);
    }
    let anew = ask.full || project.config.share && settled.is_news(&known);
    let mut library = Snapshot::new(listing, known, memory);
    let mut planned = plan_nodes(project, memory, ask, &mut library, (&pending, anew))?;
    let after_nodes = AfterNodes::new(project, memory, ask, &mut library);
    if ask.dry_run {
        planned.plan.append(after_nodes.plan(&planned.index));
        return Ok(Updated { plan: planned.plan, ..Updated::default() });
    }
    let (applied, bytes) = after_nodes.carry_out(&mut planned);
    let after = remember(&mut library, &planned.plan, &planned.nodes, &applied, (seal, &before));
    let kept = keep(memory, (&planned, bytes), library, &settled, (sealed, after), anew);
    notes.extend(kept.err().filter(disk::is_full).map(|error| full(&error)));
    if !pending.is_empty() && applied.is_whole() {
        import::reopen::clear(memory.folder())
            .map_err(|error| memory.failed("remove", layout::REOPEN, error))?;
    }
    let mut plan = planned.plan;
    plan.notes.extend(applied.skipped.into_iter().chain(notes));
    Ok(Updated { plan, failure: applied.failure, imported: false })
}

/// The files other than logs and nodes that a run may write, as they are before it.
fn others(names: &Names, memory_md: Option<Stamp>) -> [(String, Option<Stamp>); 3] {
    [
        (layout::root_path(), names.stamp(layout::ROOT)),
        (layout::state_path(), names.stamp(layout::STATE)),
        (layout::MEMORY_MD.to_owned(), memory_md),
    ]
}

/// What tells this state of a memory from every other one, as far as a run is concerned.
fn seal_of(
    project: &Project,
    memory: &Memory,
    names: &Names,
    today: NaiveDate,
    memory_md: Option<Stamp>,
) -> Seal {
    let rules_version = project.config.redaction.version();
    let mut seal = names.seal(circumstances(today, rules_version, project));
    seal.change_file(layout::MEMORY_MD, None, memory_md);
    if project.config.share {
        let path = memory.folder().path().join(layout::FORGOTTEN);
        seal.change_file(layout::FORGOTTEN, None, disk::stamp(&path));
    }
    seal
}

/// Takes out of a shared memory what was forgotten elsewhere. That can wait, what was said cannot: a problem is a note.
fn settled(
    project: &Project,
    memory: &Memory,
    ask: &UpdateOptions<'_>,
    there: (&Listing, &Facts),
    notes: &mut Vec<Note>,
) -> Settled {
    if ask.alone.is_none() || !project.config.share || ask.dry_run {
        return Settled::default();
    }
    settle(project, memory, ask.today, there).unwrap_or_else(|problem| {
        let path = format!("{}/{}", layout::MEMORY, layout::FORGOTTEN);
        notes.push(Note::problem(path, format!("not carried out: {}", disk::describe(&problem))));
        Settled::default()
    })
}

/// Plans the nodes, and finds what ROOT.md is made of.
fn plan_nodes(
    project: &Project,
    memory: &Memory,
    ask: &UpdateOptions<'_>,
    library: &mut Snapshot<'_>,
    (pending, anew): (&BTreeSet<NaiveDate>, bool),
) -> Result<CompactionPlan, Problem> {
    let redactor = project.redactor()?;
    if !ask.dry_run {
        // Who changes a rule makes every run look again: this is not asked for where nothing is to do.
        in_force::keep_own(&project.root, &project.config.redaction.rules);
    }
    let redact = |text| redactor.redact_owned(text);
    let rules = Rules {
        reopen: ask.reopen.union(pending).copied().collect(),
        given: ask.given.clone(),
        threads: &disk::processors,
        ..project.rules(ask.today, project.config.redaction.version(), &redact)
    };
    let mut planned = compaction::plan(library, &rules, Some(index::open(memory, anew)));
    replace_what_is_there(&mut planned.plan, &ask.anew);
    keep_private(project, &mut planned.plan);
    Ok(planned)
}

/// Keeps for the next run what this one learnt. The seal comes last: a run that was killed before it looks again, and
/// sweeps.
fn keep(
    memory: &Memory,
    (planned, bytes): (&CompactionPlan, Option<Vec<u8>>),
    library: Snapshot<'_>,
    settled: &Settled,
    (sealed, now): (Option<(Seal, Vec<Note>)>, Seal),
    anew: bool,
) -> io::Result<()> {
    index::keep(memory, &planned.index, bytes, anew)?;
    let (mut facts, learnt) = library.into_facts();
    let learnt = settled.remember(&mut facts) || learnt;
    let notes = &planned.plan.notes;
    let is_known = sealed.is_some_and(|(seal, remarks)| seal == now && remarks == *notes);
    if learnt || !is_known { memory.keep_facts(now, notes, &facts) } else { Ok(()) }
}

/// Notes down that a memory without a log holds nothing that the rules in force have not seen. To be called before the
/// first one is made; whatever comes goes through the rules.
pub(crate) fn begin_clean(memory: &Memory, rules_version: u64) {
    note_clean(memory, rules_version, || memory.names().is_ok_and(|names| !names.has_log()));
}

/// The same where it may be known whether the memory `is_empty`: that takes a list of all of its names.
fn note_clean(memory: &Memory, rules_version: u64, is_empty: impl FnOnce() -> bool) {
    if memory.folder().entry(layout::SCRUBBED).is_ok_and(|found| found.is_some()) {
        return;
    }
    if is_empty() {
        let how = disk::Write { sync: false, private: true };
        // Without it `scrub` is offered once too often.
        let _ = memory.folder().replace(layout::SCRUBBED, &scrub::record(rules_version), how);
    }
}

/// Nodes that were planned as if they were not there take the place of what is, so that at no moment there is none.
fn replace_what_is_there(plan: &mut Plan, anew: &BTreeMap<Period, u64>) {
    for (period, was) in anew {
        let path = layout::node_path(*period);
        let Some(step) = plan.steps.iter_mut().find(|step| step.path == path) else { continue };
        if let Change::Create(bytes) = &mut step.change {
            step.change = Change::Replace { was: *was, with: std::mem::take(bytes) };
        }
    }
}

/// A cache that could not be kept is no loss; that the disk is full is worth knowing before the next turns come.
fn full(error: &io::Error) -> Note {
    let text = format!("not kept: {}; free some space", disk::describe(error));
    Note::problem(format!("{}/{}", layout::MEMORY, layout::CACHE), text)
}

/// Puts what was written into the library, and tells the seal of the memory as this run leaves it. Files that
/// others wrote meanwhile do not enter it, so the next run finds them.
fn remember(
    library: &mut Snapshot<'_>,
    plan: &Plan,
    nodes: &BTreeMap<usize, (Period, NodeFacts)>,
    applied: &Applied,
    (mut seal, before): (Seal, &[(String, Option<Stamp>)]),
) -> Seal {
    let mut known = applied.is_whole() && plan.notes.iter().all(|note| !note.problem);
    let folders = Level::ALL.map(layout::level_path);
    for (index, stamp) in &applied.done {
        let step = &plan.steps[*index];
        let level = folders.iter().position(|folder| step.path == *folder);
        let file = before.iter().find(|(path, _)| *path == step.path);
        match (nodes.get(index), stamp, &step.change) {
            (Some((period, facts)), Some(stamp), _) => {
                let old = library.listing.nodes.get(period).copied();
                seal.change_node(*period, old, Some(*stamp));
                library.wrote_node(*period, *stamp, *facts);
            }
            (None, Some(stamp), _) if file.is_some() => {
                let old = file.and_then(|(_, stamp)| *stamp);
                seal.change_file(layout::name(&step.path), old, Some(*stamp));
            }
            (_, _, Change::EnsureDir) if level.is_some() => seal.make_folder(level.unwrap_or(0)),
            // Rare enough: the next run looks for itself.
            _ => known = false,
        }
    }
    if known { seal } else { Seal::BROKEN }
}

fn check_reopen(listing: &Listing, days: &BTreeSet<NaiveDate>) -> Result<(), Problem> {
    for day in days {
        if !listing.logs.contains_key(day) && !listing.nodes.contains_key(&Period::Day(*day)) {
            let what = format!("there is no log and no daily node of {day} to reopen");
            return Err(Problem::usage(what).hint("give a date as in `memory/YYYY-MM-DD.md`"));
        }
    }
    Ok(())
}

/// Everything but the files that a plan depends on, as one number.
fn circumstances(today: NaiveDate, rules_version: u64, project: &Project) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    for platform in project.config.platforms() {
        hasher.update(platform.as_bytes());
        hasher.update(b"\n");
    }
    hasher.update(format!("{:?}", project.config.summaries.since).as_bytes());
    hasher.update(&[u8::from(project.config.share)]);
    let cap = project.root_cap();
    hasher.update(&today.num_days_from_ce().to_le_bytes());
    hasher.update(&rules_version.to_le_bytes());
    hasher.update(&cap.to_le_bytes());
    hasher.digest()
}
