//! Which lines of the sittings there is room for: every sitting has its share, then every turn, its best first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::detail::{Detail, Said};
use crate::memory::hashed::Hashed;
use crate::memory::talk::Rarity;
use crate::order::InOrder as _;

/// What a word still adds to a text that has it so many times, in 1/16.
const AGAIN: [u64; 5] = [16, 6, 3, 1, 0];
/// The more lines of a day, a sitting or an exchange stand there, the less its next one counts: halved after so many.
const DAY: u64 = 48;
const SITTING: u64 = 10;
const EXCHANGE: u64 = 3;
/// One in so many lines is for what people asked: a decision in few words weighs less than any reply.
const ASKED: usize = 4;
/// A line of fewer words may well mean something else where it is said again.
const WORDS: usize = 6;

/// A line by its places in the list of sittings and in its sitting.
type Place = (usize, usize);

struct Chooser<'d, 'a> {
    details: &'d mut [Detail<'a>],
    words: Words,
    /// how often each word is told so far
    told: Vec<u32>,
    by_day: HashMap<usize, u64, Hashed>,
    by_sitting: Vec<u64>,
    by_exchange: HashMap<Place, u64, Hashed>,
    /// of the lines of many words that are taken, the hashes of their texts
    texts: HashSet<u64, Hashed>,
}

