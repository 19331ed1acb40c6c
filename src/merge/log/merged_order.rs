//! Where each part of several logs belongs, told from where it is in each of them.
//!
//! The order of a merged log must not depend on the order in which sides came together, and it must keep the order in
//! which one person wrote. Nothing but the log itself can carry what that takes. So each part has a key that never
//! changes: the hash of a text, or, for what has a time of its own, that time, which is greater than any hash. What
//! is above an entry is the nearest part before it whose key is greater. These links make a tree; read from the top,
//! what hangs on one part by ascending keys, it is the log again. And whatever was merged into that order, reading the
//! log back finds the same links: so a log is as good as the links, merging is joining links, and joining is
//! commutative, associative and idempotent.

use std::collections::{HashMap, HashSet};

use super::blocks::{self, BlockHash};
use super::parse::Block;
use super::positions::{AllParts, PartId, Position, START};

/// The key of a part with a time: the time, blocks first, then what tells those of one time apart.
type TimeKey<'a> = (&'a str, bool, &'a str, u64, PartId);

#[derive(Debug, Clone, Copy)]
pub(super) struct TimedPart<'a> {
    pub(super) id: PartId,
    /// the time that has to be above it, where nothing in it tells it
    pub(super) at: Option<&'a str>,
    key: TimeKey<'a>,
}

/// The parts that stay, in their places.
#[derive(Debug, Default)]
pub(super) struct MergedOrder<'a> {
    /// what has a time, by that time
    pub(super) tops: Vec<TimedPart<'a>>,
    /// the blocks that go on from another one directly, by the first of their row
    pub(super) rows: HashMap<BlockHash, Vec<BlockHash>>,
    /// what hangs on each part, and at the beginning of the log
    below: HashMap<Option<PartId>, Vec<PartId>>,
}

impl MergedOrder<'_> {
    /// What is below a part, or at the beginning of the log, in order.
    pub(super) fn below(&self, top: Option<PartId>) -> Vec<PartId> {
        let hanging = |id: Option<PartId>| self.below.get(&id).into_iter().flatten().rev().copied();
        let mut found = Vec::new();
        let mut next: Vec<PartId> = hanging(top).collect();
        while let Some(id) = next.pop() {
            found.push(id);
            next.extend(hanging(Some(id)));
        }
        found
    }
}

/// What is known of a text whose place is found.
#[derive(Debug, Clone, Copy)]
enum MergedPosition<'a> {
    Top(TimeKey<'a>),
    /// below another part; with the part of the top it is under, if any
    Below {
        parent: Option<PartId>,
        depth: u32,
        top: Option<PartId>,
    },
}

/// What leads from links to places.
struct Finder<'u, 'a> {
    union: &'u AllParts<'a>,
    /// the parts that do not stay
    gone: HashSet<PartId>,
    /// the first of the row of each block that stays
    row: HashMap<BlockHash, BlockHash>,
    places: HashMap<PartId, MergedPosition<'a>>,
}

/// Finds the place of everything that stays. `gone` says which texts do not, `forgotten` which blocks do not.
pub(super) fn places<'a>(
    union: &AllParts<'a>,
    mut gone: HashSet<PartId>,
    forgotten: impl Fn(&Block<'a>) -> bool,
) -> MergedOrder<'a> {
    let mut blocks = union.blocks.clone();
    let is_forgotten = |(name, block): (&BlockHash, &Block<'a>)| forgotten(block).then_some(*name);
    gone.extend(blocks.iter().filter_map(is_forgotten).map(PartId::Block));
    blocks.retain(|name, _| !gone.contains(&PartId::Block(*name)));
    gone.extend(blocks::left_out(&blocks).into_iter().map(PartId::Block));
    blocks.retain(|name, _| !gone.contains(&PartId::Block(*name)));
    let before = blocks::before(&blocks);
    let first = |name: &BlockHash| {
        let steps = std::iter::successors(Some(*name), |name| before.get(name).copied());
        steps.last().unwrap_or(*name)
    };
    let row = blocks.keys().map(|name| (*name, first(name))).collect();
    let mut finder = Finder { union, gone, row, places: HashMap::new() };
    let mut ids: Vec<PartId> = union.texts.keys().copied().collect();
    // What has a time first, since it is above everything else; then by descending keys, for the same reason.
    ids.sort_by_key(|id| std::cmp::Reverse((union.time(*id).is_some(), *id)));
    for id in &ids {
        let place = finder.place(*id);
        finder.places.insert(*id, place);
    }
    finder.put(ids)
}

