//! The lines of a file, as bytes and as text, whatever ends them and whether or not they are UTF-8.

use std::ops::Range;

use super::fence;
use super::marker::{Marker, marker};

/// A file cut into lines.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    /// where each begins, and where the file ends
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// A byte order mark at the beginning is no part of a line.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let bom = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let ends = memchr::memchr_iter(b'\n', &bytes[bom..]).map(|at| bom + at + 1);
        let mut starts: Vec<usize> = std::iter::once(bom).chain(ends).collect();
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where some lines are in the file, the end of the last one included.
    pub(crate) fn range(&self, lines: Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }

    /// The bytes of some lines, the end of the last one included.
    pub(crate) fn bytes(&self, lines: Range<usize>) -> &'a [u8] {
        &self.bytes[self.range(lines)]
    }

    /// A line as far as it may be structure, without its end: of one that is no UTF-8 what comes before the first odd
    /// byte, since no structure depends on what follows.
    pub(crate) fn text(&self, line: usize) -> &'a str {
        let bytes = self.bytes(line..line + 1);
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }

    pub(crate) fn marker(&self, line: usize) -> Option<Marker<'a>> {
        marker(self.text(line))
    }

    /// Which of some lines lie in a fenced code block, of all that is in these lines.
    pub(crate) fn code(&self, lines: Range<usize>) -> Vec<bool> {
        fence::mark(lines.map(|line| self.text(line)))
    }
}
