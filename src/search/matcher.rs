//! Finds the terms of a question in a text in one pass.
//!
//! An automaton looks for the beginnings that the forms of every term share; only what begins like a term is cut out as
//! a word and stemmed, each word once. So a text that has nothing to do with the question costs a few instructions a
//! byte.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use super::language::StemmedLanguage;
use super::terms::{Term, TermForm};
use super::word_bounds::{self, WordStart};
use crate::meaning::script::is_cjk;
use crate::memory::hashed::{Hashed, hash_folded};
use crate::text::composed;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// the first byte
    pub(super) at: usize,
    /// the byte after the last
    pub(super) end: usize,
    /// which term
    pub(super) term: u8,
    /// 1 for the term itself, less for something that may stand for it
    pub(super) factor: f32,
}

#[derive(Debug, Clone, Copy)]
enum Pattern {
    Prefix,
    Exact(u8, f32),
    Pair(u8, f32),
}

type Occurrences = Rc<[(u8, f32)]>;

/// The terms of a question, ready to be looked for.
pub(super) struct Matcher {
    automaton: Option<AhoCorasick>,
    patterns: Vec<Pattern>,
    languages: Vec<StemmedLanguage>,
    stems: HashMap<(usize, String), Vec<(u8, f32)>>,
    /// by the hash of the word in lower case
    known: RefCell<HashMap<u64, Occurrences, Hashed>>,
}

/// Words that are remembered; a text of ever new words must not fill the memory.
const REMEMBERED: usize = 20_000;
/// The longest word, in bytes.
const LONGEST: usize = 256;

impl Matcher {
    pub(super) fn new(terms: &[Term], languages: &[StemmedLanguage]) -> Self {
        let mut patterns: Vec<(String, Pattern)> = Vec::new();
        let mut stems: HashMap<(usize, String), Vec<(u8, f32)>> = HashMap::new();
        for (number, term) in (0_u8..).zip(terms) {
            for (form, factor) in &term.forms {
                match form {
                    TermForm::Exact(text) => {
                        patterns.push((text.clone(), Pattern::Exact(number, *factor)));
                    }
                    TermForm::Pair(text) => {
                        patterns.push((text.clone(), Pattern::Pair(number, *factor)));
                    }
                    TermForm::Word(word) => {
                        for (index, language) in languages.iter().enumerate() {
                            let stem = language.stem(word).into_owned();
                            let prefix = prefix(word, &stem);
                            for spelling in language.spellings(prefix) {
                                for cased in casings(&spelling) {
                                    patterns.push((cased, Pattern::Prefix));
                                }
                            }
                            let entry = stems.entry((index, stem)).or_default();
                            if entry.iter().all(|(known, _)| *known != number) {
                                entry.push((number, *factor));
                            }
                        }
                    }
                }
            }
        }
        patterns.sort_by(|a, b| a.0.cmp(&b.0).then(rank(a.1).cmp(&rank(b.1))));
        patterns.dedup_by(|a, b| a.0 == b.0);
        let automaton = (!patterns.is_empty())
            .then(|| {
                AhoCorasick::builder()
                    .ascii_case_insensitive(true)
                    .match_kind(MatchKind::LeftmostLongest)
                    .kind(Some(AhoCorasickKind::DFA))
                    .build(patterns.iter().map(|(text, _)| text))
                    .ok()
            })
            .flatten();
        Self {
            automaton,
            patterns: patterns.into_iter().map(|(_, pattern)| pattern).collect(),
            languages: languages.to_vec(),
            stems,
            known: RefCell::default(),
        }
    }

    /// Every term in a text, in order of place.
    pub(super) fn find(&self, text: &str, found: &mut impl FnMut(Hit)) {
        let Some(automaton) = &self.automaton else { return };
        let mut from = 0;
        while let Some(hit) = automaton.find(Input::new(text).range(from..)) {
            let at = hit.start();
            let first = text[at..].chars().next().map_or(1, char::len_utf8);
            match self.patterns[hit.pattern().as_usize()] {
                Pattern::Prefix => from = self.word(text, at, found).max(hit.end()),
                Pattern::Pair(term, factor) => {
                    if hit.len() > first || is_alone(text, at) {
                        found(Hit { at, end: hit.end(), term, factor });
                    }
                    from = at + first;
                }
                Pattern::Exact(term, factor) => {
                    let end = hit.end();
                    let closed =
                        text[end..].chars().next().is_none_or(|c| !word_bounds::is_word(c));
                    if word_bounds::start(text, at) == WordStart::Run && closed {
                        found(Hit { at, end, term, factor });
                    }
                    // The words in it count as well, the first of which begins here.
                    from = self.word(text, at, found).max(at + first);
                }
            }
        }
    }

    /// Looks at the word that begins here, whole and by its first part. Returns the end of what was looked at.
    fn word(&self, text: &str, at: usize, found: &mut impl FnMut(Hit)) -> usize {
        let start = word_bounds::start(text, at);
        if start == WordStart::Inside {
            return at;
        }
        let run_end = word_bounds::run_end(text, at);
        let part_end = word_bounds::part_end(text, at, run_end);
        let ends = if start == WordStart::Run { [run_end, part_end] } else { [part_end, part_end] };
        for end in ends {
            let terms = self.terms_of(&text[at..end]);
            for (term, factor) in terms.iter() {
                found(Hit { at, end, term: *term, factor: *factor });
            }
            if !terms.is_empty() || part_end == run_end {
                return end;
            }
        }
        part_end
    }

    fn terms_of(&self, word: &str) -> Occurrences {
        // Nothing that long is a word.
        if word.len() > LONGEST {
            return Occurrences::from([]);
        }
        let hash = hash_folded(word);
        if let Some(known) = self.known.borrow().get(&hash) {
            return Rc::clone(known);
        }
        let lower = composed(word).to_lowercase();
        let mut terms: Vec<(u8, f32)> = Vec::new();
        for (index, language) in self.languages.iter().enumerate() {
            let stem = language.stem(&lower).into_owned();
            for (term, factor) in self.stems.get(&(index, stem)).into_iter().flatten() {
                if terms.iter().all(|(known, _)| known != term) {
                    terms.push((*term, *factor));
                }
            }
        }
        let terms = Occurrences::from(terms);
        let mut known = self.known.borrow_mut();
        if known.len() < REMEMBERED {
            known.insert(hash, Rc::clone(&terms));
        }
        terms
    }
}

/// Where two terms share a pattern, the one that says more about the place wins.
fn rank(pattern: Pattern) -> u8 {
    match pattern {
        Pattern::Exact(..) => 0,
        Pattern::Pair(..) => 1,
        Pattern::Prefix => 2,
    }
}

/// What every word of the same stem begins with. A stem may change its last letter (`happy`, `happi`).
fn prefix<'a>(word: &'a str, stem: &str) -> &'a str {
    let common = word.chars().zip(stem.chars()).take_while(|(a, b)| a == b).count();
    let keep = if common > 3 { common - 1 } else { common.max(1) };
    word.char_indices().nth(keep).map_or(word, |(at, _)| &word[..at])
}

/// A beginning in the cases that words are written in. ASCII is the automaton's own business.
fn casings(start: &str) -> Vec<String> {
    if start.is_ascii() {
        return vec![start.to_owned()];
    }
    let mut letters = start.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    vec![start.to_owned(), first + letters.as_str(), start.to_uppercase()]
}

/// Whether a single CJK character begins a word.
fn is_alone(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|c| !is_cjk(c))
}
