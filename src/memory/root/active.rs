//! Active Context: what the last seven days were about, and what came of it.

use std::collections::{HashMap, HashSet};

use super::board::{Board, Item};
use super::lines::{index_line, tag};
use super::names::fold;
use super::subjects::{Entry, Topic};
use crate::memory::title::without_theme;
use crate::memory::tokens::{Cost, cost};
use crate::order::InOrder as _;

/// How far back the section reaches, in days.
const DAYS: u32 = 7;
/// Words that stand for an entry without statements.
const WORDS: usize = 6;
/// With less room than this a line begins with the gist of a topic rather than with all of it.
const WHOLE: Cost = Cost::tokens(60);

/// One subject of these days: a topic, or an entry that has none.
struct Group {
    /// newest first
    entries: Vec<usize>,
    /// what stands behind its name, best first
    items: Vec<(usize, Item)>,
    /// how many of these are taken
    taken: usize,
    /// what its line costs so far; nothing where it has none yet
    line: Option<String>,
    /// what it begins with
    head: Option<String>,
}

/// The lines so far, and what else could be said.
pub(super) struct Active {
    groups: Vec<Group>,
    /// in which order they have their turn: of each day the newest, then of each day the next
    order: Vec<usize>,
    /// what lines begin with, folded
    heads: HashSet<String>,
    /// what topics are called: nothing else is called so
    named: HashSet<String>,
}

impl Active {
    pub(super) fn new(board: &Board<'_, '_>) -> Self {
        let subjects = board.subjects;
        let mut groups: Vec<Group> = Vec::new();
        let mut of_topic: HashMap<usize, usize> = HashMap::new();
        for (at, entry) in subjects.entries.iter().enumerate() {
            if entry.age > DAYS {
                break;
            }
            // User and feedback topics have lines of their own.
            if entry.section.kind.is_about_user() {
                continue;
            }
            let place = match entry.topic {
                Some(topic) => *of_topic.entry(topic).or_insert(groups.len()),
                None => groups.len(),
            };
            if place == groups.len() {
                groups.push(Group {
                    entries: Vec::new(),
                    items: Vec::new(),
                    taken: 0,
                    line: None,
                    head: None,
                });
            }
            groups[place].entries.push(at);
        }
        for group in &mut groups {
            group.items = said(board, &group.entries);
        }
        let mut turns: HashMap<chrono::NaiveDate, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let turn = turns.entry(subjects.entries[group.entries[0]].day).or_default();
            order.push((*turn, at));
            *turn += 1;
        }
        order.order();
        let known = &subjects.cache.names;
        let folded = |topic: &Topic| known.text(known.folded(topic.name)).to_owned();
        // User and feedback topics have lines whatever else has.
        let kept = subjects.topics.iter().filter(|topic| topic.is_kept());
        let heads = kept.map(folded).collect();
        Self {
            groups,
            order: order.into_iter().map(|(_, at)| at).collect(),
            heads,
            named: subjects.topics.iter().map(folded).collect(),
        }
    }

    /// Uses `room` for a line a subject with the best it has to say, then for the second best of each, and so on.
    pub(super) fn fill(&mut self, board: &mut Board<'_, '_>, mut room: Cost) {
        for least in 0..=8 {
            for at in self.order.clone() {
                let group = &mut self.groups[at];
                let wanted = group.items.len().min(least.max(1));
                if group.line.is_some() && group.taken >= wanted && !group.is_short(board) {
                    continue;
                }
                let wanted = wanted.max(group.taken);
                // Where the best does not fit, its name does. What began with a gist, as there was little room, begins with
                // all of its topic now, or goes on as it is.
                let tries = match group.line {
                    None => [(wanted, room), (0, room)],
                    Some(_) => [(wanted, room), (wanted, Cost::default())],
                };
                for (count, for_head) in tries {
                    if let Some((head, line)) =
                        group.written(board, count, for_head, (&self.heads, &self.named))
                        && group.take(board, line, count, &mut room)
                    {
                        if let Some(before) = group.head.replace(head.to_owned()) {
                            self.heads.remove(&fold(&before));
                            board.heads.remove(&fold(&before));
                        }
                        self.heads.insert(fold(head));
                        board.heads.insert(fold(head));
                        break;
                    }
                }
            }
        }
    }

    /// The lines, newest first.
    pub(super) fn lines(self) -> Vec<String> {
        self.groups.into_iter().filter_map(|group| group.line).collect()
    }
}

/// What the entries of a subject state, the best of each in turn; words where they state nothing.
fn said(board: &Board<'_, '_>, entries: &[usize]) -> Vec<(usize, Item)> {
    let subjects = board.subjects;
    let stated: Vec<_> = entries.iter().map(|at| (*at, settled_first(board, *at))).collect();
    let (mut items, mut others) = (Vec::new(), Vec::new());
    for turn in 0..8 {
        for (at, stated) in &stated {
            if let Some((place, tells)) = stated.get(turn) {
                let item = Item::Said { entry: *at, at: *place };
                let topic = subjects.entries[*at].topic.map_or("", |topic| subjects.name(topic));
                if !repeats(board.text(item), without_theme(topic)) {
                    if *tells { &mut items } else { &mut others }.push((*at, item));
                }
            }
        }
    }
    items.append(&mut others);
    if items.is_empty() {
        let at = entries[0];
        let words = subjects.keywords(&subjects.entries[at], WORDS);
        items.extend(words.iter().map(|word| (at, Item::from(word))));
    }
    items
}

