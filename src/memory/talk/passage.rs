//! Passages: stretches of what was said, as long as a line of a digest, each with its weight.

use std::borrow::Cow;
use std::sync::LazyLock;
use std::vec::Drain;

use bumpalo::Bump;
use memchr::memmem::Finder;

use super::cues::{Cue, cue, is_go_ahead, is_narration};
use super::listing::without_listings;
use super::noise::{is_field, is_frame, is_pasted};
use super::not_said::said;
use super::of_git::without_git;
use super::packer::Packer;
use super::reread;
use super::role::gives_a_part;
use super::sentences::{sentences, small_sentences};
use super::standing_rule::is_standing_rule;
use super::stress::join_stressed;
use super::terms::terms;
use super::thin::{MOST, thin};
use super::turns::{Turn, Voice, unescaped};
use super::written_rule::{names_none, written_rule};
use crate::markdown::fence;
use crate::memory::entry::EntryLine;
use crate::text::single_spaced;

/// Who says a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sayer {
    /// the user, or somebody by name
    Person,
    /// the assistant, or a note
    Other,
}

/// What a passage is for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// what a person said first in a turn
    Asked,
    /// what the last reply to it said
    Concluded,
    /// what a reply said while others were to follow
    OnTheWay,
    /// the subject of a commit
    Committed,
    Said,
}

/// A stretch of text that can stand on a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passage<'a> {
    /// one line, without Markdown around it
    pub(crate) text: &'a str,
    /// counts the turns of persons, from 0
    pub(crate) exchange: usize,
    pub(crate) sayer: Sayer,
    /// begins with the name of who says it
    pub(crate) is_named: bool,
    pub(crate) role: Role,
    /// what it tells
    pub(crate) cue: Option<Cue>,
    /// what its place and its cue make it worth, in 1/16
    pub(crate) factor: u32,
    /// how many passages its turn has; more than those of a page where it gives the assistant a part to play
    pub(crate) of: usize,
    /// its place among them, from 0
    pub(crate) place: usize,
    /// its distinct words; see [`terms`]
    pub(crate) words: &'a [u64],
    /// of one that is to stand by itself: whether a person rules it for all times, or a reply says that it wrote it down as a rule
    pub(crate) is_rule: bool,
}

impl<'a> Passage<'a> {
    /// Its exchange, and how much it says as far as it alone can tell.
    pub(crate) fn rate(&self) -> (usize, u64) {
        (self.exchange, u64::from(self.factor) * self.words.len() as u64)
    }

    /// Whether it stands in a turn as long as a document.
    pub(crate) fn is_of_document(&self) -> bool {
        self.of > PAGE
    }

    /// A list that belongs to a sitting, worth `factor`.
    pub(crate) fn note(text: &'a str, factor: u32, arena: &'a Bump) -> Self {
        Self { factor, ..Self::again(text, Role::Said, arena) }
    }

    /// A passage of a digest, read back.
    pub(crate) fn again(text: &'a str, role: Role, arena: &'a Bump) -> Self {
        let (words, cue) = reread::read(text, arena);
        let by_user = role == Role::Asked;
        let sayer = if by_user { Sayer::Person } else { Sayer::Other };
        let factor = factor(by_user, role, cue, false);
        Self {
            text,
            exchange: 0,
            sayer,
            is_named: false,
            role,
            cue,
            factor,
            of: 1,
            place: 0,
            words,
            is_rule: false,
        }
    }
}

/// Cuts turns into passages, in order. Code, traces, pasted output and go-aheads give none.
///
/// One serves many entries: a memory has tens of thousands, and each would ask for the same room.
#[derive(Debug)]
pub(crate) struct Cutter<'a> {
    packer: Packer<'a>,
    found: Vec<Passage<'a>>,
}

impl<'a> Cutter<'a> {
    /// What passages hold that is no part of the log is put into `arena`.
    pub(crate) fn new(arena: &'a Bump) -> Self {
        Self { packer: Packer::new(arena), found: Vec::new() }
    }

