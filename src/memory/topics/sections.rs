//! The `## ` sections of a text by place, without looking at what stands in them.
//!
//! Finds the same sections as [`crate::memory::entry::parse`], at the speed of finding line ends; the lines of a section
//! are only read if they are asked for.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::markdown::{conflict, fence};
use crate::memory::entry::{self, EntryLine, EntryType};
use crate::text::lines;

pub(super) struct Section<'a> {
    /// the heading without its type; `None` for what stands before the first one
    pub(super) heading: Option<&'a str>,
    /// the type, where the heading has one
    pub(super) kind: Option<EntryType>,
    /// what stands below the heading
    text: &'a str,
}

impl<'a> Section<'a> {
    /// The lines below the heading, those of code marked.
    pub(super) fn lines(&self) -> Vec<EntryLine<'a>> {
        let code = fence::code_lines(self.text);
        let is_code = |index: usize| code.get(index).copied().unwrap_or(false);
        let lines = lines(self.text).enumerate().filter(|(_, text)| !conflict::is_marker(text));
        lines.map(|(index, text)| EntryLine { text, code: is_code(index) }).collect()
    }
}

/// The sections of a text. What stands before the first heading is one if there is more to it than titles.
pub(super) fn read(text: &str) -> Vec<Section<'_>> {
    let lines = if fence::possible_in(text) { outside_code(text) } else { marked(text) };
    let headings: Vec<(usize, usize, &str, Option<EntryType>)> = lines
        .into_iter()
        .filter_map(|(at, line)| {
            let (topic, kind) = entry::heading(line)?;
            Some((at, at + line.len(), topic, kind))
        })
        .collect();
    let mut sections = Vec::with_capacity(headings.len() + 1);
    let first = headings.first().map_or(text.len(), |heading| heading.0);
    let preamble = &text[..first];
    if preamble.lines().any(|line| {
        let line = line.trim_start_matches('\u{feff}').trim();
        !(line.is_empty()
            || line.starts_with("# ")
            || line.starts_with("<!--")
            || conflict::is_marker(line))
    }) {
        sections.push(Section { heading: None, kind: None, text: preamble });
    }
    for (at, (_, end, topic, kind)) in headings.iter().enumerate() {
        let next = headings.get(at + 1).map_or(text.len(), |heading| heading.0);
        sections.push(Section { heading: Some(topic), kind: *kind, text: &text[*end..next] });
    }
    sections
}

/// Where lines that may be headings begin, and these lines.
fn marked(text: &str) -> Vec<(usize, &str)> {
    static HEADING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n##"));
    let bytes = text.as_bytes();
    let first = text.trim_start_matches('\u{feff}').starts_with("##").then_some(0);
    let starts = first.into_iter().chain(HEADING.find_iter(bytes).map(|end| end + 1));
    let line = |start: usize| {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |end| start + end);
        let line = &text[start..end];
        (start, line.strip_suffix('\r').unwrap_or(line))
    };
    starts.map(line).collect()
}

/// The same in a text that may have blocks of code, in which no line is a heading.
fn outside_code(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    // Only fences decide which headings count, so only these two kinds of lines are looked at.
    let mut marked: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    let bom = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let at = if start == 0 { bom } else { start };
        let line = &bytes[at.min(end)..end];
        if line.starts_with(b"##") || fence::may_matter(line) {
            let text = text.get(start..end).unwrap_or_default();
            marked.push((start, text.strip_suffix('\r').unwrap_or(text)));
        }
        start = end + 1;
    }
    let code = fence::mark(marked.iter().map(|(_, line)| *line));
    marked.into_iter().zip(code).filter(|(_, code)| !code).map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// The short way through a text without code finds what the long way finds.
        #[test]
        fn both_ways_find_the_same_headings(text in "(\u{feff}|)(##? a|#| b|`x`|=======|\r|\n){0,30}") {
            let headings = |lines: Vec<(usize, &str)>| -> Vec<(usize, String)> {
                let named = |(at, line)| Some((at, entry::heading(line)?.0.to_owned()));
                lines.into_iter().filter_map(named).collect()
            };
            proptest::prop_assert_eq!(headings(marked(&text)), headings(outside_code(&text)));
        }
    }
}
