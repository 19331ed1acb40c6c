//! Session blocks: the form in which a session is in a raw log, and its own ledger.
//!
//! ```text
//! <!-- hipocampus:session SESSION FROM-TO -->
//! ## Session — 2026-03-15 14:02:11
//!
//! **User:** ...
//!
//! **Assistant:** ...
//! [tools: Bash ×3, Edit]
//! [files: src/login.rs]
//! [commit: fix the login redirect]
//!
//! **Summary:** ...
//! <!-- hipocampus:end SESSION TO -->
//! ```

use chrono::NaiveDateTime;

use crate::capture::transcript::Role;
use crate::markdown::escape;
use crate::markdown::form::{Form, SUMMARY, TITLE, form, write_title};
use crate::markdown::heading;
use crate::markdown::label::{self, Speaker};
use crate::markdown::label::{ASSISTANT, USER};
use crate::markdown::marker::MARKER;
pub(crate) use crate::markdown::marker::{Marker, marker};
use crate::meaning::title::only_counts;
use crate::text::{counted, start as start_of};

/// The most files, and the most commits, that a turn names.
const MADE: usize = 8;

/// The most bytes of words a turn keeps.
pub(crate) const TURN_LIMIT: usize = 64 * 1024;
/// The most bytes a session's name may have.
const NAME_LIMIT: usize = 128;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LogTurn {
    pub role: Role,
    /// the words, redacted and escaped
    pub text: String,
    /// how many bytes of them were left out
    pub cut: u64,
    /// the tools called and how often, in the order of their first call
    pub tools: Vec<(String, u32)>,
    /// the files written, relative to the project
    pub files: Vec<String>,
    pub commits: Vec<String>,
    /// whether the beginning of the turn was written by an earlier run
    pub continues: bool,
}

impl LogTurn {
    /// A turn in which nothing is said yet.
    pub(crate) fn of(role: Role, continues: bool) -> Self {
        Self { role, continues, ..Self::default() }
    }

    /// Notes a file that was written, once.
    pub(crate) fn wrote(&mut self, path: &str) {
        let fits = !path.contains(", ") && !path.chars().any(|c| c.is_control() || c == ']');
        note(&mut self.files, path.trim(), fits);
    }

    /// Notes a commit, once.
    pub(crate) fn committed(&mut self, subject: &str) {
        note(&mut self.commits, subject.trim(), !subject.chars().any(char::is_control));
    }

    /// Adds a paragraph; what exceeds [`TURN_LIMIT`] is counted, not kept.
    pub(crate) fn say(&mut self, words: &str) {
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
            self.cut = (self.text.len() - start_of(&self.text, TURN_LIMIT).len()) as u64;
            escape::truncate(&mut self.text, TURN_LIMIT);
        }
    }

    /// Counts a call of a tool. Names are shortened to what fits into a list.
    pub(crate) fn call(&mut self, tool: &str) {
        let fits = |c: &char| !c.is_control() && !matches!(c, '[' | ']' | ',' | '×' | '<' | '>');
        let name: String = tool.chars().filter(fits).take(64).collect();
        let name = name.trim();
        match self.tools.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => *times += 1,
            None if !name.is_empty() => self.tools.push((name.to_owned(), 1)),
            None => {}
        }
    }

    /// The turn as it is in a block; ends with a newline.
    pub(crate) fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 64);
        let label = match self.role {
            Role::User => USER,
            Role::Assistant => ASSISTANT,
            Role::Summary => SUMMARY,
            Role::Nobody | Role::Title { .. } => "",
        };
        if !self.continues {
            out.push_str(label);
        }
        if !self.text.is_empty() {
            if !out.is_empty() {
                out.push(if escape::begins_a_block(&self.text) { '\n' } else { ' ' });
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
        if !self.files.is_empty() {
            line(&format!("[files: {}]", self.files.join(", ")));
        }
        for subject in &self.commits {
            line(&format!("[commit: {subject}]"));
        }
        out.push('\n');
        out
    }
}

