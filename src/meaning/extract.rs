//! The extract that stands in for sources above the threshold until a model has summarised them.
//!
//! Made from the text of the sources alone. A source may itself be a log, an extract or a model's summary; all three
//! are read by the same rules, which is what lets a week or month merge its days.

mod collect;
mod detail;
mod item;
mod keyed;
mod topics;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use bumpalo::Bump;

use crate::memory::entry::EntryType;
use crate::memory::hashed::Hashed;
use crate::memory::period::{Level, Period};

use collect::{Collected, DETAIL};
use detail::Place;
pub(crate) use keyed::label;
use keyed::{COMPLETED, DECISIONS, LESSONS, OPEN};
pub(crate) use topics::split_topics;

/// The sections of an extract below Topics, in order.
const SECTIONS: [&str; 4] = [DECISIONS, COMPLETED, LESSONS, OPEN];

/// To be raised whenever [`extract`] would say something else of the same sources: what an older version wrote is then
/// written again, once (the sources hash of a node has it in it).
pub(crate) const EXTRACT_VERSION: u8 = 22;

/// How the sentence at the top of an extract ends.
const ANNOUNCED: &str = "summarised them, it is an extract.";

/// Whether a text still says of itself that it is an extract.
pub(crate) fn is_announced_in(body: &[u8]) -> bool {
    memchr::memmem::find(body, ANNOUNCED.as_bytes()).is_some()
}

/// Whether a text is an extract, rather than one that has some among what it carries: it says so in its first line.
pub(crate) fn is_announced(body: &[u8]) -> bool {
    body.trim_ascii_start().split(|byte| *byte == b'\n').next().is_some_and(is_announced_in)
}

/// Makes the body of a node whose sources are longer than the threshold of its level. `sources` are their periods and
/// bodies, oldest first.
///
/// At most as many lines as the threshold, unless the topics and the user and feedback entries alone need more.
pub fn extract<'a>(level: Level, sources: impl IntoIterator<Item = (Period, &'a str)>) -> String {
    make(level, sources, None)
}

/// The extract of one log, for a reader that can open it: below each heading stands what `place` says of the bytes of the
/// log that it is made from, and at its end the same of the sessions that are not told of at all.
pub(crate) fn with_places(
    period: Period,
    log: &str,
    place: &dyn Fn(&[Range<usize>]) -> String,
) -> String {
    make(period.level(), [(period, log)], Some(place))
}

fn make<'a>(
    level: Level,
    sources: impl IntoIterator<Item = (Period, &'a str)>,
    place: Place<'_>,
) -> String {
    let arena = Bump::new();
    let mut collected = Collected::new(&arena);
    collected.with_places = place.is_some();
    for (period, source) in sources {
        collected.add(level, period, source);
    }
    let threshold = usize::try_from(level.threshold()).unwrap_or(usize::MAX);
    let room = threshold.saturating_sub(frame_lines(&collected));
    let mut left_out = collected.left_out + choose_items(&mut collected, room);
    name_unprinted(&mut collected);
    // What is left of the room, once the topics are all there.
    let mut text = above(level, &collected);
    let room = threshold.saturating_sub(line_ends(&text) + 2 * HEADING + 2);
    left_out += detail::choose_lines(&mut collected.details, room);
    let mut told = collected.details.iter().filter(|detail| detail.is_chosen()).peekable();
    if told.peek().is_some() {
        let _ = writeln!(text, "\n## {DETAIL}");
    }
    told.for_each(|detail| detail.push_to(&mut text, place));
    if left_out > 0 {
        let _ = writeln!(text, "\n{}", topics::left_out(left_out));
    }
    if let Some(place) = place {
        let untold = collected.details.iter().filter(|detail| !detail.is_chosen());
        let untold: Vec<_> = untold.flat_map(|detail| detail.places.iter().cloned()).collect();
        if !untold.is_empty() {
            let _ = writeln!(text, "(not told of above: {})", place(&untold));
        }
    }
    text
}

