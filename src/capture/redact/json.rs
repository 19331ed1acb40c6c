//! JSON and JSONL: secrets are looked for in the decoded strings and replaced in the text as it stands, so
//! that numbers, keys, order and spacing stay byte for byte.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::reader::is_json;
use super::scan::{self, Finding};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonPart {
    Json(Range<usize>),
    /// lines that do not parse
    Text(Range<usize>),
}

impl JsonPart {
    pub(super) fn span(&self) -> &Range<usize> {
        match self {
            JsonPart::Json(span) | JsonPart::Text(span) => span,
        }
    }
}

/// Whether the text starts like JSON.
pub(super) fn begins(text: &[u8]) -> bool {
    text.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'{' | b'['))
}

/// Whether a document is read as JSON, or any of its lines.
pub(super) fn holds_any(text: &[u8]) -> bool {
    begins(text) && parts(text).iter().any(|part| matches!(part, JsonPart::Json(_)))
}

fn valid(text: &[u8]) -> bool {
    begins(text) && (is_json(text) || serde_json::from_slice::<IgnoredAny>(text).is_ok())
}

/// Splits a document into JSON values, one for all of it or one a line, and the text between them.
pub(super) fn parts(text: &[u8]) -> Vec<JsonPart> {
    if valid(text) {
        return vec![JsonPart::Json(0..text.len())];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end =
            memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length + 1);
        let line = &text[start..end];
        match parts.last_mut() {
            _ if valid(line) => parts.push(JsonPart::Json(start..end)),
            // Lines that belong together are looked at together: a key may span them.
            Some(JsonPart::Text(before)) => before.end = end,
            _ => parts.push(JsonPart::Text(start..end)),
        }
        start = end;
    }
    parts
}

/// One string of a JSON value.
#[derive(Debug)]
pub(super) struct JsonString<'a> {
    /// where it stands, without its quotes
    raw: Range<usize>,
    pub(super) decoded: Cow<'a, [u8]>,
    /// the name of its value: its key, or the `name` beside a `value`
    pub(super) name: Option<Cow<'a, [u8]>>,
}

/// What an object or a list belongs to, while strings are read.
#[derive(Debug, Default, Clone)]
struct Inside {
    /// the key its value is at
    parent: Option<Range<usize>>,
    /// the `name` beside a `value`
    sibling: Option<Range<usize>>,
    /// the element before, if it is an option: `"--token"`
    option: Option<Range<usize>>,
}

/// Every string of a valid JSON value that is at `part`.
pub(super) fn strings(text: &[u8], part: Range<usize>) -> Vec<JsonString<'_>> {
    let mut strings: Vec<JsonString> = Vec::new();
    let mut at = part.start;
    let mut key: Option<Range<usize>> = None;
    let mut outer: Vec<Inside> = Vec::new();
    let mut here = Inside::default();
    while let Some(offset) = memchr::memchr(b'"', &text[at..part.end]) {
        for byte in &text[at..at + offset] {
            match byte {
                b'{' => {
                    outer.push(std::mem::take(&mut here));
                    here.parent = key.take();
                }
                b'}' => {
                    key = None;
                    here = outer.pop().unwrap_or_default();
                }
                b'[' | b']' => here.option = None,
                _ => {}
            }
        }
        let start = at + offset + 1;
        let end = string_end(text, start, part.end);
        at = end + 1;
        let raw = start..end;
        let is_key = text[at.min(part.end)..part.end].trim_ascii_start().first() == Some(&b':');
        let name = if is_key { None } else { name_of(text, key.as_ref(), &here) };
        strings.push(JsonString { raw: raw.clone(), decoded: decode(&text[raw.clone()]), name });
        here.option = (!is_key && is_option(&text[raw.clone()])).then(|| raw.clone());
        if is_key {
            key = Some(raw);
        } else if key.as_ref().is_some_and(|own| {
            is_any(&text[own.clone()], &["name", "key", "variable", "header", "field"])
        }) {
            here.sibling = Some(raw);
        }
    }
    strings
}

/// What a value is called: by its key, by the `name` beside it, by the option before it, by what it is part of.
fn name_of<'t>(text: &'t [u8], key: Option<&Range<usize>>, here: &Inside) -> Option<Cow<'t, [u8]>> {
    let read = |name: &Range<usize>| decode(&text[name.clone()]);
    if let Some(option) = &here.option {
        return Some(read(option));
    }
    let own = key?;
    if is_any(&text[own.clone()], &["value", "default", "content", "data", "plaintext"])
        && let Some(name) = here.sibling.as_ref().or(here.parent.as_ref())
    {
        return Some(read(name));
    }
    if let Some(parent) = &here.parent
        && is_any(
            &text[parent.clone()],
            &["secret", "secrets", "credential", "credentials", "passwords", "apikeys", "api_keys"],
        )
    {
        let mut both = text[parent.clone()].to_vec();
        both.push(b'_');
        both.extend_from_slice(&text[own.clone()]);
        return Some(Cow::Owned(both));
    }
    Some(read(own))
}

