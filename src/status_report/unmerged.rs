//! Sessions that a shared memory has no longer, though the backups here still do: their branch was deleted before it
//! was merged, or another one is checked out.

use chrono::{Days, NaiveDate};
use serde::Serialize;

use crate::check::backups;
use crate::disk::Memory;
use crate::layout;
use crate::memory::snapshot::Snapshot;

/// How many days back from today are looked at, and the most bytes of each backup: `check` looks at all of them.
const DAYS: u64 = 60;
const MOST: u64 = 16 * 1024 * 1024;

/// Turns of a day that are in its backup alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Unmerged {
    pub(crate) day: NaiveDate,
    pub(crate) turns: usize,
    /// the backup, below the project
    pub(crate) path: String,
}

/// Compares the backups of the last days with their logs, the latest first.
pub(crate) fn look(memory: &Memory, library: &Snapshot<'_>, today: NaiveDate) -> Vec<Unmerged> {
    let days = (0..DAYS).filter_map(|back| today.checked_sub_days(Days::new(back)));
    let found = days.filter_map(|day| {
        // What cannot be read is named as that.
        let log = if library.listing.logs.contains_key(&day) {
            memory.folder().read(&layout::log_name(day)).ok()?.0
        } else {
            Vec::new()
        };
        let turns = backups::lost(memory, day, &log, MOST);
        let path = layout::in_memory(&layout::backup_name(day));
        (turns > 0).then_some(Unmerged { day, turns, path })
    });
    found.collect()
}
