//! The folder of a memory: listing its names, reading its files.

mod cache;
mod names;
mod seal;

use std::io;
use std::path::Path;
use std::sync::OnceLock;

pub(crate) use names::Names;
use names::{each, has_date, is_neighbour};
pub(crate) use seal::Seal;

use super::folder::Folder;
use super::link::refuse_committed_link;
use super::list::{Place, list};
use super::{Held, TEMP_SUFFIX, problem};
use crate::Problem;
use crate::layout;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::{MemoryReader, Stamp};
use crate::plan::Note;

/// An open memory.
#[derive(Debug)]
pub(crate) struct Memory {
    folder: Folder,
    levels: [OnceLock<Folder>; 3],
}

impl Memory {
    /// Opens `memory/` of a project. `None` if there is none.
    ///
    /// # Errors
    /// When it is there and cannot be opened, or is a link out of the project that came with a clone.
    pub(crate) fn open(root: &Path) -> Result<Option<Self>, Problem> {
        let path = root.join(layout::MEMORY);
        refuse_committed_link(root)?;
        let folder = match Folder::open(&path) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(problem("open the folder", &path, error)),
        };
        Ok(Some(Self { folder, levels: Default::default() }))
    }

    /// Opens `memory/` of a project for words to go into, making it where it is missing. Unless it is `shared`, it
    /// is closed to other users of the machine.
    ///
    /// # Errors
    /// When it cannot be made or opened.
    pub(crate) fn make(root: &Path, shared: bool) -> Result<Self, Problem> {
        let path = root.join(layout::MEMORY);
        let mut memory = Self::open(root)?;
        if memory.is_none() {
            let top = Folder::open(root);
            let made = top.and_then(|top| top.make_folder(layout::MEMORY, !shared));
            made.map_err(|error| problem("make the folder", &path, error))?;
            memory = Self::open(root)?;
        }
        let gone = || Problem::new(format!("`{}` is gone", path.display()));
        let mut memory = memory.ok_or_else(gone)?;
        memory.folder.share(shared);
        memory.folder.close();
        Ok(memory)
    }

    /// The folder of a level. One that was not there is looked for again, for it may have been made since.
    fn level(&self, index: usize) -> Result<Option<&Folder>, Problem> {
        let cell = &self.levels[index];
        if cell.get().is_none() {
            let name = layout::level_dir(Level::ALL[index]);
            let found = self.folder.folder(name).map_err(|error| {
                problem("open the folder", &self.folder.path().join(name), error)
                    .hint("it has to be a folder, not a link or a file; nothing was changed")
            })?;
            return Ok(found.map(|folder| cell.get_or_init(|| folder)));
        }
        Ok(cell.get())
    }

    /// The bytes of a file of ours beside the logs; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be read, with its path.
    pub(crate) fn file(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let read =
            self.folder.read_if_there(name).map_err(|error| self.failed("read", name, error))?;
        Ok(read.map(|(bytes, _)| bytes))
    }

    /// What went wrong with a file of the memory.
    pub(crate) fn failed(&self, what: &str, name: &str, error: io::Error) -> Problem {
        problem(what, &self.folder.path().join(name), error)
    }

    /// The folder itself.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Lists every name that may matter: of years of logs on two threads, for most of a run that has nothing to do is
    /// the look at each file.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub(crate) fn names(&self) -> Result<Names, Problem> {
        let mut places: Vec<Place<'_>> = vec![(&self.folder, is_log_or_neighbour)];
        let mut there = [false; 3];
        for (index, there) in there.iter_mut().enumerate() {
            let folder = self.level(index)?;
            *there = folder.is_some();
            places.extend(folder.map(|folder| (folder, is_node as fn(&str) -> bool)));
        }
        let mut found = list(&places, self.folder.holds_many())?.into_iter();
        let logs = found.next().unwrap_or_default();
        Ok(Names { logs, nodes: there.map(|there| there.then(|| found.next()).flatten()) })
    }

    /// Removes what killed runs left half written. Without the lock another run's work would be swept away.
    pub(crate) fn sweep(&self, _alone: &Held, names: &Names) {
        let places = std::iter::once((Some(&self.folder), Some(&names.logs))).chain(
            self.levels.iter().map(OnceLock::get).zip(names.nodes.iter().map(Option::as_ref)),
        );
        for (folder, entries) in places {
            let (Some(folder), Some(entries)) = (folder, entries) else { continue };
            for entry in each(entries).filter(|entry| entry.name.ends_with(TEMP_SUFFIX)) {
                let _ = folder.remove(entry.name);
            }
        }
    }

    /// Finishes exchanges that a killed run left half way, among logs and nodes. Only under the lock.
    ///
    /// # Errors
    /// When a folder cannot be listed, or a file in it not be put right.
    pub(crate) fn recover(&self) -> Result<Vec<Note>, Problem> {
        let recover = |folder: &Folder| {
            let done = folder.recover();
            done.map_err(|error| problem("finish an exchange in", folder.path(), error))
        };
        let mut notes = recover(&self.folder)?;
        for index in 0..self.levels.len() {
            if let Some(folder) = self.level(index)? {
                notes.extend(recover(folder)?);
            }
        }
        Ok(notes)
    }
}

impl MemoryReader for Memory {
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        crate::progress::tick(|| format!("reading `{name}`"));
        self.folder.read(name)
    }

    fn node(&self, period: Period) -> io::Result<(Vec<u8>, Stamp)> {
        let index = Level::ALL.iter().position(|level| *level == period.level()).unwrap_or(0);
        let folder = self.level(index).ok().flatten().ok_or_else(gone)?;
        folder.read(&layout::node_name(period))
    }

    fn stray(&self, path: &str) -> io::Result<Vec<u8>> {
        let (level, name) = path.split_once('/').unwrap_or_default();
        let index = Level::ALL.iter().position(|known| layout::level_dir(*known) == level);
        let folder = index.and_then(|index| self.levels[index].get()).ok_or_else(gone)?;
        Ok(folder.read(name)?.0)
    }
}

fn is_log_or_neighbour(name: &str) -> bool {
    let dated = (name.starts_with(|c: char| c.is_ascii_digit())
        && name.strip_suffix(".md").is_some())
        || has_date(name);
    dated || is_neighbour(name) || name.ends_with(TEMP_SUFFIX)
}

fn is_node(name: &str) -> bool {
    !name.starts_with('.') || name.ends_with(TEMP_SUFFIX)
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "its folder is gone")
}
