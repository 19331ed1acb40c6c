//! Who speaks in a line of a log.

use crate::markdown::form::{Form, form};
use crate::markdown::{heading, label, lead, marker};

/// Whose words a line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineVoice {
    User,
    Agent,
    /// an entry's, or somebody's in a talk without labels that are known
    Entry,
    /// what was noted about a session: its title, the client's summary, files, commits
    Note,
    /// of no person and no model: markers, counts of tools
    Nobody,
}

/// Whose words are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// the person's in sessions
    User,
    /// the model's: its replies and its entries
    Agent,
}

const USER: [&str; 3] = ["User", "Human", "Me"];
const AGENT: [&str; 8] =
    ["Assistant", "AI", "Agent", "Claude", "Codex", "ChatGPT", "Gemini", "Model"];

/// How a line begins that is a label or says something about a session.
const BEGINNINGS: &[u8] = b"*[UHMACG";

/// Reads a text line by line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voices {
    speaker: LineVoice,
}

impl Voices {
    /// Before the first line of a section.
    pub(super) fn new() -> Self {
        Self { speaker: LineVoice::Entry }
    }

    /// Whose words the next line has, and where in it they begin.
    pub(super) fn line(&mut self, line: &str) -> (LineVoice, usize) {
        match line.as_bytes().first() {
            Some(b'#') if heading::entry(line).is_some() => self.speaker = LineVoice::Entry,
            Some(b'<' | 0xef) if lead::without_bom(line).starts_with(marker::MARKER) => {
                return (LineVoice::Nobody, line.len());
            }
            _ => {}
        }
        // Asked of every line of a place, so the usual answer comes first.
        if !line.as_bytes().first().is_some_and(|byte| BEGINNINGS.contains(byte)) {
            return (self.speaker, 0);
        }
        match form(line) {
            Some(Form::Tools(_) | Form::Cut(_)) => return (LineVoice::Nobody, line.len()),
            Some(Form::Summary(words)) => {
                // What is below it, up to the next label, belongs to it.
                self.speaker = LineVoice::Note;
                return (LineVoice::Note, offset(line, words));
            }
            Some(
                Form::Title(words) | Form::Files(words) | Form::Commit(words) | Form::Branch(words),
            ) => return (LineVoice::Note, offset(line, words)),
            None => {}
        }
        let Some((name, words)) = label::named(line) else { return (self.speaker, 0) };
        self.speaker = if USER.contains(&name) {
            LineVoice::User
        } else if AGENT.contains(&name) {
            LineVoice::Agent
        } else {
            return (self.speaker, 0);
        };
        (self.speaker, offset(line, words))
    }
}

fn offset(line: &str, part: &str) -> usize {
    (part.as_ptr().addr()).saturating_sub(line.as_ptr().addr()).min(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_one_of_the_beginnings() {
        for name in USER.iter().chain(&AGENT) {
            assert!(BEGINNINGS.contains(&name.as_bytes()[0]), "{name}");
        }
    }

    #[test]
    fn a_label_holds_until_the_next() {
        let mut voices = Voices::new();
        let mut check = |line: &str, expect: LineVoice, words: &str| {
            let (voice, from) = voices.line(line);
            assert_eq!((voice, &line[from..]), (expect, words), "{line}");
        };
        check("- decision: x", LineVoice::Entry, "- decision: x");
        check("**User:** why?", LineVoice::User, " why?");
        check("more", LineVoice::User, "more");
        check("Assistant: because", LineVoice::Agent, " because");
        check("Note: this", LineVoice::Agent, "Note: this");
        check("[tools: Bash ×3]", LineVoice::Nobody, "");
        check("[files: src/a.rs]", LineVoice::Note, "src/a.rs]");
        check("still", LineVoice::Agent, "still");
        check("**Summary:** what was done", LineVoice::Note, "what was done");
        check("more of it", LineVoice::Note, "more of it");
        check("<!-- hipocampus:end s 3 -->", LineVoice::Nobody, "");
        check("## Entry [user]", LineVoice::Entry, "## Entry [user]");
        check("- x", LineVoice::Entry, "- x");
    }
}
