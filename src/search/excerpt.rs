//! The sentences of the places that answer a question, within what all of them together may cost.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::cjk;
use super::collect::{Only, voiced};
use super::query::Query;
use super::rank::TermRarity;
use super::sentence::{FoundSentence, split};
use super::weights::sentence as weight;
use super::word_bounds;
use super::worth::weigh;
use crate::markdown::label;
use crate::meaning::lexicon::is_common;
use crate::memory::hashed::Hashed;
use crate::memory::tokens::{Cost, cost};

/// Sentences of a place that are considered.
const CONSIDERED: usize = 60;
/// Characters on either side of a phrase that is in no sentence.
const BESIDE: usize = 60;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// the sentences in their order, each on a line of its own
    pub(super) text: String,
    /// the byte of the section where the best of them stands
    pub(super) at: usize,
}

/// A sentence that may be shown.
struct Offer {
    /// its place among the sentences of its section
    index: usize,
    /// its first byte in the section
    at: usize,
    text: String,
    goes_on: bool,
    cost: Cost,
    /// its worth for its price
    value: f32,
    /// its words that say something, and how many of them nothing that is shown already says
    words: Vec<u64>,
    new: usize,
    /// how many of the phrases that the question quotes are in it
    quoted: usize,
}

impl Offer {
    /// Its worth, whatever its price, as far as it is new.
    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
    fn worth(&self) -> f32 {
        self.value * price(self.cost) * self.new as f32 / self.words.len().max(1) as f32
    }
}

/// The best sentences of one place.
pub(super) struct Offers(Vec<Offer>);

/// Looks for the sentences of a section that answer best. `factor` is what its place counts beside the others.
pub(super) fn offers(
    section: &str,
    query: &Query,
    rarity: &TermRarity,
    only: Only,
    factor: f32,
) -> Offers {
    let sentences = split(section, only);
    let worth = weigh(&sentences, query, rarity);
    let quoted: Vec<Vec<u8>> =
        sentences.iter().map(|sentence| quoted_in(&sentence.text, query)).collect();
    let mut best: Vec<(f32, usize)> = worth
        .into_iter()
        .zip(&sentences)
        .enumerate()
        .map(|(index, (worth, sentence))| (factor * worth / price(sentence.cost), index))
        .filter(|(value, index)| *value > 0.0 || !quoted[*index].is_empty())
        .collect();
    let most = |index: usize| Reverse(quoted[index].len());
    best.sort_by(|a, b| most(a.1).cmp(&most(b.1)).then(b.0.total_cmp(&a.0)).then(a.1.cmp(&b.1)));
    best.truncate(CONSIDERED);
    let offer = |(value, index): (f32, usize)| {
        let sentence = &sentences[index];
        let words = content(&sentence.text);
        let (at, goes_on, new) = (sentence.at, sentence.goes_on, words.len());
        let text = without_stop(&sentence.text).to_owned();
        let cost = cost(&text) + cost("\n");
        let quoted = quoted[index].len();
        Offer { index, at, text, goes_on, cost, value, words, new, quoted }
    };
    let offers = best.into_iter().map(offer);
    let mut offers: Vec<Offer> = offers.filter(|offer| offer.new > 1 || offer.quoted > 0).collect();
    let is_shown = |term: &u8| quoted.iter().any(|terms| terms.contains(term));
    let lost: Vec<u8> = query.required.iter().copied().filter(|term| !is_shown(term)).collect();
    if !lost.is_empty() {
        offers.extend(torn(section, &sentences, query, only, &lost));
    }
    Offers(offers)
}

/// The phrases that the question quotes and that are in a text, by their terms.
fn quoted_in(text: &str, query: &Query) -> Vec<u8> {
    let mut terms = Vec::new();
    if query.required.is_empty() {
        return terms;
    }
    query.matcher.find(text, &mut |hit| {
        if query.required.contains(&hit.term) && !terms.contains(&hit.term) {
            terms.push(hit.term);
        }
    });
    terms
}

/// What is around the first phrase among these that no sentence has, since it goes over the end of one, or has marks in
/// it that are left out of sentences.
fn torn(
    section: &str,
    sentences: &[FoundSentence],
    query: &Query,
    only: Only,
    lost: &[u8],
) -> Option<Offer> {
    let mut hits = Vec::new();
    query.matcher.find(section, &mut |hit| hits.push(hit));
    let mut found = None;
    voiced(section, &hits, only, &mut |voiced| {
        if found.is_none() && lost.contains(&voiced.hit.term) {
            found = Some(voiced.hit.at..voiced.hit.end);
        }
    });
    let place = found?;
    let text = around(section, place.clone());
    let price = cost(&text) + cost("\n");
    let words = content(&text);
    let index = sentences.partition_point(|sentence| sentence.at <= place.start).saturating_sub(1);
    let (at, new) = (place.start, words.len());
    Some(Offer { index, at, text, goes_on: false, cost: price, value: 1.0, words, new, quoted: 1 })
}

