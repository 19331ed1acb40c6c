//! The words of a text as numbers, in any script, and how rare they are.
//!
//! Numbers, versions and parts of identifiers count too: a line is worth keeping for what is in it and nowhere else.

use std::borrow::Cow;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::lexicon::{is_common_hash, is_routine};
use super::script::{is_alphanumeric, is_cjk, is_cyrillic, stem};
use crate::memory::hashed::Hashed;

/// So many letters of a word count that is not written in ASCII: the rest is how it ends.
const BEGINNING: usize = 6;

/// Passes every word of a text that says something to `found`: in lower case as it stands, its hash without its ending,
/// and whether it is a further pair of characters of the same run.
fn each(text: &str, mut found: impl FnMut(&str, u64, bool)) {
    let bytes = text.as_bytes();
    let mut lower = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let foreign = bytes.get(at).filter(|byte| !byte.is_ascii());
        let letter = foreign.and_then(|_| text[at..].chars().next());
        if letter.is_some_and(is_alphanumeric) {
            let length = text[start..].find(|c| !is_alphanumeric(c)).unwrap_or(text.len() - start);
            at = start + length;
            of_other_script(&text[start..at], &mut found);
        } else {
            of_ascii(&text[start..at], &mut lower, &mut found);
            at += letter.map_or(1, char::len_utf8);
        }
    }
}

/// The words of a run of ASCII letters and digits: one ends where a small letter meets a capital, as in `buildDAGs`.
fn of_ascii(run: &str, lower: &mut String, found: &mut impl FnMut(&str, u64, bool)) {
    let bytes = run.as_bytes();
    let mut from = 0;
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || (bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase());
        if !ends {
            continue;
        }
        let word = &run[std::mem::replace(&mut from, at)..at];
        if word.len() < 2 && !word.as_bytes()[0].is_ascii_digit() {
            continue;
        }
        lower.clear();
        lower.push_str(word);
        lower.make_ascii_lowercase();
        let hash = xxh3_64(lower.as_bytes());
        if is_common_hash(hash) {
            continue;
        }
        let singular = lower.strip_suffix('s').filter(|singular| singular.len() > 3);
        found(lower, singular.map_or(hash, |singular| xxh3_64(singular.as_bytes())), false);
    }
}

/// The words of a run that is not all ASCII; where it has no blanks between words, its pairs of characters.
fn of_other_script(run: &str, found: &mut impl FnMut(&str, u64, bool)) {
    if run.contains(is_cjk) {
        let mut before = 0;
        for (at, c) in run.char_indices().skip(1) {
            let pair = &run[before..at + c.len_utf8()];
            found(pair, xxh3_64(pair.as_bytes()), before > 0);
            before = at;
        }
        return;
    }
    let lower = run.to_lowercase();
    if is_common_hash(xxh3_64(lower.as_bytes())) {
        return;
    }
    let known = if run.starts_with(is_cyrillic) { stem(&lower) } else { Cow::Borrowed(&*lower) };
    let end = known.char_indices().nth(BEGINNING).map_or(known.len(), |(at, _)| at);
    found(&lower, xxh3_64(&known.as_bytes()[..end]), false);
}

/// The distinct words of a text, as hashes, in ascending order.
pub(crate) fn words(text: &str) -> Vec<u64> {
    let mut all = Vec::with_capacity(text.len() / 6);
    each(text, |_, hash, _| all.push(hash));
    all.sort_unstable();
    all.dedup();
    all
}

/// The distinct words of a text that say what it is about, and those that requests use whatever they are about.
pub(super) fn telling_and_routine(text: &str) -> (Vec<u64>, Vec<u64>) {
    let (mut telling, mut routine) = (Vec::new(), Vec::new());
    each(text, |word, hash, is_further| {
        // Of a word in Korean its beginning counts: the pairs after it are how it ends.
        if is_further && word.starts_with(|c| ('\u{ac00}'..='\u{d7a3}').contains(&c)) {
            return;
        }
        let list = if is_routine(word) { &mut routine } else { &mut telling };
        if !list.contains(&hash) {
            list.push(hash);
        }
    });
    (telling, routine)
}

/// The weight of a word in fixed point: how rare it is in `all` lines of which `having` have it.
pub(crate) fn rarity(having: u32, all: u32) -> u32 {
    /// About the weight of a word that is in one of very many lines, divided by their logarithm.
    const UNIT: f64 = 256.0;
    let (having, all) = (f64::from(having), f64::from(all));
    let weight = (1.0 + (all - having + 0.5) / (having + 0.5)).ln() * UNIT;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and some thousands"
    )]
    let weight = weight.round() as u32;
    weight
}

/// How many of some texts have each word.
#[derive(Debug, Default)]
pub(crate) struct WordRarity {
    having: HashMap<u64, u32, Hashed>,
    texts: u32,
}

impl WordRarity {
    /// Counts a text by its distinct words.
    pub(crate) fn count(&mut self, words: &[u64]) {
        self.texts += 1;
        for word in words {
            *self.having.entry(*word).or_default() += 1;
        }
    }

    /// How much a word weighs: the rarer, the more.
    pub(crate) fn weight(&self, word: u64) -> u32 {
        rarity(self.having.get(&word).copied().unwrap_or(0), self.texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_in_any_script() {
        for (text, expect) in [
            ("The parsers, a parser; and v1.2", &["parser", "v1", "2"][..]),
            ("buildDAGs of HTTPServer x", &["build", "dags", "httpserver"]),
            ("Ошибки входа, café, été", &["ошибк", "вход", "café"]),
            ("検索を。索引", &["検索", "索を", "索引"]),
            ("v2를 배포", &["v2", "2를", "배포"]),
            ("— … !", &[]),
        ] {
            let mut expect: Vec<u64> = expect.iter().map(|word| xxh3_64(word.as_bytes())).collect();
            expect.sort_unstable();
            assert_eq!(words(text), expect, "{text}");
        }
    }
}
