//! What a person's turn decides about the reply before it: a proposal is settled, or turned down.
//!
//! Only what is sure is told: a wrong decision is worse than none.

use bumpalo::Bump;

use super::lexicon::{Class, cues, is_go_ahead};
use super::line_label::LineLabel;
use super::noise;
use super::passage::{unescaped, without_bullet, without_marks};
use super::sentence::{pieces, sentences};
use super::session::Turn;
use super::words::words;

/// What was decided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verdict<'a> {
    /// [`LineLabel::Decision`] or [`LineLabel::TurnedDown`]
    pub(crate) label: LineLabel,
    /// what it is about, with the person's words after it; `None` where these say it themselves
    pub(crate) text: Option<&'a str>,
    /// the sentence of the reply that it is about
    pub(crate) proposal: &'a str,
}

/// A person who says more than this in a turn goes on to something else, in characters.
const LONG: usize = 400;
/// A proposal of fewer words says nothing by itself, and a person's words that share fewer with it may be about
/// anything.
const WORDS: usize = 4;
const SHARED: usize = 2;
/// So much of what a person says is quoted, in characters.
const QUOTE: usize = 90;
/// Proposals are in so many of the last lines of a reply.
const LAST: usize = 14;

/// What a person's turn decides about a reply, if anything.
pub(crate) fn verdict<'a>(
    reply: &Turn<'_, 'a>,
    next: &Turn<'_, 'a>,
    arena: &'a Bump,
) -> Option<Verdict<'a>> {
    let answer = answer(next)?;
    let first = sentences(&answer).next()?;
    let second = sentences(&answer).nth(1).unwrap_or_default();
    if [first, second].iter().any(|text| text.contains(['?', '？'])) {
        return None;
    }
    let (lines, proposals) = proposals(reply);
    let said = cues(first);
    if let Some(key) = option_named(&answer) {
        let option = lines.iter().find(|line| is_option(line, key))?;
        return Some(composed(LineLabel::Decision, option, &answer, arena));
    }
    let latest = proposals.first();
    if is_go_ahead(first) && !said.begins(Class::Refuse) {
        return latest.map(|latest| composed(LineLabel::Decision, latest, &answer, arena));
    }
    let own = words(&answer);
    let shared = |text: &str| words(text).iter().filter(|word| own.contains(word)).count();
    if said.begins(Class::Refuse) {
        // Somebody who quotes something refuses what they quote. Else a bare `no` is about the last proposal, and any other
        // refusal about one that it speaks of.
        if answer.contains(['"', '“', '„', '«', '「']) {
            return None;
        }
        let is_bare = first.split(',').next().is_some_and(is_go_ahead);
        let of_it = proposals.iter().find(|text| shared(text) >= SHARED);
        let refused = of_it.or(latest.filter(|_| is_bare))?;
        return Some(composed(LineLabel::TurnedDown, refused, &answer, arena));
    }
    let takes = said.has(Class::Choose) && own.len() >= SHARED;
    let of_it = lines.iter().any(|line| shared(line) >= SHARED);
    let replaced =
        latest.filter(|latest| takes && said.begins(Class::Choose) && shared(latest) == 0);
    if let Some(replaced) = replaced.filter(|_| !of_it) {
        return Some(composed(LineLabel::TurnedDown, replaced, &answer, arena));
    }
    (takes && of_it).then_some(Verdict { label: LineLabel::Decision, text: None, proposal: "" })
}

/// A proposal with what the person said to it.
fn composed<'a>(label: LineLabel, proposal: &str, answer: &str, arena: &'a Bump) -> Verdict<'a> {
    let quote = pieces(answer, QUOTE).next().unwrap_or_default();
    let mark = if quote.len() < answer.len() { " …" } else { "" };
    let behind = format!(" (user: \"{}{mark}\")", quote.replace('"', "'"));
    let room = label.room() - behind.chars().count();
    let mut cut = pieces(proposal, room - 2);
    let mut text = cut.next().unwrap_or_default().to_owned();
    if cut.next().is_some() {
        text.push_str(" …");
    }
    text.push_str(&behind);
    Verdict { label, text: Some(arena.alloc_str(&text)), proposal: arena.alloc_str(proposal) }
}

/// What a person says in a turn, where it is short and all their own.
fn answer(turn: &Turn<'_, '_>) -> Option<String> {
    let noise = noise::of_lines(&turn.lines, true);
    if turn.lines.iter().any(|line| line.code) || noise.iter().any(Option::is_some) {
        return None;
    }
    let lines = turn.lines.iter().map(|line| unescaped(line.text.trim()));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let text = without_marks(&lines.join(" ")).into_owned();
    (turn.voice.is_person() && !text.starts_with(['/', '<', '"']) && text.chars().count() <= LONG)
        .then_some(text)
}

/// The last lines of a reply, without marks, and those of their sentences that propose something; the last first.
fn proposals(reply: &Turn<'_, '_>) -> (Vec<String>, Vec<String>) {
    let lines = reply.lines.iter().rev().filter(|line| !line.code && !line.text.trim().is_empty());
    let plain =
        lines.map(|line| without_marks(without_bullet(unescaped(line.text.trim()))).into_owned());
    let is_own = |line: &String| !line.starts_with(['>', '|', '[', '<']);
    let lines: Vec<String> = plain.filter(is_own).take(LAST).collect();
    let proposes = |text: &&str| cues(text).has(Class::Propose) && words(text).len() >= WORDS;
    let mut found = Vec::new();
    for line in &lines {
        let all: Vec<&str> = sentences(line).filter(proposes).collect();
        found.extend(all.into_iter().rev().map(str::to_owned));
    }
    (lines, found)
}

/// The one option that an answer names: `B`, `option 2`, `yes, 1`.
fn option_named(answer: &str) -> Option<char> {
    /// In a longer answer a letter or a number may be anything.
    const FEW: usize = 8;
    let tokens: Vec<&str> = answer
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|token| !token.is_empty())
        .collect();
    let named = |at: usize| at > 0 && tokens[at - 1].eq_ignore_ascii_case("option");
    // `fix 4` and `proceed through step 5` name no option.
    let is_alone = |at: usize| {
        let others = tokens.iter().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, token)| *token).all(is_go_ahead)
    };
    let is_key = |at: usize| match tokens[at].as_bytes() {
        [b'A'..=b'D'] => tokens.len() <= FEW || named(at),
        [b'1'..=b'9'] => named(at) || is_alone(at),
        _ => false,
    };
    let keys = (0..tokens.len()).filter(|at| is_key(*at));
    let keys: Vec<&str> = keys.map(|at| tokens[at]).collect();
    match keys[..] {
        [key] => key.chars().next(),
        _ => None,
    }
}

/// Whether a line says what an option is: `Option B: …`, `B) …`, `(2) …`.
fn is_option(line: &str, key: char) -> bool {
    let text = line.trim_start_matches(['(', '*', '#', ' ']);
    let is_word = text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("option"));
    let text = if is_word { text[6..].trim_start() } else { text };
    let rest = text.strip_prefix(key);
    rest.is_some_and(|rest| {
        let is_set_off =
            rest.starts_with([')', '.', ':', ' ']) && (is_word || !rest.starts_with(' '));
        is_set_off && words(rest).len() >= SHARED
    })
}
