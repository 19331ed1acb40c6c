//! Single members of a JSON file: our own configuration, and what the npm tool left in `openclaw.json`.

use serde_json::{Value as Json, json};

use super::json::{self, JsonKey, ParseError};
use super::npm_tool::{OPENCLAW_ENTRY as ENTRY, OPENCLAW_VARIABLE};

/// Gives a member its value, making the objects on the way; everything else stays as it is. Fails when the file does
/// not parse or something on the way is no object.
pub(crate) fn set(bytes: &[u8], path: &[&str], value: &Json) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let keys: Vec<_> = path.iter().map(|name| JsonKey::Name(name)).collect();
    let root = json::parse(text)?;
    let Some(root) = &root else {
        let nested = path.iter().rev().fold(value.clone(), |value, name| json!({*name: value}));
        return Ok(format!("{bom}{}", json::whole(&nested, text)).into_bytes());
    };
    let depth = (0..=keys.len())
        .rev()
        .find(|depth| json::look(root, &keys[..*depth]).is_some())
        .unwrap_or(0);
    let text = if depth == keys.len() {
        json::replace(text, &keys, value)
    } else {
        let found = json::look(root, &keys[..depth]);
        if found.is_none_or(|found| found.as_object().is_none()) {
            let name = path[..depth].last().copied().unwrap_or("the file");
            return Err(ParseError::at(text, 0, format!("`{name}` is not an object")));
        }
        let nested =
            path[depth + 1..].iter().rev().fold(value.clone(), |value, name| json!({*name: value}));
        json::append(text, &keys[..depth], Some(path[depth]), &nested)
    };
    Ok(format!("{bom}{text}").into_bytes())
}

/// Takes the npm tool's entry out of an `openclaw.json`, and the containers that have nothing else.
pub(crate) fn take_npm_entry(bytes: &[u8]) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let mut text = text.to_owned();
    let binary = [&ENTRY[..], &OPENCLAW_VARIABLE].concat();
    if json::at(&text, &binary, |_| ()).is_none() {
        return Ok(bytes.to_vec());
    }
    text = json::remove(&text, &ENTRY);
    if json::empty_container(&text, &ENTRY[..3]).is_some() {
        text = json::remove(&text, &ENTRY[..3]);
        if only_switch(&text, &ENTRY[..2]) {
            text = json::remove(&text, &ENTRY[..2]);
        }
        if json::empty_container(&text, &ENTRY[..1]).is_some() {
            text = json::remove(&text, &ENTRY[..1]);
        }
    }
    Ok(format!("{bom}{text}").into_bytes())
}

/// Whether `enabled` is all there is.
fn only_switch(text: &str, path: &[JsonKey<'_>]) -> bool {
    let only = json::at(text, path, |found| {
        let members = found.as_object().map(|found| &found.properties);
        members.is_some_and(|members| members.iter().all(|it| it.name.as_str() == "enabled"))
    });
    only == Some(true)
}

/// The members of an object at the root that are `true`.
pub(crate) fn switched_on(bytes: &[u8], name: &str) -> Vec<String> {
    let Ok((_, text)) = json::check(bytes) else { return Vec::new() };
    let members = json::at(text, &[JsonKey::Name(name)], |found| {
        let members = found.as_object().into_iter().flat_map(|object| &object.properties);
        members
            .filter(|member| member.value.as_boolean_lit().is_some_and(|lit| lit.value))
            .map(|member| member.name.as_str().to_owned())
            .collect()
    });
    members.unwrap_or_default()
}

/// Whether nothing is left that anybody wrote: no member but `$schema`, no element, no comment.
pub(crate) fn is_effectively_empty(bytes: &[u8]) -> bool {
    let Ok((_, text)) = json::check(bytes) else { return false };
    let text = json::remove(text, &[JsonKey::Name("$schema")]);
    matches!(text.split_whitespace().collect::<String>().as_str(), "" | "{}" | "[]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_set_in_place() {
        #[track_caller]
        fn check(text: &str, path: &[&str], value: &Json, expect: &str) {
            let new = set(text.as_bytes(), path, value).unwrap();
            assert_eq!(String::from_utf8(new).unwrap(), expect);
        }
        let no = json!(false);
        check("{\"a\": 1.0}\n", &["a"], &no, "{\"a\": false}\n");
        check(
            "{\n  \"x\": 1\n}\n",
            &["s", "v"],
            &no,
            "{\n  \"x\": 1,\n  \"s\": {\n    \"v\": false\n  }\n}\n",
        );
        check(
            "{\n  \"s\": {\n    \"u\": 1\n  }\n}\n",
            &["s", "v"],
            &no,
            "{\n  \"s\": {\n    \"u\": 1,\n    \"v\": false\n  }\n}\n",
        );
        check("", &["s", "v"], &no, "{\n  \"s\": {\n    \"v\": false\n  }\n}\n");
        assert!(set(b"{\"s\": 3}", &["s", "v"], &no).is_err());
    }

    #[test]
    fn the_npm_entry_leaves_with_its_empty_shells() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            let new = take_npm_entry(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(new).unwrap(), expect);
        }
        let ours = r#""hipocampus-compact": {"enabled": true, "env": {"HIPOCAMPUS_BIN": "/x"}}"#;
        let entry = |before: &str, more: &str| {
            format!(
                r#"{{{before}"hooks": {{"internal": {{"enabled": true, "entries": {{{ours}{more}}}}}}}}}"#
            )
        };
        check(&entry("\"a\": 1, ", ""), "{\"a\": 1}");
        check(&entry("", ""), "{}");
        check(
            &entry("", ", \"mine\": {}"),
            r#"{"hooks": {"internal": {"enabled": true, "entries": {"mine": {}}}}}"#,
        );
        // The user's own entry of that name.
        let own =
            r#"{"hooks": {"internal": {"entries": {"hipocampus-compact": {"enabled": true}}}}}"#;
        check(own, own);
    }

    #[test]
    fn void_is_what_nobody_wrote() {
        for void in ["", " \n", "{}", "{ }", "[]", "{\"$schema\": \"x\"}"] {
            assert!(is_effectively_empty(void.as_bytes()), "{void}");
        }
        for full in ["{\"a\": 1}", "{ /* mine */ }", "{", "[1]"] {
            assert!(!is_effectively_empty(full.as_bytes()), "{full}");
        }
    }
}