    /// Where it puts what is no part of the log.
    pub(crate) fn arena(&self) -> &'a Bump {
        self.packer.arena()
    }

    /// The passages of turns. Also tells how many were dropped because there were too many of them: see [`MOST`].
    pub(crate) fn passages(&mut self, turns: &[Turn<'_, 'a>]) -> (Drain<'_, Passage<'a>>, usize) {
        let dropped = self.cut(turns, None);
        (self.found.drain(..), dropped)
    }

    /// The same, each sentence by itself, and of each what is `wanted` of it, which is told whether a person says it.
    pub(super) fn sentences(
        &mut self,
        turns: &[Turn<'_, 'a>],
        wanted: for<'t> fn(&'t str, bool) -> Option<&'t str>,
    ) -> Drain<'_, Passage<'a>> {
        self.cut(turns, Some(wanted));
        self.found.drain(..)
    }

    fn cut(&mut self, turns: &[Turn<'_, 'a>], wanted: Wanted) -> usize {
        let mut dropped = 0;
        let mut exchange = 0;
        for (at, turn) in turns.iter().enumerate() {
            if at > 0 && turn.voice.is_person() {
                exchange += 1;
            }
            let last = turns.get(at + 1).is_none_or(|next| next.voice.is_person());
            let role = match turn.voice {
                Voice::User | Voice::Name(_) => Role::Asked,
                Voice::Assistant if last => Role::Concluded,
                Voice::Assistant => Role::OnTheWay,
                Voice::Nobody => Role::Said,
            };
            // What a choice by number means only the list tells that it was made from.
            let is_choice = |next: &Turn<'_, '_>| next.voice.is_person() && names_an_item(next);
            let manner = if wanted.is_some() {
                Manner::Alone
            } else if last && turns.get(at + 1).is_some_and(is_choice) {
                Manner::Numbered
            } else {
                Manner::Together
            };
            pack(turn.voice, said(turns, at), manner, &mut self.packer);
            if manner == Manner::Alone && turn.voice.is_person() {
                join_stressed(&mut self.packer);
            }
            let told = self.packer.done.len();
            // What gives the assistant a part to play says as little of the matter as a document.
            let is_part = wanted.is_some() && turn.voice.is_person() && gives_a_part(turn);
            let of = if is_part { told.max(PAGE + 1) } else { told };
            self.read_turn(turn.voice, exchange, role, of, wanted);
            if self.found.len() > 2 * MOST {
                let stay = thin(&mut self.found, MOST, Passage::rate);
                dropped += self.found.len() - stay;
                self.found.truncate(stay);
            }
        }
        dropped
    }

    /// `of` is how many passages the turn counts for.
    fn read_turn(
        &mut self,
        voice: Voice<'_>,
        exchange: usize,
        role: Role,
        of: usize,
        wanted: Wanted,
    ) {
        let person = voice.is_person();
        let count = self.packer.done.len();
        let arena = self.arena();
        let replies = matches!(voice, Voice::Assistant);
        let writes = wanted.is_some() && replies && !names_none(&self.packer.done);
        let mut told = self.packer.done.drain(..).enumerate().peekable();
        let mut last = None;
        while let Some((at, text)) = told.next() {
            let before = last.replace(text);
            let next = told.peek().map(|(_, next)| *next);
            let written = if writes { written_rule(text, before, next) } else { None };
            // Before its words are looked at, which costs more.
            let wanted_of = |text| wanted.map_or(Some(text), |wanted| wanted(text, person));
            let Some(text) = written.or_else(|| wanted_of(text)) else { continue };
            let words = terms(text, arena);
            let is_rule =
                written.is_some() || (wanted.is_some() && person && is_standing_rule(text));
            let is_short = words.len() < 2 && !(person && at == 0) && !is_rule;
            if is_short || !(person || text.contains(char::is_alphabetic)) {
                continue;
            }
            let cue = cue(text);
            let role = if person && at > 0 { Role::Said } else { role };
            let edge = at == 0 || at + 1 == count;
            let alone = factor(person, role, cue, edge);
            let factor = if person { of_document(alone, of) } else { alone };
            let sayer = if person { Sayer::Person } else { Sayer::Other };
            let is_named = matches!(voice, Voice::Name(_));
            self.found.push(Passage {
                text,
                exchange,
                sayer,
                is_named,
                role,
                cue,
                factor,
                of,
                place: at,
                words,
                is_rule,
            });
        }
    }
}

/// What is asked of a sentence that is to stand by itself.
type Wanted = Option<for<'t> fn(&'t str, bool) -> Option<&'t str>>;

