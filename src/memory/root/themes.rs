//! What a stretch of time was about, where the entries have titles.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

use super::board::{Board, Item};
use super::heaviest::heaviest;
use super::items::{Key, key};
use super::names::fold;
use super::subjects::says;
use crate::order::InOrder as _;

/// What takes one turn: items that stand side by side, each with the entry it is of.
pub(super) struct Unit {
    /// what units that belong together have in common
    pub(super) party: usize,
    /// what stands in front of the party's words
    pub(super) head: Option<(usize, Item)>,
    /// none if there is nothing to say but the head
    pub(super) items: Vec<(usize, Item)>,
    /// how many turns it counts for
    pub(super) turns: usize,
    /// whether it waits until nothing else is left to say
    pub(super) waits: bool,
}

/// A statement counts for so many turns: it takes the room of as many words or more.
const STATEMENT: usize = 8;

impl Unit {
    /// An item of an entry, by itself.
    pub(super) fn of(entry: usize, item: impl Into<Item>) -> Self {
        let item = item.into();
        let is_said = matches!(item, Item::Said { .. } | Item::Short { .. });
        let turns = if is_said { STATEMENT } else { 1 };
        Self { party: 0, head: None, items: vec![(entry, item)], turns, waits: false }
    }
}

/// How many words of an entry are looked at.
const WORDS: usize = 6;
/// How many words are said in one turn.
const WORDS_A_TURN: usize = 2;
/// The most turns of a scope and of a topic in one stretch.
const TURNS: usize = 6;
const TOPIC_TURNS: usize = 3;

/// Entries of one subject.
struct Party {
    subject: Option<Item>,
    /// newest first
    entries: Vec<usize>,
    head: Option<(usize, Item)>,
    units: Vec<Vec<(usize, Item)>>,
}

/// What groups of entries have to say, for the pages that follow: that depends on nothing that is on a page. Where each entry
/// speaks for itself there are none.
pub(super) type Themes = RefCell<HashMap<(Vec<usize>, bool), Rc<[Unit]>>>;

/// The units of a group of entries, best first: subjects take turns in proportion to how many entries they have.
/// Of a day, each entry is named; of longer stretches, the subjects with the words that weigh most in each.
pub(super) fn themes(board: &Board<'_, '_>, group: &[usize], of_a_day: bool) -> Rc<[Unit]> {
    let known = &board.subjects.themes;
    let key = (group.to_vec(), of_a_day);
    if let Some(units) = known.borrow().get(&key) {
        return Rc::clone(units);
    }
    let units: Rc<[Unit]> = units_of(board, group, of_a_day).into();
    known.borrow_mut().insert(key, Rc::clone(&units));
    units
}

fn units_of(board: &Board<'_, '_>, group: &[usize], of_a_day: bool) -> Vec<Unit> {
    let mut parties = parties(board, group);
    for Party { subject, entries, head, units } in &mut parties {
        let is_topic = matches!(subject, Some(Item::Topic(_)));
        if is_topic || (entries.len() > 1 && !of_a_day) {
            *head = subject.map(|subject| (entries[0], subject));
            let turns = if is_topic { TOPIC_TURNS } else { TURNS };
            *units = summed_up(board, *subject, entries, turns);
        } else {
            *units =
                entries.iter().filter_map(|at| Some(vec![(*at, named(board, *at)?)])).collect();
        }
    }
    let mut turns: Vec<(usize, usize)> = parties
        .iter()
        .enumerate()
        .flat_map(|(at, party)| (0..party.units.len()).map(move |turn| (at, turn)))
        .collect();
    // The method of D'Hondt, in integers.
    turns.order_by_key(|(at, turn)| {
        (Reverse(parties[*at].entries.len() * 1024 / (turn + 1)), *at, *turn)
    });
    let unit = |(party, turn): (usize, usize)| Unit {
        party,
        head: parties[party].head,
        items: std::mem::take(&mut parties[party].units[turn]),
        turns: 1,
        waits: false,
    };
    turns.into_iter().map(unit).collect()
}

fn parties(board: &Board<'_, '_>, group: &[usize]) -> Vec<Party> {
    let subjects = board.subjects;
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut parties: Vec<Party> = Vec::new();
    for at in group {
        let entry = &subjects.entries[*at];
        let topic = subjects.short_topic(entry).map(Item::Topic);
        let subject = topic.or_else(|| subjects.syntactic_scope(entry).map(Item::Scope));
        let place = match subject {
            Some(subject) => *places.entry(key(subject)).or_insert(parties.len()),
            None => parties.len(),
        };
        if place == parties.len() {
            parties.push(Party { subject, entries: Vec::new(), head: None, units: Vec::new() });
        }
        parties[place].entries.push(*at);
    }
    parties
}

/// An entry by its topic.
fn named(board: &Board<'_, '_>, at: usize) -> Option<Item> {
    board.items(&board.subjects.entries[at], 1).first().copied()
}

/// The words that weigh most over the entries of a subject and are not in its name, some at each turn.
fn summed_up(
    board: &Board<'_, '_>,
    subject: Option<Item>,
    entries: &[usize],
    turns: usize,
) -> Vec<Vec<(usize, Item)>> {
    let subjects = board.subjects;
    let name = subject.map_or_else(String::new, |subject| fold(board.text(subject)));
    let words = heaviest(board, entries, |entry| {
        let mut words = subjects.telling(entry, WORDS);
        words.retain(|word| !says(&name, subjects.cache.lexicon.text(word.stem)));
        words.into_iter().map(|word| (Item::from(&word), word.score))
    });
    let mut units: Vec<Vec<(usize, Item)>> =
        words.chunks(WORDS_A_TURN).take(turns).map(<[_]>::to_vec).collect();
    for unit in &mut units {
        unit.sort_by_cached_key(|(at, item)| (*at, place_in_title(board, *at, *item)));
    }
    if units.is_empty() {
        units.push(Vec::new());
    }
    units
}

/// Where the title of an entry has an item; those it does not have come last.
fn place_in_title(board: &Board<'_, '_>, at: usize, item: Item) -> usize {
    let topic = board.subjects.entries[at].topic;
    let title = topic.map_or("", |topic| board.subjects.name(topic));
    title.find(board.text(item)).unwrap_or(usize::MAX)
}
