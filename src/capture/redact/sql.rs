//! Values of SQL that stand far from their names: `INSERT INTO users (name, password) VALUES ('bob', '...')`,
//! `UPDATE config SET value = '...' WHERE key = 'api_token'`.

use std::ops::Range;

use super::explicit::{self, Tie};
use super::key_words::{KeyWord, SecretKind};

/// How far before a column its statement may begin, and how far after it its values may stand.
const REACH: usize = 512;
/// Most rows of values that are read.
const MOST: usize = 64;

/// The values of a column that is called so in an `INSERT`, or the value of the row that an `UPDATE` finds by this
/// name.
pub(super) fn values(text: &[u8], word: &KeyWord) -> Vec<Range<usize>> {
    if word.kind == SecretKind::Key {
        return Vec::new();
    }
    let found = inserted(text, word).unwrap_or_default();
    let spans = if found.is_empty() { updated(text, word).into_iter().collect() } else { found };
    let fits =
        |span: &Range<usize>| explicit::is_secret(word.kind, Tie::Quoted, &text[span.clone()]);
    spans.into_iter().filter(fits).collect()
}

fn inserted(text: &[u8], word: &KeyWord) -> Option<Vec<Range<usize>>> {
    let before = &text[word.span.start.saturating_sub(REACH)..word.span.start];
    let open = memchr::memrchr(b'(', before)?;
    let head = &before[..open];
    let columns = &before[open + 1..];
    let listed = |b: &u8| b.is_ascii_alphanumeric() || b" ,_`\"[]\\\n\t.".contains(b);
    if !ends_statement(head) || !columns.iter().all(listed) {
        return None;
    }
    let column = memchr::memchr_iter(b',', columns).count();
    let near = &text[..text.len().min(word.span.end + REACH)];
    let close = word.span.end + memchr::memchr(b')', &near[word.span.end..])?;
    let rest = &near[close + 1..];
    let blank = rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b'\\').count();
    let start =
        rest.get(blank..)?.get(..6)?.eq_ignore_ascii_case(b"values").then_some(blank + 6)?;
    let mut at = close + 1 + start;
    let mut found = Vec::new();
    for _ in 0..MOST {
        let Some((value, end)) = row(text, at, column) else { break };
        found.extend(value);
        at = end;
    }
    Some(found)
}

/// Whether the text ends in `INSERT INTO name`.
fn ends_statement(head: &[u8]) -> bool {
    let head = &head[head.len().saturating_sub(96)..];
    memchr::memchr2_iter(b'i', b'I', head)
        .rfind(|at| head.get(*at..at + 4).is_some_and(|into| into.eq_ignore_ascii_case(b"into")))
        .is_some_and(|into| {
            let name = head[into + 4..].trim_ascii();
            !name.is_empty() && !name.iter().any(|b| matches!(b, b'(' | b')' | b';' | b'='))
        })
}

/// The string in the given column of the row that starts at `from`, and where the row ends.
fn row(text: &[u8], from: usize, column: usize) -> Option<(Option<Range<usize>>, usize)> {
    let end = text.len().min(from + REACH);
    let blank = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'\\');
    let mut at = from + text[from..end].iter().take_while(|b| blank(b)).count();
    if text.get(at) != Some(&b'(') {
        return None;
    }
    let (mut index, mut quote, mut found) = (0, None, None);
    while at + 1 < end {
        at += 1;
        match (quote, text[at]) {
            (None, b'\'') => quote = Some(at + 1),
            (None, b',') => index += 1,
            (None, b')') => return Some((found, at + 1)),
            (Some(open), b'\'') => {
                if index == column {
                    found = Some(open..at - usize::from(text[at - 1] == b'\\'));
                }
                quote = None;
            }
            (_, b'"') => return None,
            _ => {}
        }
    }
    None
}

/// `SET value = '...' WHERE key = '` before the name.
fn updated(text: &[u8], word: &KeyWord) -> Option<Range<usize>> {
    let before = &text[word.span.start.saturating_sub(REACH)..word.span.start];
    let offset = word.span.start - before.len();
    let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let named = before.strip_suffix(b"'")?;
    let where_at =
        [&b"WHERE "[..], b"where "].iter().find_map(|w| memchr::memmem::rfind(named, w))?;
    if where_at < line || named.len() - where_at > 48 || !named.trim_ascii_end().ends_with(b"=") {
        return None;
    }
    let set = [&b"SET "[..], b"set "]
        .iter()
        .find_map(|w| memchr::memmem::rfind(&before[line..where_at], w))?;
    let part = line + set..where_at;
    let open = part.start + memchr::memchr(b'\'', &before[part.clone()])? + 1;
    let close = open + memchr::memchr(b'\'', &before[open..part.end])?;
    (close > open).then_some(offset + open..offset + close)
}