/// What a passage's place and cue make of its words.
fn factor(person: bool, role: Role, cue: Option<Cue>, edge: bool) -> u32 {
    let place = match role {
        Role::Asked => 40,
        Role::Said if person => 28,
        Role::Concluded | Role::Committed => 24,
        Role::OnTheWay | Role::Said => 16,
    };
    let told = match cue {
        Some(Cue::Decision | Cue::Cause) => 24,
        Some(Cue::Change) => 22,
        Some(Cue::Open) => 19,
        None => 16,
    };
    place * told / 16 * if edge { 18 } else { 16 } / 16
}

/// Prompts of more passages than this are documents, of which each line tells less of what their person wants.
pub(super) const PAGE: usize = 15;
/// Documents of more than this are long: a line of one tells less again.
pub(super) const DOCUMENT: usize = 40;

/// What a line of a prompt is worth, which is `factor` where the prompt is short.
fn of_document(factor: u32, count: usize) -> u32 {
    if count > DOCUMENT {
        factor / 4
    } else if count > PAGE {
        factor * 5 / 8
    } else {
        factor
    }
}

/// What a line of Markdown is.
#[derive(Debug, PartialEq, Eq)]
enum Form<'a> {
    Blank,
    /// a heading: it says what the next lines are about
    Heading(Cow<'a, str>),
    Text(Cow<'a, str>),
}

/// How the sentences of a turn are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// each by itself
    Alone,
    Together,
    /// together, and the items of its lists with their numbers
    Numbered,
}

/// Puts what a turn says together.
fn pack<'a>(voice: Voice<'_>, lines: &[EntryLine<'a>], manner: Manner, packer: &mut Packer<'a>) {
    let person = voice.is_person();
    let alone = manner == Manner::Alone;
    // Figures say something below the row that names them, and nothing by themselves.
    let tells_figures = |line: &str| !person && !alone && line.trim_start().starts_with('|');
    // What a sentence announces is not told, and what stands behind that is not to be taken for it.
    let leave_out = |packer: &mut Packer<'a>| {
        let announces = |text: &&str| text.ends_with([':', '：']);
        if alone && packer.done.last().is_some_and(announces) {
            packer.done.pop();
        }
    };
    packer.begin(person);
    let mut in_code = false;
    for &EntryLine { text, code } in &*pasted_left_out(lines, person) {
        if code {
            leave_out(packer);
            if !in_code && let Some(path) = code_path(text) {
                packer.add(&format!("→ {path}"), None);
            }
            in_code = true;
            continue;
        }
        in_code = false;
        match form(text, manner) {
            Form::Blank => packer.rest(),
            Form::Heading(text) => packer.head(&text),
            Form::Text(said) if is_field(text) || (is_pasted(&said) && !tells_figures(text)) => {
                leave_out(packer);
                packer.end();
            }
            Form::Text(text) => {
                let mut tell = |sentence: &str, own: Option<&'a str>| {
                    let empty = if person { is_go_ahead(sentence) } else { is_narration(sentence) };
                    if empty {
                        return;
                    }
                    match own {
                        _ if !alone => packer.add(sentence, own),
                        Some(own) if person => {
                            packer.done.extend(small_sentences(own));
                        }
                        _ => packer.done.push(packer.kept(sentence, own)),
                    }
                };
                match &text {
                    Cow::Borrowed(text) => sentences(text).for_each(|own| tell(own, Some(own))),
                    Cow::Owned(text) => sentences(text).for_each(|said| tell(said, None)),
                }
            }
        }
    }
    packer.end();
    if let Voice::Name(name) = voice {
        let arena = packer.arena();
        for text in &mut packer.done {
            *text = arena.alloc_str(&[name, ": ", text].concat());
        }
    }
}

/// How many lines of output make a paste.
const PASTE: usize = 5;
/// How many lines before and after a paste are a person's own.
const AROUND: usize = 6;

/// The lines of a turn. Where most of a person's turn is output of a program, what lies inside it is, too, whatever it looks
/// like: the person's own words stand before and after.
pub(super) fn pasted_left_out<'l, 'a>(
    lines: &'l [EntryLine<'a>],
    person: bool,
) -> Cow<'l, [EntryLine<'a>]> {
    let lines = without_listings(without_git(lines));
    if !person || lines.len() < PASTE {
        return lines;
    }
    let is_full = |line: &EntryLine<'_>| !line.code && !line.text.trim().is_empty();
    let all = lines.iter().filter(|line| is_full(line)).count();
    let is_noise = |line: &EntryLine<'_>| is_full(line) && is_pasted(line.text);
    let noise: Vec<usize> =
        (0..lines.len()).filter(|at| all >= PASTE && is_noise(&lines[*at])).collect();
    let (&[first, .., last], false) = (&noise[..], noise.len() < PASTE || noise.len() * 2 < all)
    else {
        return lines;
    };
    let before = &lines[..first.min(AROUND)];
    let after = &lines[last + 1..];
    let around = before.iter().chain(&after[after.len().saturating_sub(AROUND)..]);
    Cow::Owned(around.copied().collect())
}

