//! What earlier runs left to be done.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use crate::Problem;
use crate::disk::{self, Memory};
use crate::import;
use crate::layout;
use crate::plan::Note;
use crate::project::Project;

/// Days into whose fixed weeks something was imported; listed until their chains are made again.
///
/// # Errors
/// When the list of them cannot be read.
pub(crate) fn days(memory: &Memory) -> Result<BTreeSet<NaiveDate>, Problem> {
    import::reopen::pending(memory.folder())
        .map_err(|error| memory.failed("read", layout::REOPEN, error))
}

/// Finishes what a killed run left half way in files of the user. ROOT.md may have changed by it.
///
/// # Errors
/// When a folder cannot be listed, or a file in it not be put right.
pub(crate) fn recover(project: &Project, memory: &Memory) -> Result<Vec<Note>, Problem> {
    let mut notes = memory.recover()?;
    notes.extend(disk::tidy(&project.root, [layout::MEMORY_MD]));
    Ok(notes)
}
