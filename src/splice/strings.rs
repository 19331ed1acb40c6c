//! Strings of ours in an array of a user's JSON file: `instructions` of OpenCode.

use jsonc_parser::ast::Value;
use serde_json::json;

use super::json::{self, JsonKey, ParseError};

/// Adds the strings that are missing at the end of the array `key`. Fails when the file does not parse, or something
/// else is where the strings go.
pub(crate) fn put(bytes: &[u8], key: &str, strings: &[&str]) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let mut text = text.to_owned();
    let root = json::parse(&text)?;
    let present = match &root {
        None => None,
        Some(root @ Value::Object(_)) => match json::look(root, &[JsonKey::Name(key)]) {
            None => None,
            Some(Value::Array(array)) => Some(elements(&array.elements)),
            Some(other) => return Err(slip(&text, other, &format!("`{key}` is not an array"))),
        },
        Some(other) => return Err(slip(&text, other, "the file is not an object")),
    };
    let is_there =
        |string: &str| present.iter().flatten().any(|found| found.as_deref() == Some(string));
    let missing: Vec<_> = strings.iter().filter(|string| !is_there(string)).collect();
    let blank = root.is_none();
    let new = present.is_none();
    drop(root);
    if missing.is_empty() {
        return Ok(bytes.to_vec());
    }
    if blank {
        text = json::whole(&json!({}), &text);
    }
    if new {
        text = json::append(&text, &[], Some(key), &json!(missing));
    } else {
        for string in missing {
            text = json::append(&text, &[JsonKey::Name(key)], None, &json!(string));
        }
    }
    Ok(format!("{bom}{text}").into_bytes())
}

/// Takes the strings out, and the array if nothing else is in it. Those that `before`, the file as it
/// was before our first edit, had already stay, and so does an array that was there empty.
pub(crate) fn take_out(
    bytes: &[u8],
    key: &str,
    strings: &[&str],
    before: Option<&[u8]>,
) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let before = before.and_then(|bytes| json::check(bytes).ok()).map(|(_, text)| text);
    let kept = before.map(|before| strings_in(before, key)).unwrap_or_default();
    let mut text = text.to_owned();
    loop {
        let ours = strings_in(&text, key).iter().rposition(|found| {
            found.as_deref().is_some_and(|found| strings.contains(&found)) && !kept.contains(found)
        });
        let Some(index) = ours else { break };
        let place = [JsonKey::Name(key), JsonKey::Index(index)];
        text = json::remove_with_shells(&text, &place, 1, before);
    }
    text = json::with_root_as_empty_as(text, before);
    Ok(format!("{bom}{text}").into_bytes())
}

/// The elements of an array of strings; `None` for what is no string.
fn strings_in(text: &str, key: &str) -> Vec<Option<String>> {
    let strings = json::at(text, &[JsonKey::Name(key)], |found| match found {
        Value::Array(array) => elements(&array.elements),
        _ => Vec::new(),
    });
    strings.unwrap_or_default()
}

fn elements(values: &[Value<'_>]) -> Vec<Option<String>> {
    values.iter().map(|value| value.as_string_lit().map(|lit| lit.value.to_string())).collect()
}

fn slip(text: &str, value: &Value<'_>, what: &str) -> ParseError {
    use jsonc_parser::common::Ranged;
    ParseError::at(text, value.range().start, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: [&str; 2] = ["memory/ROOT.md", "WORKING.md"];

    #[track_caller]
    fn round(text: &str, expect: &str) {
        let with = put(text.as_bytes(), "instructions", &OURS).unwrap();
        assert_eq!(String::from_utf8_lossy(&with), expect);
        assert_eq!(put(&with, "instructions", &OURS).unwrap(), with);
        let out = take_out(&with, "instructions", &OURS, Some(text.as_bytes())).unwrap();
        assert_eq!(String::from_utf8_lossy(&out), text);
    }

    #[test]
    fn strings_go_in_and_come_out() {
        round("{\"a\":1.0}", "{\"a\":1.0, \"instructions\": [\"memory/ROOT.md\", \"WORKING.md\"]}");
        round(
            "{\n  \"instructions\": [\"mine.md\"] // c\n}",
            "{\n  \"instructions\": [\"mine.md\", \"memory/ROOT.md\", \"WORKING.md\"] // c\n}",
        );
        round(
            "{\"instructions\": [ ]}",
            "{\"instructions\": [\"memory/ROOT.md\", \"WORKING.md\"]}",
        );
        // One of them was the user's own idea.
        round(
            "{\"instructions\": [\"WORKING.md\"]}",
            "{\"instructions\": [\"WORKING.md\", \"memory/ROOT.md\"]}",
        );
        round(
            "{ }",
            "{\n  \"instructions\": [\n    \"memory/ROOT.md\",\n    \"WORKING.md\"\n  ]\n}",
        );
    }

    #[test]
    fn something_else_in_the_place_is_an_error() {
        let slip = put(b"{\n  \"instructions\": \"a\"\n}", "instructions", &OURS).unwrap_err();
        assert_eq!((slip.line, slip.column), (2, 19));
        assert!(put(b"[]", "instructions", &OURS).is_err());
    }
}
