//! Words that announce a secret: `password`, `apiKey`, `CLIENT_SECRET`, 비밀번호, 密码.
//!
//! The keyword matcher reports every place where such a word stands. Most are prose, so this module looks at
//! the identifier around the word first and drops `tokenizer`, `passenger`, `public_key`, `secretary`.

use std::ops::Range;

use super::lists::{
    CONTINUED, HARMLESS_KEYS, HARMLESS_TAILS, HARMLESS_TOKENS, JOINED, KEY_WORDS, PLAIN_TAILS,
    SECRET_KEYS,
};
use super::shapes::identifier;
use super::surroundings::{ends_with_one_of, escaped, is_one_of, is_word};

/// How much the word promises, and so how much the value must prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretKind {
    /// chosen by a person: short values count
    Password,
    /// made by a program
    Secret,
    /// `key` and the like: many harmless things are called so
    Key,
}

/// A key word and the identifier it is in.
#[derive(Debug, Clone)]
pub(super) struct KeyWord {
    /// what it promises
    pub(super) kind: SecretKind,
    /// the identifier
    pub(super) span: Range<usize>,
    /// where the word itself ends and the rest of the identifier starts
    pub(super) tail: usize,
    /// capitals, a longer identifier or an option (`--token`): no prose
    pub(super) formal: bool,
    /// an option of a command: `--password`
    pub(super) option: bool,
    /// `pass`, `pw`, `pwd`, which are more than words for password
    pub(super) short: bool,
}

/// Longest identifier that is followed, in bytes to either side.
const REACH: usize = 48;

/// Words before a name that define it: what follows is its value.
const DEFINING: [&[u8]; 7] =
    [b"define ", b"set ", b"SET ", b"export ", b"ENV ", b"setenv ", b"ARG "];

/// Looks at the identifier around a hit of one of [`ENGLISH`](super::lists::ENGLISH).
pub(super) fn english(text: &[u8], hit: &Range<usize>) -> Option<KeyWord> {
    let from = hit.start.saturating_sub(REACH);
    let left = letters_back(&text[from..hit.start]);
    // The letter of an escape does not belong to the name: `\npw`.
    let left = left - usize::from(left > 0 && escaped(text, hit.start - left));
    let rest = &text[hit.end..text.len().min(hit.end + REACH)];
    let run = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let head = camel_head(&text[hit.start..hit.end], &rest[..run]);
    let mut word = [0u8; 12];
    let word = lowered(&text[hit.clone()], &mut word)?;
    let mut more = [0u8; 12];
    let more = lowered(&rest[..head], &mut more)?;
    let starts_part = left == 0 || {
        let before = text[hit.start - 1];
        before.is_ascii_lowercase() && text[hit.start].is_ascii_uppercase()
    };
    let joined = || starts_part || joinable(&text[hit.start - left..hit.start]);
    let loud = || text[hit.start].is_ascii_uppercase() && text[hit.end - 1].is_ascii_uppercase();
    let kind = match (word, more) {
        ("pass" | "pw" | "pwd", "") if joined() => SecretKind::Password,
        ("auth" | "cred" | "pat" | "crumb", "") | ("cred", "s") if starts_part => SecretKind::Key,
        ("access" | "private", "" | "token" | "key") if loud() => SecretKind::Key,
        _ => promise(word, more)?,
    };
    let tail = hit.end + head;
    let end = identifier_end(text, tail)?;
    let start = identifier_start(text, hit.start);
    // `AWS::KMS::Key` and `auth::Token` are types.
    if text[..start].ends_with(b"::") {
        return None;
    }
    let short = kind == SecretKind::Key || more.is_empty() && kind == SecretKind::Password;
    if harmless_tail(&text[tail..end]) || short && !plain_tail(&text[tail..end]) {
        return None;
    }
    let before = &text[start..hit.start];
    let kind = match kind {
        SecretKind::Key if start == hit.start => {
            let apart = key_kind(word_before(text, start))?;
            // In prose only what makes a key a secret counts: `is the key: ...`.
            if word == "key" { apart } else { kind }
        }
        SecretKind::Key if text[start..tail].eq_ignore_ascii_case(b"user.signingkey") => {
            return None;
        }
        SecretKind::Key => key_kind(before)?,
        SecretKind::Secret if word == "token" && paging(before) => return None,
        kind => kind,
    };
    let capitals = text[hit.clone()].iter().all(u8::is_ascii_uppercase);
    let dashed = start >= 1 && text[start - 1] == b'-';
    let option = dashed || ends_with_one_of(&text[..start], &DEFINING);
    Some(KeyWord {
        kind,
        span: start..end,
        tail,
        option: dashed,
        formal: capitals || option || start < hit.start || end > tail,
        short: more.is_empty() && kind == SecretKind::Password && !option,
    })
}

/// What a word and the letters after it promise wherever they stand.
fn promise(word: &str, more: &str) -> Option<SecretKind> {
    Some(match (word, more) {
        ("pswd" | "pswrd" | "psword", "")
        | ("pasw", "d" | "ord")
        | ("pass", "word" | "wd" | "phrase" | "code" | "w" | "wort" | "worsd" | "words") => {
            SecretKind::Password
        }
        ("secret" | "token", more) if CONTINUED.contains(&more) => SecretKind::Secret,
        ("auth", "token" | "key" | "secret") | ("cred", "ential" | "entials") => SecretKind::Secret,
        ("key", "") => SecretKind::Key,
        _ => return None,
    })
}

