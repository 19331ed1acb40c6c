//! The facts of every node, as earlier runs left them and this one goes on.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::Subject;
use crate::memory::cache_bytes;
use crate::memory::period::{Level, Period};

/// Names the sources by which nodes were read; what others read is no cache.
const HEAD: &[u8] = env!("HIPOCAMPUS_SOURCES").as_bytes();

/// The hash of the text of a node, and what it says.
type Read<S> = (u64, Vec<Subject<S>>);

/// The facts of nodes. Disposable: one made afresh gives the same results.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactCache<S = String> {
    /// by [`Period::key`]
    nodes: BTreeMap<(u8, i32), Read<S>>,
    /// whether this run changed them
    #[serde(skip)]
    pub(crate) changed: bool,
    /// the periods that this run found a node of
    #[serde(skip)]
    met: BTreeSet<(u8, i32)>,
}

impl<'a, S: Deserialize<'a>> FactCache<S> {
    /// Reads a cache back. `None` for one that is damaged or of another version.
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let (sum, rest) = bytes.strip_prefix(HEAD)?.split_at_checked(8)?;
        if sum != xxh3_64(rest).to_le_bytes() {
            return None;
        }
        postcard::from_bytes(rest).ok()
    }
}

impl FactCache {
    /// The bytes [`FactCache::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let start = HEAD.len() + 8;
        let head = [HEAD, &[0; 8]].concat();
        let mut bytes = cache_bytes::append(head, self).unwrap_or_default();
        if let Some((head, rest)) = bytes.split_at_mut_checked(start) {
            head[HEAD.len()..].copy_from_slice(&xxh3_64(rest).to_le_bytes());
        }
        bytes
    }

    /// Notes down that a period has a node. Whether its text with this hash has been read.
    pub(crate) fn meets(&mut self, period: Period, hash: u64) -> bool {
        self.met.insert(period.key());
        self.knows(period, hash)
    }

    /// Whether the text of a node with this hash has been read.
    pub(crate) fn knows(&self, period: Period, hash: u64) -> bool {
        self.nodes.get(&period.key()).is_some_and(|(known, _)| *known == hash)
    }

    /// Reads the text of a node. `hash` is whatever [`FactCache::meets`] is to be asked with, `named` the topics that
    /// its head names.
    pub fn insert(&mut self, period: Period, hash: u64, text: &str, named: &str) {
        self.met.insert(period.key());
        self.nodes.insert(period.key(), (hash, super::read(text, named)));
        self.changed = true;
    }

    /// Adds what was found beside this one.
    pub(crate) fn append(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.met.extend(other.met);
        self.changed |= other.changed;
    }

    /// Lets go of nodes that this run met nothing of.
    pub(crate) fn without_others(mut self) -> Self {
        let before = self.nodes.len();
        self.nodes.retain(|key, _| self.met.contains(key));
        self.changed |= self.nodes.len() < before;
        self
    }

    /// Whether there is no node.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether facts of a node are known.
    pub(crate) fn has(&self, period: Period) -> bool {
        self.nodes.contains_key(&period.key())
    }
}

impl<S> FactCache<S> {
    /// The nodes with their facts, days first, the oldest first.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = (Period, &[Subject<S>])> {
        self.nodes
            .iter()
            .filter_map(|(key, (_, subjects))| Some((Period::of_key(*key)?, subjects.as_slice())))
    }

    /// The same for a level.
    pub(crate) fn of_level(
        &self,
        level: Level,
    ) -> impl DoubleEndedIterator<Item = (Period, &[Subject<S>])> {
        self.nodes().filter(move |(period, _)| period.level() == level)
    }
}
