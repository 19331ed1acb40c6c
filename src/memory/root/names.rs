//! Every topic of a memory once. Topics that differ only in case, spacing or the spelling of accents are one.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::memory::hashed::Hashed;
use crate::memory::talk::is_kind_of_change;
use crate::memory::topics::{is_place, is_short};
use crate::text::{composed, name};

/// Topics by number.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Names {
    /// all texts, one after the other
    text: String,
    entries: Vec<Name>,
    /// by the hash of the text; as in the lexicon, two of one memory with the same hash are not a thing that happens
    #[serde(skip)]
    index: HashMap<u64, u32, Hashed>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Name {
    /// where its text ends in `Names::text`
    end: u32,
    /// the number of the folded text
    folded: u32,
    short: bool,
    /// the number of what stands in front of the first `: `, folded; itself without
    scope: u32,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.entries[before].end as usize);
        &self.text[start..self.entries[at].end as usize]
    }

    /// The number all spellings of a topic share.
    pub(super) fn folded(&self, number: u32) -> u32 {
        self.entries[number as usize].folded
    }

    /// Whether the topic has at most four words, and these are words.
    pub(super) fn is_short(&self, number: u32) -> bool {
        self.entries[number as usize].short
    }

    /// `revset` of `revset: parse the dag range lazily`, as a number.
    pub(super) fn scope(&self, number: u32) -> Option<u32> {
        Some(self.entries[number as usize].scope).filter(|scope| *scope != self.folded(number))
    }

    /// The number of a topic, given out now if it is new. `None` if nothing of it can be printed.
    pub(super) fn number(&mut self, topic: &str) -> Option<u32> {
        self.prepare();
        let text = printable(without_done(topic));
        let text = &*name(&text);
        if text.is_empty() {
            return None;
        }
        if let Some(number) = self.find(text) {
            return Some(number);
        }
        let folded = fold(text);
        if folded == text {
            return Some(self.add_folded(text));
        }
        let folded = self.folded_number(&folded);
        Some(self.add(text, Some(folded)))
    }

    /// Gives numbers to all topics of another memory's. Returns them by the number that each has there.
    pub(super) fn append(&mut self, other: &Self) -> Vec<u32> {
        self.prepare();
        let numbers = 0..u32::try_from(other.entries.len()).unwrap_or(u32::MAX);
        let number = |number: u32| {
            let text = other.text(number);
            let folded = other.folded(number);
            self.find(text).unwrap_or_else(|| {
                if folded == number {
                    return self.add_folded(text);
                }
                let folded = self.folded_number(other.text(folded));
                self.add(text, Some(folded))
            })
        };
        numbers.map(number).collect()
    }

    /// Makes the index if there is none yet.
    fn prepare(&mut self) {
        if self.index.is_empty() && !self.entries.is_empty() {
            for number in 0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX) {
                self.index.insert(xxh3_64(self.text(number).as_bytes()), number);
            }
        }
    }

    fn folded_number(&mut self, text: &str) -> u32 {
        self.find(text).unwrap_or_else(|| self.add_folded(text))
    }

    fn find(&self, text: &str) -> Option<u32> {
        self.index.get(&xxh3_64(text.as_bytes())).copied()
    }

    fn add_folded(&mut self, text: &str) -> u32 {
        let number = self.add(text, None);
        if let Some(scope) = scope(text) {
            self.entries[number as usize].scope = self.folded_number(scope);
        }
        number
    }

    fn add(&mut self, text: &str, folded: Option<u32>) -> u32 {
        let number = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.text.push_str(text);
        self.entries.push(Name {
            end: u32::try_from(self.text.len()).unwrap_or(u32::MAX),
            folded: folded.unwrap_or(number),
            short: is_short(text),
            scope: folded.map_or(number, |folded| self.entries[folded as usize].scope),
        });
        self.index.insert(xxh3_64(text.as_bytes()), number);
        number
    }
}

/// A topic as it stands on an index line: one line, single spaces, no control characters.
pub(super) fn printable(topic: &str) -> Cow<'_, str> {
    if is_printable(topic) { Cow::Borrowed(topic) } else { Cow::Owned(printed(topic)) }
}

/// Whether a topic of ASCII, as most are, stands there as it is.
fn is_printable(topic: &str) -> bool {
    let bytes = topic.as_bytes();
    let blank = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b' ');
    bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
        && !blank(bytes.first())
        && !blank(bytes.last())
        && !bytes.windows(2).any(|pair| pair == b"  ")
}

