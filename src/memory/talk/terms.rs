//! The words of a passage as numbers, in any script.
//!
//! Not the words of an index: here numbers, versions and parts of identifiers count too, since a passage is worth keeping
//! for what is in it and nowhere else.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use bumpalo::Bump;
use bumpalo::collections::Vec as InArena;
use xxhash_rust::xxh3::xxh3_64;

use crate::memory::hashed::Hashed;
use crate::memory::topics::{
    is_alphanumeric, is_cjk, is_common_hash, is_cyrillic, small_letters, stem,
};

/// How common words are among the passages of a text.
#[derive(Debug, Default)]
pub(crate) struct Rarity {
    having: HashMap<u64, u32, Hashed>,
    passages: u32,
    /// the weight by how many have a word, 0 where nobody asked; of these there are few, and a logarithm takes its time
    weights: RefCell<Vec<u32>>,
}

/// The weight of a word that stands in one of very many passages, about.
const UNIT: f64 = 256.0;

impl Rarity {
    /// Counts a passage by its distinct words.
    pub(crate) fn count(&mut self, words: &[u64]) {
        self.passages += 1;
        self.weights.get_mut().clear();
        for word in words {
            *self.having.entry(*word).or_default() += 1;
        }
    }

    /// How much a word weighs: the rarer, the more.
    pub(crate) fn weight(&self, word: u64) -> u32 {
        self.weight_if(self.having.get(&word).copied().unwrap_or(0))
    }

    /// How much a word weighs that so many passages have.
    pub(crate) fn weight_if(&self, having: u32) -> u32 {
        let mut weights = self.weights.borrow_mut();
        let at = having as usize;
        if at >= weights.len() {
            weights.resize(at + 1, 0);
        }
        if weights[at] == 0 {
            weights[at] = self.weight_of(having);
        }
        weights[at]
    }

    fn weight_of(&self, having: u32) -> u32 {
        let having = f64::from(having);
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

/// What a byte is: no part of a word of ASCII, a small letter or a digit of one, or a capital.
const KIND: [u8; 256] = {
    let mut found = [OTHER; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        if byte.is_ascii_uppercase() {
            found[byte as usize] = CAPITAL;
        } else if byte.is_ascii_alphanumeric() {
            found[byte as usize] = SMALL;
        }
        byte += 1;
    }
    found
};
const OTHER: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;

/// The distinct words of a text, as hashes, in ascending order.
pub(crate) fn terms<'a>(text: &str, arena: &'a Bump) -> &'a [u64] {
    let mut found = InArena::with_capacity_in(text.len() / 6, arena);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut has_capital = false;
        loop {
            at += small_letters(&bytes[at..]);
            match bytes.get(at).map(|byte| KIND[usize::from(*byte)]) {
                None | Some(OTHER) => break,
                Some(kind) => has_capital |= kind == CAPITAL,
            }
            at += 1;
        }
        let letter = match bytes.get(at) {
            Some(byte) if !byte.is_ascii() => text[at..].chars().next(),
            _ => None,
        };
        if letter.is_some_and(is_alphanumeric) {
            at = run(text, start, &mut found);
            continue;
        }
        let word = &bytes[start..at];
        if has_capital {
            with_capitals(word, &mut found);
        } else if !word.is_empty() {
            push(word, &mut found);
        }
        at += letter.map_or(1, char::len_utf8);
    }
    found.sort_unstable();
    found.dedup();
    found.shrink_to_fit();
    found.into_bump_slice()
}

/// Reads the run of letters and digits of any script that begins at a place. Returns where it ends.
fn run(text: &str, start: usize, found: &mut InArena<'_, u64>) -> usize {
    let length = text[start..].find(|c| !is_alphanumeric(c)).unwrap_or(text.len() - start);
    let run = &text[start..start + length];
    if run.chars().any(is_cjk) {
        let mut before = 0;
        for (at, c) in run.char_indices().skip(1) {
            found.push(xxh3_64(&run.as_bytes()[before..at + c.len_utf8()]));
            before = at;
        }
    } else {
        let lower = run.to_lowercase();
        if is_common_hash(xxh3_64(lower.as_bytes())) {
            return start + length;
        }
        let known =
            if run.starts_with(is_cyrillic) { stem(&lower) } else { Cow::Borrowed(&*lower) };
        let end = known.char_indices().nth(6).map_or(known.len(), |(at, _)| at);
        found.push(xxh3_64(&known.as_bytes()[..end]));
    }
    start + length
}

/// The longest word, in bytes, that is put into lower case without asking for memory.
const BUFFER: usize = 48;

/// The words of a run of ASCII letters and digits: one ends where small letters meet a capital, as in `buildDAGs`.
fn with_capitals(run: &[u8], found: &mut InArena<'_, u64>) {
    let (mut short, mut long) = ([0; BUFFER], Vec::new());
    let room = if run.len() <= BUFFER {
        &mut short[..]
    } else {
        long.resize(run.len(), 0);
        &mut long[..]
    };
    let mut length = 0;
    let mut in_capitals = true;
    for byte in run {
        let is_capital = byte.is_ascii_uppercase();
        if is_capital && !in_capitals {
            push(&room[..length], found);
            length = 0;
        }
        in_capitals = is_capital;
        room[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    push(&room[..length], found);
}

fn push(word: &[u8], found: &mut InArena<'_, u64>) {
    if word.len() < 2 && !word[0].is_ascii_digit() {
        return;
    }
    let hash = xxh3_64(word);
    if is_common_hash(hash) {
        return;
    }
    let singular = word.strip_suffix(b"s").filter(|stem| stem.len() > 3);
    found.push(singular.map_or(hash, xxh3_64));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_in_any_script() {
        fn check(text: &str, expect: &[&str]) {
            let mut expect: Vec<u64> = expect.iter().map(|word| xxh3_64(word.as_bytes())).collect();
            expect.sort_unstable();
            assert_eq!(terms(text, &Bump::new()), expect, "{text}");
        }
        check("The parsers, a parser; and v1.2", &["parser", "v1", "2"]);
        check("buildDAGs of HTTPServer x", &["build", "dags", "httpserver"]);
        check("gas as is: bus", &["gas", "bus"]);
        check("Ошибки входа, café, été", &["ошибк", "вход", "café"]);
        check("Как это было: чек, чеки", &["чек"]);
        check("検索を。索引", &["検索", "索を", "索引"]);
        check("v2를 배포", &["v2", "2를", "배포"]);
        check("— … !", &[]);
        let long = "x".repeat(BUFFER + 1);
        check(&long, &[&long]);
        check(&format!("{long}es"), &[&format!("{long}e")]);
    }
}
