//! ROOT.md, its mirror in MEMORY.md, and the counters: what a run brings up to date after the nodes.

use std::io;

use chrono::NaiveDate;

use crate::Problem;
use crate::disk::{self, Memory, Write};
use crate::layout;
use crate::meaning::facts::FactCache;
use crate::meaning::page::mirror::{MirrorError, mirror};
use crate::meaning::page::{RootPlan, plan_root};
use crate::memory::compaction;
use crate::memory::snapshot::{Snapshot, Stamp};
use crate::plan::{Change, Note, Plan, Step, hash};
use crate::platform::{self, MemoryFile};
use crate::project::Project;
use crate::state::CompactionState;

/// The facts of every node that earlier runs kept; nothing where a run is to look for itself.
pub(crate) fn open(memory: &Memory, anew: bool) -> FactCache {
    let bytes = if anew { Vec::new() } else { kept(memory) };
    FactCache::decode(&bytes).unwrap_or_default()
}

/// The bytes of the facts that earlier runs kept; none where there are none.
pub(crate) fn kept(memory: &Memory) -> Vec<u8> {
    memory.folder().read(layout::ROOT_CACHE).map(|(bytes, _)| bytes).unwrap_or_default()
}

/// The facts of every node as they are now, whatever earlier runs kept.
pub(crate) fn today(
    project: &Project,
    memory: &Memory,
    today: NaiveDate,
) -> Result<FactCache, Problem> {
    let redactor = project.redactor()?;
    let redact = |text| redactor.redact_owned(text);
    let rules = project.rules(today, redactor.version(), &redact);
    let mut library = Snapshot::new(memory.names()?.sort(), memory.facts(), memory);
    Ok(compaction::plan(&mut library, &rules, Some(open(memory, false))).index)
}

/// Keeps them for the next run: their `bytes`, where these are there already. `anew` is for a run that looked for itself. They
/// only save time: nothing is lost where this fails.
pub(crate) fn keep(
    memory: &Memory,
    index: &FactCache,
    bytes: Option<Vec<u8>>,
    anew: bool,
) -> io::Result<()> {
    if !index.changed && !anew {
        return Ok(());
    }
    let bytes = bytes.unwrap_or_else(|| index.encode());
    // A run that looked for itself may have found nothing, where words still stand that were forgotten since.
    let there = || memory.folder().read_if_there(layout::ROOT_CACHE).ok().flatten();
    if index.changed || there().is_some_and(|(known, _)| known != bytes) {
        memory.folder().replace(layout::ROOT_CACHE, &bytes, Write::CACHED)?;
    }
    Ok(())
}

/// How ROOT.md is to be planned.
#[derive(Debug)]
pub(crate) struct RootOptions {
    /// the user's date
    pub(crate) today: NaiveDate,
    /// take it back from whoever edited it
    pub(crate) rebuild: bool,
}

/// Plans ROOT.md and its mirror. Returns what ROOT.md will be, if there will be one.
pub(crate) fn plan(
    project: &Project,
    memory: &Memory,
    facts: &FactCache,
    on: &RootOptions,
    plan: &mut Plan,
) -> Option<RootPlan> {
    let before = match memory.folder().read_if_there(layout::ROOT) {
        Ok(read) => read.map(|(bytes, _)| bytes),
        Err(error) => {
            let text = format!("cannot be read ({}), so it stays as it is", disk::describe(&error));
            plan.notes.push(Note::problem(layout::root_path(), text));
            return None;
        }
    };
    if before.is_none() && facts.is_empty() {
        return None;
    }
    let made_of =
        |existing: Option<&[u8]>| plan_root(existing, facts, on.today, project.root_cap());
    let mut root = made_of(before.as_deref());
    if on.rebuild && root.is_kept() {
        root = made_of(None);
        keep_a_copy(before.as_deref().unwrap_or_default(), plan);
    }
    let RootPlan { bytes: after, notes, .. } = &root;
    plan.notes.extend(notes.iter().map(|text| Note::remark(layout::root_path(), text)));
    match &before {
        None => {
            let change = Change::Create(after.clone());
            plan.steps.push(Step::new(layout::root_path(), change, "new").synced());
        }
        Some(before) if before != after => {
            let change = Change::Replace { was: hash(before), with: after.clone() };
            let why = "the nodes or the day changed";
            plan.steps.push(Step::to_users_file(layout::root_path(), change, why));
        }
        Some(_) => {}
    }
    plan_mirror(project, before.as_deref(), after, plan);
    Some(root)
}