/// The places of what an entry states, and whether each tells something. What a person settled holds for the days to come,
/// so it goes before what was found, whatever words lead to the day; where most is settled, as in a document, they decide.
fn settled_first(board: &Board<'_, '_>, entry: usize) -> Vec<(usize, bool)> {
    let said = board.subjects.said(entry).iter();
    let mut stated: Vec<_> = said.map(|said| (said.at, said.tells)).collect();
    let settled = |at: usize| board.subjects.entries[entry].statements[at].by_person;
    if stated.iter().filter(|(at, _)| settled(*at)).count() * 2 <= stated.len() {
        stated.order_by_key(|(at, _)| !settled(*at));
    }
    stated
}

/// Whether a statement is its topic, with little more.
fn repeats(statement: &str, topic: &str) -> bool {
    /// In characters, what it says beside.
    const LITTLE: usize = 16;
    let (statement, topic) = (fold(statement), fold(&topic.replace('`', "")));
    let more = || statement.chars().count().saturating_sub(topic.chars().count());
    let again = statement.starts_with(&topic) || (statement.contains(&topic) && more() <= LITTLE);
    !topic.is_empty() && again
}

impl Group {
    /// Whether its line begins with less than its topic.
    fn is_short(&self, board: &Board<'_, '_>) -> bool {
        let topic = board.subjects.entries[self.entries[0]].topic;
        topic.is_some_and(|topic| self.head.as_deref() != Some(board.subjects.name(topic)))
    }

    /// Its line with the first `count` of its items, and what it begins with: what no other line begins with.
    fn written<'b>(
        &self,
        board: &Board<'b, 'b>,
        count: usize,
        room: Cost,
        (heads, named): (&HashSet<String>, &HashSet<String>),
    ) -> Option<(&'b str, String)> {
        let subjects = board.subjects;
        let entry = &subjects.entries[self.entries[0]];
        let chosen = &self.items[..count];
        let is_taken =
            |head: &str| [heads, &board.heads].iter().any(|heads| heads.contains(&fold(head)));
        let is_new = |head: &str| match &self.head {
            Some(own) => own == head,
            None => !is_taken(head),
        };
        let is_free = |head: &str| is_new(head) && !named.contains(&fold(head));
        let (head, rest) = if let Some(topic) = entry.topic {
            let (name, gist) = (subjects.name(topic), subjects.gist(topic));
            let short = room < WHOLE && !gist.is_empty() && is_free(gist);
            let head = if short { gist } else { name };
            let from_gist = self.head.as_deref() == Some(gist) && !is_taken(head);
            if !is_new(head) && !from_gist {
                return None;
            }
            (head, chosen)
        } else {
            let at = chosen.iter().position(|(_, item)| is_free(board.text(*item)))?;
            (board.text(chosen[at].1), &chosen[at + 1..])
        };
        let mut days: Vec<_> =
            chosen.iter().map(|(at, _)| subjects.entries[*at].day).chain([entry.day]).collect();
        days.order_by(|a, b| b.cmp(a));
        days.dedup();
        let texts: Vec<&str> = rest.iter().map(|(_, item)| board.text(*item)).collect();
        let sentences = rest.iter().any(|(_, item)| matches!(item, Item::Said { .. }));
        let joined = texts.join(if sentences { "; " } else { ", " });
        let subs: &[&str] = if texts.is_empty() { &[] } else { &[joined.as_str()] };
        let tag = tag(entry.section.kind, entry.age);
        Some((head, index_line(head, &tag, subs, &days)))
    }

    fn take(
        &mut self,
        board: &mut Board<'_, '_>,
        line: String,
        count: usize,
        room: &mut Cost,
    ) -> bool {
        let before = self.line.as_deref().map_or(Cost::default(), |line| cost(line) + cost("\n"));
        let more = cost(&line) + cost("\n") - before;
        if more > *room || more > board.left {
            return false;
        }
        *room = *room - more;
        board.left = board.left - more;
        self.line = Some(line);
        for at in self.taken..count {
            let (entry, item) = self.items[at];
            let entry: Entry<'_> = board.subjects.entries[entry];
            board.place(&entry, item);
        }
        self.taken = count;
        for at in &self.entries {
            let entry: Entry<'_> = board.subjects.entries[*at];
            if let Some(topic) = entry.topic {
                board.place(&entry, Item::Topic(topic));
            }
            // Of what only its name stands here, the summary tells the rest.
            if count > 0 {
                board.active.insert(*at);
            }
        }
        true
    }
}
