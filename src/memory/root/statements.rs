//! What an entry states, in the order in which it is worth saying.

use super::shortened_topic::beginning;
use super::subjects::{MOST_WORDS, Subjects};
use crate::memory::talk::telegram;
use crate::memory::tokens::cost;

/// What a statement costs beside its text, in tokens: that of a longer one has to say more.
const ROOM: u64 = 4;
/// What a word is worth that a better statement has, in 1/8.
const TOLD: u64 = 1;
/// What a conversation's statement has to say that tells something, in percent of what the best word of it says.
const TELLS: u64 = 25;
/// What the best statement of a conversation is worth beside its words, in 1/8 of what the best word is.
const OWN: u64 = 6;

/// A statement of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// its place among the statements of the entry
    pub(super) at: usize,
    /// the same in the style of a telegram
    pub(super) short: String,
    /// whether it says about as much as the best word of its entry: `All tests pass` does not
    pub(super) leads: bool,
    /// whether it does, or a person settles something
    pub(super) tells: bool,
}

/// Something that may be said of an entry.
struct Candidate {
    at: usize,
    short: String,
    /// which of the entry's words it has
    words: Vec<usize>,
    /// what it is worth beside its words and its room
    quality: u64,
    /// what its own entry makes it worth, in 1/1024 of what the best statement is
    weight: u64,
    /// whether a person says it, and settles something
    by_person: bool,
}

/// The statements of an entry that are its own, best first: those that say most of its words, as all of the
/// memory weighs them, in the least room.
pub(super) fn ranked(subjects: &Subjects<'_>, entry: usize) -> Vec<Said> {
    let keywords = subjects.keywords(&subjects.entries[entry], MOST_WORDS);
    let lexicon = &subjects.cache.lexicon;
    let stems: Vec<&str> = keywords.iter().map(|word| beginning(lexicon.text(word.stem))).collect();
    let mut left = candidates(subjects, entry, &stems);
    let most = keywords.first().map_or(0, |word| word.score);
    let is_talk = subjects.entries[entry].section.talk;
    let mut told = vec![false; keywords.len()];
    let mut ranked = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let news = |words: &[usize]| -> u64 {
            let of_word = |word: &usize| {
                let part = if told[*word] { TOLD } else { 8 };
                keywords[*word].score * part / 8
            };
            words.iter().map(of_word).sum()
        };
        let own = |weight: u64| most * weight / 1024 * OWN / 8;
        let worth = |candidate: &Candidate| {
            let room = u64::from(cost(&candidate.short).to_tokens()) + ROOM;
            let says = news(&candidate.words) + own(candidate.weight);
            (says * candidate.quality / room, std::cmp::Reverse(candidate.at))
        };
        let best = (0..left.len()).max_by_key(|place| worth(&left[*place])).unwrap_or(0);
        let settles = left[best].by_person;
        let leads = !is_talk || news(&left[best].words) * 100 >= most * TELLS;
        let tells = leads || settles;
        let Candidate { at, short, words, .. } = left.swap_remove(best);
        for word in words {
            told[word] = true;
        }
        ranked.push(Said { at, short, leads, tells });
    }
    ranked
}

/// What may be said of an entry, which has words with these stems.
fn candidates(subjects: &Subjects<'_>, entry: usize, stems: &[&str]) -> Vec<Candidate> {
    let statements = subjects.entries[entry].statements;
    let is_talk = subjects.entries[entry].section.talk;
    let words = |text: &str| {
        let lower = text.to_lowercase();
        (0..stems.len()).filter(|word| begins_a_word(&lower, stems[*word])).collect()
    };
    let heaviest = statements.iter().map(|statement| statement.weight).max().unwrap_or(0).max(1);
    // What a conversation itself says most tells what it was about as well as the words do that others lack.
    let of_entry =
        |weight: u32| if is_talk { u64::from(weight) * 1024 / u64::from(heaviest) } else { 0 };
    let own = (0..statements.len()).filter(|at| subjects.times_stated(entry, *at) == Some(1));
    own.map(|at| Candidate {
        at,
        short: telegram(&statements[at].text),
        words: words(&statements[at].text),
        // By its root: here, where there is little room, words that lead to the day count more.
        quality: (u64::from(statements[at].quality) * 256).isqrt(),
        weight: of_entry(statements[at].weight),
        by_person: statements[at].by_person,
    })
    .collect()
}

/// Whether a word of a text, both in lower case, begins so.
fn begins_a_word(text: &str, beginning: &str) -> bool {
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        // Some scripts have no blanks between words.
        before.is_none_or(|c| !c.is_ascii_alphanumeric()) || !beginning.is_ascii()
    };
    !beginning.is_empty() && text.match_indices(beginning).any(|(at, _)| begins(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_where_one_begins() {
        for (text, beginning, expect) in [
            ("the parser is stale", "pars", true),
            ("the sparse index", "pars", false),
            ("색인을 다시 만든다", "다시", true),
            ("検索を直した", "直した", true),
            ("the parser", "", false),
        ] {
            assert_eq!(begins_a_word(text, beginning), expect, "{text} {beginning}");
        }
    }
}
