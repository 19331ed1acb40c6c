//! What tombstones do where several copies of a memory come together: a merge leaves out what they cover, and a log that
//! somebody took something out of is the same log in every clone.

use chrono::NaiveDate;

use super::cut::{self, LogCut, Selection};
use crate::memory::forgotten::Forgotten;
use crate::merge::{self, LogPart, MergeError, log::union};

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

/// Whether all of a part of a log was forgotten.
fn covers(forgotten: &Forgotten, day: NaiveDate, item: LogPart<'_>) -> bool {
    match item {
        LogPart::Block { session, from, to } => forgotten.covers(session, &(from..to)),
        LogPart::Text(text) => cut::cut(text, day, Selection::Buried(forgotten))
            .is_some_and(|left| left.bytes.trim_ascii().is_empty()),
    }
}
