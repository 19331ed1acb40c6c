//! One number for the state of a memory.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::disk::folder::EntryKind;
use crate::layout;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Stamp;

/// A number for the state of a memory; the order of directory entries does not enter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal(pub(super) u64);

impl Seal {
    /// Stands for "there may be something to do".
    pub(crate) const BROKEN: Seal = Seal(0);

    pub(super) fn add(&mut self, place: usize, name: &str, stamp: Stamp, kind: u64) {
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