/// A place within its line, with some words on either side.
fn around(section: &str, place: Range<usize>) -> String {
    let from = section[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let to = section[place.end..].find('\n').map_or(section.len(), |at| place.end + at);
    let line = &section[from..to];
    let from = label::written(line).map_or(from, |(_, words)| to - words.len());
    let before = &section[from.min(place.start)..place.start];
    let before = match before.char_indices().rev().nth(BESIDE) {
        Some((at, _)) => {
            format!("…{}", before[at..].trim_start_matches(|c: char| !c.is_whitespace()))
        }
        None => before.to_owned(),
    };
    let after = &section[place.end..to];
    let after = match after.char_indices().nth(BESIDE) {
        Some((at, _)) => format!("{}…", after[..at].trim_end_matches(|c: char| !c.is_whitespace())),
        None => after.to_owned(),
    };
    format!("{before}{}{after}", &section[place]).trim().to_owned()
}

/// Chooses among the offers of all places: first the best sentence of each, then whatever says most that is new for its
/// price, wherever it stands.
pub(super) fn choose(places: &mut [Offers], budget: Cost) -> Vec<Excerpt> {
    count_across(places);
    let mut picked: Vec<Vec<Offer>> = places.iter().map(|_| Vec::new()).collect();
    let mut shown: HashSet<u64, Hashed> = HashSet::default();
    let most = budget.share(50 / u32::try_from(places.len()).unwrap_or(50).clamp(1, 50));
    for place in 0..places.len() {
        let offers = places[place].0.iter().enumerate();
        // A place that was found by what the question quotes shows it.
        let fitting = offers.filter(|(_, offer)| offer.cost <= most || offer.quoted > 0);
        // Here a whole sentence is better than a short one.
        let best = fitting
            .max_by(|(_, a), (_, b)| a.quoted.cmp(&b.quoted).then(a.worth().total_cmp(&b.worth())));
        if let Some(number) = best.map(|(number, _)| number) {
            take(places, &mut picked, (place, number), &mut shown);
        }
    }
    loop {
        // The clauses of one sentence share a line, so that there may be room left.
        let spent: Cost = picked.iter().map(|picked| cost(&joined(picked))).sum();
        let mut left = budget - spent;
        let mut none = true;
        while let Some((place, number)) = best(places, left) {
            left = left - places[place].0[number].cost;
            take(places, &mut picked, (place, number), &mut shown);
            none = false;
        }
        if none {
            break;
        }
    }
    let at = |picked: &[Offer]| picked.first().map_or(0, |best| best.at);
    picked.iter().map(|picked| Excerpt { text: joined(picked), at: at(picked) }).collect()
}

/// Raises the value of sentences whose words are in what answers in other places.
fn count_across(places: &mut [Offers]) {
    // For each word the best sentence that has it, by place.
    let mut best: HashMap<u64, Vec<(usize, f32)>, Hashed> = HashMap::default();
    let mut most = f32::MIN_POSITIVE;
    for (number, place) in places.iter().enumerate() {
        for offer in &place.0 {
            let worth = offer.value * price(offer.cost);
            most = most.max(worth);
            for word in &offer.words {
                let places = best.entry(*word).or_default();
                match places.last_mut() {
                    Some((last, best)) if *last == number => *best = best.max(worth),
                    _ => places.push((number, worth)),
                }
            }
        }
    }
    for (number, place) in places.iter_mut().enumerate() {
        for offer in &mut place.0 {
            let places = offer.words.iter().filter_map(|word| best.get(word));
            let mut shared: Vec<f32> = places.map(|places| elsewhere(places, number)).collect();
            shared.sort_unstable_by(|a, b| b.total_cmp(a));
            let sum: f32 = shared.iter().take(usize::from(weight::SHARED)).sum();
            offer.value *= 1.0 + weight::ACROSS * sum / f32::from(weight::SHARED) / most;
        }
    }
}

/// How much a word answers in other places; less for one that is in many.
#[expect(clippy::cast_precision_loss, reason = "a handful of places")]
fn elsewhere(places: &[(usize, f32)], own: usize) -> f32 {
    let others = places.iter().filter(|(place, _)| *place != own);
    others.map(|(_, worth)| *worth).fold(0.0, f32::max) / places.len() as f32
}

/// The offer that is worth most within a cost, by its place and its number there.
fn best(places: &[Offers], most: Cost) -> Option<(usize, usize)> {
    let mut best = None;
    let mut most_value = 0.0;
    for (place, offers) in places.iter().enumerate() {
        for (number, offer) in offers.0.iter().enumerate().filter(|(_, offer)| offer.cost <= most) {
            #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
            let value = offer.value * offer.new as f32 / offer.words.len().max(1) as f32;
            if value > most_value {
                (best, most_value) = (Some((place, number)), value);
            }
        }
    }
    best
}

fn take(
    places: &mut [Offers],
    picked: &mut [Vec<Offer>],
    (place, number): (usize, usize),
    shown: &mut HashSet<u64, Hashed>,
) {
    let offer = places[place].0.remove(number);
    shown.extend(&offer.words);
    for other in places.iter_mut().flat_map(|place| &mut place.0) {
        other.new = other.words.iter().filter(|word| !shown.contains(word)).count();
    }
    picked[place].push(offer);
}

/// What a sentence costs for the choice among them: a short one is cheap, but not as cheap as it is short.
fn price(cost: Cost) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a price")]
    let tokens = cost.0 as f32 / 100.0;
    tokens.max(weight::CHEAP).powf(weight::PRICE)
}

/// The words of a text that say something, and its pairs of CJK characters, each once, as hashes.
pub(crate) fn content(text: &str) -> Vec<u64> {
    let telling = |word: &&str| word.len() > 1 && !is_common(&word.to_lowercase());
    cjk::with_pairs(word_bounds::runs(text).map(|run| &text[run]).filter(telling), text)
}

/// A sentence that has a line of its own needs no full stop.
fn without_stop(text: &str) -> &str {
    text.strip_suffix('.').filter(|rest| !rest.ends_with('.')).unwrap_or(text)
}

/// The sentences in their order, a line for each; what goes on with the one before stays on its line.
fn joined(picked: &[Offer]) -> String {
    let mut order: Vec<&Offer> = picked.iter().collect();
    order.sort_by_key(|offer| offer.index);
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for offer in order {
        match last {
            Some(last) if last + 1 == offer.index && offer.goes_on => text.push(' '),
            Some(_) => text.push('\n'),
            None => {}
        }
        text.push_str(&offer.text);
        last = Some(offer.index);
    }
    text
}