fn note(notes: &mut Vec<String>, what: &str, fits: bool) {
    let known = notes.iter().any(|known| known == what);
    if fits && !known && !what.is_empty() && notes.len() < MADE {
        notes.push(what.to_owned());
    }
}

fn tools(tools: &[(String, u32)]) -> String {
    let calls = tools.iter().map(|(name, times)| match times {
        1 => name.clone(),
        _ => format!("{name} ×{times}"),
    });
    format!("[tools: {}]", calls.collect::<Vec<_>>().join(", "))
}

/// A session's id as markers have it: letters, digits, `.`, `_` and `-`. An id with anything else, or a
/// long one, is replaced by a hash, so that two sessions never share a name.
pub(crate) fn session_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !id.is_empty() && id.len() <= NAME_LIMIT && id.chars().all(plain) {
        return id.to_owned();
    }
    format!("session-{:016x}", crate::plan::hash(id.as_bytes()))
}

/// The name of a session whose id holds a secret: a hash of it.
pub(crate) fn hidden_name(id: &str) -> String {
    // No id has a blank, so this is a hash.
    session_name(&format!("{id} "))
}

/// The line that begins a block.
pub(crate) fn start(session: &str, from: u64, to: u64) -> String {
    format!("{MARKER}session {session} {from}-{to} -->\n")
}

/// The line that ends a block.
pub(crate) fn end(session: &str, to: u64) -> String {
    format!("{MARKER}end {session} {to} -->\n")
}

/// The heading of a block and the blank line after it. The title is one for [`title`].
pub(crate) fn heading(time: NaiveDateTime, title: Option<&str>) -> String {
    let title = title.map(|title| format!(" — {title}")).unwrap_or_default();
    format!("## Session — {}{title}\n\n", time.format("%Y-%m-%d %H:%M:%S"))
}

/// The line that names a session whose heading is there already, and the blank line after it.
pub(crate) fn later_title(title: &str) -> String {
    format!("{TITLE} {title}\n\n")
}

/// The line that names the branch.
pub(crate) fn branch(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    format!("[branch: {name}]\n")
}

/// A title as it is in a log: one line of at most 80 characters, its brackets escaped, so that none is a type.
/// `None` for one that only counts.
pub(crate) fn title(words: &str) -> Option<String> {
    (!only_counts(words)).then(|| write_title(words))
}

/// What a line of a block says about its session, if it is a heading or a later title: the time, the title.
pub(crate) fn session_heading(line: &str) -> Option<(Option<&str>, Option<&str>)> {
    if let Some(Form::Title(title)) = form(line) {
        return Some((None, Some(title)));
    }
    heading::session_heading(line).map(|session| (Some(session.time), session.title))
}

/// The turns in the text of blocks: who speaks, and what.
pub(crate) fn said(text: &str) -> Vec<(Role, String)> {
    let mut turns: Vec<(Role, String)> = Vec::new();
    for one in text.lines() {
        if marker(one).is_some() || session_heading(one).is_some() {
            continue;
        }
        match (line(one), turns.last_mut()) {
            (BlockLine::Turn(role, words), _) => turns.push((role, words.trim_start().to_owned())),
            (BlockLine::Words(words), Some((_, said))) => {
                said.push('\n');
                said.push_str(words);
            }
            (BlockLine::Words(_), None) | (BlockLine::Note, _) => {}
        }
    }
    turns
}

/// The words of a turn, without its label and the lines that tell what was called and made.
pub(crate) fn words(turn: &str) -> String {
    let mut words = String::with_capacity(turn.len());
    for one in turn.lines() {
        match line(one) {
            BlockLine::Note => {}
            BlockLine::Turn(_, said) | BlockLine::Words(said) => {
                words.push_str(said);
                words.push('\n');
            }
        }
    }
    words
}

