//! What is there: the listing of a memory and, file by file, what planning needs to know of it.
//!
//! Facts come from the cache where size and time of a file are as they were, else from its bytes. The
//! cache is disposable: without it every answer is the same, only later.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::memory::body::count_lines;
use crate::memory::node::NodeFacts;
use crate::memory::period::Period;
use crate::plan;

/// What tells a file that changed from one that did not, as far as a cheap look can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// bytes
    pub size: u64,
    /// nanoseconds since 1970
    pub mtime: i64,
}

/// A raw log as the listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// its name in the memory, e.g. `2026-03-15.md` or `2026-03-15-0930.md`
    pub name: String,
    /// its size and time
    pub stamp: Stamp,
    /// whether only the user may read it
    pub private: bool,
}

/// The names in a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// the logs of each day, in name order
    pub logs: BTreeMap<NaiveDate, Arc<Vec<LogFile>>>,
    /// the nodes
    pub nodes: BTreeMap<Period, Stamp>,
    /// files among the nodes whose name is no period of their level: path below the memory, stamp
    pub strays: BTreeMap<String, Stamp>,
    /// names that are nobody's: links, folders, dates that do not exist
    pub odd: Vec<plan::Note>,
    /// whether each level's folder is there, in the order of `Level::ALL`
    pub folders: [bool; 3],
}

impl Listing {
    /// All logs, in the order of their days.
    pub fn log_files(&self) -> impl Iterator<Item = &LogFile> {
        self.logs.values().flat_map(|files| files.iter())
    }

    /// The day with a log that lies nearest to some days, the earlier one of two that are equally near.
    pub fn nearest_log(&self, (first, last): (NaiveDate, NaiveDate)) -> Option<NaiveDate> {
        let before = self.logs.range(..first).next_back();
        let after = self.logs.range(last..).next();
        let days = before.into_iter().chain(after).map(|(day, _)| *day);
        days.min_by_key(|day| (first - *day).max(*day - last))
    }

    /// The logs of a day.
    pub(crate) fn logs_of(&self, day: NaiveDate) -> Arc<Vec<LogFile>> {
        self.logs.get(&day).cloned().unwrap_or_default()
    }

    /// Whether there is anything that a node is made from. A log without a byte is nothing.
    pub(crate) fn has_sources(&self, period: Period) -> bool {
        let Period::Day(day) = period else {
            return self.nodes.keys().any(|node| node.parent() == Some(period));
        };
        self.logs.get(&day).is_some_and(|files| files.iter().any(|file| file.stamp.size > 0))
    }

    /// The nodes that a week's or month's is made from.
    pub(crate) fn nodes_below(&self, period: Period) -> Vec<Period> {
        self.nodes.keys().filter(|node| node.parent() == Some(period)).copied().collect()
    }
}

/// Where bytes come from. The one way pure code reaches a file.
pub trait MemoryReader: Sync {
    /// The bytes of a log, by name.
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)>;

    /// The bytes of a node.
    fn node(&self, period: Period) -> io::Result<(Vec<u8>, Stamp)>;

    /// The bytes of a stray, by its path below the memory.
    fn stray(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// The largest log whose bytes are kept between two questions about it, in bytes.
pub(super) const KEPT: usize = 4 * 1024 * 1024;

/// What planning needs to know of a raw log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogFacts {
    /// the hash of its bytes
    pub hash: u64,
    /// its lines
    pub lines: u64,
    /// whether it has no bytes at all
    pub empty: bool,
    /// whether its last line is complete
    pub ends_in_newline: bool,
}

impl LogFacts {
    /// Looks at a log's bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            hash: plan::hash(bytes),
            lines: count_lines(bytes),
            empty: bytes.is_empty(),
            ends_in_newline: bytes.ends_with(b"\n"),
        }
    }
}

/// What earlier runs learnt, per file, with the stamp it was learnt at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// by name
    pub logs: HashMap<String, (Stamp, LogFacts)>,
    /// by [`Period::key`]
    pub nodes: HashMap<(u8, i32), (Stamp, NodeFacts)>,
    /// the tombstones under which all these logs were looked through, as one number; 0 where they were not
    pub forgotten: u64,
}

