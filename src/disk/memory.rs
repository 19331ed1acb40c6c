//! The folder of a memory: listing its names, reading its files, keeping its cache.

use std::cell::OnceCell;
use std::io;
use std::path::Path;
use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::folder::{DirEntry, EntryKind, Folder, Write};
use super::link::refuse_committed_link;
use super::{Held, TEMP_SUFFIX, problem};
use crate::Problem;
use crate::layout;
use crate::memory::period::{Level, Period, looks_like_a_label};
use crate::memory::snapshot::{Facts, Listing, LogFile, MemoryReader, Stamp};
use crate::merge;
use crate::order::InOrder as _;
use crate::plan::Note;

/// An open memory.
#[derive(Debug)]
pub(crate) struct Memory {
    folder: Folder,
    levels: [OnceCell<Folder>; 3],
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

    /// Lists every name that may matter.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub(crate) fn names(&self) -> Result<Names, Problem> {
        let list = |folder: &Folder, wanted: &dyn Fn(&str) -> bool| {
            folder.list(wanted).map_err(|error| problem("list", folder.path(), error))
        };
        let dated = |name: &str| {
            (name.starts_with(|c: char| c.is_ascii_digit()) && name.strip_suffix(".md").is_some())
                || has_date(name)
        };
        let wanted = |name: &str| dated(name) || is_neighbour(name) || name.ends_with(TEMP_SUFFIX);
        let mut names = Names { logs: list(&self.folder, &wanted)?, nodes: [None, None, None] };
        for (index, slot) in names.nodes.iter_mut().enumerate() {
            let Some(folder) = self.level(index)? else { continue };
            let wanted = |name: &str| !name.starts_with('.') || name.ends_with(TEMP_SUFFIX);
            *slot = Some(list(folder, &wanted)?);
        }
        Ok(names)
    }

    /// Removes what killed runs left half written. Without the lock another run's work would be swept away.
    pub(crate) fn sweep(&self, _alone: &Held, names: &Names) {
        let places = std::iter::once((Some(&self.folder), Some(&names.logs))).chain(
            self.levels.iter().map(OnceCell::get).zip(names.nodes.iter().map(Option::as_ref)),
        );
        for (folder, entries) in places {
            let (Some(folder), Some(entries)) = (folder, entries) else { continue };
            for entry in entries.iter().filter(|entry| entry.name.ends_with(TEMP_SUFFIX)) {
                let _ = folder.remove(&entry.name);
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

    /// What earlier runs learnt; nothing where the cache is missing, of another version, or damaged.
    pub(crate) fn facts(&self) -> Facts {
        let Ok((bytes, _)) = self.folder.read(layout::CACHE) else { return Facts::default() };
        let sealed = Sealed::read(&bytes);
        sealed.and_then(|sealed| postcard::from_bytes(sealed.facts).ok()).unwrap_or_default()
    }

    /// The cache, where it begins as one of this program's does and does not go on so.
    pub(crate) fn torn_cache(&self) -> Option<Vec<u8>> {
        let (bytes, _) = self.folder.read(layout::CACHE).ok()?;
        let is_ours = bytes.starts_with(&CACHE_HEAD[..CACHE_HEAD.len().min(bytes.len())]);
        let whole = |sealed: Sealed<'_>| postcard::from_bytes::<Facts>(sealed.facts).is_ok();
        (is_ours && !Sealed::read(&bytes).is_some_and(whole)).then_some(bytes)
    }

    /// The seal of the last run that left nothing to do, and what that run had to remark all the same.
    pub(crate) fn sealed(&self) -> Option<(Seal, Vec<Note>)> {
        let most = CACHE_HEAD.len() + SEAL + REMARKS;
        let start = self.folder.read_start(layout::CACHE, most).ok()?;
        let Sealed { seal, remarks, .. } = Sealed::read(&start)?;
        Some((seal, postcard::from_bytes(remarks).ok()?))
    }

    /// Keeps what was learnt, under a seal, and what there is to remark for as long as it holds.
    ///
    /// # Errors
    /// As the system says. The cache only saves time, so nothing is lost then.
    pub(crate) fn keep_facts(&self, seal: Seal, remarks: &[Note], facts: &Facts) -> io::Result<()> {
        let remarks = postcard::to_allocvec(remarks).unwrap_or_default();
        let known = (1..=REMARKS).contains(&remarks.len());
        let (seal, remarks) = if known { (seal, &remarks[..]) } else { (Seal::BROKEN, &[][..]) };
        let mut head = CACHE_HEAD.to_vec();
        head.extend_from_slice(&seal.0.to_le_bytes());
        head.extend_from_slice(&(remarks.len() as u64).to_le_bytes());
        head.extend_from_slice(remarks);
        match postcard::to_extend(facts, head) {
            Ok(bytes) => {
                let how = Write { sync: false, private: true };
                self.folder.replace(layout::CACHE, &bytes, how).map(|_| ())
            }
            Err(_) => Ok(()),
        }
    }
}

/// A number for the state of a memory; the order of directory entries does not enter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal(u64);

impl Seal {
    /// Stands for "there may be something to do".
    pub(crate) const BROKEN: Seal = Seal(0);

    fn add(&mut self, place: usize, name: &str, stamp: Stamp, kind: u64) {
        self.0 = self.0.wrapping_add(Self::part(place, name, stamp, kind));
    }

    fn part(place: usize, name: &str, stamp: Stamp, kind: u64) -> u64 {
        let stat = [stamp.size, stamp.mtime.cast_unsigned(), kind];
        let seed = stat.iter().fold(place as u64, |seed, part| {
            (seed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        xxh3_64_with_seed(name.as_bytes(), seed)
    }

    /// The folder of a level is there.
    pub(crate) fn make_folder(&mut self, level: usize) {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15 << level);
    }

    /// A node was written, replaced or removed.
    pub(crate) fn change_node(&mut self, period: Period, old: Option<Stamp>, new: Option<Stamp>) {
        let place = 1 + Level::ALL.iter().position(|level| *level == period.level()).unwrap_or(0);
        self.change(place, &layout::node_name(period), old, new);
    }

    /// ROOT.md, MEMORY.md or the state file was written.
    pub(crate) fn change_file(&mut self, name: &str, old: Option<Stamp>, new: Option<Stamp>) {
        self.change(0, name, old, new);
    }

    fn change(&mut self, place: usize, name: &str, old: Option<Stamp>, new: Option<Stamp>) {
        let kind = EntryKind::File as u64;
        if let Some(old) = old {
            self.0 = self.0.wrapping_sub(Self::part(place, name, old, kind));
        }
        if let Some(new) = new {
            self.add(place, name, new, kind);
        }
    }
}

/// The names of a memory with what a `stat` tells of each.
#[derive(Debug, Default)]
pub(crate) struct Names {
    logs: Vec<DirEntry>,
    nodes: [Option<Vec<DirEntry>>; 3],
}

impl Names {
    /// One number for all of it and for `rest`, whatever else a plan depends on. Equal numbers mean equal
    /// plans, so a run that finds the seal of a run that had nothing to do has nothing to do.
    pub(crate) fn seal(&self, rest: u64) -> Seal {
        let mut seal = Seal(rest);
        for DirEntry { name, kind, stamp, mode, closed } in &self.logs {
            // Whether a log is for the user alone decides how its nodes are written.
            let private = !is_neighbour(name) && is_private(*mode);
            let bits = u64::from(private) << 8 | u64::from(*closed) << 9;
            seal.add(0, name, *stamp, *kind as u64 | bits);
        }
        for (index, entries) in self.nodes.iter().enumerate() {
            let Some(entries) = entries else { continue };
            seal.make_folder(index);
            for DirEntry { name, kind, stamp, closed, .. } in entries {
                seal.add(index + 1, name, *stamp, *kind as u64 | u64::from(*closed) << 9);
            }
        }
        seal
    }

    /// Whether there is a log.
    pub(crate) fn has_log(&self) -> bool {
        self.logs.iter().any(|entry| layout::day_of_log(&entry.name).is_some())
    }

    /// The stamp of a file directly in the memory.
    pub(crate) fn stamp(&self, name: &str) -> Option<Stamp> {
        self.logs.iter().find(|entry| entry.name == name).map(|entry| entry.stamp)
    }

    /// Sorts the names into logs, nodes and the rest.
    pub(crate) fn sort(self) -> Listing {
        let mut listing = Listing::default();
        for entry in self.logs {
            if !is_neighbour(&entry.name) && !entry.name.ends_with(TEMP_SUFFIX) {
                sort_in_log(&mut listing, entry);
            }
        }
        for files in listing.logs.values_mut().filter(|files| files.len() > 1) {
            Rc::make_mut(files).order_by(|a, b| a.name.cmp(&b.name));
        }
        for (index, (entries, level)) in self.nodes.into_iter().zip(Level::ALL).enumerate() {
            listing.folders[index] = entries.is_some();
            for entry in entries.into_iter().flatten() {
                if !entry.name.ends_with(TEMP_SUFFIX) {
                    sort_in_node(&mut listing, level, &entry);
                }
            }
        }
        listing.odd.order();
        listing
    }
}

/// Names the sources that filled the cache; what others filled is no cache.
const CACHE_HEAD: &[u8] = concat!("hipocampus cache ", env!("HIPOCAMPUS_SOURCES"), "\n").as_bytes();

/// The seal, and the length of the remarks behind it.
const SEAL: usize = 16;

/// The most bytes of remarks that a seal can stand for.
const REMARKS: usize = 8 * 1024;

/// What stands behind the head of the cache.
struct Sealed<'a> {
    seal: Seal,
    remarks: &'a [u8],
    facts: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(CACHE_HEAD)?;
        let (numbers, rest) = rest.split_at_checked(SEAL)?;
        let (seal, length) = numbers.split_at(8);
        let length = u64::from_le_bytes(length.try_into().ok()?);
        let (remarks, facts) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        Some(Self { seal: Seal(u64::from_le_bytes(seal.try_into().ok()?)), remarks, facts })
    }
}

impl MemoryReader for Memory {
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        crate::progress::tick(|| format!("reading `{name}`"));
        self.folder.read(name)
    }

    fn node(&self, period: Period) -> io::Result<(Vec<u8>, Stamp)> {
        let index = Level::ALL.iter().position(|level| *level == period.level()).unwrap_or(0);
        let folder = self.levels[index].get().ok_or_else(gone)?;
        folder.read(&layout::node_name(period))
    }

    fn stray(&self, path: &str) -> io::Result<Vec<u8>> {
        let (level, name) = path.split_once('/').unwrap_or_default();
        let index = Level::ALL.iter().position(|known| layout::level_dir(*known) == level);
        let folder = index.and_then(|index| self.levels[index].get()).ok_or_else(gone)?;
        Ok(folder.read(name)?.0)
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "its folder is gone")
}

fn sort_in_log(listing: &mut Listing, entry: DirEntry) {
    let path = |name: &str| format!("{}/{name}", layout::MEMORY);
    let Some(day) = layout::day_of_log(&entry.name) else {
        let copy = merge::log_copied_in(&entry.name);
        let text = if let Some(of) = copy {
            &*format!(
                "a conflict copy of `{of}`, so what only it says is in no node; `hipocampus merge` brings that in, named with its path"
            )
        } else if entry.name.strip_suffix(".md").is_some() {
            "its name is no calendar date, so it is no log; rename it"
        } else {
            "its name does not end in `.md`, so it is no log; rename it or move it away"
        };
        listing.odd.push(Note::remark(path(&entry.name), text));
        return;
    };
    // What is not a regular file is listed all the same: reading it fails, and everything above it stays.
    let private = is_private(entry.mode);
    let stamp = known_by(&entry);
    let file = LogFile { name: entry.name, stamp, private };
    Rc::make_mut(listing.logs.entry(day).or_default()).push(file);
}

fn sort_in_node(listing: &mut Listing, level: Level, entry: &DirEntry) {
    let path = || format!("{}/{}", layout::level_dir(level), entry.name);
    let full = || format!("{}/{}", layout::MEMORY, path());
    let stem = entry.name.strip_suffix(".md");
    match stem.and_then(|stem| Period::parse(level, stem)) {
        Some(period) => {
            listing.nodes.insert(period, known_by(entry));
        }
        None if entry.kind == EntryKind::File && stem.is_some_and(looks_like_a_label) => {
            listing.strays.insert(path(), entry.stamp);
        }
        None => listing.odd.push(Note::remark(full(), "its name is no period, so it is no node")),
    }
}

/// The stamp by which the cache may know a file. One that cannot be read is known by none: it has to be tried,
/// or only a run without a cache would find that out.
fn known_by(entry: &DirEntry) -> Stamp {
    if entry.closed { Stamp { mtime: i64::MIN, ..entry.stamp } } else { entry.stamp }
}

/// Whether the permissions keep everybody but the user out.
fn is_private(mode: u32) -> bool {
    mode.trailing_zeros() >= 6
}

/// Files beside the logs that a plan depends on.
fn is_neighbour(name: &str) -> bool {
    matches!(name, layout::ROOT | layout::STATE)
}

/// Whether a name begins like that of a log, whatever its ending.
fn has_date(name: &str) -> bool {
    name.get(..10).is_some_and(|date| Period::parse(Level::Daily, date).is_some())
}
