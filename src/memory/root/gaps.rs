//! The days that no line speaks of.

use chrono::NaiveDate;

use super::board::Board;
use super::lines::Span;
use crate::memory::period::{Month, Week};
use crate::memory::tokens::{Cost, cost};

/// What the line costs at most.
pub(super) fn reserve() -> Cost {
    cost("- 2025-12-31~2026-12-31: 9999 days have no line: `hipocampus topics --all`\n")
}

/// A line that names them, from the first to the last; `None` where every day stands under some line.
pub(super) fn line(board: &Board<'_, '_>) -> Option<String> {
    let days = board.subjects.days().map(|day| day[0].day);
    let days: Vec<NaiveDate> = days.filter(|day| board.leads_to(*day).is_none()).collect();
    let (last, first) = (days.first()?, days.last()?);
    Some(match days.len() {
        1 => format!("- {first}: no line: `hipocampus topics --all`"),
        count => format!("- {first}~{last}: {count} days have no line: `hipocampus topics --all`"),
    })
}

/// How well the lines lead to the days: 4 for each that a line names or points to, 2 for one in a week that has a line, 1 for
/// one in a longer stretch; as many less as a day of its own is worth for each that nothing leads to. Also the most that this
/// can be.
pub(super) fn found(board: &Board<'_, '_>) -> (i64, i64) {
    let days = board.subjects.days().map(|day| board.leads_to(day[0].day).unwrap_or(-BY_DAY));
    days.fold((0, 0), |(found, most), day| (found + day, most + BY_DAY))
}

/// What a day's own line is worth.
const BY_DAY: i64 = 4;

impl Board<'_, '_> {
    /// How well a line leads to a day; `None` where none does.
    pub(super) fn leads_to(&self, day: NaiveDate) -> Option<i64> {
        let has = |span: Span| self.spans.contains(&span);
        // What stands on the line of a week points to each of its days.
        if has(Span::Day(day)) {
            Some(BY_DAY)
        } else if has(Span::Week(Week::of(day))) {
            Some(2)
        } else if has(Span::Month(Month::of(day))) || has(Span::half(day)) {
            Some(1)
        } else {
            self.pointed.contains(&day).then_some(BY_DAY)
        }
    }
}
