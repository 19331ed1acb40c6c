//! The turns of an entry, and what its block says beside them.

use std::borrow::Cow;

use super::speakers::Speakers;
use crate::markdown::block::Blocks;
use crate::markdown::form::{Form, form, items};
use crate::markdown::label::{self, Speaker};
use crate::markdown::marker::MARKER;
use crate::memory::entry::EntryLine;
use crate::memory::quoted::Quoted;

/// Everything an entry holds, by who said it.
#[derive(Debug, Default)]
pub(crate) struct Sitting<'l, 'a> {
    /// a conversation, captured or written down
    pub(crate) is_talk: bool,
    /// the title that was learnt last, where one stands in a block
    pub(crate) title: Option<&'a str>,
    /// the last summary its client wrote
    pub(crate) summary: Vec<EntryLine<'a>>,
    /// in order
    pub(crate) turns: Vec<Turn<'l, 'a>>,
    /// paths of changed files, each once
    pub(crate) files: Vec<&'a str>,
    /// subjects of commits, each once
    pub(crate) commits: Vec<&'a str>,
}

/// What somebody said at once.
#[derive(Debug)]
pub(crate) struct Turn<'l, 'a> {
    pub(crate) voice: Voice<'a>,
    pub(crate) lines: Cow<'l, [EntryLine<'a>]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice<'a> {
    User,
    Assistant,
    /// somebody by name
    Name(&'a str),
    /// notes that nobody in particular says
    Nobody,
}

impl Voice<'_> {
    /// Whether a person speaks.
    pub(crate) fn is_person(self) -> bool {
        matches!(self, Voice::User | Voice::Name(_))
    }
}

pub(crate) fn read<'l, 'a>(lines: &'l [EntryLine<'a>]) -> Sitting<'l, 'a> {
    Sitting::default().again(lines)
}

impl Sitting<'_, '_> {
    /// Nothing, with room for as many turns.
    pub(crate) fn emptied<'l, 'a>(mut self) -> Sitting<'l, 'a> {
        self.turns.clear();
        let turns = self.turns.into_iter().map_while(|_| None).collect();
        Sitting { turns, ..Sitting::default() }
    }

    /// What other lines hold, in the room of this one's turns.
    pub(crate) fn again<'l, 'a>(self, lines: &'l [EntryLine<'a>]) -> Sitting<'l, 'a> {
        let mut blocks = Blocks::before(lines.iter().map(|line| line.text));
        let speakers = Speakers::of(lines, blocks);
        let mut sitting: Sitting<'l, 'a> = self.emptied();
        let mut in_summary = false;
        let mut quoted = Quoted::default();
        // Where the turn begins that is going on, as long as it is lines next to each other.
        let mut begun = 0;
        for (at, line) in lines.iter().enumerate() {
            let spoken = blocks.holds(line.text);
            sitting.is_talk |= spoken || speakers != Speakers::None;
            if line.text.starts_with(MARKER) || (!line.code && line.text.starts_with("<!--")) {
                in_summary = false;
                continue;
            }
            if !line.code
                && let Some(form) = form(line.text)
            {
                in_summary = matches!(form, Form::Summary(_));
                sitting.note(form);
                continue;
            }
            let begins = match (line.code, spoken) {
                (true, _) => None,
                (false, true) => label::written(line.text).map(|(speaker, text)| match speaker {
                    Speaker::User => (Voice::User, text),
                    Speaker::Assistant => (Voice::Assistant, text),
                }),
                (false, false) => speakers.begin(line.text).map(|(name, text)| match name {
                    "User" => (Voice::User, text),
                    "Assistant" => (Voice::Assistant, text),
                    name => (Voice::Name(name), text),
                }),
            };
            let by_agent = |voice: Option<Voice<'_>>| spoken && voice == Some(Voice::Assistant);
            match begins {
                Some((voice, text)) => {
                    in_summary = false;
                    quoted = Quoted::default();
                    let is_own = !by_agent(Some(voice)) || !quoted.holds(text);
                    let text = if is_own { text } else { "" };
                    sitting
                        .turns
                        .push(Turn { voice, lines: vec![EntryLine { text, code: false }].into() });
                }
                None if in_summary => sitting.summary.push(*line),
                None if !line.code
                    && by_agent(sitting.turns.last().map(|turn| turn.voice))
                    && quoted.holds(line.text) => {}
                None => {
                    if sitting.turns.is_empty() {
                        begun = at;
                        sitting
                            .turns
                            .push(Turn { voice: Voice::Nobody, lines: Cow::Borrowed(&[]) });
                    }
                    match sitting.turns.last_mut().map(|turn| &mut turn.lines) {
                        Some(Cow::Borrowed(own)) if begun + own.len() == at => {
                            *own = &lines[begun..=at];
                        }
                        own => own.into_iter().for_each(|own| own.to_mut().push(*line)),
                    }
                }
            }
        }
        sitting
    }
}

impl<'a> Sitting<'_, 'a> {
    fn note(&mut self, form: Form<'a>) {
        let add = |list: &mut Vec<&'a str>, item: &'a str| {
            if !item.is_empty() && !list.contains(&item) {
                list.push(item);
            }
        };
        match form {
            Form::Title(title) => self.title = Some(title).filter(|title| !title.is_empty()),
            Form::Summary(text) => self.summary = vec![EntryLine { text, code: false }],
            Form::Files(list) => items(list).for_each(|file| add(&mut self.files, file)),
            Form::Commit(subject) => add(&mut self.commits, subject.trim()),
            Form::Branch(_) | Form::Tools(_) | Form::Cut(_) => {}
        }
    }
}

/// A line without the `\` that keeps it from being read as structure.
pub(super) fn unescaped(line: &str) -> Cow<'_, str> {
    match line.strip_prefix('\\') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_punctuation()) => Cow::Borrowed(rest),
        _ => Cow::Borrowed(line),
    }
}
