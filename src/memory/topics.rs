//! What a text is about: its topics, and weighted words where it has none.

pub(crate) mod function_words;
mod head;
mod lexicon;
mod names;
mod score;
mod sections;
mod stem;
mod stems;
mod stop;
mod tally;
mod words;

pub(crate) use function_words::{is_ambiguous, languages_of};
pub use head::{head_topics, in_one_line};
pub(crate) use lexicon::Lexicon;
pub(crate) use lexicon::Shape;
pub(crate) use score::Scores;
pub(crate) use stem::{is_cyrillic, stem};
pub(crate) use stems::Stems;
pub(crate) use stop::{is_common, is_common_hash, is_weak, may_be_weak};
pub(crate) use tally::{Tally, Term, USER_WEIGHT, is_identifier, label};
pub(crate) use words::{is_alphanumeric, is_cjk, is_cjk_letter, is_place, small_letters};

use crate::memory::tokens::{Cost, cost};

/// The most words a topic may have to be named whole.
const WORDS: usize = 4;
/// What costs more in spite of that is code or an address.
const LONGEST: Cost = Cost::tokens(16);

/// [`is_weak`] of an English word whose stem is not known.
pub(crate) fn says_little(word: &str) -> bool {
    use rust_stemmers::{Algorithm, Stemmer};
    may_be_weak(word) && is_weak(word, &Stemmer::create(Algorithm::English).stem(word))
}

/// Whether a topic has at most four words, and these are words. Six CJK characters take the room of one.
pub(crate) fn is_short(topic: &str) -> bool {
    let words: usize = if topic.is_ascii() {
        topic.split_whitespace().count()
    } else {
        let cjk = |word: &str| word.chars().filter(|c| is_cjk(*c)).count();
        topic.split_whitespace().map(|word| cjk(word).div_ceil(6).max(1)).sum()
    };
    words <= WORDS && cost(topic) <= LONGEST
}
