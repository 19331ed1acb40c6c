//! Keys whose lines are strings of their own: an array of lines, or a log with one JSON entry for each line.

use std::borrow::Cow;
use std::ops::Range;

use super::json::{self, JsonPart};
use super::keys;
use super::rules;
use super::scan::Finding;

/// Strings of the same name that may be between two lines: entries of other programs in the same log.
const MOST_BETWEEN: usize = 4;

/// A key that has begun and has not ended.
struct Open<'t> {
    /// what the string is called that holds its first line
    name: Option<Cow<'t, [u8]>>,
    /// what goes once a line has proven that this is a key
    waiting: Vec<Finding>,
    /// how wide its lines are; 0 before the first
    width: usize,
    between: usize,
}

/// The lines of all keys that are spread over strings.
pub(super) fn across(text: &[u8], parts: &[JsonPart]) -> Vec<Finding> {
    let mut found = Vec::new();
    if memchr::memmem::find(text, b"-BEGIN ").is_none() {
        return found;
    }
    let mut open: Option<Open> = None;
    let values = parts.iter().filter_map(|part| match part {
        JsonPart::Json(value) => Some(value.clone()),
        JsonPart::Text(_) => None,
    });
    for string in values.flat_map(|value| json::strings(text, value)) {
        let place = |span: Range<usize>| {
            let id = Cow::Borrowed(rules::PRIVATE_KEY);
            string.place(text, [Finding { span, id, rank: 0 }])
        };
        if let Some(begin) = keys::only_begin(&string.decoded) {
            let waiting = place(begin);
            open = Some(Open { name: string.name, waiting, width: 0, between: 0 });
            continue;
        }
        let Some(key) = open.as_mut().filter(|key| key.name == string.name) else { continue };
        if let Some(end) = keys::only_end(&string.decoded) {
            if key.width > 0 {
                found.append(&mut key.waiting);
                found.extend(place(end));
            }
            open = None;
        } else if let Some(line) = keys::only_line(&string.decoded, key.width) {
            key.width = line.len();
            key.between = 0;
            found.append(&mut key.waiting);
            found.extend(place(line));
        } else {
            // The last line is shorter; whether this is one only the END after it tells.
            if let Some(last) = keys::last_line(&string.decoded, key.width) {
                key.waiting.extend(place(last));
            }
            key.between += 1;
            if key.between > MOST_BETWEEN {
                open = None;
            }
        }
    }
    found
}
