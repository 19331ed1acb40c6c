//! Session blocks: the form in which a conversation stands in a raw log, and its own ledger.
//!
//! ```text
//! <!-- hipocampus:session SESSION FROM-TO -->
//! ## Session — 2026-03-15 14:02:11
//!
//! **User:** ...
//!
//! **Assistant:** ...
//! [tools: Bash ×3, Edit]
//! <!-- hipocampus:end SESSION TO -->
//! ```

use std::fmt::Write as _;

use chrono::NaiveDateTime;

use crate::capture::text::{self, ASSISTANT, MARKER, USER};
use crate::capture::transcript::Role;
use crate::markdown::escape;
use crate::markdown::form::{Form, form};
use crate::markdown::label::{self, Speaker};
pub use crate::markdown::marker::{Marker, marker};
use crate::text::counted;

/// The most bytes of words a turn keeps.
pub const TURN_LIMIT: usize = 64 * 1024;
/// The most bytes a session's name may have.
const NAME_LIMIT: usize = 128;

/// A turn, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// who speaks
    pub role: Role,
    /// the words, redacted and escaped
    pub text: String,
    /// how many bytes of them were left out
    pub cut: u64,
    /// the tools called and how often, in the order of their first call
    pub tools: Vec<(String, u32)>,
    /// whether the beginning of the turn was written by an earlier run
    pub continues: bool,
}

impl Turn {
    /// Adds a paragraph; what exceeds [`TURN_LIMIT`] is counted, not kept.
    pub fn say(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if self.cut > 0 {
            self.cut += words.len() as u64;
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(words);
        if self.text.len() > TURN_LIMIT {
            let at = (0..=TURN_LIMIT).rev().find(|at| self.text.is_char_boundary(*at));
            self.cut = (self.text.len() - at.unwrap_or(0)) as u64;
            escape::truncate(&mut self.text, TURN_LIMIT);
        }
    }

    /// Counts a call of a tool. Names are shortened to what fits into a list.
    pub fn call(&mut self, tool: &str) {
        let fits = |c: &char| !c.is_control() && !matches!(c, '[' | ']' | ',' | '×' | '<' | '>');
        let name: String = tool.chars().filter(fits).take(64).collect();
        let name = name.trim();
        match self.tools.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => *times += 1,
            None if !name.is_empty() => self.tools.push((name.to_owned(), 1)),
            None => {}
        }
    }

    /// The turn as it stands in a block; ends with a newline.
    pub fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 64);
        let label = match self.role {
            Role::User => USER,
            Role::Assistant => ASSISTANT,
            Role::Nobody => "",
        };
        if !self.continues {
            out.push_str(label);
        }
        if !self.text.is_empty() {
            if !out.is_empty() {
                out.push(if text::begins_a_block(&self.text) { '\n' } else { ' ' });
            }
            out.push_str(&self.text);
        }
        let mut line = |text: &str| {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(text);
        };
        if self.cut > 0 {
            line(&format!("[cut: {}]", counted(self.cut, "more byte")));
        }
        if !self.tools.is_empty() {
            line(&tools(&self.tools));
        }
        out.push('\n');
        out
    }
}

fn tools(tools: &[(String, u32)]) -> String {
    let mut out = "[tools: ".to_owned();
    for (index, (name, times)) in tools.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _ = match times {
            1 => write!(out, "{separator}{name}"),
            _ => write!(out, "{separator}{name} ×{times}"),
        };
    }
    out + "]"
}

/// A session's id as it stands in markers: letters, digits, `.`, `_` and `-`. Anything else, and what is
/// too long, makes room for a hash, so that two sessions never share a name.
pub fn session_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !id.is_empty() && id.len() <= NAME_LIMIT && id.chars().all(plain) {
        return id.to_owned();
    }
    format!("session-{:016x}", crate::plan::hash(id.as_bytes()))
}

/// The line that begins a block.
pub fn start(session: &str, from: u64, to: u64) -> String {
    format!("{MARKER}session {session} {from}-{to} -->\n")
}

/// The line that ends a block.
pub fn end(session: &str, to: u64) -> String {
    format!("{MARKER}end {session} {to} -->\n")
}

