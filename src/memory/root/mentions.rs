//! What a text speaks of, and when the logs last spoke of something.

use std::collections::{HashMap, HashSet};

use super::names::fold;
use super::subjects::Subjects;
use crate::memory::topics::Stems;
use crate::order::InOrder as _;

/// A text, ready to be asked whether it mentions a topic.
pub(super) struct Mentions {
    folded: String,
    words: HashSet<String>,
}

impl Mentions {
    pub(super) fn of(text: &str) -> Self {
        let folded = fold(text);
        let words = words(&folded).map(str::to_owned).collect();
        Self { folded, words }
    }

    /// Whether the text has a folded topic in it, with no letter touching it.
    pub(super) fn say(&self, topic: &str) -> bool {
        let Some(first) = words(topic).next() else { return false };
        // Most topics fail here, at the price of one look.
        let inflected = || first.chars().any(crate::memory::topics::is_cjk);
        if !self.words.contains(first) && !inflected() {
            return false;
        }
        self.folded.match_indices(topic).any(|(at, _)| {
            let before = self.folded[..at].chars().next_back();
            let after = self.folded[at + topic.len()..].chars().next();
            let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            inflected() || (apart(before) && apart(after))
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// For each folded topic, how many days ago a log mentioned it last: as the topic of an entry, else with all of its
/// words in one entry. Topics no log mentions are left out.
pub(super) fn last_mentions(subjects: &Subjects<'_>, topics: Vec<String>) -> HashMap<String, u32> {
    let mut ages: HashMap<String, u32> = HashMap::new();
    let mut open: HashSet<String> = topics.into_iter().collect();
    let names = &subjects.cache.names;
    for topic in &subjects.topics {
        if let Some(found) = open.take(names.text(names.folded(topic.name))) {
            ages.insert(found, topic.age);
        }
    }
    if open.is_empty() {
        return ages;
    }
    let mut stems = Stems::of(&subjects.cache.lexicon, open.iter().map(String::as_str));
    let mut wanted: Vec<(String, Vec<u32>)> = Vec::new();
    for topic in open {
        if let Some(found) = stems.all(&topic) {
            wanted.push((topic, found));
        }
    }
    wanted.order();
    let lexicon = &subjects.cache.lexicon;
    let asked: HashSet<u32> = wanted.iter().flat_map(|(_, stems)| stems.iter().copied()).collect();
    let mut present: HashSet<u32> = HashSet::new();
    for entry in &subjects.entries {
        if wanted.is_empty() {
            break;
        }
        present.clear();
        entry.terms.for_each(|term| {
            let stem = lexicon.stem(term.word);
            if asked.contains(&stem) {
                present.insert(stem);
            }
        });
        if present.is_empty() {
            continue;
        }
        wanted.retain(|(topic, stems)| {
            let here = stems.iter().all(|stem| present.contains(stem));
            if here {
                ages.insert(topic.clone(), entry.age);
            }
            !here
        });
    }
    ages
}
