//! Passwords in addresses (`postgres://user:password@host`) and values in cookie headers.

use std::ops::Range;

use super::surroundings::{bare_end, is_one_of, is_word, run_of};
use super::validators;

/// The password, if `hit` is the `://` of an address that carries one.
pub(super) fn password(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    if hit.start == 0 || !is_word(text[hit.start - 1]) {
        return None;
    }
    let limit = text.len().min(hit.end + 320);
    let near = &text[hit.end..limit];
    let stop = near
        .iter()
        .position(|b| {
            b.is_ascii_whitespace()
                || matches!(b, b'"' | b'`' | b'<' | b'>' | b'\\' | b'\'')
                || !b.is_ascii()
        })
        .unwrap_or(near.len());
    let authority = &near[..stop];
    let Some(colon) = memchr::memchr(b':', authority).filter(|colon| {
        // A colon after the host belongs to its port.
        memchr::memchr(b'@', &authority[..*colon]).is_none()
    }) else {
        return user(authority).map(|length| hit.end..hit.end + length);
    };
    // The user has no slash; the password may, as people paste it raw. The last `@` before the host counts.
    if authority[..colon].iter().any(|b| matches!(b, b'/' | b'?' | b'#' | b'@' | b'[')) {
        return None;
    }
    let rest = &authority[colon + 1..];
    let at = host_at(rest)?;
    let value = &rest[..at];
    let port = value.first().is_some_and(u8::is_ascii_digit)
        && value.iter().take_while(|b| b.is_ascii_digit()).count() <= 5
        && value.contains(&b'/');
    if port
        || value.len() < 3
        || validators::placeholder(value) && value != b"***"
        || harmless(value)
    {
        return None;
    }
    let start = hit.end + colon + 1;
    Some(start..start + at)
}

/// The length of a token that is in the place of a user: `https://<token>@host`.
fn user(authority: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'@', &authority[..authority.len().min(128)])?;
    let user = &authority[..at];
    let plain = user.iter().all(|byte| is_word(*byte) || *byte == b'-');
    (plain
        && validators::random(user, 20)
        && authority.get(at + 1).is_some_and(u8::is_ascii_alphanumeric))
    .then_some(at)
}

/// Where the `@` before the host stands: the last one before the path.
fn host_at(rest: &[u8]) -> Option<usize> {
    let first = memchr::memchr(b'@', rest)?;
    let slash = rest[first..]
        .iter()
        .position(|b| matches!(b, b'/' | b'?' | b'#' | b','))
        .map_or(rest.len(), |i| first + i);
    memchr::memrchr(b'@', &rest[..slash])
}

/// `user:password@host` in documentation: the word itself in place of a password.
fn harmless(value: &[u8]) -> bool {
    is_one_of(
        value,
        &[
            "password", "pass", "passwd", "pwd", "secret", "token", "user", "pw", "xxx", "yyy",
            "key",
        ],
    ) || value.starts_with(b"$") && value[1..].iter().all(|b| is_word(*b))
        || value.iter().all(|b| matches!(b, b'*' | b'.' | b'x' | b'X'))
}

/// The generated values of a `Cookie:` or `Set-Cookie:` header, and where the header ends.
pub(super) fn cookies(text: &[u8], hit: &Range<usize>) -> (Vec<Range<usize>>, usize) {
    let mut found = Vec::new();
    let lead = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\' | b':' | b' ');
    let mut from = hit.end + run_of(&text[hit.end..], 6, lead);
    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'"' | b'\\');
    let header = text[from..].iter().take(4096).position(ends);
    let end = header.map_or(text.len().min(from + 4096), |length| from + length);
    for pair in text[from..end].split(|byte| *byte == b';') {
        let start = from;
        from += pair.len() + 1;
        let Some(equals) = memchr::memchr(b'=', pair) else { continue };
        let value = start + equals + 1;
        let stop = bare_end(text, value, pair.len() - equals - 1);
        if validators::random(&text[value..stop], 16) {
            found.push(value..stop);
        }
    }
    (found, end)
}