/// What a turn is known by, with its label or without: its words, else the lines that tell what was called and made.
pub(crate) fn known_by(turn: &str) -> String {
    let words = words(turn);
    if !words.trim().is_empty() {
        return words;
    }
    let notes: Vec<&str> = turn.lines().filter(|one| line(one) == BlockLine::Note).collect();
    notes.join("\n")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockLine<'a> {
    /// the first words of a turn
    Turn(Role, &'a str),
    /// something about the session: tools, files, a title, a note about what was cut
    Note,
    /// more words of the turn
    Words(&'a str),
}

/// Reads a line of a block, without its line ending, that is no marker and no heading.
pub(crate) fn line(line: &str) -> BlockLine<'_> {
    match label::written(line) {
        Some((Speaker::User, words)) => return BlockLine::Turn(Role::User, words),
        Some((Speaker::Assistant, words)) => return BlockLine::Turn(Role::Assistant, words),
        None => {}
    }
    match form(line) {
        Some(Form::Summary(words)) => BlockLine::Turn(Role::Summary, words),
        Some(_) => BlockLine::Note,
        None => BlockLine::Words(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: Role, text: &str, tools: &[&str]) -> LogTurn {
        let mut turn = LogTurn::of(role, false);
        turn.say(text);
        for tool in tools {
            turn.call(tool);
        }
        turn
    }

    #[test]
    fn turns_are_rendered_for_reading() {
        fn check(turn: &LogTurn, expect: &str) {
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
        let rest = LogTurn { continues: true, ..turn(Role::Assistant, "rest", &["Bash"]) };
        check(&rest, "rest\n[tools: Bash]\n");
        let rest = LogTurn { continues: true, ..turn(Role::Assistant, "", &["Bash"]) };
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
    fn what_was_made_stands_below_the_tools() {
        let mut made = turn(Role::Assistant, "ok", &["Edit"]);
        for path in ["src/a.rs", "src/b.rs", "src/a.rs", "odd, name.rs", "x]", ""] {
            made.wrote(path);
        }
        for subject in ["fix: a", "fix: a", "b [user]", "c\nd"] {
            made.committed(subject);
        }
        let expect = "**Assistant:** ok\n[tools: Edit]\n[files: src/a.rs, src/b.rs]\n[commit: fix: a]\n[commit: b [user]]\n";
        assert_eq!(made.render(), expect);
        for number in 0..20 {
            made.wrote(&number.to_string());
        }
        assert_eq!(made.files.len(), MADE);
        assert_eq!(turn(Role::Summary, "all of it", &[]).render(), "**Summary:** all of it\n");
    }

    #[test]
    fn titles_are_written_and_read() {
        fn check(words: &str, expect: Option<&str>) {
            assert_eq!(title(words).as_deref(), expect, "{words}");
        }
        check("fix\n the login [user]", Some("fix the login \\[user\\]"));
        check("Session 12", None);
        check(&"ab ".repeat(60), Some(&format!("{}a…", "ab ".repeat(26))));
        let time =
            NaiveDateTime::parse_from_str("2026-03-15 14:02:11", "%Y-%m-%d %H:%M:%S").unwrap();
        let heading = heading(time, Some("a — b"));
        let found = session_heading(heading.trim_end());
        assert_eq!(found, Some((Some("2026-03-15 14:02:11"), Some("a — b"))));
        assert_eq!(session_heading(later_title("c d").trim_end()), Some((None, Some("c d"))));
        assert_eq!(
            session_heading("## Session — 2026-03-15 14:02:11"),
            Some((Some("2026-03-15 14:02:11"), None))
        );
        assert_eq!(session_heading("words"), None);
        let block = "## Session — x\n\n**User:** a\nb\n\n**Assistant:** c\n[files: x]\n";
        let turns = [(Role::User, "a\nb\n".to_owned()), (Role::Assistant, "c".to_owned())];
        assert_eq!(said(block), turns);
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
