//! Which sentence tells most of what was asked, and which part of a long one.

use std::collections::{HashMap, HashSet};

use super::LIMIT;
use super::headings::numbers_of;
use super::paths;
use super::prose::{self, Place, Sentence};
use super::steps;
use super::words::{keys, telling, words};
use crate::memory::hashed::Hashed;

/// The shortest part of a sentence that a comma may end.
const SHORTEST_PART: usize = 45;

/// What a reply speaks of: how often each of its words stands in it.
pub(super) struct Echo(HashMap<u64, u32, Hashed>);

impl Echo {
    pub(super) fn of(reply: &str) -> Self {
        let mut said = HashMap::default();
        for key in keys(reply) {
            *said.entry(key).or_insert(0) += 1;
        }
        Self(said)
    }

    fn weight(&self, key: u64) -> f64 {
        match self.0.get(&key) {
            Some(times) => 1.0 + 0.25 * f64::from(*times.min(&4)),
            // Nothing was answered: every word may be what it is about.
            None if self.0.is_empty() => 0.8,
            None => 0.3,
        }
    }
}

/// How many words of a sentence say what it is about. A number with a `#` and a path are such words, too. Two are the
/// least that a request has; where a language's go-aheads are not known, words that the reply takes up count.
pub(super) fn strength(sentence: &str, echo: &Echo) -> f64 {
    let mut seen: HashSet<u64, Hashed> = HashSet::default();
    let mut count = 0.0;
    for word in words(&paths::without_paths(sentence)) {
        if !word.routine && seen.insert(word.key) {
            let known = word.known || echo.0.contains_key(&word.key);
            count += if known { 1.0 } else { 0.5 };
        }
    }
    let paths = sentence.split_whitespace().filter(|token| paths::is_path(token)).count();
    let numbered = sentence.split_whitespace().filter(|token| is_number(token)).count();
    #[expect(clippy::cast_precision_loss, reason = "words of one sentence")]
    let others = (numbered + paths) as f64;
    count + others
}

/// How many of the words by which a text says what it is about the reply takes up.
pub(super) fn echoed(text: &str, echo: &Echo) -> usize {
    let told: HashSet<u64, Hashed> = telling(text).collect();
    told.into_iter().filter(|key| echo.0.contains_key(key)).count()
}

/// What a sentence that only tells what was done is worth beside others.
const REPORT: f64 = 0.4;

/// What sentences are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// and which of them is the first about the matter
    Prompt(usize),
    Reply,
}

/// What the first sentence of a prompt is worth more where it leads to what is shown below, `the migration fails:`, or a
/// shorter one behind it does: `the migration fails. from the log:`.
const LEADING: f64 = 1.8;
const BEFORE_LEADING: f64 = 1.3;

/// What a sentence is worth behind which somebody comes to the matter.
const BEFORE_MATTER: f64 = 0.4;

