//! Every word of a memory once, with its stem.
//!
//! Numbers are given in the order of first sight, so they differ between a lexicon that grew with the
//! memory and one made afresh. Nothing that is shown may depend on them.

use hashbrown::HashTable;
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
    index: HashTable<Slot>,
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
        self.find(hash(word, Shape::Stop)).is_some_and(|slot| slot.shape == Shape::Stop)
    }

    /// The number of a word, given out now if it is new. `None` for stop words.
    pub(super) fn number(&mut self, word: &str, shape: Shape) -> Option<u32> {
        self.prepare();
        let hash = hash(word, shape);
        match self.find(hash) {
            None => Some(self.first_seen(word, shape, hash)),
            Some(Slot { shape: Shape::Stop, .. }) => None,
            Some(Slot { shape: Shape::Stem, number, .. }) => {
                Some(self.stem_seen_as_word(number, word, hash))
            }
            Some(slot) => Some(slot.number),
        }
    }

    /// Gives numbers to all words of another lexicon. Returns them by the number that each has there.
    pub(crate) fn append(&mut self, other: &Self) -> Vec<u32> {
        self.prepare();
        let numbers = 0..u32::try_from(other.len()).unwrap_or(u32::MAX);
        let number = |number: u32| {
            let (word, shape) = (other.text(number), other.shape(number));
            let hash = hash(word, shape);
            match (self.find(hash), shape) {
                (None, Shape::Word) => self.first_seen(word, shape, hash),
                (None, _) => self.add(word, shape, hash),
                (Some(Slot { shape: Shape::Stem, number, .. }), Shape::Word) => {
                    self.stem_seen_as_word(number, word, hash)
                }
                (Some(slot), _) => slot.number,
            }
        };
        numbers.map(number).collect()
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
        if let Some(slot) = self.index.find_mut(hash, |slot| slot.hash == hash) {
            slot.shape = Shape::Word;
        }
        number
    }

    fn stem_number(&mut self, word: &str) -> u32 {
        let stem = super::stem(&word.to_lowercase()).into_owned();
        let hash = hash(&stem, Shape::Stem);
        self.find(hash).map_or_else(|| self.add(&stem, Shape::Stem, hash), |slot| slot.number)
    }

    fn add(&mut self, word: &str, shape: Shape, hash: u64) -> u32 {
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.text.push_str(word);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.words.push(Word { end, stem: number, shape });
        self.put(Slot { hash, number, shape });
        number
    }

    fn put(&mut self, slot: Slot) {
        self.index.insert_unique(slot.hash, slot, |slot| slot.hash);
    }

    #[inline]
    fn find(&self, hash: u64) -> Option<Slot> {
        self.index.find(hash, |slot| slot.hash == hash).copied()
    }

    /// Makes the index if there is none yet, and puts the stop words in if there are no words at all.
    #[inline]
    fn prepare(&mut self) {
        if self.index.is_empty() {
            self.prepare_now();
        }
    }

    #[cold]
    fn prepare_now(&mut self) {
        self.index.reserve(self.words.len().max(2048), |slot| slot.hash);
        for number in 0..u32::try_from(self.words.len()).unwrap_or(u32::MAX) {
            let shape = self.shape(number);
            self.put(Slot { hash: hash(self.text(number), shape), number, shape });
        }
        if self.words.is_empty() {
            for word in stop::words() {
                let hash = hash(word, Shape::Stop);
                if self.find(hash).is_none() {
                    self.add(word, Shape::Stop, hash);
                }
            }
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

/// A word of the index. Has the shape as well, so that most look-ups need nothing else. Two words of one memory with the
/// same hash are not a thing that happens, so the words themselves are not compared.
#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    number: u32,
    shape: Shape,
}
