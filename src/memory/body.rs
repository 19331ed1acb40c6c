//! The body of a node. A large one is in memory once, whichever nodes above carry it.

use std::borrow::Cow;
use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::text::lossy;

/// From this size on the bodies that a week or month carries are shared with it, in bytes.
pub(crate) const SHARED: usize = 8 * 1024 * 1024;

/// How much of a line is looked at for topics, keywords and extracts, in bytes: more than the longest turn an import
/// keeps.
const LINE: usize = 128 * 1024;

/// Bytes, in parts that other bodies may hold, too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Body(Vec<Arc<Vec<u8>>>);

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self(vec![Arc::new(bytes)])
    }
}

impl Body {
    /// Adds bytes of its own.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.push(Arc::new(bytes.to_vec()));
    }

    /// Adds what another one holds.
    pub(crate) fn carry(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Its parts, in order.
    pub(crate) fn parts(&self) -> &[Arc<Vec<u8>>] {
        &self.0
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|part| part.len()).sum()
    }

    /// The bytes in one piece; a copy only where they are not.
    pub(crate) fn whole(&self) -> Arc<Vec<u8>> {
        match self.0.as_slice() {
            [one] => Arc::clone(one),
            parts => Arc::new(parts.iter().flat_map(|part| part.iter().copied()).collect()),
        }
    }

    /// Whether its last byte is a line end.
    pub(crate) fn ends_in_newline(&self) -> bool {
        let last = self.0.iter().rev().find(|part| !part.is_empty());
        last.is_some_and(|part| part.ends_with(b"\n"))
    }

    /// Its hash and its lines, as [`BodyFacts::of`] tells them of the whole.
    pub(crate) fn facts(&self) -> BodyFacts {
        let mut hasher = Xxh3::new();
        let mut lines = 1;
        for part in &self.0 {
            hasher.update(part);
            lines += memchr::memchr_iter(b'\n', part).count() as u64;
        }
        BodyFacts { hash: hasher.digest().max(1), lines }
    }

    /// Its text, as [`readable`].
    pub(crate) fn readable(&self) -> Cow<'_, str> {
        match self.0.as_slice() {
            [one] => readable(one),
            parts => Cow::Owned(cut(parts.iter().map(|part| part.as_slice()))),
        }
    }
}

/// A text for whoever looks for topics and passages: of lines without end only their beginning, and no NUL bytes, which
/// a power cut leaves and no generated text may have.
pub(crate) fn readable(text: &[u8]) -> Cow<'_, str> {
    let mut from = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    let long = text.len() > LINE
        && ends.into_iter().any(|end| end - std::mem::replace(&mut from, end + 1) > LINE);
    let torn = memchr::memchr(0, text).is_some();
    if long || torn { Cow::Owned(cut([text].into_iter())) } else { lossy(text) }
}

fn cut<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    let mut kept = Vec::new();
    let mut room = LINE;
    for part in parts {
        for piece in part.split_inclusive(|byte| *byte == b'\n') {
            let line = piece.strip_suffix(b"\n").unwrap_or(piece);
            let mut end = line.len().min(room);
            // No character is cut in two.
            while end < line.len() && end > 0 && line[end] & 0xc0 == 0x80 {
                end -= 1;
            }
            kept.extend(line[..end].split(|byte| *byte == 0).flatten());
            room = if end < line.len() { 0 } else { room - end };
            if line.len() < piece.len() {
                kept.push(b'\n');
                room = LINE;
            }
        }
    }
    String::from_utf8(kept)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The hash of a body. Never [`crate::memory::node::Fingerprint::FOREIGN`].
pub(crate) fn hash_body(body: &[u8]) -> u64 {
    xxh3_64(body).max(1)
}

/// Lines as the thresholds count them: the line ends plus one.
pub(crate) fn count_lines(body: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', body).count() as u64 + 1
}

/// The hash and the lines of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BodyFacts {
    pub(crate) hash: u64,
    pub(crate) lines: u64,
}

impl BodyFacts {
    pub(crate) fn of(body: &[u8]) -> Self {
        Self { hash: hash_body(body), lines: count_lines(body) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_as_the_whole_is() {
        let mut body = Body::from(b"# a\n\nx".to_vec());
        body.carry(&Body::from(b"y\nz".to_vec()));
        body.push(b"\n");
        let whole = body.whole();
        assert_eq!(whole.as_slice(), b"# a\n\nxy\nz\n");
        assert_eq!(body.facts(), BodyFacts::of(&whole));
        assert_eq!((body.len(), body.ends_in_newline()), (whole.len(), true));
        assert_eq!(body.readable(), lossy(&whole));
        assert!(!Body::from(b"x".to_vec()).ends_in_newline());
    }

    #[test]
    fn lines_without_end_are_read_from_their_beginning() {
        fn check(text: &str, expect: &str) {
            assert!(readable(text.as_bytes()) == expect, "{text:.40}");
        }
        let long = |letter: &str, count: usize| letter.repeat(count);
        check("a\nb", "a\nb");
        check(&long("x\n", LINE), &long("x\n", LINE));
        check(&long("x", LINE), &long("x", LINE));
        check(&(long("x", LINE + 9) + "\ny\n"), &(long("x", LINE) + "\ny\n"));
        check(&(long("é", LINE) + "\ny"), &(long("é", LINE / 2) + "\ny"));
        check(&("a".to_owned() + &long("é", LINE)), &("a".to_owned() + &long("é", LINE / 2 - 1)));
    }

    #[test]
    fn a_line_may_go_on_in_the_next_part() {
        let mut body = Body::from(vec![b'x'; LINE - 1]);
        body.push(b"yz");
        body.push(b"z\nw");
        let expect = [vec![b'x'; LINE - 1], b"y\nw".to_vec()].concat();
        assert!(body.readable().as_bytes() == expect);
    }
}
