//! Index lines as somebody wrote them: `- topic [type, Nd, ?]: …`.

use std::ops::Range;

use super::lines::is_doubtful;
use crate::memory::entry::EntryType;

/// An index line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexLine<'a> {
    pub(super) topic: &'a str,
    pub(super) kind: EntryType,
    pub(super) age: Option<u32>,
    /// where the digits of the age stand
    digits: Option<Range<usize>>,
    /// where the doubt stands, from its comma
    doubt: Option<Range<usize>>,
    /// where the closing bracket stands
    close: usize,
}

impl<'a> IndexLine<'a> {
    /// Reads a line. `None` for one whose brackets hold anything else than a type, an age and a doubt.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let indent = line.len() - line.trim_start().len();
        let item = line[indent..].strip_prefix(['-', '*'])?.strip_prefix(' ')?;
        let start = line.len() - item.len();
        line.match_indices('[').filter(|(at, _)| *at > start).find_map(|(open, _)| {
            let close = open + line[open..].find(']')?;
            let after = &line[close + 1..];
            let topic = line[start..open].trim();
            let ends = after.is_empty() || after.starts_with([':', ' ', '\t']);
            if topic.is_empty() || !ends {
                return None;
            }
            let mut parts = Parts { line, at: open + 1, close };
            let kind = EntryType::parse(&line[parts.next()?])?;
            let mut found = Self { topic, kind, age: None, digits: None, doubt: None, close };
            for part in parts {
                let text = line[part.clone()].trim();
                let trimmed = part.start + line[part.clone()].find(text).unwrap_or(0);
                if text == "?" {
                    found.doubt = Some(part.start - 1..part.end);
                } else {
                    let digits = text.strip_suffix('d')?;
                    found.age = Some(digits.parse().ok()?);
                    found.digits = Some(trimmed..trimmed + digits.len());
                }
            }
            Some(found)
        })
    }

    /// The line, of which this was read, with another age. A line that had no age gets none, unless its doubt needs one.
    pub(super) fn with_age(&self, line: &str, age: u32) -> String {
        let doubtful = is_doubtful(self.kind, age);
        let mut out = line.to_owned();
        // From the back, so that the places in front stay right.
        match (&self.doubt, doubtful) {
            (Some(doubt), false) => out.replace_range(doubt.clone(), ""),
            (None, true) if self.digits.is_some() => out.insert_str(self.close, ", ?"),
            (None, true) => out.insert_str(self.close, &format!(", {age}d, ?")),
            _ => {}
        }
        if let Some(digits) = &self.digits {
            out.replace_range(digits.clone(), &age.to_string());
        }
        out
    }
}

/// The parts between the brackets, without the commas.
struct Parts<'a> {
    line: &'a str,
    at: usize,
    close: usize,
}

impl Iterator for Parts<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.at > self.close {
            return None;
        }
        let end =
            self.line[self.at..self.close].find(',').map_or(self.close, |comma| self.at + comma);
        let part = self.at..end;
        self.at = end + 1;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_doubts_change_in_place() {
        fn check(line: &str, age: u32, expect: &str) {
            assert_eq!(IndexLine::parse(line).unwrap().with_age(line, age), expect);
        }
        check("- auth [project, 3d]: jwt", 12, "- auth [project, 12d]: jwt");
        check("- auth [project,3d]", 4, "- auth [project,4d]");
        check("- auth [project]: jwt", 12, "- auth [project]: jwt");
        check("- wiki [reference, 30d]: url", 31, "- wiki [reference, 31d, ?]: url");
        check("- wiki [reference]: url", 31, "- wiki [reference, 31d, ?]: url");
        check("- wiki [reference, 40d, ?] → k.md", 2, "- wiki [reference, 2d] → k.md");
        check("- wiki [Reference, ?]", 40, "- wiki [Reference, ?]");
        check("  * a[0] notes [user, 1d]: b [c]", 2, "  * a[0] notes [user, 2d]: b [c]");
    }

    #[test]
    fn other_lines_are_no_index_lines() {
        for line in [
            "auth [project]",
            "- auth: [project]x",
            "- [project]",
            "- auth [draft]",
            "- auth [project, soon]",
            "- auth",
        ] {
            assert_eq!(IndexLine::parse(line), None, "{line}");
        }
    }
}
