//! What is about to be written into a fixed week or month, and the list that gets its nodes made again.

use std::collections::BTreeSet;
use std::io;

use chrono::NaiveDate;

use crate::disk::{Folder, Write};
use crate::layout;
use crate::memory::node::{NodeFacts, Status};
use crate::memory::period::Period;
use crate::state;

/// Puts a day on the list of days to reopen, if its week or month is fixed. To be called before its log grows:
/// stopped in between, one rebuild changes nothing. Whether the day was put there.
///
/// The nodes decide, not the date: a clock that stands behind does not open what another one has closed.
///
/// # Errors
/// As the system says.
pub(crate) fn announce(memory: &Folder, day: NaiveDate) -> io::Result<bool> {
    let mut above = std::iter::successors(Period::Day(day).parent(), |period| period.parent());
    if !above.any(|period| is_fixed(memory, period)) {
        return Ok(false);
    }
    let lines = state::day_lines(&BTreeSet::from([day]));
    memory.append(layout::REOPEN, lines.as_bytes(), Write { sync: true, private: true })?;
    Ok(true)
}

/// Whether a node is fixed. One that cannot be read may be.
fn is_fixed(memory: &Folder, period: Period) -> bool {
    let read = memory.folder(layout::level_dir(period.level())).and_then(|folder| match folder {
        Some(folder) => folder.read_if_there(&layout::node_name(period)),
        None => Ok(None),
    });
    read.map_or(true, |node| {
        node.is_some_and(|(bytes, _)| NodeFacts::of(&bytes).status == Some(Status::Fixed))
    })
}
