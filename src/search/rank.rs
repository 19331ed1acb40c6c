//! Orders sections by how well they answer: first by their counts alone, then the best of them by a closer look.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::collect::{self, FirstLook, Only, Voiced, voiced};
use super::matcher::Hit;
use super::query::Query;
use super::terms::MOST;
use super::weights;

/// Sections that get a closer look.
pub(super) const CLOSER: usize = 120;
/// How many times eight words go into the hundred of a stretch.
const NEAR: usize = 12;

/// How rare each term is, times its weight: in sections, and in stretches of a hundred words.
#[derive(Clone)]
pub(super) struct TermRarity {
    pub(super) section: [f32; MOST],
    pub(super) chunk: [f32; MOST],
}

impl TermRarity {
    #[expect(clippy::cast_precision_loss, reason = "counts of sections")]
    pub(super) fn of(collected: &FirstLook, query: &Query) -> Self {
        let spread = collected.spread();
        let (sections, stretches) = (collected.sections() as f32, collected.stretches() as f32);
        let idf = |all: f32, with: u32| {
            let with = with as f32;
            (1.0 + ((all - with).max(0.0) + 0.5) / (with + 0.5)).ln()
        };
        let mut rarity = Self { section: [0.0; MOST], chunk: [0.0; MOST] };
        for (at, term) in query.terms.iter().enumerate() {
            if query.excluded.iter().any(|without| usize::from(*without) == at) {
                continue;
            }
            rarity.section[at] = term.weight * idf(sections, spread[at].0);
            rarity.chunk[at] = term.weight * idf(stretches, spread[at].1);
        }
        rarity
    }

    /// What all terms together weigh.
    pub(super) fn total(&self) -> f32 {
        self.chunk.iter().sum()
    }
}

/// The best units by their counts, and whether none had every phrase that the question quotes: then a phrase is worth
/// something, and no place has to have it. A question often quotes from memory.
pub(super) fn by_counts(
    collected: &FirstLook,
    query: &Query,
    rarity: &TermRarity,
) -> (Vec<Ranked>, bool) {
    let strict = weighed(collected, query, rarity, true);
    let loose = strict.is_empty() && !query.required.is_empty();
    let scores = if loose { weighed(collected, query, rarity, false) } else { strict };
    let most = |of: fn(&Counted) -> f32| scores.iter().map(of).fold(f32::MIN_POSITIVE, f32::max);
    let (whole, chunks) = (most(|unit| unit.whole), most(|unit| unit.chunks));
    let mut ranked: Vec<Ranked> = scores
        .iter()
        .map(|found| Ranked {
            unit: found.unit,
            whole: found.whole / whole,
            score: found.whole / whole + found.chunks / chunks,
        })
        .filter(|ranked| ranked.score > 0.0)
        .collect();
    ranked.sort_by(Ranked::order);
    ranked.truncate(CLOSER);
    (ranked, loose)
}

/// The places of a time: those of its days that say most, of each day in turn, the newest day first, in the order of a
/// day.
pub(super) fn by_time(
    collected: &FirstLook,
    limit: usize,
    date: &dyn Fn(u32) -> NaiveDate,
) -> Vec<Ranked> {
    let mut days: BTreeMap<NaiveDate, Vec<usize>> = BTreeMap::new();
    for (number, unit) in collected.units.iter().enumerate() {
        days.entry(date(unit.file)).or_default().push(number);
    }
    let length = |unit: &usize| collected.units[*unit].cut.to - collected.units[*unit].cut.from;
    for units in days.values_mut() {
        units.sort_by_key(|unit| Reverse(length(unit)));
    }
    let most = days.values().map(Vec::len).max().unwrap_or(0);
    let turns = (0..most).flat_map(|turn| {
        days.iter().rev().filter_map(move |(day, units)| Some((*day, *units.get(turn)?)))
    });
    let mut chosen: Vec<(NaiveDate, usize)> = turns.take(limit).collect();
    chosen.sort_by_key(|(day, unit)| (Reverse(*day), *unit));
    chosen.into_iter().map(|(_, unit)| Ranked { unit, whole: 1.0, score: 1.0 }).collect()
}

/// A unit with its score as a whole and that of its stretches.
struct Counted {
    unit: usize,
    whole: f32,
    chunks: f32,
}

