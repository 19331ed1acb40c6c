//! What an entry states, in the order in which it is worth saying.

use super::subjects::{Subjects, beginning};
use crate::memory::talk::telegram;
use crate::memory::tokens::cost;

/// How many words of an entry are looked for in what it states.
const WORDS: usize = 100;
/// What a statement costs beside its text, in tokens: that of a longer one has to say more.
const ROOM: u64 = 4;
/// What a word is worth that a better statement has, in 1/8.
const TOLD: u64 = 1;
/// What a conversation's statement has to say that tells something, in percent of what the best word of it says.
const TELLS: u64 = 25;

/// A statement of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// its place among those of the entry
    pub(super) at: usize,
    /// the same in the style of a telegram
    pub(super) short: String,
    /// whether it says about as much as the best word of its entry: `All tests pass` does not
    pub(super) tells: bool,
}

/// The statements of an entry that are its own, best first: those that say most of its words, as all of the memory weighs
/// them, in the least room.
pub(super) fn ranked(subjects: &Subjects<'_>, entry: usize) -> Vec<Said> {
    let statements = subjects.entries[entry].statements;
    let own = (0..statements.len()).filter(|at| subjects.times_stated(entry, *at) == Some(1));
    let mut left: Vec<(usize, String, Vec<usize>)> = Vec::new();
    let keywords = subjects.keywords(&subjects.entries[entry], WORDS);
    let lexicon = &subjects.cache.lexicon;
    let stems: Vec<&str> = keywords.iter().map(|word| beginning(lexicon.text(word.stem))).collect();
    for at in own {
        let lower = statements[at].text.to_lowercase();
        let has = |word: &usize| begins_a_word(&lower, stems[*word]);
        let words = (0..stems.len()).filter(has).collect();
        left.push((at, telegram(&statements[at].text), words));
    }
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
        let worth = |(at, short, words): &(usize, String, Vec<usize>)| {
            let news = news(words);
            let room = u64::from(cost(short).to_tokens()) + ROOM;
            (news * u64::from(statements[*at].quality) / room, std::cmp::Reverse(*at))
        };
        let best = (0..left.len()).max_by_key(|place| worth(&left[*place])).unwrap_or(0);
        let tells = !is_talk || news(&left[best].2) * 100 >= most * TELLS;
        let (at, short, words) = left.swap_remove(best);
        for word in words {
            told[word] = true;
        }
        ranked.push(Said { at, short, tells });
    }
    ranked
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
