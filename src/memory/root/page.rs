//! Somebody else's Markdown file by lines, with line endings and fences as they are.

use std::ops::Range;

use crate::markdown::fence;

/// A text by lines.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) lines: Vec<Line<'a>>,
    /// the line ending of the first line, or that of this system's tools
    pub(super) eol: &'static str,
}

/// One line.
pub(super) struct Line<'a> {
    /// without its ending
    pub(super) text: &'a str,
    /// in the text, ending included
    pub(super) range: Range<usize>,
    /// whether it lies in a fenced code block
    pub(super) code: bool,
}

impl<'a> Page<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for piece in text.split_inclusive('\n') {
            let end = start + piece.len();
            let line = piece.strip_suffix('\n').unwrap_or(piece);
            let line = line.strip_suffix('\r').unwrap_or(line);
            let line = if start == 0 { line.trim_start_matches('\u{feff}') } else { line };
            lines.push(Line { text: line, range: start..end, code: false });
            start = end;
        }
        let code = fence::mark(lines.iter().map(|line| line.text));
        for (line, code) in lines.iter_mut().zip(code) {
            line.code = code;
        }
        let windows = text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
        Self { text, lines, eol: if windows { "\r\n" } else { "\n" } }
    }

    /// The numbers of the lines outside code for which `is` holds.
    pub(super) fn positions(&self, is: impl Fn(&str) -> bool) -> impl Iterator<Item = usize> {
        self.lines
            .iter()
            .enumerate()
            .filter(move |(_, line)| !line.code && is(line.text))
            .map(|(at, _)| at)
    }
}

/// A heading of the first or second level.
pub(super) use crate::markdown::heading::opens_section as is_section_heading;
