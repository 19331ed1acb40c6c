//! A key word, something between, a value: `api_key = "..."`, `"token" => '...'`, `<add key="secret" value="..."/>`,
//! `--password ...`, `| token | ... |`, `the password is ...`, 비밀번호는 ....
//!
//! Read by hand and not by one large expression: nearly every hit is prose and must cost a few bytes only.

use std::ops::Range;

use super::accept::{accepts, by_name, to_line_end};
use super::between::expansion;
use super::operators::glue;
use super::separator::{Link, Separator, value_span};
use super::text::bare_end;
use super::words::{SecretKind, Word};
use super::{explicit, foreign, formats, pairs, shapes, validators};

/// The value a key word leads to, if it looks like one.
pub(super) fn value(text: &[u8], word: &Word) -> Option<Range<usize>> {
    if let Some(span) = glued(text, word) {
        return Some(span);
    }
    let next = *text.get(word.span.end)?;
    if !next.is_ascii() {
        return foreign::cjk(text, word.span.end, word.kind);
    }
    let read = |glue: &Separator, word: &Word| {
        let span = value_span(text, glue)?;
        // `https://x-access-token:...@host`: the rule for addresses knows where it ends.
        if text[..word.span.start].ends_with(b"://") && text[span.clone()].contains(&b'@') {
            return None;
        }
        if explicit::account(&text[span.clone()]) {
            return None;
        }
        if glue.quote.is_none()
            && matches!(glue.link, Link::Assign | Link::Colon)
            && word.kind != SecretKind::Key
            && let Some(whole) = to_line_end(text, word, &span)
        {
            return Some(whole);
        }
        let value = &text[span.clone()];
        let secret = accepts(text, word, glue.link, glue.quote.is_some(), value)
            || by_name(text, word, glue, &span);
        (secret && !formats::public(value) && !formats::package(value)).then_some(span)
    };
    if let Some(expansion) = expansion(text, &word.span) {
        let span = value_span(text, &expansion?)?;
        let length = memchr::memchr(b'}', &text[span.clone()]).unwrap_or(span.len());
        let span = span.start..span.start + length;
        let tie = explicit::Tie::Setting;
        return explicit::is_secret(word.kind, tie, &text[span.clone()]).then_some(span);
    }
    let own = glue(text, word.span.end, false).and_then(|glue| read(&glue, word));
    own.or_else(|| {
        let glue = pairs::glue(text, &word.span)?;
        read(&glue, &Word { formal: true, short: false, ..word.clone() })
    })
}

/// `dd-apikey-1f3a...`: the value hangs on the name itself.
fn glued(text: &[u8], word: &Word) -> Option<Range<usize>> {
    if text
        .get(word.tail)
        .is_none_or(|byte| !matches!(byte, b'-' | b'.' | b'_') && !byte.is_ascii_alphanumeric())
    {
        return None;
    }
    let end = bare_end(text, word.tail, 256);
    if end - word.tail < 20 {
        return None;
    }
    let run = &text[word.tail..end];
    let separators = run
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b'-' | b'.' | b'=' | b':'))
        .take(3);
    for (offset, byte) in separators {
        if offset > 24 || matches!(byte, b'=' | b':') {
            break;
        }
        let value = &run[offset + 1..];
        if shapes::uuid(value)
            || value.iter().all(u8::is_ascii_alphanumeric) && validators::random(value, 24)
        {
            return Some(word.tail + offset + 1..end);
        }
    }
    None
}
