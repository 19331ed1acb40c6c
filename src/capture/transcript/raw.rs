//! Values of JSON as they are written, and the fields of an object, without decoding what is not asked for.
//!
//! Most of a transcript is output of tools, and is skipped. [`serde_json`] skips it too, but looks at every byte again
//! at each level of nesting, which was half of the work of an import. What is taken apart here is a subset of what it
//! understands, with the same result; anything else (escaped names, fields that occur twice, bytes that are no JSON) is
//! left to it.

use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::capture::redact::reader::{self, JsonReader};

/// A value as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Raw<'a> {
    text: &'a str,
    /// whether it is known to be JSON, so that it is enough to find where its parts end
    checked: bool,
}

impl<'a> Raw<'a> {
    /// A value that is known to be one.
    pub(super) fn of(value: &'a RawValue) -> Self {
        Self { text: value.get(), checked: true }
    }

    pub(super) fn get(self) -> &'a str {
        self.text
    }

    /// Its fields, if it is an object that can be taken apart.
    pub(super) fn fields<const N: usize>(self, names: [&str; N]) -> Option<[Option<Self>; N]> {
        let mut reader = self.reader();
        let fields = reader.fields(names)?;
        reader.is_at_the_end().then(|| fields.map(|field| Some(self.part(field?))))
    }

    /// Its items, if it is a list that can be taken apart.
    pub(super) fn items(self) -> Option<Vec<Self>> {
        let mut reader = self.reader();
        let mut items = Vec::new();
        reader.list(|reader| {
            items.push(self.part(reader.value()?));
            Some(())
        })?;
        reader.is_at_the_end().then_some(items)
    }

    fn reader(self) -> JsonReader<'a> {
        if self.checked {
            JsonReader::trusting(self.text.as_bytes())
        } else {
            JsonReader::strict(self.text.as_bytes())
        }
    }

    /// A value that is in this one, whose reader has looked at it.
    fn part(self, span: Range<usize>) -> Self {
        Self { text: &self.text[span], checked: true }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::of)
    }
}

/// A whole line of text, if it holds no control character.
pub(super) fn line(bytes: &[u8]) -> Option<Raw<'_>> {
    reader::line(bytes).map(|text| Raw { text, checked: false })
}

