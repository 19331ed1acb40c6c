//! Active Context and Recent Patterns.

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;

use super::board::{Board, Item};
use super::lines::{index_line, references, tag};
use super::subjects::Entry;
use crate::memory::entry::Kind;
use crate::memory::tokens::{Cost, cost};

/// How far back the Active Context reaches, in days and in lines.
const ACTIVE_DAYS: u32 = 7;
/// The most items on a line.
const ITEMS: usize = 14;

/// One line a day, newest first, for the last seven days.
pub(super) fn active(board: &mut Board<'_, '_>, mut room: Cost) -> Vec<String> {
    let subjects = board.subjects;
    let recent: Vec<&Entry<'_>> =
        subjects.entries.iter().take_while(|entry| entry.age <= ACTIVE_DAYS).collect();
    let days: Vec<&[&Entry<'_>]> =
        recent.chunk_by(|a, b| a.day == b.day).take(ACTIVE_DAYS as usize).collect();
    let mut lines = Vec::new();
    for (at, entries) in days.iter().enumerate() {
        // What the days before leave over goes to those after.
        let mut share = Cost(room.0 / u32::try_from(days.len() - at).unwrap_or(1).max(1));
        let given = share;
        if let Some(line) = day_line(board, entries, &mut share) {
            lines.push(line);
        }
        room = room - (given - share);
    }
    lines
}

fn day_line(board: &mut Board<'_, '_>, entries: &[&Entry<'_>], room: &mut Cost) -> Option<String> {
    let lists: Vec<(&Entry<'_>, Vec<Item>)> =
        entries.iter().map(|entry| (*entry, board.items(entry, ITEMS))).collect();
    // User and feedback topics have lines of their own.
    let (mut first, mut later): (Vec<_>, Vec<_>) = lists
        .iter()
        .partition(|(entry, _)| matches!(entry.section.kind, Kind::Project | Kind::Reference));
    first.append(&mut later);
    let mut seen = HashSet::new();
    let mut chosen: Vec<(&Entry<'_>, Item)> = Vec::new();
    for turn in 0..ITEMS {
        for (entry, items) in &first {
            if let Some(item) = items.get(turn)
                && seen.insert(key(*item))
                && chosen.len() < ITEMS
            {
                chosen.push((entry, *item));
            }
        }
    }
    let (head, rest) = chosen.split_first()?;
    let kind = head.0.section.kind;
    let line = |subs: &[(&Entry<'_>, Item)]| {
        let texts: Vec<&str> = subs.iter().map(|(_, item)| board.text(*item)).collect();
        index_line(board.text(head.1), &tag(kind, head.0.age), &texts, &[head.0.day])
    };
    let fits = |subs: usize| cost(&line(&rest[..subs])) + cost("\n") <= *room;
    let count = (0..=rest.len()).rev().find(|count| fits(*count))?;
    let text = line(&rest[..count]);
    if !board.take(&text, room) {
        return None;
    }
    for (entry, item) in &chosen[..=count] {
        board.place(entry, *item);
    }
    Some(text)
}

/// Two items are the same if they are the same topic or scope, or have the same stem.
pub(super) type Key = (u8, u32);

/// See [`Key`].
pub(super) fn key(item: Item) -> Key {
    match item {
        Item::Topic(topic) => (0, u32::try_from(topic).unwrap_or(u32::MAX)),
        Item::Scope(name) => (1, name),
        Item::Word { stem, .. } => (2, stem),
        Item::Gist(topic) => (3, u32::try_from(topic).unwrap_or(u32::MAX)),
    }
}

/// How far back a pattern reaches, in days, and on how many different ones it must have come up.
const PATTERN_DAYS: u32 = 30;
const PATTERN_TIMES: usize = 3;
/// How many of a section's words may make a pattern.
const PATTERN_WORDS: usize = 4;

/// One word's uses, newest first, one a day.
type Uses<'e, 'a> = Vec<(&'e Entry<'a>, Item, u64)>;

/// What came up again and again in the last 30 days.
pub(super) fn patterns(board: &mut Board<'_, '_>, mut room: Cost) -> Vec<String> {
    let subjects = board.subjects;
    let mut by_word: BTreeMap<Key, Uses<'_, '_>> = BTreeMap::new();
    for entry in subjects.entries.iter().take_while(|entry| entry.age <= PATTERN_DAYS) {
        for found in subjects.telling(entry, PATTERN_WORDS) {
            let item = Item::from(&found);
            by_word.entry(key(item)).or_default().push((entry, item, found.score));
        }
    }
    let mut patterns: Vec<Uses<'_, '_>> = by_word.into_values().collect();
    for uses in &mut patterns {
        uses.dedup_by_key(|(entry, ..)| entry.day);
    }
    patterns.retain(|uses| uses.len() >= PATTERN_TIMES);
    patterns.sort_by_cached_key(|uses| {
        let weight: u64 = uses.iter().map(|(_, _, score)| score).sum();
        (std::cmp::Reverse(weight), board.text(uses[0].1))
    });
    let mut lines = Vec::new();
    let mut said: HashSet<Key> = HashSet::new();
    for uses in patterns.iter().take(12).map(|uses| &uses[..PATTERN_TIMES]) {
        let pattern = uses[0].1;
        if said.contains(&key(pattern)) {
            continue;
        }
        let subs = beside(board, uses);
        let texts: Vec<&str> = subs.iter().map(|(_, item)| board.text(*item)).collect();
        let behind =
            if texts.is_empty() { String::new() } else { format!(": {}", texts.join(", ")) };
        let days: Vec<NaiveDate> = uses.iter().map(|(entry, ..)| entry.day).collect();
        let line = format!("- {}{behind}{}", board.text(pattern), references(&days));
        if !board.take(&line, &mut room) {
            break;
        }
        said.insert(key(pattern));
        for (entry, item, _) in uses {
            board.place(entry, *item);
        }
        for (entry, item) in subs {
            said.insert(key(item));
            board.place(entry, item);
        }
        lines.push(line);
    }
    lines
}

/// The best other words of the entries, the best of each in turn.
fn beside<'e, 'a>(
    board: &Board<'_, '_>,
    uses: &[(&'e Entry<'a>, Item, u64)],
) -> Vec<(&'e Entry<'a>, Item)> {
    let mut subs: Vec<(&Entry<'_>, Item)> = Vec::new();
    for turn in 0..PATTERN_WORDS {
        for (entry, pattern, _) in uses {
            let words = board.subjects.telling(entry, PATTERN_WORDS);
            let sub =
                words.iter().map(Item::from).filter(|item| key(*item) != key(*pattern)).nth(turn);
            if let Some(item) = sub
                && subs.len() < PATTERN_WORDS
                && !subs.iter().any(|(_, sub)| key(*sub) == key(item))
            {
                subs.push((entry, item));
            }
        }
    }
    subs
}