fn printed(topic: &str) -> String {
    let mut text = String::with_capacity(topic.len());
    for word in topic.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// What a finished topic is said to be.
pub(super) const DONE: [&str; 12] = [
    "done",
    "completed",
    "complete",
    "finished",
    "closed",
    "abandoned",
    "cancelled",
    "canceled",
    "shipped",
    "완료",
    "完了",
    "完成",
];

/// A topic without the mark at its end that says it is finished: it is the topic it was before.
fn without_done(topic: &str) -> &str {
    let mut rest = topic.trim();
    loop {
        let word = |(open, close): (char, char)| {
            let (before, inside) = rest.strip_suffix(close)?.rsplit_once(open)?;
            DONE.contains(&inside.trim().to_lowercase().as_str()).then_some(before)
        };
        let mark = || rest.strip_suffix('✅').or_else(|| rest.strip_suffix("✅\u{fe0f}"));
        let shorter = mark().or_else(|| [('(', ')'), ('[', ']')].into_iter().find_map(word));
        match shorter.map(str::trim_end).filter(|shorter| !shorter.is_empty()) {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}

/// What makes two spellings the same topic.
pub(super) fn fold(topic: &str) -> String {
    composed(&printable(topic)).to_lowercase()
}

/// What stands in front of the first `: ` and of brackets, if that is a name of at most three words, and no list; of a path the
/// last folder, and nothing of a file's.
fn scope(text: &str) -> Option<&str> {
    let (scope, _) = text.split_once(": ")?;
    let scope = scope.split('(').next().unwrap_or(scope).trim();
    let scope = scope.rsplit('/').next().unwrap_or(scope);
    let named = !is_place(scope)
        && scope.len() <= 32
        && !scope.contains([',', '、'])
        && scope.chars().next().is_some_and(char::is_alphabetic);
    let subject = !(is_kind_of_change(scope) || PREFIXES.contains(&scope));
    (named && subject && (1..=3).contains(&scope.split(' ').count())).then_some(scope)
}

/// What else subjects of commits begin with that does not say of what they are.
const PREFIXES: [&str; 5] = ["cli", "release", "revert", "typo", "wip"];

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_printable_stays_as_it_is(topic in "([a-z.,: ]|  |\t|é|\u{a0}|\u{7f}){0,8}") {
            if is_printable(&topic) {
                proptest::prop_assert_eq!(printed(&topic), topic);
            }
        }
    }

    #[test]
    fn spellings_of_one_topic_fold_together() {
        let mut names = Names::default();
        let mut fold = |topic: &str| {
            let number = names.number(topic).unwrap();
            (names.text(number).to_owned(), names.folded(number))
        };
        let (text, auth) = fold("Auth   Refactor");
        assert_eq!(text, "Auth Refactor");
        assert_eq!(fold("auth refactor").1, auth);
        assert_eq!(fold("AUTH\u{3000}REFACTOR").1, auth);
        assert_ne!(fold("auth-refactor").1, auth);
        assert_eq!(fold("cafe\u{301} (done)").1, fold("Café").1);
        let long = "a".repeat(60_000);
        assert_eq!(fold(&long).0, format!("{}…", "a".repeat(199)));
        assert_eq!(names.number(" \u{7} "), None);
    }

    #[test]
    fn a_mark_that_it_is_done_is_no_part_of_a_topic() {
        for (topic, expect) in [
            ("Pool limits (done)", "Pool limits"),
            ("Pool limits [Shipped]", "Pool limits"),
            ("Pool limits ✅", "Pool limits"),
            ("Pool limits (done) ✅", "Pool limits"),
            ("연결 풀 (완료)", "연결 풀"),
            ("(done)", "(done)"),
            ("Pool limits (not done)", "Pool limits (not done)"),
            ("Well done", "Well done"),
        ] {
            let mut names = Names::default();
            let number = names.number(topic).unwrap();
            assert_eq!(names.text(number), expect, "{topic}");
        }
    }

    #[test]
    fn a_scope_is_a_name_in_front_of_a_colon() {
        fn check(topic: &str, expect: Option<&str>) {
            let mut names = Names::default();
            let number = names.number(topic).unwrap();
            assert_eq!(names.scope(number).map(|scope| names.text(scope)), expect, "{topic}");
        }
        check("revset: parse the dag range lazily", Some("revset"));
        check("Templater(syntax): fix code blocks", Some("templater"));
        check("docs(templating): fix code blocks", None);
        check("cli: drop helpers", None);
        check("merge tools: run them in order", Some("merge tools"));
        check("what we said about this: nothing", None);
        check("12: a number", None);
        check("gauge, winch: what we said about this", None);
        check("Things the Replay brought up", None);
        check("std::fs::read", None);
        check("web/forms: refresh the website", Some("forms"));
        check("releasing.md: say how", None);
    }
}
