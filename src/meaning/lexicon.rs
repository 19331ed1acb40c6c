//! Words and phrases by language, and one pass over a text that finds them.
//!
//! The words are data: `lexicon/LANGUAGE.toml` has a list for each [`Class`], `lexicon/shape.toml` what is of no language.
//! `build.rs` makes tables of them. A new language is a new file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use xxhash_rust::xxh3::xxh3_64;

use super::script::{is_cjk, stem};
use crate::memory::hashed::Hashed;

/// The lists of one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Language {
    /// the file's name without its ending
    pub(crate) name: &'static str,
    /// the name of each list, and what is in it
    pub(crate) lists: &'static [(&'static str, &'static [&'static str])],
}

// `LANGUAGES`, by name, and `shape`, which has a list of `shape.toml` in each constant.
include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

macro_rules! classes {
    ($($(#[doc = $doc:literal])* $class:ident = $name:literal,)*) => {
        /// What a phrase does in a text.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Class { $($(#[doc = $doc])* $class,)* }

        impl Class {
            /// Every class that is looked for in texts, with its name in a file.
            const ALL: &'static [(&'static str, Self)] = &[$(($name, Self::$class),)*];
        }
    };
}

classes! {
    /// why something is so
    Cause = "cause",
    /// what was done
    Change = "change",
    /// what is left to do
    Open = "open",
    /// how an assistant begins a sentence that only says what it does next, or is polite
    Narration = "narration",
    /// yes, thanks, go on
    GoAhead = "go_ahead",
    /// how somebody greets
    Greeting = "greeting",
    /// what stands before what a prompt asks for
    Lead = "lead",
    /// how an assistant proposes
    Propose = "propose",
    /// how a person takes one of several ways
    Choose = "choose",
    /// how a person refuses
    Refuse = "refuse",
    /// what turns the meaning of a word round
    Negation = "negation",
    /// how a sentence begins that sets a rule
    Rule = "rule",
    /// how a person says that something holds from then on
    FromNow = "from_now",
}

/// Lists of words that are looked up one by one rather than searched for.
const FUNCTION: &str = "function";
const WEAK: &str = "weak";
const ROUTINE: &str = "routine";
const OVER: &str = "over";

/// The classes that a text has: anywhere, and at its beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cues {
    anywhere: u32,
    first: u32,
}

impl Cues {
    /// Whether a phrase of a class stands in the text.
    pub(crate) fn has(self, class: Class) -> bool {
        self.anywhere & 1 << class as u32 != 0
    }

    /// Whether the text begins with a phrase of a class.
    pub(crate) fn begins(self, class: Class) -> bool {
        self.first & 1 << class as u32 != 0
    }

    /// What either has. What the other one begins with, both do not.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { anywhere: self.anywhere | other.anywhere, ..self }
    }
}

/// Phrases to be found in texts.
pub(crate) struct Lexicon {
    automaton: AhoCorasick,
    entries: Vec<Entry>,
}

struct Entry {
    class: Class,
    /// whether a word may go on behind it
    is_open: bool,
    /// whether it stands in a script without blanks, so that it may stand anywhere
    is_cjk: bool,
}

