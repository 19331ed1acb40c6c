//! What a person marks as private: from `<private>` to `</private>`, or to the end of the message. It is written
//! nowhere, not even to the backup of records.
//!
//! A tag right after a back-tick is mentioned, not used.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, bytes};
use serde_json::Value;

use crate::capture::transcript::fields;

/// The fields whose texts make up one message together: what is opened in one of them goes on in the next.
const SPOKEN: [&str; 7] = ["content", "item", "message", "parts", "payload", "prompt", "text"];

/// A record without what is private in it.
pub(crate) fn without(record: &[u8]) -> Cow<'_, [u8]> {
    static TAG: LazyLock<bytes::Regex> =
        LazyLock::new(|| bytes::Regex::new(r"(?i)(?:<|\\u003c)/?private").expect("a constant"));
    if !TAG.is_match(record) {
        return Cow::Borrowed(record);
    }
    let Some(mut value) = fields::whole_value(record) else { return Cow::Borrowed(record) };
    let before = value.clone();
    clean(&mut value, &mut false);
    if value == before { Cow::Borrowed(record) } else { Cow::Owned(value.to_string().into_bytes()) }
}

/// A text without what is private in it.
pub(crate) fn in_text(text: &str) -> Cow<'_, str> {
    cut(text, &mut false)
}

/// Takes the private texts out of a value; `open` is whether one goes on.
fn clean(value: &mut Value, open: &mut bool) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(public) = cut(text, open) {
                *text = public;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, open)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let apart = &mut false;
                clean(value, if SPOKEN.contains(&name.as_str()) { open } else { apart });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn cut<'a>(text: &'a str, open: &mut bool) -> Cow<'a, str> {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)<(/?)private(?:\s[^<>]*)?>").expect("a constant"));
    let mut kept = String::new();
    let mut from = 0;
    let mut changed = *open;
    for tag in TAG.captures_iter(text) {
        let (all, closes) = (tag.get_match(), !tag[1].is_empty());
        if text[..all.start()].ends_with('`') {
            continue;
        }
        changed = true;
        if closes {
            // Without a beginning here, it began in a record before this one.
            if !*open {
                kept.clear();
            }
        } else if !*open {
            kept.push_str(&text[from..all.start()]);
        }
        *open = !closes;
        from = all.end();
    }
    if !changed {
        return Cow::Borrowed(text);
    }
    if !*open {
        kept.push_str(&text[from..]);
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_private_is_cut() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            assert_eq!(in_text(text), expect, "{text}");
        }
        check("a <private>b</private> c", "a  c");
        check("a <private>b\n\nc</private>\nd <PRIVATE>e", "a \nd ");
        check("a</private> b", " b");
        check("what does `<private>` do?", "what does `<private>` do?");
        check("a private matter", "a private matter");
        let record = br#"{"message":{"content":[{"type":"text","text":"a <private>b"},{"type":"text","text":"c"},{"type":"text","text":"d</private> e"}]},"uuid":"u"}"#;
        let expect = r#"[{"text":"a ","type":"text"},{"text":"","type":"text"},{"text":" e","type":"text"}]"#;
        let kept: Value = serde_json::from_slice(&without(record)).unwrap();
        assert_eq!(
            (kept["message"]["content"].clone(), &kept["uuid"]),
            (serde_json::from_str(expect).unwrap(), &Value::from("u"))
        );
        let escaped = br#"{"role":"user","content":"a \ud83d \u003cprivate>hidden"}"#;
        assert!(!String::from_utf8_lossy(&without(escaped)).contains("hidden"));
    }
}
