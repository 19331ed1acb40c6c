//! What git does with the commits of clones.

use std::collections::BTreeSet;

use chrono::Datelike as _;

use super::Tree;
use super::memory::STONES;
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::merge::kind;
use crate::retract::in_merges;

/// Everything that was ever committed.
#[derive(Default)]
pub(super) struct Git(pub(super) Vec<(Vec<usize>, Tree)>);

impl Git {
    pub(super) fn commit(&mut self, parents: Vec<usize>, tree: Tree) -> usize {
        self.0.push((parents, tree));
        self.0.len() - 1
    }

    fn above(&self, commit: usize) -> BTreeSet<usize> {
        let mut all = BTreeSet::from([commit]);
        let mut next = vec![commit];
        while let Some(commit) = next.pop() {
            next.extend(self.0[commit].0.iter().copied().filter(|parent| all.insert(*parent)));
        }
        all
    }

    /// As git does it: fast forward, or the common versions, themselves merged, and the two sides.
    pub(super) fn merge(&mut self, ours: usize, theirs: usize) -> usize {
        if self.above(theirs).contains(&ours) {
            return theirs;
        }
        if self.above(ours).contains(&theirs) {
            return ours;
        }
        let base = self.base(ours, theirs);
        let tree = merge_trees(&base, &self.0[ours].1, &self.0[theirs].1);
        self.commit(vec![ours, theirs], tree)
    }

    fn base(&mut self, ours: usize, theirs: usize) -> Tree {
        let common: BTreeSet<usize> =
            self.above(ours).intersection(&self.above(theirs)).copied().collect();
        let is_best = |commit: &usize| {
            !common.iter().any(|other| other != commit && self.above(*other).contains(commit))
        };
        let best: Vec<usize> = common.iter().copied().filter(is_best).collect();
        let mut best = best.into_iter();
        let Some(mut merged) = best.next() else { return Tree::new() };
        for other in best {
            let base = self.base(merged, other);
            let tree = merge_trees(&base, &self.0[merged].1, &self.0[other].1);
            merged = self.commit(vec![merged, other], tree);
        }
        self.0[merged].1.clone()
    }
}

fn merge_trees(base: &Tree, ours: &Tree, theirs: &Tree) -> Tree {
    let paths: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let mut merged = Tree::new();
    let ours_are = ours.get(STONES);
    for path in paths {
        let bytes = match (base.get(path), ours.get(path), theirs.get(path)) {
            (_, Some(one), None) | (_, None, Some(one)) => one.clone(),
            (was, Some(ours), Some(theirs)) => {
                let was = was.map(Vec::as_slice);
                let day = layout::day_of_log(layout::name(path));
                // The driver is not always told what was forgotten.
                let is_told = day.is_some_and(|day| day.day() % 2 == 0);
                let forgotten = match (day, ours_are.filter(|_| is_told)) {
                    (Some(day), Some(stones)) => {
                        in_merges::of_one_side(Forgotten::parse(stones), day, was, theirs)
                    }
                    _ => Forgotten::default(),
                };
                in_merges::merged((kind(path).unwrap(), day), was, ours, theirs, &forgotten)
                    .unwrap()
            }
            (_, None, None) => continue,
        };
        merged.insert(path.clone(), bytes);
    }
    merged
}
