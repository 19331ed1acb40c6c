//! Maps whose keys are hashes already, and the hash of a text whatever its case and the spelling of its accents.

use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

use crate::text::composed;

/// For maps by `u64`, where a key is its own hash, and by places.
pub(crate) type Hashed = BuildHasherDefault<Given>;

/// See [`Hashed`].
#[derive(Default)]
pub(crate) struct Given(u64);

impl Hasher for Given {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(5) ^ xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Small numbers, which have to be spread.
    fn write_usize(&mut self, number: usize) {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(26) ^ number as u64).wrapping_mul(SPREAD);
        self.0 ^= self.0 >> 32;
    }
}

/// The hash of a text in lower case, its accents composed. Makes no copy of a short ASCII text.
pub(crate) fn hash_folded(text: &str) -> u64 {
    /// In bytes: hardly any sentence of ROOT.md is longer.
    const SHORT: usize = 176;
    let mut buffer = [0; SHORT];
    match buffer.get_mut(..text.len()) {
        Some(folded) if text.is_ascii() => {
            // Not copied first: most words are short, and static builds copy those slowly.
            for (folded, byte) in folded.iter_mut().zip(text.bytes()) {
                *folded = byte.to_ascii_lowercase();
            }
            xxh3_64(folded)
        }
        _ => xxh3_64(composed(text).to_lowercase().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_case_alone_have_one_hash() {
        fn check(text: &str) {
            assert_eq!(hash_folded(text), xxh3_64(text.to_lowercase().as_bytes()), "{text}");
        }
        check("");
        check("Auth Refactor");
        check("ÜBER Straße 토큰");
        check(&"Long ".repeat(20));
        assert_eq!(hash_folded("Cafe\u{301}"), hash_folded("CAFÉ"));
    }
}
