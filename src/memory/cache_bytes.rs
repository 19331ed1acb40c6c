//! The bytes of a cache.

use serde::Serialize;

/// Puts the bytes of a value behind others.
///
/// # Errors
/// Where the value has a part of which nobody knows how long it is.
pub(crate) fn append<T: Serialize>(bytes: Vec<u8>, value: &T) -> postcard::Result<Vec<u8>> {
    postcard::to_extend(value, CacheBytes(bytes)).map(|bytes| bytes.0)
}

struct CacheBytes(Vec<u8>);

/// What is copied byte by byte: numbers of a few bytes each are most of a cache, and static builds take longer to get
/// ready to copy several at once.
const FEW: usize = 8;

impl Extend<u8> for CacheBytes {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        let bytes = bytes.into_iter();
        if bytes.size_hint().0 > FEW {
            self.0.extend(bytes);
        } else {
            bytes.for_each(|byte| self.0.push(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_postcard(value: (Vec<u64>, String, Option<u8>), before: Vec<u8>) {
            let bytes = append(before.clone(), &value).unwrap();
            let (first, rest) = bytes.split_at(before.len());
            prop_assert_eq!(first, &before[..]);
            prop_assert_eq!(rest, postcard::to_allocvec(&value).unwrap());
        }
    }
}
