//! Objects of a configuration. What `serde` derives also reads a list as the fields of an object in their order; who
//! writes one means something else.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Reads an object, and nothing else.
///
/// # Errors
/// When it is of another kind, or a field of it is.
pub(crate) fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    from.deserialize_map(ObjectOf(PhantomData))
}

/// Reads a list of objects.
///
/// # Errors
/// When it is of another kind, or one of them is.
pub(crate) fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let all: Vec<Object<T>> = Vec::deserialize(from)?;
    Ok(all.into_iter().map(|Object(it)| it).collect())
}

/// Something that only an object is read as.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        object(from).map(Self)
    }
}

struct ObjectOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectOf<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}
