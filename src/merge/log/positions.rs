//! Which parts are in logs, and where each of them stands: at a time, or below another part.

use std::borrow::Cow;
use std::collections::HashMap;

use super::blocks::BlockHash;
use super::parse::{self, Block, LogText, ParsedPart};

/// A part, by what tells it from every other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PartId {
    Block(BlockHash),
    /// a text: whether it has a heading, its hash, and how many of the same are before it
    Text(bool, u128, u32),
}

/// The time of a block that goes on from nothing at the beginning of a log.
pub(super) const START: &str = "0000-00-00 00:00:00";

impl PartId {
    /// The first of the same.
    pub(super) fn first(self) -> Self {
        match self {
            PartId::Text(is_entry, hash, _) => PartId::Text(is_entry, hash, 0),
            block @ PartId::Block(_) => block,
        }
    }

    /// How many of the same are before it.
    pub(super) fn count(self) -> u32 {
        match self {
            PartId::Text(_, _, count) => count,
            PartId::Block(_) => 0,
        }
    }
}

/// Where a part is in one log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position<'a> {
    /// at a time
    At(&'a str),
    /// below the nearest part before it with a greater key; `None` at the beginning of the log
    Below(Option<PartId>),
}

/// All parts of several logs, and where they are in each.
#[derive(Debug, Default)]
pub(super) struct AllParts<'a> {
    pub(super) blocks: HashMap<BlockHash, Block<'a>>,
    pub(super) texts: HashMap<PartId, LogText<'a>>,
    pub(super) positions: HashMap<PartId, Vec<Position<'a>>>,
}

impl<'a> AllParts<'a> {
    /// What is in some logs.
    pub(super) fn of(logs: &'a [Cow<'_, [u8]>]) -> Self {
        let mut union = Self::default();
        for log in logs {
            union.add(parse::parse(log));
        }
        union
    }

    /// What is on two sides of a merge that were both made from what there `was`. A text that only one side moved
    /// stands where it is there: whoever rewrites an entry moves what is written below it, which then hangs on another
    /// one, and the side that knows nothing of that must not move it back.
    pub(super) fn joined(mut self, other: Self, was: &Self) -> Self {
        for (id, theirs) in other.positions {
            let ours = self.positions.entry(id).or_default();
            let has_moved = |positions: &[Position<'a>]| match (
                was.positions.get(&id).map(Vec::as_slice),
                positions,
            ) {
                // A time that is known anywhere counts.
                (Some([Position::Below(before)]), [Position::Below(now)]) => before != now,
                _ => true,
            };
            if !has_moved(ours) {
                *ours = theirs;
            } else if ours.is_empty() || has_moved(&theirs) {
                ours.extend(
                    theirs
                        .into_iter()
                        .filter(|position| !ours.contains(position))
                        .collect::<Vec<_>>(),
                );
            }
        }
        self.blocks.extend(other.blocks);
        self.texts.extend(other.texts);
        self
    }

    /// Takes in one more log.
    fn add(&mut self, parts: Vec<ParsedPart<'a>>) {
        let mut names = names(&parts).into_iter();
        // The last part with a time, that time, and what is open below it.
        let mut top: Option<PartId> = None;
        let mut time = START;
        let mut open: Vec<PartId> = Vec::new();
        // The block before, and whether it went on from another one.
        let mut last: Option<(Block<'a>, bool)> = None;
        for part in parts {
            match part {
                ParsedPart::Block(block) => {
                    let name = hash(block.bytes);
                    // Blocks that go on from the same one may overlap, where clones took in the same turns by other
                    // steps.
                    let follows = |(last, went_on): &(Block<'a>, bool)| {
                        let is_next = last.to <= block.from || *went_on && last.from <= block.from;
                        last.session == block.session && is_next
                    };
                    let told = block.time.or(block.at);
                    let goes_on = told.is_none() && last.as_ref().is_some_and(follows);
                    last = Some((block.clone(), goes_on));
                    time = told.unwrap_or(time);
                    if block.time.is_none() {
                        self.stands(PartId::Block(name), Position::At(time));
                    }
                    if !goes_on {
                        top = Some(PartId::Block(name));
                        open.clear();
                    }
                    self.blocks.insert(name, block);
                }
                ParsedPart::Text(text) => {
                    last = None;
                    let Some(id) = names.next() else { continue };
                    if let Some(at) = text.at {
                        self.stands(id, Position::At(at));
                        (top, time) = (Some(id), at);
                        open.clear();
                    } else {
                        while open.last().is_some_and(|last| *last < id) {
                            open.pop();
                        }
                        self.stands(id, Position::Below(open.last().copied().or(top)));
                        open.push(id);
                    }
                    self.texts.insert(id, text);
                }
            }
        }
    }

    fn stands(&mut self, id: PartId, position: Position<'a>) {
        let positions = self.positions.entry(id).or_default();
        if !positions.contains(&position) {
            positions.push(position);
        }
    }

    /// The earliest time that a part has anywhere.
    pub(super) fn time(&self, id: PartId) -> Option<&'a str> {
        let times = self.positions.get(&id)?.iter().filter_map(|position| match position {
            Position::At(time) => Some(*time),
            Position::Below(_) => None,
        });
        times.min()
    }

    pub(super) fn time_of(&self, name: BlockHash) -> &'a str {
        self.blocks[&name].time.or_else(|| self.time(PartId::Block(name))).unwrap_or(START)
    }
}

/// The names of the texts in a log, in their order. Of the same text several times the first is the one below the part
/// with the least key, wherever it stands.
fn names(parts: &[ParsedPart<'_>]) -> Vec<PartId> {
    let mut top = (START, false, "", 0, 0);
    let mut same: HashMap<(bool, u128), Vec<_>> = HashMap::new();
    let mut texts = 0;
    for part in parts {
        match part {
            ParsedPart::Block(block) => {
                let time = block.time.or(block.at).unwrap_or(top.0);
                top = (time, false, block.session, block.from, hash(block.bytes));
            }
            ParsedPart::Text(text) => {
                let hash = hash(&text.bytes);
                if let Some(at) = text.at {
                    top = (at, true, "", 0, hash);
                }
                same.entry((text.is_entry, hash)).or_default().push((top, texts));
                texts += 1;
            }
        }
    }
    let mut names = vec![PartId::Block(0); texts];
    for ((is_entry, hash), mut places) in same {
        places.sort_unstable();
        for (count, (_, at)) in (0..).zip(places) {
            names[at] = PartId::Text(is_entry, hash, count);
        }
    }
    names
}

/// What tells one text from another.
pub(super) fn hash(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}
