//! Which lines of ROOT.md are the machine's: `lines-of-machine` in its head.
//!
//! Each line has four letters there, by section, so that a line somebody changed is known from one that stands as it was
//! written. What a line says does not matter here.

use std::collections::HashMap;
use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::lines;
use crate::markdown::page::Page;
use crate::memory::frontmatter::Document;
use crate::memory::tokens::{Cost, cost};

/// The key in the head.
pub(crate) const KEY: &str = "lines-of-machine";
/// Stands for a section in which somebody else writes.
const THEIRS: &str = "theirs";
/// Four of these 52 letters tell one line from another in seven million.
const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The sections the machine writes, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Active,
    Patterns,
    History,
    Index,
}

impl Section {
    pub(super) const ALL: [Self; 4] = [Self::Active, Self::Patterns, Self::History, Self::Index];

    /// The section that a heading opens.
    pub(super) fn of(heading: &str) -> Option<Self> {
        let begins = ["## Active Context", lines::PATTERNS, lines::HISTORY, lines::INDEX];
        Self::ALL.into_iter().find(|section| heading.starts_with(begins[*section as usize]))
    }
}

/// What the machine wrote last, by section; `None` for a section that is somebody else's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ours(pub(super) [Option<Vec<String>>; 4]);

impl Ours {
    /// Reads the key's value.
    pub(super) fn parse(value: &str) -> Option<Self> {
        let groups: Vec<Option<Vec<String>>> = value
            .split('/')
            .map(|group| {
                let words: Vec<String> = group.split_whitespace().map(str::to_owned).collect();
                (words != [THEIRS]).then_some(words)
            })
            .collect();
        Some(Self(groups.try_into().ok()?))
    }

    /// The lines of a page that is the machine's from its first line to its last.
    pub(super) fn of(body: &str) -> Self {
        let page = Page::read(body);
        let mut groups: [Vec<String>; 4] = Default::default();
        let mut section = None;
        for line in &page.lines {
            if line.text.starts_with("## ") {
                section = Section::of(line.text);
            } else if let Some(section) = section
                && may_be(line.text)
            {
                groups[section as usize].push(word(line.text));
            }
        }
        Self(groups.map(Some))
    }

    /// How often each word was written.
    pub(super) fn words(&self) -> HashMap<&str, usize> {
        let mut words = HashMap::new();
        for word in self.0.iter().flatten().flatten() {
            *words.entry(word.as_str()).or_default() += 1;
        }
        words
    }

    /// Whether there is nothing to tell.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|group| group.as_ref().is_none_or(Vec::is_empty))
    }

    /// How many lines they are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().flatten().map(Vec::len).sum()
    }
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.0.iter().map(|group| match group {
            Some(words) => words.join(" "),
            None => THEIRS.to_owned(),
        });
        f.write_str(groups.collect::<Vec<_>>().join(" / ").trim())
    }
}

/// Whether a line is one that can be the machine's: no heading, no blank line, not the last line, whose number is kept
/// true wherever it stands.
pub(super) fn may_be(line: &str) -> bool {
    line.starts_with("- ") && !lines::is_not_shown(line.trim_end())
}

/// The four letters of a line.
pub(super) fn word(line: &str) -> String {
    let mut rest = xxh3_64(line.as_bytes());
    let letter = |_| {
        let letter = LETTERS[usize::try_from(rest % 52).unwrap_or(0)];
        rest /= 52;
        char::from(letter)
    };
    (0..4).map(letter).collect()
}

/// A file's text below its head, without the lines that stand as the machine last wrote them and without the last line,
/// which counts what is not shown. For merging what somebody wrote: the machine's lines come back by themselves.
pub(crate) fn written_by_others(file: &[u8]) -> Vec<u8> {
    let document = Document::parse(file);
    let ours = document.value(KEY).and_then(|value| Ours::parse(&value));
    let mut words = ours.as_ref().map(Ours::words).unwrap_or_default();
    let mut theirs = Vec::new();
    for line in document.body().split_inclusive(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches(['\r', '\n']);
        let left = if may_be(text) { words.get_mut(&*word(text)) } else { None };
        match left {
            Some(left) if *left > 0 => *left -= 1,
            _ if lines::is_not_shown(text.trim_end()) => {}
            _ => theirs.extend_from_slice(line),
        }
    }
    theirs
}

/// What sections that are somebody else's take in the head beside that, at most.
pub(super) const THEIRS_PRICE: Cost = Cost::tokens(5);

/// What so many lines take in the head.
pub(super) fn price(lines: usize) -> Cost {
    if lines == 0 {
        return Cost::default();
    }
    cost(&format!("{KEY}: / / /\n"))
        + Cost(u32::try_from(lines).unwrap_or(u32::MAX).saturating_mul(cost("abcd").0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let page = "## Active Context (recent ~7 days)\n- a\n\n## Recent Patterns\n\n## Historical Summary\n- 03-01: b\n- c\n\n## Topics Index\n- d\n\n3 topics not shown: `hipocampus topics`\n";
        let mut ours = Ours::of(page);
        assert_eq!(
            ours.0.each_ref().map(|group| group.as_ref().map(Vec::len)),
            [Some(1), Some(0), Some(2), Some(1)]
        );
        assert_eq!(Ours::parse(&ours.to_string()), Some(ours.clone()));
        assert!(cost(&format!("{KEY}: {ours}\n")) <= price(ours.count()));
        ours.0[1] = None;
        assert_eq!(Ours::parse(&ours.to_string()), Some(ours.clone()));
        ours.0[3] = Some(Vec::new());
        assert_eq!(Ours::parse(&ours.to_string()), Some(ours.clone()));
        assert!(cost(&format!("{KEY}: {ours}\n")) <= price(ours.count()) + THEIRS_PRICE);
        assert_eq!(Ours::parse("abcd"), None);
        assert_eq!(word("- d").len(), 4);
        let file = format!(
            "---\ntype: root\n{KEY}: {} / / /\n---\n\n## Active Context\n- a\n- mine\n- a\n",
            word("- a")
        );
        assert_eq!(written_by_others(file.as_bytes()), b"## Active Context\n- mine\n- a\n");
        assert_ne!(word("- d"), word("- d "));
    }
}
