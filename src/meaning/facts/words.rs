//! Names to search by, and when two topics are the same.

use std::collections::BTreeMap;

use crate::text::composed;

/// A text in lower case, its accents composed, one blank between words.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in composed(text).split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    folded
}

/// The words of a text that carry meaning by their length: four letters, or two of a script that is written in syllables;
/// and numbers, which often are all that tells one thing from another.
pub(crate) fn content_words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(|word| {
        let wide = |c: char| c >= '\u{1100}';
        let letters = word.chars().count();
        letters >= 4
            || letters >= 2 && word.chars().any(wide)
            || word.bytes().any(|byte| byte.is_ascii_digit())
    })
}

/// A name of the code or of a thing outside: `--flag`, `path_utils.go`, `ProcessSession`, `PR #204`'s number.
pub(crate) fn is_identifier(token: &str) -> bool {
    let bytes = token.as_bytes();
    if token.len() < 3 || token.len() > 64 || !token.is_ascii() {
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

/// What makes two topics one: the first name of code in them, a flag only where it comes first, else all of their letters.
pub(crate) fn key(topic: &str) -> String {
    let first = topic.trim_start_matches(['`', '*', ' ']);
    let name = identifiers(topic).find(|name| !name.starts_with("--") || first.starts_with(name));
    name.map_or_else(|| fold(topic), str::to_lowercase)
}

/// The most words that are kept of a subject.
const KEPT: usize = 12;

/// The words of texts that are worth searching by: names first, then long words, those that come up most first.
pub(super) fn telling<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut order = 0;
    for text in texts {
        let names = identifiers(text);
        let words = content_words(text)
            .filter(|word| word.len() <= 24 && !word.bytes().any(|byte| byte.is_ascii_digit()));
        for word in names.chain(words) {
            order += 1;
            found.entry(word).or_insert((0, order)).0 += 1;
        }
    }
    let mut ranked: Vec<(&str, (usize, usize))> = found.into_iter().collect();
    let long = |word: &str| word.chars().count() >= 6 || !word.is_ascii();
    ranked.retain(|(word, _)| is_identifier(word) || long(word));
    ranked.sort_by_key(|(word, (count, first))| {
        (!is_identifier(word), std::cmp::Reverse(*count), *first)
    });
    let mut kept: Vec<String> = Vec::new();
    for (word, _) in ranked {
        let same = |known: &String| known.eq_ignore_ascii_case(word);
        if kept.len() < KEPT && !kept.iter().any(same) {
            kept.push(word.to_owned());
        }
    }
    kept
}
