//! How much a single sentence tells somebody who reads it months later.
//!
//! Readers marked the sentences worth remembering of 148 conversations with assistants, most of them with coding agents. The
//! points are those of a logistic regression on their marks, rounded; those of a place in a reply, a number, a colon and the
//! end of a conversation are what lets most answers to questions on four projects stand among the best sentences. What no
//! list of words is needed for holds in every language; so do the cues and negations, whose lists have several.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cues::Cue;
use super::negation::negations;
use super::passage::{DOCUMENT, PAGE, Passage, Role, Sayer};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::topics::is_cjk;

/// So many points double what a sentence is worth.
const DOUBLE: i32 = 16;
/// The points of a sentence that is worth 256/256.
const PLAIN: i32 = 72;
/// How many points fewer and more than these count.
const REACH: (i32, i32) = (48, 64);
/// A sentence of so many characters has room for what it is about and what is said of it.
const LONG: usize = 110;
/// What stands in the last quarter of a conversation is what it came to, if it is one of so many sentences.
const LATE: (usize, usize) = (3, 4);
const MANY: usize = 40;
/// What a last reply says first and second is what it found or did.
const FIRST: [i32; 2] = [19, 10];

/// What an assistant says before its last reply is what it thought then: `the registry is empty, so all of it is new`. Readers
/// take it for what came of it.
const ON_THE_WAY: i32 = -16;

/// A subject of a commit says in few words what many long sentences do, and has no stop at its end.
const COMMITTED: i32 = 60;

/// Words of a sentence about the moment: the reader it speaks to, and runs of tests and builds.
const OF_THE_MOMENT: &[&str] = &["you", "your", "test", "tests", "lint", "build"];
/// Words of a sentence that says what might be, not what is.
const GUESSES: &[&str] = &["would", "could", "might", "may", "can"];
/// Verbs that say how something behaves or where it is.
const BEHAVES: &[&str] = &[
    "uses", "returns", "lives", "stores", "writes", "reads", "means", "requires", "needs", "runs",
    "calls", "works", "takes", "fails", "failed", "hits", "has", "gets", "defaults", "falls",
    "skips", "blocks",
];

/// What makes a sentence worth more than its words do, in 1/256.
///
/// `at` is its place among the `all` sentences of its entry that can stand alone.
pub(super) fn telling(sentence: &Passage<'_>, at: usize, all: usize) -> u32 {
    let late = all >= MANY && (at + 1) * LATE.1 > all * LATE.0;
    let points = points(sentence) + if late { 11 } else { 0 };
    let octaves = f64::from((points - PLAIN).clamp(-REACH.0, REACH.1)) / f64::from(DOUBLE);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 32 to 4096")]
    let worth = (octaves.exp2() * 256.0).round() as u32;
    worth
}

/// How many characters a text has of scripts of which one says about what two letters do.
pub(super) fn wide(text: &str) -> usize {
    if text.is_ascii() { 0 } else { text.chars().filter(|c| is_cjk(*c)).count() }
}

fn points(sentence: &Passage<'_>) -> i32 {
    let text = sentence.text;
    let person = sentence.sayer == Sayer::Person;
    let mut points = 0;
    let mut add = |holds: bool, worth: i32| points += if holds { worth } else { 0 };
    add(person, 23);
    add(sentence.role == Role::Asked, 32);
    add(sentence.role == Role::OnTheWay, ON_THE_WAY);
    add(sentence.role == Role::Committed, COMMITTED);
    add(sentence.cue == Some(Cue::Decision), if person { 17 } else { 9 });
    add(sentence.cue == Some(Cue::Change), 13);
    add(sentence.of > PAGE && sentence.of <= DOCUMENT, -22);
    add(sentence.of > DOCUMENT, -39);
    add(text.chars().count() + wide(text) >= LONG, 35);
    add(text.ends_with(['.', '。']), 22);
    add(text.bytes().any(|byte| byte.is_ascii_digit()), 18);
    add(explains(text), 16);
    add(names_code(text), 25);
    if sentence.role == Role::Concluded {
        points += FIRST.get(sentence.place).copied().unwrap_or(0);
    }
    points + words(text).iter().sum::<i32>()
}

