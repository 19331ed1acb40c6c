//! What of each day is passed on to whoever keeps an index of the logs.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64;

use super::Planner;
use super::sources::Sources;
use crate::memory::body::readable;
use crate::memory::digest;
use crate::memory::entry::EntryType;
use crate::memory::frontmatter::Document;
use crate::memory::period::{Level, Period};
use crate::memory::root::RootCache;

/// What ROOT.md is made from: the facts of every log, as earlier runs left them and this one goes on.
#[derive(Default)]
pub struct DayIndex {
    /// the facts, by day
    pub cache: RootCache,
    /// whether this run changed them
    pub changed: bool,
    /// the days that this run found something of
    met: BTreeSet<NaiveDate>,
}

impl DayIndex {
    /// What earlier runs found.
    pub fn new(cache: RootCache) -> Self {
        Self { cache, ..Self::default() }
    }

    /// Adds what an index found that was made beside this one.
    pub(super) fn append(&mut self, found: Self) {
        self.cache.append(found.cache);
        self.changed |= found.changed;
        self.met.extend(found.met);
    }

    /// Lets go of days that this run met nothing of: their logs are gone, or empty, or cannot be read.
    pub(super) fn without_others(mut self) -> Self {
        let before = self.cache.days().count();
        self.cache.retain(|day| self.met.contains(&day));
        self.changed |= self.cache.days().count() < before;
        self
    }
}

impl Planner<'_, '_> {
    /// Passes a day's logs on, unless they were passed on before.
    pub(super) fn show(&mut self, day: Period, sources: &Sources) {
        let (Period::Day(date), true) = (day, self.index.is_some()) else { return };
        if sources.unreadable.is_some() {
            if let Some(text) = self.stand_in(day) {
                self.pass_on(date, xxh3_64(text.as_bytes()), &text);
            }
            return;
        }
        if sources.is_empty() || self.is_indexed(date, sources.hash) {
            return;
        }
        if let Ok(text) = self.text_of_day(day) {
            self.pass_on(date, sources.hash, &readable(&(self.rules.redact)(text)));
        }
    }

    /// Passes a text on that stands for the logs of a day with this hash: theirs without its secrets, or what there is of
    /// those that cannot be read.
    pub(super) fn pass_on(&mut self, day: NaiveDate, sources: u64, text: &str) {
        if !self.is_indexed(day, sources)
            && let Some(index) = &mut self.index
        {
            let depth = index.cache.depth(day, self.rules.today);
            index.cache.insert(day, sources, text, depth);
            index.changed = true;
        }
    }

    /// Notes down that a day is there. Whether its text with this hash has been read for the index.
    fn is_indexed(&mut self, day: NaiveDate, sources: u64) -> bool {
        let Some(index) = &mut self.index else { return false };
        index.met.insert(day);
        let depth = index.cache.depth(day, self.rules.today);
        let mut caches = [Some(&index.cache), self.earlier].into_iter().flatten();
        caches.any(|cache| cache.knows(day, sources, depth))
    }

    /// What stands for a day whose log cannot be read now: its node where that is a copy of the log, else the topics
    /// that the node's head names. An earlier run may have read the log, but a cache must not make a difference.
    fn stand_in(&mut self, day: Period) -> Option<String> {
        let facts = self.library.node_facts(day).ok()??;
        let bytes = self.library.node(day).ok()?;
        let document = Document::parse(&bytes);
        let is_copy = facts.is_as_written()
            && facts.lines <= Level::Daily.threshold()
            && !digest::is_announced_in(document.body());
        if is_copy {
            return Some(readable(document.body()).into_owned());
        }
        let topics = document.value("topics")?;
        let lines = named(&topics).map(|(topic, kind)| format!("## {topic} [{kind}]"));
        Some(lines.collect::<Vec<_>>().join("\n"))
    }
}

/// The topics that the line of a head names: `auth [project], "a, b" [user]`.
fn named(line: &str) -> impl Iterator<Item = (&str, EntryType)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (end, kind) = rest.match_indices(']').find_map(|(end, _)| {
            let ends = rest[end + 1..].is_empty() || rest[end + 1..].starts_with(", ");
            let open = rest[..end].rfind(" [").filter(|_| ends)?;
            Some(((open, end + 1), EntryType::parse(&rest[open + 2..end])?))
        })?;
        let topic = rest[..end.0].trim_matches('"');
        rest = rest[end.1..].trim_start_matches(", ");
        Some((topic, kind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topics_of_a_head_are_read_back() {
        fn check(line: &str, expect: &[(&str, EntryType)]) {
            assert_eq!(named(line).collect::<Vec<_>>(), expect, "{line}");
        }
        check("[]", &[]);
        check("", &[]);
        check(
            "auth [project], time zone [user]",
            &[("auth", EntryType::Project), ("time zone", EntryType::User)],
        );
        check("\"a [b], c\" [feedback]", &[("a [b], c", EntryType::Feedback)]);
        check("auth [soon], x [user]", &[("auth [soon], x", EntryType::User)]);
    }
}
