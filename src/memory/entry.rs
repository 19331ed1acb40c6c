//! `## Topic [type]` entries of a log.
//!
//! Works on text; bytes that are not UTF-8 are the caller's to replace. Headings inside fenced code
//! are no headings.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match};
use serde::{Deserialize, Serialize};

use crate::markdown::block::Blocks;
pub(crate) use crate::markdown::fence::Line as EntryLine;
use crate::markdown::form::{Form, form};
use crate::markdown::{conflict, fence, heading, marker};
use crate::memory::sessions_of_log::SessionsOfLog;

/// The type of an entry, which decides how long it is kept in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryType {
    /// ongoing work, decisions, findings
    Project,
    /// how the user wants work to be done
    Feedback,
    /// who the user is
    User,
    /// where something outside lives
    Reference,
}

impl EntryType {
    /// Whether such an entry is about the user or their wishes: it is always kept in sight.
    pub(crate) fn is_about_user(self) -> bool {
        matches!(self, Self::User | Self::Feedback)
    }

    /// The word in the brackets.
    pub fn word(self) -> &'static str {
        match self {
            EntryType::Project => "project",
            EntryType::Feedback => "feedback",
            EntryType::User => "user",
            EntryType::Reference => "reference",
        }
    }

    /// Puts ` [project]` after a topic. Each in one piece of known length, which costs no call to copy it.
    pub(crate) fn push_to(self, text: &mut String) {
        match self {
            EntryType::Project => text.push_str(" [project]"),
            EntryType::Feedback => text.push_str(" [feedback]"),
            EntryType::User => text.push_str(" [user]"),
            EntryType::Reference => text.push_str(" [reference]"),
        }
    }

    /// Reads the word in the brackets, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        [EntryType::Project, EntryType::Feedback, EntryType::User, EntryType::Reference]
            .into_iter()
            .find(|kind| kind.word().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for EntryType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One `## ` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'l, 'a> {
    /// the heading without its type
    pub topic: &'a str,
    /// the type; `Project` where the heading names none
    pub kind: EntryType,
    /// whether the heading names a type
    pub typed: bool,
    /// the lines below the heading, up to the next one
    pub lines: Cow<'l, [EntryLine<'a>]>,
}

impl Entry<'_, '_> {
    /// Whether the heading names a subject. `Session …`, bare dates and bare hashes do not.
    pub fn has_topic(&self) -> bool {
        names_a_subject(self.topic)
    }

    /// Whether the entry says of itself that it will not matter later: one of the marks is in
    /// the heading, or alone on a line or bullet.
    pub fn is_ephemeral(&self) -> bool {
        let mut blocks = self.blocks();
        // Neither what is said in a session nor its title says that of all of it.
        (!blocks.is_inside()
            && MARK_FINDER.find_iter(self.topic).any(|found| stands_alone(self.topic, &found)))
            || self.lines.iter().any(|line| {
                let spoken = blocks.holds(line.text);
                !line.code && !spoken && is_mark(line.text)
            })
    }

    /// Tells which of its lines, in order, are in a session's block.
    pub fn blocks(&self) -> Blocks {
        Blocks::before(self.lines.iter().map(|line| line.text))
    }
}

/// About as many bytes as a line has, and as many entries as most days.
const LINE: usize = 40;
const USUAL: usize = 16;

/// A text cut at its entry headings. Its lines are in one list, since a memory has several entries a day.
#[derive(Debug, Default)]
pub struct Entries<'a> {
    lines: Vec<EntryLine<'a>>,
    /// how many lines are before the first heading
    preamble: usize,
    headings: Vec<Heading<'a>>,
}

/// A heading, and which lines are its entry's.
#[derive(Debug)]
struct Heading<'a> {
    topic: &'a str,
    kind: EntryType,
    typed: bool,
    lines: Range<usize>,
    /// those of a session after other entries
    more: Vec<Range<usize>>,
    /// how many of its parts are above the title that was known last
    titled: usize,
}

