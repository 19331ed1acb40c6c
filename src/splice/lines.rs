//! Lines of a text that may have a BOM, CRLF and bytes that are no UTF-8.

use crate::markdown::fence;

/// The mark some editors put at the beginning of a file.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A text cut into its BOM and its lines, endings included.
pub(super) struct Lines<'a> {
    /// the BOM, or nothing
    pub(super) bom: &'a [u8],
    /// the lines, endings included
    pub(super) lines: Vec<&'a [u8]>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let (bom, rest) =
            if bytes.starts_with(BOM) { bytes.split_at(BOM.len()) } else { bytes.split_at(0) };
        Self { bom, lines: rest.split_inclusive(|byte| *byte == b'\n').collect() }
    }

    /// The line ending in use: that of the first line, else `\n`.
    pub(super) fn ending(&self) -> &'static str {
        if self.lines.first().is_some_and(|line| line.ends_with(b"\r\n")) { "\r\n" } else { "\n" }
    }

    /// Which lines are code.
    pub(super) fn code(&self) -> Vec<bool> {
        let text: Vec<_> =
            self.lines.iter().map(|line| String::from_utf8_lossy(trim(line))).collect();
        let mut code = fence::code_lines(&text.join("\n"));
        code.resize(self.lines.len(), false);
        code
    }

    /// The text with `range` of its lines replaced.
    pub(super) fn with(&self, range: std::ops::Range<usize>, new: &[u8]) -> Vec<u8> {
        let mut text = self.bom.to_vec();
        text.extend(self.lines[..range.start].concat());
        text.extend(new);
        text.extend(self.lines[range.end..].concat());
        text
    }
}

/// A line without the white space at its end.
pub(super) fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// Whether a line holds nothing but white space.
pub(super) fn is_blank(line: &[u8]) -> bool {
    trim(line).is_empty()
}

/// `text`, written with `\n`, with another line ending.
pub(super) fn with_ending(text: &str, ending: &str) -> Vec<u8> {
    if ending == "\n" { text.into() } else { text.replace('\n', ending).into_bytes() }
}
