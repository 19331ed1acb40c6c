//! Settles the tombstones of a shared memory: what was forgotten in another clone goes from the logs of this one, too.
//! The tombstones came with a merge, and so may have the words.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;

use super::take_out::{self, take_out};
use crate::Problem;
use crate::disk::Memory;
use crate::layout;
use crate::memory::snapshot::{Facts, Listing, MemoryReader as _, Stamp};
use crate::plan::{Note, hash};
use crate::project::Project;
use crate::retract::cut::{self, Selection};
use crate::retract::elsewhere;
use crate::retract::retraction::Retraction;

#[derive(Debug, Default)]
pub(super) struct Settled {
    /// whether anything was taken out, of which nodes are to be made again
    pub(super) took_out: bool,
    /// what a person should know
    pub(super) notes: Vec<Note>,
    /// the tombstones, as one number
    mark: u64,
    /// the logs that were looked at, as they were
    looked: HashMap<String, Stamp>,
    /// those of them in which something was left
    left: HashSet<String>,
}

impl Settled {
    /// Whether the tombstones are others than when the cache was written. Then words that a merge took out may be in
    /// what is kept of the logs.
    pub(super) fn is_news(&self, known: &Facts) -> bool {
        self.mark != known.forgotten
    }

    /// Notes down in the cache which logs need no look as long as they and the tombstones stay as they are. Returns
    /// whether that changes it.
    pub(super) fn remember(&self, facts: &mut Facts) -> bool {
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
pub(super) fn settle(
    project: &Project,
    memory: &Memory,
    today: NaiveDate,
    (listing, known): (&Listing, &Facts),
) -> Result<Settled, Problem> {
    let forgotten = take_out::tombstones(memory)?;
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
        // What cannot be read is reported by the code that needs it.
        let Ok((bytes, stamp)) = memory.log(&file.name) else { continue };
        settled.looked.insert(file.name.clone(), stamp);
        if cut::cut(&bytes, *day, Selection::Buried(&forgotten)).is_some() {
            came_back.insert(layout::in_memory(&file.name));
        }
    }
    if came_back.is_empty() {
        return Ok(settled);
    }
    let plan = |left: &mut HashSet<String>| {
        let (planned, kept) = elsewhere::in_logs(project, memory, &forgotten, &came_back)?;
        left.extend(kept);
        Ok(planned)
    };
    let mut first = Some(plan(&mut settled.left)?);
    if first.as_ref().is_some_and(Retraction::is_empty) {
        return Ok(settled);
    }
    let (planned, late) = take_out(project, memory, today, || match first.take() {
        Some(planned) => Ok(planned),
        None => plan(&mut settled.left),
    })?;
    settled.took_out = true;
    settled.notes = late;
    settled.notes.extend(planned.rows.into_iter().map(|row| {
        let text = format!("{} taken out: forgotten in another clone of this memory", row.what);
        Note::remark(row.path, text)
    }));
    Ok(settled)
}
