//! The sentences of a section that answer a question.

use std::collections::HashMap;

use super::collect::Only;
use super::query::Query;
use super::rank::Rarity;
use super::sentence::{Asks, Sentence, announces, split};
use super::terms::MOST;
use super::voice::Voice;
use super::weights::sentence as weight;
use super::words;
use crate::memory::tokens::Cost;

/// What is shown of a section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// the sentences in their order, ` … ` where something is left out
    pub(super) text: String,
    /// the byte of the section where the best of them stands
    pub(super) at: usize,
}

/// Chooses sentences that cost at most `budget`.
pub(super) fn choose(
    section: &str,
    query: &Query,
    rarity: &Rarity,
    only: Only,
    budget: Cost,
) -> Excerpt {
    let mut rarity = rarity.clone();
    for (rarity, term) in rarity.chunk.iter_mut().zip(&query.terms) {
        if term.is_synonym {
            *rarity *= weight::SYNONYM;
        }
    }
    let rarity = &rarity;
    let mut sentences = split(section, only);
    for sentence in &mut sentences {
        query.matcher.find(&sentence.text, &mut |hit| {
            if !sentence.terms.contains(&hit.term) {
                sentence.terms.push(hit.term);
            }
        });
    }
    weigh(&mut sentences, rarity, query.asks);
    add_related(&mut sentences);
    let picked = pick(&sentences, rarity, budget);
    join(&sentences, &picked)
}

/// What a sentence is worth: its own terms, those around it, those of the question that it replies to. What only announces
/// the next step is worth less, and so is code.
fn weigh(sentences: &mut [Sentence], rarity: &Rarity, asks: Asks) {
    let total = rarity.total().max(f32::MIN_POSITIVE);
    let share = |terms: &mut dyn Iterator<Item = u8>| {
        let mut seen = [false; MOST];
        terms.for_each(|term| seen[usize::from(term)] = true);
        let seen = seen.iter().zip(rarity.chunk).filter(|(seen, _)| **seen);
        seen.map(|(_, weight)| weight).sum::<f32>() / total
    };
    let own: Vec<f32> =
        sentences.iter().map(|sentence| share(&mut sentence.terms.iter().copied())).collect();
    // What each exchange has, and what its question has.
    let exchanges = sentences.last().map_or(0, |last| last.exchange + 1);
    let mut asked = vec![0.0_f32; exchanges];
    for (sentence, own) in sentences.iter().zip(&own) {
        if sentence.voice == Voice::User {
            asked[sentence.exchange] = asked[sentence.exchange].max(*own);
        }
    }
    let mut whole = vec![0.0_f32; exchanges];
    for exchange in sentences.chunk_by(|a, b| a.exchange == b.exchange) {
        let mut terms = exchange.iter().flat_map(|sentence| sentence.terms.iter().copied());
        whole[exchange[0].exchange] = share(&mut terms);
    }
    let around = |index: usize, by: isize| {
        index.checked_add_signed(by).and_then(|index| own.get(index)).copied().unwrap_or(0.0)
    };
    for (index, sentence) in sentences.iter_mut().enumerate() {
        let wide: f32 = (-4..=4).map(|by| around(index, by)).sum();
        sentence.score = weight::OWN * own[index]
            + weight::BEFORE[0] * around(index, -1)
            + weight::AFTER[0] * around(index, 1)
            + weight::BEFORE[1] * around(index, -2)
            + weight::AFTER[1] * around(index, 2)
            + weight::ASKED * asked[sentence.exchange]
            + weight::WIDE * wide
            + weight::EXCHANGE * whole[sentence.exchange]
            + weight::SIGN * asks.signs(&sentence.text)
            - if announces(&sentence.text) { weight::ANNOUNCES } else { 0.0 }
            - if sentence.code { weight::CODE } else { 0.0 };
    }
}

/// Words that stand mostly where the question's terms do speak for a sentence as well.
fn add_related(sentences: &mut [Sentence]) {
    let words: Vec<Vec<String>> =
        sentences.iter().map(|sentence| content(&sentence.text)).collect();
    // The worth of the sentences that have a word, and their number.
    let mut near: HashMap<&str, (f32, f32)> = HashMap::new();
    for (sentence, words) in sentences.iter().zip(&words) {
        for word in words {
            let (worth, count) = near.entry(word).or_default();
            *worth += sentence.score.max(0.0);
            *count += 1.0;
        }
    }
    for (sentence, words) in sentences.iter_mut().zip(&words) {
        let mut found: Vec<f32> = words
            .iter()
            .filter_map(|word| near.get(word.as_str()))
            .map(|(worth, count)| worth / (count + 2.0))
            .collect();
        found.sort_by(|a, b| b.total_cmp(a));
        sentence.score += weight::RELATED * found.iter().take(5).sum::<f32>() / 5.0;
    }
}

/// The longer words of a sentence in lower case, each once.
fn content(text: &str) -> Vec<String> {
    let words = words::runs(text).map(|run| &text[run]).filter(|word| word.len() > 3);
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Takes the most valuable sentence for its price, again and again; what was said already counts less.
fn pick(sentences: &[Sentence], rarity: &Rarity, budget: Cost) -> Vec<usize> {
    let total = rarity.total().max(f32::MIN_POSITIVE);
    let mut left = budget;
    let mut picked: Vec<usize> = Vec::new();
    let mut covered = [false; MOST];
    let price = |index: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a price")]
        let tokens = sentences[index].cost.0 as f32 / 100.0;
        tokens.max(weight::CHEAP).powf(weight::PRICE)
    };
    // Only the best can be picked; looking at all of them again and again would take too long in a long section.
    let value = |index: &usize| sentences[*index].score / price(*index);
    let mut open: Vec<usize> =
        (0..sentences.len()).filter(|at| sentences[*at].score > 0.0).collect();
    open.sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.cmp(b)));
    open.truncate(120);
    loop {
        let worth = |index: usize| {
            let sentence = &sentences[index];
            let known = sentence.terms.iter().filter(|term| covered[usize::from(**term)]);
            let old: f32 = known.map(|term| rarity.chunk[usize::from(*term)]).sum();
            (sentence.score - weight::KNOWN * old / total) / price(index)
        };
        let fits = open.iter().copied().filter(|index| sentences[*index].cost <= left);
        let best = fits.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
        let Some(best) = best.filter(|best| picked.is_empty() || worth(*best) > 0.0) else { break };
        left = left - sentences[best].cost;
        for term in &sentences[best].terms {
            covered[usize::from(*term)] = true;
        }
        open.retain(|index| *index != best);
        picked.push(best);
    }
    picked
}

fn join(sentences: &[Sentence], picked: &[usize]) -> Excerpt {
    let at = picked.first().map_or(0, |first| sentences[*first].at);
    let mut order = picked.to_vec();
    order.sort_unstable();
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for index in order {
        match last {
            Some(last) if last + 1 == index => text.push(' '),
            Some(_) => text.push_str(" … "),
            None => {}
        }
        text.push_str(&sentences[index].text);
        last = Some(index);
    }
    Excerpt { text, at }
}
