//! Single sentences that can be read without what stands around them, for ROOT.md.

use super::cues::Cue;
use super::passage::{Passage, sentences_of};
use super::terms::Rarity;
use super::turns::Turn;
use crate::memory::tokens::cost;

/// What a statement may be long, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=170;
/// The most statements of an entry.
const MOST: usize = 6;
/// Sentences that begin so tell of something said before.
const DANGLING: [&str; 40] = [
    "it ", "it's", "it’s", "its ", "this ", "that ", "that's", "that’s", "these ", "those ", "they ", "so ", "but ", "and ", "also", "then ",
    "which ", "he ", "she ", "both ", "here ", "here's", "here’s", "there ", "yes", "no,", "no ", "right", "good", "ok", "done", "two ",
    "to ", "for example", "e.g.", "note:", "otherwise", "or ", "once ", "same ",
];

/// The sentences of an entry's turns that can stand alone, in order.
pub(crate) fn statements(turns: &[Turn<'_>]) -> Vec<Passage> {
    let mut found = sentences_of(turns);
    found.retain(|passage| stands_alone(&passage.text) && passage.words.len() > 2);
    found
}

fn stands_alone(text: &str) -> bool {
    let begins = |start: &&str| {
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    LENGTHS.contains(&text.chars().count())
        && !text.ends_with([':', '?', '？', '…', ','])
        && !text.starts_with(['→', '(', '…', '[', '<', '/', '@', '"', '“'])
        && text.matches('`').count().is_multiple_of(2)
        && text.matches('(').count() == text.matches(')').count()
        && !text.contains("http")
        && !text.contains("[REDACTED")
        && !DANGLING.iter().any(|start| begins(start))
}

/// The best of an entry's statements, best first, each with its weight: what says much in few words, and what no better
/// one says already.
pub(crate) fn best(statements: &[Passage], rarity: &Rarity) -> Vec<(usize, u32)> {
    let mut left: Vec<usize> = (0..statements.len()).collect();
    let mut told: Vec<u64> = Vec::new();
    let mut chosen = Vec::new();
    while chosen.len() < MOST {
        let worth = |at: &usize| weight(&statements[*at], rarity, &told);
        let Some((weight, place)) =
            left.iter().enumerate().map(|(place, at)| (worth(at), std::cmp::Reverse(place))).max()
        else {
            break;
        };
        if weight == 0 {
            break;
        }
        let at = left.swap_remove(place.0);
        left.sort_unstable();
        told.extend(&statements[at].words);
        chosen.push((at, weight));
    }
    chosen
}

/// What the words of a statement weigh that are not told yet, by its cue and by how much room it takes.
fn weight(statement: &Passage, rarity: &Rarity, told: &[u64]) -> u32 {
    let news: u64 = statement
        .words
        .iter()
        .map(|word| u64::from(rarity.weight(*word)) * if told.contains(word) { 1 } else { 8 } / 8)
        .sum();
    let told = match statement.cue {
        Some(Cue::Decision | Cue::Cause) => 32,
        Some(Cue::Change) => 24,
        Some(Cue::Open) => 18,
        None => 12,
    };
    let room = u64::from(cost(&statement.text).to_tokens()) + 8;
    let weight = news * told * u64::from(statement.factor) / room / 16;
    u32::try_from(weight).unwrap_or(u32::MAX)
}
