//! A memory without a disk, and what commands do to it.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use super::{Tree, date, path};
use crate::layout;
use crate::memory::compaction::{self, Rules};
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::memory::period::Period;
use crate::memory::snapshot::{Facts, Listing, LogFile, MemoryReader, Snapshot, Stamp};
use crate::merge::{FileKind, kind};
use crate::plan::Change;
use crate::retract::cut::Selection;
use crate::retract::in_merges;

/// Where the tombstones are.
pub(super) const STONES: &str = "memory/.hipocampus.forgotten";

#[derive(Default)]
pub(super) struct Memory(pub(super) Tree);

impl MemoryReader for Memory {
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        self.read(&layout::in_memory(name))
    }

    fn node(&self, period: Period) -> io::Result<(Vec<u8>, Stamp)> {
        self.read(&layout::node_path(period))
    }

    fn stray(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

impl Memory {
    fn read(&self, path: &str) -> io::Result<(Vec<u8>, Stamp)> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?.clone();
        let stamp = Stamp { size: bytes.len() as u64, mtime: 0 };
        Ok((bytes, stamp))
    }

    fn listing(&self) -> Listing {
        let mut listing = Listing { folders: [true; 3], ..Listing::default() };
        for (path, bytes) in &self.0 {
            let stamp = Stamp { size: bytes.len() as u64, mtime: 0 };
            let name = layout::name(path);
            match kind(path) {
                Some(FileKind::Log) => {
                    let day = layout::day_of_log(name).unwrap();
                    let file = LogFile { name: name.to_owned(), stamp, private: true };
                    listing.logs.insert(day, Arc::new(vec![file]));
                }
                Some(FileKind::Node(level)) => {
                    let period = Period::parse(level, name.strip_suffix(".md").unwrap()).unwrap();
                    listing.nodes.insert(period, stamp);
                }
                _ => {}
            }
        }
        listing
    }

    /// What the next run makes of it.
    pub(super) fn compact(&mut self) {
        for _ in 0..2 {
            let rules = Rules {
                today: "2026-03-20".parse().unwrap(),
                redact: &|text| text,
                rules_version: 7,
                since: None,
                reopen: BTreeSet::new(),
                given: std::collections::BTreeMap::new(),
                shared: true,
                threads: &|| 1,
            };
            let mut library = Snapshot::new(self.listing(), Facts::default(), &*self);
            let plan = compaction::plan(&mut library, &rules, None).plan;
            drop(library);
            for step in plan.steps {
                match step.change {
                    Change::Create(bytes) | Change::Replace { with: bytes, .. } => {
                        self.0.insert(step.path, bytes);
                    }
                    Change::Delete { .. } => _ = self.0.remove(&step.path),
                    _ => {}
                }
            }
        }
    }

    /// Takes out of the logs what was forgotten, here or elsewhere.
    pub(super) fn settle(&mut self) {
        let stones = self.stones();
        for day in 0..4 {
            let log = self.0.get_mut(&path(day)).unwrap();
            if let Some(cut) = in_merges::cut(log, date(day), Selection::Buried(&stones)) {
                *log = cut.bytes;
            }
        }
    }

    pub(super) fn stones(&self) -> Forgotten {
        self.0.get(STONES).map(|bytes| Forgotten::parse(bytes)).unwrap_or_default()
    }

    /// What `forget SESSION` does.
    pub(super) fn forget_session(&mut self, session: &str) {
        let (mut stones, sessions) = (self.stones(), [session.to_owned()]);
        for day in 0..4 {
            let log = self.0.get_mut(&path(day)).unwrap();
            if let Some(cut) = in_merges::cut(log, date(day), Selection::Sessions(&sessions)) {
                cut.gone.iter().for_each(|gone| gone.bury(date(day), &mut stones));
                *log = cut.bytes;
            }
        }
        self.0.insert(STONES.to_owned(), stones.to_bytes());
    }

    /// What `forget --match` does, for one entry.
    pub(super) fn forget_entry(&mut self, day: u8, entry: &str, salt: u32) {
        let mut stones = self.stones().under(salt.into());
        stones.add(ForgottenId::entry(date(day), entry));
        self.0.insert(STONES.to_owned(), stones.to_bytes());
        self.settle();
    }
}
