//! Months too long ago for their entries to have their turn in the Historical Summary.

use std::collections::{HashMap, HashSet};

use super::board::{Board, Item};
use super::heaviest::heaviest;
use super::items::{Key, key};
use super::lines::Span;
use super::subjects::Entry;
use crate::memory::period::Month;
use crate::memory::tokens::{Cost, cost};

/// Up to so many days before the newest entry, each month has a line; beyond, half a year.
const MONTH_LINES: u32 = 3 * 365;
/// With less room for each than this, months are put together.
const WORTH_A_LINE: Cost = Cost::tokens(14);
/// How many words of an entry are looked at.
const WORDS: usize = 6;
/// The most items of a line.
const ITEMS: usize = 40;

/// The line of an entry that is too long before the newest one, in days, for that of a week.
pub(super) fn far(entry: &Entry<'_>, distance: u32) -> Span {
    if distance <= MONTH_LINES { Span::Month(Month::of(entry.day)) } else { Span::half(entry.day) }
}

/// For each month that is not `reached` by a line yet, what it was about: the words and topics that weigh most over its entries.
pub(super) fn cover(board: &mut Board<'_, '_>, reached: &HashSet<Month>) -> Vec<(usize, String)> {
    let subjects = board.subjects;
    let grouped = |span: &dyn Fn(&Entry<'_>) -> Span| {
        let mut groups: Vec<(Span, Vec<usize>)> = Vec::new();
        for (at, entry) in subjects.entries.iter().enumerate() {
            if reached.contains(&Month::of(entry.day)) {
                continue;
            }
            match groups.last_mut() {
                Some((last, group)) if *last == span(entry) => group.push(at),
                _ => groups.push((span(entry), vec![at])),
            }
        }
        groups
    };
    let mut groups = grouped(&|entry| far(entry, subjects.distance(entry)));
    let each = board.left.0 / u32::try_from(groups.len()).unwrap_or(u32::MAX).max(1);
    if Cost(each) < WORTH_A_LINE {
        groups = grouped(&|entry| Span::half(entry.day));
    }
    let mut lines = Vec::new();
    let mut used: HashMap<Key, u32> = HashMap::new();
    let mut left = groups.len();
    for (span, group) in groups {
        let mut share = Cost(board.left.0 / u32::try_from(left).unwrap_or(u32::MAX).max(1));
        left -= 1;
        let label = format!("- {}: ", span.label(board.today));
        let mut line = label.clone();
        let mut said: Vec<(usize, Item)> = Vec::new();
        for (at, item) in most_weighty(board, &group) {
            // What marked two stretches already marks none.
            if used.get(&key(item)).is_some_and(|times| *times > 1) {
                continue;
            }
            let more = if said.is_empty() { "" } else { ", " };
            let longer = format!("{line}{more}{}", board.text(item));
            if cost(&longer) + cost("\n") > share {
                break;
            }
            line = longer;
            said.push((at, item));
        }
        if said.is_empty() || !board.take(&line, &mut share) {
            continue;
        }
        for (at, item) in said {
            *used.entry(key(item)).or_default() += 1;
            board.place(&subjects.entries[at], item);
        }
        board.spans.insert(span);
        lines.push((group[0], line));
    }
    lines
}

/// The topics and words of a group of entries that stand on no line yet, the heaviest first.
fn most_weighty(board: &Board<'_, '_>, group: &[usize]) -> Vec<(usize, Item)> {
    let subjects = board.subjects;
    let items = heaviest(board, group, |entry| {
        let words = subjects.telling(entry, WORDS);
        let best = words.first().map_or(1, |word| word.score);
        let topic = subjects.short_topic(entry).map(|topic| (Item::Topic(topic), best));
        let words = words.into_iter().map(|word| (Item::from(&word), word.score));
        topic.into_iter().chain(words).collect::<Vec<_>>()
    });
    let is_new = |item: &Item| !matches!(item, Item::Topic(topic) if board.is_shown(*topic));
    items.into_iter().filter(|(_, item)| is_new(item)).take(ITEMS).collect()
}