fn line_ends(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The names of the sections, ours first.
fn names<'c>(collected: &'c Collected<'_>) -> impl Iterator<Item = &'c str> {
    let other = collected.sections.keys().map(|name| &**name);
    SECTIONS.into_iter().chain(other.filter(|name| !SECTIONS.contains(name)))
}

/// The extract down to what was said in detail.
fn above(level: Level, collected: &Collected<'_>) -> String {
    let lines = level.threshold();
    let mut text = format!(
        "This {level} node stands for more than {lines} lines. Until the hipocampus-compaction skill has {ANNOUNCED}\n"
    );
    let topics = item::topics(collected.named_topics());
    if !topics.is_empty() {
        let _ = write!(text, "\n## Topics\n{topics}");
    }
    for name in names(collected) {
        let Some(items) = collected.sections.get(name) else { continue };
        if items.iter().any(|item| item.chosen) {
            let _ = writeln!(text, "\n## {name}");
            items.iter().filter(|item| item.chosen).for_each(|item| item.push_to(&mut text));
        }
    }
    text
}

/// Lines that are there whatever is chosen: the sentence, the topics, the known headings with a blank line before each,
/// the count of what was left out, and the last line end.
fn frame_lines(collected: &Collected<'_>) -> usize {
    let filled = SECTIONS.into_iter().filter_map(|name| collected.sections.get(name));
    let known = filled.filter(|items| !items.is_empty()).count();
    // Other sections may have to be named among the topics.
    let other = names(collected).filter(|name| !SECTIONS.contains(name));
    let other = other.map(|name| (name, EntryType::Project));
    let topics = item::topics(collected.named_topics().chain(other));
    1 + HEADING + line_ends(&topics) + HEADING * known + 2 + 1
}

/// The lines of a heading with the blank line before it.
const HEADING: usize = 2;
/// Of the room that is left to them, keyed bullets take so many percent at most where there is more to tell.
const KEYED: usize = 60;

/// Marks what there is room for: user and feedback entries whatever they take, then keyed bullets, then sections of
/// other names, all newest first, each source in its turn. Returns how many lines stay out.
fn choose_items(collected: &mut Collected<'_>, room: usize) -> usize {
    let told: usize = collected.details.iter().map(|detail| detail.lines.len() + 1).sum();
    let room = room.saturating_sub(told.min(room * (100 - KEYED) / 100));
    // The first item of a section that is not one of ours brings its heading.
    let mut headings = Vec::new();
    let mut queue = Vec::new();
    for (name, items) in &mut collected.sections {
        let is_other = !SECTIONS.contains(&&**name);
        headings.push(if is_other { HEADING } else { 0 });
        queue.extend(items.iter_mut().map(|item| (headings.len() - 1, is_other, item)));
    }
    queue.sort_by_key(|(.., item)| std::cmp::Reverse(item.order));
    let mut turns: HashMap<(bool, bool, usize), usize, Hashed> = HashMap::default();
    let mut queue: Vec<_> = queue
        .into_iter()
        .map(|(section, is_other, item)| {
            let turn = turns.entry((item.stays, is_other, item.source)).or_default();
            *turn += 1;
            ((!item.stays, is_other, *turn), section, item)
        })
        .collect();
    queue.sort_by_key(|(turn, ..)| *turn);
    let (mut used, mut left_out) = (0, 0);
    for (_, section, item) in queue {
        let height = item.height() + headings[section];
        item.chosen = item.stays || used + height <= room;
        if item.chosen {
            used += height;
            headings[section] = 0;
        } else {
            left_out += item.height();
        }
    }
    left_out
}

/// A section of which nothing is printed may be an entry of a log that has a heading like a summary's beside it: it is
/// named among the topics.
fn name_unprinted(collected: &mut Collected<'_>) {
    let is_unprinted = |name: &&str| {
        !SECTIONS.contains(name) && !collected.sections[*name].iter().any(|item| item.chosen)
    };
    let unprinted = names(collected).filter(|name| collected.sections.contains_key(*name));
    let unprinted: Vec<String> = unprinted.filter(is_unprinted).map(str::to_owned).collect();
    for name in unprinted {
        collected.push_topic(name, EntryType::Project);
    }
}

#[cfg(test)]
mod tests;
