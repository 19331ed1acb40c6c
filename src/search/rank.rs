//! Orders sections by how well they answer: first by their counts alone, then the best of them by a closer look.

use std::collections::HashMap;

use super::collect::{Collected, Only, voiced};
use super::matcher::Hit;
use super::query::Query;
use super::terms::MOST;
use super::weights::Weights;

/// Sections that get a closer look.
pub(super) const CLOSER: usize = 60;
/// Eight words, in bytes.
const NEAR: usize = 50;

/// How rare each term is, times its weight: in sections, and in stretches of a hundred words.
pub(super) struct Rarity {
    pub(super) section: [f32; MOST],
    pub(super) chunk: [f32; MOST],
}

impl Rarity {
    #[expect(clippy::cast_precision_loss, reason = "counts of sections")]
    pub(super) fn of(collected: &Collected, query: &Query) -> Self {
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

/// The best units, by number, with their scores from 0 to about 2.
pub(super) fn by_counts(
    collected: &Collected,
    query: &Query,
    rarity: &Rarity,
    weights: &Weights,
) -> Vec<(usize, f32)> {
    let average = collected.average().max(1.0);
    let mut scores: Vec<(usize, f32, f32)> = Vec::with_capacity(collected.units.len());
    for (number, unit) in collected.units.iter().enumerate() {
        let counts = collected.of_unit(unit);
        let has = |term: u8| counts.iter().any(|(found, _)| *found == term);
        if !query.required.iter().all(|term| has(*term)) || query.excluded.iter().any(|term| has(*term)) {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "a length")]
        let length = (unit.cut.to - unit.cut.from) as f32 / average;
        let norm = weights.k1 * (1.0 - weights.b + weights.b * length);
        let whole = bm25(counts, &rarity.section, weights.k1, norm);
        let mut best = [0.0_f32; 3];
        for chunk in collected.of_chunks(unit) {
            let score = bm25(chunk, &rarity.chunk, weights.chunk_k1, weights.chunk_k1);
            if let Some(at) = best.iter().position(|other| score > *other) {
                best[at..].rotate_right(1);
                best[at] = score;
            }
        }
        let chunks = best[0] + weights.second * best[1] + weights.third * best[2];
        scores.push((number, whole, chunks));
    }
    let most = |of: fn(&(usize, f32, f32)) -> f32| scores.iter().map(of).fold(f32::MIN_POSITIVE, f32::max);
    let (whole, chunks) = (most(|score| score.1), most(|score| score.2));
    let mut ranked: Vec<(usize, f32)> = scores
        .iter()
        .map(|score| (score.0, weights.section * score.1 / whole + weights.chunk * score.2 / chunks))
        .filter(|(_, score)| *score > 0.0)
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(CLOSER);
    ranked
}

fn bm25(counts: &[(u8, f32)], rarity: &[f32; MOST], k1: f32, norm: f32) -> f32 {
    counts.iter().map(|(term, tf)| rarity[usize::from(*term)] * tf * (k1 + 1.0) / (tf + norm)).sum()
}

/// What a closer look at a section adds to its score.
pub(super) fn closer(text: &str, query: &Query, rarity: &Rarity, only: Only, weights: &Weights) -> f32 {
    let mut hits: Vec<Hit> = Vec::new();
    query.matcher.find(text, &mut |hit| hits.push(hit));
    let total = rarity.total().max(f32::MIN_POSITIVE);
    let mut counted: Vec<Hit> = Vec::new();
    voiced(text, &hits, only, weights, &mut |hit, _, _| counted.push(hit));
    let near = near(&counted, rarity) / total;
    let seen = |hits: &mut dyn Iterator<Item = &Hit>| {
        let mut terms = [false; MOST];
        hits.for_each(|hit| terms[usize::from(hit.term)] = true);
        terms.iter().zip(rarity.chunk).filter(|(seen, _)| **seen).map(|(_, weight)| weight).sum::<f32>() / total
    };
    let title_end = memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    let in_title = seen(&mut counted.iter().filter(|hit| hit.at < title_end));
    let cover = seen(&mut counted.iter());
    weights.near * near + weights.in_title * in_title + weights.cover * cover
}

/// The most weight of different terms that stand within eight words of one another, where there are at least two.
fn near(hits: &[Hit], rarity: &Rarity) -> f32 {
    let mut best = 0.0_f32;
    let mut inside = [0_u32; MOST];
    let mut first = 0;
    let mut sum = 0.0;
    let mut different = 0;
    for hit in hits {
        while hits[first].at + NEAR < hit.at {
            let old = usize::from(hits[first].term);
            inside[old] -= 1;
            if inside[old] == 0 {
                sum -= rarity.chunk[old];
                different -= 1;
            }
            first += 1;
        }
        let term = usize::from(hit.term);
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

/// Makes the best section of a day stand for the day: later ones of the same day lose, so that five results are five
/// chances.
pub(super) fn spread_out<D: std::hash::Hash + Eq>(ranked: &mut [(usize, f32)], day: impl Fn(usize) -> D, loss: f32) {
    let mut seen: HashMap<D, i32> = HashMap::new();
    for (number, score) in ranked.iter_mut() {
        let times = seen.entry(day(*number)).or_default();
        *score *= loss.powi(*times);
        *times += 1;
    }
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

