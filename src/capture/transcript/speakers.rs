//! Whose words a record holds: one table for each agent, and the one reader of texts that goes by it.
//!
//! An agent writes its own texts, and those of other agents, where it records what the person says. A table lists what
//! tells them apart: fields of a record, elements, lines. `spec/speakers.md` shows every table.

mod claude_code;
mod codex;
mod cursor;
mod editors;
mod later;
mod openclaw;
mod opencode;

use crate::capture::without_injected::without_ours;
use crate::markdown::fence::OpenFence;

pub(super) use claude_code::CLAUDE_CODE;
pub(super) use codex::CODEX;
pub(super) use cursor::CURSOR;
pub(super) use later::{CLINE, COPILOT, DROID, GEMINI, QWEN};
pub(super) use openclaw::OPENCLAW;
pub(super) use opencode::OPENCODE;

/// Whose words something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Person,
    /// the agent of this session
    Agent,
    /// an agent of another session, or one that works for this one
    AnotherAgent,
    /// the client
    Nobody,
}

/// What a row is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// a field of a record with this value; `None`: with any that has no row of its own
    Field(&'static str, Option<&'static str>),
    /// a call of a tool whose name ends so: what is in this field of its input
    Call(&'static str, &'static str),
    /// an element `<TAG …>…</TAG>` that begins a line and ends one
    Element(&'static str),
    /// of such an element what is in this one within it
    Part(&'static str, &'static str),
    /// such an element, beside which nothing in the text is the person's
    Request(&'static str),
    /// from a line that is the first to one that is the second, or to the end
    Lines(&'static str, &'static str),
    /// from a line that begins so to the end
    Rest(&'static str),
    /// a line that ends so, with the fenced text below it, or the lines up to an empty one
    Block(&'static str),
    /// of a text that begins with a heading what follows this line
    Below(&'static str),
    /// a text that begins so
    Text(&'static str),
    /// a text that says no more
    Whole(&'static str),
    /// a line that begins so
    Line(&'static str),
    /// such a line right before an element of the table, or right after one
    Beside(&'static str),
    /// a date and a time in brackets that a text begins with, with whatever else is in them
    Stamp,
    /// a sentence
    Sentence(&'static str),
    /// a word that is all of a reply, or its end
    Token(&'static str),
}

/// A row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpeakerRow {
    pub(super) sign: Sign,
    pub(super) whose: Whose,
}

const fn row(sign: Sign, whose: Whose) -> SpeakerRow {
    SpeakerRow { sign, whose }
}

/// What an agent records as whose.
#[derive(Debug)]
pub(super) struct SpeakerTable {
    /// fields of records, and calls of tools
    pub(super) records: &'static [SpeakerRow],
    /// parts of what is recorded as the person's
    pub(super) prompts: &'static [&'static [SpeakerRow]],
    /// parts of what is recorded as the agent's
    pub(super) replies: &'static [SpeakerRow],
}

/// What is said in a text that is recorded as the person's.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// in the person's words
    pub(super) words: String,
    /// by other agents
    pub(super) reports: Vec<String>,
    /// whether another agent says anything, also what is not told
    pub(super) by_another: bool,
}

impl SpeakerTable {
    /// Whose a record is by one of its fields; `None` where no row is about that field.
    pub(super) fn by_field(&self, field: &str, value: &str) -> Option<Whose> {
        let of = |wanted: Option<&str>| {
            self.records.iter().find(|row| {
                matches!(row.sign, Sign::Field(name, told) if name == field && told == wanted)
            })
        };
        of(Some(value)).or_else(|| of(None)).map(|row| row.whose)
    }

    /// The field of a tool's input that holds what is said by calling it.
    pub(super) fn said_by_calling(&self, tool: &str) -> Option<&'static str> {
        self.records.iter().find_map(|row| match row.sign {
            Sign::Call(end, field) if tool.ends_with(end) => Some(field),
            _ => None,
        })
    }

    /// What is said in a text that is recorded as the person's.
    pub(super) fn prompt(&self, recorded: &str) -> Heard {
        let mut reading = Reading { table: self, ..Reading::of(recorded) };
        reading.read();
        let mut words = match &reading.requests[..] {
            [] => std::mem::take(&mut reading.words),
            requests => requests.join("\n\n"),
        };
        for row in self.rows() {
            if let Sign::Sentence(sentence) = row.sign {
                words = without_sentence(words, sentence);
            }
        }
        let Reading { reports, by_another, .. } = reading;
        Heard { words: without_ours(&words).into_owned(), reports, by_another }
    }

    /// What the agent says in its reply.
    pub(super) fn reply(&self, recorded: &str) -> String {
        let mut words = recorded.trim().to_owned();
        for row in self.replies {
            match row.sign {
                Sign::Element(tag) if words.contains(&format!("<{tag}")) => {
                    words = without_element(&words, tag);
                }
                Sign::Token(token) => words = without_token(words, token),
                _ => {}
            }
        }
        words
    }

    /// Whether a text begins with an element of this tag, introduced or not.
    pub(super) fn leads_with(&self, tag: &str, text: &str) -> bool {
        let text = text.trim_start();
        let introduced = || self.beside(text).and_then(|_| text.split_once('\n'));
        element(tag, text).is_some()
            || introduced().is_some_and(|(_, rest)| element(tag, rest.trim_start()).is_some())
    }

    fn rows(&self) -> impl Iterator<Item = &SpeakerRow> {
        self.prompts.iter().copied().flatten()
    }

    /// The element of the table that a text begins with: its row, what is in it and what follows.
    fn element<'t>(&self, text: &'t str) -> Option<(&SpeakerRow, &'t str, &'t str)> {
        if !text.starts_with('<') {
            return None;
        }
        self.rows().find_map(|row| {
            let (Sign::Element(tag) | Sign::Part(tag, _) | Sign::Request(tag)) = row.sign else {
                return None;
            };
            let is_request = matches!(row.sign, Sign::Request(_));
            let found = if is_request { request(tag, text) } else { None };
            let (inner, behind) = found.or_else(|| element(tag, text))?;
            let ends = behind.trim_start_matches([' ', '\t']);
            let alone = ends.is_empty()
                || ends.starts_with(['\n', '\r'])
                || behind.starts_with(char::is_alphanumeric)
                || self.element(ends).is_some();
            alone.then_some((row, inner, behind))
        })
    }

    fn beside(&self, text: &str) -> Option<&SpeakerRow> {
        self.rows().find(|row| matches!(row.sign, Sign::Beside(start) if text.starts_with(start)))
    }
}

/// A text on the way through a table.
struct Reading<'t> {
    table: &'t SpeakerTable,
    rest: &'t str,
    words: String,
    requests: Vec<String>,
    reports: Vec<String>,
    by_another: bool,
    /// whether an element of the table was the last thing that was read
    behind: bool,
}

impl<'t> Reading<'t> {
    fn of(recorded: &'t str) -> Self {
        Self {
            table: &SpeakerTable { records: &[], prompts: &[], replies: &[] },
            rest: recorded.trim(),
            words: String::new(),
            requests: Vec::new(),
            reports: Vec::new(),
            by_another: false,
            behind: false,
        }
    }

    fn read(&mut self) {
        self.below_a_heading();
        let mut fence = OpenFence::default();
        while !self.rest.is_empty() {
            if !fence.is_open() && self.take() {
                continue;
            }
            let (line, rest) = line(self.rest);
            fence.line(line.trim_end());
            self.behind &= line.trim().is_empty();
            self.words.push_str(line);
            self.rest = rest;
        }
    }

    fn below_a_heading(&mut self) {
        for row in self.table.rows() {
            if let Sign::Below(heading) = row.sign
                && self.rest.starts_with('#')
                && let Some(at) = line_at(self.rest, |line| line == heading)
            {
                self.rest = line(&self.rest[at..]).1.trim_start();
            }
        }
    }

    /// Takes what the table knows from the beginning of a line. `false` where that is nothing.
    fn take(&mut self) -> bool {
        let text = self.rest.trim_start_matches([' ', '\t']);
        if let Some((row, inner, behind)) = self.table.element(text) {
            self.hear(row, inner);
            self.behind = true;
            let (blank, rest) = line(behind);
            self.rest = if blank.trim().is_empty() { rest } else { behind };
            return true;
        }
        let first = self.words.trim().is_empty();
        let (here, below) = line(text);
        let told = here.trim_end();
        let rest = self.table.rows().find_map(|row| match row.sign {
            Sign::Text(start) if first && text.starts_with(start) => Some(""),
            Sign::Whole(all) if first && text.trim_end() == all => Some(""),
            Sign::Stamp if first => stamp(text),
            Sign::Rest(start) if told.starts_with(start) => Some(""),
            Sign::Line(start) if told.starts_with(start) => Some(below),
            Sign::Beside(start) if told.starts_with(start) => {
                let introduces = self.table.element(below.trim_start()).is_some();
                (self.behind || introduces).then_some(below)
            }
            Sign::Lines(from, to) if told == from => {
                let end = line_at(below, |line| line == to);
                Some(end.map_or("", |at| line(&below[at..]).1))
            }
            Sign::Block(end) if told.ends_with(end) && !told.starts_with(['>', '`']) => {
                Some(behind_block(below))
            }
            _ => None,
        });
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn hear(&mut self, row: &SpeakerRow, inner: &str) {
        match (row.sign, row.whose) {
            (Sign::Request(_), Whose::Person) => self.requests.push(inner.trim().to_owned()),
            (_, Whose::Person) => {
                self.words.push_str(inner.trim());
                self.words.push('\n');
            }
            (Sign::Part(_, tag), Whose::AnotherAgent) => {
                let part = inner.find(&format!("<{tag}>")).map(|at| &inner[at + tag.len() + 2..]);
                let part = part.and_then(|part| part.rsplit_once(&format!("</{tag}>")));
                self.reports.extend(part.map(|(part, _)| part.trim().to_owned()));
            }
            (_, Whose::AnotherAgent) => self.by_another = true,
            _ => {}
        }
    }
}

/// The same of a request, in which a person may quote the end of one: it goes to the last end before another begins.
fn request<'t>(tag: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
    let (begins, ends) = (format!("\n<{tag}"), format!("</{tag}>"));
    let here = text.find(&begins).map_or(text, |at| &text[..at]);
    let end = here.rfind(&ends)?;
    let (inner, _) = element(tag, text)?;
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    Some((text.get(start..end)?, &text[end + ends.len()..]))
}

/// The element of this tag that a text begins with: what is in it, and what follows.
fn element<'t>(tag: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
    let open = text.strip_prefix('<')?.strip_prefix(tag)?;
    if !tag.ends_with('=') && !open.starts_with(['>', ' ', '\n', '\t']) {
        return None;
    }
    let (_, inner) = open.split_once('>')?;
    let name = tag.split(' ').next().unwrap_or(tag);
    inner.split_once(&format!("</{name}>"))
}

/// The first line of a text with its end, and the rest.
fn line(text: &str) -> (&str, &str) {
    text.split_at(text.find('\n').map_or(text.len(), |at| at + 1))
}

/// Where the first line begins that is wanted.
fn line_at(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_wanted(line.trim()) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// What follows the fenced text that a text begins with, or else after its first empty line.
fn behind_block(text: &str) -> &str {
    let fenced = text.trim_start().starts_with("```");
    let end = if fenced {
        let below = text.len() - line(text.trim_start()).1.len();
        line_at(&text[below..], |line| line == "```").map(|at| below + at)
    } else {
        line_at(text, str::is_empty)
    };
    end.map_or("", |at| line(&text[at..]).1)
}

/// What follows a date and a time in brackets: `[Sat 2026-11-28 09:02 UTC] words`.
fn stamp(text: &str) -> Option<&str> {
    let (inner, rest) = text.strip_prefix('[')?.split_once(']')?;
    let digits = |word: &str, shape: &str| {
        let of = |c: char| if c.is_ascii_digit() { '0' } else { c };
        word.chars().take(shape.len()).map(of).eq(shape.chars())
    };
    let mut words = inner.split([' ', 'T']);
    words.find(|word| word.len() == 10 && digits(word, "0000-00-00"))?;
    words.next().filter(|word| digits(word, "00:00"))?;
    (!inner.contains('\n')).then(|| rest.trim_start_matches(' '))
}

/// A text without a sentence, wherever it stands; `'` may be written as `’`.
fn without_sentence(words: String, sentence: &str) -> String {
    [sentence.to_owned(), sentence.replace('\'', "\u{2019}")].iter().fold(words, |words, it| {
        let Some(at) = words.find(it.as_str()) else { return words };
        let (before, behind) = (words[..at].trim_end_matches(' '), &words[at + it.len()..]);
        [before, behind].concat().trim().to_owned()
    })
}

/// A reply without the elements of a tag that begin a line outside code.
fn without_element(words: &str, tag: &str) -> String {
    let (mut kept, mut rest) = (String::new(), words);
    let mut fence = OpenFence::default();
    while !rest.is_empty() {
        let found = element(tag, rest.trim_start_matches([' ', '\t'])).filter(|_| !fence.is_open());
        if let Some((_, behind)) = found {
            rest = behind.trim_start();
            continue;
        }
        let (here, below) = line(rest);
        fence.line(here.trim_end());
        kept.push_str(here);
        rest = below;
    }
    kept.trim().to_owned()
}

/// A reply without a token that is all of it, or its end.
fn without_token(words: String, token: &str) -> String {
    let is_edge = |c: char| c.is_ascii_punctuation() && c != '_';
    if words.trim_matches(|c: char| c.is_whitespace() || is_edge(c)) == token {
        return String::new();
    }
    let before = words.trim_end_matches(['*', '`']).strip_suffix(token);
    match before.filter(|before| before.ends_with([' ', '\n', '*', '`'])) {
        Some(before) => before.trim_end_matches(['*', '`']).trim_end().to_owned(),
        None => words,
    }
}

#[cfg(test)]
mod tests;