impl Lexicon {
    /// Of the phrases of these languages.
    pub(crate) fn new(languages: &[Language]) -> Self {
        let lists = languages.iter().flat_map(|language| language.lists);
        let of_class = |name: &str| Class::ALL.iter().find(|known| known.0 == name);
        let mut entries = Vec::new();
        let mut phrases = Vec::new();
        for (name, list) in lists {
            let Some((_, class)) = of_class(name) else { continue };
            for phrase in *list {
                let bare = phrase.strip_suffix('*').unwrap_or(phrase);
                let is_cjk = bare.contains(is_cjk);
                entries.push(Entry { class: *class, is_open: bare.len() < phrase.len(), is_cjk });
                phrases.push(bare);
            }
        }
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::ContiguousNFA));
        let automaton = builder.build(phrases).expect("a few thousand short phrases");
        Self { automaton, entries }
    }

    /// Of all languages that are known.
    pub(crate) fn known() -> &'static Self {
        static KNOWN: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(LANGUAGES));
        &KNOWN
    }

    /// The classes that a text has, in one pass over it.
    pub(crate) fn cues(&self, text: &str) -> Cues {
        let text = plain(text);
        let begin = text.find(char::is_alphanumeric).unwrap_or(0);
        let mut found = Cues::default();
        for (class, start, _) in self.find(&text) {
            let bit = 1 << class as u32;
            found.anywhere |= bit;
            if start == begin {
                found.first |= bit;
            }
        }
        found
    }

    /// What stands behind the longest phrase of a class that a text begins with; `None` where it begins with none.
    pub(crate) fn behind<'t>(&self, class: Class, text: &'t str) -> Option<&'t str> {
        /// No phrase is longer, in characters.
        const LONGEST: usize = 40;
        let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let head = plain(&text[..end]);
        let found = self.find(&head).filter(|(of, start, _)| *of == class && *start == 0);
        let end = found.map(|(.., end)| end).max()?;
        // In characters: in lower case a text may have other bytes.
        let characters = head[..end].chars().count();
        let at = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
        Some(&text[at..])
    }

    fn find(&self, text: &str) -> impl Iterator<Item = (Class, usize, usize)> {
        self.automaton.find_overlapping_iter(text).filter_map(|found| {
            let entry = &self.entries[found.pattern().as_usize()];
            let (start, end) = (found.start(), found.end());
            let is_letter = |c: char| c.is_alphanumeric() && !is_cjk(c);
            let inside = !entry.is_cjk
                && (text[..start].ends_with(is_letter)
                    || !entry.is_open && text[end..].starts_with(is_letter));
            (!inside).then_some((entry.class, start, end))
        })
    }
}

/// A text as phrases are written: where letters beside ASCII have capitals, in lower case, and apostrophes upright.
fn plain(text: &str) -> Cow<'_, str> {
    let is_changed = |c: char| !c.is_ascii() && (c == '’' || (!is_cjk(c) && c.is_uppercase()));
    if text.is_ascii() || !text.contains(is_changed) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.to_lowercase().replace('’', "'"))
}

/// [`Lexicon::cues`] in all languages that are known.
pub(crate) fn cues(text: &str) -> Cues {
    Lexicon::known().cues(text)
}

/// Every word of a list, in all languages.
fn words_of(list: &'static str) -> impl Iterator<Item = &'static str> {
    let lists = LANGUAGES.iter().flat_map(|language| language.lists);
    lists.filter(move |(name, _)| *name == list).flat_map(|(_, words)| words.iter().copied())
}

/// The function words of a language, by the name of its file.
pub(crate) fn function_words(language: &str) -> &'static [&'static str] {
    let language = LANGUAGES.iter().find(|known| known.name == language);
    let lists = language.map_or(&[][..], |language| language.lists);
    lists.iter().find(|(name, _)| *name == FUNCTION).map_or(&[], |(_, words)| words)
}

type Words = HashSet<u64, Hashed>;

fn hashes(words: impl Iterator<Item = &'static str>) -> Words {
    words.map(|word| xxh3_64(word.as_bytes())).collect()
}

/// Whether a word in lower case only holds others together, in some language and in none says more.
pub(crate) fn is_common(word: &str) -> bool {
    is_common_hash(xxh3_64(word.as_bytes()))
}

/// [`is_common`] of a word of which only the hash is known.
pub(crate) fn is_common_hash(word: u64) -> bool {
    static ALL: LazyLock<Words> = LazyLock::new(|| {
        let mut all = hashes(words_of(FUNCTION));
        let english = hashes(function_words("en").iter().copied());
        // Some are words of English, names or parts of programs as well: `die`, `var`, `plus`.
        for word in hashes(shape::AMBIGUOUS.iter().copied()) {
            if !english.contains(&word) {
                all.remove(&word);
            }
        }
        all
    });
    ALL.contains(&word)
}

/// Whether a word in lower case, of which the stem is known, says of any work what was done to it, or is an adverb.
pub(crate) fn is_weak(word: &str, stemmed: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> =
        LazyLock::new(|| words_of(WEAK).map(|word| stem(word).into_owned()).collect());
    let is_adverb = word.len() > 5 && word.ends_with("ly") && !shape::NO_ADVERBS.contains(&word);
    is_adverb || STEMS.contains(stemmed)
}

/// Whether requests use a word in lower case whatever they are about.
pub(super) fn is_routine(word: &str) -> bool {
    static ALL: LazyLock<Words> = LazyLock::new(|| hashes(words_of(ROUTINE)));
    static AMBIGUOUS: LazyLock<Words> = LazyLock::new(|| hashes(shape::AMBIGUOUS.iter().copied()));
    let hash = xxh3_64(word.as_bytes());
    ALL.contains(&hash)
        || AMBIGUOUS.contains(&hash)
        || (word.is_ascii() && is_weak(word, &stem(word)))
}

