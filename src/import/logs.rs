//! The logs and backups as an import reads them. One that cannot be read is reported by its own name, and nothing else
//! stops for it.

mod cache;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use chrono::NaiveDate;

use crate::disk::{Folder, NamedError, describe};
use crate::layout;
use crate::memory::snapshot::Stamp;
use crate::plan::Note;
pub(super) use cache::ImportCache;

/// The longest line of a backup that is read, more than a record can have.
pub(super) const LINE_LIMIT: usize = 2 * 1024 * 1024;

/// The files of a memory, and which of them could not be read so far.
pub(super) struct Logs<'a> {
    pub(super) memory: &'a Folder,
    /// what earlier imports of this run know of them
    pub(super) cache: Option<&'a ImportCache>,
    unreadable: RefCell<BTreeMap<String, String>>,
}

impl<'a> Logs<'a> {
    pub(super) fn of(memory: &'a Folder) -> Self {
        Self { memory, cache: None, unreadable: RefCell::default() }
    }

    /// Whether the log of a day may have a block of a session.
    pub(super) fn may_have(&self, day: NaiveDate, session: &str) -> io::Result<bool> {
        self.cache.map_or(Ok(true), |cache| cache.has_block(self, day, session))
    }

    /// Opens a file to read parts of it; `None` if there is none, or none that can be read. Fails when it is this run
    /// that cannot open files, with the name.
    pub(super) fn open(&self, name: &str) -> io::Result<Option<(File, Stamp)>> {
        match self.memory.open_file(name) {
            Ok(opened) => Ok(opened),
            Err(error) if is_about_the_file(&error) => {
                self.unreadable.borrow_mut().insert(name.to_owned(), describe(&error));
                Ok(None)
            }
            Err(error) => Err(NamedError::put(&path(name), error)),
        }
    }

    /// Opens a file that is about to be added to: what is added depends on what is in it. `None` if there is none.
    /// Fails when it cannot be opened, with the name.
    pub(super) fn must_open(&self, name: &str) -> io::Result<Option<(File, Stamp)>> {
        self.memory.open_file(name).map_err(|error| NamedError::put(&path(name), error))
    }

    /// Whether the log of a day is there and could not be read.
    pub(super) fn hides(&self, day: NaiveDate) -> bool {
        self.unreadable.borrow().contains_key(&layout::log_name(day))
    }

    /// Whether a file can be added to, or made; one that cannot is noted down.
    pub(super) fn can_be_added_to(&self, name: &str) -> bool {
        match self.memory.may_append(name) {
            Ok(()) => !self.unreadable.borrow().contains_key(name),
            Err(error) => {
                self.unreadable.borrow_mut().insert(name.to_owned(), describe(&error));
                false
            }
        }
    }

    /// What is to be said of the files that could not be read.
    pub(super) fn notes(&self) -> Vec<Note> {
        let unreadable = self.unreadable.borrow();
        let each = unreadable.iter().map(|(name, why)| {
            let text = format!(
                "cannot be read or added to ({why}); check who owns it and its permissions"
            );
            Note::problem(path(name), text)
        });
        each.collect()
    }
}

/// A file of the memory as a note names it.
pub(super) fn path(name: &str) -> String {
    layout::in_memory(name)
}

/// Whether another file might well be opened.
fn is_about_the_file(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let short = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::INTR];
    !Errno::from_io_error(error).is_some_and(|errno| short.contains(&errno))
}