fn weighed(
    collected: &FirstLook,
    query: &Query,
    rarity: &TermRarity,
    strict: bool,
) -> Vec<Counted> {
    let average = collected.average().max(1.0);
    let mut scores = Vec::new();
    for (number, unit) in collected.units.iter().enumerate() {
        let counts = collected.of_unit(unit);
        let has = |term: &u8| counts.iter().any(|(found, _)| found == term);
        if query.excluded.iter().any(has) || (strict && !query.required.iter().all(has)) {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "a length")]
        let length = (unit.cut.to - unit.cut.from) as f32 / average;
        let norm = weights::K1 * (1.0 - weights::B + weights::B * length);
        let whole = bm25(counts, &rarity.section, norm);
        let mut best = [0.0_f32; 3];
        for chunk in collected.of_chunks(unit) {
            let score = bm25(chunk, &rarity.chunk, weights::K1);
            if let Some(at) = best.iter().position(|other| score > *other) {
                best[at..].rotate_right(1);
                best[at] = score;
            }
        }
        let chunks = best.iter().zip(weights::BEST).map(|(score, weight)| score * weight).sum();
        scores.push(Counted { unit: number, whole, chunks });
    }
    scores
}

/// A unit on its way into the order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) unit: usize,
    /// the score of the whole section, 1 for the best of all
    pub(super) whole: f32,
    /// what it is ranked by
    pub(super) score: f32,
}

impl Ranked {
    /// The best first; the older one where two are alike.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.score.total_cmp(&self.score).then(self.unit.cmp(&other.unit))
    }
}

fn bm25(counts: &[(u8, f32)], rarity: &[f32; MOST], norm: f32) -> f32 {
    counts
        .iter()
        .map(|(term, tf)| rarity[usize::from(*term)] * tf * (weights::K1 + 1.0) / (tf + norm))
        .sum()
}

/// What a closer look at a section shows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Close {
    /// the best three windows of some forty words, the second and third counting less
    pub(super) windows: f32,
    /// the share of the question that is within eight words
    pub(super) near: f32,
}

/// Looks at a section closely.
pub(super) fn closer(text: &str, query: &Query, rarity: &TermRarity, only: Only) -> Close {
    let mut hits: Vec<Hit> = Vec::new();
    query.matcher.find(text, &mut |hit| hits.push(hit));
    let mut counted: Vec<Voiced> = Vec::new();
    voiced(text, &hits, only, &mut |hit| counted.push(hit));
    let stretch = collect::stretch(text);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a length"
    )]
    let width = (stretch as f32 * weights::WINDOW) as usize;
    let total = rarity.total().max(f32::MIN_POSITIVE);
    Close {
        windows: windows(&counted, rarity, width),
        near: near(&counted, rarity, stretch / NEAR) / total,
    }
}

/// The best windows that do not overlap.
fn windows(hits: &[Voiced], rarity: &TermRarity, width: usize) -> f32 {
    let mut scores: Vec<(f32, usize)> = Vec::with_capacity(hits.len());
    let mut inside = [0.0_f32; MOST];
    let mut end = 0;
    for first in hits {
        while let Some(hit) = hits.get(end).filter(|hit| hit.hit.at < first.hit.at + width) {
            inside[usize::from(hit.hit.term)] += hit.weight;
            end += 1;
        }
        let score = inside
            .iter()
            .zip(rarity.chunk)
            .filter(|(tf, _)| **tf > 0.0)
            .map(|(tf, rarity)| rarity * tf * (weights::K1 + 1.0) / (tf + weights::K1))
            .sum();
        scores.push((score, first.hit.at));
        let gone = &mut inside[usize::from(first.hit.term)];
        *gone -= first.weight;
        // What rounding leaves behind is no term.
        if *gone < 1e-4 {
            *gone = 0.0;
        }
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut taken: Vec<usize> = Vec::new();
    let mut sum = 0.0;
    for (score, at) in scores {
        if taken.iter().all(|other| at.abs_diff(*other) >= width) {
            sum += score * weights::BEST[taken.len()];
            taken.push(at);
        }
        if taken.len() == 3 {
            break;
        }
    }
    sum
}

/// The most weight of different terms that are within eight words of one another, where there are at least two.
fn near(hits: &[Voiced], rarity: &TermRarity, reach: usize) -> f32 {
    let mut best = 0.0_f32;
    let mut inside = [0_u32; MOST];
    let mut first = 0;
    let mut sum = 0.0;
    let mut different = 0;
    for hit in hits {
        while hits[first].hit.at + reach < hit.hit.at {
            let old = usize::from(hits[first].hit.term);
            inside[old] -= 1;
            if inside[old] == 0 {
                sum -= rarity.chunk[old];
                different -= 1;
            }
            first += 1;
        }
        let term = usize::from(hit.hit.term);
        if inside[term] == 0 {
            sum += rarity.chunk[term];
            different += 1;
        }
        inside[term] += 1;
        if different > 1 {
            best = best.max(sum);
        }
    }
    best
}
