//! What a session was about: a title of one line, in the words of whoever spoke.
//!
//! A title is a part of one sentence of a prompt, because a quotation is never wrong about what was asked and can be read in
//! any language. Which one is decided by the words that come up again: in the reply, and in the rest of the session, so that
//! small talk and an aside before the matter lose against it. Where no prompt says anything, the reply gives the title: its
//! heading, else a sentence.
//!
//! What clients call their sessions is not looked for here; it comes with the session.

mod counter;
mod part;
mod prompt;

use std::borrow::Cow;
use std::collections::HashMap;

use super::lexicon::{Class, cues};
use super::noise;
use super::passage::{unescaped, without_bullet, without_marks};
use super::script::is_cjk;
use super::sentence::sentences;
use super::session::{Session, Voice};
use super::words::telling_and_routine;
use crate::markdown::fence;
use crate::markdown::form::{Form, form, read_title};
use crate::markdown::heading::heading;
use crate::memory::entry::{self, EntryLine, EntryType};
use crate::memory::hashed::Hashed;
use crate::memory::quoted::own_words;
use crate::text::{name, single_spaced, start, without_lone_brackets};

pub(crate) use counter::only_counts;
use part::part;
use prompt::Prompt;

/// How many turns are looked at: a session that says nothing in these will not say it later.
const TURNS: usize = 60;
/// How much of each turn is looked at, in bytes.
const LENGTH: usize = 16 * 1024;

/// What somebody said at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpokenTurn<'a> {
    /// whether the person said it
    pub by_user: bool,
    /// the words, as they stand in a log or a transcript
    pub words: &'a str,
}

/// A title that turns give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Title {
    /// one line of at most 80 characters; brackets are not escaped
    pub text: String,
    /// whether it stays whatever is said behind these turns
    pub is_settled: bool,
}

/// [`of_entry`] of an entry that was not read yet: most say it in their heading, and need not be.
pub(crate) fn of_lines<'a>(topic: &'a str, lines: &[EntryLine<'a>]) -> Cow<'a, str> {
    let is_title = |line: &EntryLine<'_>| matches!(form(line.text), Some(Form::Title(_)));
    if is_subject(topic) && !lines.iter().any(is_title) {
        return readable(topic);
    }
    of_entry(topic, &Session::read(lines))
}

fn is_subject(topic: &str) -> bool {
    entry::names_a_subject(topic) && !only_counts(topic)
}

/// The title of an entry: what its block says last, else its heading, else what its turns tell. Empty where none of them
/// names a subject.
pub(crate) fn of_entry<'a>(topic: &'a str, session: &Session<'_, 'a>) -> Cow<'a, str> {
    if let Some(title) = session.title.filter(|title| !only_counts(title)) {
        return readable(title);
    }
    if is_subject(topic) {
        return readable(topic);
    }
    let mut first = None;
    let turns = session.turns.iter().filter_map(|turn| {
        let by_user = match turn.voice {
            Voice::User => true,
            Voice::Assistant => false,
            // The one who begins asks, the others answer.
            Voice::Name(name) => *first.get_or_insert(name) == name,
            Voice::Nobody => return None,
        };
        let lines: Vec<&str> = turn.lines.iter().map(|line| line.text).collect();
        Some((by_user, lines.join("\n")))
    });
    let turns: Vec<(bool, String)> = turns.take(TURNS).collect();
    let said = turns.iter().map(|(by_user, words)| SpokenTurn { by_user: *by_user, words });
    Cow::Owned(title_of(said).map(|title| title.text).unwrap_or_default())
}

fn readable(title: &str) -> Cow<'_, str> {
    match read_title(title) {
        Cow::Borrowed(title) => name(title),
        Cow::Owned(title) => Cow::Owned(name(&title).into_owned()),
    }
}

/// What a person said, and all that was said to it.
struct Exchange<'a> {
    prompt: &'a str,
    reply: String,
}