/// Whether a text says what something is or does behind its name: `the default: 35 t`.
fn explains(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_behind =
        |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || "`\"')".contains(c));
    let mut colons = memchr::memchr_iter(b':', bytes);
    colons.any(|at| bytes.get(at + 1) == Some(&b' ') && is_behind(at))
        || (!text.is_ascii() && text.contains('：'))
}

/// How long listed words are, in bytes. Most others are told apart by that and by their first letter.
const LISTED: std::ops::RangeInclusive<usize> = 2..=14;
/// Kinds of words, each with what having one of it makes a sentence worth.
const KINDS: [i32; 4] = [24, -24, -12, 13];

/// The listed words by their hashes, with their kinds.
struct Listed {
    kinds: HashMap<u64, usize, Hashed>,
    /// by the length of words in bytes: a bit for the last five of the first byte of each
    begins: [u32; *LISTED.end() + 1],
}

impl Listed {
    fn new() -> Self {
        let lists = [OF_THE_MOMENT, GUESSES, BEHAVES].into_iter().zip(1..);
        let listed = lists.flat_map(|(list, kind)| list.iter().map(move |word| (*word, kind)));
        let mut begins = [0; *LISTED.end() + 1];
        let mut kinds = HashMap::default();
        for (word, kind) in negations().map(|word| (word, 0)).chain(listed) {
            for word in [word.to_owned(), word.replace('\'', "’")] {
                if let Some(begins) = begins.get_mut(word.len()) {
                    *begins |= Self::bit(word.as_bytes()[0]);
                    kinds.insert(hash_folded(&word), kind);
                }
            }
        }
        Self { kinds, begins }
    }

    /// The same for both cases of a letter.
    fn bit(byte: u8) -> u32 {
        1 << (byte & 31)
    }

    fn kind(&self, word: &str) -> Option<usize> {
        let begins = self.begins.get(word.len()).copied().unwrap_or(0);
        let first = word.bytes().next().map_or(0, Self::bit);
        // In another spelling a word may have another length.
        if begins & first == 0 && word.is_ascii() {
            return None;
        }
        self.kinds.get(&hash_folded(word)).copied()
    }
}

/// What the words of a sentence make it worth, by kind.
fn words(text: &str) -> [i32; 4] {
    static ALL: LazyLock<Listed> = LazyLock::new(Listed::new);
    let mut worth = [0; 4];
    let mut note = |word: &str| {
        if LISTED.contains(&word.len())
            && let Some(kind) = ALL.kind(word)
        {
            worth[kind] = KINDS[kind];
        }
    };
    if text.is_ascii() {
        let inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'\'';
        let mut rest = text;
        while let Some(end) = rest.bytes().position(|byte| !inside(byte)) {
            note(&rest[..end]);
            rest = &rest[end + 1..];
        }
        note(rest);
    } else {
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).for_each(note);
    }
    worth
}

