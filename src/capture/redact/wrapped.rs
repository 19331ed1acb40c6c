//! The rest of a token that was wrapped: on the next line alone, or in the next string.

use std::ops::Range;

use super::surroundings::run_of;
use super::{address, shapes, validators};

/// A shorter line was not ended by its width.
const WIDTH: usize = 40;

/// What the next line has of the value at `span`.
pub(super) fn rest(text: &[u8], span: &Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    if value.len() < 20 || !validators::random(value, 20) {
        return None;
    }
    let quote = text.get(span.end).filter(|byte| matches!(byte, b'"' | b'\''));
    let mut at = span.end + usize::from(quote.is_some());
    let signs = run_of(&text[at..], 4, |b| matches!(b, b' ' | b'\\' | b'+' | b'.'));
    let joined = text[at..at + signs].iter().any(|b| matches!(b, b'\\' | b'+' | b'.'));
    at += signs;
    at += usize::from(text.get(at) == Some(&b'\r'));
    if text.get(at) != Some(&b'\n') {
        return None;
    }
    at += 1;
    at += run_of(&text[at..], 40, |b| matches!(b, b' ' | b'\t'));
    if let Some(quote) = quote {
        if text.get(at) != Some(quote) {
            return None;
        }
        at += 1;
    }
    let token = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'/' | b'.');
    let run = run_of(&text[at..], 512, token);
    let padding = run_of(&text[at + run..], 2, |b| *b == b'=');
    // `NAME=`, with nothing after it: a setting of its own.
    let name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    if padding == 1 && text[at..at + run].iter().all(name) {
        return None;
    }
    let run = run + padding;
    let line = memchr::memrchr(b'\n', &text[span.end.saturating_sub(512)..span.end])
        .map_or(span.end.min(512), |end| span.end.min(512) - end - 1);
    let alone = match (quote, text.get(at + run)) {
        (Some(quote), Some(next)) => next == quote,
        (None, next) => {
            matches!(next, None | Some(b'\n' | b'\r' | b'"' | b'\'')) && (joined || line >= WIDTH)
        }
        _ => false,
    };
    let next = &text[at..at + run];
    (alone
        && validators::random(next, 12)
        && !shapes::digest(next)
        && !shapes::uuid(next)
        && !address::path(next)
        && run <= value.len() + 8
        && same_alphabet(value, next))
    .then_some(at..at + run)
}

/// Whether the rest has no sign that the beginning would have had, too. Base64 may have its own by chance.
fn same_alphabet(value: &[u8], rest: &[u8]) -> bool {
    let has = |part: &[u8], signs: &[u8]| part.iter().any(|byte| signs.contains(byte));
    let url = has(value, b"-_");
    (has(value, b".") || !has(rest, b"."))
        && (url || !has(rest, b"-_"))
        && (has(value, b"+/") || !url || !has(rest, b"+/"))
        && (shapes::hexadecimal(rest) || !shapes::hexadecimal(value))
}