/// The title of a session, from its turns in their order. `None` where nothing in them tells what it was about.
pub(crate) fn title_of<'a>(turns: impl IntoIterator<Item = SpokenTurn<'a>>) -> Option<Title> {
    let mut exchanges: Vec<Exchange<'a>> = Vec::new();
    for said in turns.into_iter().take(TURNS) {
        let words = start(said.words, LENGTH);
        if said.by_user {
            exchanges.push(Exchange { prompt: words, reply: String::new() });
        } else if let Some(Exchange { reply, .. }) = exchanges.last_mut() {
            reply.push_str(&own_words(words));
            reply.push_str("\n\n");
        }
    }
    let echo = Echo::of(&exchanges);
    let mut best: Option<(f64, usize, String)> = None;
    // A command, and the text that its client makes of it, are one.
    let mut command = None;
    let mut place = 0;
    for (at, exchange) in exchanges.iter().enumerate() {
        let Some((worth, text)) = asked(exchange, &echo, &mut command) else { continue };
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let worth = worth / (1.0 + LATER * place as f64);
        if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
            best = Some((worth, at, text));
        }
        place += 1;
        if place == PROMPTS {
            break;
        }
    }
    let best = best.or_else(|| command.map(|text| (0.0, usize::MAX - PROMPTS, text)));
    let Some((_, at, text)) = best else {
        let told = exchanges.iter().find_map(|exchange| of_reply(&exchange.reply));
        return told.and_then(|text| tidy(&text)).map(|text| Title { text, is_settled: false });
    };
    let is_settled = at + PROMPTS < exchanges.len();
    tidy(&text).map(|text| Title { text, is_settled })
}

/// How many prompts are weighed against each other, and how much less each further one is worth. The matter comes first, or
/// soon after an aside.
const PROMPTS: usize = 8;
const LATER: f64 = 1.2;
/// What a word is worth that nothing takes up, and how much more each turn makes it that does; routine words count less.
const ALONE: f64 = 0.4;
const TAKEN_UP: f64 = 0.3;
const MOST_TURNS: u32 = 4;
const ROUTINE: f64 = 0.15;
/// The sentences of a prompt that stand later say less of what it is about.
const FURTHER: f64 = 0.12;
/// A sentence that asks for something is worth more, and one in a list, quoted or shown less.
const ASKS: f64 = 1.4;
const SHOWN: f64 = 0.6;
/// A prompt has to tell so much to give a title.
const LEAST: f64 = 0.8;

/// In how many turns of a session each word stands.
struct Echo(HashMap<u64, u32, Hashed>);

impl Echo {
    fn of(exchanges: &[Exchange<'_>]) -> Self {
        let mut turns: HashMap<u64, u32, Hashed> = HashMap::default();
        for exchange in exchanges {
            for text in [exchange.prompt, &exchange.reply] {
                for word in super::words::words(text) {
                    *turns.entry(word).or_default() += 1;
                }
            }
        }
        Self(turns)
    }

    /// What the words of a part of a prompt say of the session.
    fn worth(&self, text: &str) -> f64 {
        let (telling, routine) = telling_and_routine(text);
        let weight = |word: &u64| {
            let others = self.0.get(word).map_or(0, |turns| turns.saturating_sub(1));
            ALONE + TAKEN_UP * f64::from(others.min(MOST_TURNS))
        };
        let telling: f64 = telling.iter().map(weight).sum();
        telling + ROUTINE * routine.iter().map(weight).sum::<f64>()
    }
}

/// What a prompt asks for, and how much that says of the session; `None` where it only says that it may go on. A command waits
/// for what is said to it.
fn asked(
    exchange: &Exchange<'_>,
    echo: &Echo,
    command: &mut Option<String>,
) -> Option<(f64, String)> {
    let named = |text: String| Some((echo.worth(&text).max(LEAST) * ASKS, text));
    let prompt = match prompt::read(exchange.prompt)? {
        Prompt::Plan(text) => return named(text),
        Prompt::Command(text) => {
            let title = heading_of_reply(&exchange.reply);
            if title.is_none() && exchange.reply.trim().is_empty() {
                *command = Some(text);
                return None;
            }
            return named(title.unwrap_or(text));
        }
        Prompt::Document(own) => {
            let parts: Vec<String> = command.take().into_iter().chain(own).collect();
            let title =
                heading_of_reply(&exchange.reply).or((!parts.is_empty()).then(|| parts.join(": ")));
            return title.and_then(named);
        }
        Prompt::Said(sentences) => sentences,
    };
    let mut best: Option<(f64, String)> = None;
    for (place, sentence) in prompt.iter().enumerate() {
        let own = prompt::without_lead(sentence.text);
        let text = part(&part::with_short_paths(own), &|text| echo.worth(text));
        if telling_and_routine(&text).0.len() < 2 {
            continue;
        }
        let mut worth = echo.worth(&text);
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let further = 1.0 + FURTHER * place as f64;
        worth /= further;
        if own.len() < sentence.text.len() && cues(sentence.text).begins(Class::Lead) {
            worth *= ASKS;
        }
        if sentence.is_shown {
            worth *= SHOWN;
        }
        if worth >= LEAST && best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, text));
        }
    }
    best
}

