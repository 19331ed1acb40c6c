//! Lines for days of which nothing had its turn in the Historical Summary: by month, or by half a year.

use std::collections::HashMap;

use super::board::{Board, Item};
use super::heaviest::heaviest;
use super::items::{Key, key};
use super::lines::Span;
use super::subjects::Entry;
use crate::memory::period::Month;
use crate::memory::tokens::{Cost, cost};
use crate::order::InOrder as _;

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

/// For each month with days that no line leads to yet, what these were about: the words and topics that weigh most over
/// their entries. Months without the room for a line each are put together. Each line with its newest entry.
pub(super) fn cover(board: &mut Board<'_, '_>) -> Vec<(usize, String)> {
    let subjects = board.subjects;
    let grouped = |span: &dyn Fn(&Entry<'_>) -> Span| {
        let mut groups: Vec<(Span, Vec<usize>)> = Vec::new();
        for (at, entry) in subjects.entries.iter().enumerate() {
            if board.leads_to(entry.day).is_some() {
                continue;
            }
            let span = span(entry);
            match groups.last_mut() {
                Some((last, group)) if *last == span => group.push(at),
                _ => groups.push((span, vec![at])),
            }
        }
        groups
    };
    let months = grouped(&|entry| far(entry, subjects.distance(entry)));
    if share_of_each(board, months.len()) >= WORTH_A_LINE {
        let mut page = board.clone();
        let lines = lines_of(&mut page, &months);
        if lines.len() == months.len() {
            *board = page;
            return lines;
        }
    }
    lines_of(board, &grouped(&|entry| Span::half(entry.day)))
}

/// The room for each of so many lines.
fn share_of_each(board: &Board<'_, '_>, lines: usize) -> Cost {
    Cost(board.left.0 / u32::try_from(lines).unwrap_or(u32::MAX).max(1))
}

/// A line for each group of entries, as far as there is room.
fn lines_of(board: &mut Board<'_, '_>, groups: &[(Span, Vec<usize>)]) -> Vec<(usize, String)> {
    let subjects = board.subjects;
    let mut lines = Vec::new();
    let mut used: HashMap<Key, u32> = HashMap::new();
    for (before, (span, group)) in groups.iter().enumerate() {
        let mut share = share_of_each(board, groups.len() - before);
        let span = subjects.only_day(group).map_or(*span, Span::Day);
        let mut line = format!("- {}: ", span.label(subjects.year()));
        let mut said: Vec<(usize, Item)> = Vec::new();
        // What marked two stretches already marks a third only where nothing else does.
        let is_worn = |item: Item| used.get(&key(item)).is_some_and(|times| *times > 1);
        let mut items = most_weighty(board, group);
        items.order_by_key(|(_, item)| is_worn(*item));
        for (at, item) in items {
            if is_worn(item) && !said.is_empty() {
                break;
            }
            let more = if said.is_empty() { "" } else { ", " };
            let longer = format!("{line}{more}{}", board.text(item));
            if cost(&longer) + cost("\n") > share {
                if said.is_empty() {
                    // Something shorter leads there, too.
                    continue;
                }
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
        let topic = subjects.short_topic(entry).map(Item::Topic);
        // A conversation may have no word that tells anything by itself, only its title.
        let topic = topic.or_else(|| board.title(entry).filter(|_| words.is_empty()));
        let words = words.into_iter().map(|word| (Item::from(&word), word.score));
        topic.map(|topic| (topic, best)).into_iter().chain(words).collect::<Vec<_>>()
    });
    let is_new = |item: &Item| !matches!(item, Item::Topic(topic) if board.is_shown(*topic));
    items.into_iter().filter(|(_, item)| is_new(item)).take(ITEMS).collect()
}
