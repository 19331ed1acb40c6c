//! Names to search by, and when two topics are the same.

use std::cmp::Reverse;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::meaning::script::is_alphanumeric;
use crate::memory::hashed::Hashed;
use crate::text::{composed, is_single_spaced};

/// A text in lower case, its accents composed, one blank between words.
pub(crate) fn fold(text: &str) -> String {
    if is_single_spaced(text) {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for word in composed(text).split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    folded
}

/// The words of a text that carry meaning by their length: four letters, or two of a script that is written in
/// syllables; and numbers, which often are all that tells one thing from another.
pub(crate) fn content_words(text: &str) -> impl Iterator<Item = &str> {
    runs(text).filter(|word| is_content(word))
}

/// The runs of letters and digits of a text.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !(is_alphanumeric(c) || c == '_')).filter(|run| !run.is_empty())
}

fn is_content(word: &str) -> bool {
    let wide = |c: char| c >= '\u{1100}';
    let letters = if word.is_ascii() { word.len() } else { word.chars().count() };
    letters >= 4
        || letters >= 2 && word.chars().any(wide)
        || word.bytes().any(|byte| byte.is_ascii_digit())
}

/// A name of the code or of a thing outside: `--flag`, `path_utils.go`, `ProcessSession`, `PR #204`'s number.
pub(crate) fn is_identifier(token: &str) -> bool {
    let bytes = token.as_bytes();
    if token.len() < 3 || token.len() > 64 || !token.is_ascii() {
        return false;
    }
    // Most are plain words.
    if bytes.iter().all(u8::is_ascii_lowercase) {
        return false;
    }
    if let Some(number) = token.strip_prefix('#') {
        return number.bytes().all(|byte| byte.is_ascii_digit());
    }
    if let Some(flag) = token.strip_prefix("--") {
        return flag.starts_with(|c: char| c.is_ascii_lowercase());
    }
    let inside = &bytes[1..bytes.len() - 1];
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters < 3 || token.contains("://") {
        return false;
    }
    let file = inside.contains(&b'.') && !token.contains("..") && {
        let ending = token.rsplit('.').next().unwrap_or_default();
        (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let joined = inside.contains(&b'_') || token.contains("::");
    let hump =
        bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    file || joined || hump
}

/// The tokens of a text, without the marks around them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let cut = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '`' | '|' | '=' | '<' | '>'
            )
    };
    text.split(cut)
        .map(|token| token.trim_matches(|c: char| matches!(c, '.' | ':' | '*' | '\'' | '!' | '?')))
}

/// The names in a text, in order.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).filter(|token| is_identifier(token))
}

/// What makes two topics one: the first name of code in them, a flag only where it comes first, else all of their
/// letters.
pub(crate) fn key(topic: &str) -> String {
    let first = topic.trim_start_matches(['`', '*', ' ']);
    let name = identifiers(topic).find(|name| !name.starts_with("--") || first.starts_with(name));
    name.map_or_else(|| fold(topic), str::to_lowercase)
}

/// The most words that are kept of a subject.
const KEPT: usize = 12;

/// A word that texts have.
struct Found<'a> {
    word: &'a str,
    is_identifier: bool,
    times: usize,
}

/// The words of texts that are worth searching by: names first, then long words, those that come up most first.
pub(super) fn telling<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut places: HashMap<u64, usize, Hashed> = HashMap::default();
    let mut found: Vec<Found<'a>> = Vec::new();
    let is_long = |word: &str| word.len() >= 6 || !word.is_ascii();
    let is_plain = |word: &str| word.len() <= 24 && !word.bytes().any(|byte| byte.is_ascii_digit());
    for text in texts {
        let words = runs(text).filter(|word| is_long(word) || is_identifier(word));
        let words = words.filter(|word| is_plain(word) && is_content(word));
        for word in identifiers(text).chain(words) {
            let at = *places.entry(xxh3_64(word.as_bytes())).or_insert_with(|| {
                found.push(Found { word, is_identifier: is_identifier(word), times: 0 });
                found.len() - 1
            });
            found[at].times += 1;
        }
    }
    found.sort_by_key(|one| (!one.is_identifier, Reverse(one.times)));
    let mut kept: Vec<String> = Vec::new();
    for one in found {
        let same = |known: &String| known.eq_ignore_ascii_case(one.word);
        if kept.len() == KEPT {
            break;
        }
        if !kept.iter().any(same) {
            kept.push(one.word.to_owned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_text_that_is_plain_already_folds_like_any_other(text in "[ \\ta-cA-C.]{0,12}") {
            let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
            proptest::prop_assert_eq!(fold(&text), words.join(" "));
            proptest::prop_assert_eq!(crate::text::single_spaced(&text).to_lowercase(), words.join(" "));
        }
    }
}
