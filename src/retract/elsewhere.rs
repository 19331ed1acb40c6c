//! Takes out of the logs of a shared memory what was forgotten in another clone: the tombstones came with a merge, and so may
//! have the words.
//!
//! Blocks and turns of sessions go in any case: no person writes these. An entry goes only from a log that stands as git
//! has it, so that no word is lost that somebody wrote again and nobody else has; until then `status` names it.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;

use super::contents::Contents;
use super::cut::{self, Selection};
use super::records::{self, GoneTurns};
use super::retraction::Retraction;
use super::rows::{beginnings, said};
use super::{carry_out, in_merges, nodes};
use crate::Problem;
use crate::disk::{self, Held, Memory};
use crate::layout;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::memory::snapshot::{Facts, Listing, MemoryReader as _, Stamp};
use crate::plan::{Change, Note, Step, hash};
use crate::project::Project;
use crate::refresh::tree::Updated;

const WHY: &str = "forgotten in another copy of it";

#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// what was taken out and made anew, if anything was
    pub(crate) done: Option<Updated>,
    /// what a person should know
    pub(crate) notes: Vec<Note>,
    /// the tombstones, as one number
    mark: u64,
    /// the logs that were looked at, as they were
    looked: HashMap<String, Stamp>,
    /// those of them in which something was left
    left: HashSet<String>,
}

impl Settled {
    /// Whether the tombstones are others than when the cache was written. Then words that a merge took out may stand in what
    /// is kept of the logs.
    pub(crate) fn is_news(&self, known: &Facts) -> bool {
        self.mark != known.forgotten
    }

    /// Notes down in the cache which logs need no look as long as they and the tombstones stay as they are. Returns whether
    /// that changes it.
    pub(crate) fn remember(&self, facts: &mut Facts) -> bool {
        let before = (facts.forgotten, facts.logs.len());
        facts.forgotten = self.mark;
        facts.logs.retain(|name, (stamp, _)| {
            // A log that grew since is looked at by the next run.
            !self.left.contains(name) && self.looked.get(name).is_none_or(|looked| looked == stamp)
        });
        before != (facts.forgotten, facts.logs.len())
    }
}

/// Looks at the logs that are not known to hold nothing forgotten, and takes it out. Fails when the tombstones or the
/// memory cannot be read, or a write fails: the next run goes on.
pub(crate) fn settle(
    project: &Project,
    memory: &Memory,
    alone: &Held,
    today: NaiveDate,
    (listing, known): (&Listing, &Facts),
) -> Result<Settled, Problem> {
    let forgotten = carry_out::tombstones(memory)?;
    let mut settled = Settled { mark: hash(&forgotten.to_bytes()), ..Settled::default() };
    if forgotten.is_empty() {
        return Ok(settled);
    }
    let mut came_back = BTreeSet::new();
    for (day, file) in
        listing.logs.iter().flat_map(|(day, files)| files.iter().map(move |it| (day, it)))
    {
        let stamp = known.logs.get(&file.name).map(|(stamp, _)| *stamp);
        if known.forgotten == settled.mark && stamp == Some(file.stamp) {
            continue;
        }
        // What cannot be read is told by whoever needs it.
        let Ok((bytes, stamp)) = memory.log(&file.name) else { continue };
        settled.looked.insert(file.name.clone(), stamp);
        if cut::cut(&bytes, *day, Selection::Buried(&forgotten)).is_some() {
            came_back.insert(layout::in_memory(&file.name));
        }
    }
    if came_back.is_empty() {
        return Ok(settled);
    }
    let which = LogScope { logs: Some(&came_back), only_staged: true };
    let mut first = Some(plan(project, memory, &forgotten, which, &mut settled.left)?);
    if first.as_ref().is_some_and(Retraction::is_empty) {
        return Ok(settled);
    }
    let mut left = HashSet::new();
    let (planned, done) = carry_out::out(project, memory, alone, today, || match first.take() {
        Some(planned) => Ok(planned),
        None => plan(project, memory, &forgotten, which, &mut left),
    })?;
    settled.left.extend(left);
    settled.notes.extend(planned.rows.into_iter().map(|row| {
        let text = format!("{} taken out: forgotten in another clone of this memory", row.what);
        Note::remark(row.path, text)
    }));
    settled.done = Some(done);
    Ok(settled)
}

/// What these tombstones take out of a memory into which a copy of it is merged, whoever wrote it.
pub(crate) fn all_of(
    project: &Project,
    memory: &Memory,
    forgotten: &Forgotten,
) -> Result<Retraction, Problem> {
    let which = LogScope { logs: None, only_staged: false };
    plan(project, memory, forgotten, which, &mut HashSet::new())
}

#[derive(Clone, Copy)]
struct LogScope<'a> {
    /// from these alone
    logs: Option<&'a BTreeSet<String>>,
    /// entries only where git has them
    only_staged: bool,
}

/// What goes of logs, of their backups, and of the nodes that the machine made of them. The names of the logs in which
/// something is left go to `left`.
fn plan(
    project: &Project,
    memory: &Memory,
    forgotten: &Forgotten,
    which: LogScope<'_>,
    left: &mut HashSet<String>,
) -> Result<Retraction, Problem> {
    let contents = Contents::look(project, memory)?;
    let mut out = Retraction { tombstones: forgotten.clone(), ..Retraction::default() };
    let is_meant = |path: &String| which.logs.is_none_or(|logs| logs.contains(path));
    for (day, path) in contents.logs.iter().filter(|(_, path)| is_meant(path)) {
        let log = contents.read(path)?;
        let Some(all) = cut::cut(&log, *day, Selection::Buried(forgotten)) else { continue };
        let mut here = forgotten.clone();
        if which.only_staged && !disk::is_as_staged(&project.root, path) {
            for gone in all.gone.iter().filter(|gone| gone.is_text()) {
                if !here.allow(ForgottenId::entry(*day, &gone.text)).is_empty() {
                    left.insert(layout::name(path).to_owned());
                }
            }
        }
        let Some(cut) = in_merges::cut(&log, *day, Selection::Buried(&here)) else { continue };
        if cut::cut(&cut.bytes, *day, Selection::Buried(&here)).is_some() {
            // A log that can never be done would be done again and again.
            left.insert(layout::name(path).to_owned());
            continue;
        }
        out.row(path, said(&cut.gone), beginnings(&cut.gone));
        let change = Change::Replace { was: hash(&log), with: cut.bytes };
        out.logs.steps.push(Step::to_log(path, change, WHY).private(true));
        out.days.insert(*day);
        let turns = GoneTurns::of(&cut.gone);
        for (_, path) in contents.backups.iter().filter(|(of, _)| of == day) {
            let backup = contents.read(path)?;
            if let Some(cut) = records::cut(&backup, Selection::Buried(&here), &turns) {
                let change = Change::Replace { was: hash(&backup), with: cut.bytes };
                out.before.steps.push(Step::to_log(path, change, WHY).private(true));
            }
        }
    }
    for (period, path) in &contents.nodes {
        let Some(period) = period else { continue };
        if out.days.range(period.days()).next().is_none() {
            continue;
        }
        let file = contents.read(path)?;
        if nodes::is_remade(&file, &|path| contents.has(path)) {
            let change = nodes::emptied(hash(&file), project.config.share);
            out.before.steps.push(Step::new(path, change, "to be made again").synced());
        }
    }
    Ok(out)
}
