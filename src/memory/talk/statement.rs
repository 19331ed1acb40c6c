//! Single sentences that can be read without what stands around them, for ROOT.md.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::cues::{Cue, begins_with_any};
use super::passage::{Passage, Sayer, sentences_of};
use super::terms::Rarity;
use super::turns::Turn;
use crate::memory::hashed::Hashed;
use crate::memory::tokens::cost;
use crate::memory::topics::is_common;

/// What a statement may be long, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=170;
/// The most statements of an entry.
const MOST: usize = 6;
/// Sentences that begin so tell of something said before.
const DANGLING: [&str; 42] = [
    "it ",
    "it's",
    "it’s",
    "its ",
    "this ",
    "that ",
    "that's",
    "that’s",
    "these ",
    "those ",
    "they ",
    "so ",
    "but ",
    "and ",
    "also",
    "then ",
    "which ",
    "he ",
    "she ",
    "both ",
    "here ",
    "here's",
    "here’s",
    "there ",
    "yes",
    "no,",
    "no ",
    "right",
    "good",
    "ok",
    "done",
    "two ",
    "to ",
    "for example",
    "e.g.",
    "note:",
    "otherwise",
    "or ",
    "once ",
    "same ",
    "line ",
    "lines ",
];

/// What a person asks for rather than states.
const REQUESTS: [&str; 26] = [
    "can you",
    "could you",
    "please",
    "let's",
    "let’s",
    "i'd like",
    "i’d like",
    "i want you",
    "help me",
    "i need you",
    "i'm looking for",
    "tell me",
    "show me",
    "give me",
    "what ",
    "how ",
    "why ",
    "do you",
    "would you",
    "is there",
    "are there",
    "can i",
    "can we",
    "should we",
    "should i",
    "i was wondering",
];

/// The sentences of an entry's turns that can stand alone, in order.
pub(crate) fn statements(turns: &[Turn<'_>]) -> Vec<Passage> {
    let mut found = sentences_of(turns, stands_alone);
    found.retain(|passage| {
        let asks = passage.sayer == Sayer::Person && begins_with_any(&passage.text, &REQUESTS);
        passage.words.len() > 2 && !asks
    });
    found
}

fn stands_alone(text: &str) -> bool {
    LENGTHS.contains(&text.chars().count())
        && !text.ends_with([':', '?', '？', '…', ','])
        && !text
            .starts_with(['→', '(', '…', '[', '<', '/', '@', '"', '“', '+', '#', '-', '✅', '❌'])
        && !text.starts_with(is_pictograph)
        && !text.contains(['<', '>'])
        && text.matches('`').count().is_multiple_of(2)
        && text.matches('(').count() == text.matches(')').count()
        && !text.contains("http")
        && !text.contains("[REDACTED")
        && !begins_with_any(text, &DANGLING)
}

/// A sign that programs put before lines of their output.
fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0x2100..=0x2bff | 0x1f000..)
}

/// The best of an entry's statements, best first, each with its weight: what says much in few words of what the entry is
/// about, and what no better one says already.
pub(crate) fn best(statements: &[Passage], rarity: &Rarity) -> Vec<(usize, u32)> {
    let mut often: HashMap<u64, u64, Hashed> = HashMap::default();
    for statement in statements {
        let times = if statement.sayer == Sayer::Person { 3 } else { 1 };
        for word in &statement.words {
            *often.entry(*word).or_default() += times;
        }
    }
    let weighed: Vec<Weighed> =
        statements.iter().map(|statement| Weighed::of(statement, rarity, &often)).collect();
    let mut left: Vec<usize> = (0..statements.len()).collect();
    let mut told: HashSet<u64, Hashed> = HashSet::default();
    let mut chosen = Vec::new();
    while chosen.len() < MOST {
        let worth = |at: &usize| weighed[*at].weight(&told);
        let Some((weight, Reverse(at))) = left.iter().map(|at| (worth(at), Reverse(*at))).max()
        else {
            break;
        };
        if weight == 0 {
            break;
        }
        left.retain(|other| *other != at);
        told.extend(&statements[at].words);
        chosen.push((at, weight));
    }
    chosen
}

/// What of a statement's weight does not depend on what is told already.
struct Weighed {
    /// its words with their weights
    words: Vec<(u64, u64)>,
    /// by its cue and its place
    factor: u64,
    /// how much room it takes
    room: u64,
}

