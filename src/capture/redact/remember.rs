//! Values that were proven to be secrets, remembered as keyed hashes, so that later text is taken at its word.
//!
//! A turn that says what the password is proves it for every turn after it, in this session and the next. Only
//! SipHash-2-4 values under a random key of the project are kept, never a value; who has the file can test a guess.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hasher as _;
use std::ops::Range;

use siphasher::sip::SipHasher24;

use super::existing_marks::touches_mark;
use super::rules;
use super::surroundings::{is_word, starts_token};

/// The least a value has to have to be remembered, in bytes.
const LEAST: usize = 8;
/// The most it may have. Longer ones are known by their format.
const LONGEST: usize = 256;
/// How many values are remembered. The oldest go first.
const MOST: usize = 4096;
/// Bits of the filter over the first bytes of a value: one for each number of 16 bits.
const FILTER: usize = 1 << 16;
/// How the file begins that holds them.
const HEAD: &str = "hipocampus-proven 1 ";

#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    length: usize,
    hash: u64,
    rule: String,
}

/// The values that were proven so far.
#[derive(Debug, Clone)]
pub struct Remembered {
    key: [u8; 16],
    values: Vec<Value>,
    /// by the hash of the first eight bytes
    filter: Vec<u64>,
    /// by hash and length, the rule
    known: HashMap<(u64, usize), String>,
    /// every length there is, ascending
    lengths: Vec<usize>,
    changed: bool,
}

impl Remembered {
    /// None yet. The key is to be random, and the project's own.
    pub fn new(key: [u8; 16]) -> Self {
        Self {
            key,
            values: Vec::new(),
            filter: vec![0; FILTER / 64],
            known: HashMap::new(),
            lengths: Vec::new(),
            changed: false,
        }
    }

    /// Reads what [`bytes`](Self::bytes) wrote: a line with the key in hexadecimal, and for each value a line `LENGTH
    /// HASH RULE`. Lines that are none are passed over; without a key there is nothing to read.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines();
        let key = u128::from_str_radix(lines.next()?.strip_prefix(HEAD)?.trim(), 16).ok()?;
        let mut read = Self::new(key.to_be_bytes());
        for line in lines {
            let mut parts = line.split(' ');
            let (Some(length), Some(hash), Some(rule)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let (Ok(length), Ok(hash)) = (length.parse(), u64::from_str_radix(hash, 16)) else {
                continue;
            };
            if (LEAST..=LONGEST).contains(&length) {
                read.values.push(Value { length, hash, rule: rule.to_owned() });
            }
        }
        read.values.drain(..read.values.len().saturating_sub(MOST));
        read.index();
        Some(read)
    }