/// The listing, the facts and the bytes, as one thing to ask.
pub struct Snapshot<'a> {
    /// the names
    pub listing: Arc<Listing>,
    known: Arc<Facts>,
    /// what this run found that is not known
    learnt: Facts,
    shelf: &'a dyn MemoryReader,
    logs: HashMap<String, Arc<[u8]>>,
    nodes: HashMap<Period, Arc<[u8]>>,
}

impl<'a> Snapshot<'a> {
    /// A library over a listing; `known` may be empty.
    pub fn new(listing: Listing, known: Facts, shelf: &'a dyn MemoryReader) -> Self {
        Self::over(Arc::new(listing), Arc::new(known), shelf)
    }

    fn over(listing: Arc<Listing>, known: Arc<Facts>, shelf: &'a dyn MemoryReader) -> Self {
        let (logs, nodes) = (HashMap::new(), HashMap::new());
        Self { listing, known, learnt: Facts::default(), shelf, logs, nodes }
    }

    /// The same memory for another thread to ask. What it finds is passed on with [`learn`](Self::learn).
    pub(crate) fn beside(&self) -> Self {
        Self::over(Arc::clone(&self.listing), Arc::clone(&self.known), self.shelf)
    }

    /// Takes in what was found by asking the same memory on another thread.
    pub(crate) fn learn(&mut self, found: Facts) {
        self.learnt.logs.extend(found.logs);
        self.learnt.nodes.extend(found.nodes);
    }

    /// What was found so far that was not known before.
    pub(crate) fn into_learnt(self) -> Facts {
        self.learnt
    }

    /// Whether the facts of a log are known without a look at its bytes.
    pub(crate) fn knows_log(&self, file: &LogFile) -> bool {
        self.known_log(file).is_some()
    }

    fn known_log(&self, file: &LogFile) -> Option<LogFacts> {
        let is_of = |facts: &Facts| {
            facts.logs.get(&file.name).filter(|(stamp, _)| *stamp == file.stamp).copied()
        };
        is_of(&self.learnt).or_else(|| is_of(&self.known)).map(|(_, facts)| facts)
    }

    /// The facts of a log.
    pub fn log_facts(&mut self, file: &LogFile) -> io::Result<LogFacts> {
        if let Some(facts) = self.known_log(file) {
            return Ok(facts);
        }
        let (bytes, stamp) = self.shelf.log(&file.name)?;
        let facts = LogFacts::of(&bytes);
        self.learnt.logs.insert(file.name.clone(), (stamp, facts));
        if bytes.len() <= KEPT {
            self.logs.insert(file.name.clone(), bytes.into());
        }
        Ok(facts)
    }

    /// The bytes of a log.
    pub fn log(&mut self, file: &LogFile) -> io::Result<Arc<[u8]>> {
        if !self.logs.contains_key(&file.name) {
            let (bytes, _) = self.shelf.log(&file.name)?;
            self.logs.insert(file.name.clone(), bytes.into());
        }
        Ok(Arc::clone(&self.logs[&file.name]))
    }

    /// The bytes of a log, for whoever needs them once: a large one is not kept, so that it is in memory a single time.
    /// It may have grown since its facts were taken; then the next run finds that these have changed.
    pub fn take_log(&mut self, file: &LogFile) -> io::Result<Vec<u8>> {
        if file.stamp.size > KEPT as u64 && !self.logs.contains_key(&file.name) {
            return Ok(self.shelf.log(&file.name)?.0);
        }
        Ok(self.log(file)?.to_vec())
    }

    /// The bytes of a file among the logs whose name is no date, for the copies that were made of it.
    pub fn odd_log(&self, label: &str) -> Option<Arc<[u8]>> {
        self.shelf.log(&format!("{label}.md")).ok().map(|(bytes, _)| bytes.into())
    }

    /// The facts of a node, if there is one.
    pub fn node_facts(&mut self, period: Period) -> io::Result<Option<NodeFacts>> {
        let Some(listed) = self.listing.nodes.get(&period).copied() else { return Ok(None) };
        if let Some((stamp, facts)) = self.known_node(period)
            && stamp == listed
        {
            return Ok(Some(facts));
        }
        let (bytes, stamp) = self.shelf.node(period)?;
        let facts = NodeFacts::of(&bytes);
        self.learnt.nodes.insert(period.key(), (stamp, facts));
        self.nodes.insert(period, bytes.into());
        Ok(Some(facts))
    }

