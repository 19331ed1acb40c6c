//! Fields of records, which may be missing or of the wrong kind.

use chrono::{DateTime, Datelike, Utc};
use serde::Deserialize;
use serde_json::Value;

use super::raw::{Fields, Raw};

/// The value that a record is, halves of surrogate pairs replaced.
pub(crate) fn whole_value(record: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(record).ok()?;
    let parsed = serde_json::from_str(text).ok();
    parsed.or_else(|| serde_json::from_str(&without_halves(text)).ok())
}

/// The fields of an object; `None` if it is not one.
pub(super) fn object<'a, T: Fields<'a>>(raw: Option<Raw<'a>>) -> Option<T> {
    T::take(raw?).or_else(|| value(raw))
}

/// A value of the expected kind; `None` where it is of another.
pub(super) fn value<'a, T: Deserialize<'a>>(raw: Option<Raw<'a>>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// A string. Half of a surrogate pair, which JSON written by JavaScript may hold, becomes U+FFFD.
pub(super) fn string(raw: Option<Raw<'_>>) -> Option<String> {
    let raw = raw?.get();
    if !raw.starts_with('"') {
        return None;
    }
    serde_json::from_str(raw).ok().or_else(|| serde_json::from_str(&without_halves(raw)).ok())
}

pub(super) fn flag(raw: Option<Raw<'_>>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// JSON text whose lone `\uD8xx`/`\uDCxx` escapes are replaced.
pub(super) fn without_halves(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let unit = |text: &str| {
            let digits = text.strip_prefix("\\u")?.get(..4)?;
            u16::from_str_radix(digits, 16).ok()
        };
        let taken = match unit(escape) {
            Some(0xd800..=0xdbff)
                if matches!(escape.get(6..).and_then(unit), Some(0xdc00..=0xdfff)) =>
            {
                12
            }
            Some(0xd800..=0xdfff) => {
                out.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            // The character after the backslash is part of the escape, whatever it is.
            _ => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&escape[..taken]);
        rest = &escape[taken..];
    }
    out + rest
}

/// A moment: RFC 3339, or a number of seconds or milliseconds since 1970. One that is decades off is a
/// mistake of the recorder and is ignored.
pub(super) fn time(raw: Option<Raw<'_>>) -> Option<DateTime<Utc>> {
    let time = if let Some(text) = string(raw) {
        DateTime::parse_from_rfc3339(&text).ok()?.to_utc()
    } else {
        let number: f64 = value(raw)?;
        let millis = if number.abs() < 1e11 { number * 1000.0 } else { number };
        #[expect(clippy::cast_possible_truncation, reason = "a cast saturates; checked below")]
        DateTime::from_timestamp_millis(millis as i64)?
    };
    (2000..2200).contains(&time.year()).then_some(time)
}
