//! Marks in the place of secrets, and what is looked at once more after a pass: only what a mark may have changed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::existing_marks::MARK;
use super::scan::{self, Finding};

/// Text without its secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// the text; borrowed when nothing was found
    pub bytes: Cow<'a, [u8]>,
    /// how many secrets each rule found
    pub counts: BTreeMap<Cow<'static, str>, usize>,
    /// the values that are secrets wherever they stand, each with the rule that proved it; of very many, some
    pub proven: Proven,
}

/// Values, each with the rule that proved it.
pub type Proven = BTreeMap<Vec<u8>, Cow<'static, str>>;

impl Redacted<'_> {
    /// How many secrets were found.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

/// Most often a pass is repeated; real text needs two.
pub(super) const PASSES: usize = 6;

/// Replaces what `find` finds until it finds nothing, so that redacting the result changes nothing.
///
/// From the second time on `find` is told what has changed: elsewhere there is nothing new.
pub(super) fn repeat(
    text: &[u8],
    find: impl Fn(&[u8], Option<&[Range<usize>]>) -> Vec<Finding>,
) -> Redacted<'_> {
    let mut bytes = Cow::Borrowed(text);
    let mut counts = BTreeMap::new();
    let mut changed: Option<Vec<Range<usize>>> = None;
    for _ in 0..PASSES {
        let found = merge(find(&bytes, changed.as_deref()));
        if found.is_empty() {
            break;
        }
        let (replaced, marks) = replace(&bytes, &found);
        for finding in found {
            *counts.entry(finding.id).or_default() += 1;
        }
        bytes = Cow::Owned(replaced);
        changed = Some(marks);
    }
    Redacted { bytes, counts, proven: Proven::new() }
}

/// Overlapping findings become one, named by the most specific rule.
pub(super) fn merge(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by_key(|finding| (finding.span.start, finding.rank));
    let mut merged: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        match merged.last_mut() {
            Some(last) if finding.span.start < last.span.end => {
                last.span.end = last.span.end.max(finding.span.end);
                if finding.rank < last.rank {
                    last.rank = finding.rank;
                    last.id = finding.id;
                }
            }
            _ => merged.push(finding),
        }
    }
    merged
}

/// Puts a mark in the place of each finding; tells where the marks stand.
pub(super) fn replace(text: &[u8], found: &[Finding]) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut marks = Vec::with_capacity(found.len());
    let mut kept = 0;
    for finding in found {
        bytes.extend_from_slice(&text[kept..finding.span.start]);
        let start = bytes.len();
        bytes.extend(mark(finding));
        marks.push(start..bytes.len());
        kept = finding.span.end;
    }
    bytes.extend_from_slice(&text[kept..]);
    (bytes, marks)
}

/// What is in the place of a finding.
pub(super) fn mark(finding: &Finding) -> impl Iterator<Item = u8> + '_ {
    MARK.iter().copied().chain([b':']).chain(finding.id.bytes()).chain([b']'])
}

/// The parts of the text whose rules may see one of the changes; all of it when nothing has changed yet.
pub(super) fn around(text: &[u8], changed: Option<&[Range<usize>]>) -> Vec<Range<usize>> {
    let Some(changed) = changed else { return std::iter::once(0..text.len()).collect() };
    let mut parts: Vec<Range<usize>> = Vec::new();
    for change in changed {
        let (before, behind) = scan::REACH;
        let end = text.len().min(change.end + behind);
        // A mark breaks the word it is in: what follows in that word is looked at anew.
        let word = text[change.end..].iter().take_while(|byte| scan::unbroken(**byte)).count();
        let part = change.start.saturating_sub(before)..end.max(change.end + word);
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts
}
