//! Codes that people type: PINs, recovery codes, the seeds of one-time passwords, seeds of NATS keys.
//!
//! Too short or too plain to be known by their look, so the word before them is the proof.

use std::ops::Range;

use super::spelling::in_words;
use super::surroundings::{is_one_of, is_word, run_of, sign_of};
use super::{shapes, validators};

/// Words between a name and a seed.
const SEED_WORDS: [&str; 10] =
    ["secret", "seed", "key", "is", "base32", "b", "code", "setup", "for", "token"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    /// four to eight digits
    Pin,
    /// several codes, in the lines below
    Recovery,
    /// Base32
    Seed,
}

pub(super) fn behind(text: &[u8], hit: &Range<usize>, kind: CodeKind) -> Vec<Range<usize>> {
    match kind {
        CodeKind::Pin => pin(text, hit).into_iter().collect(),
        CodeKind::Recovery => recovery(text, hit),
        CodeKind::Seed => seed(text, hit).into_iter().collect(),
    }
}

/// Four to eight digits after the word, alone: behind `PIN:`, in the string behind `"pin":`, behind `DEVICE_PIN=`.
fn pin(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let start = hit.start;
    if text[..start].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let loud = text[start..start + 3] == *b"PIN";
    let at = start + 3;
    let rest = &text[at..text.len().min(at + 24)];
    let code =
        rest.strip_prefix(b" code").or_else(|| rest.strip_prefix(b" number")).unwrap_or(rest);
    let signs = code
        .iter()
        .take_while(|b| matches!(b, b'"' | b'\'' | b':' | b'=' | b' ' | b'`' | b'*'))
        .count();
    let told = code[..signs].iter().any(|b| matches!(b, b':' | b'='));
    let says = sign_of(&code[signs..], &[&b"is "[..], b"was ", b"to "]);
    let signs = signs + says.map_or(0, <[u8]>::len);
    // A pin without a sign is also one of a connector.
    if signs == 0 || !(told || loud || says.is_some() || code.len() < rest.len()) {
        return None;
    }
    let quote = code[signs..].iter().take_while(|b| matches!(b, b'"' | b'\'' | b'`')).count();
    let from = at + (rest.len() - code.len()) + signs + quote;
    let digits = run_of(&text[from..], 10, u8::is_ascii_digit);
    let end = from + digits;
    let goes_on = text.get(end).is_some_and(|b| is_word(*b) || *b == b'-')
        || matches!(text.get(end), Some(b'.' | b':' | b',' | b'/'))
            && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    // In JSON a number stays one.
    let open = matches!(text[from - 1], b'"' | b'\'' | b'\\');
    let number = text[..start].last() == Some(&b'"') && !open;
    ((4..=8).contains(&digits) && !goes_on && !number).then_some(from..end)
}

/// The codes in the lines below the word, or after it on its line.
fn recovery(text: &[u8], hit: &Range<usize>) -> Vec<Range<usize>> {
    const MOST: usize = 24;
    const FAR: usize = 1200;
    let end = text.len().min(hit.end + FAR);
    let mut found = Vec::new();
    let mut at = hit.end + usize::from(text.get(hit.end) == Some(&b's'));
    let mut misses = 0;
    while at < end && found.len() < MOST {
        let line_end = memchr::memchr(b'\n', &text[at..end]).map_or(end, |length| at + length);
        let before = found.len();
        codes(text, at..line_end, &mut found);
        let blank = text[at..line_end].trim_ascii().is_empty();
        misses += usize::from(found.len() == before && !(blank && found.is_empty()));
        if misses > 1 {
            break;
        }
        at = line_end + 1;
    }
    found
}

/// What is on a line beside numbers of a list, signs and words for `is`.
fn codes(text: &[u8], line: Range<usize>, found: &mut Vec<Range<usize>>) {
    let inner = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let mut here = Vec::new();
    let mut at = line.start;
    while at < line.end {
        let run = text[at..line.end].iter().take_while(|b| inner(b)).count();
        if run == 0 {
            at += 1;
            continue;
        }
        let token = at..at + run;
        at += run;
        let value = &text[token.clone()];
        if value.iter().all(u8::is_ascii_digit) && value.len() == 4 {
            // `4821 9004` in two halves
            let half = text.get(at) == Some(&b' ')
                && run_of(&text[at + 1..line.end], 5, u8::is_ascii_digit) == 4;
            if half {
                here.push(token.start..at + 5);
                at += 5;
            }
        } else if code(value) {
            here.push(token);
        } else if value.len() > 3
            || value.iter().all(u8::is_ascii_alphabetic)
                && !matches!(value, b"is" | b"are" | b"for" | b"and" | b"or")
        {
            // After a word the line is a sentence: codes are before it only.
            break;
        }
    }
    found.append(&mut here);
}

/// Eight characters with digits among them, or groups of four and more.
fn code(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let groups = value.split(|b| *b == b'-').all(|group| (3..=10).contains(&group.len()));
    let whole = !value.contains(&b'-') && (8..=16).contains(&value.len());
    let parts = value.contains(&b'-') && (9..=48).contains(&value.len());
    digits > 0 && groups | whole && whole | parts && !in_words(value) && !date(value)
}

fn date(value: &[u8]) -> bool {
    value.len() == 10 && shapes::number(value) && value[4] == b'-'
}

/// Base32 after the word, in one run or in groups of four.
fn seed(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let mut at = hit.end;
    let near = text.len().min(at + 48);
    loop {
        let rest = &text[at..near];
        at += rest
            .iter()
            .take_while(|b| {
                matches!(
                    b,
                    b' ' | b':' | b'=' | b'"' | b'\'' | b'`' | b'(' | b'-' | b'_' | b'*' | b'\\'
                )
            })
            .count();
        let word = text[at..near].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if !is_one_of(&text[at..at + word], &SEED_WORDS) {
            break;
        }
        at += word;
    }
    let base32 = |b: &u8| b.is_ascii_uppercase() || (b'2'..=b'7').contains(b);
    let run = run_of(&text[at..], 128, |b| base32(b));
    let follows = |end: usize| text.get(end).is_none_or(|b| !is_word(*b));
    if run >= 16 && follows(at + run) && validators::distinct(&text[at..at + run]) > 6 {
        return Some(at..at + run);
    }
    // `wx5r xx34 24cv f3cx`
    let low = |b: &u8| b.is_ascii_lowercase() || base32(b);
    let mut end = at;
    let mut groups = 0;
    while run_of(&text[end..], 5, |b| low(b)) == 4 {
        end += 4;
        groups += 1;
        if text.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    let end = if end > at && text[end - 1] == b' ' { end - 1 } else { end };
    let digits = text[at..end].iter().any(u8::is_ascii_digit);
    (groups >= 4 && digits && follows(end)).then_some(at..end)
}
