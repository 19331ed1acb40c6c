//! What is noted down before a log grows: a fixed week or month that is about to change, and a node that is the last
//! copy of a log.

use std::collections::BTreeSet;
use std::io;

use chrono::NaiveDate;

use crate::disk::{Folder, NamedError, Write};
use crate::error::describe;
use crate::layout;
use crate::memory::node::{self, NodeFacts, Status};
use crate::memory::period::{Level, Period};
use crate::plan::Note;
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
/// The nodes decide, not the date: a clock that is behind does not open what another one has closed.
///
/// # Errors
/// Of the first file that could not be read or written, with its path; the rest is done. Whoever has words to save
/// saves them all the same: nodes can be made again.
pub(crate) fn announce(memory: &Folder, day: NaiveDate) -> io::Result<()> {
    let kept = keep_last_copy(memory, day);
    let mut above = std::iter::successors(Period::Day(day).parent(), |period| period.parent());
    let noted = if above.any(|period| is_fixed(memory, period)) {
        let lines = state::day_lines(&BTreeSet::from([day]));
        let noted = memory.append(layout::REOPEN, lines.as_bytes(), Write::KEPT);
        noted.map_err(|error| NamedError::put(&layout::in_memory(layout::REOPEN), error))
    } else {
        Ok(())
    };
    kept.and(noted)
}

/// What is reported about it if the log grows all the same.
pub(crate) fn not_announced(error: &io::Error) -> Note {
    let (path, why) = match NamedError::of(error) {
        Some(NamedError { path, source }) => (path.as_str(), describe(source)),
        None => (layout::MEMORY, describe(error)),
    };
    Note::problem(path, format!("{why}; what is said is saved all the same"))
}

/// Marks the node of a day whose log is gone, so that what the new log says does not take its place. Compaction finds
/// that out by itself where the two logs have little in common; a session that is imported again may have a lot.
fn keep_last_copy(memory: &Folder, day: NaiveDate) -> io::Result<()> {
    let is_log = |name: &str| layout::day_of_log(name) == Some(day);
    let logs = memory.list(is_log).map_err(|error| NamedError::put(layout::MEMORY, error))?;
    if logs.iter().any(|log| log.stamp.size > 0) {
        return Ok(());
    }
    let folder = memory.folder(layout::level_dir(Level::Daily));
    let folder =
        folder.map_err(|error| NamedError::put(&layout::level_path(Level::Daily), error))?;
    let Some(folder) = folder else { return Ok(()) };
    let (name, path) = (layout::node_name(Period::Day(day)), layout::node_path(Period::Day(day)));
    let failed = |error| NamedError::put(&path, error);
    let Some((node, _)) = folder.read_if_there(&name).map_err(failed)? else { return Ok(()) };
    match node::as_last_copy(&node) {
        Some(marked) => {
            let how = Write { sync: true, private: true };
            folder.replace(&name, &marked, how).map(|_| ()).map_err(failed)
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
