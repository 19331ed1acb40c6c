//! Which statements hold no more: a newer one says that another number takes the place of theirs, or sets a name of the code to
//! another one.

use std::collections::{HashMap, HashSet};

use super::subjects::{Entry, Subjects};
use crate::memory::hashed::Hashed;
use crate::memory::talk::{Replaced, Setting, replaced, settings};
use crate::memory::title;

/// How many of the newest statements that replace something are looked at.
const MOST: usize = 64;
/// How many words a statement has to share with the one that replaces its number, if the unit is told and if it is not.
const SHARED: usize = 1;
const SHARED_WITHOUT_UNIT: usize = 2;

impl Subjects<'_> {
    /// Whether a statement of an entry holds no more.
    pub(super) fn is_replaced(&self, entry: usize, at: usize) -> bool {
        let outdated = || {
            let mut found = outdated(&self.entries);
            self.set_anew(&mut found);
            found.sort_unstable();
            found
        };
        self.replaced.get_or_init(outdated).binary_search(&(entry, at)).is_ok()
    }

    /// Adds the statements that set a name of the code to something else than what was said of it last.
    fn set_anew(&self, found: &mut Vec<(usize, usize)>) {
        let mut last: HashMap<u64, &Setting, Hashed> = HashMap::default();
        for (day, facts) in self.cache.days().rev() {
            for set in facts.settings(self.cache.depth(day, self.today)) {
                last.entry(set.name).or_insert(set);
            }
        }
        if last.is_empty() {
            return;
        }
        for (entry, of) in self.entries.iter().enumerate() {
            for (at, statement) in of.statements.iter().enumerate() {
                let own: HashMap<u64, Setting, Hashed> =
                    settings(&statement.text).into_iter().map(|set| (set.name, set)).collect();
                if own
                    .values()
                    .any(|set| last.get(&set.name).is_some_and(|is| set.differs_from(is)))
                {
                    found.push((entry, at));
                }
            }
        }
    }
}

/// The entries, which stand newest first, and places of the statements of which a newer entry replaces a number.
fn outdated(entries: &[Entry<'_>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let settling = entries.iter().enumerate().flat_map(|(entry, of)| {
        let own = of.statements.iter().filter(|statement| statement.by_person);
        own.filter_map(move |said| Some((entry, &*said.text, replaced(&said.text)?)))
    });
    for (newer, text, number) in settling.take(MOST) {
        let about: HashSet<u64, Hashed> = about(text, &number);
        for (older, of) in entries.iter().enumerate().skip(newer + 1) {
            for (at, statement) in of.statements.iter().enumerate() {
                if says(&statement.text, &number, &about) {
                    found.push((older, at));
                }
            }
        }
    }
    found
}

/// What a statement is about whose number takes the place of another one.
fn about(text: &str, number: &Replaced) -> HashSet<u64, Hashed> {
    let mut words: HashSet<u64, Hashed> = title::telling_words(text).collect();
    if !number.is_telling() {
        for unit in number.unit().into_iter().flat_map(title::telling_words) {
            words.remove(&unit);
        }
    }
    words
}

/// Whether a statement says the number of the same thing.
fn says(text: &str, number: &Replaced, about: &HashSet<u64, Hashed>) -> bool {
    let Some(has_unit) = number.stands_in(text) else { return false };
    let words: HashSet<u64, Hashed> = title::telling_words(text).collect();
    let least = if has_unit { SHARED } else { SHARED_WITHOUT_UNIT };
    words.intersection(about).count() >= least
}
