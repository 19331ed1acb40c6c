//! Sorting in little room.
//!
//! The sort of the standard library is made anew for every kind of item and every way to compare, 9 KB each time; where
//! lists are short or seldom sorted, one that is there once, and moves places instead of items, does as well.

use std::cmp::Ordering;

/// Puts lists in order; what compares equal stays as it was.
pub(crate) trait InOrder<T> {
    /// As [`slice::sort_by`].
    fn order_by(&mut self, order: impl FnMut(&T, &T) -> Ordering);

    /// As [`slice::sort_by_key`].
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut order: impl FnMut(&T, &T) -> Ordering) {
        if self.len() < 2 {
            return;
        }
        let mut places = places(self.len(), &mut |a, b| order(&self[a], &self[b]));
        for first in 0..self.len() {
            // What belongs here may stand where something has been moved from.
            let mut at = first;
            loop {
                let from = std::mem::replace(&mut places[at], at);
                if from == first || from == at {
                    break;
                }
                self.swap(at, from);
                at = from;
            }
        }
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// For each place, where that which belongs there stands.
fn places(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use std::cmp::Reverse;

    type Items = Vec<(u8, String)>;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(items in prop::collection::vec((0_u8..9, "[a-z]{0,2}"), 0..60)) {
            let sorted = |sort: &dyn Fn(&mut Items)| {
                let mut items = items.clone();
                sort(&mut items);
                items
            };
            prop_assert_eq!(
                sorted(&|items| items.order_by(|a, b| b.0.cmp(&a.0))),
                sorted(&|items| items.sort_by_key(|item| Reverse(item.0)))
            );
            prop_assert_eq!(
                sorted(&|items| items.order_by_key(|item| item.1.len())),
                sorted(&|items| items.sort_by_key(|item| item.1.len()))
            );
        }
    }
}
