//! Which words of a section say what it is about.

use std::cell::RefCell;

use chrono::{Datelike, NaiveDate};

use super::facts::{Depth, Packed, RootCache, first_month};
use crate::memory::topics::{
    Scores, Shape, Term, USER_WEIGHT, is_ambiguous, is_weak, languages_of,
};

/// How rare every stem is.
pub(super) struct Weights<'a> {
    cache: &'a RootCache,
    /// sections counted
    sections: u32,
    /// by stem: how many of them have it
    having: Vec<u32>,
    scores: Scores,
    /// by word, whether it says little in a title, where that was asked for
    weak: RefCell<Vec<Option<bool>>>,
    /// by word, [`languages_of`] it, where that was asked for
    languages: RefCell<Vec<Option<u16>>>,
    /// what the words of a section are put in order in
    room: RefCell<Room>,
}

#[derive(Default)]
struct Room {
    keywords: Vec<Keyword>,
    bigrams: Vec<(u32, u64)>,
}

/// A word that stands for a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keyword {
    pub(super) word: u32,
    pub(super) stem: u32,
    pub(super) score: u64,
    /// says little where it stands alone
    pub(super) weak: bool,
}

/// What a section has for a title, and so where its words are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Title {
    /// none: from all of it
    None,
    /// a name: from all of it, but words found nowhere else count half, the title is one they can be found by
    Short,
    /// a sentence: from that, and from what the user said
    Long,
}

/// What a weak word of a title weighs less: it is the last to be said.
const WEAK: u64 = 8;
/// A word in fewer sections may be a slip or an abbreviation nobody knows.
const RECURS: u32 = 3;
/// So many ambiguous words of one language are not there by chance.
const SPOKEN: u32 = 4;
/// As long as there are fewer older sections than this, all are counted.
const ENOUGH_SECTIONS: u32 = 100;

impl<'a> Weights<'a> {
    /// Counts the sections dated before the month of `today`, so that weights stand still within a month, and in the
    /// two years before it, so that their cost does too.
    pub(super) fn new(cache: &'a RootCache, today: NaiveDate) -> Self {
        let month = today.with_day(1).unwrap_or(today);
        let first = first_month(today);
        let days = || cache.days().rev().take_while(|(day, _)| *day >= first);
        let older: usize = days()
            .skip_while(|(day, _)| *day >= month)
            .map(|(_, facts)| facts.sections.len())
            .sum();
        let all = older < ENOUGH_SECTIONS as usize;
        let lexicon = &cache.lexicon;
        let (having, scores) = (vec![0; lexicon.len()], Scores::new(0));
        let weak = RefCell::new(vec![None; lexicon.len()]);
        let languages = RefCell::new(vec![None; lexicon.len()]);
        let room = RefCell::default();
        let mut weights = Self { cache, sections: 0, having, scores, weak, languages, room };
        for (_, facts) in days().skip_while(|(day, _)| !all && *day >= month) {
            for (_, terms, _) in facts.sections(Depth::Words) {
                weights.sections += 1;
                terms.for_each(|term| weights.having[lexicon.stem(term.word) as usize] += 1);
            }
        }
        weights.scores = Scores::new(weights.sections);
        weights
    }

    /// In how many of the counted sections a stem stands.
    pub(super) fn having(&self, stem: u32) -> u32 {
        self.having[stem as usize]
    }

    pub(super) fn sections(&self) -> u32 {
        self.sections
    }