/// A sentence of a reply that has no more blanks than this says too little.
const WORDS: usize = 3;

/// What a reply says it is about: its heading, else its first sentence that tells something.
fn of_reply(reply: &str) -> Option<String> {
    let lines: Vec<_> = fence::lines(reply).filter(|line| !line.code).collect();
    let noise = noise::of_lines(&lines, false);
    let told = lines.iter().zip(noise).filter(|(_, noise)| noise.is_none());
    let told: Vec<&str> = told.map(|(line, _)| line.text.trim()).collect();
    let says = |text: &str| telling_and_routine(text).0.len() >= 2;
    if let Some(title) = heading_of_reply(reply) {
        return Some(title);
    }
    let plain = told.iter().map(|line| without_marks(without_bullet(line)).into_owned());
    // What would read as structure is nobody's sentence.
    let mut texts = plain.filter(|line| !line.starts_with(['#', '|', '<', '\\']));
    texts.find_map(|line| {
        let is_whole =
            |text: &str| text.contains(is_cjk) || text.split_whitespace().nth(WORDS).is_some();
        let told = sentences(&line)
            .find(|text| !cues(text).begins(Class::Narration) && says(text) && is_whole(text));
        told.map(|text| part(text, &|text| f64::from(u8::from(says(text)))))
    })
}

/// The first heading of a reply at one of the two highest levels, if it says something.
fn heading_of_reply(reply: &str) -> Option<String> {
    let lines = fence::lines(reply).filter(|line| !line.code);
    let headings = lines.filter_map(|line| heading(unescaped(line.text.trim())));
    let (_, title) = headings.take(2).find(|(level, text)| *level <= 2 && !only_counts(text))?;
    let title = without_marks(title.trim_matches(['*', '#', ' '])).into_owned();
    (telling_and_routine(&title).0.len() >= 2).then_some(title)
}

fn tidy(title: &str) -> Option<String> {
    let title = single_spaced(&part::with_short_paths(title).replace("**", ""));
    let is_mark = |c: char| matches!(c, '*' | '#' | '_' | ' ' | ':' | ',' | ';' | '\\');
    let mut title = title.trim_matches(is_mark);
    // A reply may quote the heading of an entry.
    while let Some((before, word)) = title.strip_suffix(']').and_then(|t| t.rsplit_once('['))
        && EntryType::parse(word).is_some()
    {
        title = before.trim_matches(is_mark);
    }
    let cut = without_lone_brackets(&part::shortened(title));
    (cut.chars().any(char::is_alphanumeric) && !only_counts(&cut)).then_some(cut)
}