/// Puts what somebody wrote beside ROOT.md before it is written anew.
fn keep_a_copy(theirs: &[u8], plan: &mut Plan) {
    let path = layout::root_copy(hash(theirs));
    let text =
        "the text that somebody had written into ROOT.md; delete it when you need it no more";
    plan.notes.push(Note::remark(&path, text));
    let step = Step::new(path, Change::Create(theirs.to_vec()), "the text that was there");
    plan.steps.push(step.private(true).synced());
}

fn plan_mirror(project: &Project, before: Option<&[u8]>, after: &[u8], plan: &mut Plan) {
    let path = layout::MEMORY_MD;
    let memory_md = match disk::read_users_file(&project.root.join(path)) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return,
        Err(error) => return plan.notes.push(Note::problem(path, disk::describe(&error))),
    };
    match mirrored(project, &memory_md, before, after) {
        Ok(None) => {}
        Ok(Some(with)) => {
            let change = Change::Replace { was: hash(&memory_md), with };
            plan.steps.push(Step::to_users_file(path, change, "mirrors ROOT.md"));
        }
        Err(doubt) => {
            plan.notes.push(Note::remark(path, format!("it has {doubt}: left as it is")));
        }
    }
}

/// MEMORY.md with the copy of ROOT.md brought up to date; `None` if nothing is to be done. An error is the doubt that
/// keeps it as it is.
pub(crate) fn mirrored(
    project: &Project,
    memory_md: &[u8],
    before: Option<&[u8]>,
    after: &[u8],
) -> Result<Option<Vec<u8>>, MirrorError> {
    let platforms = project.config.platforms();
    let any = |what| {
        platforms.iter().filter_map(|id| platform::by_id(id)).any(|row| row.memory_file == what)
    };
    let mirrors = any(MemoryFile::Mirrors);
    // Where a client loads ROOT.md beside it, the section is on its way out.
    if any(MemoryFile::Loaded) && !mirrors {
        return Ok(None);
    }
    mirror(memory_md, before, after, mirrors)
}

/// The stamp of MEMORY.md, which the mirror depends on.
pub(crate) fn memory_md(project: &Project) -> Option<Stamp> {
    disk::stamp(&project.root.join(layout::MEMORY_MD))
}

/// Plans the count of lines since a model last summarised. Without a state file there is nothing to count from.
pub(crate) fn plan_state(memory: &Memory, library: &mut Snapshot<'_>, plan: &mut Plan) {
    let path = layout::in_memory(layout::STATE);
    let bytes = match memory.folder().read_if_there(layout::STATE) {
        Ok(Some((bytes, _))) => bytes,
        Ok(None) => return,
        Err(error) => return plan.notes.push(Note::problem(path, disk::describe(&error))),
    };
    match CompactionState::parse(&bytes) {
        Ok(Some(mut state)) => {
            if state.count_lines(raw_lines(library)) {
                let change = Change::Replace { was: hash(&bytes), with: state.to_bytes() };
                plan.steps.push(Step::to_users_file(path, change, "counts the lines of the logs"));
            }
        }
        Ok(None) => {}
        Err(what) => plan.notes.push(Note::remark(path, format!("{what}; repair or delete it"))),
    }
}

pub(crate) fn raw_lines(library: &mut Snapshot<'_>) -> u64 {
    let files: Vec<_> = library.listing.logs.values().cloned().collect();
    let lines = files.iter().flat_map(|files| files.iter()).map(|file| {
        library.log_facts(file).map_or(0, |facts| facts.lines - u64::from(facts.ends_in_newline))
    });
    lines.sum()
}