/// Cuts a text at its `## ` headings. The parts of a session that another one interrupted are one entry, with the title
/// that was known last. The marker lines of a merge that was not finished are passed over (both sides are entries), and
/// so is the line that says when an entry was made. Takes time linear in the text.
pub fn parse(text: &str) -> Entries<'_> {
    let mut parsed = Entries {
        lines: Vec::with_capacity(text.len() / LINE),
        headings: Vec::with_capacity(USUAL),
        preamble: 0,
    };
    let mut sessions = SessionsOfLog::default();
    // Which entry lines belong to.
    let mut at: Option<usize> = None;
    let mut before = "";
    for line in fence::lines(text) {
        let text = line.text;
        let previous = std::mem::replace(&mut before, text);
        if let Some((topic, kind)) = self::heading(text).filter(|_| !line.code) {
            let place = parsed.headings.len();
            let known = sessions.goes_on(previous, text, place);
            // The marker above the heading is the session's.
            let end = parsed.lines.len() - usize::from(known.is_some());
            parsed.end(at, end);
            match known.map(|known| &mut parsed.headings[known]) {
                Some(session) => session.go_on(end, topic, kind),
                None => parsed.headings.push(Heading::new(end, topic, kind)),
            }
            at = Some(known.unwrap_or(place));
            continue;
        }
        if conflict::is_marker(text) || marker::at(text).is_some() {
            continue;
        }
        parsed.lines.push(line);
    }
    parsed.end(at, parsed.lines.len());
    parsed
}

impl<'a> Heading<'a> {
    fn new(begin: usize, topic: &'a str, kind: Option<EntryType>) -> Self {
        Self {
            topic,
            kind: kind.unwrap_or(EntryType::Project),
            typed: kind.is_some(),
            lines: begin..begin,
            more: Vec::new(),
            titled: 0,
        }
    }

    /// Another part begins, under a heading of its own.
    fn go_on(&mut self, begin: usize, topic: &'a str, kind: Option<EntryType>) {
        if kind.is_some() {
            (self.topic, self.typed) = (topic, true);
            self.titled = self.more.len() + 1;
        }
        self.more.push(begin..begin);
    }

    /// Which of `all` lines are its own, except for the titles above the one that was known last.
    fn own<'l>(&self, all: &'l [EntryLine<'a>]) -> Cow<'l, [EntryLine<'a>]> {
        let first = &all[self.lines.clone()];
        if self.more.is_empty() {
            return Cow::Borrowed(first);
        }
        let is_title =
            |line: &EntryLine<'_>| !line.code && matches!(form(line.text), Some(Form::Title(_)));
        let parts = std::iter::once(first).chain(self.more.iter().map(|part| &all[part.clone()]));
        let lines = parts.enumerate().flat_map(|(part, lines)| {
            lines.iter().filter(move |line| part >= self.titled || !is_title(line))
        });
        Cow::Owned(lines.copied().collect())
    }
}

impl<'a> Entries<'a> {
    /// The part of an entry, or the preamble, that the last lines belong to ends here.
    fn end(&mut self, at: Option<usize>, end: usize) {
        match at.and_then(|at| self.headings.get_mut(at)) {
            Some(entry) => entry.more.last_mut().unwrap_or(&mut entry.lines).end = end,
            None => self.preamble = end,
        }
    }

    /// What is before the first entry, as one without a heading.
    pub fn untitled(&self) -> Entry<'_, 'a> {
        let lines = Cow::Borrowed(&self.lines[..self.preamble]);
        Entry { topic: "", kind: EntryType::Project, typed: false, lines }
    }

    /// The entries, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_, 'a>> {
        self.headings.iter().map(|heading| Entry {
            topic: heading.topic,
            kind: heading.kind,
            typed: heading.typed,
            lines: heading.own(&self.lines),
        })
    }
}

/// The topic and type of a `## ` heading line. Brackets that hold no type belong to the topic.
pub(crate) fn heading(line: &str) -> Option<(&str, Option<EntryType>)> {
    let title = heading::entry(line)?;
    if let Some(session) = heading::session_topic(title) {
        // What a session is about is its title; when it was is no part of that. It counts as typed, since no heading
        // of an extract is meant where a session is called `Topics`.
        return Some(match session.title {
            Some(about) => (about, Some(EntryType::Project)),
            None => (title, None),
        });
    }
    let typed = title
        .strip_suffix(']')
        .and_then(|rest| rest.rsplit_once('['))
        .and_then(|(topic, word)| Some((topic.trim(), EntryType::parse(word)?)));
    Some(match typed {
        Some((topic, kind)) => (topic, Some(kind)),
        None => (title, None),
    })
}

