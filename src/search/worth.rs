//! What the sentences of a section are worth as an answer.

use std::collections::HashMap;

use super::cjk;
use super::query::Query;
use super::rank::TermRarity;
use super::sentence::FoundSentence;
use super::voice::LineVoice;
use super::weights::sentence as weight;
use super::word_bounds;
use crate::meaning::lexicon::{Class, cues};
use crate::meaning::noise;
use crate::memory::hashed::Hashed;

/// How much of the question some of its terms are.
struct Share {
    weights: Vec<f32>,
    total: f32,
}

impl Share {
    fn new(query: &Query, rarity: &TermRarity) -> Self {
        let weights: Vec<f32> = query
            .terms
            .iter()
            .zip(rarity.chunk)
            .map(|(term, rarity)| if term.is_synonym { rarity * weight::SYNONYM } else { rarity })
            .collect();
        let total = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        Self { weights, total }
    }

    /// The share of the terms whose bits are set.
    fn of(&self, mut terms: u128) -> f32 {
        let mut sum = 0.0;
        while terms != 0 {
            sum += self.weights.get(terms.trailing_zeros() as usize).copied().unwrap_or(0.0);
            terms &= terms - 1;
        }
        sum / self.total
    }
}

/// The worth of each sentence: its own terms, those around it, those of what it replies to, words that stand mostly
/// beside them, and what kind of sentence it is.
pub(super) fn weigh(sentences: &[FoundSentence], query: &Query, rarity: &TermRarity) -> Vec<f32> {
    let share = Share::new(query, rarity);
    let terms: Vec<u128> = sentences.iter().map(|sentence| terms_in(sentence, query)).collect();
    let exchanges = sentences.last().map_or(0, |last| last.exchange + 1);
    let mut asked = vec![0_u128; exchanges];
    for (sentence, terms) in sentences.iter().zip(&terms) {
        if sentence.voice == LineVoice::User {
            asked[sentence.exchange] |= terms;
        }
    }
    let asked: Vec<f32> = asked.into_iter().map(|terms| share.of(terms)).collect();
    let base: Vec<f32> = sentences
        .iter()
        .enumerate()
        .map(|(at, sentence)| {
            let around = at.saturating_sub(weight::AROUND)..(at + weight::AROUND + 1);
            let around = &terms[around.start..around.end.min(terms.len())];
            // Of a time everything that was said then may be wanted.
            let said =
                matches!(sentence.voice, LineVoice::User | LineVoice::Agent | LineVoice::Entry);
            let own = if query.is_time() && said { 1.0 } else { share.of(terms[at]) };
            own + weight::NEAR * share.of(around.iter().fold(0, |all, terms| all | terms))
                + weight::ASKED * asked[sentence.exchange]
        })
        .collect();
    let related = related(sentences, &base);
    let most = related.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let replies = replies(sentences, exchanges);
    let worth = base.iter().zip(related).zip(sentences);
    worth
        .map(|((base, related), sentence)| {
            let counts = query.counts && sentence.text.contains(char::is_numeric);
            let counts = if counts { weight::NUMBER } else { 1.0 };
            let place = place(sentence, &replies);
            base * (weight::UNRELATED + related / most) * kind(sentence) * place * counts
        })
        .collect()
}

/// The turns of the first and the last reply of each exchange.
fn replies(sentences: &[FoundSentence], exchanges: usize) -> Vec<(usize, usize)> {
    let mut replies = vec![(usize::MAX, 0); exchanges];
    for sentence in sentences.iter().filter(|sentence| sentence.voice == LineVoice::Agent) {
        let (first, last) = &mut replies[sentence.exchange];
        *first = sentence.turn.min(*first);
        *last = sentence.turn;
    }
    replies
}

/// Of several replies in a row the last says what came of it.
fn place(sentence: &FoundSentence, replies: &[(usize, usize)]) -> f32 {
    let (first, last) = replies[sentence.exchange];
    match sentence.voice {
        LineVoice::Agent if sentence.turn < last => weight::EARLIER,
        LineVoice::Agent if first < last => weight::LAST,
        _ => 1.0,
    }
}