    fn known_node(&self, period: Period) -> Option<(Stamp, NodeFacts)> {
        let key = period.key();
        self.learnt.nodes.get(&key).or_else(|| self.known.nodes.get(&key)).copied()
    }

    /// The bytes of a node.
    pub fn node(&mut self, period: Period) -> io::Result<Arc<[u8]>> {
        if !self.nodes.contains_key(&period) {
            let (bytes, _) = self.shelf.node(period)?;
            self.nodes.insert(period, bytes.into());
        }
        Ok(Arc::clone(&self.nodes[&period]))
    }

    /// The bytes of a stray.
    pub fn stray(&self, path: &str) -> io::Result<Vec<u8>> {
        self.shelf.stray(path)
    }

    /// Remembers that at these sources a node's text was found to be authored.
    pub fn found_foreign(&mut self, period: Period, sources: u64) {
        if let Some((stamp, facts)) = self.known_node(period)
            && facts.foreign_at != Some(sources)
        {
            let found = NodeFacts { foreign_at: Some(sources), ..facts };
            self.learnt.nodes.insert(period.key(), (stamp, found));
        }
    }

    /// Remembers a node that was just written.
    pub fn wrote_node(&mut self, period: Period, stamp: Stamp, facts: NodeFacts) {
        Arc::make_mut(&mut self.listing).nodes.insert(period, stamp);
        self.learnt.nodes.insert(period.key(), (stamp, facts));
    }

    /// Lets go of bytes that are no longer needed.
    pub fn forget_bytes(&mut self) {
        self.logs.clear();
        self.nodes.clear();
    }

    /// What is known now, without files that are gone, and whether it differs from what was known before.
    pub fn into_facts(self) -> (Facts, bool) {
        let Self { listing, known, learnt, .. } = self;
        let news = !learnt.logs.is_empty() || !learnt.nodes.is_empty();
        let mut known = Arc::unwrap_or_clone(known);
        known.logs.extend(learnt.logs);
        known.nodes.extend(learnt.nodes);
        let (logs, nodes) = (known.logs.len(), known.nodes.len());
        if logs > listing.log_files().count() {
            let names: HashSet<&str> = listing.log_files().map(|file| &*file.name).collect();
            known.logs.retain(|name, _| names.contains(&**name));
        }
        if nodes > listing.nodes.len() {
            let keys: HashSet<_> = listing.nodes.keys().map(|period| period.key()).collect();
            known.nodes.retain(|key, _| keys.contains(key));
        }
        let forgot = known.logs.len() < logs || known.nodes.len() < nodes;
        (known, news || forgot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Has one log of this many bytes, and counts how often it is read.
    struct One(usize, AtomicU64);

    impl MemoryReader for One {
        fn log(&self, _: &str) -> io::Result<(Vec<u8>, Stamp)> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Ok((vec![b'x'; self.0], Stamp { size: self.0 as u64, mtime: 1 }))
        }
        fn node(&self, _: Period) -> io::Result<(Vec<u8>, Stamp)> {
            Err(io::ErrorKind::NotFound.into())
        }
        fn stray(&self, _: &str) -> io::Result<Vec<u8>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    #[test]
    fn a_large_log_is_in_memory_once() {
        for (size, reads) in [(10, 1), (KEPT + 1, 2)] {
            let shelf = One(size, AtomicU64::new(0));
            let mut library = Snapshot::new(Listing::default(), Facts::default(), &shelf);
            let stamp = Stamp { size: size as u64, mtime: 1 };
            let file = LogFile { name: "2026-03-15.md".to_owned(), stamp, private: true };
            library.log_facts(&file).unwrap();
            assert_eq!(library.logs.contains_key(&file.name), reads == 1);
            assert_eq!(library.take_log(&file).unwrap().len(), size);
            assert_eq!(
                (library.logs.len(), shelf.1.load(Ordering::Relaxed)),
                (2 - reads, reads as u64)
            );
        }
    }
}
