//! Keys of the configuration that look like a misspelling of a known one.

use serde_json::Value;

use crate::plan::Note;

/// The schema that is made from the types; a test below holds both together.
const SCHEMA: &str = include_str!("../../spec/config.schema.json");

/// What to say about a key that nobody knows, if it is close to one that is known: others may keep their own keys here.
/// `key` is its path, `compaction.rootMaxTokens`.
pub(super) fn slip(text: &[u8], path: &str, key: &str) -> Option<Note> {
    let (parent, name) = key.rsplit_once('.').unwrap_or(("", key));
    let known = siblings(parent);
    // Keys that only editors read are known, too.
    if known.iter().any(|known| known == name) {
        return None;
    }
    let near = |known: &String| (strsim::jaro_winkler(known, name), known.clone());
    let (likeness, known) = known.iter().map(near).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let near = if parent.is_empty() { known } else { format!("{parent}.{known}") };
    let (line, column) = place(text, name)?;
    (likeness >= 0.85).then(|| {
        let text =
            format!("`{key}` means nothing (line {line}, column {column}); did you mean `{near}`?");
        Note::remark(path, text)
    })
}

/// The keys that there are in an object of the configuration.
fn siblings(parent: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
    let inner = |at: &Value, name: &str| at["properties"][name].clone();
    let at =
        parent.split('.').filter(|name| !name.is_empty()).fold(schema, |at, name| inner(&at, name));
    at["properties"].as_object().map(|keys| keys.keys().cloned().collect()).unwrap_or_default()
}

/// Line and column, from 1, of the first place where a key of this name stands.
fn place(text: &[u8], name: &str) -> Option<(usize, usize)> {
    let quoted = serde_json::to_string(name).ok()?;
    let at = memchr::memmem::find(text, quoted.as_bytes())?;
    Some(line_and_column(&text[..at]))
}

/// Line and column, from 1 and in bytes, of what follows a text.
pub(super) fn line_and_column(before: &[u8]) -> (usize, usize) {
    let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    (memchr::memchr_iter(b'\n', before).count() + 1, before.len() - line + 1)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "holds a file to the types")]

    use super::*;
    use crate::config::Config;
    use crate::platform;

    /// The schema of the types, with what a type cannot express.
    fn made() -> Value {
        let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
        });
        let schema = settings.into_generator().into_root_schema_for::<Config>();
        let mut schema = schema.to_value();
        let ids = platform::real().map(|row| row.id).collect::<Vec<_>>();
        schema["title"] = "hipocampus.config.json".into();
        schema["properties"]["$schema"] = serde_json::json!({"type": "string"});
        schema["properties"]["platform"]["enum"] = serde_json::json!(ids);
        schema["properties"]["platforms"]["items"]["enum"] = serde_json::json!(ids);
        schema
    }

    /// To renew the file: `RENEW=1 cargo test --lib config`.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/spec/config.schema.json");
        let made = serde_json::to_string_pretty(&made()).unwrap() + "\n";
        if std::env::var_os("RENEW").is_some() {
            std::fs::write(path, &made).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), made);
    }

    #[test]
    fn no_list_passes_for_an_object() {
        #[track_caller]
        fn check(text: &str, place: &str) {
            let what = Config::parse(text.as_bytes(), "c.json").unwrap_err().what;
            let expect = format!("{place}invalid type: sequence, expected an object");
            assert_eq!(what, expect, "{text}");
        }
        check("[]", "`c.json:1:0`: ");
        let mut objects = 0;
        for (key, about) in made()["properties"].as_object().unwrap() {
            if about["type"] == "object" {
                objects += 1;
                let text = format!("{{\"{key}\": [1]}}");
                check(&text, &format!("`c.json:1:{}`: `{key}`: ", key.len() + 5));
            }
        }
        assert_eq!(objects, 7);
        check(
            r#"{"redaction": {"rules": [{"id": "a", "regex": "b"}, ["c", [], "d"]]}}"#,
            "`c.json:1:52`: `redaction.rules[1]`: ",
        );
    }

    #[test]
    fn a_slip_is_told_with_its_place_and_the_nearest_key() {
        #[track_caller]
        fn check(text: &str, expect: Option<&str>) {
            let (_, notes) = Config::parse(text.as_bytes(), "c.json").unwrap();
            let told = notes.first().map(ToString::to_string);
            let expect = expect.map(|what| format!("`c.json`: {what}"));
            assert_eq!(told, expect, "{text}");
        }
        check(
            "{\n  \"compactoin\": {}\n}",
            Some("`compactoin` means nothing (line 2, column 3); did you mean `compaction`?"),
        );
        check(
            "{\"compaction\": {\"rootMaxToken\": 1}}",
            Some(
                "`compaction.rootMaxToken` means nothing (line 1, column 17); did you mean `compaction.rootMaxTokens`?",
            ),
        );
        check(
            "{\"redaction\": {\"allows\": []}}",
            Some(
                "`redaction.allows` means nothing (line 1, column 16); did you mean `redaction.allow`?",
            ),
        );
        check("{\"$schema\": \"x\", \"myTool\": 1, \"notes\": {\"a\": 1}}", None);
        check("{\"search\": {\"collection\": \"mine\"}}", None);
    }
}
