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
pub(crate) struct Lexicon {
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
        let slot = self.index.find(hash(word, Shape::Stop));
        !slot.is_free() && slot.shape == Shape::Stop
    }

    /// The number of a word, given out now if it is new. `None` for stop words.
    pub(super) fn number(&mut self, word: &str, shape: Shape) -> Option<u32> {
        self.prepare();
        let hash = hash(word, shape);
        let slot = self.index.find(hash);
        if slot.is_free() {
            return Some(self.first_seen(word, shape, hash));
        }
        match slot.shape {
            Shape::Stop => None,
            Shape::Stem => Some(self.stem_seen_as_word(slot.number(), word, hash)),
            _ => Some(slot.number()),
        }
    }

    #[cold]
    fn first_seen(&mut self, word: &str, shape: Shape, hash: u64) -> u32 {
        let number = self.add(word, shape, hash);
        if shape == Shape::Word {
            self.words[number as usize].stem = self.stem_number(word);
        }
        number
    }

    /// Seen before as the stem of others: now it is a word too, with a stem of its own.
    #[cold]
    fn stem_seen_as_word(&mut self, number: u32, word: &str, hash: u64) -> u32 {
        let stem = self.stem_number(word);
        let known = &mut self.words[number as usize];
        (known.stem, known.shape) = (stem, Shape::Word);
        self.index.put(hash, number, Shape::Word);
        number
    }

    fn stem_number(&mut self, word: &str) -> u32 {
        let stem = stem_of(&word.to_lowercase());
        let hash = hash(&stem, Shape::Stem);
        let slot = self.index.find(hash);
        if slot.is_free() { self.add(&stem, Shape::Stem, hash) } else { slot.number() }
    }

    fn add(&mut self, word: &str, shape: Shape, hash: u64) -> u32 {
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.text.push_str(word);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.words.push(Word { end, stem: number, shape });
        if self.words.len() * 2 > self.index.slots.len() {
            self.build_index();
        } else {
            self.index.put(hash, number, shape);
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
                if self.index.find(hash).is_free() {
                    self.add(word, Shape::Stop, hash);
                }
            }
        }
    }

    fn build_index(&mut self) {
        let slots = (self.words.len() * 4).next_power_of_two().max(4096);
        self.index.slots = vec![Slot::FREE; slots];
        for number in 0..u32::try_from(self.words.len()).unwrap_or(u32::MAX) {
            let shape = self.shape(number);
            self.index.put(hash(self.text(number), shape), number, shape);
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
    slots: Vec<Slot>,
}

/// A word of the index. Has the shape as well, so that most look-ups need nothing else.
#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    /// the number plus one; 0 where the slot is free
    after: u32,
    shape: Shape,
}

impl Slot {
    const FREE: Self = Self { hash: 0, after: 0, shape: Shape::Word };

    fn is_free(self) -> bool {
        self.after == 0
    }

    fn number(self) -> u32 {
        self.after - 1
    }
}

impl Index {
    fn put(&mut self, hash: u64, number: u32, shape: Shape) {
        let at = self.place(hash);
        self.slots[at] = Slot { hash, after: number + 1, shape };
    }

    /// What stands at a hash, or a free slot.
    #[inline]
    fn find(&self, hash: u64) -> Slot {
        self.slots[self.place(hash)]
    }

    /// Where a hash stands or would stand. At least half of the slots are free.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits choose the slot")]
        let mut at = hash as usize & mask;
        while !self.slots[at].is_free() && self.slots[at].hash != hash {
            at = (at + 1) & mask;
        }
        at
    }
}
