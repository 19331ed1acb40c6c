//! Which names are topics, and how a long one is shortened.

use std::borrow::Cow;
use std::collections::HashMap;

use bumpalo::Bump;

use super::words::is_cjk;
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::talk::{Rarity, Word, terms, words};
use crate::memory::topics::is_common;
use crate::order::InOrder as _;
use crate::text::{single_spaced, without_lone_brackets};

/// The most words of a topic in a head.
const WORDS: usize = 8;
/// The most characters, where words are not set apart.
const CHARACTERS: usize = 48;

/// A topic on one line, without redaction marks, control characters, and the marks of Markdown around it.
pub(super) fn clean(topic: &str) -> Cow<'_, str> {
    if is_clean(topic) { Cow::Borrowed(topic) } else { Cow::Owned(cleaned(topic)) }
}

fn cleaned(topic: &str) -> String {
    let mut text =
        topic.replace(['`', '"'], "'").replace("**", "").replace("\\[", "[").replace("\\]", "]");
    while let Some(at) = text.find("[REDACTED") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    let text = text.replace(char::is_control, " ");
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace()
            || (c.is_ascii_punctuation() && !matches!(c, '.' | '/' | '_' | '(' | '\''))
    });
    single_spaced(text)
}

/// Whether a topic is nothing but letters and digits with single blanks and harmless marks between them, as most are.
fn is_clean(topic: &str) -> bool {
    // Three bytes from U+4000 to U+DFFF: letters of CJK text, none of them a blank or a control character.
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, 0xe4..=0xed);
    let is_harmless = |byte: u8| match byte {
        b'`' | b'"' | b'*' | b'\\' | b'[' => false,
        0x80..=0xbf | b' ' => true,
        _ => byte.is_ascii_graphic() || is_letter(byte),
    };
    let bytes = topic.as_bytes();
    let mut before = 0;
    let mut is_single = |byte: u8| {
        let is_second = byte == b' ' && before == b' ';
        before = byte;
        !is_second
    };
    bytes.first().is_some_and(|byte| is_letter(*byte))
        && bytes.iter().all(|byte| is_harmless(*byte) && is_single(*byte))
        && bytes.last() != Some(&b' ')
}

/// Whether a name has a number in it.
pub(super) fn has_counter(topic: &str) -> bool {
    topic.chars().any(char::is_numeric)
}

/// The same for names that differ only by a counter; `None` for one that has none. `kept` is room for a name.
fn without_counter(topic: &str, kept: &mut String) -> Option<u64> {
    if !has_counter(topic) {
        return None;
    }
    kept.clear();
    for c in topic.chars() {
        let c = if c.is_numeric() { '0' } else { c };
        if c != '0' || !kept.ends_with('0') {
            kept.push(c);
        }
    }
    Some(hash_folded(kept))
}

/// Of each topic, whether no other differs from it by a counter alone.
pub(super) fn told_apart<'t>(topics: impl ExactSizeIterator<Item = &'t str>) -> Vec<bool> {
    // What stands for each that has a counter, and by that its own hash, or `None` where two different ones have it.
    let mut seen: HashMap<u64, Option<u64>, Hashed> =
        HashMap::with_capacity_and_hasher(topics.len(), Hashed::default());
    let mut kept = String::with_capacity(64);
    let counted = |topic: &str| {
        let rest = without_counter(topic, &mut kept)?;
        let own = Some(hash_folded(topic));
        let known = seen.entry(rest).or_insert(own);
        *known = known.filter(|known| Some(*known) == own);
        Some(rest)
    };
    let counted: Vec<Option<u64>> = topics.map(counted).collect();
    counted.into_iter().map(|rest| rest.is_none_or(|rest| seen[&rest].is_some())).collect()
}

/// Whether a topic has more words than stand in a head.
pub(super) fn is_long(topic: &str) -> bool {
    topic.split_whitespace().nth(WORDS).is_some()
}

/// A topic of at most eight words: itself, or the eight that weigh most, in their order. A word that turns the meaning round
/// stays whatever it weighs.
pub(super) fn shortened<'t>(topic: Cow<'t, str>, rarity: &Rarity, arena: &Bump) -> Cow<'t, str> {
    if !is_long(&topic) {
        let is_text = topic.split_whitespace().nth(2).is_none() && topic.chars().any(is_cjk);
        return if is_text || topic.len() > 160 {
            Cow::Owned(topic.chars().take(CHARACTERS).collect())
        } else {
            topic
        };
    }
    let words = words(&topic);
    let weight = |word: &Word<'_>| -> u32 {
        if word.with.is_some() {
            return u32::MAX;
        }
        if word.bare.is_empty() || is_common(&word.bare) {
            return 0;
        }
        terms(word.text, arena).iter().map(|term| rarity.weight(*term)).max().unwrap_or(0)
    };
    let mut ranked: Vec<(u32, usize)> = words.iter().map(weight).zip(0..).collect();
    ranked.order_by_key(|(weight, at)| (std::cmp::Reverse(*weight), *at));
    // Without what it turns round, a negation would turn round what stands beside it.
    let cut = ranked.get(WORDS).and_then(|(_, at)| words[*at].with);
    ranked.truncate(WORDS);
    ranked.retain(|(weight, at)| *weight > 0 && (cut.is_none() || words[*at].with != cut));
    ranked.order_by_key(|(_, at)| *at);
    let kept: Vec<&str> = ranked.into_iter().map(|(_, at)| words[at].text).collect();
    let kept = without_lone_brackets(&kept.join(" "));
    Cow::Owned(kept.trim_end_matches([',', ';', ':', '.']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(topic in "([a-zA-Z0-9 .,:_/()'#\\[*-]|한|検|é|\u{a0}|\u{3000}|\u{85}){0,12}") {
            if is_clean(&topic) {
                proptest::prop_assert_eq!(cleaned(&topic), topic);
            }
        }
    }

    #[test]
    fn topics_are_one_plain_line() {
        fn check(topic: &str, expect: &str) {
            assert_eq!(clean(topic), expect, "{topic}");
        }
        check("  **Bold**  `code` ", "Bold 'code'");
        check("- token [REDACTED:aws-access-key] rotated", "token rotated");
        check("fix \\[user\\], then", "fix [user], then");
        check("[REDACTED:generic", "");
    }

    #[test]
    fn long_topics_keep_their_heaviest_words() {
        let mut rarity = Rarity::default();
        let arena = Bump::new();
        rarity.count(terms("fix", &arena));
        rarity.count(terms("fix parser", &arena));
        let long = "how we have to fix the parser of the ledger and its invoices before the next audit of taxes";
        assert_eq!(
            shortened(long.into(), &rarity, &arena),
            "fix parser ledger invoices audit taxes"
        );
        assert_eq!(shortened("fix the parser".into(), &rarity, &arena), "fix the parser");
        let rule =
            "address the second finding (of three) and don't allow sync to print and log at once";
        assert_eq!(
            shortened(rule.into(), &rarity, &arena),
            "address second finding three don't allow sync print"
        );
        let doubt = "I am not sure that the parser of the ledger buys nothing in the common case";
        assert_eq!(
            shortened(doubt.into(), &rarity, &arena),
            "not sure parser ledger buys nothing common case"
        );
        let names = "Use the harbour DB and not the UI for the parser of the ledger and invoices";
        assert_eq!(
            shortened(names.into(), &rarity, &arena),
            "harbour DB not UI parser ledger invoices"
        );
    }
}