/// Whether a heading says what a section is about, rather than only when or by whom it was written.
pub(crate) fn names_a_subject(topic: &str) -> bool {
    let rest = topic.strip_prefix("Session").unwrap_or(topic);
    // Most begin with a word of letters, and one is enough.
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters > 0 && matches!(rest.as_bytes().get(letters), None | Some(b' ')) {
        return true;
    }
    rest.split(|c: char| c.is_whitespace() || matches!(c, '—' | '–' | '(' | ')' | ',' | '/' | '#'))
        .any(|word| word.chars().any(char::is_alphanumeric) && !is_stamp(word))
}

/// A date, a time, a number or a hash.
fn is_stamp(word: &str) -> bool {
    // Most words end here.
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let timelike = word.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ+W".contains(&byte));
    let hex = word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    timelike || (hex && word.len() >= 7)
}

/// What marks an entry as passing. In a heading an ASCII mark has to be whole words, a CJK one need only be there.
const MARKS: [&str; 6] =
    ["임시", "테스트 중", "나중에 삭제", "temporary", "test run", "delete later"];

/// Whether nothing but one of the marks is on a line.
fn is_mark(line: &str) -> bool {
    if line.len() >= 64 {
        return false;
    }
    let alone = if line.is_ascii() {
        let bytes = line.as_bytes();
        let from = bytes.iter().position(u8::is_ascii_alphanumeric);
        let end = bytes.iter().rposition(u8::is_ascii_alphanumeric);
        from.zip(end).map_or("", |(from, end)| &line[from..=end])
    } else {
        line.trim_matches(|c: char| !c.is_alphanumeric())
    };
    MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(alone))
}

static MARK_FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).build(MARKS).expect("six literals make an automaton")
});

