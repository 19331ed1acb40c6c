//! What tombstones do where several copies of a memory come together: a merge leaves out what they cover, and a log
//! that somebody took something out of is the same log in every clone.

use chrono::NaiveDate;

use super::cut::{self, Gone, LogCut, Selection};
use crate::markdown::marker;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::merge::{self, LogPart, MergeError, log::union};
use crate::text::lossy;

/// Cuts the log of a memory that clones share: what stays gets the place that a merge gives it, so that clones which
/// forget the same, each when it hears of it, end at the same bytes.
pub(crate) fn cut(log: &[u8], day: NaiveDate, goes: Selection<'_>) -> Option<LogCut> {
    let first = cut::cut(log, day, goes)?;
    let mut here = Forgotten::new(0);
    for gone in &first.gone {
        gone.bury(day, &mut here);
    }
    // What cannot be merged keeps the order it has.
    let Ok(left) = union(&[log], &|item| covers(&here, day, item)) else { return Some(first) };
    let bytes = cut::cut(&left, day, goes).map_or(left, |again| again.bytes);
    Some(LogCut { bytes, gone: first.gone })
}

/// Merges two versions of a file, as [`merge::merge`] does; what was forgotten stays out of a log. `day` is the log's.
pub(crate) fn merged(
    (kind, day): (merge::FileKind, Option<NaiveDate>),
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
    forgotten: &Forgotten,
) -> Result<Vec<u8>, MergeError> {
    let Some(day) = day.filter(|_| kind == merge::FileKind::Log && !forgotten.is_empty()) else {
        return merge::merge(kind, base, ours, theirs, &|_| false);
    };
    let merged = merge::merge(kind, base, ours, theirs, &|item| covers(forgotten, day, item))?;
    Ok(cut(&merged, day, Selection::Buried(forgotten)).map_or(merged, |cut| cut.bytes))
}

/// The tombstones of one side of a merge, for a merge that does not know those of the other side. Words that this one
/// forgot and the other one has noted down since the common version may have been saved again on purpose, which only
/// its own tombstones tell: they stay, and the next run, which has the tombstones of both, takes them out if they
/// were not.
pub(crate) fn of_one_side(
    mut forgotten: Forgotten,
    day: NaiveDate,
    base: Option<&[u8]>,
    theirs: &[u8],
) -> Forgotten {
    let gone = |log: &[u8]| -> Vec<String> {
        let gone = cut::cut(log, day, Selection::Buried(&forgotten)).map(|cut| cut.gone);
        gone.into_iter().flatten().filter(Gone::is_text).map(|gone| gone.text).collect()
    };
    let said = gone(theirs);
    if !said.is_empty() {
        let before = base.map(gone).unwrap_or_default();
        let theirs = lossy(theirs);
        for text in
            said.iter().filter(|text| !before.contains(text) && is_noted_down(&theirs, text))
        {
            forgotten.allow(ForgottenId::entry(day, text));
        }
    }
    forgotten
}

/// Whether a text is below a line that says when it was noted down, as `flush` writes it.
fn is_noted_down(log: &str, text: &str) -> bool {
    let mut places = log.match_indices(text).map(|(place, _)| log[..place].trim_end());
    places.any(|before| before.lines().next_back().is_some_and(|line| marker::at(line).is_some()))
}

/// Whether all of a part of a log was forgotten.
fn covers(forgotten: &Forgotten, day: NaiveDate, item: LogPart<'_>) -> bool {
    match item {
        LogPart::Block { session, from, to } => forgotten.covers(session, &(from..to)),
        LogPart::Text(text) => cut::cut(text, day, Selection::Buried(forgotten))
            .is_some_and(|left| left.bytes.trim_ascii().is_empty()),
    }
}
