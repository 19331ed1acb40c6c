//! Counts the words of one section, what the user said apart from the rest.

use std::borrow::Cow;

use super::lexicon::{Lexicon, Shape};
use super::words;
use crate::markdown::block::Blocks;
use crate::markdown::conflict;
use crate::markdown::form::{Form, form};
use crate::markdown::label::{self, Speaker};
use crate::markdown::marker::MARKER;
use crate::memory::entry::EntryLine;
use crate::memory::talk::{Speakers, arguments, is_pasted};
use crate::memory::title::is_text_of_skill;
use crate::text::{composed, may_be_decomposed};

/// How much more a word counts that the user said or that stands in a heading.
pub(crate) const USER_WEIGHT: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    /// the stem's commonest word in the section
    pub(crate) word: u32,
    /// `8·tf_user + tf_other`; 0 for a word that is there but tells nothing of the section
    pub(crate) weight: u32,
}

/// Counters that are reused from section to section.
#[derive(Default)]
pub(crate) struct Tally {
    counts: Vec<Count>,
    by_word: Places,
    by_stem: Places,
    terms: Vec<Term>,
    sums: Vec<Sum>,
}

#[derive(Clone, Copy)]
struct Count {
    word: u32,
    user: u32,
    other: u32,
}

impl Tally {
    /// The terms of a section, in the order of their first appearance. `heading` is its topic, if it has one.
    pub(crate) fn section(
        &mut self,
        heading: Option<&str>,
        lines: &[EntryLine<'_>],
        lexicon: &mut Lexicon,
    ) -> &[Term] {
        self.counts.clear();
        self.by_word.clear();
        if let Some(heading) = heading {
            self.add(heading, By::User, lexicon);
        }
        let mut blocks = Blocks::before(lines.iter().map(|line| line.text));
        let speakers = Speakers::of(lines, blocks);
        // In a conversation with an assistant a word has to be said by both, or be a name in the code; alone it may be a
        // slip, or stand in something pasted.
        let mut both = speakers == Speakers::Assistant;
        let mut user = false;
        // Where the text of a skill ends.
        let mut skill_to = 0;
        for (at, line) in lines.iter().enumerate() {
            let spoken = blocks.holds(line.text);
            both |= spoken;
            if line.code {
                continue;
            }
            let text = if spoken {
                said(line.text, &mut user)
            } else {
                listen(speakers, line.text, &mut user)
            };
            if let Some(text) = text {
                if user && at >= skill_to && is_text_of_skill(text.trim()) {
                    skill_to = end_of_skill(speakers, lines, at);
                }
                let by = match user {
                    _ if at < skill_to || both && is_pasted(text) => By::Program,
                    true => By::User,
                    false => By::Other,
                };
                self.add(text, by, lexicon);
            }
        }
        self.terms(both, lexicon)
    }

    fn add(&mut self, text: &str, by: By, lexicon: &mut Lexicon) {
        let Self { counts, by_word, .. } = self;
        let text = if may_be_decomposed(text) { composed(text) } else { Cow::Borrowed(text) };
        words::scan(&text, lexicon, &mut |word| {
            let place = by_word.place(word, counts.len());
            if place == counts.len() {
                counts.push(Count { word, user: 0, other: 0 });
            }
            let count = &mut counts[place];
            match by {
                By::User => count.user += 1,
                By::Other => count.other += 1,
                By::Program => {}
            }
        });
    }

    fn terms(&mut self, both: bool, lexicon: &Lexicon) -> &[Term] {
        let Self { counts, by_stem, terms, sums, .. } = self;
        by_stem.clear();
        terms.clear();
        sums.clear();
        for count in counts {
            let weight = count.user * USER_WEIGHT + count.other;
            let times = count.user + count.other;
            let place = by_stem.place(lexicon.stem(count.word), terms.len());
            if place == terms.len() {
                terms.push(Term { word: count.word, weight });
                sums.push(Sum { commonest: times, user: count.user, other: count.other });
            } else {
                terms[place].weight += weight;
                let sum = &mut sums[place];
                sum.user += count.user;
                sum.other += count.other;
                if times > sum.commonest {
                    sum.commonest = times;
                    terms[place].word = count.word;
                }
            }
        }
        if both {
            for (term, sum) in terms.iter_mut().zip(sums) {
                let said_by_both = sum.user > 0 && sum.other > 0;
                let tells = said_by_both
                    // Endings differ from side to side where words are not set apart.
                    || lexicon.shape(term.word) != Shape::Word
                    || (sum.user + sum.other > 1 && is_identifier(lexicon.text(term.word)));
                if !tells {
                    term.weight = 0;
                }
            }
        }
        terms
    }
}

/// Who says a line.
#[derive(Clone, Copy)]
enum By {
    User,
    Other,
    /// it was pasted
    Program,
}

/// How often a stem was said, and its commonest word.
struct Sum {
    commonest: u32,
    user: u32,
    other: u32,
}

/// `build_dags`, `buildDAGs`, `k8s`: a name in the code rather than a word.
pub(crate) fn is_identifier(word: &str) -> bool {
    word.contains('_')
        || word.bytes().any(|byte| byte.is_ascii_digit())
        || word
            .as_bytes()
            .windows(2)
            .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
}

/// A map from numbers to places that is emptied in no time.
#[derive(Default)]
struct Places {
    round: u32,
    places: Vec<(u32, u32)>,
}

impl Places {
    fn clear(&mut self) {
        self.round += 1;
    }

