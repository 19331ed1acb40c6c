//! What a stretch of time was about, where the entries have titles.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use super::board::{Board, Item};
use super::heaviest::heaviest;
use super::items::{Key, key};
use super::names::fold;
use super::subjects::says;

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
    /// found when its first turn comes
    said: Option<Said>,
}

/// What a party has to say.
struct Said {
    head: Option<(usize, Item)>,
    units: Vec<Vec<(usize, Item)>>,
}

/// What groups of entries have to say, for the pages that follow: that depends on nothing that is on a page. Where each entry
/// speaks for itself there are none.
pub(super) type Themes = RefCell<HashMap<(Vec<usize>, bool), Rc<RefCell<Theme>>>>;

/// The units of a group of entries, best first: subjects take turns in proportion to how many entries they have. They are
/// found as far as they are asked for: of ten years a page has room for the first few of each month.
pub(super) struct Theme {
    of_a_day: bool,
    parties: Vec<Party>,
    turns: Turns,
    found: Vec<Rc<Unit>>,
}

/// Whose turn it is, by the method of D'Hondt, in integers.
struct Turns {
    /// by party
    sizes: Vec<usize>,
    /// the next turn of each party that has not said all: how much it weighs, the party, and which turn it is
    next: BinaryHeap<Reverse<(Reverse<usize>, usize, usize)>>,
}

impl Turns {
    fn new(sizes: Vec<usize>) -> Self {
        let mut turns = Self { next: BinaryHeap::with_capacity(sizes.len()), sizes };
        (0..turns.sizes.len()).for_each(|party| turns.push(party, 0));
        turns
    }

    fn push(&mut self, party: usize, turn: usize) {
        let weight = self.sizes[party] * 1024 / (turn + 1);
        self.next.push(Reverse((Reverse(weight), party, turn)));
    }

    /// The party whose turn it is, and which of its turns, of those that a party has something for.
    fn take(&mut self, mut has: impl FnMut(usize, usize) -> bool) -> Option<(usize, usize)> {
        loop {
            let Reverse((_, party, turn)) = self.next.pop()?;
            if has(party, turn) {
                self.push(party, turn + 1);
                return Some((party, turn));
            }
        }
    }
}

/// What a group has to say. Of a day, each entry is named; of longer stretches, the subjects with the words that weigh most in
/// each.
pub(super) fn theme(board: &Board<'_, '_>, group: &[usize], of_a_day: bool) -> Rc<RefCell<Theme>> {
    let mut known = board.subjects.themes.borrow_mut();
    let theme = || Rc::new(RefCell::new(Theme::new(parties(board, group), of_a_day)));
    Rc::clone(known.entry((group.to_vec(), of_a_day)).or_insert_with(theme))
}

impl Theme {
    fn new(parties: Vec<Party>, of_a_day: bool) -> Self {
        let turns = Turns::new(parties.iter().map(|party| party.entries.len()).collect());
        Self { of_a_day, parties, turns, found: Vec::new() }
    }

    /// The unit at a place, if there are so many.
    pub(super) fn unit(&mut self, board: &Board<'_, '_>, at: usize) -> Option<Rc<Unit>> {
        while self.found.len() <= at {
            let unit = self.next(board)?;
            self.found.push(Rc::new(unit));
        }
        Some(Rc::clone(&self.found[at]))
    }

    fn next(&mut self, board: &Board<'_, '_>) -> Option<Unit> {
        let Self { of_a_day, parties, turns, .. } = self;
        let (party, turn) = turns.take(|party, turn| {
            let party = &mut parties[party];
            if party.said.is_none() {
                party.said = Some(said_by(board, party, *of_a_day));
            }
            party.said.as_ref().is_some_and(|said| turn < said.units.len())
        })?;
        let Said { head, units } = parties[party].said.as_mut()?;
        let items = std::mem::take(&mut units[turn]);
        Some(Unit { party, head: *head, items, turns: 1, waits: false })
    }
}

fn said_by(board: &Board<'_, '_>, party: &Party, of_a_day: bool) -> Said {
    let Party { subject, entries, .. } = party;
    let is_topic = matches!(subject, Some(Item::Topic(_)));
    if is_topic || (entries.len() > 1 && !of_a_day) {
        let head = subject.map(|subject| (entries[0], subject));
        let turns = if is_topic { TOPIC_TURNS } else { TURNS };
        return Said { head, units: summed_up(board, *subject, entries, turns) };
    }
    let named = entries.iter().filter_map(|at| Some(vec![(*at, named(board, *at)?)]));
    Said { head: None, units: named.collect() }
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
            parties.push(Party { subject, entries: Vec::new(), said: None });
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whoever finds turns one by one finds them in the order that all of them have.
        #[test]
        fn turns_come_in_proportion(parties in prop::collection::vec((1_usize..90, 0_usize..90), 0..9)) {
            let mut turns = Turns::new(parties.iter().map(|(size, _)| *size).collect());
            let taken = std::iter::from_fn(|| turns.take(|party, turn| turn < parties[party].1));
            let mut all: Vec<(usize, usize)> = (0..parties.len())
                .flat_map(|party| (0..parties[party].1).map(move |turn| (party, turn)))
                .collect();
            all.sort_by_key(|(party, turn)| {
                (Reverse(parties[*party].0 * 1024 / (turn + 1)), *party, *turn)
            });
            prop_assert_eq!(taken.collect::<Vec<_>>(), all);
        }
    }
}