/// `--token`, `-p`
fn is_option(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"--").or_else(|| text.strip_prefix(b"-")).unwrap_or_default();
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() < 40
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn is_any(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

fn string_end(text: &[u8], from: usize, limit: usize) -> usize {
    let mut at = from;
    while let Some(offset) = memchr::memchr2(b'"', b'\\', &text[at..limit]) {
        at += offset;
        if text[at] == b'"' {
            return at;
        }
        at = (at + 2).min(limit);
    }
    limit
}

impl JsonString<'_> {
    /// The secrets in it, as spans of the decoded text.
    pub(super) fn scan(&self, scan: impl Fn(&[u8]) -> Vec<Finding>) -> Vec<Finding> {
        let Some(name) = self.name.as_deref().filter(|name| scan::telling(name)) else {
            return scan(&self.decoded);
        };
        let mut told = name.to_vec();
        told.extend_from_slice(b"\": \"");
        let lead = told.len();
        told.extend_from_slice(&self.decoded);
        told.push(b'"');
        let mut found = scan(&told);
        found.retain_mut(|finding| {
            let inside = finding.span.start >= lead && finding.span.end < told.len();
            if inside {
                finding.span = finding.span.start - lead..finding.span.end - lead;
            }
            inside
        });
        found
    }

    /// Where spans of the decoded text are in the document.
    pub(super) fn place(
        &self,
        text: &[u8],
        spans: impl IntoIterator<Item = Finding>,
    ) -> Vec<Finding> {
        let raw = &text[self.raw.clone()];
        let mut spans = spans.into_iter().peekable();
        let starts = match self.decoded {
            Cow::Owned(_) if spans.peek().is_some() => Some(starts(raw)),
            _ => None,
        };
        let place = |at: usize| self.raw.start + starts.as_ref().map_or(at, |starts| starts[at]);
        spans
            .map(|finding| Finding {
                span: place(finding.span.start)..place(finding.span.end),
                ..finding
            })
            .collect()
    }
}

/// The content of a JSON string.
fn decode(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut decoded = Vec::with_capacity(raw.len());
    each_piece(raw, |piece, _| match piece {
        StringPart::Plain(bytes) => decoded.extend_from_slice(bytes),
        StringPart::Escape(character) => {
            decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    });
    Cow::Owned(decoded)
}

/// For each byte of the content, and for its end, where in the string it came from.
fn starts(raw: &[u8]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(raw.len() + 1);
    each_piece(raw, |piece, at| match piece {
        StringPart::Plain(bytes) => starts.extend(at..at + bytes.len()),
        StringPart::Escape(character) => {
            starts.extend(std::iter::repeat_n(at, character.len_utf8()));
        }
    });
    starts.push(raw.len());
    starts
}

/// A part of a JSON string: bytes as they stand, or one escape.
enum StringPart<'a> {
    Plain(&'a [u8]),
    Escape(char),
}

fn each_piece<'a>(raw: &'a [u8], mut piece: impl FnMut(StringPart<'a>, usize)) {
    let mut at = 0;
    while at < raw.len() {
        let plain = memchr::memchr(b'\\', &raw[at..]).unwrap_or(raw.len() - at);
        piece(StringPart::Plain(&raw[at..at + plain]), at);
        at += plain;
        let Some(escape) = raw.get(at + 1) else { return };
        let (length, character) =
            if *escape == b'u' { unicode(&raw[at..]) } else { (2, char::from(simple(*escape))) };
        piece(StringPart::Escape(character), at);
        at += length;
    }
}

fn simple(escape: u8) -> u8 {
    match escape {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        other => other,
    }
}

/// `\u....`, or two of them for a character outside the basic plane.
fn unicode(raw: &[u8]) -> (usize, char) {
    let unit = |from: usize| {
        raw.get(from..from + 6)
            .filter(|part| part.starts_with(b"\\u"))
            .and_then(|part| std::str::from_utf8(&part[2..]).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    match (unit(0), unit(6)) {
        (Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            (12, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        (Some(code), _) => (6, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
        (None, _) => (2, 'u'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_split_into_values_and_text() {
        let check =
            |text: &str, expect: &[JsonPart]| assert_eq!(parts(text.as_bytes()), expect, "{text}");
        check("{\"a\":1}\n{\"b\":2}\n", &[JsonPart::Json(0..8), JsonPart::Json(8..16)]);
        check("{\n\"a\":1}\n", &[JsonPart::Json(0..9)]);
        check("x\ny\n{}\n", &[JsonPart::Text(0..4), JsonPart::Json(4..7)]);
        check("{\"a\":}\n", &[JsonPart::Text(0..7)]);
    }

    #[test]
    fn strings_know_their_names() {
        let text = br#"{"a":"b","env":[{"name":"PW","value":"c"}],"d\n":"\u00e9"}"#;
        let all: Vec<_> = strings(text, 0..text.len())
            .into_iter()
            .map(|s| {
                let name = s.name.as_deref().map(|name| String::from_utf8_lossy(name).into_owned());
                (String::from_utf8_lossy(&s.decoded).into_owned(), name)
            })
            .collect();
        let expect = [
            ("a", None),
            ("b", Some("a")),
            ("env", None),
            ("name", None),
            ("PW", Some("name")),
            ("value", None),
            ("c", Some("PW")),
            ("d\n", None),
            ("é", Some("d\n")),
        ];
        assert_eq!(all, expect.map(|(text, name)| (text.to_owned(), name.map(str::to_owned))));
    }

    #[test]
    fn escapes_map_back_to_where_they_stood() {
        let raw = br"a\nb\ud83d\ude00c";
        assert_eq!(&*decode(raw), "a\nb😀c".as_bytes());
        assert_eq!(starts(raw), [0, 1, 3, 4, 4, 4, 4, 16, 17]);
    }
}
