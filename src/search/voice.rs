//! Who speaks in a line of a log.

use crate::capture::text::MARKER;

/// Whose words a line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// the person's
    User,
    /// the model's
    Agent,
    /// an entry's, or somebody's in a talk without labels that are known
    Entry,
    /// what was noted about a turn: files, commits, a title, a summary
    Note,
    /// nobody's: markers, counts of tools
    Nobody,
}

const USER: [&str; 9] =
    ["User", "Human", "Me", "사용자", "유저", "ユーザー", "用户", "Пользователь", "Benutzer"];
const AGENT: [&str; 12] = [
    "Assistant", "AI", "Agent", "Claude", "Codex", "ChatGPT", "GPT", "Model", "Gemini", "어시스턴트",
    "助手", "Ассистент",
];
const NOTES: [&str; 4] = ["[files: ", "[commit: ", "**Title:**", "**Summary:**"];

/// Reads a text line by line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voices {
    speaker: Voice,
}

impl Voices {
    pub(super) fn new() -> Self {
        Self { speaker: Voice::Entry }
    }

    /// Whose words the next line has, and where in it they begin.
    pub(super) fn line(&mut self, line: &str) -> (Voice, usize) {
        match line.as_bytes().first() {
            Some(b'#') if line.starts_with("## ") => self.speaker = Voice::Entry,
            Some(b'<') if line.starts_with(MARKER) => return (Voice::Nobody, line.len()),
            Some(b'[') if line.starts_with("[tools: ") || line.starts_with("[cut: ") => {
                return (Voice::Nobody, line.len());
            }
            Some(b'[' | b'*') if NOTES.iter().any(|note| line.starts_with(note)) => {
                return (Voice::Note, 0);
            }
            _ => {
                if let Some((voice, from)) = label(line) {
                    self.speaker = voice;
                    return (voice, from);
                }
            }
        }
        (self.speaker, 0)
    }
}

/// The speaker that a line names, and where the words behind the label begin.
fn label(line: &str) -> Option<(Voice, usize)> {
    let bold = line.strip_prefix("**");
    let rest = bold.unwrap_or(line);
    // Asked of every line: a label is short, and begins with a letter.
    let head = rest.as_bytes().get(..40.min(rest.len()))?;
    let colon = memchr::memchr(b':', head)?;
    let name = rest.get(..colon)?;
    let voice = if USER.contains(&name) {
        Voice::User
    } else if AGENT.contains(&name) {
        Voice::Agent
    } else {
        return None;
    };
    let mut from = line.len() - rest.len() + colon + 1;
    if bold.is_some() {
        from += if line[from..].starts_with("**") { 2 } else { 0 };
    }
    Some((voice, from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_holds_until_the_next() {
        let mut voices = Voices::new();
        let mut check = |line: &str, expect: Voice, words: &str| {
            let (voice, from) = voices.line(line);
            assert_eq!((voice, &line[from..]), (expect, words), "{line}");
        };
        check("- decision: x", Voice::Entry, "- decision: x");
        check("**User:** why?", Voice::User, " why?");
        check("more", Voice::User, "more");
        check("Assistant: because", Voice::Agent, " because");
        check("Note: this", Voice::Agent, "Note: this");
        check("[tools: Bash ×3]", Voice::Nobody, "");
        check("[files: src/a.rs]", Voice::Note, "[files: src/a.rs]");
        check("still", Voice::Agent, "still");
        check("<!-- hipocampus:end s 3 -->", Voice::Nobody, "");
        check("## Entry [user]", Voice::Entry, "## Entry [user]");
        check("- x", Voice::Entry, "- x");
    }
}
