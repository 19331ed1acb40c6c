//! The part of a sentence that fits into a title.

use std::borrow::Cow;

use crate::meaning::lexicon::is_common;
use crate::meaning::words::words;

/// The most characters of a title.
const LIMIT: usize = 80;
/// The shortest part of a sentence that a comma may end.
const SHORTEST_PART: usize = 45;
/// A part that does not begin where the sentence does has to say so much more.
const INSIDE: f64 = 0.65;

/// The part that fits into a title and is worth most. One that begins where the sentence does reads better, so another
/// has to be worth much more.
pub(super) fn part(sentence: &str, worth: &dyn Fn(&str) -> f64) -> String {
    let sentence = sentence.trim_end_matches(['.', '。', ' ', ',', ';', ':', '?', '？']);
    if sentence.chars().count() <= LIMIT {
        return sentence.to_owned();
    }
    let begins = sentence.match_indices([',', ':', '(', '、', '，', ';']);
    let begins = begins.map(|(at, mark)| at + mark.len());
    let mut best: Option<(f64, &str)> = None;
    for from in std::iter::once(0).chain(begins) {
        let rest = sentence[from..].trim_start();
        let part = ended_well(&rest[..fitting(rest)]);
        let worth = worth(part) * if from == 0 { 1.0 } else { INSIDE };
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, part));
        }
    }
    best.map_or_else(String::new, |(_, part)| part.to_owned())
}

/// How much of a text fits, cut between words where it has blanks.
fn fitting(text: &str) -> usize {
    let Some((end, _)) = text.char_indices().nth(LIMIT) else { return text.len() };
    let gap = text[..end].rfind([' ', '、', '，', '。']);
    gap.filter(|at| at * 2 > end).unwrap_or(end)
}

/// Without the words at the end that lead to what was cut off.
fn ended_well(part: &str) -> &str {
    let mut end = part;
    while let Some((before, last)) = end.rsplit_once(' ') {
        if !words(last).is_empty() {
            break;
        }
        end = before;
    }
    let end = end.trim_end_matches([' ', ',', '.', ';', ':', '(', '、', '，']);
    let comma =
        [", ", " (", ". ", "? ", "、", "，"].iter().filter_map(|mark| end.rfind(mark)).max();
    match comma {
        Some(at) if end[..at].chars().count() >= SHORTEST_PART => &end[..at],
        _ => end,
    }
}

/// As much of a text as fits, cut where a word ends if there are blanks.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().count() <= LIMIT {
        return text.to_owned();
    }
    text[..fitting(text)].trim_end_matches([' ', ',', '.', ';', ':', '(', '-', '—']).to_owned()
}

/// Paths longer than this are shown by their last part.
const LONG_PATH: usize = 40;

/// A text whose long paths and addresses are shown by their last part, without marks of images and of what was
/// redacted.
pub(super) fn with_short_paths(text: &str) -> String {
    let mut kept = text.to_owned();
    for mark in ["[Image", "[image", "[Pasted text", "[REDACTED"] {
        while let Some(at) = kept.find(mark) {
            let Some(end) = kept[at..].find(']') else { break };
            kept.replace_range(at..=at + end, "");
        }
    }
    let tokens: Vec<Cow<'_, str>> = kept.split_whitespace().map(short_path).collect();
    tokens.join(" ")
}

fn short_path(token: &str) -> Cow<'_, str> {
    let is_mark = |c: char| "\"'`(),;:!?<>".contains(c);
    let core = token.trim_matches(is_mark).trim_end_matches('.');
    let is_address = core.contains("://");
    let is_absolute = core.starts_with(['/', '~', '@']) && core.matches('/').count() > 1;
    // `and/or` and `he/she` are none.
    let is_path = core.contains(['/', '\\'])
        && core.len() > 3
        && !core.split('/').any(|part| is_common(&part.to_lowercase()));
    if !is_path || !(is_address || is_absolute || core.len() > LONG_PATH) {
        return Cow::Borrowed(token);
    }
    let mut parts = core.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or(core);
    let kind =
        parts.next().filter(|_| is_address && last.bytes().all(|byte| byte.is_ascii_digit()));
    let shown = kind.map_or_else(|| last.to_owned(), |kind| format!("{kind}/{last}"));
    Cow::Owned(token.replace(core, &shown))
}
