//! What the facts of nodes say about a file.

use std::collections::BTreeSet;

use super::Found;
use super::facts::day_of;
use super::line::{ROOM, begun, harmless};
use crate::meaning::facts::{FactCache, FactKind};
use crate::memory::tokens::{Cost, cost};

/// A file, as facts may name it.
pub(crate) struct NamedFile<'a> {
    /// below the project root, with `/` between names
    path: &'a str,
    name: &'a str,
    /// whether the name alone says which file it is
    is_unique: bool,
}

impl<'a> NamedFile<'a> {
    /// `is_unique` tells whether no other file of the project has its name.
    pub(crate) fn new(path: &'a str, is_unique: bool) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self { path, name, is_unique: is_unique && name.contains('.') }
    }

    /// Whether a text names it: by its path, by the end of it with a folder, or by its name where that is unique.
    fn is_in(&self, text: &str) -> bool {
        if self.name.is_empty() {
            return false;
        }
        text.match_indices(self.name).any(|(at, name)| {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            let after = &text[at + name.len()..];
            if after.starts_with(is_part)
                || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_part))
            {
                return false;
            }
            let in_path = |c: char| is_part(c) || matches!(c, '/' | '.' | '@');
            let start = text[..at].char_indices().rev().take_while(|(_, c)| in_path(*c)).last();
            let start = start.map_or(at, |(start, _)| start);
            let whole = text[start..at + name.len()].trim_start_matches('@');
            let written = whole.trim_start_matches(['.', '/']);
            if written == self.name {
                return self.is_unique || written == self.path;
            }
            // An absolute path ends with ours; one that is cut in front is the end of it.
            written.contains('/')
                && (ends_with(self.path, written)
                    || whole.starts_with('/') && ends_with(written, self.path))
        })
    }
}

/// Whether a path ends with another one, name by name.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Every fact that names a file, the newest first.
pub(crate) fn naming<S: AsRef<str>>(cache: &FactCache<S>, file: &NamedFile<'_>) -> Vec<Found> {
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut found = Vec::new();
    for (period, subjects) in cache.nodes() {
        for subject in subjects {
            let topic = subject.topic.as_ref();
            let of_topic = file.is_in(topic);
            for fact in &subject.facts {
                let text = fact.text.as_ref();
                let mut is_new = || seen.insert((topic, text));
                if (of_topic || file.is_in(text)) && is_new() {
                    found.push(Found {
                        day: day_of(period, fact),
                        kind: fact.kind.word(),
                        from: subject.origin.word(),
                        topic: topic.to_owned(),
                        text: text.to_owned(),
                        shown: begun(text, ROOM),
                        about: 1.0,
                        score: 1.0,
                    });
                }
            }
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.day));
    found
}

/// The lines of what is worth knowing when the file is read or changed: rules, decisions, lessons and what is open, the newest
/// first, as far as there is room; and which they are of what was found.
pub(crate) fn lines(found: &[Found], room: Cost) -> (Vec<String>, Vec<usize>) {
    let kinds = [FactKind::Rule, FactKind::Decision, FactKind::Lesson, FactKind::Open];
    let mut left = room;
    let (mut lines, mut which) = (Vec::new(), Vec::new());
    for (at, it) in found.iter().enumerate() {
        if !kinds.iter().any(|kind| kind.word() == it.kind) {
            continue;
        }
        let line = harmless(&format!("- {} {}: {}: {}", it.day, it.kind, it.topic, it.shown));
        let price = cost(&line) + Cost::tokens(1);
        if price <= left {
            left = left - price;
            lines.push(line);
            which.push(at);
        }
    }
    (lines, which)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_path_or_a_name_of_its_own() {
        #[track_caller]
        fn check(text: &str, unique: bool, expect: bool) {
            assert_eq!(NamedFile::new("src/net/lock.rs", unique).is_in(text), expect, "{text}");
        }
        check("moved into `src/net/lock.rs:12`", false, true);
        check("moved into @net/lock.rs.", false, true);
        check("in /home/me/p/src/net/lock.rs", false, true);
        check("lock.rs is gone", true, true);
        check("lock.rs is gone", false, false);
        check("src/disk/lock.rs is gone", true, false);
        check("unlock.rs, lock.rs.bak and lock_rs", true, false);
        check("", true, false);
        let at_the_top = NamedFile::new("lock.rs", false);
        assert!(at_the_top.is_in("in /home/me/p/lock.rs") && !at_the_top.is_in("in src/lock.rs"));
    }
}