/// Whether a word in lower case says of its subject that it is finished or taken back.
pub(super) fn is_over(word: &str) -> bool {
    static ALL: LazyLock<Words> = LazyLock::new(|| hashes(words_of(OVER)));
    ALL.contains(&xxh3_64(word.as_bytes()))
}

/// Whether somebody only says that it may go on, thanks or greets: each clause, or each word of one, is such a phrase.
pub(crate) fn is_go_ahead(text: &str) -> bool {
    static KNOWN: LazyLock<Words> =
        LazyLock::new(|| hashes(words_of("go_ahead").chain(words_of("greeting"))));
    /// Longer texts say something, in bytes.
    const LONG: usize = 64;
    if text.len() > LONG {
        return false;
    }
    let is_known = |text: &str| KNOWN.contains(&xxh3_64(text.as_bytes()));
    let is_mark = |c: char| !(c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '-'));
    text.to_lowercase().replace('’', "'").split(is_mark).all(|clause| {
        let words: Vec<&str> = clause.split_whitespace().collect();
        words.is_empty() || is_known(&words.join(" ")) || words.iter().all(|word| is_known(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_a_name_that_is_known_and_no_phrase_twice() {
        for Language { name, lists } in LANGUAGES {
            for (list, phrases) in *lists {
                let is_known = Class::ALL.iter().any(|(known, _)| known == list);
                assert!(
                    is_known || [FUNCTION, WEAK, ROUTINE, OVER].contains(list),
                    "{name}: {list}"
                );
                let mut all = phrases.to_vec();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), phrases.len(), "{name}: {list}");
            }
        }
    }

    #[test]
    fn phrases_are_words_in_any_case_and_script() {
        let of = |text: &str, class: Class| (cues(text).has(class), cues(text).begins(class));
        for (text, class, expect) in [
            ("The root cause is the lock", Class::Cause, (true, true)),
            ("The lock is the root cause", Class::Cause, (true, false)),
            ("Root cause: the lock", Class::Cause, (true, true)),
            ("Added a test", Class::Change, (true, true)),
            ("An addedness of nowhere", Class::Change, (false, false)),
            ("Исправлена ошибка входа", Class::Change, (true, true)),
            ("Поставил порт 9464", Class::Change, (false, false)),
            ("原因は索引の不整合", Class::Cause, (true, true)),
            ("I’ve added a test", Class::Change, (true, true)),
        ] {
            assert_eq!(of(text, class), expect, "{text}");
        }
        let behind = |text| Lexicon::known().behind(Class::Lead, text);
        assert_eq!(behind("Can you fix it"), Some(" fix it"));
        assert_eq!(behind("Привет, почини"), Some(", почини"));
        assert_eq!(behind("fix it"), None);
    }

    #[test]
    fn go_aheads_are_nothing_but_such_phrases() {
        for text in ["yes", "ok, thanks!", "да, давай", "好的，继续", "Perfekt! danke", "go ahead"]
        {
            assert!(is_go_ahead(text), "{text}");
        }
        for text in ["yes, but not the lock", "the lock", "ok.json"] {
            assert!(!is_go_ahead(text), "{text}");
        }
    }

    #[test]
    fn a_new_language_is_one_file() {
        let text = include_str!("../../tests/fixtures/lexicon/made-up.toml");
        let table: toml::Table = text.parse().unwrap();
        let lists: Vec<(&'static str, &'static [&'static str])> = table
            .into_iter()
            .map(|(name, list)| {
                let phrases: Vec<&'static str> = match list {
                    toml::Value::String(words) => words.leak().split_whitespace().collect(),
                    list => list
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|one| &*one.as_str().unwrap().to_owned().leak())
                        .collect(),
                };
                (&*name.leak(), &*phrases.leak())
            })
            .collect();
        let lexicon = Lexicon::new(&[Language { name: "made-up", lists: lists.leak() }]);
        let found = lexicon.cues("Za grumpf zo lock");
        assert!(found.has(Class::Cause) && !found.begins(Class::Cause));
        assert!(lexicon.cues("ploinkety zo").begins(Class::Narration));
        assert!(!lexicon.cues("grumpfy").has(Class::Cause));
    }
}
