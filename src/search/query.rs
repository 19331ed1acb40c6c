//! A question, read: words, "quoted phrases", `-words`, dates.

use std::ops::{Range, RangeInclusive};

use chrono::NaiveDate;

use super::dates;
use super::language::{self, StemmedLanguage};
use super::matcher::Matcher;
use super::terms::{Term, Terms};
use crate::text::start;

/// Longer questions are read up to here, in bytes.
const LONGEST: usize = 16 * 1024;
/// The weight of a date that the question spells out, as words to be found.
const DATE_WORD: f32 = 0.3;

pub(crate) struct Query {
    pub(super) terms: Vec<Term>,
    /// terms that a place has to have, and those it must not have
    pub(super) required: Vec<u8>,
    pub(super) excluded: Vec<u8>,
    /// the days it is about
    pub(super) when: Vec<RangeInclusive<NaiveDate>>,
    pub(super) matcher: Matcher,
    /// whether a part of the question was left out because it is too long
    pub(super) cut: bool,
    /// whether the answer is likely to have a number
    pub(super) counts: bool,
    /// whether nothing but days is asked for
    only_time: bool,
}

impl Query {
    /// Reads a question. `samples` are texts of the memory, which show its languages.
    pub(crate) fn parse(text: &str, samples: &[&str], today: NaiveDate) -> Self {
        let begun = start(text, LONGEST);
        let mut cut = begun.len() < text.len();
        let text: String = begun.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let languages = language::of(&[&[text.as_str()], samples].concat());
        let counts = asks_for_number(&text);
        let (plain, phrases, without) = split(&text);
        let mut terms = Terms::default();
        let mut required = Vec::new();
        for phrase in &phrases {
            let found = if phrase.contains(char::is_whitespace)
                || phrase.contains(|c: char| !c.is_alphanumeric())
            {
                terms.phrase(phrase)
            } else {
                terms.quoted_word(phrase)
            };
            required.extend(found.and_then(|at| u8::try_from(at).ok()));
        }
        let excluded: Vec<u8> = without
            .iter()
            .filter_map(|word| terms.unwanted(word).and_then(|at| u8::try_from(at).ok()))
            .collect();
        let when = words(&plain, &mut terms, &languages, today);
        for phrase in &phrases {
            words(phrase, &mut terms, &languages, today);
        }
        cut |= terms.cut;
        let matcher = Matcher::new(&terms.list, &languages);
        let only_time = !when.is_empty() && phrases.is_empty() && {
            let mut rest = Terms::default();
            words(&without_dates(&plain, today), &mut rest, &languages, today);
            rest.list.is_empty()
        };
        Self { terms: terms.list, required, excluded, when, matcher, cut, counts, only_time }
    }

    /// Whether there is nothing to look for but days.
    pub(crate) fn has_no_words(&self) -> bool {
        self.terms.len() == self.excluded.len()
    }

    /// Whether the question names days.
    pub(crate) fn names_days(&self) -> bool {
        !self.when.is_empty()
    }

    /// Whether it is only a time, so that whatever was said then answers it.
    pub(crate) fn is_time(&self) -> bool {
        self.only_time
    }

    /// The same question, a time looked for like words: a text may name a day.
    pub(crate) fn into_words(self) -> Self {
        Self { only_time: false, ..self }
    }

    /// The days it names.
    pub(crate) fn days(&self) -> impl Iterator<Item = &RangeInclusive<NaiveDate>> {
        self.when.iter()
    }

    /// Whether it names this day.
    pub(crate) fn names(&self, day: NaiveDate) -> bool {
        self.when.iter().any(|days| days.contains(&day))
    }

    /// Whether a part of the question was left out because it is too long.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Where in a text the words stand, for showing them; none overlaps another.
    pub(crate) fn places_in(&self, text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        self.matcher.find(text, &mut |hit| match places.last_mut() {
            Some(last) if hit.at <= last.end => last.end = last.end.max(hit.end),
            _ => places.push(hit.at..hit.end),
        });
        places
    }

    /// Reads a prompt: quotes and minus signs in it are only what they look like.
    pub(crate) fn of_prompt(text: &str, samples: &[&str], today: NaiveDate) -> Self {
        let plain = text.replace(['"', '“', '”', '„', '«', '»'], " ");
        let plain: Vec<&str> =
            plain.split_whitespace().map(|word| word.trim_start_matches('-')).collect();
        Self::parse(&plain.join(" "), samples, today).into_words()
    }

    /// Which of its terms stand in a text, a bit each.
    pub(crate) fn terms_in(&self, text: &str) -> u128 {
        let mut terms = 0;
        self.matcher.find(text, &mut |hit| terms |= 1 << hit.term);
        terms
    }

    /// Its terms in order, as it has them, each with its weight before its rarity. Words that may stand for a term, which are
    /// one together, come behind it and have no name.
    pub(crate) fn weighted(&self) -> impl Iterator<Item = (&str, f32)> {
        self.terms.iter().map(|term| (&*term.shown, term.weight))
    }