/// Where the matter begins, if somebody comes from something shorter to it, or from how things are.
fn matter(sentences: &[Sentence<'_>]) -> usize {
    if let Some(at) = steps::wish(sentences) {
        return at;
    }
    let size = |part: &[Sentence<'_>]| part.iter().map(|one| one.text.len()).sum::<usize>();
    if let Some(at) = behind_answer(sentences) {
        return at;
    }
    let turns = sentences.iter().rposition(|sentence| prose::turn(sentence.text).is_some());
    turns.filter(|at| size(&sentences[..*at]) < size(&sentences[*at..])).unwrap_or(0)
}

/// Where a prompt that begins with the answer to an earlier question comes to something else: at the next line, as far as the
/// answer goes.
fn behind_answer(sentences: &[Sentence<'_>]) -> Option<usize> {
    let first = sentences.first().filter(|first| prose::answers_earlier(first.text))?;
    sentences.iter().position(|one| one.line > first.line)
}

/// Of a prompt the sentence, or the part of one, that tells most, and how much.
pub(super) fn best_of_prompt(prompt: &str, echo: &Echo) -> Option<(f64, String)> {
    let sentences = prose::sentences(prompt);
    best(sentences.iter(), echo, Said::Prompt(matter(&sentences)))
}

/// Whether a prompt is so long that it need not be weighed against later ones: it has several sentences that say what they are
/// about.
pub(super) fn is_long(prompt: &str) -> bool {
    const SENTENCES: usize = 4;
    let none = Echo::of("");
    let mut telling =
        prose::sentences(prompt).into_iter().filter(|one| strength(one.text, &none) >= 2.0);
    telling.nth(SENTENCES - 1).is_some()
}

/// The sentence, or the part of one, that tells most, and how much; the earlier, the better.
pub(super) fn best<'a>(
    sentences: impl Iterator<Item = &'a Sentence<'a>>,
    echo: &Echo,
    said: Said,
) -> Option<(f64, String)> {
    // What each place costs.
    let (slope, matter) = match said {
        Said::Prompt(matter) => (0.15, u32::try_from(matter).unwrap_or(u32::MAX)),
        Said::Reply => (0.05, 0),
    };
    let mut top: Option<(f64, String)> = None;
    let (mut told, mut reports) = (0, false);
    for (place, sentence) in (0_u32..).zip(sentences.take(40)) {
        let leads = sentence.introduces
            && place == 0
            && said != Said::Reply
            && !prose::points_down(sentence.text);
        let sentence = &without_introduction(sentence, echo);
        let refers = prose::refers(prose::without_lead(sentence.text));
        let reported = prose::reports(sentence.text);
        // A short one gets the first of the things behind it.
        let counts =
            sentence.text.chars().count() * 2 > LIMIT && prose::counts_things(sentence.text);
        let factors = [
            (place < matter, BEFORE_MATTER),
            (sentence.place == Place::BehindPaste, 0.5),
            (sentence.place == Place::Shown, 0.5),
            (refers, 0.6),
            (prose::only_says_where(sentence.text), 0.6),
            (leads && !counts, if sentence.introduces { LEADING } else { BEFORE_LEADING }),
            (sentence.introduces && !leads, 0.7),
            (reported, REPORT),
            (sentence.place == Place::Quote, 0.4),
            (sentence.place == Place::Item, 0.6),
            (sentence.place == Place::Choice, 0.4),
            (prose::lists(sentence.text), 0.5),
            (counts, 0.4),
            (place > 0 && prose::adds(sentence.text), 0.6),
            (prose::is_data(sentence.text), 0.5),
            (prose::turns_to_a_wish(sentence.text), 1.25),
            (prose::tells_an_aim(sentence.text), 1.4),
        ];
        let factor: f64 = factors.iter().filter(|(is, _)| *is).map(|(_, factor)| factor).product();
        let sentence = asked(sentence.text, echo);
        if strength(&sentence, echo) < 2.0 {
            continue;
        }
        let part = part(&sentence, echo);
        if strength(&part, echo) < 2.0 {
            continue;
        }
        let whole = match part == sentence {
            true => 1.15,
            // Of `when …, …` the second part is cut, and of `those …` what is said of them.
            false if prose::begins_with_circumstance(&part) || refers => 0.5,
            false => 1.0,
        };
        let score = whole * factor * score(&part, echo)
            / (1.0 + length(&part) / 120.0)
            / (1.0 + slope * f64::from(place.saturating_sub(matter)));
        told += 1;
        reports = reported;
        if top.as_ref().is_none_or(|(most, _)| score > most + 1e-9) {
            top = Some((score, part));
        }
    }
    // `Another agent implemented the parser. Please review.`: the report is all that names something.
    if let (Some((score, _)), 1, true) = (&mut top, told, reports) {
        *score /= REPORT;
    }
    top
}

/// A sentence without what leads to what it asks for.
fn asked(sentence: &str, echo: &Echo) -> String {
    let sentence = prose::without_matter(sentence);
    let whole = || paths::with_short_paths(prose::without_lead(sentence));
    let wished = steps::wished(sentence).map(prose::without_lead);
    let behind = steps::behind_preparation(sentence).or(wished).map(paths::with_short_paths);
    behind.filter(|behind| strength(behind, echo) >= 2.0).unwrap_or_else(whole)
}

/// What a prompt names that asks for nothing in words of its own: by a number, else by a path.
pub(super) fn named(prompt: &str) -> Option<String> {
    let sentences = prose::sentences(prompt);
    numbered(&sentences).or_else(|| with_path(&sentences))
}

/// The first sentence that has a path in it and says something beside; of a long one the beginning.
fn with_path(sentences: &[Sentence<'_>]) -> Option<String> {
    let mut short = sentences.iter().map(|sentence| paths::with_short_paths(sentence.text));
    let found = short.find(|text| {
        let words = text.split(' ').filter(|word| !paths::is_path(word)).count();
        words > 1 && words < text.split(' ').count()
    })?;
    Some(ended_well(&shortened(&found, LIMIT)).to_owned())
}

/// The first sentence that tells by a number what it is about, where it fits into a title: `proceed with phase 3`, not `12, 14`.
fn numbered(sentences: &[Sentence<'_>]) -> Option<String> {
    let is_number = |token: &str| {
        let plain = token.trim_end_matches(['.', ',', '!', '?']);
        plain.len() < 4
            && !plain.is_empty()
            && plain.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    };
    let mut texts = sentences.iter().map(|sentence| prose::without_lead(sentence.text));
    let found = texts.find(|text| {
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let names = |token: &str| words(token).any(|word| !word.routine);
        tokens.windows(2).any(|pair| names(pair[0]) && is_number(pair[1]))
            && text.chars().count() <= LIMIT
    });
    found.map(str::to_owned)
}

/// The numbers by which a short prompt names something: `12` and `14` of `address 12, 14`. One digit may stand for anything.
pub(super) fn numbers(prompt: &str) -> HashSet<String> {
    const SHORT: usize = 160;
    if prompt.trim().chars().count() > SHORT {
        return HashSet::new();
    }
    let sentences = prose::sentences(prompt);
    sentences.iter().flat_map(|sentence| digits(sentence.text)).map(str::to_owned).collect()
}

/// Whether a sentence has one of these numbers.
pub(super) fn has_number(sentence: &str, numbers: &HashSet<String>) -> bool {
    !numbers.is_empty() && digits(sentence).any(|number| numbers.contains(number))
}

fn digits(text: &str) -> impl Iterator<Item = &str> {
    numbers_of(text).filter(|digits| digits.len() > 1)
}

/// The first thing that a reply says it is about to do, or did, where that names something.
pub(super) fn undertaken(sentences: &[Sentence<'_>]) -> Option<String> {
    let none = Echo::of("");
    let mut told = sentences.iter().filter_map(|sentence| prose::undertaken(sentence.text));
    let names = |text: &&str| strength(text, &none) >= 1.0 && text.split(' ').count() > 2;
    told.find(names).map(|text| shortened(text, LIMIT))
}

/// How many words of paths count: a long name of a file tells no more than a short one.
const PATH_WORDS: usize = 2;

fn score(part: &str, echo: &Echo) -> f64 {
    let mut in_paths = 0;
    let mut seen: HashSet<u64, Hashed> = HashSet::default();
    let mut outside: HashSet<u64, Hashed> = HashSet::default();
    outside.extend(keys(&paths::without_paths(part)));
    let mut score = 0.0;
    for word in words(part) {
        if !seen.insert(word.key) {
            continue;
        }
        let weight = echo.weight(word.key);
        score += match (word.routine, outside.contains(&word.key)) {
            (true, _) => 0.35 * weight,
            (false, true) => weight,
            (false, false) => {
                in_paths += 1;
                if in_paths > PATH_WORDS { 0.0 } else { 0.4 * weight }
            }
        };
    }
    let numbered = part.split_whitespace().filter(|token| is_number(token)).count();
    score + 1.2 * f64::from(u32::try_from(numbered).unwrap_or(0))
}

/// The part of a sentence that fits into a title and speaks most of what the reply speaks of. One that begins where the
/// sentence does reads better, so another has to say much more.
fn part(sentence: &str, echo: &Echo) -> String {
    if sentence.chars().count() <= LIMIT {
        return sentence.to_owned();
    }
    let tokens: Vec<(usize, &str)> = sentence
        .split_whitespace()
        .map(|token| (token.as_ptr() as usize - sentence.as_ptr() as usize, token))
        .collect();
    let mut top: Option<(f64, &str)> = None;
    for (index, (start, token)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| tokens[before].1);
        let two_before = index.checked_sub(2).map_or("", |before| tokens[before].1);
        let sentence_begins = before.is_some_and(|before| prose::ends_sentence(two_before, before));
        let sets_off = before.is_none_or(|word| word.ends_with([',', ':', '(', '、', '，']));
        if !(sets_off || sentence_begins) || keys(token).next().is_none() && index > 0 {
            continue;
        }
        let ends = tokens[index..].iter().map(|(at, token)| at + token.len());
        let fits = |end: &usize| sentence[*start..*end].chars().count() <= LIMIT;
        let Some(end) = ends.take_while(fits).last() else { continue };
        let part = &sentence[*start..end];
        let begins = match index {
            0 => 1.0,
            _ if sentence_begins => 0.8,
            _ => 0.6,
        };
        let score = begins * score(part, echo);
        if top.is_none_or(|(most, _)| score > most + 1e-9) {
            top = Some((score, part));
        }
    }
    let part = top.map_or_else(|| shortened(sentence, LIMIT), |(_, part)| part.to_owned());
    ended_well(&part).to_owned()
}

/// Without the words at the end that lead to what was cut off.
pub(super) fn ended_well(part: &str) -> &str {
    let mut end = part;
    while let Some((before, last)) = end.rsplit_once(' ') {
        if keys(last).next().is_some() || last.chars().any(char::is_numeric) {
            break;
        }
        end = before;
    }
    let end = end.trim_end_matches([' ', ',', '.', ';', ':', '(', '、', '，']);
    let comma = [", ", " (", "、", "，"].iter().filter_map(|mark| end.rfind(mark)).max();
    let mut blanks = end.match_indices(' ').map(|(at, _)| at);
    let stop = blanks.rfind(|at| prose::ends_sentence_before(end, *at));
    match comma.max(stop) {
        Some(at) if end[..at].chars().count() >= SHORTEST_PART => {
            end[..at].trim_end_matches(['.', '!', '?'])
        }
        _ => end,
    }
}

/// What somebody who begins sentences without a capital says before the last of a line, where that only leads to what
/// stands below: `the import fails. from the log:`.
fn without_introduction<'a>(sentence: &Sentence<'a>, echo: &Echo) -> Sentence<'a> {
    let text = sentence.text;
    let mut blanks = text.match_indices(' ').map(|(at, _)| at).filter(|_| sentence.introduces);
    match blanks.rfind(|at| prose::ends_sentence_before(text, *at)) {
        Some(at) if strength(prose::without_lead(&text[..at]), echo) >= 2.0 => {
            let text = text[..at].trim_end_matches(['.', '!', '?']);
            Sentence { text, introduces: false, ..*sentence }
        }
        _ => *sentence,
    }
}

/// At most `limit` characters, cut where a word ends if there are blanks.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit).collect();
    let kept = match kept.rfind([' ', '、', '，', '。']) {
        Some(at) if at * 2 > kept.len() => &kept[..at],
        _ => &kept,
    };
    kept.trim_end_matches([' ', ',', '.', ';', ':', '(', '-', '—', '、', '，', '。']).to_owned()
}

/// Whether a token is the number of an issue or of a merge request: `#12`, `!12`.
pub(super) fn is_number(token: &str) -> bool {
    let digits = token.trim_start_matches(['(', '[']).strip_prefix(['#', '!']).unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
}

#[expect(clippy::cast_precision_loss, reason = "at most a line")]
fn length(text: &str) -> f64 {
    text.chars().count() as f64
}
