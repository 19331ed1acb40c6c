//! Where a value begins after its name, with or without a quote, and where it ends.

use std::ops::Range;

use super::surroundings::{Quote, bare_end, quoted_end, run_of, tidy};
use super::validators;

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

/// A value that is at a place, after its opening quote if it has one.
pub(super) fn opened(text: &[u8], mut at: usize, link: Link) -> Option<Separator> {
    opening(text, &mut at).map(|quote| Separator { at, quote, link })
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
