//! The `## ` sections of a text by place, without looking at what stands in them.
//!
//! Finds the same sections as [`crate::memory::entry::parse`], at the speed of finding line ends; the lines of a section
//! are only read if they are asked for.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::markdown::form::{Form, TITLE, form};
use crate::markdown::{conflict, fence};
use crate::memory::entry::{self, EntryLine, EntryType};
use crate::memory::period::Period;
use crate::memory::sittings::Sittings;
use crate::text::{last_line, lines};

pub(super) struct Section<'a> {
    /// the heading without its type; `None` for what stands before the first one
    pub(super) heading: Option<&'a str>,
    /// the type, where the heading has one
    pub(super) kind: Option<EntryType>,
    /// what stands below the heading
    first: &'a str,
    /// and below the others that it has where it is a sitting that others interrupted
    more: Vec<&'a str>,
    /// the part whose heading has the title that was known last
    titled: usize,
}

impl<'a> Section<'a> {
    fn new(heading: Option<&'a str>, kind: Option<EntryType>, text: &'a str) -> Self {
        Self { heading, kind, first: text, more: Vec::new(), titled: 0 }
    }

    fn parts(&self) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    /// The lines below the heading, those of code marked. What stands below the line of another day or week is not the
    /// section's.
    pub(super) fn lines(&self) -> Vec<EntryLine<'a>> {
        let mut all = Vec::new();
        for (at, part) in self.parts().enumerate() {
            let code = fence::code_lines(part);
            let line =
                |(index, text)| EntryLine { text, code: code.get(index).copied().unwrap_or(false) };
            let told = |line: &EntryLine<'_>| {
                let title = !line.code && matches!(form(line.text), Some(Form::Title(_)));
                !(conflict::is_marker(line.text) || title && at < self.titled)
            };
            let own = lines(part).take_while(|line| !begins_a_period(line));
            all.extend(own.enumerate().map(line).filter(told));
        }
        all
    }

    /// Whether it may be a sitting of which a better title was known later.
    pub(super) fn may_be_named_later(&self) -> bool {
        static LATER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(TITLE));
        self.parts().skip(self.titled).any(|part| LATER.find(part.as_bytes()).is_some())
    }
}

/// Whether a line sets the days of a week or the weeks of a month apart: `# 2026-03-09`, `# 2026-W11`.
fn begins_a_period(line: &str) -> bool {
    let period = line.strip_prefix("# ").and_then(|label| Period::read(label.trim_end()));
    matches!(period, Some(Period::Day(_) | Period::Week(_)))
}

/// The sections of a text. What stands before the first heading is one if there is more to it than titles.
pub(super) fn read(text: &str) -> Vec<Section<'_>> {
    let lines = if fence::possible_in(text) { outside_code(text) } else { marked(text) };
    let mut headings: Vec<(usize, &str, &str, Option<EntryType>)> = Vec::with_capacity(lines.len());
    headings.extend(lines.into_iter().filter_map(|(at, line)| {
        let (topic, kind) = entry::heading(line)?;
        Some((at, line, topic, kind))
    }));
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
        sections.push(Section::new(None, None, preamble));
    }
    let mut sittings = Sittings::default();
    for (at, &(start, line, topic, kind)) in headings.iter().enumerate() {
        let next = headings.get(at + 1).map_or(text.len(), |heading| heading.0);
        let below = &text[start + line.len()..next];
        let above = last_line(&text[..start]);
        if let Some(known) = sittings.goes_on(above, line, sections.len()) {
            let section: &mut Section<'_> = &mut sections[known];
            if kind.is_some() {
                (section.heading, section.kind) = (Some(topic), kind);
                section.titled = section.more.len() + 1;
            }
            section.more.push(below);
        } else {
            sections.push(Section::new(Some(topic), kind, below));
        }
    }
    sections
}

/// As many headings as most texts have.
const USUAL: usize = 32;

/// Where lines that may be headings begin, and these lines.
fn marked(text: &str) -> Vec<(usize, &str)> {
    static HEADING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n##"));
    static BEHIND_BOM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n\u{feff}##"));
    let bytes = text.as_bytes();
    let first = text.trim_start_matches('\u{feff}').starts_with("##").then_some(0);
    let mut starts: Vec<usize> = Vec::with_capacity(USUAL);
    starts.extend(first.into_iter().chain(HEADING.find_iter(bytes).map(|end| end + 1)));
    // Where files with such a mark were read one after the other.
    let known = starts.len();
    starts.extend(BEHIND_BOM.find_iter(bytes).map(|end| end + 1));
    if starts.len() > known {
        starts.sort_unstable();
    }
    let line = |start: usize| {
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |end| start + end);
        let line = &text[start..end];
        (start, line.strip_suffix('\r').unwrap_or(line))
    };
    starts.into_iter().map(line).collect()
}

/// The same in a text that may have blocks of code, in which no line is a heading.
fn outside_code(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    // Only fences decide which headings count, so only these two kinds of lines are looked at.
    let mut marked: Vec<(usize, &str)> = Vec::with_capacity(USUAL);
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
    use crate::memory::talk;

    /// Blocks of sessions by letters, a heading for each: in capitals with a title.
    fn log(blocks: &str) -> String {
        let block = |(at, letter): (usize, char)| {
            let session = letter.to_ascii_lowercase();
            let title = if letter.is_uppercase() {
                format!(" — title {letter}{}", at % 3)
            } else {
                String::new()
            };
            let later = if at % 4 == 0 { "**Title:** later\n\n" } else { "" };
            format!(
                "<!-- hipocampus:session {session} 0-9 -->\n## Session — 2026-03-15 {:02}:00:00{title}\n\n{later}\
                 **User:** word {at}\n<!-- hipocampus:end {session} 9 -->\n\n",
                at % 24
            )
        };
        blocks.chars().enumerate().map(block).collect()
    }

    proptest::proptest! {
        /// A sitting that others interrupt is as one here as it is there, with the same title.
        #[test]
        fn sections_are_the_entries(blocks in "[abcABC]{0,40}") {
            let log = log(&blocks);
            let titled = |topic, lines: &[EntryLine<'_>]| talk::title(topic, &talk::read(lines)).into_owned();
            let sections: Vec<_> =
                read(&log).iter().map(|section| titled(section.heading.unwrap(), &section.lines())).collect();
            let parsed = entry::parse(&log);
            let entries: Vec<_> = parsed.entries().map(|entry| titled(entry.topic, &entry.lines)).collect();
            proptest::prop_assert_eq!(sections, entries);
        }

        /// The short way through a text without code finds what the long way finds.
        #[test]
        fn both_ways_find_the_same_headings(text in "(\u{feff}|)(##? a|#| b|`x`|=======|\r|\n|\n\u{feff}){0,30}") {
            let headings = |lines: Vec<(usize, &str)>| -> Vec<(usize, String)> {
                let named = |(at, line)| Some((at, entry::heading(line)?.0.to_owned()));
                lines.into_iter().filter_map(named).collect()
            };
            proptest::prop_assert_eq!(headings(marked(&text)), headings(outside_code(&text)));
        }
    }
}
