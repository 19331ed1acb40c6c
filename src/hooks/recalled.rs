//! What hooks told of the memory: `memory/.hipocampus.log-recall`, a line `MOMENT SESSION KIND TOKENS NAME…` for each call.
//!
//! A name is the hash of what was told, and says nothing of it. Lines are added in one write, so that two sessions at the
//! same time lose none.

use std::fmt::Write as _;

use chrono::{DateTime, Duration, FixedOffset};
use serde::Serialize;

use crate::capture::block::session_name;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::text::{moment, start};

/// From this size on, in bytes, the older half goes.
const LARGE: usize = 256 * 1024;
/// Stands for a session that nobody named.
const NOBODY: &str = "-";

/// Where something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Start,
    Prompt,
    File,
}

impl At {
    fn word(self) -> &'static str {
        match self {
            At::Start => "start",
            At::Prompt => "prompt",
            At::File => "file",
        }
    }
}

/// The record, as it was read.
pub(crate) struct Recalled(String);

/// What was told in the last seven days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct RecallWeek {
    /// prompts that the hook was called for
    pub(crate) prompts: usize,
    /// those at which something was told
    pub(crate) told: usize,
    /// what that took, and what was told at files
    pub(crate) tokens: u64,
}

impl Recalled {
    pub(crate) fn read(memory: &Folder) -> Self {
        Self(memory.text(layout::RECALLED))
    }

    fn lines(&self) -> impl Iterator<Item = (&str, &str, &str, u64, &str)> {
        self.0.lines().filter_map(|line| {
            let mut words = line.splitn(5, ' ');
            let (at, session, kind) = (words.next()?, words.next()?, words.next()?);
            let tokens = words.next()?.parse().ok()?;
            Some((at, session, kind, tokens, words.next().unwrap_or_default()))
        })
    }

    /// What was told in a session before, and whether it had a prompt at all.
    pub(crate) fn of(&self, session: Option<&str>) -> (Vec<u64>, bool) {
        let Some(name) = session.map(session_name) else { return (Vec::new(), true) };
        let (mut names, mut had_prompt) = (Vec::new(), false);
        for (_, of, kind, _, told) in self.lines() {
            if of == name {
                had_prompt |= kind == At::Prompt.word();
                let told = told.split(' ').filter_map(|hex| u64::from_str_radix(hex, 16).ok());
                names.extend(told);
            }
        }
        (names, had_prompt)
    }

    /// Whether something was told in any session.
    pub(crate) fn knows(&self, name: u64) -> bool {
        let hex = format!("{name:x}");
        self.lines().any(|(.., told)| told.split(' ').any(|known| known == hex))
    }

    /// The counts of the seven days before a moment.
    pub(crate) fn week(&self, now: DateTime<FixedOffset>) -> RecallWeek {
        let since = now - Duration::days(7);
        let mut week = RecallWeek::default();
        for (at, _, kind, tokens, _) in self.lines() {
            if DateTime::parse_from_rfc3339(at).is_ok_and(|at| at > since && at <= now) {
                let is_prompt = kind == At::Prompt.word();
                week.prompts += usize::from(is_prompt);
                week.told += usize::from(is_prompt && tokens > 0);
                week.tokens += tokens;
            }
        }
        week
    }

    /// Adds what was told.
    pub(crate) fn keep(
        &self,
        memory: &Folder,
        (session, at, now): (Option<&str>, At, DateTime<FixedOffset>),
        tokens: u32,
        names: &[u64],
    ) {
        let session = session.map_or_else(|| NOBODY.to_owned(), session_name);
        let mut line = format!("{} {session} {} {tokens}", moment(now), at.word());
        for name in names {
            let _ = write!(line, " {name:x}");
        }
        line.push('\n');
        // What is told twice does less harm than a prompt that waits.
        let _ = if self.0.len() < LARGE {
            memory.append(layout::RECALLED, line.as_bytes(), Write::CACHED)
        } else {
            let begin = start(&self.0, self.0.len() - LARGE / 2).len();
            let half = self.0[begin..].find('\n').map_or(self.0.len(), |at| begin + at + 1);
            let kept = format!("{}{line}", &self.0[half..]);
            memory.replace(layout::RECALLED, kept.as_bytes(), Write::CACHED).map(|_| ())
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_knows_what_a_session_heard_and_what_a_week_took() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let at = |day: &str| {
            DateTime::parse_from_rfc3339(&format!("2026-03-{day}T10:00:00+01:00")).unwrap()
        };
        let keep = |session, kind, day, tokens, names: &[u64]| {
            Recalled::read(&memory).keep(&memory, (Some(session), kind, at(day)), tokens, names);
        };
        keep("a b", At::Prompt, "01", 50, &[7]);
        keep("a b", At::File, "14", 20, &[0xabc]);
        keep("c", At::Prompt, "15", 0, &[]);
        let record = Recalled::read(&memory);
        assert_eq!(record.of(Some("a b")), (vec![7, 0xabc], true));
        assert_eq!(record.of(Some("c")), (vec![], true));
        assert_eq!(record.of(Some("d")), (vec![], false));
        assert_eq!(record.week(at("16")), RecallWeek { prompts: 1, told: 0, tokens: 20 });
    }

    #[test]
    fn a_long_record_is_cut_between_lines_whatever_letters_it_has() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let now = DateTime::parse_from_rfc3339("2026-03-12T10:00:00+01:00").unwrap();
        for foreign in ["é".repeat(LARGE), "é한\n".repeat(LARGE)] {
            let record = Recalled(format!("x{foreign}"));
            memory.append(layout::RECALLED, record.0.as_bytes(), Write::CACHED).unwrap();
            record.keep(&memory, (Some("s"), At::Prompt, now), 7, &[1]);
            let kept = memory.text(layout::RECALLED);
            assert!(kept.len() < LARGE && kept.ends_with(" 7 1\n"), "{}", kept.len());
        }
    }
}
