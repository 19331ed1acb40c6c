//! Names that are values themselves: `- name: API_TOKEN` and `value: ...` on the next line, `<key>` and `<string>`,
//! `variable "x_token" { default = ... }`, the elements `"--token"` and its value of a list.

use std::ops::Range;

use super::operators;
use super::separator::{Link, Separator, opened};
use super::surroundings::{backslashes_before, is_word};

/// How far after a name its value may be announced.
const REACH: usize = 256;

/// What a name is called.
const NAMES: [&str; 8] =
    ["name", "key", "variable", "header", "field", "env", "parameter", "param"];

/// What a value is called.
const VALUES: [&[u8]; 6] = [b"value", b"default", b"content", b"string>", b"secret>", b"values"];

/// From after a name that is at `name` to the value that belongs to it.
pub(super) fn glue(text: &[u8], name: &Range<usize>) -> Option<Separator> {
    if !matches!(
        text.get(name.end),
        Some(b'"' | b'\'' | b'\\' | b'\n' | b'\r' | b',' | b'<' | b'`' | b'}')
    ) {
        return None;
    }
    if text[..name.start].ends_with(b"-") {
        return item(text, name.end);
    }
    if !is_called(text, name.start) {
        return None;
    }
    let near = &text[name.end..text.len().min(name.end + REACH)];
    let mut at = 0;
    let mut lines = 0;
    while at < near.len() {
        let rest = &near[at..];
        // The next pair, another element, a paragraph.
        if rest.starts_with(b"\n\n") || rest.starts_with(b"}") || lines > 4 {
            return None;
        }
        lines += usize::from(rest[0] == b'\n');
        if rest[0].is_ascii_alphabetic()
            && (at == 0 || !is_word(near[at - 1]) || ends_escape(near, at))
        {
            let is = |value: &&&[u8]| {
                rest.get(..value.len()).is_some_and(|word| word.eq_ignore_ascii_case(value))
                    && (value.ends_with(b">")
                        || !rest.get(value.len()).is_some_and(|byte| is_word(*byte)))
            };
            if let Some(value) = VALUES.iter().find(is) {
                let end = name.end + at + value.len() - usize::from(value.ends_with(b">"));
                let glue = operators::glue(text, end, false)?;
                return matches!(glue.link, Link::Assign | Link::Colon | Link::Tag)
                    .then_some(Separator { link: Link::Assign, ..glue });
            }
            let word = rest.iter().take_while(|byte| is_word(**byte)).count();
            if NAMES.iter().any(|name| rest[..word].eq_ignore_ascii_case(name.as_bytes()))
                && near.get(at.wrapping_sub(1)) != Some(&b'/')
            {
                return None;
            }
            at += word;
            continue;
        }
        at += 1;
    }
    None
}

/// Whether the letter at `at` follows an escape (`\nvalue`).
fn ends_escape(text: &[u8], at: usize) -> bool {
    matches!(text[at - 1], b'n' | b'r' | b't') && backslashes_before(text, at - 1) > 0
}

/// Whether `name: `, `"name":"`, `<key>`, `variable "` is before `at`.
fn is_called(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(24)..at];
    let signs = near
        .iter()
        .rev()
        .take_while(|b| matches!(b, b'"' | b'\'' | b'\\' | b' ' | b':' | b'=' | b'>' | b'`'))
        .count();
    let head = &near[..near.len() - signs];
    signs > 0
        && NAMES.iter().any(|name| {
            head.len() >= name.len()
                && head[head.len() - name.len()..].eq_ignore_ascii_case(name.as_bytes())
                && !head[..head.len() - name.len()].last().is_some_and(u8::is_ascii_lowercase)
        })
}

/// The next item of a YAML list: `- --token` and `- value`.
fn item(text: &[u8], from: usize) -> Option<Separator> {
    let near = &text[from..text.len().min(from + 48)];
    let quote = usize::from(matches!(near.first(), Some(b'"' | b'\'')));
    let rest = near[quote..].strip_prefix(b"\n")?;
    let indent = rest.iter().take_while(|byte| **byte == b' ').count();
    let at = from + quote + 1 + indent;
    text[at..].starts_with(b"- ").then_some(())?;
    opened(text, at + 2, Link::Assign)
}
