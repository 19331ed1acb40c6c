//! Which lines there is room for: every session has its share, then every turn, its best first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::weigh::{AGAIN, ASKED, DAY, EXCHANGE, SESSION};
use super::words::rarity;
use crate::memory::hashed::Hashed;

/// A line of fewer words may well mean something else where it is said again.
const WORDS: usize = 6;

/// A line that may be told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'t> {
    /// its session or entry; those of one stand side by side
    pub(crate) session: usize,
    /// the source it is from
    pub(crate) day: usize,
    /// which of the turns of persons it belongs to, in its session
    pub(crate) exchange: usize,
    /// what its place and its cues make of its words; see [`super::weigh`]
    pub(crate) factor: u32,
    /// whether a person said it first in a turn
    pub(crate) is_asked: bool,
    pub(crate) words: &'t [u64],
    pub(crate) text: &'t str,
}

/// Which of some candidates `room` lines have place for, a heading for each session included.
pub(crate) fn choose(candidates: &[Candidate<'_>], room: usize) -> Vec<bool> {
    let sessions = candidates.last().map_or(0, |last| last.session + 1);
    if candidates.len() + sessions <= room {
        return vec![true; candidates.len()];
    }
    let words = weighed(candidates, sessions);
    let distinct = words.iter().flatten().map(|(word, _)| *word as usize + 1).max();
    let mut chooser = Chooser {
        candidates,
        words,
        told: vec![0; distinct.unwrap_or(0)],
        by_day: HashMap::default(),
        by_session: vec![0; sessions],
        by_exchange: HashMap::default(),
        texts: HashSet::default(),
        chosen: vec![false; candidates.len()],
        left: room,
    };
    chooser.take_best_of_each();
    let kept = chooser.left - chooser.left.min(room / ASKED);
    chooser.left -= kept;
    chooser.take_best(|one| one.is_asked);
    chooser.left += kept;
    chooser.take_best(|_| true);
    chooser.chosen
}

/// The words of every line, numbered from 0 on, with their weights: the rarer among all lines and the more often in
/// their session, the more.
fn weighed(candidates: &[Candidate<'_>], sessions: usize) -> Vec<Vec<(u32, u32)>> {
    let mut numbers: HashMap<u64, u32, Hashed> = HashMap::default();
    let mut having: Vec<u32> = Vec::new();
    let mut all: Vec<Vec<(u32, u32)>> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let words = candidate.words.iter().map(|word| {
            let next = u32::try_from(having.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(*word).or_insert(next);
            if number == next {
                having.push(0);
            }
            having[number as usize] += 1;
            (number, 0)
        });
        all.push(words.collect());
    }
    let lines = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
    let rare: Vec<u32> = having.iter().map(|having| rarity(*having, lines)).collect();
    let mut times: Vec<u32> = vec![0; rare.len()];
    let mut from = 0;
    for session in 0..sessions {
        let length = candidates[from..].iter().take_while(|one| one.session == session).count();
        let own = &mut all[from..from + length];
        from += length;
        for (word, _) in own.iter().flatten() {
            times[*word as usize] += 1;
        }
        for (word, weight) in own.iter_mut().flatten() {
            *weight = rare[*word as usize] * (3 + times[*word as usize].min(5)) / 4;
        }
        for (word, _) in own.iter().flatten() {
            times[*word as usize] = 0;
        }
    }
    all
}

struct Chooser<'c, 't> {
    candidates: &'c [Candidate<'t>],
    words: Vec<Vec<(u32, u32)>>,
    /// how often each word is told so far
    told: Vec<u32>,
    by_day: HashMap<usize, u64, Hashed>,
    by_session: Vec<u64>,
    by_exchange: HashMap<(usize, usize), u64, Hashed>,
    /// of the lines of many words that are taken, the hashes of their texts
    texts: HashSet<u64, Hashed>,
    chosen: Vec<bool>,
    left: usize,
}

impl Chooser<'_, '_> {
    /// Takes of each session the line that says most, those of the longest sessions first.
    fn take_best_of_each(&mut self) {
        let worth: Vec<u64> = (0..self.candidates.len()).map(|at| self.worth(at)).collect();
        let mut sessions: Vec<(usize, usize)> = Vec::new();
        for one in self.candidates.chunk_by(|one, next| one.session == next.session) {
            let from = sessions.last().map_or(0, |(from, length)| from + length);
            sessions.push((from, one.len()));
        }
        sessions.sort_by_key(|(from, length)| (Reverse(*length), *from));
        for (from, length) in sessions {
            let own = (from..from + length).filter(|at| !self.stands(*at));
            if let Some(best) = own.max_by_key(|at| (worth[*at], Reverse(*at))) {
                self.take_if_room(best);
            }
        }
    }

    /// Takes the `wanted` lines that say most beside what is taken already, as far as there is room.
    fn take_best(&mut self, wanted: impl Fn(&Candidate<'_>) -> bool) {
        let all = self.candidates.iter().enumerate();
        let open = all.filter(|(at, one)| !self.chosen[*at] && wanted(one));
        let mut queue: BinaryHeap<(u64, Reverse<usize>)> =
            open.map(|(at, _)| (self.worth(at), Reverse(at))).collect();
        // What a line is worth only ever falls, so the first that is still worth what it was is the best.
        while let Some((worth, Reverse(at))) = queue.pop() {
            if self.left == 0 || worth == 0 {
                break;
            }
            if self.height(at) > self.left || self.stands(at) {
                continue;
            }
            let now = self.worth(at);
            if now < worth && queue.peek().is_some_and(|next| next.0 > now) {
                queue.push((now, Reverse(at)));
                continue;
            }
            self.take_if_room(at);
        }
    }

    /// How many lines it takes to print one: the first of a session has a heading.
    fn height(&self, at: usize) -> usize {
        if self.by_session[self.candidates[at].session] == 0 { 2 } else { 1 }
    }

    fn worth(&self, at: usize) -> u64 {
        let one = &self.candidates[at];
        let news = |(word, weight): &(u32, u32)| {
            let told = self.told[*word as usize] as usize;
            u64::from(*weight) * AGAIN[told.min(AGAIN.len() - 1)]
        };
        let news: u64 = self.words[at].iter().map(news).sum();
        let falls = |by: u64, half: u64| half * 1024 / (half + by);
        let of_day = self.by_day.get(&one.day).copied().unwrap_or(0);
        let of_exchange = self.by_exchange.get(&(one.session, one.exchange)).copied().unwrap_or(0);
        let worth = news * u64::from(one.factor);
        let worth = worth * falls(of_day, DAY) / 1024;
        let worth = worth * falls(self.by_session[one.session], SESSION) / 1024;
        worth * falls(of_exchange, EXCHANGE) / 1024
    }

    /// Whether the same line is taken already. What people tell every agent, session after session, is told once.
    fn stands(&self, at: usize) -> bool {
        let one = &self.candidates[at];
        one.words.len() >= WORDS && self.texts.contains(&xxh3_64(one.text.as_bytes()))
    }

    fn take_if_room(&mut self, at: usize) {
        let height = self.height(at);
        if height > self.left {
            return;
        }
        self.left -= height;
        self.chosen[at] = true;
        for (word, _) in &self.words[at] {
            self.told[*word as usize] += 1;
        }
        let one = &self.candidates[at];
        if one.words.len() >= WORDS {
            self.texts.insert(xxh3_64(one.text.as_bytes()));
        }
        *self.by_day.entry(one.day).or_default() += 1;
        self.by_session[one.session] += 1;
        *self.by_exchange.entry((one.session, one.exchange)).or_default() += 1;
    }
}

/// How many lines are kept to choose from. The largest extract prints a few hundred of them, so on a day of ordinary
/// length nothing is dropped.
pub(crate) const MOST: usize = 8192;

/// Keeps `keep` of some lines, in their order: of every exchange the best first, then its second best, and so on.
/// `rate` tells a line's exchange and how much it says by itself.
pub(crate) fn thin<T>(lines: &mut Vec<T>, keep: usize, rate: impl Fn(&T) -> (usize, u64)) {
    if lines.len() <= keep {
        return;
    }
    let rated = lines.iter().map(rate).enumerate();
    let mut rated: Vec<_> =
        rated.map(|(at, (exchange, worth))| (exchange, Reverse(worth), at)).collect();
    rated.sort_unstable();
    let (mut before, mut turn) = (None, 0);
    for (exchange, ..) in &mut rated {
        turn = if before == Some(*exchange) { turn + 1 } else { 0 };
        before = Some(*exchange);
        *exchange = turn;
    }
    rated.sort_unstable();
    let stay: HashSet<usize, Hashed> = rated[..keep].iter().map(|(.., at)| *at).collect();
    let mut at = 0..;
    lines.retain(|_| at.next().is_some_and(|at| stay.contains(&at)));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_budget_holds_and_every_session_has_its_share(
            lines in prop::collection::vec((0_usize..4, 0_usize..3, prop::collection::vec(0_u64..40, 1..9)), 1..60),
            room in 0_usize..70,
        ) {
            let mut lines = lines;
            lines.sort_by_key(|line| line.0);
            let mut numbers: Vec<usize> = lines.iter().map(|line| line.0).collect();
            numbers.dedup();
            let texts: Vec<String> = (0..lines.len()).map(|at| format!("line {at}")).collect();
            let candidates: Vec<Candidate<'_>> = lines.iter().zip(&texts).map(|((session, exchange, words), text)| Candidate {
                session: numbers.binary_search(session).unwrap(), day: 0, exchange: *exchange, factor: 16, is_asked: false, words, text,
            }).collect();
            let chosen = choose(&candidates, room);
            prop_assert_eq!(&chosen, &choose(&candidates, room));
            let of = |session: usize| candidates.iter().zip(&chosen).filter(|(one, chosen)| one.session == session && **chosen).count();
            let used: usize = (0..numbers.len()).map(of).filter(|lines| *lines > 0).map(|lines| lines + 1).sum();
            prop_assert!(used <= room);
            if room >= 2 * numbers.len() {
                prop_assert!((0..numbers.len()).all(|session| of(session) > 0));
            }
        }

        #[test]
        fn what_stays_is_a_part_in_the_same_order(
            rates in prop::collection::vec((0_usize..6, 0_u64..9), 0..60),
            keep in 0_usize..70,
        ) {
            let all: Vec<(usize, (usize, u64))> = rates.into_iter().enumerate().collect();
            let mut kept = all.clone();
            thin(&mut kept, keep, |line| line.1);
            prop_assert_eq!(kept.len(), all.len().min(keep));
            prop_assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
