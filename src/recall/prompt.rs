//! What of a prompt is asked about, if anything.

use crate::markdown::fence;
use crate::meaning::lexicon::{Class, Lexicon, cues, is_go_ahead};
use crate::meaning::noise;
use crate::meaning::sentence::sentences;
use crate::search::Query;
use crate::text::start;

/// Longer prompts are read up to here, in bytes.
const LONGEST: usize = 4096;
/// A prompt of fewer words that say something is about nothing in particular.
const WORDS: usize = 2;

/// The person's own words of a prompt: without code, and without what they pasted. `None` where these ask for nothing: a
/// go-ahead, or a command of the client.
pub(crate) fn asked(prompt: &str) -> Option<String> {
    let prompt = prompt.trim();
    if prompt.starts_with(['/', '!', '<']) || is_go_ahead(prompt) {
        return None;
    }
    let lines: Vec<fence::Line<'_>> = fence::lines(prompt).collect();
    let noise = noise::of_lines(&lines, true);
    let is_own = |(line, noise): &(&fence::Line<'_>, &Option<noise::Noise>)| {
        !line.code && noise.is_none() && !line.text.trim_start().starts_with('>')
    };
    let own: Vec<&str> =
        lines.iter().zip(&noise).filter(is_own).map(|(line, _)| line.text).collect();
    let own = own.join("\n");
    let own = start(&own, LONGEST).trim();
    (!own.is_empty()).then(|| own.to_owned())
}

/// The sentence of a prompt that may set a rule for good: short, no question, and it says so.
pub(crate) fn rule(asked: &str) -> Option<&str> {
    /// A longer prompt describes a task.
    const SHORT: usize = 400;
    if asked.chars().count() > SHORT {
        return None;
    }
    asked.lines().flat_map(sentences).find(|sentence| {
        let bare = Lexicon::known().behind(Class::Lead, sentence).unwrap_or(sentence);
        let says = cues(sentence).has(Class::FromNow) || cues(bare).begins(Class::Rule);
        says && !sentence.contains(['?', '？']) && !is_go_ahead(sentence)
    })
}

/// Whether a prompt has enough words to be about something.
pub(crate) fn says_enough(query: &Query) -> bool {
    let telling = query.weighted().filter(|(shown, weight)| *weight >= 1.0 && !is_number(shown));
    telling.filter(|(shown, _)| !shown.is_empty()).count() >= WORDS
}

/// Whether a word is a number alone: `fix 4` and `finding 83` name an item of a list that nobody knows.
pub(crate) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}
