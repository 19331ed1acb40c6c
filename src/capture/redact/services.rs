//! Services whose keys carry no prefix of their own: the name beside the value is the evidence.

use std::ops::Range;

use super::lists::NUMBERED;
use super::operators;
use super::separator::{Link, value_span};
use super::surroundings::{bare_end, is_one_of, is_word, run_of, starts_token};
use super::{shapes, validators};

/// How far a value may be after the name.
const REACH: usize = 28;

/// The value a service name leads to: `fastly: ...`, `OPENWEATHER||...`, `nicereply ...`.
pub(super) fn value(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    if text[..hit.start].ends_with(b"::") {
        return None;
    }
    if hit.start > 0
        && text[hit.start - 1].is_ascii_alphabetic()
        && !starts_token(text, hit.start)
        && !text[hit.start].is_ascii_uppercase()
    {
        return None;
    }
    let near = &text[hit.end..text.len().min(hit.end + REACH)];
    let skip = near
        .iter()
        .take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.' | b' ' | b'\t'))
        .count();
    let op = near[skip..]
        .iter()
        .take_while(|b| {
            b.is_ascii_whitespace() || matches!(b, 0x0b | b'\'' | b'"' | b'`' | b')' | b'\\')
        })
        .count();
    if near
        .get(skip + op)
        .is_some_and(|byte| matches!(byte, b'=' | b':' | b'>' | b'|' | b',' | b'?'))
    {
        let glue = operators::glue(text, hit.end + skip, true)?;
        let span = value_span(text, &glue)?;
        let value = &text[span.clone()];
        // Its ids look like its keys: `stripe: "price_..."`. Keys with a prefix have rules of their own.
        let stripe = text[hit.clone()].eq_ignore_ascii_case(b"stripe");
        if stripe && (value.contains(&b'_') || value.len() < 20) {
            return None;
        }
        if counted(&text[hit.start..hit.end + skip]) && (plain_hash(value) || value.len() < 24)
            || addressed(value)
        {
            return None;
        }
        let exact = matches!(glue.link, Link::Assign) || glue.quote.is_some();
        let fits = validators::random(value, 16)
            && (exact || !shapes::digest(value) && !shapes::uuid(value))
            || exact
                && (shapes::digest(value) || shapes::uuid(value))
                && validators::literal(value);
        // Forty digits are a commit before they are a key.
        let fits = fits
            && (value.len() != 40
                || !shapes::hexadecimal(value)
                || told(&text[hit.end..hit.end + skip]));
        return fits.then_some(span);
    }
    beside(text, hit.end)
}

/// Whether a name like `deploy id`, `commit`, `rev` says that the value is the number of a thing.
fn counted(name: &[u8]) -> bool {
    name.split(|byte| !byte.is_ascii_alphanumeric()).any(|part| is_one_of(part, NUMBERED))
}

/// Hexadecimal digits or a UUID: what ids look like, too.
fn plain_hash(value: &[u8]) -> bool {
    shapes::hexadecimal(value) || shapes::uuid(value)
}

/// Words with `@`, `/` or `:` between them: where something is, not what opens it.
fn addressed(value: &[u8]) -> bool {
    let word = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    word >= 3 && matches!(value.get(word), Some(b'@' | b'/' | b':'))
        || value.contains(&b'@')
        || memchr::memmem::find(value, b"://").is_some()
}

/// Whether a word for key is in the rest of the name.
fn told(name: &[u8]) -> bool {
    WORDS.iter().any(|word| shapes::contains(name, word))
}

/// What a key of a service is called.
const WORDS: [&str; 9] =
    ["secret", "token", "key", "access", "private", "api", "auth", "apikey", "password"];

/// `blazemeter 123e4567-...`, `fastforex-abcd1234...`, `bugherd SECRET key 1234...`
fn beside(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    let mut told = false;
    for _ in 0..4 {
        at += usize::from(matches!(text.get(at), Some(b' ' | b'-' | b'\t' | b'_' | b'.')));
        let word = run_of(&text[at..], 9, u8::is_ascii_alphabetic);
        if !WORDS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(&text[at..at + word])) {
            break;
        }
        told = true;
        at += word;
    }
    if at == from || !matches!(text[at - 1], b' ' | b'-' | b'\t') {
        return None;
    }
    let end = bare_end(text, at, 512);
    let value = &text[at..end];
    if addressed(value) {
        return None;
    }
    let fits = if told {
        validators::random(value, 14) || shapes::uuid(value) && validators::literal(value)
    } else {
        shapes::uuid(value) && validators::literal(value) || validators::random(value, 24)
    };
    fits.then_some(at..end)
}