impl Weighed {
    fn of(statement: &Passage, rarity: &Rarity, often: &HashMap<u64, u64, Hashed>) -> Self {
        let weight = |word: &u64| {
            let often = often.get(word).copied().unwrap_or(1).min(25).isqrt();
            (*word, u64::from(rarity.weight(*word)) * often)
        };
        let cue = match statement.cue {
            Some(Cue::Decision | Cue::Cause) => 30,
            Some(Cue::Change) => 24,
            Some(Cue::Open) => 18,
            None => 12,
        };
        Self {
            words: statement.words.iter().map(weight).collect(),
            factor: cue * u64::from(statement.factor),
            room: u64::from(cost(&statement.text).to_tokens()) + 8,
        }
    }

    /// What the words weigh, those told already less, by cue, place and room.
    fn weight(&self, told: &HashSet<u64, Hashed>) -> u32 {
        let news = |(word, weight): &(u64, u64)| {
            if told.contains(word) { weight / 8 } else { *weight }
        };
        let news: u64 = self.words.iter().map(news).sum();
        u32::try_from(news * self.factor / self.room / 16).unwrap_or(u32::MAX)
    }
}

/// Whether a word, in lower case, turns round the meaning of what it stands beside.
pub(crate) fn negates(word: &str) -> bool {
    const NEGATIONS: &str = "no not never none nor neither without don't doesn't don’t doesn’t can't can’t cannot won't won’t \
        isn't isn’t aren't aren’t wasn't wasn’t didn't didn’t shouldn't shouldn’t mustn't mustn’t nicht kein keine keinen nie \
        niemals ohne ne pas jamais sans nunca sin não sem не нет без никогда";
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| NEGATIONS.split_whitespace().collect());
    ALL.contains(word)
}

/// A statement in the style of a telegram: without the words that a reader adds by himself. What turns a meaning round, or
/// says from where to where, stays.
pub(crate) fn telegram(text: &str) -> String {
    const KEPT: &str = "instead only unless until before after from to than but because if when must should always both \
        either into";
    static LEADS: LazyLock<HashSet<&str>> = LazyLock::new(|| KEPT.split_whitespace().collect());
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let leads = |bare: &str| negates(bare) || LEADS.contains(bare);
    let dropped = |word: &str| {
        // Most words are short and ASCII, and need no memory to be put into lower case.
        let mut short = [0; 24];
        if let Some(lower) = short.get_mut(..word.len()).filter(|_| word.is_ascii()) {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            let lower = std::str::from_utf8(lower).unwrap_or_default();
            let bare = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            return is_common(bare) && !leads(bare);
        }
        let bare = bare(word);
        is_common(&bare) && !leads(&bare)
    };
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if dropped(word) {
            // The mark at the end of a word that goes stays.
            let ending = word.trim_start_matches(|c: char| c.is_alphanumeric() || c == '\'');
            if matches!(ending, "," | ";" | ":")
                && !out.ends_with([',', ';', ':'])
                && !out.is_empty()
            {
                out.push_str(ending);
            }
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    // What leads to a word that went leads nowhere.
    while let Some((before, last)) = out.rsplit_once(' ')
        && leads(&bare(last))
    {
        out.truncate(before.len());
    }
    out.trim_end_matches([',', ';', ':', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telegrams_keep_what_turns_a_meaning_round() {
        fn check(text: &str, expect: &str) {
            assert_eq!(telegram(text), expect);
        }
        check(
            "The client must never send gzip before the server takes it",
            "client must never send gzip before server",
        );
        check(
            "We moved the tests from CI to a cron job, because they were slow",
            "moved tests from CI to cron job, because slow",
        );
        check("Check the mirror of the fix to see if it does", "Check mirror fix");
        check("토큰을 갱신하지 않기로 했다", "토큰을 갱신하지 않기로 했다");
    }

    #[test]
    fn statements_can_be_read_alone() {
        for text in [
            "It fails because of that here.",
            "Why does the parser fail?",
            "→ src/a.rs:3 has the parser",
            "✨ The harbour tool is installed and ready",
            "ok",
        ] {
            assert!(!stands_alone(text), "{text}");
        }
        assert!(stands_alone("The parser fails because the index is stale."));
        assert!(stands_alone("인증 토큰을 갱신하지 않기로 결정했다. 다음 주에 다시 본다."));
    }
}
