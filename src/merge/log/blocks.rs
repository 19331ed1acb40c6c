//! Which session blocks of several logs say the same, and which follow which.

use std::collections::HashMap;

use crate::markdown::form::{Form, form};
use crate::markdown::{heading, marker};
use crate::text::lines;

use super::parse::Block;

/// What tells a block from every other one: a hash of all its bytes.
pub(super) type BlockHash = u128;

/// Which blocks are left out: those of which another one of their session reaches at least as far on both sides and has
/// all lines, in their order. What nobody else says is never left out, whatever a marker claims.
pub(super) fn left_out(blocks: &HashMap<BlockHash, Block<'_>>) -> Vec<BlockHash> {
    let mut left_out = Vec::new();
    for mut names in by_session(blocks) {
        // From the widest to the narrowest, so that what a block is left out for stays.
        names.sort_by_key(|name| rank(*name, &blocks[name]));
        let mut kept: Vec<(BlockHash, Vec<&str>)> = Vec::new();
        for name in names {
            let block = &blocks[&name];
            let said = said(block);
            let stands = |(other, words): &&(BlockHash, Vec<&str>)| {
                let wider = &blocks[other];
                let covers = wider.from <= block.from && block.to <= wider.to;
                let same = wider.from == block.from && block.to == wider.to;
                covers && (wider.whole || same && !block.whole) && holds(words, &said, block.whole)
            };
            if kept.iter().any(|known| stands(&known)) {
                left_out.push(name);
            } else {
                kept.push((name, said));
            }
        }
    }
    left_out
}

/// Of blocks that say the same, which one stands: the wider, then a whole one, one with a heading, the earlier one.
fn rank<'a>(name: BlockHash, block: &Block<'a>) -> impl Ord + use<'a> {
    let length = block.to.saturating_sub(block.from);
    let more =
        std::cmp::Reverse((length, block.whole, block.bytes.len() * usize::from(!block.whole)));
    (more, block.from, block.time.is_none(), block.time, name)
}

/// The lines of a block that somebody said, and what was noted with them.
fn said<'a>(block: &Block<'a>) -> Vec<&'a str> {
    // Bytes that are no text never equal another part.
    let Ok(text) = std::str::from_utf8(block.bytes) else { return vec![""] };
    let is_said = |line: &&str| {
        !line.trim().is_empty()
            && marker::marker(line).is_none()
            && heading::session_heading(line).is_none()
            && !matches!(form(line), Some(Form::Title(_) | Form::Branch(_)))
    };
    lines(text).filter(is_said).collect()
}

/// Whether all of some lines stand among others in their order. The last line of a torn block may be cut short.
fn holds(all: &[&str], some: &[&str], whole: bool) -> bool {
    if some == [""] || all == [""] {
        return false;
    }
    let mut rest = all.iter();
    some.iter().enumerate().all(|(at, line)| {
        let cut = !whole && at + 1 == some.len();
        rest.any(|other| other == line || cut && other.starts_with(line))
    })
}

/// The block of the same session that each block without a heading goes on from, if it is there.
pub(super) fn before(blocks: &HashMap<BlockHash, Block<'_>>) -> HashMap<BlockHash, BlockHash> {
    let place = |name: &BlockHash| (blocks[name].from, blocks[name].to, *name);
    let mut before = HashMap::new();
    for mut names in by_session(blocks) {
        names.sort_by_key(|name| (blocks[name].to, place(name)));
        for name in names.iter().filter(|name| blocks[*name].time.is_none()) {
            let end = names.partition_point(|other| blocks[other].to <= blocks[name].from);
            let last = names[..end].iter().rev().find(|other| place(other) < place(name));
            before.extend(last.map(|last| (*name, *last)));
        }
    }
    before
}

/// The blocks of each session that has several.
fn by_session(blocks: &HashMap<BlockHash, Block<'_>>) -> impl Iterator<Item = Vec<BlockHash>> {
    let mut sessions: HashMap<&str, Vec<BlockHash>> = HashMap::new();
    for (name, block) in blocks {
        sessions.entry(block.session).or_default().push(*name);
    }
    sessions.into_values().filter(|names| names.len() > 1)
}

/// The most blocks of one session. Telling which of them says the same as another takes time that grows faster than
/// their number; a session of a day has a few hundred.
const MOST: usize = 20_000;

/// Whether some session has so many blocks that only somebody who means harm can have made them.
pub(super) fn are_too_many(blocks: &HashMap<BlockHash, Block<'_>>) -> bool {
    by_session(blocks).any(|names| names.len() > MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0-9 heading whole words`, lines of words split at `/`.
    fn found(blocks: &[(u64, u64, bool, &'static str)]) -> Vec<usize> {
        let texts: Vec<String> = blocks.iter().map(|block| block.3.replace('/', "\n")).collect();
        let of = |(index, (from, to, headed, words)): (usize, &(u64, u64, bool, &str))| {
            let block = Block {
                session: "s",
                from: *from,
                to: *to,
                whole: !words.ends_with('~'),
                time: headed.then_some("2026-03-15 14:02:11"),
                at: None,
                bytes: texts[index].trim_end_matches('~').as_bytes(),
            };
            (index as BlockHash, block)
        };
        let map: HashMap<BlockHash, Block<'_>> = blocks.iter().enumerate().map(of).collect();
        let out = left_out(&map);
        (0..blocks.len()).filter(|index| out.contains(&(*index as BlockHash))).collect()
    }

    #[test]
    fn a_block_inside_another_is_left_out() {
        assert_eq!(found(&[(0, 9, true, "a/b"), (0, 5, true, "a")]), [1]);
        assert_eq!(found(&[(0, 5, true, "a"), (5, 9, false, "b"), (0, 9, true, "a/b")]), [0, 1]);
        assert_eq!(found(&[(0, 5, true, "a"), (5, 9, true, "b")]), [0; 0]);
        // Of equals the one with a heading stands.
        assert_eq!(found(&[(0, 5, false, "a"), (0, 5, true, "a")]), [0]);
        assert_eq!(found(&[(0, 5, true, "a/b~"), (0, 5, true, "a/bc")]), [0]);
        assert_eq!(found(&[(0, 5, true, "a/b~"), (0, 5, true, "a~")]), [1]);
    }

    #[test]
    fn nothing_is_left_out_that_the_wider_one_does_not_say() {
        assert_eq!(found(&[(0, 999, true, "mine"), (0, 5, true, "yours")]), [0; 0]);
        assert_eq!(found(&[(0, 9, true, "b/a"), (0, 5, true, "a/b")]), [0; 0]);
        // A torn block claims a part that it may not have.
        assert_eq!(found(&[(0, 9, true, "a/b~"), (0, 5, true, "a")]), [0; 0]);
        assert_eq!(found(&[(0, 9, true, "a/bc"), (2, 9, true, "b~")]), [1]);
    }
}
