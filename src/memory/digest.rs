//! The extract that stands in for sources above the threshold until a model has summarised them.
//!
//! Made from the text of the sources alone. A source may itself be a log, a digest or a model's summary;
//! all three are read by the same rules, which is what lets a week or month merge its days.

mod choose;
mod collect;
mod detail;
mod item;
mod keyed;
mod list;
mod wrap;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use bumpalo::Bump;

use crate::memory::entry::EntryType;
use crate::memory::hashed::Hashed;
use crate::memory::period::{Level, Period};
use crate::memory::talk::{self, Passage};
use crate::order::InOrder as _;

use collect::{Collected, DETAIL};
use item::Rank;
pub(crate) use list::split_lines as split_topics;

/// The sections of a digest below Topics, in order.
pub(crate) const SECTIONS: [&str; 4] =
    ["Key Decisions", "Tasks Completed", "Lessons Learned", "Open Items"];

/// Makes the body of a node whose sources are longer than the threshold of its level. `sources` are their periods and
/// bodies, oldest first.
///
/// At most as many lines as the threshold, unless the topics and the user and feedback entries alone need more.
pub fn digest<'a>(level: Level, sources: impl IntoIterator<Item = (Period, &'a str)>) -> String {
    let arena = Bump::new();
    let mut collected = Collected::new(&arena);
    for (period, source) in sources {
        collected.add(level, period, source);
    }
    render(level, &mut collected)
}

/// To be raised whenever [`digest`] would say something else of the same sources: what an older version wrote is then
/// written again, once (the sources hash of a node has it in it).
pub(crate) const DIGEST_VERSION: u8 = 20;

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

fn render(level: Level, collected: &mut Collected<'_>) -> String {
    let threshold = usize::try_from(level.threshold()).unwrap_or(usize::MAX);
    let mut topics = wrap::topics(collected.named_topics());
    let room = threshold.saturating_sub(frame_lines(collected, &topics));
    let mut left_out = collected.left_out + choose(collected, room);
    if name_unprinted(collected) {
        topics = wrap::topics(collected.named_topics());
    }
    // What is left of the room, once the topics are all there.
    let mut text = above(level, collected, &topics);
    let room = threshold.saturating_sub(line_ends(&text) + 2 + HEADING + 2);
    left_out += choose::choose(&mut collected.details, room);
    push_details(&mut text, collected);
    // Of a month nothing is made.
    if level != Level::Monthly {
        let lines = collected.details.iter().flat_map(|detail| &detail.items);
        for said in lines.filter(|said| said.chosen) {
            let Passage { text, words, cue, .. } = said.passage;
            talk::remember(text, words, cue);
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n{}", list::left_out(left_out));
    }
    text
}

/// About as many bytes as a line of a digest has.
const USUAL: usize = 128;

fn line_ends(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The digest down to what was said in detail.
fn above(level: Level, collected: &Collected<'_>, topics: &str) -> String {
    let lines = level.threshold();
    // So that it need not be moved while it grows.
    let mut text = String::with_capacity(usize::try_from(lines).unwrap_or_default() * USUAL);
    let _ = writeln!(
        text,
        "This {level} node stands for more than {lines} lines. Until the hipocampus-compaction skill has {ANNOUNCED}"
    );
    if !topics.is_empty() {
        text.push_str("\n## Topics\n");
        text.push_str(topics);
    }
    let names = collected.sections.keys().map(|name| &**name);
    let other = names.filter(|name| !SECTIONS.contains(name));
    for name in SECTIONS.into_iter().chain(other) {
        let Some(items) = collected.sections.get(name) else { continue };
        if items.iter().any(|item| item.chosen) {
            let _ = writeln!(text, "\n## {name}");
            for item in items.iter().filter(|item| item.chosen) {
                item.push_to(&mut text);
            }
        }
    }
    text
}

fn push_details(text: &mut String, collected: &Collected<'_>) {
    let mut told = collected.details.iter().filter(|detail| detail.is_chosen()).peekable();
    if told.peek().is_some() {
        let _ = writeln!(text, "\n## {DETAIL}");
    }
    for detail in told {
        detail.push_to(text);
    }
}

/// Lines that are there whatever is chosen: the sentence, the topics, the known headings with a blank line before each,
/// the count of what was left out, and the last line end.
fn frame_lines(collected: &Collected<'_>, topics: &str) -> usize {
    let filled = SECTIONS.into_iter().filter_map(|name| collected.sections.get(name));
    let known = filled.filter(|items| !items.is_empty()).count();
    // Other sections may have to be named among the topics.
    let other = collected.sections.keys().filter(|name| !SECTIONS.contains(&&***name));
    let mut other = other.map(|name| (&**name, EntryType::Project)).peekable();
    let topics = if other.peek().is_none() {
        Cow::Borrowed(topics)
    } else {
        wrap::topics(collected.named_topics().chain(other)).into()
    };
    1 + HEADING + line_ends(&topics) + HEADING * known + 2 + 1
}

/// The lines of a heading with the blank line before it.
const HEADING: usize = 2;
/// Of the room that is left to them, keyed bullets take so many percent at most where there is more to tell.
const KEYED: usize = 60;

/// Marks what there is room for: user and feedback entries whatever they take, then keyed bullets, then sections of other
/// names, all newest first, each day in its turn. Returns how many lines stay out.
fn choose(collected: &mut Collected<'_>, room: usize) -> usize {
    // The first item of a section that is not one of ours brings its heading.
    let mut headings = Vec::new();
    let mut items: Vec<_> = (0..=collected.count).map(|_| None).collect();
    for (name, of_section) in &mut collected.sections {
        headings.push(if SECTIONS.contains(&&**name) { 0 } else { HEADING });
        for item in of_section {
            let order = item.order;
            items[order] = Some((headings.len() - 1, item));
        }
    }
    let mut of_day: HashMap<_, _, Hashed> = HashMap::default();
    let mut queue: Vec<_> = items
        .into_iter()
        .rev()
        .flatten()
        .map(|(section, item)| {
            let other = headings[section] > 0;
            let turn = of_day.entry((item.rank, other, item.day)).or_insert(0_usize);
            *turn += 1;
            ((item.rank, other, *turn), section, item)
        })
        .collect();
    queue.order_by_key(|(turn, ..)| *turn);
    let told: usize = collected.details.iter().map(|detail| detail.items.len() + 1).sum();
    let room = room.saturating_sub(told.min(room * (100 - KEYED) / 100));
    let mut used = 0;
    let mut left_out = 0;
    for (_, section, item) in queue {
        let height = item.height() + headings[section];
        item.chosen = item.rank == Rank::Always || used + height <= room;
        if item.chosen {
            used += height;
            headings[section] = 0;
        } else {
            left_out += item.height();
        }
    }
    left_out
}

/// A section of which nothing is printed may be an entry of a log that has a heading like a summary's beside
/// it: it is named among the topics. Whether there is any.
fn name_unprinted(collected: &mut Collected<'_>) -> bool {
    let unprinted: Vec<_> = collected
        .sections
        .iter()
        .filter(|(name, items)| {
            !SECTIONS.contains(&&***name) && !items.iter().any(|item| item.chosen)
        })
        .map(|(name, _)| name.clone())
        .collect();
    let is_any = !unprinted.is_empty();
    for name in unprinted {
        collected.push_topic(name, EntryType::Project);
    }
    is_any
}

#[cfg(test)]
mod tests;