fn stands_alone(text: &str, found: &Match) -> bool {
    let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !text[found.range()].is_ascii()
        || !(touches(text[..found.start()].chars().next_back())
            || touches(text[found.end()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_carry_a_topic_and_perhaps_a_type() {
        fn check(line: &str, expect: Option<(&str, Option<EntryType>)>) {
            assert_eq!(heading(line), expect, "{line}");
        }
        check("## Auth refactor [project]", Some(("Auth refactor", Some(EntryType::Project))));
        check("## Terse answers [Feedback] ", Some(("Terse answers", Some(EntryType::Feedback))));
        check("## Arrays a[0] [draft]", Some(("Arrays a[0] [draft]", None)));
        check("## C# [user] ##", Some(("C#", Some(EntryType::User))));
        check("## C#", Some(("C#", None)));
        check(
            "## Session — 2026-03-15 14:02:11 — fix the login",
            Some(("fix the login", Some(EntryType::Project))),
        );
        check(
            "## Session — 2026-03-15 14:02:11 — me \\[user\\]",
            Some(("me \\[user\\]", Some(EntryType::Project))),
        );
        check("## Session — 2026-03-15 14:02:11", Some(("Session — 2026-03-15 14:02:11", None)));
        check("##\tTab", Some(("Tab", None)));
        check("## [user]", Some(("", Some(EntryType::User))));
        check("### Deeper", None);
        check("##Glued", None);
        check(" ## Indented", None);
        check("\\## Escaped", None);
        check("\u{feff}## After a mark", Some(("After a mark", None)));
    }

    #[test]
    fn stamps_are_no_topics() {
        fn check(topic: &str, expect: bool) {
            assert_eq!(names_a_subject(topic), expect, "{topic}");
        }
        check("Session — 2026-03-15 14:02:11", false);
        check("Session 3d0effd8", false);
        check("Session — 2026-03-15 (0b1c2d3e-aaaa-4bbb-8ccc-0123456789ab)", false);
        check("2026-03-15", false);
        check("2026-03-15T14:02:11Z", false);
        check("Session", false);
        check("", false);
        check("deadbeef01", false);
        check("Session storage audit", true);
        check("Sessions", true);
        check("facade", true);
        check("release 0.6", true);
        check("인증", true);
    }

    #[test]
    fn code_hides_headings_and_entries_keep_their_lines() {
        let parsed = parse("# day\r\n\r\n## A [user]\r\n- x\r\n```\r\n## no\r\n```\r\n## B\n- y");
        let entries: Vec<_> = parsed.entries().collect();
        assert_eq!(parsed.untitled().lines.len(), 2);
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].topic, entries[0].kind), ("A", EntryType::User));
        let texts: Vec<_> = entries[0].lines.iter().map(|line| (line.text, line.code)).collect();
        assert_eq!(texts, [("- x", false), ("```", true), ("## no", true), ("```", true)]);
        assert_eq!(entries[1].kind, EntryType::Project);
    }

    #[test]
    fn marks_count_in_the_heading_or_alone() {
        fn check(text: &str, expect: bool) {
            assert_eq!(parse(text).entries().next().unwrap().is_ephemeral(), expect, "{text}");
        }
        check("## temporary notes\n- x", true);
        check("## Temporary: scratch", true);
        check("## contemporary art\n- x", false);
        check("## plan\n- delete later", true);
        check("## plan\n**Test run.**", true);
        check("## plan\n- 임시", true);
        check("## 임시메모", true);
        check("## plan\n- decision: a temporary index, dropped after the import", false);
        check("## plan\n```\ntemporary\n```", false);
    }

    #[test]
    fn nothing_in_a_conversation_marks_all_of_it() {
        let start = "<!-- hipocampus:session s 0-9 -->\n## Session — 2026-03-15 14:02:11";
        let end = "<!-- hipocampus:end s 9 -->\n";
        let said = |title: &str, after: &str| {
            format!("{start}{title}\n\n**User:** do a\ntest run\n- temporary\n{end}{after}")
        };
        let check = |text: &str, expect: bool| {
            assert_eq!(parse(text).entries().next().unwrap().is_ephemeral(), expect, "{text}");
        };
        check(&said("", ""), false);
        check(&said(" — drop the temporary table", ""), false);
        check(&said("", "- delete later\n"), true);
    }

    /// A block of a session under a heading.
    fn part(session: &str, heading: &str, words: &str) -> String {
        format!(
            "<!-- hipocampus:session {session} 0-9 -->\n## Session — 2026-03-15 {heading}\n\n{words}\n\
             <!-- hipocampus:end {session} 9 -->\n\n"
        )
    }

    #[test]
    fn parts_of_an_interrupted_session_are_one_entry() {
        let log = [
            part("a", "08:00:00", "**Title:** go on\n\n**User:** one"),
            part("b", "08:10:00 — mend the queue", "**User:** two"),
            part("a", "08:20:00 — cache the page tables", "**User:** three"),
            "- noted down\n".to_owned(),
            "## Notes [user]\n- x\n\n".to_owned(),
            part("b", "09:00:00 — mend the queue", "**User:** four"),
            part("a", "20:00:00 — another one", "**User:** five"),
        ];
        let log = log.concat();
        let parsed = parse(&log);
        let texts = |entry: &Entry<'_, '_>| {
            let said = entry.lines.iter().map(|line| line.text).filter(|text| !text.is_empty());
            let plain = said.map(|text| text.trim_start_matches("<!-- hipocampus:"));
            plain
                .map(|text| text.split(" -->").next().unwrap_or(text))
                .collect::<Vec<_>>()
                .join("|")
        };
        let found: Vec<_> = parsed.entries().map(|entry| (entry.topic, texts(&entry))).collect();
        let expect = [
            (
                "cache the page tables",
                "**User:** one|end a 9|session b 0-9|session a 0-9|**User:** three|end a 9|- noted down",
            ),
            (
                "mend the queue",
                "**User:** two|end b 9|session b 0-9|**User:** four|end b 9|session a 0-9",
            ),
            ("Notes", "- x"),
            ("another one", "**User:** five|end a 9"),
        ];
        assert_eq!(found, expect.map(|(topic, lines)| (topic, lines.to_owned())));
        // Whose words they are is as clear as before.
        let spoken = |at: usize, text: &str| {
            let entry = parsed.entries().nth(at).unwrap();
            let mut blocks = entry.blocks();
            entry.lines.iter().any(|line| blocks.holds(line.text) && line.text == text)
        };
        assert!(spoken(0, "**User:** three"));
        assert!(!spoken(0, "- noted down"));
    }

    #[test]
    fn both_sides_of_a_conflict_are_entries() {
        let text = "# d\n<<<<<<< HEAD\n## A\n- x\n||||||| base\n=======\n## B [user]\n- y\n>>>>>>> b\n- z\n";
        let parsed = parse(text);
        let found: Vec<_> = parsed
            .entries()
            .map(|entry| {
                (entry.topic, entry.lines.iter().map(|line| line.text).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(found, [("A", vec!["- x"]), ("B", vec!["- y", "- z"])]);
        assert_eq!(parsed.untitled().lines.len(), 1);
    }
}
