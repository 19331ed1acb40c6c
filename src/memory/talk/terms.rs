//! The words of a passage as numbers, in any script.
//!
//! Not the words of an index: here numbers, versions and parts of identifiers count too, since a passage is worth keeping
//! for what is in it and nowhere else.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::memory::hashed::Hashed;
use crate::memory::topics::{is_cjk, is_common};

/// How common words are among the passages of a text.
#[derive(Debug, Default)]
pub(crate) struct Rarity {
    having: HashMap<u64, u32, Hashed>,
    passages: u32,
}

/// The weight of a word that stands in one of very many passages, about.
const UNIT: f64 = 256.0;

impl Rarity {
    /// Counts a passage by its distinct words.
    pub(crate) fn count(&mut self, words: &[u64]) {
        self.passages += 1;
        for word in words {
            *self.having.entry(*word).or_default() += 1;
        }
    }

    /// How much a word weighs: the rarer, the more.
    pub(crate) fn weight(&self, word: u64) -> u32 {
        let having = f64::from(self.having.get(&word).copied().unwrap_or(0));
        let all = f64::from(self.passages);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and some thousands"
        )]
        let weight = ((1.0 + (all - having + 0.5) / (having + 0.5)).ln() * UNIT).round() as u32;
        weight
    }
}

/// The distinct words of a text, as hashes, in ascending order.
pub(crate) fn terms(text: &str) -> Vec<u64> {
    let mut found = Vec::with_capacity(text.len() / 6);
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.is_ascii() {
            ascii(run, &mut found);
        } else if run.chars().any(is_cjk) {
            let letters: Vec<(usize, char)> = run.char_indices().collect();
            for pair in letters.windows(2) {
                let end = pair[1].0 + pair[1].1.len_utf8();
                found.push(xxh3_64(&run.as_bytes()[pair[0].0..end]));
            }
        } else {
            let lower: String = run.to_lowercase().chars().take(6).collect();
            found.push(xxh3_64(lower.as_bytes()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A run of ASCII letters and digits, cut where small letters meet a capital: `buildDAGs`.
fn ascii(run: &str, found: &mut Vec<u64>) {
    let bytes = run.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || (bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase());
        if !ends {
            continue;
        }
        let word = run[start..at].to_ascii_lowercase();
        start = at;
        if word.len() < 2 && !word.as_bytes()[0].is_ascii_digit() {
            continue;
        }
        if is_common(&word) {
            continue;
        }
        let singular = word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(&word);
        found.push(xxh3_64(singular.as_bytes()));
    }
}
