//! `check`: whether a memory and what keeps it going are whole, told from the files alone. Nothing is run, and nothing
//! is written unless [`mend`] is asked to.

pub(crate) mod backups;
mod files;
pub(crate) mod mend;
mod setup;

use std::collections::BTreeSet;

use chrono::{DateTime, FixedOffset, NaiveDate};
use serde::Serialize;

use crate::Problem;
use crate::capture::redact::Redactor;
use crate::disk::Memory;
use crate::import::buried;
use crate::layout;
use crate::memory::check::blocks::BlockCheck;
use crate::memory::check::{self, CheckFinding};
use crate::memory::compaction;
use crate::memory::forgotten::Forgotten;
use crate::memory::snapshot::{Facts, Snapshot};
use crate::merge;
use crate::plan::Plan;
use crate::progress;
use crate::project::Project;
use crate::refresh::index;
use crate::retract;
use crate::text::counted;
use crate::world::World;

#[derive(Debug, Default, Serialize)]
pub(crate) struct Checked {
    /// days that have a log
    pub(crate) days: usize,
    pub(crate) nodes: usize,
    /// sessions, by the blocks in the logs
    pub(crate) sessions: usize,
    /// what is wrong, by file
    pub(crate) findings: Vec<CheckFinding>,
}

/// Looks at everything. Where the configuration is `broken`, at what does not depend on it.
pub(crate) fn look(
    world: &World,
    project: &Project,
    broken: Option<&Problem>,
    now: DateTime<FixedOffset>,
) -> Result<Checked, Problem> {
    let mut checked = Checked::default();
    checked.findings.extend(files::beside(project));
    if let Some(memory) = Memory::open(&project.root)? {
        checked.findings.extend(files::inside(&memory, project));
        // Where a node folder is not a folder, that was found already, and the rest cannot be checked.
        if let Ok(names) = memory.names() {
            let mut library = Snapshot::new(names.sort(), Facts::default(), &memory);
            let listing = &library.listing;
            (checked.days, checked.nodes) = (listing.logs.len(), listing.nodes.len());
            if broken.is_none() {
                let found = tree(project, &memory, &mut library, now);
                checked.findings.extend(found);
            }
            texts(&memory, &library, project.config.share, &mut checked);
        }
    }
    checked.findings.extend(setup::look(world, project, broken));
    checked.findings.sort();
    checked.findings.dedup();
    Ok(checked)
}

/// The nodes and ROOT.md, compared with what a run would make of them.
fn tree(
    project: &Project,
    memory: &Memory,
    library: &mut Snapshot<'_>,
    now: DateTime<FixedOffset>,
) -> Vec<CheckFinding> {
    let today = now.date_naive();
    let redactor = project.redactor().unwrap_or_else(|_| Redactor::standard());
    let redact = |text| redactor.redact_owned(text);
    let rules = project.rules(today, redactor.version(), &redact);
    let nodes = compaction::plan(library, &rules, Some(index::open(memory, false)));
    let mut found = check::nodes(library, &nodes);
    let mut plan = Plan::default();
    let on = index::RootOptions { today, rebuild: false };
    let planned = index::plan(project, memory, &nodes.index, &on, &mut plan);
    let existing = memory.folder().read_if_there(layout::ROOT).ok().flatten();
    if let Some(planned) = planned {
        let existing = existing.as_ref().map(|(bytes, _)| bytes.as_slice());
        found.extend(check::root::of(existing, &planned, today, &library.listing));
    }
    // What a run could not do to the copy in MEMORY.md; that ROOT.md is over its cap is no damage.
    let odd = plan.notes.into_iter().filter(|note| note.problem || note.about == layout::MEMORY_MD);
    found.extend(odd.map(|note| {
        CheckFinding::new(note.about, "copy of the root", note.text, "repair it in an editor")
    }));
    found
}

/// The texts of the logs, the sessions in them and their backups.
fn texts(memory: &Memory, library: &Snapshot<'_>, shared: bool, checked: &mut Checked) {
    let mut conversations = BlockCheck::default();
    let forgotten = buried::load(memory.folder()).unwrap_or_default();
    let mut sessions = BTreeSet::new();
    let mut with_backup = BTreeSet::new();
    for (day, files) in &library.listing.logs {
        progress::tick(|| format!("reading {day}"));
        for file in files.iter() {
            let Ok((bytes, _)) = memory.folder().read(&file.name) else { continue };
            let path = layout::in_memory(&file.name);
            checked.findings.extend(check::logs::of(&path, &bytes));
            checked.findings.extend(came_back(&path, &bytes, *day, &forgotten));
            let blocks = conversations.log(&file.name, &bytes);
            sessions.extend(blocks.iter().map(|block| block.session.clone()));
            if file.name == layout::log_name(*day) {
                with_backup.insert(*day);
                let open = !shared && !file.private && !blocks.is_empty();
                checked.findings.extend(files::log_mode(&path, memory).filter(|_| open));
                checked.findings.extend(backups::of(memory, *day, (&bytes, &blocks), shared));
            }
        }
    }
    for copy in library.listing.odd.iter().map(|note| &note.about) {
        let Some(of) = merge::log_copied_in(copy) else { continue };
        let read =
            |name| memory.folder().read_if_there(name).ok().flatten().map(|(bytes, _)| bytes);
        let Some(bytes) = read(layout::name(copy)) else { continue };
        checked.findings.extend(check::logs::of_copy(copy, &bytes, &of, read(&of).as_deref()));
    }
    checked.findings.extend(backups::without_log(memory, &with_backup));
    checked.findings.extend(conversations.finish());
    checked.sessions = sessions.len();
}

/// What was forgotten and is in a log again. `--fix` takes out no words: they may be wanted by now.
fn came_back(
    path: &str,
    log: &[u8],
    day: NaiveDate,
    forgotten: &Forgotten,
) -> Option<CheckFinding> {
    if forgotten.is_empty() {
        return None;
    }
    let (_, what) = retract::came_back(log, day, forgotten)?;
    let verb = if what.len() == 1 { "stands" } else { "stand" };
    let first = what.first().map(String::as_str).unwrap_or_default();
    let text = format!(
        "{} of what was forgotten {verb} in it again, from `{first}` on",
        counted(what.len(), "part")
    );
    Some(CheckFinding::new(path, "forgotten", text, "hipocampus forget --again"))
}

/// How many of these `check --fix` repairs.
pub(crate) fn mendable(findings: &[CheckFinding]) -> usize {
    findings.iter().filter(|found| found.fix.is_some()).count()
}
