//! What the lines of the Historical Summary say so far.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::board::{Board, Item};
use super::items::{Key, key};
use super::lines::Span;
use super::themes::Unit;
use crate::memory::tokens::{Cost, cost};

/// What was said, by source and by span.
pub(super) struct HistoryLines {
    /// by source, in the order in which they spoke
    by_source: HashMap<usize, Vec<Speech>>,
    spans: BTreeMap<Span, Vec<usize>>,
    said: HashSet<(Span, usize, Key)>,
}

/// What a party of a source said in one turn.
struct Speech {
    party: usize,
    items: Vec<Item>,
}

impl HistoryLines {
    pub(super) fn new() -> Self {
        Self { by_source: HashMap::new(), spans: BTreeMap::new(), said: HashSet::new() }
    }

    /// Takes down what of a unit is new. `false` if there is no room for it.
    pub(super) fn hear(
        &mut self,
        board: &mut Board<'_, '_>,
        span: Span,
        source: usize,
        unit: &Unit,
    ) -> bool {
        let items = self.news(board, span, source, unit);
        if items.is_empty() {
            return true;
        }
        let price = self.price(board, span, source, unit.party, &items);
        if price > board.left {
            return false;
        }
        board.left = board.left - price;
        let subjects = board.subjects;
        for (entry, item) in &items {
            self.said.insert((span, unit.party, key(*item)));
            board.place(&subjects.entries[*entry], *item);
        }
        let speeches = self.by_source.entry(source).or_default();
        if speeches.is_empty() {
            self.spans.entry(span).or_default().push(source);
            board.spans.insert(span);
        }
        let items = items.into_iter().map(|(_, item)| item).collect();
        speeches.push(Speech { party: unit.party, items });
        true
    }

    /// What of a unit stands neither in its line nor on another that points to its day.
    fn news(
        &self,
        board: &Board<'_, '_>,
        span: Span,
        source: usize,
        unit: &Unit,
    ) -> Vec<(usize, Item)> {
        let is_new = |(entry, item): &(usize, Item)| match item {
            Item::Topic(topic) if board.is_named(*topic) => false,
            _ => {
                let day = board.subjects.entries[*entry].day;
                !board.placed.contains(&(day, *item))
                    && !self.said.contains(&(span, unit.party, key(*item)))
            }
        };
        let mut items: Vec<(usize, Item)> = unit.items.iter().copied().filter(is_new).collect();
        let first = self.last_of(source, unit.party).is_none();
        if let Some(head) = unit.head.filter(|_| first) {
            // Words need beside them what they are about, whether it stands elsewhere too or not.
            if !items.is_empty() || (matches!(head.1, Item::Topic(_)) && is_new(&head)) {
                items.insert(0, head);
            }
        }
        items
    }

    fn last_of(&self, source: usize, party: usize) -> Option<&Speech> {
        self.by_source.get(&source)?.iter().rev().find(|speech| speech.party == party)
    }

    fn price(
        &self,
        board: &Board<'_, '_>,
        span: Span,
        source: usize,
        party: usize,
        items: &[(usize, Item)],
    ) -> Cost {
        let words: Cost = items.iter().map(|(_, item)| cost(board.text(*item))).sum();
        let marks: Cost =
            items.windows(2).map(|pair| cost(between(pair[0].1, pair[1].1, true))).sum();
        let before = match self.last_of(source, party) {
            _ if !self.has_line(span) => before_line(board, span),
            Some(last) => cost(last.mark_before(items[0].1, self.count_of(source, party) == 1)),
            None => cost(PARTIES),
        };
        before + words + marks
    }

    fn count_of(&self, source: usize, party: usize) -> usize {
        let of_party = |speech: &&Speech| speech.party == party;
        self.by_source.get(&source).map_or(0, |speeches| speeches.iter().filter(of_party).count())
    }

    /// Whether something was said in a stretch of time.
    pub(super) fn has_line(&self, span: Span) -> bool {
        self.spans.contains_key(&span)
    }

    /// The lines, each with its newest source.
    pub(super) fn lines(self, board: &Board<'_, '_>) -> impl Iterator<Item = (usize, String)> {
        let by_source = self.by_source;
        self.spans.into_iter().map(move |(span, mut sources)| {
            sources.sort_unstable();
            let texts: Vec<String> = sources.iter().map(|at| text(board, &by_source[at])).collect();
            (
                sources[0],
                format!("- {}: {}", span.label(board.subjects.year()), texts.join(PARTIES)),
            )
        })
    }
}

/// What a line costs beside what is said on it.
pub(super) fn before_line(board: &Board<'_, '_>, span: Span) -> Cost {
    cost(&format!("- {}: \n", span.label(board.subjects.year())))
}

/// What stands between what different entries say.
const PARTIES: &str = " | ";

/// What stands between two items of one party; `first` where the one before is the first of it.
fn between(before: Item, after: Item, first: bool) -> &'static str {
    match (before, after) {
        (
            Item::Topic(_) | Item::Title(_),
            Item::Word { .. } | Item::Short { .. } | Item::Said { .. },
        ) if first => ": ",
        (Item::Word { .. } | Item::Scope(_) | Item::Gist(_), Item::Word { .. }) => " ",
        (Item::Short { .. } | Item::Said { .. }, _)
        | (_, Item::Short { .. } | Item::Said { .. }) => "; ",
        _ => ", ",
    }
}

impl Speech {
    /// What stands between this speech and the next of the same party.
    fn mark_before(&self, next: Item, first: bool) -> &'static str {
        let first = first && self.items.len() == 1;
        self.items.last().map_or("", |last| between(*last, next, first))
    }
}

/// `pool: connections limit | mail relay`. What a party said stands together, words side by side.
fn text(board: &Board<'_, '_>, speeches: &[Speech]) -> String {
    let mut parties: Vec<(usize, String)> = Vec::new();
    let mut last: HashMap<usize, (&Speech, bool)> = HashMap::new();
    for speech in speeches {
        let mut text = String::new();
        for (at, item) in speech.items.iter().enumerate() {
            if let Some(before) = at.checked_sub(1) {
                let first = before == 0 && !last.contains_key(&speech.party);
                text.push_str(between(speech.items[before], *item, first));
            }
            text.push_str(board.text(*item));
        }
        match parties.iter_mut().find(|(party, _)| *party == speech.party) {
            Some((_, whole)) => {
                if let Some((before, first)) = last.get(&speech.party) {
                    whole.push_str(before.mark_before(speech.items[0], *first));
                }
                whole.push_str(&text);
            }
            None => parties.push((speech.party, text)),
        }
        let first = !last.contains_key(&speech.party);
        last.insert(speech.party, (speech, first));
    }
    parties.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(PARTIES)
}
