//! Merging the logs of a day: the union of their session blocks and entries, in an order that depends on nothing but
//! these.
//!
//! - A session block is known by its session, its range and its words; of blocks that say the same the wider stands.
//! - An entry is known by its text. Of two the longer stands if it begins with all lines of the other: somebody added
//!   to it. The same text twice in one log occurs twice.
//! - Blocks are in the order of their time, what was noted down at a known time (the line `<!-- hipocampus:at … -->`)
//!   between them, and everything else keeps its place after what it was written below: see `positions` and
//!   `merged_order`.
//!
//! The rules are in `spec/sharing.md`.

use crate::merge::MergeError;
mod blocks;
mod merged_order;
mod parse;
mod positions;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::markdown::{conflict, marker};
use merged_order::MergedOrder;
use parse::{LogText, ParsedPart};
use positions::{AllParts, PartId};

/// A part of a log, as the question is put whether it was forgotten on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogPart<'a> {
    Block {
        session: &'a str,
        /// where its first turn begins in the transcript
        from: u64,
        /// where reading stopped
        to: u64,
    },
    /// an entry, its heading included, or a paragraph under no heading
    Text(&'a [u8]),
}

/// Merges the logs of a day as two sides have them: the union of both, without what was in the common version and one
/// side has taken out since, and without what `forgotten` says yes to.
pub(crate) fn merge(
    base: &[u8],
    ours: &[u8],
    theirs: &[u8],
    forgotten: &dyn Fn(LogPart<'_>) -> bool,
) -> Result<Vec<u8>, MergeError> {
    let sides = [base, ours, theirs].map(conflict::sides_of);
    let [base, ours, theirs] = [&sides[0], &sides[1], &sides[2]].map(|sides| AllParts::of(sides));
    let [was, one, other] = [&base, &ours, &theirs].map(counts);
    let count = |side: &HashMap<PartId, u32>, id| side.get(&id).copied().unwrap_or(0);
    let kept = |id: PartId| {
        let (was, one, other) = (count(&was, id), count(&one, id), count(&other, id));
        if one.min(other) < was { (one + other).saturating_sub(was) } else { one.max(other) }
    };
    put_together(&ours.joined(theirs, &base), &kept, forgotten)
}

/// How often each part is in a log.
fn counts(union: &AllParts<'_>) -> HashMap<PartId, u32> {
    let blocks = union.blocks.keys().map(|name| (PartId::Block(*name), 1));
    let mut counts: HashMap<PartId, u32> = blocks.collect();
    for id in union.texts.keys() {
        *counts.entry(id.first()).or_default() += 1;
    }
    counts
}

/// The union of logs of one day, in whatever order they are given, without what `forgotten` says yes to. A log with the
/// marks of a merge that was not finished counts as its two sides. Fails when there are more blocks than anything but
/// malice makes.
pub(crate) fn union(
    logs: &[&[u8]],
    forgotten: &dyn Fn(LogPart<'_>) -> bool,
) -> Result<Vec<u8>, MergeError> {
    let sides: Vec<Cow<'_, [u8]>> = logs.iter().flat_map(|log| conflict::sides_of(log)).collect();
    put_together(&AllParts::of(&sides), &|_| u32::MAX, forgotten)
}

/// All parts of some logs, each as often as `kept` says.
fn put_together(
    union: &AllParts<'_>,
    kept: &dyn Fn(PartId) -> u32,
    forgotten: &dyn Fn(LogPart<'_>) -> bool,
) -> Result<Vec<u8>, MergeError> {
    if blocks::are_too_many(&union.blocks) {
        return Err(MergeError::TooManyBlocks);
    }
    let mut gone = outgrown(&union.texts);
    let is_forgotten = |(_, text): &(&PartId, &LogText<'_>)| forgotten(LogPart::Text(&text.bytes));
    gone.extend(union.texts.iter().filter(is_forgotten).map(|(id, _)| *id));
    let blocks = union.blocks.keys().map(|name| PartId::Block(*name));
    gone.extend(
        union.texts.keys().copied().chain(blocks).filter(|id| id.count() >= kept(id.first())),
    );
    let places = merged_order::places(union, gone, |block| {
        forgotten(LogPart::Block { session: block.session, from: block.from, to: block.to })
    });
    Ok(write(union, &places))
}

/// A log without the marks of a merge that was not finished: both its sides merged. `None` where it has none.
pub(crate) fn mended(log: &[u8]) -> Option<Vec<u8>> {
    if conflict::sides_of(log).len() < 2 {
        return None;
    }
    union(&[log], &|_| false).ok()
}

/// How many entries and blocks are in one log and not in another.
pub(crate) fn count_missing(log: &[u8], other: &[u8]) -> usize {
    let names = |log| {
        let parts = parse::parse(log).into_iter();
        parts.map(|part| match part {
            ParsedPart::Block(block) => positions::hash(block.bytes),
            ParsedPart::Text(text) => positions::hash(&text.bytes),
        })
    };
    let known: HashSet<u128> = names(other).collect();
    names(log).filter(|name| !known.contains(name)).count()
}

/// Entries that another one begins with.
fn outgrown(texts: &HashMap<PartId, LogText<'_>>) -> HashSet<PartId> {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec()).collect()
    };
    let mut entries: Vec<(Vec<Vec<u8>>, PartId)> = texts
        .iter()
        .filter(|(_, text)| text.is_entry)
        .map(|(id, text)| (lines(&text.bytes), *id))
        .collect();
    // All that begin with the same lines are in a row after the shortest.
    entries.sort();
    let mut gone = HashSet::new();
    let mut longer: Option<&[Vec<u8>]> = None;
    for row in entries.chunk_by(|(one, _), (other, _)| one == other).rev() {
        let Some((lines, _)) = row.first() else { continue };
        if longer.is_some_and(|longer| longer.starts_with(lines)) {
            gone.extend(row.iter().map(|(_, id)| *id));
        }
        longer = Some(lines);
    }
    gone
}

fn write(union: &AllParts<'_>, places: &MergedOrder<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut push = |time: Option<&str>, bytes: &[u8], set_off: bool| {
        if set_off && !out.is_empty() {
            out.push(b'\n');
        }
        out.extend(time.map(marker::write_at).unwrap_or_default().bytes());
        out.extend_from_slice(bytes);
        out.push(b'\n');
    };
    for id in places.below(None) {
        push(None, &union.texts[&id].bytes, true);
    }
    for top in &places.tops {
        match top.id {
            PartId::Block(name) => {
                push(top.at, union.blocks[&name].bytes, true);
                for next in places.rows.get(&name).into_iter().flatten() {
                    push(None, union.blocks[next].bytes, false);
                }
            }
            PartId::Text(..) => push(top.at, &union.texts[&top.id].bytes, true),
        }
        for id in places.below(Some(top.id)) {
            push(None, &union.texts[&id].bytes, true);
        }
    }
    out
}

/// The parts of a log that a person would call its entries and sessions, for tests that count them.
#[cfg(test)]
pub(crate) fn parts(log: &[u8]) -> Vec<Vec<u8>> {
    let bytes = |part: parse::ParsedPart<'_>| match part {
        parse::ParsedPart::Block(block) => block.bytes.to_vec(),
        parse::ParsedPart::Text(text) => text.bytes.into_owned(),
    };
    parse::parse(log).into_iter().map(bytes).collect()
}
