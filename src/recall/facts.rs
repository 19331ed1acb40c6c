//! What the facts of nodes say about a prompt.

use chrono::NaiveDate;

use super::Found;
use super::line::{ROOM, shortened};
use super::scale::Scale;
use crate::meaning::facts::{Fact, FactCache, FactKind, FactOrigin, Subject};
use crate::memory::period::Period;
use crate::search::Query;

/// A fact of a model, a person or an entry counts more than what an extract marks.
const WRITTEN: f32 = 1.25;
/// So many are cut to what is about the prompt, and judged by that.
const CUT: usize = 60;

/// One fact where it stands, with the terms of the prompt that it and its topic have.
pub(crate) struct Stated<'a, S> {
    pub(crate) period: Period,
    pub(crate) subject: &'a Subject<S>,
    pub(crate) fact: &'a Fact<S>,
    terms: u128,
}

impl<S> Stated<'_, S> {
    /// The day it is of.
    pub(crate) fn day(&self) -> NaiveDate {
        day_of(self.period, self.fact)
    }
}

/// The day that a fact is of, the last one it names.
pub(crate) fn day_of<S>(period: Period, fact: &Fact<S>) -> NaiveDate {
    let named = fact.days.iter().max().and_then(|day| NaiveDate::from_num_days_from_ce_opt(*day));
    named.unwrap_or_else(|| *period.days().end())
}

/// Every fact, and the terms of every text that tells how rare a term is: of facts, and of sessions by their words.
pub(crate) fn all<'a, S: AsRef<str>>(
    cache: &'a FactCache<S>,
    query: &Query,
) -> (Vec<Stated<'a, S>>, Vec<u128>) {
    let (mut stated, mut texts) = (Vec::new(), Vec::new());
    for (period, subjects) in cache.nodes() {
        for subject in subjects {
            let topic = query.terms_in(subject.topic.as_ref());
            for fact in &subject.facts {
                let terms = topic | query.terms_in(fact.text.as_ref());
                texts.push(terms);
                stated.push(Stated { period, subject, fact, terms });
            }
            if subject.facts.is_empty() {
                let of = |word: &S| query.terms_in(word.as_ref());
                let words = subject.words.iter().fold(topic, |all, word| all | of(word));
                texts.push(words);
            }
        }
    }
    (stated, texts)
}

/// Those that may be about the prompt, each judged by what of it would be shown.
pub(crate) fn about<S: AsRef<str>>(
    stated: &[Stated<'_, S>],
    query: &Query,
    scale: &Scale,
) -> Vec<Found> {
    let mut ranked: Vec<(f32, &Stated<'_, S>)> = stated
        .iter()
        .filter(|it| it.terms != 0 && !it.subject.done)
        .map(|it| (scale.worth(it.terms), it))
        .collect();
    let order = |a: &(f32, &Stated<'_, S>), b: &(f32, &Stated<'_, S>)| {
        b.0.total_cmp(&a.0)
            .then(b.1.period.cmp(&a.1.period))
            .then(a.1.fact.line.cmp(&b.1.fact.line))
    };
    if ranked.len() > CUT {
        ranked.select_nth_unstable_by(CUT, order);
        ranked.truncate(CUT);
    }
    ranked.sort_by(order);
    ranked
        .into_iter()
        .map(|(_, it)| {
            let Stated { subject, fact, .. } = it;
            let shown = shortened(fact.text.as_ref(), ROOM, query, scale);
            let terms = query.terms_in(subject.topic.as_ref()) | query.terms_in(&shown);
            let about = scale.about(terms);
            let is_written = subject.origin != FactOrigin::Session;
            let factor = if is_written { WRITTEN } else { 1.0 } * of_kind(fact.kind);
            Found {
                day: it.day(),
                kind: fact.kind.word(),
                from: subject.origin.word(),
                topic: subject.topic.as_ref().to_owned(),
                text: fact.text.as_ref().to_owned(),
                shown,
                about,
                score: about * factor,
            }
        })
        .collect()
}

/// What was decided changes what is done; what was finished seldom does.
fn of_kind(kind: FactKind) -> f32 {
    match kind {
        FactKind::Rule | FactKind::Decision => 1.2,
        FactKind::Lesson | FactKind::Reference => 1.0,
        FactKind::Open => 0.85,
        FactKind::Done => 0.7,
    }
}
