//! Somebody else's Markdown file, line by line, for whoever edits a part of it: line endings, a byte order mark and
//! bytes that are no UTF-8 stay as they are.

use std::ops::Range;

use super::fence;
use super::heading::opens_section;
use super::lines::Lines;

/// A file by lines.
pub(crate) struct Page<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) lines: Vec<PageLine<'a>>,
    /// the line ending of the first line, or that of this system's tools
    pub(crate) eol: &'static str,
}

pub(crate) struct PageLine<'a> {
    /// without its ending, see [`Lines::text`]
    pub(crate) text: &'a str,
    /// in the file, ending included
    pub(crate) range: Range<usize>,
    /// whether it lies in a fenced code block
    pub(crate) code: bool,
    /// all of it, ending included
    bytes: &'a [u8],
}

impl<'a> PageLine<'a> {
    /// All of it but the white space at its end. `None` where it is no UTF-8.
    pub(crate) fn whole(&self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes).ok().map(str::trim_end)
    }

    /// Whether nothing but this is on it, white space at its end aside.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.whole() == Some(text)
    }

    /// Whether it holds nothing but white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }
}

impl<'a> Page<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let lines = Lines::of(bytes);
        // A fence with an odd byte after it has an info string, so it closes nothing.
        let texts: Vec<_> =
            (0..lines.len()).map(|at| String::from_utf8_lossy(lines.bytes(at..at + 1))).collect();
        let code = fence::mark(texts.iter().map(|text| text.trim_end_matches(['\r', '\n'])));
        let line = |(at, code): (usize, bool)| PageLine {
            text: lines.text(at),
            range: lines.range(at..at + 1),
            code,
            bytes: lines.bytes(at..at + 1),
        };
        let lines: Vec<_> = code.into_iter().enumerate().map(line).collect();
        let windows = lines.first().is_some_and(|line| line.bytes.ends_with(b"\r\n"));
        Self { bytes, lines, eol: if windows { "\r\n" } else { "\n" } }
    }

    pub(crate) fn read(text: &'a str) -> Self {
        Self::of(text.as_bytes())
    }

    /// The bytes of some lines, the end of the last one included.
    pub(crate) fn bytes(&self, lines: Range<usize>) -> &'a [u8] {
        &self.bytes[self.start(lines.start)..self.start(lines.end)]
    }

    /// Where a line begins, and where the file ends after the last one.
    fn start(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.bytes.len(), |line| line.range.start)
    }

    /// A part of a page that is text.
    pub(crate) fn text(&self, range: Range<usize>) -> &'a str {
        std::str::from_utf8(&self.bytes[range]).unwrap_or_default()
    }

    /// The numbers of the lines outside code for which `is` holds.
    pub(crate) fn positions(
        &self,
        is: impl Fn(&PageLine<'a>) -> bool,
    ) -> impl Iterator<Item = usize> {
        let lines = self.lines.iter().enumerate();
        lines.filter(move |(_, line)| !line.code && is(line)).map(|(at, _)| at)
    }

    /// The line after the section that a heading of the first or second level begins.
    pub(crate) fn end_of_section(&self, heading: usize) -> usize {
        let mut headings = self.positions(|line| opens_section(line.text));
        headings.find(|at| *at > heading).unwrap_or(self.lines.len())
    }

    /// Lines, written with `\n`, with the line ending of the page.
    pub(crate) fn with_eol(&self, lines: &str) -> Vec<u8> {
        lines.replace('\n', self.eol).into_bytes()
    }

    /// The file with some of its lines replaced.
    pub(crate) fn with(&self, lines: Range<usize>, new: &[u8]) -> Vec<u8> {
        [&self.bytes[..self.start(lines.start)], new, &self.bytes[self.start(lines.end)..]].concat()
    }

    /// The file with `lines` in the place of some of its own; the last line of the page stays without an end if it was.
    pub(crate) fn with_part(&self, range: Range<usize>, lines: &str) -> Vec<u8> {
        let mut part = self.with_eol(lines);
        if range.end == self.lines.len() && !range.is_empty() && self.is_open() {
            part.truncate(part.len() - self.eol.len());
        }
        self.with(range, &part)
    }

    /// The file with `lines` below all others and a blank line, without an end where the file had none.
    pub(crate) fn with_last(&self, lines: &str) -> Vec<u8> {
        let lines = match lines.strip_suffix('\n') {
            _ if self.bytes.is_empty() => lines.to_owned(),
            Some(open) if self.is_open() => format!("\n\n{open}"),
            _ => format!("\n{lines}"),
        };
        [self.bytes, &self.with_eol(&lines)].concat()
    }

    /// The file without some of its lines and the blank one in front of them. Where they are the last and have no end,
    /// the line before them loses its own: that is what [`Self::with_last`] gave it.
    pub(crate) fn without(&self, lines: Range<usize>) -> Vec<u8> {
        let blank = lines.start.checked_sub(1).filter(|before| self.lines[*before].is_blank());
        let start = blank.unwrap_or(lines.start);
        if lines.end < self.lines.len() || !self.is_open() {
            return self.with(start..lines.end, b"");
        }
        let Some(last) = start.checked_sub(1) else { return self.with(start..lines.end, b"") };
        self.with(last..lines.end, self.without_end(last))
    }

    pub(crate) fn without_end(&self, line: usize) -> &'a [u8] {
        let line = self.lines[line].bytes;
        line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")).unwrap_or(line)
    }

    /// Whether its last line has no end.
    pub(crate) fn is_open(&self) -> bool {
        !self.bytes.ends_with(b"\n")
    }
}