impl<'a> Finder<'_, 'a> {
    fn key(&self, id: PartId, time: &'a str) -> TimeKey<'a> {
        match id {
            PartId::Block(name) => {
                let block = &self.union.blocks[&name];
                (time, false, block.session, block.from, id)
            }
            PartId::Text(..) => (time, true, "", 0, id),
        }
    }

    fn key_of_block(&self, name: BlockHash) -> TimeKey<'a> {
        self.key(PartId::Block(name), self.union.time_of(name))
    }

    /// The place of a text of which all that is above it has one.
    fn place(&self, id: PartId) -> MergedPosition<'a> {
        let positions = self.union.positions.get(&id).map(Vec::as_slice).unwrap_or_default();
        let mut best: Option<MergedPosition<'a>> = None;
        for position in positions {
            let place = match position {
                Position::At(time) => MergedPosition::Top(self.key(id, time)),
                Position::Below(above) => self.below(id, *above),
            };
            best = Some(match best {
                Some(known) => self.join(known, place),
                None => place,
            });
        }
        best.unwrap_or(MergedPosition::Below { parent: None, depth: 0, top: None })
    }

    /// The place of a text below a part, which may not stay.
    fn below(&self, id: PartId, above: Option<PartId>) -> MergedPosition<'a> {
        let beginning = MergedPosition::Below { parent: None, depth: 0, top: None };
        match above {
            None => beginning,
            // Its place stays where the block was.
            Some(PartId::Block(name)) if self.gone.contains(&PartId::Block(name)) => {
                MergedPosition::Top(self.key(id, self.union.time_of(name)))
            }
            Some(PartId::Block(name)) => {
                let top = self.row.get(&name).map(|first| PartId::Block(*first));
                MergedPosition::Below { parent: top, depth: 1, top }
            }
            Some(above) => {
                let place = self.places.get(&above).copied().unwrap_or(beginning);
                match (self.gone.contains(&above), place) {
                    (true, MergedPosition::Top((time, ..))) => {
                        MergedPosition::Top(self.key(id, time))
                    }
                    (true, place) => place,
                    (false, MergedPosition::Top(_)) => {
                        MergedPosition::Below { parent: Some(above), depth: 1, top: Some(above) }
                    }
                    (false, MergedPosition::Below { depth, top, .. }) => {
                        MergedPosition::Below { parent: Some(above), depth: depth + 1, top }
                    }
                }
            }
        }
    }

    /// The place of a text that has two.
    fn join(&self, one: MergedPosition<'a>, other: MergedPosition<'a>) -> MergedPosition<'a> {
        match (one, other) {
            (MergedPosition::Top(a), MergedPosition::Top(b)) => MergedPosition::Top(a.min(b)),
            (top @ MergedPosition::Top(_), _) | (_, top @ MergedPosition::Top(_)) => top,
            (MergedPosition::Below { top: a, .. }, MergedPosition::Below { top: b, .. }) => {
                let key = |top: Option<PartId>| top.and_then(|top| self.key_of_top(top));
                match key(a).cmp(&key(b)) {
                    std::cmp::Ordering::Less => one,
                    std::cmp::Ordering::Greater => other,
                    std::cmp::Ordering::Equal => self.common(one, other),
                }
            }
        }
    }

    fn key_of_top(&self, top: PartId) -> Option<TimeKey<'a>> {
        match (top, self.places.get(&top)) {
            (PartId::Block(name), _) => Some(self.key_of_block(name)),
            (_, Some(MergedPosition::Top(key))) => Some(*key),
            _ => None,
        }
    }

    /// Of two places under the same part of the top, the lowest that is above both.
    fn common(
        &self,
        mut one: MergedPosition<'a>,
        mut other: MergedPosition<'a>,
    ) -> MergedPosition<'a> {
        let depth = |place: &MergedPosition<'a>| match place {
            MergedPosition::Below { parent, depth, .. } => (*depth, *parent),
            MergedPosition::Top(_) => (0, None),
        };
        loop {
            let (a, b) = (depth(&one), depth(&other));
            if a.1 == b.1 {
                return one;
            }
            let up = |parent: Option<PartId>, place: MergedPosition<'a>| {
                parent
                    .and_then(|parent| match self.places.get(&parent) {
                        Some(up @ MergedPosition::Below { .. }) => Some(*up),
                        _ => None,
                    })
                    .unwrap_or(match place {
                        MergedPosition::Below { top, .. } => MergedPosition::Below {
                            parent: top,
                            depth: u32::from(top.is_some()),
                            top,
                        },
                        top @ MergedPosition::Top(_) => top,
                    })
            };
            if a.0 >= b.0 {
                one = up(a.1, one);
            }
            if b.0 >= a.0 {
                other = up(b.1, other);
            }
        }
    }

    /// Puts everything that stays into its place.
    fn put(self, ids: Vec<PartId>) -> MergedOrder<'a> {
        let mut found = MergedOrder::default();
        for (name, first) in &self.row {
            if name == first {
                let key = self.key_of_block(*name);
                let told = self.union.blocks[name].time.is_some() || key.0 == START;
                found.tops.push(TimedPart {
                    id: PartId::Block(*name),
                    at: (!told).then_some(key.0),
                    key,
                });
            } else {
                found.rows.entry(*first).or_default().push(*name);
            }
        }
        let place = |name: &BlockHash| {
            let block = &self.union.blocks[name];
            (block.from, block.to, *name)
        };
        for row in found.rows.values_mut() {
            row.sort_by_key(place);
        }
        for id in ids.into_iter().filter(|id| !self.gone.contains(id)) {
            match self.places[&id] {
                MergedPosition::Top(key) => found.tops.push(TimedPart { id, at: Some(key.0), key }),
                MergedPosition::Below { parent, .. } => {
                    found.below.entry(parent).or_default().push(id);
                }
            }
        }
        found.tops.sort_by_key(|top| top.key);
        for below in found.below.values_mut() {
            below.sort();
        }
        found
    }
}