/// Whether a turn names an item of a list by its number, in a few words: `ok do it, 2`.
fn names_an_item(turn: &Turn<'_, '_>) -> bool {
    /// Longer texts have numbers of other things.
    const FEW: usize = 120;
    let mut lines = turn.lines.iter().map(|line| line.text.trim());
    let Some(text) = lines.find(|text| !text.is_empty()) else { return false };
    let bytes = text.as_bytes();
    let is_of = |at: usize| {
        let is_joined = |byte: &u8| byte.is_ascii_alphanumeric() || b".,:-%/_".contains(byte);
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        // `2.` may end a sentence, `2.5` goes on.
        let (behind, next) = (bytes.get(at + 1), bytes.get(at + 2));
        let goes_on = behind.is_some_and(|byte| match byte {
            b'.' | b',' | b':' => next.is_some_and(u8::is_ascii_alphanumeric),
            _ => is_joined(byte),
        });
        matches!(bytes[at], b'1'..=b'9') && !before.is_some_and(is_joined) && !goes_on
    };
    bytes.len() <= FEW && (0..bytes.len()).any(is_of)
}

/// Reads a line: what it says without the marks of Markdown.
fn form(line: &str, manner: Manner) -> Form<'_> {
    let text = line.trim();
    let text = match unescaped(text) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => text,
    };
    let text = text.trim_start_matches(['>', ' ']).trim();
    if text.is_empty() || is_frame(line) || is_rule(text) {
        return Form::Blank;
    }
    if let Some(rest) = text.strip_prefix('#') {
        let title = rest.trim_start_matches('#');
        if title.starts_with(' ') {
            return Form::Heading(plain(title.trim()));
        }
    }
    if text.len() < 80
        && let Some(bold) = text.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"))
        && !bold.contains("**")
    {
        return Form::Heading(plain(bold));
    }
    if let Some(row) = text.strip_prefix('|') {
        let cells = row.trim_end_matches('|').split('|').map(str::trim);
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        return Form::Text(Cow::Owned(plain(&cells.join(" — ")).into_owned()));
    }
    let text = if manner == Manner::Numbered { text } else { without_number(text) };
    Form::Text(plain(without_bullet(text)))
}

/// A line that only separates: `---`, `|---|---|`, `===`.
fn is_rule(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'|' | b':' | b' ' | b'*' | b'_' | b'~'))
}

/// A line without the mark of a list; an open box stays, since it says that something is open.
fn without_bullet(text: &str) -> &str {
    let rest = text.strip_prefix(['-', '*', '+', '•']).filter(|rest| rest.starts_with(' '));
    let Some(rest) = rest.map(str::trim_start) else { return text };
    rest.strip_prefix("[x] ").unwrap_or(rest)
}

/// A line without the number it has in a list.
fn without_number(text: &str) -> &str {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < text.len()
        && text.len() - digits.len() < 3
        && let Some(rest) = digits.strip_prefix(['.', ')'])
        && rest.starts_with(' ')
    {
        return rest.trim_start();
    }
    text
}

/// A text without the marks of emphasis and of images.
fn plain(text: &str) -> Cow<'_, str> {
    static TWO_BLANKS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("  "));
    let bytes = text.as_bytes();
    // Of most lines the first byte of none of the marks is in it.
    let marked = memchr::memchr3(b'*', b'[', b'\t', bytes).is_some()
        && (text.contains("**") || text.contains("[Image") || text.contains('\t'));
    if !marked && TWO_BLANKS.find(bytes).is_none() {
        return Cow::Borrowed(text);
    }
    let mut text = text.replace("**", "");
    while let Some(at) = text.find("[Image") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    Cow::Owned(single_spaced(&text))
}

/// `path:lines` where the line that opens a code block names a file.
pub(crate) fn code_path(line: &str) -> Option<&str> {
    fence::info(line)?.split([' ', '=', '"', '{', '}', ',']).find(|word| {
        word.contains('/') && word.rsplit('/').next().is_some_and(|name| name.contains('.'))
    })
}