/// Marks the lines that `room` has place for, a heading for each sitting included. Returns how many stay out.
pub(super) fn choose(details: &mut [Detail<'_>], room: usize) -> usize {
    let total: usize = details.iter().map(|detail| detail.items.len()).sum();
    let headings = details.iter().filter(|detail| !detail.items.is_empty()).count();
    if total + headings <= room {
        details.iter_mut().flat_map(|detail| &mut detail.items).for_each(|said| said.chosen = true);
        return 0;
    }
    let sittings = details.len();
    let words = Words::of(details);
    let mut chooser = Chooser {
        told: vec![0; words.distinct],
        words,
        details,
        by_day: HashMap::default(),
        by_sitting: vec![0; sittings],
        by_exchange: HashMap::with_capacity_and_hasher(room, Hashed::default()),
        texts: HashSet::with_capacity_and_hasher(room, Hashed::default()),
    };
    let used = chooser.fill(room);
    total - used
}

/// The words of every line with their weights: the rarer among all lines and the more often in their sitting, the more.
struct Words {
    /// the words of all lines, by numbers from 0 on, with their weights
    all: Vec<(u32, u32)>,
    /// where those of each line end, in the order of the lines
    ends: Vec<usize>,
    /// which line is the first of each sitting
    first: Vec<usize>,
    /// how many different words there are
    distinct: usize,
}

impl Words {
    fn of(details: &[Detail<'_>]) -> Self {
        let lines = || details.iter().flat_map(|detail| &detail.items);
        let mut all = Vec::with_capacity(lines().map(|said| said.passage.words.len()).sum());
        let mut ends = Vec::with_capacity(lines().count());
        let mut first = Vec::with_capacity(details.len());
        let mut numbers: HashMap<u64, u32, Hashed> = HashMap::default();
        let mut rarity = Rarity::default();
        for detail in details {
            first.push(ends.len());
            for said in &detail.items {
                all.extend(said.passage.words.iter().map(|word| {
                    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                    (*numbers.entry(*word).or_insert(next), 0)
                }));
                ends.push(all.len());
                rarity.count(&[]);
            }
        }
        let distinct = numbers.len();
        let mut having: Vec<u32> = vec![0; distinct];
        for (word, _) in &all {
            having[*word as usize] += 1;
        }
        let rare: Vec<u32> = having.iter().map(|of| rarity.weight_if(*of)).collect();
        let mut words = Self { all, ends, first, distinct };
        let mut times: Vec<u32> = vec![0; distinct];
        for sitting in 0..details.len() {
            let end = words.first.get(sitting + 1).copied().unwrap_or(words.ends.len());
            let own = words.start(words.first[sitting])..words.start(end);
            let own = &mut words.all[own];
            for (word, _) in &*own {
                times[*word as usize] += 1;
            }
            for (word, weight) in &mut *own {
                let word = *word as usize;
                *weight = rare[word] * (3 + times[word].min(5)) / 4;
            }
            for (word, _) in &*own {
                times[*word as usize] = 0;
            }
        }
        words
    }

    /// Where the words of a line begin, by its number among all lines.
    fn start(&self, line: usize) -> usize {
        if line == 0 { 0 } else { self.ends[line - 1] }
    }

    fn of_line(&self, (at, line): Place) -> &[(u32, u32)] {
        let line = self.first[at] + line;
        &self.all[self.start(line)..self.ends[line]]
    }
}

impl<'a> Chooser<'_, 'a> {
    fn fill(&mut self, room: usize) -> usize {
        let mut left = room;
        let mut used = self.take_best_of_each(&mut left);
        let mut for_asked = left.min(room / ASKED);
        left -= for_asked;
        used += self.take_best(&mut for_asked, &Said::is_asked);
        left += for_asked;
        used + self.take_best(&mut left, &|_| true)
    }

    /// Takes of each sitting the line that says most, those of the longest sittings first, as far as there is room, and
    /// lowers it. Returns how many.
    fn take_best_of_each(&mut self, left: &mut usize) -> usize {
        // What each line is worth while nothing is taken.
        let places =
            |at: usize, detail: &Detail<'_>| (0..detail.items.len()).map(move |line| (at, line));
        let all = self.details.iter().enumerate().flat_map(|(at, detail)| places(at, detail));
        let worth: Vec<u64> = all.map(|place| self.worth(place)).collect();
        let mut sittings: Vec<usize> = (0..self.details.len()).collect();
        sittings.order_by_key(|at| Reverse(self.details[*at].items.len()));
        let mut taken = 0;
        for at in sittings {
            let worth = |(at, line): &Place| worth[self.words.first[*at] + *line];
            let new = places(at, &self.details[at])
                .filter(|place| !self.stands(*place))
                .max_by_key(|place| (worth(place), Reverse(place.1)));
            taken += usize::from(new.is_some_and(|place| self.take_if_room(place, left)));
        }
        taken
    }

    /// Takes the `wanted` lines that say most beside what is taken already, as far as there is room, and lowers it. Returns
    /// how many.
    fn take_best(&mut self, left: &mut usize, wanted: &dyn Fn(&Said<'a>) -> bool) -> usize {
        let mut queue: BinaryHeap<(u64, Reverse<Place>)> = BinaryHeap::new();
        for (at, detail) in self.details.iter().enumerate() {
            for (line, said) in detail.items.iter().enumerate() {
                if !said.chosen && wanted(said) {
                    queue.push((self.worth((at, line)), Reverse((at, line))));
                }
            }
        }
        let mut taken = 0;
        // What a line is worth only ever falls, so the first that is still worth what it was is the best.
        while let Some((worth, Reverse(place))) = queue.pop() {
            if *left == 0 || worth == 0 {
                break;
            }
            if self.height(place) > *left || self.stands(place) {
                continue;
            }
            let now = self.worth(place);
            if now < worth && queue.peek().is_some_and(|next| next.0 > now) {
                queue.push((now, Reverse(place)));
                continue;
            }
            taken += usize::from(self.take_if_room(place, left));
        }
        taken
    }

    /// Takes a line and its room, if there is so much. Whether there was.
    fn take_if_room(&mut self, place: Place, left: &mut usize) -> bool {
        let height = self.height(place);
        let fits = height <= *left;
        if fits {
            self.take(place);
            *left -= height;
        }
        fits
    }

    /// How many lines it takes to print one: the first of a sitting has a heading.
    fn height(&self, (at, _): Place) -> usize {
        if self.by_sitting[at] == 0 { 2 } else { 1 }
    }

    fn worth(&self, (at, line): Place) -> u64 {
        let detail = &self.details[at];
        let passage = &detail.items[line].passage;
        let news: u64 = self
            .words
            .of_line((at, line))
            .iter()
            .map(|(word, weight)| {
                let told = self.told[*word as usize] as usize;
                u64::from(*weight) * AGAIN[told.min(AGAIN.len() - 1)]
            })
            .sum();
        let falls = |by: u64, half: u64| half * 1024 / (half + by);
        let of_day = self.by_day.get(&detail.day).copied().unwrap_or(0);
        let of_exchange = self.by_exchange.get(&(at, passage.exchange)).copied().unwrap_or(0);
        let mut worth = news * u64::from(passage.factor);
        worth = worth * falls(of_day, DAY) / 1024;
        worth = worth * falls(self.by_sitting[at], SITTING) / 1024;
        worth * falls(of_exchange, EXCHANGE) / 1024
    }

    /// Whether the same line is taken already. What people tell every agent, sitting after sitting, is told once.
    fn stands(&self, (at, line): Place) -> bool {
        let passage = &self.details[at].items[line].passage;
        passage.words.len() >= WORDS && self.texts.contains(&xxh3_64(passage.text.as_bytes()))
    }

    fn take(&mut self, (at, line): Place) {
        for (word, _) in self.words.of_line((at, line)) {
            self.told[*word as usize] += 1;
        }
        let detail = &mut self.details[at];
        let said = &mut detail.items[line];
        said.chosen = true;
        if said.passage.words.len() >= WORDS {
            self.texts.insert(xxh3_64(said.passage.text.as_bytes()));
        }
        *self.by_day.entry(detail.day).or_default() += 1;
        self.by_sitting[at] += 1;
        *self.by_exchange.entry((at, said.passage.exchange)).or_default() += 1;
    }
}
