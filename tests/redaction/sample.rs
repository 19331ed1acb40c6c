//! Secrets that are made when the test runs, so that no file of this project holds one.

use hipocampus::redact::Redactor;

pub(crate) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const BASE36: &str = "0123456789abcdefghijklmnopqrstuvwxyz";
pub(crate) const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
pub(crate) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// `length` characters of `alphabet`, the same ones each time, different for each length and alphabet.
pub(crate) fn fake(alphabet: &str, length: usize) -> String {
    let letters = alphabet.as_bytes();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ (length as u64) << 32 ^ letters.len() as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % letters.len() as u64).unwrap()
    };
    (0..length).map(|_| char::from(letters[next()])).collect()
}

/// Letters in an order that is the same each time.
pub(crate) struct Random(u64);

impl Random {
    /// Different seeds give different letters.
    pub(crate) fn new(seed: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_mul(0xff51_afd7_ed55_8ccd))
    }

    /// `length` characters of `alphabet`.
    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        let mut next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from((self.0 >> 16) % letters.len() as u64).unwrap()
        };
        (0..length).map(|_| char::from(letters[next()])).collect()
    }
}

/// The redacted text.
pub(crate) fn redacted(text: &str) -> String {
    String::from_utf8(Redactor::standard().redact(text.as_bytes()).bytes.into_owned()).unwrap()
}

/// The redacted text and the rules that found something.
pub(crate) fn rules(text: &str) -> (String, Vec<String>) {
    let redacted = Redactor::standard().redact(text.as_bytes());
    let ids = redacted.counts.keys().map(ToString::to_string).collect();
    (String::from_utf8(redacted.bytes.into_owned()).unwrap(), ids)
}