/// Whether a text names something of a program: `camelCase`, `snake_case`, `a/path`, `--flag`, `call(`.
fn names_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let code = |at: usize| {
        let before = at.checked_sub(1).map(|before| &bytes[before]);
        let behind = bytes.get(at + 1);
        match bytes[at] {
            b'A'..=b'Z' => before.is_some_and(u8::is_ascii_lowercase),
            b'_' | b'/' => before.is_some_and(word) && behind.is_some_and(word),
            b'-' => before == Some(&b'-') && behind.is_some_and(word),
            b'(' => before.is_some_and(word) && behind.is_some(),
            _ => false,
        }
    };
    (0..bytes.len()).any(code)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::passage::Cutter;
    use super::*;
    use crate::memory::entry::EntryLine;
    use crate::memory::talk::add_statements;
    use crate::memory::talk::turns::{Turn, Voice};

    fn said(voice: Voice<'static>, text: &'static str) -> u32 {
        let turn = Turn { voice, lines: vec![EntryLine { text, code: false }].into() };
        let arena = Bump::new();
        let mut found = Vec::new();
        add_statements(&mut found, &[turn], &mut Cutter::new(&arena));
        assert_eq!(found.len(), 1, "{text}");
        telling(&found[0], 0, 9)
    }

    #[test]
    fn what_is_settled_tells_more_than_what_is_going_on() {
        fn check(more: &'static str, less: &'static str) {
            let (more, less) = (said(Voice::Assistant, more), said(Voice::Assistant, less));
            assert!(more > less, "{more} {less}");
        }
        check("The client never sends gzip first.", "The client could send gzip first.");
        check(
            "The tide buffer wraps after 4096 samples.",
            "The tide tests pass, see your terminal.",
        );
        check(
            "The `buildDAGs` was quadratic in the records.",
            "The walk was quadratic in the records.",
        );
        check("인증 토큰을 갱신하지 않기로 결정했다.", "인증 토큰을 다음 주에 다시 본다.");
        check("The walk reads 400 records at once.", "The walk reads many records at once.");
        check("The reason is plain: nobody shut it.", "The reason is plain, nobody shut it.");
    }

    #[test]
    fn what_a_reply_says_first_tells_what_it_found() {
        let text = "The registry stands at the north quay. The registry stands at the south quay. The registry stands at the old quay.";
        let turn =
            Turn { voice: Voice::Assistant, lines: vec![EntryLine { text, code: false }].into() };
        let arena = Bump::new();
        let mut found = Vec::new();
        add_statements(&mut found, &[turn], &mut Cutter::new(&arena));
        let worth: Vec<u32> = found.iter().map(|sentence| telling(sentence, 0, 9)).collect();
        assert!(worth[0] > worth[1] && worth[1] > worth[2], "{worth:?}");
    }

    #[test]
    fn a_colon_behind_a_name_explains_it() {
        for text in ["the default: 35 t", "`crane.rs`: the winch", "原因：没有锁"] {
            assert!(explains(text), "{text}");
        }
        for text in
            ["at 12:30 it stops", "see https://example.com", "the crane :: lifts", "the default:"]
        {
            assert!(!explains(text), "{text}");
        }
    }

    #[test]
    fn a_person_who_decides_tells_most() {
        let text = "The lore database should never share a file with the index.";
        assert!(said(Voice::User, text) > said(Voice::Assistant, text));
    }

    #[test]
    fn what_it_came_to_tells_more_than_what_was_thought_on_the_way() {
        let text = "The registry has no forged skill of this name.";
        let turn = |text| Turn {
            voice: Voice::Assistant,
            lines: vec![EntryLine { text, code: false }].into(),
        };
        let arena = Bump::new();
        let mut found = Vec::new();
        add_statements(&mut found, &[turn(text), turn(text)], &mut Cutter::new(&arena));
        let [before, last] = &found[..] else { panic!("{found:?}") };
        assert!(telling(last, 0, 9) > telling(before, 0, 9));
    }

    #[test]
    fn every_listed_word_is_as_long_as_one_may_be() {
        let lists = [OF_THE_MOMENT, GUESSES, BEHAVES].concat();
        for word in lists.into_iter().chain(negations()) {
            assert!(LISTED.contains(&word.len()), "{word}");
        }
    }

    #[test]
    fn code_is_told_by_how_it_is_written() {
        for text in ["see buildDAGs", "a max_age", "in docs/x", "with --all", "call(x)"] {
            assert!(names_code(text), "{text}");
        }
        for text in ["plain words", "A sentence, with a (remark) - and a dash", "и / или", "3 - 4"]
        {
            assert!(!names_code(text), "{text}");
        }
    }
}
