//! The members of a JSON object, each value in the letters in which somebody wrote it: a number may have more digits
//! than any type of ours, and `1.10` is not `1.1`.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::StateError;

#[derive(Debug, Clone, Default)]
pub(crate) struct StateFields(Vec<(String, Box<RawValue>)>);

impl StateFields {
    /// Reads an object. Fails when the text is anything else.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, StateError> {
        let wrong = |error: &serde_json::Error| StateError::NotJson(error.line());
        let whole: &RawValue = serde_json::from_slice(text).map_err(|error| wrong(&error))?;
        if !whole.get().starts_with('{') {
            return Err(StateError::NotObject);
        }
        serde_json::from_slice(text).map_err(|error| wrong(&error))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| &**key)
    }

    /// A value as it is written.
    pub(crate) fn raw(&self, key: &str) -> Option<&RawValue> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| &**value)
    }

    /// A value as what it means.
    pub(crate) fn get(&self, key: &str) -> Option<Value> {
        serde_json::from_str(self.raw(key)?.get()).ok()
    }

    /// Sets a value; of a key that is there, in its place.
    pub(crate) fn put(&mut self, key: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// The same with a value of ours.
    pub(crate) fn insert(&mut self, key: &str, value: impl Into<Value>) {
        if let Ok(value) = serde_json::value::to_raw_value(&value.into()) {
            self.put(key, value);
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(known, _)| known != key);
    }
}

impl PartialEq for StateFields {
    fn eq(&self, other: &Self) -> bool {
        fn written((key, value): &(String, Box<RawValue>)) -> (&str, &str) {
            (key, value.get())
        }
        self.0.iter().map(written).eq(other.0.iter().map(written))
    }
}

impl Serialize for StateFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for StateFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = StateFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StateFields, A::Error> {
                let mut fields = StateFields::default();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.put(&key, value);
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(Members)
    }
}