/// The word before a name, one space away: `API` in `API key`.
fn word_before(text: &[u8], at: usize) -> &[u8] {
    let Some(before) = text[..at].strip_suffix(b" ") else { return &[] };
    let letters = before.iter().rev().take(16).take_while(|b| b.is_ascii_alphanumeric()).count();
    &before[before.len() - letters..]
}

/// `nextPageToken`, `cursor_token`, `PublicKeyToken`
fn paging(before: &[u8]) -> bool {
    parts(before).last().is_some_and(|part| is_one_of(part, HARMLESS_TOKENS))
}

/// How many letters end the text.
fn letters_back(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count()
}

/// How many letters after a word still belong to it: up to the next capital of a camel-case name.
fn camel_head(word: &[u8], rest: &[u8]) -> usize {
    let capitals = word.iter().all(u8::is_ascii_uppercase);
    if capitals {
        // `SECRETtoken` and `SECRET_KEY` end where the case changes; `PASSWORD` goes on.
        return rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    }
    rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}

fn lowered<'a>(letters: &[u8], into: &'a mut [u8; 12]) -> Option<&'a str> {
    let into = into.get_mut(..letters.len())?;
    // Not copied first: static builds copy a few bytes slowly.
    for (lower, letter) in into.iter_mut().zip(letters) {
        *lower = letter.to_ascii_lowercase();
    }
    std::str::from_utf8(into).ok()
}

/// Letters that are directly before `pass` and `pw` in names people use.
fn joinable(left: &[u8]) -> bool {
    is_one_of(left, JOINED)
}

/// Where the identifier ends; `None` if it goes on for too long to be one.
pub(super) fn identifier_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match text.get(at) {
            Some(byte) if is_word(*byte) => at += 1,
            Some(b'-' | b'.') if text.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => at += 1,
            _ => return Some(at),
        }
        if at > from + 3 * REACH {
            return None;
        }
    }
}

/// Where the identifier starts, at most [`REACH`] bytes back.
fn identifier_start(text: &[u8], from: usize) -> usize {
    let floor = from.saturating_sub(REACH);
    let mut at = from;
    while at > floor {
        let byte = text[at - 1];
        // The `n` of an escaped line end is no letter of the name.
        let letter = is_word(byte)
            && !(byte.is_ascii_lowercase()
                && super::surroundings::backslashes_before(text, at - 1) > 0);
        let joint =
            matches!(byte, b'-' | b'.') && at - 1 > floor && text[at - 2].is_ascii_alphanumeric();
        if !letter && !joint {
            break;
        }
        at -= 1;
    }
    at
}

/// The parts of an identifier: split at separators and before capitals.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.chunk_by(|a, b| {
        a.is_ascii_alphanumeric()
            && b.is_ascii_alphanumeric()
            && !(a.is_ascii_lowercase() && b.is_ascii_uppercase())
    })
    .filter(|part| part[0].is_ascii_alphanumeric())
}

/// Numbers and the few words that do not change what a key is; a value that hangs on the name is no tail.
fn plain_tail(tail: &[u8]) -> bool {
    tail.len() >= 16 && !identifier(tail)
        || parts(tail).all(|part| {
            part.iter().all(u8::is_ascii_digit)
                || part.len() <= 2
                || is_one_of(part, PLAIN_TAILS)
                || parts(part).next().is_some_and(key_word)
        })
}

fn key_word(part: &[u8]) -> bool {
    is_one_of(part, KEY_WORDS)
}

fn harmless_tail(tail: &[u8]) -> bool {
    tail.len() < REACH && parts(tail).last().is_some_and(|part| is_one_of(part, HARMLESS_TAILS))
}

/// A key is public, a secret, or anybody's guess, by what is before it in the identifier.
fn key_kind(before: &[u8]) -> Option<SecretKind> {
    let Some(part) = parts(before).last() else { return Some(SecretKind::Key) };
    if is_one_of(part, HARMLESS_KEYS) {
        return None;
    }
    Some(if is_one_of(part, SECRET_KEYS) { SecretKind::Secret } else { SecretKind::Key })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, word: &str) -> Option<SecretKind> {
        let at = name.to_ascii_lowercase().find(word).unwrap();
        english(name.as_bytes(), &(at..at + word.len())).map(|word| word.kind)
    }

    #[test]
    fn identifiers_are_told_apart() {
        let check = |name: &str, word: &str, expect: Option<SecretKind>| {
            assert_eq!(kind(name, word), expect, "{name}");
        };
        check("password", "pass", Some(SecretKind::Password));
        check("DB_PASSWORD", "pass", Some(SecretKind::Password));
        check("dbPass", "pass", Some(SecretKind::Password));
        check("mypw", "pw", Some(SecretKind::Password));
        check("bypass", "pass", None);
        check("passenger", "pass", None);
        check("password_hash", "pass", None);
        check("passwordHint", "pass", None);
        check("accessToken", "token", Some(SecretKind::Secret));
        check("tokenizer", "token", None);
        check("token_type", "token", None);
        check("secretary", "secret", None);
        check("api_key", "key", Some(SecretKind::Secret));
        check("hubspotKey", "key", Some(SecretKind::Key));
        check("public_key", "key", None);
        check("keyboard", "key", None);
        check("authToken", "auth", Some(SecretKind::Key));
        check("author", "auth", None);
        check("path", "pat", None);
        check("ado_pat", "pat", Some(SecretKind::Key));
        check("API key", "key", Some(SecretKind::Secret));
        check("Secret Access Key", "key", Some(SecretKind::Secret));
        check("cache key", "key", None);
        check("the key", "key", Some(SecretKind::Key));
        check("redis_key", "key", None);
        check("nextPageToken", "token", None);
        check("PublicKeyToken", "token", None);
        check("token_accessor", "token", None);
    }
}
