//! How the lines of ROOT.md are written.

use std::fmt::Write as _;

use chrono::{Datelike, NaiveDate};

use crate::memory::entry::EntryType;
use crate::memory::period::{Month, Period, Week};

/// The headings, in the order of the file.
pub(super) const ACTIVE: &str = "## Active Context (recent ~7 days)";
pub(super) const PATTERNS: &str = "## Recent Patterns";
pub(super) const HISTORY: &str = "## Historical Summary";
pub(super) const INDEX: &str = "## Topics Index";

/// A pointer nobody has followed for so many days may be dead.
pub(super) const REFERENCE_DAYS: u32 = 30;

/// `[type, Nd]`, `[reference, Nd, ?]`
pub(super) fn tag(kind: EntryType, age: u32) -> String {
    let doubt = if is_doubtful(kind, age) { ", ?" } else { "" };
    format!("[{kind}, {age}d{doubt}]")
}

/// Whether a topic of this type and age gets `?`.
pub(super) fn is_doubtful(kind: EntryType, age: u32) -> bool {
    kind == EntryType::Reference && age > REFERENCE_DAYS
}

/// `- topic [type, Nd]: sub, sub → 2026-03-01, 03-04`. `days` newest first; they are written in this order, the
/// year only where it changes.
pub(super) fn index_line(head: &str, tag: &str, subs: &[&str], days: &[NaiveDate]) -> String {
    let mut line = format!("- {head} {tag}");
    if !subs.is_empty() {
        let _ = write!(line, ": {}", subs.join(", "));
    }
    line + &references(days)
}

/// ` → 2026-03-04, 03-01, 2025-12-30`
pub(super) fn references(days: &[NaiveDate]) -> String {
    let mut text = String::new();
    let mut year = None;
    for (at, day) in days.iter().enumerate() {
        text.push_str(if at == 0 { " → " } else { ", " });
        if year != Some(day.year()) {
            year = Some(day.year());
            let _ = write!(text, "{:04}-", day.year());
        }
        text.push_str(&short(*day));
    }
    text
}

/// `03-15`
pub(super) fn short(day: NaiveDate) -> String {
    format!("{:02}-{:02}", day.month(), day.day())
}

/// A stretch of time that has one line in the Historical Summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Span {
    Day(NaiveDate),
    Week(Week),
    Month(Month),
    /// the half of a year in which the month lies
    Half(Month),
}

impl Span {
    /// `03-15` in this `year`, else `2025-03-15`; `2025-W11`; `2025-03`; `2020-01~06`
    pub(super) fn label(self, year: i32) -> String {
        match self {
            Span::Day(day) if day.year() == year => short(day),
            Span::Day(day) => Period::Day(day).to_string(),
            Span::Week(week) => week.to_string(),
            Span::Month(month) => month.to_string(),
            Span::Half(month) => {
                let first = month.first_day();
                let months = if first.month() <= 6 { "01~06" } else { "07~12" };
                format!("{:04}-{months}", first.year())
            }
        }
    }

    pub(super) fn half(day: NaiveDate) -> Self {
        let month = if day.month() <= 6 { 1 } else { 7 };
        Span::Half(Month::of(NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day)))
    }
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
pub(super) fn is_not_shown(line: &str) -> bool {
    let Some((count, rest)) = line.split_once(' ') else { return false };
    !count.is_empty()
        && count.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(
            rest,
            "topic not shown: `hipocampus topics`" | "topics not shown: `hipocampus topics`"
        )
}
