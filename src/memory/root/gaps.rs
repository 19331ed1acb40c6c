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
    let mut days: Vec<NaiveDate> = board.subjects.entries.iter().map(|entry| entry.day).collect();
    days.dedup();
    days.retain(|day| !is_covered(board, *day));
    let (last, first) = (days.first()?, days.last()?);
    Some(match days.len() {
        1 => format!("- {first}: no line: `hipocampus topics --all`"),
        count => format!("- {first}~{last}: {count} days have no line: `hipocampus topics --all`"),
    })
}

fn is_covered(board: &Board<'_, '_>, day: NaiveDate) -> bool {
    let month = Month::of(day);
    let spans = [Span::Day(day), Span::Week(Week::of(day)), Span::Month(month), Span::half(day)];
    board.pointed.contains(&day) || spans.iter().any(|span| board.spans.contains(span))
}
