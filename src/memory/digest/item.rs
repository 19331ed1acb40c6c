//! One thing that a digest may hold.

use bumpalo::collections::Vec as InArena;
use xxhash_rust::xxh3::xxh3_64;

/// Which items stay when there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Rank {
    /// user and feedback entries
    Always,
    /// everything else, newest first, each day in its turn
    Rest,
}

/// One thing worth keeping: a line with what belongs to it.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// printed before the line, as `- topic: `, where it is not empty
    pub(super) topic: &'a str,
    pub(super) line: &'a str,
    /// further lines
    pub(super) more: InArena<'a, &'a str>,
    pub(super) rank: Rank,
    pub(super) day: usize,
    /// where it stood, counted over all sources
    pub(super) order: usize,
    pub(super) chosen: bool,
}

impl Item<'_> {
    /// How many lines it prints.
    pub(super) fn height(&self) -> usize {
        1 + self.more.len()
    }

    pub(super) fn push_to(&self, text: &mut String) {
        if !self.topic.is_empty() {
            text.push('-');
            text.push(' ');
            text.push_str(self.topic);
            text.push(':');
            text.push(' ');
        }
        text.push_str(self.line);
        text.push('\n');
        for line in &self.more {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// The same for items that print the same under the same heading.
    pub(super) fn hash(&self, section: &str) -> u64 {
        let parts = [section, self.topic, self.line].into_iter().chain(self.more.iter().copied());
        parts.fold(0, |hash: u64, part| hash.rotate_left(5) ^ xxh3_64(part.as_bytes()))
    }
}
