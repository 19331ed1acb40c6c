//! What goes from the logs of a memory because it was forgotten in another clone, or in a copy that is merged into it.
//!
//! Blocks and turns of sessions go in any case: no person writes these. An entry goes only from a log that stands as
//! git has it, so that no word is lost that somebody wrote again and nobody else has; until then `status` names it.

use std::collections::{BTreeSet, HashSet};

use super::contents::Contents;
use super::cut::{self, Selection};
use super::records::{self, GoneTurns};
use super::retraction::Retraction;
use super::rows::{beginnings, said};
use super::{in_merges, nodes};
use crate::Problem;
use crate::disk::{self, Memory};
use crate::layout;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::plan::{Change, Step, hash};
use crate::project::Project;

const WHY: &str = "forgotten in another copy of it";

/// What these tombstones take out of logs that others may have brought into a shared memory, and the names of those
/// logs in which something is left.
pub(crate) fn in_logs(
    project: &Project,
    memory: &Memory,
    forgotten: &Forgotten,
    logs: &BTreeSet<String>,
) -> Result<(Retraction, HashSet<String>), Problem> {
    let mut left = HashSet::new();
    let which = LogScope { logs: Some(logs), only_staged: true };
    let planned = plan(project, memory, forgotten, which, &mut left)?;
    Ok((planned, left))
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

/// What goes of logs, of their backups, and of the nodes that the program made of them. The names of the logs in which
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