    /// The place of `number`: the one it was given since the last `clear`, else `new`.
    fn place(&mut self, number: u32, new: usize) -> usize {
        let at = number as usize;
        if at >= self.places.len() {
            self.places.resize((at + 1).next_power_of_two(), (0, 0));
        }
        let (round, place) = self.places[at];
        if round == self.round {
            return place as usize;
        }
        self.places[at] = (self.round, u32::try_from(new).unwrap_or(u32::MAX));
        new
    }
}

/// What a line of a session's block says, if anything, and whether by the user.
fn said<'a>(line: &'a str, user: &mut bool) -> Option<&'a str> {
    if is_apparatus(line) {
        // The end of a turn, and where a block begins perhaps the rest of an answer.
        *user &= !line.starts_with(MARKER);
        return None;
    }
    if let Some((speaker, text)) = label::written(line) {
        *user = speaker == Speaker::User;
        return Some(text);
    }
    match form(line) {
        Some(Form::Tools(_) | Form::Cut(_)) => None,
        Some(
            Form::Title(text)
            | Form::Summary(text)
            | Form::Files(text)
            | Form::Commit(text)
            | Form::Branch(text),
        ) => {
            *user = false;
            Some(text)
        }
        None => Some(entry_text(line)),
    }
}

/// The line before which the text of a skill ends that begins in a line: where somebody speaks, or where the last line
/// stands that has what the user typed behind its name.
fn end_of_skill(speakers: Speakers, lines: &[EntryLine<'_>], at: usize) -> usize {
    let speaks = |line: &EntryLine<'_>| {
        label::written(line.text).is_some() || speakers.begin(line.text).is_some()
    };
    let behind = &lines[at + 1..];
    let turn = &behind[..behind.iter().position(speaks).unwrap_or(behind.len())];
    at + 1 + arguments(turn).unwrap_or(turn.len())
}

/// What of a line outside of blocks is said, if anything, and whether by the user.
fn listen<'a>(speakers: Speakers, line: &'a str, user: &mut bool) -> Option<&'a str> {
    if is_apparatus(line) {
        return None;
    }
    Some(match speakers.begin(line) {
        Some((name, text)) => {
            *user = name != "Assistant";
            text
        }
        None => entry_text(line),
    })
}

/// Lines that nobody wrote: our markers, tool counts, frames of a stack trace.
fn is_apparatus(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("<!--")
        || text.starts_with("[tools: ")
        || conflict::is_marker(text)
        || (text.starts_with("at ") && text.ends_with(')') && line.len() > text.len())
}

/// A bullet without its label: `- decision: …`.
fn entry_text(line: &str) -> &str {
    label(line).map_or(line, |(_, text)| text)
}

/// The longest label, in bytes.
const LABEL: usize = 24;