    /// Which of its terms name something, as [`Query::terms_in`] has them: names and identifiers, not numbers.
    pub(crate) fn bits_of_names(&self) -> u128 {
        self.bits(|term| term.name && !term.shown.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Which of its terms it has itself, as [`Query::terms_in`] has them.
    pub(crate) fn bits_of_words(&self) -> u128 {
        self.bits(|term| !term.is_synonym)
    }

    fn bits(&self, is_one: impl Fn(&Term) -> bool) -> u128 {
        let terms = self.terms.iter().enumerate().filter(|(_, term)| is_one(term));
        terms.fold(0, |all, (at, _)| all | 1 << at)
    }

    /// The words that are looked for, as the question has them.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let out = |at: usize| self.excluded.iter().all(|without| usize::from(*without) != at);
        let own = self.terms.iter().enumerate().filter(|(_, term)| !term.is_synonym);
        own.filter(move |(at, _)| out(*at)).map(|(_, term)| &*term.shown)
    }
}

/// Words that ask for an amount or a time: the first list anywhere in a question, the second only at its beginning,
/// because elsewhere they mean something else.
const COUNTING: &str = "how many|how much|how long|how often|how old|what time|which year|wie viel|wie lange|\
    combien|cuánt|quant|сколько|몇|얼마|언제|多少|何時";
const ASKING_WHEN: [&str; 7] = ["when", "wann", "quand", "cuándo", "quando", "когда", "いつ"];

/// Whether a question asks for an amount or a time.
fn asks_for_number(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    ASKING_WHEN.iter().any(|asks| text.starts_with(asks))
        || COUNTING
            .split('|')
            .any(|asks| text.match_indices(asks).any(|(at, _)| !asks.is_ascii() || begins(at)))
}

/// The text without phrases and `-words`; the phrases; the words.
fn split(text: &str) -> (String, Vec<String>, Vec<String>) {
    let (mut plain, mut phrases, mut without) = (String::new(), Vec::new(), Vec::new());
    let text = text.replace(['“', '”', '„', '«', '»'], "\"");
    let parts: Vec<&str> = text.split('"').collect();
    for (index, part) in parts.iter().enumerate() {
        // A quote that is never closed is an ordinary character.
        if index % 2 == 1 && index + 1 < parts.len() {
            let phrase = part.trim();
            if phrase.chars().any(char::is_alphanumeric) {
                phrases.push(phrase.to_owned());
            }
            plain.push(' ');
            continue;
        }
        for word in part.split_inclusive(char::is_whitespace) {
            let negated = word
                .trim()
                .strip_prefix('-')
                .filter(|rest| rest.starts_with(char::is_alphanumeric));
            match negated {
                Some(rest) => without.push(rest.to_owned()),
                None => plain.push_str(word),
            }
        }
    }
    (plain, phrases, without)
}

/// A text with blanks where it names days.
fn without_dates(text: &str, today: NaiveDate) -> String {
    let mut text = text.to_lowercase();
    for when in dates::find(&text.clone(), today) {
        text.replace_range(when.place.clone(), &" ".repeat(when.place.len()));
    }
    text
}

/// Takes the words of a text in. Returns the days it names.
fn words(
    text: &str,
    terms: &mut Terms,
    languages: &[StemmedLanguage],
    today: NaiveDate,
) -> Vec<RangeInclusive<NaiveDate>> {
    let lower = text.to_lowercase();
    // Some letters change their length with their case; then places in one text do not fit the other.
    let dates = dates::find(&lower, today);
    let comparable = lower.len() == text.len();
    let text = if comparable { text } else { &lower };
    let german = languages.iter().any(|language| language.capitalises_nouns());
    let mut begins = true;
    let mut at = 0;
    for token in text.split_whitespace() {
        let from = at + text[at..].find(token).unwrap_or(0);
        at = from + token.len();
        let named = dates.iter().find(|when| when.place.start < at && from < when.place.end);
        match named {
            Some(when) if when.relative => {}
            Some(_) => {
                for run in super::word_bounds::runs(token) {
                    terms.word(&token[run], DATE_WORD, false, languages);
                }
            }
            None => terms.add(token, begins || german, languages),
        }
        begins = token.ends_with(['.', '?', '!', ':']);
    }
    dates.into_iter().map(|when| when.days).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_questions_ask_for_a_number() {
        #[track_caller]
        fn check(question: &str, expect: bool) {
            assert_eq!(asks_for_number(question), expect, "{question}");
        }
        check("How many queues are there?", true);
        check("when did we move the gauge", true);
        check("why is it slow when the page turns", false);
        check("show many queues", false);
        check("부두가 몇 개인가", true);
        check("сколько причалов", true);
        check("有多少泊位", true);
        check("which queue is free", false);
    }
}