fn terms_in(sentence: &FoundSentence, query: &Query) -> u128 {
    let mut terms = 0;
    query.matcher.find(&sentence.text, &mut |hit| terms |= 1 << hit.term);
    terms
}

/// How much of the question is near the words of each sentence.
fn related(sentences: &[FoundSentence], base: &[f32]) -> Vec<f32> {
    let words: Vec<Vec<u64>> = sentences.iter().map(|sentence| words_of(&sentence.text)).collect();
    // The worth of the sentences that have a word, and their number.
    let mut near: HashMap<u64, (f32, f32), Hashed> = HashMap::default();
    for (base, words) in base.iter().zip(&words) {
        for word in words {
            let (worth, count) = near.entry(*word).or_default();
            *worth += base * base;
            *count += 1.0;
        }
    }
    let mut found: Vec<f32> = Vec::new();
    words
        .iter()
        .map(|words| {
            found.clear();
            found.extend(words.iter().filter_map(|word| near.get(word)).map(|(worth, count)| {
                // A word that is in a sentence or two alone proves little.
                worth / (count + 2.0)
            }));
            found.sort_unstable_by(|a, b| b.total_cmp(a));
            found.iter().take(weight::RELATED).sum()
        })
        .collect()
}

/// The longer words of a text, and its pairs of CJK characters, each once.
fn words_of(text: &str) -> Vec<u64> {
    let long = word_bounds::runs(text).map(|run| &text[run]).filter(|word| word.len() > 3);
    cjk::with_pairs(long, text)
}

/// A cause, a decision or a result is more of an answer than what only says what comes next, asks, or was pasted.
fn kind(sentence: &FoundSentence) -> f32 {
    let text = &sentence.text;
    let said = sentence.voice == LineVoice::Agent;
    let cues = cues(text);
    let mut factor = if cues.has(Class::Cause) {
        weight::REASON
    } else if cues.has(Class::Change) {
        weight::RESULT
    } else {
        1.0
    };
    for (is, by) in [
        (sentence.strong, weight::STRONG),
        (sentence.leads, weight::LEADS),
        (said && (cues.begins(Class::Narration) || text.ends_with(':')), weight::NARRATION),
        (sentence.code || noise::of_line(text).is_some(), weight::CODE),
        (sentence.heads, weight::HEADS),
        (text.ends_with(['?', '？']), weight::QUESTION),
    ] {
        if is {
            factor *= by;
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::super::collect::Only;
    use super::super::sentence::split;
    use super::super::terms::MOST;
    use super::*;

    /// The sentences of a section, the best answer first.
    fn ordered(section: &str, question: &str) -> Vec<(String, f32)> {
        let query = Query::parse(question, &[section], NaiveDate::MIN);
        let rarity = TermRarity { section: [1.0; MOST], chunk: [1.0; MOST] };
        let sentences = split(section, Only::default());
        let worth = weigh(&sentences, &query, &rarity);
        let mut found: Vec<_> =
            sentences.into_iter().map(|sentence| sentence.text).zip(worth).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }

    #[test]
    fn the_last_of_several_replies_counts_most() {
        let talk = "\
## Session

**User:** Why does the gauge drift?

**Assistant:** The gauge drifts with the float arm.

**Assistant:** The gauge drifts with the cable end.
";
        let found = ordered(talk, "gauge drift");
        let worth = |word: &str| found.iter().find(|(text, _)| text.contains(word)).unwrap().1;
        assert!(worth("cable") > worth("float"), "{found:?}");
        // Where there is one reply, it is next to the question as it was.
        let single = "**User:** The gauge drifts.\n\n**Assistant:** The gauge drifts.\n";
        let found = ordered(single, "gauge drift");
        let (user, reply) = (found[0].1, found[1].1);
        assert!(user < reply * 1.15 && reply < user * 1.15, "{found:?}");
    }

    #[test]
    fn a_number_answers_where_one_is_asked_for() {
        let entry = "## Queues [project]\n- queues stand along the old pool\n- 14 queues stand along the new pool\n";
        let best = |question: &str| ordered(entry, question)[0].0.clone();
        assert_eq!(
            best("how many queues stand along the pool"),
            "14 queues stand along the new pool"
        );
    }
}
