//! Words that may stand for one another. A question is often asked in other words than those that were written down.
//!
//! Everyday words and those of people who build software, in English. Each line is a group; a word may be in several.

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// In base form; both sides are compared by stem.
const GROUPS: &str = include_str!("synonyms.txt");

type ByStem = HashMap<String, Vec<&'static str>>;

/// The other words of a word's groups; `stem` is that of the word.
pub(super) fn of(stem: &str) -> impl Iterator<Item = &'static str> {
    static GROUPS_OF: LazyLock<ByStem> = LazyLock::new(|| {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut groups = ByStem::new();
        for group in GROUPS.lines() {
            for word in group.split(' ') {
                groups.entry(stemmer.stem(word).into_owned()).or_default().push(group);
            }
        }
        groups
    });
    let groups = GROUPS_OF.get(stem).into_iter().flatten();
    groups.flat_map(|group| group.split(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_leads_to_those_of_its_group_in_any_form() {
        let stem = Stemmer::create(Algorithm::English).stem("directories").into_owned();
        assert!(of(&stem).any(|word| word == "folder"));
        assert_eq!(of("zebra").count(), 0);
    }

    #[test]
    fn no_group_has_a_word_twice() {
        for group in GROUPS.lines() {
            let mut words: Vec<&str> = group.split(' ').collect();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), group.split(' ').count(), "{group}");
            assert!(words.len() > 1 && words.iter().all(|word| !word.is_empty()), "{group}");
        }
    }
}
