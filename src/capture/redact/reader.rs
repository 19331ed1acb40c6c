//! Where the values of JSON begin and end. Also for transcripts, which are taken apart in the same way.

use std::ops::Range;

use memchr::{memchr, memchr2};

/// How deep values may be nested.
const DEPTH: usize = 100;

/// Reads JSON from its beginning to its end. What it finds are places in the text.
pub(crate) struct JsonReader<'a> {
    bytes: &'a [u8],
    at: usize,
    checked: bool,
}

impl<'a> JsonReader<'a> {
    /// Reads text, and stops at what is not JSON.
    pub(crate) fn strict(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, checked: false }
    }

    /// Reads text without looking for mistakes: where it is JSON, what is found is there.
    pub(crate) fn trusting(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, checked: true }
    }

    pub(crate) fn part(&self, span: Range<usize>) -> &'a [u8] {
        &self.bytes[span]
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.next() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn is_at_the_end(&mut self) -> bool {
        self.blanks();
        self.at == self.bytes.len()
    }

    pub(crate) fn fields<const N: usize>(
        &mut self,
        names: [&str; N],
    ) -> Option<[Option<Range<usize>>; N]> {
        let (mut found, mut seen) = ([const { None }; N], [false; N]);
        self.object(|reader, name| {
            let value = reader.value()?;
            if let Some(index) = names.iter().position(|known| known.as_bytes() == name) {
                // What is twice is an error that is told by others.
                if std::mem::replace(&mut seen[index], true) {
                    return None;
                }
                found[index] = (reader.part(value.clone()) != b"null").then_some(value);
            }
            Some(())
        })?;
        Some(found)
    }

    /// Reads an object; `each` is told the name of a field and reads its value. `None` if it is not one, and as soon as
    /// `each` says so.
    pub(crate) fn object(
        &mut self,
        mut each: impl FnMut(&mut Self, &'a [u8]) -> Option<()>,
    ) -> Option<()> {
        if !self.takes(b'{') {
            return None;
        }
        if self.takes(b'}') {
            return Some(());
        }
        loop {
            self.blanks();
            let from = self.at + 1;
            self.string()?;
            let name = self.part(from..self.at - 1);
            if name.contains(&b'\\') || !self.takes(b':') {
                return None;
            }
            each(self, name)?;
            if self.takes(b'}') {
                return Some(());
            }
            if !self.takes(b',') {
                return None;
            }
        }
    }

    /// Reads a list; `each` reads an item.
    pub(crate) fn list(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if !self.takes(b'[') {
            return None;
        }
        if self.takes(b']') {
            return Some(());
        }
        loop {
            each(self)?;
            if self.takes(b']') {
                return Some(());
            }
            if !self.takes(b',') {
                return None;
            }
        }
    }

    pub(crate) fn value(&mut self) -> Option<Range<usize>> {
        self.nested(DEPTH)
    }

    fn nested(&mut self, depth: usize) -> Option<Range<usize>> {
        self.blanks();
        let from = self.at;
        match self.next()? {
            b'"' => self.string()?,
            b'{' if depth > 0 => self.object(|reader, _| reader.nested(depth - 1).map(drop))?,
            b'[' if depth > 0 => self.list(|reader| reader.nested(depth - 1).map(drop))?,
            b'{' | b'[' => return None,
            _ => self.word()?,
        }
        Some(from..self.at)
    }

    /// Reads a number, or one of the three words.
    fn word(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let word = &rest[..rest.iter().take_while(is_part).count()];
        self.at += word.len();
        let is_whole = word.iter().all(u8::is_ascii_digit)
            && word.len() < 19
            && (word == b"0" || !word.starts_with(b"0"))
            && !word.is_empty();
        if !self.checked && !is_whole && !matches!(word, b"true" | b"false" | b"null") {
            serde_json::from_slice::<serde_json::Number>(word).ok()?;
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let bytes = self.bytes;
        if self.next() != Some(b'"') {
            return None;
        }
        self.at += 1;
        if self.checked {
            // Text has many escapes, and few of them are of quotes.
            loop {
                let end = self.at + memchr(b'"', bytes.get(self.at..)?)?;
                let escapes = bytes[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
                self.at = end + 1;
                if escapes % 2 == 0 {
                    return Some(());
                }
            }
        }
        loop {
            self.at += memchr2(b'"', b'\\', bytes.get(self.at..)?)?;
            self.at += match (bytes[self.at], bytes.get(self.at + 1)) {
                (b'"', _) => {
                    self.at += 1;
                    return Some(());
                }
                (_, Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => 2,
                (_, Some(b'u'))
                    if bytes.get(self.at + 2..self.at + 6)?.iter().all(u8::is_ascii_hexdigit) =>
                {
                    6
                }
                _ => return None,
            };
        }
    }
}

/// A whole line of text, if it holds no control character, which JSON may have between values but never in them.
pub(crate) fn line(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.trim_ascii();
    // The least byte of many is found faster than the first one that is small enough.
    let least = |part: &[u8]| part.iter().fold(u8::MAX, |least, byte| least.min(*byte));
    let controls = bytes.chunks(256).any(|part| least(part) < b' ');
    if controls { None } else { std::str::from_utf8(bytes).ok() }
}

/// Whether bytes are one value of JSON; `false` as well where that would have to be looked at more closely.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    line(bytes).is_some_and(|text| {
        let mut reader = JsonReader::strict(text.as_bytes());
        reader.value().is_some() && reader.is_at_the_end()
    })
}
