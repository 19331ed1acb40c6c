//! What weighs most over some entries.

use std::collections::BTreeMap;

use super::board::{Board, Item};
use super::items::{Key, key};
use super::subjects::Entry;
use crate::order::InOrder as _;

/// How many of the entries are read, evenly chosen.
const SAMPLE: usize = 60;

/// The items of some entries by the sum of their scores, the heaviest first, each with the first entry that has it.
/// `items` are those of one entry.
pub(super) fn heaviest<I: IntoIterator<Item = (Item, u64)>>(
    board: &Board<'_, '_>,
    entries: &[usize],
    items: impl Fn(&Entry<'_>) -> I,
) -> Vec<(usize, Item)> {
    let step = entries.len().div_ceil(SAMPLE);
    let mut sums: BTreeMap<Key, (u64, usize, Item)> = BTreeMap::new();
    for at in entries.iter().step_by(step.max(1)) {
        for (item, score) in items(&board.subjects.entries[*at]) {
            sums.entry(key(item)).or_insert((0, *at, item)).0 += score;
        }
    }
    let mut items: Vec<(u64, usize, Item)> = sums.into_values().collect();
    items.order_by(|a, b| b.0.cmp(&a.0).then_with(|| board.text(a.2).cmp(board.text(b.2))));
    items.into_iter().map(|(_, at, item)| (at, item)).collect()
}
