//! The words of a passage as numbers, in any script.
//!
//! Not the words of an index: here numbers, versions and parts of identifiers count too, since a passage is worth keeping
//! for what is in it and nowhere else.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::memory::hashed::Hashed;
use crate::memory::topics::{is_alphanumeric, is_cjk, is_common_hash};

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
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut foreign = false;
        // Nearly all text is ASCII; only what is not is looked at by character.
        let gap = loop {
            match bytes.get(at) {
                None => break 0,
                Some(byte) if byte.is_ascii_alphanumeric() => at += 1,
                Some(byte) if byte.is_ascii() => break 1,
                Some(_) => {
                    let c = text[at..].chars().next().unwrap_or_default();
                    if !is_alphanumeric(c) {
                        break c.len_utf8();
                    }
                    foreign = true;
                    at += c.len_utf8();
                }
            }
        };
        match &text[start..at] {
            "" => {}
            run if foreign => other(run, &mut found),
            run => ascii(run.as_bytes(), &mut found),
        }
        at += gap;
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A run of letters and digits of any script.
fn other(run: &str, found: &mut Vec<u64>) {
    if run.chars().any(is_cjk) {
        let mut before = 0;
        for (at, c) in run.char_indices().skip(1) {
            found.push(xxh3_64(&run.as_bytes()[before..at + c.len_utf8()]));
            before = at;
        }
    } else {
        let lower: String = run.to_lowercase().chars().take(6).collect();
        found.push(xxh3_64(lower.as_bytes()));
    }
}

/// The longest run, in bytes, that is put into lower case without asking for memory.
const BUFFER: usize = 48;

/// A run of ASCII letters and digits, cut where small letters meet a capital: `buildDAGs`.
fn ascii(run: &[u8], found: &mut Vec<u64>) {
    let mut short = [0; BUFFER];
    let mut long = Vec::new();
    let lower = match short.get_mut(..run.len()) {
        Some(lower) => lower,
        None => {
            long.resize(run.len(), 0);
            &mut long[..]
        }
    };
    lower.copy_from_slice(run);
    lower.make_ascii_lowercase();
    let mut start = 0;
    for at in 1..=run.len() {
        let ends =
            at == run.len() || (run[at].is_ascii_uppercase() && !run[at - 1].is_ascii_uppercase());
        if !ends {
            continue;
        }
        let word = &lower[start..at];
        start = at;
        if word.len() < 2 && !word[0].is_ascii_digit() {
            continue;
        }
        let hash = xxh3_64(word);
        if is_common_hash(hash) {
            continue;
        }
        let singular = word.strip_suffix(b"s").filter(|stem| stem.len() > 3);
        found.push(singular.map_or(hash, xxh3_64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_in_any_script() {
        fn check(text: &str, expect: &[&str]) {
            let mut expect: Vec<u64> = expect.iter().map(|word| xxh3_64(word.as_bytes())).collect();
            expect.sort_unstable();
            assert_eq!(terms(text), expect, "{text}");
        }
        check("The parsers, a parser; and v1.2", &["parser", "v1", "2"]);
        check("buildDAGs of HTTPServer x", &["build", "dags", "httpserver"]);
        check("gas as is: bus", &["gas", "bus"]);
        check("Ошибка входа, été", &["ошибка", "входа", "été"]);
        check("検索を。索引", &["検索", "索を", "索引"]);
        check("v2를 배포", &["v2", "2를", "배포"]);
        check("— … !", &[]);
        let long = "x".repeat(BUFFER + 1);
        check(&long, &[&long]);
        check(&format!("{long}es"), &[&format!("{long}e")]);
    }
}
