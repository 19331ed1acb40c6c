//! What is noted down before a log grows: a fixed week or month that is about to change, and a node that is the last copy
//! of a log.

use std::collections::BTreeSet;
use std::io;

use chrono::NaiveDate;

use crate::disk::{Folder, Write};
use crate::layout;
use crate::memory::node::{self, NodeFacts, Status};
use crate::memory::period::{Level, Period};
use crate::state;

/// The days whose chain of nodes is to be made again although it is fixed.
pub(crate) fn pending(memory: &Folder) -> io::Result<BTreeSet<NaiveDate>> {
    let bytes = memory.read_if_there(layout::REOPEN)?;
    Ok(bytes.map(|(bytes, _)| state::days(&bytes)).unwrap_or_default())
}

/// Forgets these days, once their chains are made.
pub(crate) fn clear(memory: &Folder) -> io::Result<()> {
    memory.remove(layout::REOPEN)
}

/// Puts a day on the list of days to reopen, if its week or month is fixed. To be called before its log grows:
/// stopped in between, one rebuild changes nothing.
///
/// The nodes decide, not the date: a clock that stands behind does not open what another one has closed.
pub(crate) fn announce(memory: &Folder, day: NaiveDate) -> io::Result<()> {
    keep_last_copy(memory, day)?;
    let mut above = std::iter::successors(Period::Day(day).parent(), |period| period.parent());
    if above.any(|period| is_fixed(memory, period)) {
        let lines = state::day_lines(&BTreeSet::from([day]));
        memory.append(layout::REOPEN, lines.as_bytes(), Write::KEPT)?;
    }
    Ok(())
}

/// Marks the node of a day whose log is gone, so that what the new log says does not take its place. Compaction finds
/// that out by itself where the two logs have little in common; a conversation that is imported again may have a lot.
fn keep_last_copy(memory: &Folder, day: NaiveDate) -> io::Result<()> {
    let date = Period::Day(day).to_string();
    let is_log = |name: &str| {
        let rest = name.strip_prefix(&date).unwrap_or_default();
        rest == ".md" || (rest.starts_with('-') && rest.len() == "-0930.md".len())
    };
    let logs = memory.list(is_log)?;
    if logs.iter().any(|log| log.stamp.size > 0) {
        return Ok(());
    }
    let Some(folder) = memory.folder(layout::level_dir(Level::Daily))? else { return Ok(()) };
    let name = layout::node_name(Period::Day(day));
    let Some((node, _)) = folder.read_if_there(&name)? else { return Ok(()) };
    match node::as_last_copy(&node) {
        Some(marked) => {
            folder.replace(&name, &marked, Write { sync: true, private: true }).map(|_| ())
        }
        None => Ok(()),
    }
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
