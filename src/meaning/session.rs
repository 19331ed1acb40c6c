//! Reads an entry of a log into the turns of a session: who said which lines.
//!
//! An entry may be a captured session, one typed by hand (`Maria: …`), or notes that nobody in particular says.

use std::borrow::Cow;

use crate::markdown::block::Blocks;
use crate::markdown::form::{Form, form, items};
use crate::markdown::label::{self, Speaker};
use crate::markdown::marker::MARKER;
use crate::memory::entry::EntryLine;
use crate::memory::quoted::Quoted;

/// Everything an entry holds, by who said it.
#[derive(Debug, Default)]
pub(crate) struct Session<'l, 'a> {
    /// captured, or written down with names
    pub(crate) is_talk: bool,
    /// the title that was learnt last, where one is in a block
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

/// Who says a turn.
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

/// Who speaks in an entry outside of session blocks: nobody, the user and an assistant, or people by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speakers {
    None,
    Assistant,
    Names,
}

impl Speakers {
    /// Looks at the labels before the colons; `blocks` is as before the first of the lines.
    pub(crate) fn of(lines: &[EntryLine<'_>], mut blocks: Blocks) -> Self {
        let mut names = 0;
        for line in lines {
            if blocks.holds(line.text) || line.code {
                continue;
            }
            match label::named(line.text) {
                Some(("Assistant", _)) => return Self::Assistant,
                Some(("User", _)) => names += 2,
                Some(_) => names += 1,
                None => {}
            }
        }
        if names > 1 { Self::Names } else { Self::None }
    }

    /// Who begins to speak on a line, and what follows the label; `None` if the line goes on.
    pub(crate) fn begin(self, line: &str) -> Option<(&str, &str)> {
        match self {
            Self::None => None,
            Self::Assistant => {
                label::named(line).filter(|(name, _)| matches!(*name, "User" | "Assistant"))
            }
            Self::Names => label::named(line),
        }
    }
}

impl<'l, 'a> Session<'l, 'a> {
    /// What the lines of an entry hold.
    pub(crate) fn read(lines: &'l [EntryLine<'a>]) -> Self {
        let mut blocks = Blocks::before(lines.iter().map(|line| line.text));
        let speakers = Speakers::of(lines, blocks);
        let mut session = Self::default();
        let mut in_summary = false;
        let mut quoted = Quoted::default();
        // Where the turn begins that is going on, as long as it is lines next to each other.
        let mut begun = 0;
        for (at, line) in lines.iter().enumerate() {
            let spoken = blocks.holds(line.text);
            let by_agent = |voice: Option<Voice<'_>>| spoken && voice == Some(Voice::Assistant);
            session.is_talk |= spoken || speakers != Speakers::None;
            if line.text.starts_with(MARKER) || (!line.code && line.text.starts_with("<!--")) {
                in_summary = false;
                continue;
            }
            if !line.code
                && let Some(form) = form(line.text)
            {
                in_summary = matches!(form, Form::Summary(_));
                session.note(form);
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
            if let Some((voice, text)) = begins {
                in_summary = false;
                quoted = Quoted::default();
                let is_own = !by_agent(Some(voice)) || !quoted.holds(text);
                let text = if is_own { text } else { "" };
                let lines = Cow::Owned(vec![EntryLine { text, code: false }]);
                session.turns.push(Turn { voice, lines });
                continue;
            }
            if in_summary {
                session.summary.push(*line);
                continue;
            }
            let voice = session.turns.last().map(|turn| turn.voice);
            if !line.code && by_agent(voice) && quoted.holds(line.text) {
                continue;
            }
            if session.turns.is_empty() {
                begun = at;
                session.turns.push(Turn { voice: Voice::Nobody, lines: Cow::Borrowed(&[]) });
            }
            match session.turns.last_mut().map(|turn| &mut turn.lines) {
                Some(Cow::Borrowed(own)) if begun + own.len() == at => *own = &lines[begun..=at],
                own => own.into_iter().for_each(|own| own.to_mut().push(*line)),
            }
        }
        session
    }

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

/// The lines of a turn that its person says there: no text of a skill, and no prompt that is sent again, or goes on,
/// before anybody answers.
pub(crate) fn said<'t, 'a>(turns: &'t [Turn<'_, 'a>], at: usize) -> &'t [EntryLine<'a>] {
    let turn = &turns[at];
    if !turn.voice.is_person() {
        return &turn.lines;
    }
    if let Some(arguments) = arguments_of_skill(&turn.lines) {
        return arguments;
    }
    let next = turns.get(at + 1).filter(|next| next.voice == turn.voice);
    if next.is_some_and(|next| begins_with(next, turn)) { &[] } else { &turn.lines }
}

/// Clients hand over what a skill says as if the user had typed it. What they typed after its name is below all of it.
pub(crate) fn arguments_of_skill<'t, 'a>(
    lines: &'t [EntryLine<'a>],
) -> Option<&'t [EntryLine<'a>]> {
    let first = lines.iter().map(|line| line.text.trim()).find(|text| !text.is_empty())?;
    let path = first.strip_prefix("Base directory for this skill: ")?;
    if !(path.starts_with(['/', '~', '\\']) || path.as_bytes().get(1) == Some(&b':')) {
        return None;
    }
    let is_argument = |line: &EntryLine<'_>| !line.code && line.text.starts_with("ARGUMENTS:");
    Some(&lines[lines.iter().rposition(is_argument).unwrap_or(lines.len())..])
}

/// Whether a turn begins with all that another one says, the last word perhaps cut. In a few words somebody may well
/// say the same twice.
fn begins_with(turn: &Turn<'_, '_>, other: &Turn<'_, '_>) -> bool {
    /// So many characters are few words.
    const FEW: usize = 24;
    fn letters(turn: &Turn<'_, '_>) -> impl Iterator<Item = char> {
        turn.lines.iter().flat_map(|line| line.text.chars()).filter(|c| !c.is_whitespace())
    }
    let mut own = letters(turn);
    let mut count = 0;
    letters(other).all(|c| {
        count += 1;
        own.next() == Some(c)
    }) && count >= FEW
}