/// Something that is read from the fields of an object.
pub(super) trait Fields<'a>: Deserialize<'a> {
    /// Reads it, unless the value cannot be taken apart.
    fn take(raw: Raw<'a>) -> Option<Self>;
}

/// Defines a struct of fields as they are written, each with its name in JSON; what is not there or `null` is `None`.
macro_rules! fields {
    ($(#[$about:meta])* struct $name:ident { $($(#[$doc:meta])* $field:ident: $key:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, serde::Deserialize)]
        struct $name<'a> {
            $($(#[$doc])* #[serde(borrow, rename = $key)] $field: Option<$crate::capture::transcript::raw::Raw<'a>>,)*
        }

        impl<'a> $crate::capture::transcript::raw::Fields<'a> for $name<'a> {
            fn take(raw: $crate::capture::transcript::raw::Raw<'a>) -> Option<Self> {
                let [$($field),*] = raw.fields([$($key),*])?;
                Some(Self { $($field),* })
            }
        }
    };
}
pub(super) use fields;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fields! {
        /// Some fields.
        struct Some3 {
            kind: "type",
            text: "text",
            last: "last",
        }
    }

    /// What `serde_json` says about it.
    fn told(text: &str) -> Option<[Option<String>; 3]> {
        let read: Some3<'_> = serde_json::from_str(text).ok()?;
        Some([read.kind, read.text, read.last].map(|raw| raw.map(|raw| raw.get().to_owned())))
    }

    fn taken(text: &str) -> Option<[Option<String>; 3]> {
        let read = Some3::take(line(text.as_bytes())?)?;
        Some([read.kind, read.text, read.last].map(|raw| raw.map(|raw| raw.get().to_owned())))
    }

    #[test]
    fn objects_are_taken_apart() {
        #[track_caller]
        fn check(text: &str, expect: Option<[Option<&str>; 3]>) {
            let expect = expect.map(|fields| fields.map(|field| field.map(str::to_owned)));
            assert_eq!(taken(text), expect, "{text}");
        }
        check("{}", Some([None, None, None]));
        check(
            r#" {"type" : "a\"}" , "x":[{"text":1}], "text":{"last":[2,{}]},"last":null} "#,
            Some([Some(r#""a\"}""#), Some(r#"{"last":[2,{}]}"#), None]),
        );
        check(r#"{"last":-1.5e3,"type":true}"#, Some([Some("true"), None, Some("-1.5e3")]));
        for left in [
            "",
            "{",
            "[]",
            "3",
            "null",
            "{}x",
            "{} {}",
            r#"{"type":}"#,
            r#"{"type":1,}"#,
            r#"{"type" 1}"#,
            r#"{"type":1 "text":2}"#,
            r#"{"type":"\q"}"#,
            r#"{"type":"\u12g4"}"#,
            r#"{"type":01}"#,
            r#"{"type":nul}"#,
            r#"{"t\u0079pe":1}"#,
            r#"{"type":1,"type":2}"#,
            "{\"type\":\"\u{1}\"}",
            "{type:1}",
            r#"{"x":[1,]}"#,
            r#"{"x":"#,
        ] {
            check(left, None);
        }
        let deep =
            |depth: usize| format!("{{\"type\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(taken(&deep(90)).is_some() && taken(&deep(900)).is_none());
        let items = |text: &'static str| {
            let items = line(text.as_bytes())?.items()?;
            Some(items.into_iter().map(Raw::get).collect::<Vec<_>>())
        };
        assert_eq!(items("[1, \"a]\" ,{}]"), Some(vec!["1", "\"a]\"", "{}"]));
        assert_eq!((items("[]"), items("[1")), (Some(vec![]), None));
    }

    /// JSON, and what is almost JSON.
    fn almost() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?[0-9]{1,3}(\\.[0-9]{0,2})?([eE][+-]?[0-9]{0,2})?",
            "\"([a-zA-Z 한\\\\\"/]|\\\\[\"\\\\/bfnrtuq]|\\\\u[0-9a-g]{4}){0,8}\"",
        ];
        let name = prop_oneof![Just("type"), Just("text"), Just("last"), Just("x"), Just("a b")];
        let value = leaf.prop_recursive(3, 12, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec((name.clone(), inner), 0..4).prop_map(|fields| {
                    let fields = fields.iter().map(|(name, value)| format!("\"{name}\": {value}"));
                    format!("{{{}}}", fields.collect::<Vec<_>>().join(" ,"))
                }),
            ]
        });
        (
            value,
            any::<prop::sample::Index>(),
            prop_oneof![4 => Just(String::new()), 1 => "[\\]\\[{}\",: 0\\\\a]"],
        )
            .prop_map(|(mut text, at, put)| {
                let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                if !places.is_empty() {
                    text.insert_str(places[at.index(places.len())], &put);
                }
                text
            })
    }

    proptest! {
        #[test]
        fn what_is_taken_apart_is_what_serde_reads(text in almost()) {
            if let Some(taken) = taken(&text) {
                // What is in them is read without looking for mistakes again.
                for field in taken.iter().flatten() {
                    let nested: Raw<'_> = serde_json::from_str(field).unwrap();
                    let strict = line(field.as_bytes()).unwrap();
                    prop_assert_eq!(nested.fields(["type", "x"]), strict.fields(["type", "x"]));
                    prop_assert_eq!(nested.items(), strict.items());
                }
                prop_assert_eq!(Some(taken), told(&text));
            }
            if reader::is_json(text.as_bytes()) {
                serde_json::from_str::<serde::de::IgnoredAny>(&text).unwrap();
            }
            if let Some(items) = line(text.as_bytes()).and_then(Raw::items) {
                let items: Vec<&str> = items.into_iter().map(Raw::get).collect();
                let told: Vec<&RawValue> = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(items, told.into_iter().map(RawValue::get).collect::<Vec<_>>());
            }
        }
    }
}
