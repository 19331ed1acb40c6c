//! Every word of a memory once, with its stem.
//!
//! Numbers are given in the order of first sight, so they differ between a lexicon that grew with the
//! memory and one made afresh. Nothing that is shown may depend on them.

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::stop;

/// What a number of the lexicon stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// a word; words with the same stem are one
    Word,
    /// two CJK characters side by side: counted, never shown
    Bigram,
    /// a run of CJK characters: shown, weighed by its bigrams
    Segment,
    /// only ever the stem of words
    Stem,
    /// a stop word
    Stop,
}

/// Words by number. Cheap to read back; the index from words to numbers is only made when a word is
/// looked up.
#[derive(Default, Serialize, Deserialize)]
pub struct Lexicon {
    /// all texts, one after the other
    text: String,
    words: Vec<Word>,
    #[serde(skip)]
    index: Index,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Word {
    /// where its text ends in `Lexicon::text`
    end: u32,
    stem: u32,
    shape: Shape,
}

impl Lexicon {
    /// How many numbers are given out.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The text of a number.
    pub(crate) fn text(&self, number: u32) -> &str {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.words[before].end as usize);
        &self.text[start..self.words[at].end as usize]
    }

    /// The number under which all words of the same stem are counted.
    pub(crate) fn stem(&self, number: u32) -> u32 {
        self.words[number as usize].stem
    }

    pub(crate) fn shape(&self, number: u32) -> Shape {
        self.words[number as usize].shape
    }

    /// Whether a word, in lower case, says nothing.
    pub(super) fn is_stop(&mut self, word: &str) -> bool {
        self.prepare();
        let found = self.index.find(hash(word, Shape::Stop));
        found.is_some_and(|number| self.shape(number) == Shape::Stop)
    }

    /// The number of a word, given out now if it is new. `None` for stop words.
    pub(super) fn number(&mut self, word: &str, shape: Shape) -> Option<u32> {
        self.prepare();
        let hash = hash(word, shape);
        let Some(number) = self.index.find(hash) else {
            let number = self.add(word, shape, hash);
            if shape == Shape::Word {
                self.words[number as usize].stem = self.stem_number(word);
            }
            return Some(number);
        };
        match self.words[number as usize].shape {
            Shape::Stop => None,
            Shape::Stem => {
                // Seen before as the stem of others: now it is a word too, with a stem of its own.
                let stem = self.stem_number(word);
                let known = &mut self.words[number as usize];
                (known.stem, known.shape) = (stem, Shape::Word);
                Some(number)
            }
            _ => Some(number),
        }
    }

    fn stem_number(&mut self, word: &str) -> u32 {
        let stem = stem_of(&word.to_lowercase());
        let hash = hash(&stem, Shape::Stem);
        self.index.find(hash).unwrap_or_else(|| self.add(&stem, Shape::Stem, hash))
    }

    fn add(&mut self, word: &str, shape: Shape, hash: u64) -> u32 {
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.text.push_str(word);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.words.push(Word { end, stem: number, shape });
        if self.words.len() * 2 > self.index.slots.len() {
            self.build_index();
        } else {
            self.index.put(hash, number);
        }
        number
    }

    /// Makes the index if there is none yet, and puts the stop words in if there are no words at all.
    #[inline]
    fn prepare(&mut self) {
        if self.index.slots.is_empty() {
            self.prepare_now();
        }
    }

    #[cold]
    fn prepare_now(&mut self) {
        self.build_index();
        if self.words.is_empty() {
            for word in stop::words() {
                let hash = hash(word, Shape::Stop);
                if self.index.find(hash).is_none() {
                    self.add(word, Shape::Stop, hash);
                }
            }
        }
    }

    fn build_index(&mut self) {
        self.index.slots = vec![(0, 0); (self.words.len() * 4).next_power_of_two().max(4096)];
        for number in 0..u32::try_from(self.words.len()).unwrap_or(u32::MAX) {
            self.index.put(hash(self.text(number), self.shape(number)), number);
        }
    }
}

/// Words, stems and stop words share their numbers by text; bigrams and segments have their own.
fn hash(word: &str, shape: Shape) -> u64 {
    let hash = xxh3_64(word.as_bytes());
    match shape {
        Shape::Bigram => !hash,
        Shape::Segment => hash.rotate_left(7),
        Shape::Word | Shape::Stem | Shape::Stop => hash,
    }
}

fn stem_of(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// Open addressing over 64-bit hashes. Two words of one memory with the same hash are not a thing that happens,
/// so the words themselves are not compared.
#[derive(Default, Clone)]
struct Index {
    /// the hash, and the number plus one
    slots: Vec<(u64, u32)>,
}

impl Index {
    fn put(&mut self, hash: u64, number: u32) {
        let at = self.place(hash);
        self.slots[at] = (hash, number + 1);
    }

    fn find(&self, hash: u64) -> Option<u32> {
        self.slots[self.place(hash)].1.checked_sub(1)
    }

    /// Where a hash stands or would stand. At least half of the slots are free.
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits choose the slot")]
        let mut at = hash as usize & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != hash {
            at = (at + 1) & mask;
        }
        at
    }
}
