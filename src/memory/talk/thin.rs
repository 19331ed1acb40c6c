//! Bounds what a day of many megabytes takes in memory while its lines are chosen.

use std::cmp::Reverse;

/// How many lines are kept to choose from. The largest extract prints a few hundred of them, so on a day of ordinary
/// length nothing is dropped.
pub(crate) const MOST: usize = 8192;

/// Brings `keep` of the lines to the front: of every exchange the best first, then its second best, and so on. They keep
/// their order. `rate` tells a line's exchange and how much it says by itself. Returns how many stay; the rest is to be cut off.
pub(crate) fn thin<T>(lines: &mut [T], keep: usize, rate: impl Fn(&T) -> (usize, u64)) -> usize {
    let all = lines.len();
    if all <= keep {
        return all;
    }
    let mut rated: Vec<(usize, Reverse<u64>, usize)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let (exchange, worth) = rate(line);
            (exchange, Reverse(worth), at)
        })
        .collect();
    rated.sort_unstable();
    let mut before = None;
    let mut turn = 0;
    for (exchange, _, _) in &mut rated {
        turn = if before == Some(*exchange) { turn + 1 } else { 0 };
        before = Some(*exchange);
        *exchange = turn;
    }
    rated.sort_unstable();
    let mut stay: Vec<usize> = rated[..keep].iter().map(|(_, _, at)| *at).collect();
    stay.sort_unstable();
    // None of them stands before its new place.
    stay.into_iter().enumerate().for_each(|(to, at)| lines.swap(to, at));
    keep
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Cuts off what does not stay. Returns how many these are.
    fn thinned<T>(lines: &mut Vec<T>, keep: usize, rate: impl Fn(&T) -> (usize, u64)) -> usize {
        let all = lines.len();
        let stay = thin(lines, keep, rate);
        lines.truncate(stay);
        all - stay
    }

    #[test]
    fn every_exchange_keeps_its_best_first() {
        #[track_caller]
        fn check(lines: &[(usize, u64)], keep: usize, expect: &[(usize, u64)]) {
            let mut kept = lines.to_vec();
            let dropped = thinned(&mut kept, keep, |line| *line);
            assert_eq!(kept, expect);
            assert_eq!(dropped, lines.len() - expect.len());
        }
        check(&[(0, 1), (0, 9), (1, 2)], 3, &[(0, 1), (0, 9), (1, 2)]);
        check(&[(0, 1), (0, 9), (1, 2)], 2, &[(0, 9), (1, 2)]);
        check(&[(0, 8), (0, 9), (1, 2), (1, 1)], 3, &[(0, 8), (0, 9), (1, 2)]);
        // Where not every exchange has room, those that say most.
        check(&[(0, 1), (1, 9), (2, 5)], 2, &[(1, 9), (2, 5)]);
        check(&[(0, 5), (1, 5), (2, 5)], 2, &[(0, 5), (1, 5)]);
        check(&[(0, 1)], 0, &[]);
    }

    proptest! {
        #[test]
        fn what_stays_is_a_part_in_the_same_order(
            rates in prop::collection::vec((0_usize..6, 0_u64..9), 0..60),
            keep in 0_usize..70,
        ) {
            let all: Vec<(usize, (usize, u64))> = rates.into_iter().enumerate().collect();
            let mut kept = all.clone();
            let dropped = thinned(&mut kept, keep, |line| line.1);
            prop_assert_eq!(kept.len(), all.len().min(keep));
            prop_assert_eq!(dropped, all.len() - kept.len());
            prop_assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
