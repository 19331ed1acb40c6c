//! Values in a column whose head says what they are: tables of Markdown and of databases, CSV, columns of a terminal.

use std::ops::Range;

use super::explicit::{self, Tie};
use super::key_words::{KeyWord, SecretKind};
use super::validators;

/// How many rows below a head are read.
const ROWS: usize = 64;
/// Longer lines are no rows.
const WIDEST: usize = 2048;

/// Most columns of one table that are read.
const COLUMNS: u32 = 4;

/// The table that was read last, so that no row is read as a head and no line is read for ever.
#[derive(Debug, Default)]
pub(super) struct Last {
    head: usize,
    end: usize,
    columns: u32,
}

/// The values below the word, if it is the head of a column.
pub(super) fn below(text: &[u8], word: &KeyWord, last: &mut Last) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // Most words are in prose and must cost nothing.
    let next = &text[word.span.end..text.len().min(word.span.end + 2)];
    if !matches!(
        next,
        [] | [b'\n' | b'\r' | b'\t' | b',' | b';' | b'|' | b'`' | b'"' | b'*', ..]
            | [b' ', b' ' | b'|', ..]
    ) {
        return found;
    }
    if word.span.start < last.end && (word.span.start >= last.head || last.columns >= COLUMNS) {
        return found;
    }
    let from = word.span.start.saturating_sub(WIDEST);
    let start =
        memchr::memrchr(b'\n', &text[from..word.span.start]).map_or(from, |end| from + end + 1);
    let head = line(text, start);
    let Some(sign) = sign(text, &head, &word.span) else { return found };
    let heads = cells(text, &head, sign);
    let Some(column) = heads.iter().position(|cell| *cell == word.span) else { return found };
    let wide = heads.len();
    last.columns = if word.span.start < last.end { last.columns + 1 } else { 1 };
    last.head = head.end;
    // Arguments of a function stand one a line, too, and so do the names of a list.
    let code =
        |byte: &u8| matches!(byte, b'(' | b')' | b'{' | b'}' | b'=' | b'[' | b']' | b'<' | b'>');
    let named = heads.iter().filter(|cell| !cell.is_empty()).count();
    if named < 2 || sign != b'|' && text[head.clone()].iter().any(code) {
        return found;
    }
    let mut at = head.end + 1;
    for _ in 0..ROWS {
        if at >= text.len() {
            break;
        }
        let row = line(text, at);
        at = row.end + 1;
        last.end = row.end;
        let bytes = &text[row.clone()];
        if bytes.trim_ascii().is_empty() || bytes.len() > WIDEST {
            break;
        }
        if bytes.iter().all(|b| matches!(b, b'-' | b'+' | b'|' | b':' | b' ' | b'=' | b'\r')) {
            continue;
        }
        let row = cells(text, &row, sign);
        if row.len() != wide {
            break;
        }
        let value = &text[row[column].clone()];
        if is_secret(word.kind, value) && !value.starts_with(b"[REDACTED") {
            found.push(row[column].clone());
        }
    }
    found
}

/// Whether a cell below a word of this kind holds a secret.
fn is_secret(kind: SecretKind, value: &[u8]) -> bool {
    match kind {
        SecretKind::Password => {
            validators::password(value, false) || explicit::is_secret(kind, Tie::Cell, value)
        }
        SecretKind::Secret => validators::random(value, 8),
        SecretKind::Key => false,
    }
}

fn line(text: &[u8], from: usize) -> Range<usize> {
    let limit = text.len().min(from + WIDEST + 1);
    from..memchr::memchr(b'\n', &text[from..limit]).map_or(limit, |length| from + length)
}

/// What is between the columns, if the word is a cell of its own; 0 for blanks.
fn sign(text: &[u8], head: &Range<usize>, word: &Range<usize>) -> Option<u8> {
    if word.end > head.end {
        return None;
    }
    let before = &text[head.start..word.start];
    let after = &text[word.end..head.end];
    let trimmed = |bytes: &[u8]| bytes.trim_ascii().is_empty();
    let (left, right) = (before.trim_ascii_end().last(), after.trim_ascii_start().first());
    for sign in [b'|', b'\t', b',', b';'] {
        let holds = memchr::memchr(sign, before).is_some() || memchr::memchr(sign, after).is_some();
        let (left, right) =
            if sign == b'\t' { (before.last(), after.first()) } else { (left, right) };
        let closed =
            (left == Some(&sign) || trimmed(before)) && (right == Some(&sign) || trimmed(after));
        if holds && closed {
            return Some(sign);
        }
    }
    let apart = (trimmed(before) || before.ends_with(b"  "))
        && (trimmed(after) || after.starts_with(b"  "));
    (apart && !(trimmed(before) && trimmed(after))).then_some(0)
}

/// The cells of a row without the blanks and ticks around them.
fn cells(text: &[u8], row: &Range<usize>, sign: u8) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut from = row.start;
    let mut at = row.start;
    let end = row.start + text[row.clone()].trim_ascii_end().len();
    let mut push = |cell: Range<usize>| {
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'`' | b'"' | b'*' | b'\r');
        let bytes = &text[cell.clone()];
        let start = cell.start + bytes.iter().take_while(|b| blank(b)).count();
        let stop = cell.end - bytes.iter().rev().take_while(|b| blank(b)).count();
        cells.push(start.min(stop)..stop);
    };
    while at < end {
        let width = match sign {
            0 => text[at..end].iter().take_while(|b| **b == b' ').count(),
            sign => usize::from(text[at] == sign),
        };
        if width >= if sign == 0 { 2 } else { 1 } {
            push(from..at);
            from = at + width;
        }
        at += width.max(1);
    }
    push(from.min(end)..end);
    cells
}