/// The heading of a block and the blank line after it.
pub fn heading(time: NaiveDateTime) -> String {
    format!("## Session — {}\n\n", time.format("%Y-%m-%d %H:%M:%S"))
}

/// What a line of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// the first words of a turn
    Turn(Role, &'a str),
    /// something about the session: tools, files, a title, a note about what was cut
    Note,
    /// the first words of the client's summary of what was said before; those below it belong to it
    Summary(&'a str),
    /// more words of the turn
    Words(&'a str),
}

/// Reads a line of a block, without its line ending, that is no marker and no heading.
pub fn line(line: &str) -> Line<'_> {
    match label::written(line) {
        Some((Speaker::User, words)) => return Line::Turn(Role::User, words),
        Some((Speaker::Assistant, words)) => return Line::Turn(Role::Assistant, words),
        None => {}
    }
    match form(line) {
        Some(Form::Summary(words)) => Line::Summary(words),
        Some(_) => Line::Note,
        None => Line::Words(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: Role, text: &str, tools: &[&str]) -> Turn {
        let mut turn =
            Turn { role, text: String::new(), cut: 0, tools: Vec::new(), continues: false };
        turn.say(text);
        for tool in tools {
            turn.call(tool);
        }
        turn
    }

    #[test]
    fn turns_are_rendered_for_reading() {
        fn check(turn: &Turn, expect: &str) {
            assert_eq!(turn.render(), expect);
        }
        check(&turn(Role::User, "hi\nthere", &[]), "**User:** hi\nthere\n");
        check(
            &turn(Role::Assistant, "ok", &["Bash", "Edit", "Bash", "Bash"]),
            "**Assistant:** ok\n[tools: Bash ×3, Edit]\n",
        );
        check(&turn(Role::Assistant, "", &["a,b]\n[c"]), "**Assistant:**\n[tools: abc]\n");
        check(&turn(Role::User, "```\nx\n```", &[]), "**User:**\n```\nx\n```\n");
        check(&turn(Role::User, "1. a", &[]), "**User:**\n1. a\n");
        let rest = Turn { continues: true, ..turn(Role::Assistant, "rest", &["Bash"]) };
        check(&rest, "rest\n[tools: Bash]\n");
        let rest = Turn { continues: true, ..turn(Role::Assistant, "", &["Bash"]) };
        check(&rest, "[tools: Bash]\n");
        check(&turn(Role::Nobody, "[skipped]", &[]), "[skipped]\n");
    }

    #[test]
    fn a_long_turn_says_how_much_is_missing() {
        let long = format!("```\n{}", "é".repeat(40_000));
        let mut cut = turn(Role::User, &long, &[]);
        cut.say("more");
        let kept = cut.text.strip_suffix("\n```").unwrap();
        assert!(kept.len() <= TURN_LIMIT && kept.len() > TURN_LIMIT - 4);
        let left_out = long.len() - kept.len() + 4;
        assert!(cut.render().ends_with(&format!("\n```\n[cut: {left_out} more bytes]\n")));
        assert_eq!(turn(Role::User, &"a".repeat(TURN_LIMIT), &[]).cut, 0);
    }

    #[test]
    fn markers_round_trip() {
        let start = start("s-1", 0, 1200);
        let read = marker(start.trim_end());
        assert_eq!(read, Some(Marker::Start { session: "s-1", from: 0, to: 1200 }));
        let end = end("s-1", 1200);
        assert_eq!(marker(end.trim_end()), Some(Marker::End { session: "s-1", to: 1200 }));
        for odd in [
            "<!-- hipocampus:session s 0-12",
            "<!-- hipocampus:session s 0-1 (cut short) -->",
            "<!-- hipocampus:end s x -->",
            "\\<!-- hipocampus:end s 3 -->",
            "<!-- hipocampus:root:end -->",
        ] {
            assert_eq!(marker(odd), None, "{odd}");
        }
    }

    #[test]
    fn names_of_sessions_are_safe_and_distinct() {
        assert_eq!(session_name("ses_e077-A.b"), "ses_e077-A.b");
        for odd in ["", "a b", "x -->", "../x", &"a".repeat(200)] {
            let name = session_name(odd);
            assert_eq!(session_name(&name), name);
            assert!(name.starts_with("session-"), "{name}");
        }
        assert_ne!(session_name("a b"), session_name("a c"));
    }
}
