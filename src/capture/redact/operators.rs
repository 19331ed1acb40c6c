//! From after a name to the start of its value: operators, space, words that say what it is.

use super::between::{annotation, below, dash, fallback, qualified, wrapper};
use super::separator::{Link, Separator, blanks, opened};
use super::surroundings::{is_word, run_of};

/// What may be between a name and its value, the longest first.
const OPERATORS: [(&[u8], Link); 24] = [
    (b":::=", Link::Assign),
    (b"!==", Link::Assign),
    (b"===", Link::Assign),
    (b"||=", Link::Assign),
    (b"??=", Link::Assign),
    (b"::=", Link::Assign),
    (b"=>", Link::Assign),
    (b"->", Link::Assign),
    (b"<-", Link::Assign),
    (b"==", Link::Assign),
    (b"!=", Link::Assign),
    (b"?=", Link::Assign),
    (b".=", Link::Assign),
    (b"+=", Link::Assign),
    (b":=", Link::Assign),
    (b"?:", Link::Colon),
    (b"=", Link::Assign),
    (b":", Link::Colon),
    (b">", Link::Tag),
    (b"|", Link::Cell),
    (b",", Link::Argument),
    (b"(", Link::Argument),
    ("：".as_bytes(), Link::Colon),
    ("→".as_bytes(), Link::Says),
];

/// Reads from behind a name to the start of its value. `loose` lets line ends be before the operator.
pub(super) fn glue(text: &[u8], from: usize, loose: bool) -> Option<Separator> {
    // What closes the name: `password"]`, `**Password`, `token\"`
    let is_closer = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b']' | b')' | b'*' | b'\\');
    let closers = run_of(&text[from..], 8, is_closer);
    let space = blanks(text, from + closers, if loose { 24 } else { 0 });
    let at = annotation(text, space);
    let rest = &text[at..];
    if rest.starts_with(b"::") && !rest.starts_with(b"::=") && !rest.starts_with(b":::=") {
        return None;
    }
    let tag = || text[..from].iter().rev().take(48).find(|b| !is_word(**b)) == Some(&b'<');
    if rest.starts_with(b"value=") && (closers > 0 || space > from && tag()) {
        return read_value(text, at, Link::Assign);
    }
    if space > from + closers
        && let Some(glue) = qualified(text, at)
    {
        return Some(glue);
    }
    if let Some(glue) = fallback(text, at) {
        return Some(glue);
    }
    if loose && rest.starts_with(b"||") {
        return read_value(text, at + 2, Link::Assign);
    }
    // An answer: `Password? value`
    if at == from && rest.starts_with(b"? ") {
        return read_value(text, at + 1, Link::Says);
    }
    // Their first bytes tell most of them apart.
    let stands = |operator: &[u8]| rest.first() == operator.first() && rest.starts_with(operator);
    match OPERATORS.iter().find(|(operator, _)| stands(operator)) {
        None if space > from + closers && dash(rest) > 0 => {
            opened(text, blanks(text, at + dash(rest), 0), Link::Says)
        }
        Some((b"|", _)) if rest.get(1).is_none_or(|byte| *byte != b' ') => None,
        Some((operator, link)) => read_value(text, at + operator.len(), *link),
        None if space > from + closers || closers > 0 || rest.starts_with(b"\n") => {
            spaced(text, space, closers)
        }
        None => None,
    }
}

/// From after the operator to the start of the value.
fn read_value(text: &[u8], from: usize, link: Link) -> Option<Separator> {
    let same = blanks(text, from, 0);
    if link == Link::Colon
        && let Some(at) = below(text, same)
    {
        return opened(text, at, Link::Says);
    }
    let mut at = match link {
        Link::Tag => blanks(text, from, 80),
        Link::Assign if text.get(from.wrapping_sub(1)) != Some(&b'=') => blanks(text, from, 80),
        // The value of a YAML key may be on the next line, indented.
        Link::Colon => {
            let next = blanks(text, same, 80);
            if next == same || matches!(text.get(next - 1), Some(b' ' | b'\t')) {
                next
            } else {
                same
            }
        }
        _ => same,
    };
    // `::= "`, `?=='`: operators and quotes in any order, as some tools print them
    while matches!(text.get(at), Some(b'=' | b'>' | b'(' | b'*')) && at < from + 160 {
        at = blanks(text, at + 1, 8);
    }
    at += wrapper(&text[at..]);
    for name in [&b"value="[..], b"default="] {
        at += if text[at..].starts_with(name) { name.len() } else { 0 };
    }
    let separator = opened(text, at, link)?;
    let refers = separator.quote.is_none()
        && matches!(text.get(separator.at), Some(b'@' | b'-' | b'/'))
        && link == Link::Tag;
    (!refers).then_some(separator)
}

/// A value after nothing but space, or after words that say what it is.
fn spaced(text: &[u8], from: usize, closers: usize) -> Option<Separator> {
    let mut at = from;
    let mut says = false;
    // Italian, Portuguese
    if text[at..].starts_with("è ".as_bytes()) || text[at..].starts_with("é ".as_bytes()) {
        at = blanks(text, at + "è".len(), 0);
        says = true;
    }
    for _ in 0..4 {
        let length = run_of(&text[at..], 10, u8::is_ascii_lowercase);
        let colon = text.get(at + length) == Some(&b':');
        if text.get(at + length) != Some(&b' ') && !colon || length == 0 {
            break;
        }
        match &text[at..at + length] {
            b"is" | b"was" | b"to" | b"as" | b"equals" | b"used" | b"lautet" | b"ist" | b"war"
            | b"es" | b"est" => {
                says = true;
            }
            _ if colon => break,
            b"now" | b"set" | b"value" | b"has" | b"been" | b"changed" | b"rotated" | b"reset"
            | b"updated" | b"new" | b"will" | b"be" => {}
            _ => break,
        }
        at = blanks(text, at + length, 0);
    }
    if at > from && !says
        || at == from && closers > 0 && text.get(from.wrapping_sub(1)) != Some(&b' ')
    {
        return None;
    }
    if matches!(text.get(at), Some(b':')) {
        at = blanks(text, at + 1, 0);
    }
    // A heading, and the value alone below it
    if at == from && closers == 0 && text.get(from) == Some(&b'\n') {
        return headed(text, from);
    }
    let separator = opened(text, at, if says { Link::Says } else { Link::Space })?;
    let is_option = separator.quote.is_none() && text.get(separator.at) == Some(&b'-');
    (!is_option).then_some(separator)
}

/// `Password`, alone on its line, and the value alone on the next.
fn headed(text: &[u8], from: usize) -> Option<Separator> {
    let line = &text[from.saturating_sub(48)..from];
    let start = memchr::memrchr(b'\n', line).map_or(0, |end| end + 1);
    let name = line[start..].trim_ascii_start();
    let name = name.strip_prefix(b"# ").or_else(|| name.strip_prefix(b"- ")).unwrap_or(name);
    let plain = name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-'));
    let whole = start > 0 || line.len() == from;
    let at = below(text, from)?;
    (plain && whole && name.len() <= 24).then_some(Separator { at, quote: None, link: Link::Says })
}