/// The label of a bullet and what follows it: `- how-to-apply: …`, `- user feedback: …`. At most three plain words.
pub(crate) fn label(line: &str) -> Option<(&str, &str)> {
    let bullet = line.trim_start().strip_prefix(['-', '*'])?.strip_prefix(' ')?;
    let colon = memchr::memchr(b':', &bullet.as_bytes()[..bullet.len().min(LABEL + 3)])?;
    let (label, text) = (&bullet[..colon], &bullet[colon + 1..]);
    if !text.is_empty() && !text.starts_with(' ') {
        return None;
    }
    let framed = |byte: Option<&u8>| matches!(byte, Some(b'*' | b' '));
    let ends = label.as_bytes();
    let label = if framed(ends.first()) || framed(ends.last()) {
        label.trim_matches(['*', ' '])
    } else {
        label
    };
    let plain = label.len() <= LABEL
        && if label.is_ascii() {
            label.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b' ' | b'_'))
        } else {
            label.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | ' ' | '_'))
        }
        && label.bytes().filter(|byte| *byte == b' ').count() < 3;
    plain.then(|| (label, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with their weights.
    fn check(heading: Option<&str>, text: &str, expect: &[(&str, u32)]) {
        let lines: Vec<EntryLine<'_>> =
            text.lines().map(|text| EntryLine { text, code: false }).collect();
        let mut lexicon = Lexicon::default();
        let mut tally = Tally::default();
        let terms = tally.section(heading, &lines, &mut lexicon);
        let found: Vec<(&str, u32)> =
            terms.iter().map(|term| (lexicon.text(term.word), term.weight)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn the_user_weighs_eight_times_as_much() {
        check(Some("Ledger"), "- decision: rounding ledger", &[("ledger", 9), ("rounding", 1)]);
        check(
            None,
            "**User:** ledger\nrounding\n\n**Assistant:** ledger invoices\n[tools: Bash ×3]\n",
            &[("ledger", 9), ("rounding", 0), ("invoices", 0)],
        );
        check(None, "Maria: ledger\nTom: rounding\n", &[("ledger", 8), ("rounding", 8)]);
        // What a skill says is the user's as little as the reader's.
        check(
            None,
            "**User:** Base directory for this skill: /s/tide\n\nledger\nARGUMENTS: n\nledger\nARGUMENTS: rounding\n\n**Assistant:** ledger rounding\n",
            &[
                ("base", 0),
                ("directory", 0),
                ("skill", 0),
                ("ledger", 0),
                ("arguments", 0),
                ("rounding", 9),
            ],
        );
        check(None, "Ledger: rounding\n", &[("ledger", 1), ("rounding", 1)]);
        check(
            None,
            "User: ledger\nMaria: rounding\nAssistant: fine invoices",
            &[("ledger", 0), ("maria", 0), ("rounding", 0), ("fine", 0), ("invoices", 0)],
        );
        check(None, "<!-- hipocampus:session s 0-9 -->\n    at frame (src/pool.rs:3)\n", &[]);
        check(
            None,
            "<!-- hipocampus:session s 0-9 -->\n**User:** ledger\nMaria: rounding\n\n**Assistant:** fine\nUser: invoices\n[files: pool]\n[cut: 9 more bytes]\n<!-- hipocampus:end s 9 -->\nrows\n",
            &[
                ("ledger", 0),
                ("maria", 0),
                ("rounding", 0),
                ("fine", 0),
                ("invoices", 0),
                ("pool", 0),
                ("rows", 0),
            ],
        );
        check(
            None,
            "User: build_dags of k8s\nAssistant: buildDAGs and build_dags\n$ ledger\n",
            &[("build_dags", 9), ("k8s", 0), ("buildDAGs", 0), ("ledger", 0)],
        );
        check(None, "<<<<<<< HEAD\nledger\n=======\n>>>>>>> branch\n", &[("ledger", 1)]);
    }

    #[test]
    fn the_commonest_form_stands_for_its_stem() {
        check(None, "deploys deployed deployed\n", &[("deployed", 3)]);
        check(None, "deploys deployed\n", &[("deploys", 2)]);
    }

    #[test]
    fn labels_are_taken_off() {
        assert_eq!(label("- how-to-apply: always"), Some(("how-to-apply", "always")));
        assert_eq!(label("  * **user feedback:** x"), None);
        assert_eq!(label("- 상태: 완료"), Some(("상태", "완료")));
        assert_eq!(label("- see https://example.org"), None);
        assert_eq!(label("- a far too long thing to be called a label: x"), None);
        assert_eq!(label("decision: x"), None);
    }
}