    /// The words of a section, best first, at most `limit`.
    pub(super) fn keywords(&self, terms: Packed<'_>, title: Title, limit: usize) -> Vec<Keyword> {
        let titled = title != Title::None;
        let least = if title == Title::Long { USER_WEIGHT } else { 0 };
        let lexicon = &self.cache.lexicon;
        let Room { keywords, bigrams } = &mut *self.room.borrow_mut();
        keywords.clear();
        bigrams.clear();
        terms.for_each(|Term { word, weight }| {
            if weight < least || weight == 0 {
                return;
            }
            let stem = lexicon.stem(word);
            let having = self.having[stem as usize];
            let text = lexicon.text(word);
            if lexicon.shape(word) == Shape::Word && self.is_common(having, text) {
                return;
            }
            let mut score = self.scores.score(weight, having);
            // A function named once is nothing one would remember.
            if having < RECURS && (titled || text.contains('_')) {
                score /= 2;
            }
            let weak = titled && self.is_weak(word, stem);
            if weak {
                score /= WEAK;
            }
            match lexicon.shape(word) {
                Shape::Bigram => bigrams.push((word, score)),
                _ => keywords.push(Keyword { word, stem, score, weak }),
            }
        });
        self.leave_out_function_words(keywords);
        if !bigrams.is_empty() {
            self.weigh_segments(keywords, bigrams);
        }
        let by_score = |a: &Keyword, b: &Keyword| {
            b.score.cmp(&a.score).then_with(|| lexicon.text(a.word).cmp(lexicon.text(b.word)))
        };
        if keywords.len() > limit {
            keywords.select_nth_unstable_by(limit, by_score);
            keywords.truncate(limit);
        }
        keywords.sort_unstable_by(by_score);
        keywords.clone()
    }

    /// In a section that has several of the words which hold sentences of one language together, those say nothing that are
    /// words of English or of programs elsewhere: `die` and `mit`, beside `der` and `ist`.
    fn leave_out_function_words(&self, keywords: &mut Vec<Keyword>) {
        let mut known = self.languages.borrow_mut();
        let mut languages = |word: u32| {
            let text = || self.cache.lexicon.text(word);
            *known[word as usize].get_or_insert_with(|| languages_of(text()))
        };
        let mut counts = [0_u32; 16];
        for keyword in &*keywords {
            let mut rest = languages(keyword.word);
            while rest != 0 {
                counts[rest.trailing_zeros() as usize] += 1;
                rest &= rest - 1;
            }
        }
        let spoken = |at: &usize| counts[*at] >= SPOKEN;
        let spoken = (0..counts.len()).filter(spoken).fold(0, |found, at| found | 1_u16 << at);
        if spoken != 0 {
            keywords.retain(|keyword| languages(keyword.word) & spoken == 0);
        }
    }

    fn is_weak(&self, word: u32, stem: u32) -> bool {
        let lexicon = &self.cache.lexicon;
        let known = &mut self.weak.borrow_mut()[word as usize];
        *known.get_or_insert_with(|| is_weak(lexicon.text(word), lexicon.text(stem)))
    }

    /// Whether a word is in so many sections, or so short and rare, that it tells nothing.
    fn is_common(&self, having: u32, text: &str) -> bool {
        let everywhere = self.sections >= ENOUGH_SECTIONS && having > self.sections / 5;
        // `die` holds sentences together in the memory of somebody who writes German.
        let holds = having * 4 > self.sections && is_ambiguous(text);
        everywhere || holds || (text.len() < 3 && having < RECURS)
    }

    /// A run of CJK characters weighs as much as its bigrams do on average.
    fn weigh_segments(&self, keywords: &mut [Keyword], bigrams: &[(u32, u64)]) {
        let lexicon = &self.cache.lexicon;
        let scores: std::collections::HashMap<&str, u64> =
            bigrams.iter().map(|(word, score)| (lexicon.text(*word), *score)).collect();
        for keyword in keywords.iter_mut() {
            if lexicon.shape(keyword.word) != Shape::Segment {
                continue;
            }
            let text = lexicon.text(keyword.word);
            let (mut sum, mut count) = (0, 0);
            let starts = || text.char_indices().map(|(at, _)| at);
            for (start, end) in starts().zip(starts().skip(2).chain([text.len()])) {
                sum += scores.get(&text[start..end]).copied().unwrap_or(0);
                count += 1;
            }
            keyword.score = sum / count.max(1);
        }
    }
}
