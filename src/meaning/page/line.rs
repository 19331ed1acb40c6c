//! The lines of ROOT.md: how they are written and read.

use std::fmt::Write as _;
use std::ops::Range;

use chrono::{Datelike as _, NaiveDate};

use crate::memory::entry::EntryType;
use crate::memory::period::Period;

/// The headings, in the order of the file.
pub(crate) const SECTIONS: [&str; 4] = [
    "## Active Context (recent ~7 days)",
    "## Recent Patterns",
    "## Historical Summary",
    "## Topics Index",
];
/// What of a heading tells its section: the rest of it may be written otherwise.
pub(crate) const NAMES: [&str; 4] =
    ["## Active Context", "## Recent Patterns", "## Historical Summary", "## Topics Index"];
/// What the program adds to a page of somebody else's is below this line.
pub(crate) const ADDED: &str = "<!-- hipocampus:added -->";

/// A pointer nobody has followed for more days than this may be dead.
const REFERENCE_DAYS: u32 = 30;
/// The most days that a line points to.
const DAYS: usize = 3;

/// Whether a topic of this type and age gets `?`.
pub(crate) fn is_doubtful(kind: EntryType, age: u32) -> bool {
    kind == EntryType::Reference && age > REFERENCE_DAYS
}

/// `- topic [type, 3d]`
pub(super) fn begin(topic: &str, kind: EntryType, age: u32) -> String {
    let doubt = if is_doubtful(kind, age) { ", ?" } else { "" };
    format!("- {topic} [{kind}, {age}d{doubt}]")
}

/// ` → 2026-03-04, 03-01, 2025-W52`: at most three, newest first, the year where it changes.
pub(super) fn references(days: &[Period]) -> String {
    let mut text = String::new();
    let mut year = None;
    for (at, period) in days.iter().take(DAYS).enumerate() {
        text.push_str(if at == 0 { " → " } else { ", " });
        match period {
            Period::Day(day) if year == Some(day.year()) => {
                let _ = write!(text, "{:02}-{:02}", day.month(), day.day());
            }
            _ => text.push_str(&period.to_string()),
        }
        year = match period {
            Period::Day(day) => Some(day.year()),
            _ => None,
        };
    }
    text
}

/// The days that a line points to after its arrow.
pub(crate) fn days_of(line: &str) -> Vec<NaiveDate> {
    let Some((_, behind)) = line.rsplit_once('→') else { return Vec::new() };
    let mut year = None;
    let mut days = Vec::new();
    for part in behind.split(',').map(str::trim) {
        let whole = part.parse::<NaiveDate>().ok();
        let short = || format!("{:04}-{part}", year?).parse::<NaiveDate>().ok();
        if let Some(day) = whole.or_else(short) {
            year = Some(day.year());
            days.push(day);
        }
    }
    days
}

/// The last line of the file.
pub(super) fn not_shown(topics: usize) -> Option<String> {
    match topics {
        0 => None,
        1 => Some("1 topic not shown: `hipocampus topics`".to_owned()),
        _ => Some(format!("{topics} topics not shown: `hipocampus topics`")),
    }
}

/// Whether a line is one that [`not_shown`] writes.
pub(crate) fn is_not_shown(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let texts = [" topic not shown: `hipocampus topics`", " topics not shown: `hipocampus topics`"];
    rest.len() < line.len() && texts.contains(&rest.trim_end())
}

/// An index line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexLine<'a> {
    pub(crate) topic: &'a str,
    pub(crate) kind: EntryType,
    /// days since something was last said of it
    pub(crate) age: Option<u32>,
    /// where the digits of the age stand
    digits: Option<Range<usize>>,
    /// where the doubt stands, from its comma
    doubt: Option<Range<usize>>,
    /// where the closing bracket stands
    close: usize,
}

impl<'a> IndexLine<'a> {
    /// Reads a line. `None` for one whose brackets hold anything else than a type, an age and a doubt.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
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
            let mut from = open + 1;
            let mut parts = line[from..close].split(',').map(|part| {
                let at = from..from + part.len();
                from = at.end + 1;
                at
            });
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

    /// The line, of which this was read, with another age. A line that had no age gets none, unless its doubt needs
    /// one.
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
