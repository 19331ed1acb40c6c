//! A key word, something between, a value: `api_key = "..."`, `"token" => '...'`, `<add key="secret" value="..."/>`,
//! `--password ...`, `| token | ... |`, `the password is ...`, 비밀번호는 ....
//!
//! Read by hand and not by one large expression: nearly every hit is prose and must cost a few bytes only.

use std::ops::Range;

use super::accept::{accepts, by_name, to_line_end};
use super::between::{annotation, below, dash, expansion, fallback, qualified, wrapper};
use super::text::{Quote, bare_end, is_word, quoted_end, run_of, tidy};
use super::words::{Kind, Word};
use super::{explicit, foreign, formats, pairs, shapes, validators};

/// Longest value that is read.
pub(super) const LONGEST: usize = 1024;

/// What ties a value to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `=`, `:=`, `=>` and their kin
    Assign,
    /// `:` alone, which prose has too
    Colon,
    /// `>`: the text of an XML element
    Tag,
    /// `,` or `(`: an argument
    Argument,
    /// `|`: the next cell of a table
    Cell,
    /// nothing but space
    Space,
    /// `is`, `was`, `to`
    Says,
}

/// The stretch between a name and its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separator {
    /// where the value starts
    pub(super) at: usize,
    /// the quote it opened with
    pub(super) quote: Option<Quote>,
    /// how the two are tied
    pub(super) link: Link,
}

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
            && word.kind != Kind::Key
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

/// A value that stands at a place, behind its opening quote if it has one.
pub(super) fn opened(text: &[u8], mut at: usize, link: Link) -> Option<Separator> {
    opening(text, &mut at).map(|quote| Separator { at, quote, link })
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

/// What may stand between a name and its value, the longest first.
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

/// Reads from behind a name to the start of its value. `loose` lets line ends stand before the operator.
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
    match OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator)) {
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

/// From behind the operator to the start of the value.
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
        // The value of a YAML key may stand on the next line, indented.
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

/// Spaces and tabs; with `lines` > 0 also line ends, escaped or not, that many bytes at most.
pub(super) fn blanks(text: &[u8], mut at: usize, lines: usize) -> usize {
    let from = at;
    loop {
        match text.get(at) {
            Some(b' ' | b'\t') if at < from + 80 => at += 1,
            Some(b'\n' | b'\r' | 0x0b | 0x0c) if at < from + lines => at += 1,
            Some(b'\\')
                if at < from + lines
                    && matches!(text.get(at + 1), Some(b'n' | b'r' | b't' | b'f')) =>
            {
                at += 2;
            }
            _ => return at,
        }
    }
}

/// Eats an opening quote. `Some(None)`: no quote. `None`: an empty string, so no value at all.
#[expect(clippy::option_option, reason = "no quote and an empty string are different answers")]
pub(super) fn opening(text: &[u8], at: &mut usize) -> Option<Option<Quote>> {
    let mut from = *at;
    // b"..", f"..", @".." and two openings as in `("`, `["`
    if matches!(text.get(from), Some(b'@' | b'b' | b'f' | b'r' | b'u' | b'[' | b'{'))
        && matches!(text.get(from + 1), Some(b'"' | b'\''))
    {
        from += 1;
    }
    let depth = run_of(&text[from..], 16, |byte| *byte == b'\\');
    let mark = match text.get(from + depth) {
        Some(&mark @ (b'"' | b'\'' | b'`')) => mark,
        _ if depth > 0 => return None,
        _ => {
            if text[*at..].starts_with(b"&quot;") {
                *at += 6;
            }
            return Some(None);
        }
    };
    from += depth + 1;
    let step = depth + 1;
    let again = |from: usize| {
        text.get(from + depth) == Some(&mark)
            && text[from..from + depth].iter().all(|b| *b == b'\\')
    };
    if again(from) {
        if !again(from + step) {
            return None;
        }
        from += 2 * step;
    } else if run_of(&text[from..], 16, |byte| *byte == b'\\') == 2 * depth + 1
        && text.get(from + 2 * depth + 1) == Some(&mark)
    {
        // `"\"value\""`
        *at = from + 2 * depth + 2;
        return Some(Some(Quote { depth: 2 * depth + 1, mark }));
    } else if let Some(&inner @ (b'"' | b'\'' | b'`')) =
        text.get(from).filter(|inner| **inner != mark)
    {
        // `'"value"'`
        *at = from + 1;
        return Some(Some(Quote { depth, mark: inner }));
    }
    *at = from;
    Some(Some(Quote { depth, mark }))
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

/// Whether a value behind `"key":` is a JSON number or a list of them: `3.8e-20`, `[1,-2.5]`.
fn is_json_numbers(before: &[u8], value: &[u8]) -> bool {
    let key = before.trim_ascii_end().strip_suffix(b":").map(<[u8]>::trim_ascii_end);
    let value = std::str::from_utf8(value).unwrap_or_default();
    key.is_some_and(|key| key.ends_with(b"\""))
        && value.trim_matches(['[', ']', '{', '}', ',']).split(',').all(|number| {
            number.starts_with(|c: char| c == '-' || c.is_ascii_digit())
                && number.parse::<f64>().is_ok()
        })
}

/// From the start of a value to its end, without what the sentence adds.
pub(super) fn value_span(text: &[u8], glue: &Separator) -> Option<Range<usize>> {
    let end = match glue.quote {
        Some(quote) => quoted_end(text, glue.at, quote, LONGEST),
        None => bare_end(text, glue.at, LONGEST),
    };
    let span = validators::trimmed(text, glue.at..end)?;
    // The quote may have closed a string of JSON instead: its syntax is no value.
    if matches!(text[span.start], b',' | b':' | b']' | b'}') {
        return None;
    }
    if glue.quote.is_some() {
        return Some(span);
    }
    let mut span = tidy(text, span);
    // A number in JSON stays one, however long: a mark without quotes would end the JSON.
    let digits = text[span.clone()].iter().all(u8::is_ascii_digit);
    if glue.link == Link::Colon
        && (digits || is_json_numbers(&text[..glue.at], &text[span.clone()]))
    {
        return None;
    }
    // A bracket that was opened before the value closes after it.
    while let Some(last) = text[span.clone()].last() {
        let open = match last {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            b'*' => b'*',
            _ => break,
        };
        if open != b'*' && text[span.clone()].contains(&open) {
            break;
        }
        span = tidy(text, span.start..span.end - 1);
    }
    (!span.is_empty()).then_some(span)
}