    /// The file that holds them.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{HEAD}{:032x}\n", u128::from_be_bytes(self.key));
        for value in &self.values {
            let _ = writeln!(text, "{} {:016x} {}", value.length, value.hash, value.rule);
        }
        text.into_bytes()
    }

    /// Whether anything came since the last time this was asked.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes a value that `rule` has proven; too short or too long ones, and those that JSON would spell otherwise, are
    /// not remembered.
    pub fn add(&mut self, value: &[u8], rule: &str) {
        let plain =
            |byte: &u8| (byte.is_ascii_graphic() || *byte == b' ') && !matches!(byte, b'"' | b'\\');
        // A number may be in JSON outside of every string.
        let letters = value.iter().any(u8::is_ascii_alphabetic);
        if !(LEAST..=LONGEST).contains(&value.len()) || !letters || !value.iter().all(plain) {
            return;
        }
        let hash = self.hash(value);
        if self.known.contains_key(&(hash, value.len())) {
            return;
        }
        self.values.push(Value { length: value.len(), hash, rule: rule.to_owned() });
        self.changed = true;
        if self.values.len() > MOST {
            // Many at once: to build the index anew for each one would cost seconds on a dump of secrets.
            self.values.drain(..MOST / 4);
            self.index();
        } else {
            self.enter(self.values.len() - 1);
        }
    }

    /// Where known values are in the text, with the rule that proved each; in order, without overlap.
    pub(super) fn find(&self, text: &[u8]) -> Vec<(Range<usize>, &str)> {
        let mut found = Vec::new();
        if self.values.is_empty() {
            return found;
        }
        let mut at = 0;
        while at + LEAST <= text.len() {
            let place = self.place(&text[at..at + LEAST]);
            let begins = || at == 0 || !is_word(text[at - 1]) || starts_token(text, at);
            let hit = self.filter[place / 64] >> (place % 64) & 1 == 1 && begins();
            match hit.then(|| self.at(text, at)).flatten() {
                Some((span, rule)) => {
                    at = span.end;
                    found.push((span, rule));
                }
                None => at += 1,
            }
        }
        found
    }

    /// The longest known value that starts at `at`, if one does.
    fn at(&self, text: &[u8], at: usize) -> Option<(Range<usize>, &str)> {
        self.lengths.iter().rev().find_map(|length| {
            let value = text.get(at..at + length)?;
            let ends = text.get(at + length).is_none_or(|byte| !is_word(*byte));
            let rule = self.known.get(&(ends.then(|| self.hash(value))?, *length))?;
            let span = at..at + length;
            (!touches_mark(text, &span)).then_some((span, rule.as_str()))
        })
    }

    /// The hash of a value under the key, its lowest bits those that the filter asks for.
    fn hash(&self, value: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write(value);
        hasher.finish() & !(FILTER as u64 - 1) | self.place(&value[..LEAST]) as u64
    }

    /// The bit of the filter for the first bytes of a value.
    fn place(&self, head: &[u8]) -> usize {
        let mut eight = [0; LEAST];
        eight.copy_from_slice(head);
        let mut key = [0; 8];
        key.copy_from_slice(&self.key[..8]);
        let mixed = (u64::from_le_bytes(eight) ^ u64::from_le_bytes(key))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::from(u16::try_from(mixed >> 48).unwrap_or_default())
    }

    fn index(&mut self) {
        self.filter = vec![0; FILTER / 64];
        self.known.clear();
        self.lengths.clear();
        for index in 0..self.values.len() {
            self.enter(index);
        }
    }

    fn enter(&mut self, index: usize) {
        let Value { length, hash, rule } = self.values[index].clone();
        let place = usize::from(u16::try_from(hash & (FILTER as u64 - 1)).unwrap_or_default());
        self.filter[place / 64] |= 1 << (place % 64);
        // Only what a mark can carry, whoever wrote the file.
        let named = (1..=40).contains(&rule.len())
            && rule.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        self.known.insert((hash, length), if named { rule } else { rules::SECRET.to_owned() });
        if let Err(at) = self.lengths.binary_search(&length) {
            self.lengths.insert(at, length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(known: &Remembered, text: &str) -> Vec<String> {
        known.find(text.as_bytes()).into_iter().map(|(span, _)| text[span].to_owned()).collect()
    }

    #[test]
    fn values_are_known_again_and_no_file_holds_one() {
        let value = ["Marmelade", "99x"].concat();
        let longer = format!("{value}#more");
        let mut known = Remembered::new([7; 16]);
        known.add(value.as_bytes(), "password");
        known.add(longer.as_bytes(), "password");
        known.add(b"short", "password");
        assert!(known.take_changed() && !known.take_changed());
        let text = format!("x={value} y \"{longer}\" no{value} {value}z");
        assert_eq!(hidden(&known, &text), [value.clone(), longer.clone()]);
        let file = known.bytes();
        assert!(memchr::memmem::find(&file, value.as_bytes()).is_none());
        let read = Remembered::parse(&file).unwrap();
        assert_eq!(hidden(&read, &text), [value, longer]);
        assert_eq!(read.bytes(), file);
        assert_eq!(read.values.len(), 2);
    }

    #[test]
    fn what_is_no_file_of_ours_is_none_and_lines_cut_short_are_passed_over() {
        assert!(Remembered::parse(b"").is_none());
        assert!(Remembered::parse(b"hipocampus-proven 1 zz\n").is_none());
        let mut known = Remembered::new([1; 16]);
        known.add(b"Q7wvtb2xnk4", "secret");
        let mut file = known.bytes();
        file.extend_from_slice(b"11 ab");
        assert_eq!(Remembered::parse(&file).unwrap().values, known.values);
    }

    #[test]
    fn the_oldest_goes_first() {
        let mut known = Remembered::new([1; 16]);
        for index in 0..MOST + 2 {
            known.add(format!("value-{index:06}").as_bytes(), "secret");
        }
        assert!(known.values.len() > MOST / 2 && known.values.len() <= MOST);
        assert!(known.find(b"value-000001").is_empty());
        let last = format!("value-{:06}", MOST + 1);
        assert_eq!(known.find(last.as_bytes()).len(), 1);
    }
}
