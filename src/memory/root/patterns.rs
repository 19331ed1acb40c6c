//! Recent Patterns: what was settled in the last weeks, and what came up again and again.

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;

use super::board::{Board, Item};
use super::entry_reading::Statement;
use super::items::{Key, key};
use super::lines::references;
use super::subjects::Entry;
use crate::memory::talk::only_tells;
use crate::memory::tokens::Cost;
use crate::order::InOrder as _;

/// How far back a pattern reaches, in days, and on how many different ones it must have come up.
const PATTERN_DAYS: u32 = 30;
const PATTERN_TIMES: usize = 3;
/// How many of a section's words may make a pattern.
const PATTERN_WORDS: usize = 4;

/// One word's uses, newest first, one a day.
type Uses<'e, 'a> = Vec<(&'e Entry<'a>, Item, u64)>;

/// The lines of the section, in the order in which there was room for them.
#[derive(Default)]
pub(super) struct Patterns {
    pub(super) lines: Vec<String>,
    /// the words that stand there
    said: HashSet<Key>,
}

impl Patterns {
    /// Adds what persons and notes settled for all times, the newest first, however long ago it was: who does not read
    /// it there breaks it.
    pub(super) fn keep_rules(&mut self, board: &mut Board<'_, '_>, mut room: Cost) {
        let subjects = board.subjects;
        for (entry, of) in subjects.entries.iter().enumerate() {
            for (at, said) in of.statements.iter().enumerate() {
                if said.standing && subjects.times_stated(entry, at).is_some() {
                    self.lines.extend(settled(board, entry, at, &mut room));
                }
            }
        }
    }

    /// Adds what persons and notes settled in the last 30 days, in their words, the weightiest of each entry in its turn.
    /// Where they settled little, what came up again and again.
    pub(super) fn fill(&mut self, board: &mut Board<'_, '_>, mut room: Cost) {
        let decisions = decisions(board, &mut room);
        let few = decisions.len() < PATTERN_TIMES;
        self.lines.extend(decisions);
        if few {
            self.lines.extend(recurring(board, room, &mut self.said));
        }
    }
}

/// What so many entries state word for word is a wish for all times.
const ASKED_AGAIN: u32 = 3;

fn decisions(board: &mut Board<'_, '_>, room: &mut Cost) -> Vec<String> {
    let subjects = board.subjects;
    let mut found: Vec<(usize, u32, usize, usize)> = Vec::new();
    for (entry, of) in subjects.entries.iter().enumerate() {
        if of.age > PATTERN_DAYS {
            break;
        }
        if of.section.kind.is_about_user() {
            continue;
        }
        let settles =
            |said: &Statement| said.by_person && !(of.section.talk && only_tells(&said.text));
        let told = of.statements.iter().enumerate().filter(|(_, said)| settles(said));
        for (turn, (at, said)) in told.enumerate() {
            // What is asked for every time comes first.
            if let Some(times) = subjects.times_stated(entry, at) {
                let turn = if times >= ASKED_AGAIN { 0 } else { turn + 1 };
                found.push((turn, u32::MAX - said.weight, entry, at));
            }
        }
    }
    found.order();
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (.., entry, at) in found {
        lines.extend(settled(board, entry, at, room).map(|line| (entry, line)));
    }
    lines.order();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A line that says what was settled, unless another one does or there is no room.
fn settled(board: &mut Board<'_, '_>, entry: usize, at: usize, room: &mut Cost) -> Option<String> {
    let (of, item) = (board.subjects.entries[entry], Item::Said { entry, at });
    if board.placed.contains(&(of.day, item)) {
        return None;
    }
    let line = format!("- {}{}", board.text(item), references(&[of.day]));
    board.take(&line, room).then(|| {
        board.place(&of, item);
        line
    })
}

fn recurring(board: &mut Board<'_, '_>, mut room: Cost, said: &mut HashSet<Key>) -> Vec<String> {
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
