//! Who was told that a summary is due: `memory/.hipocampus.log-due`, a line `SESSION MOMENT` for each, the latest
//! first. It is said once a day, to whichever session comes first.

use std::fmt::Write as _;

use chrono::{DateTime, FixedOffset};

use crate::capture::block::session_name;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::text::moment;
use crate::world::World;

/// The most lines that are kept.
const MOST: usize = 50;
/// Stands for a session that nobody named.
const NOBODY: &str = "-";

/// What clients set for the commands they run.
const SESSIONS: [&str; 4] =
    ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "OPENCODE_SESSION_ID", "OPENCLAW_SESSION_ID"];

/// The session that a command was called in, where its client tells.
pub(crate) fn session(world: &World) -> Option<&str> {
    SESSIONS.iter().find_map(|name| world.var(name))
}

/// Whether nobody has heard of it on this day of the user's; from now on the session has.
pub(crate) fn is_news(memory: &Folder, session: Option<&str>, now: DateTime<FixedOffset>) -> bool {
    let text = memory.text(layout::DUE);
    let known: Vec<(&str, DateTime<FixedOffset>)> = text
        .lines()
        .filter_map(|line| {
            let (session, at) = line.split_once(' ')?;
            Some((session, DateTime::parse_from_rfc3339(at).ok()?))
        })
        .collect();
    let name = session.map(session_name);
    let is_today = |at: &DateTime<FixedOffset>| {
        at.with_timezone(now.offset()).date_naive() == now.date_naive()
    };
    if known.iter().any(|(_, at)| is_today(at)) {
        return false;
    }
    let mut lines = format!("{} {}\n", name.as_deref().unwrap_or(NOBODY), moment(now));
    for (session, at) in known.into_iter().take(MOST - 1) {
        let _ = writeln!(lines, "{session} {}", moment(at));
    }
    // Said once too often is better than never.
    let _ = memory.replace(layout::DUE, lines.as_bytes(), Write::CACHED);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_once_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let ask = |session, time: &str| {
            let time = format!("2026-03-{time}:00+01:00");
            is_news(&memory, session, DateTime::parse_from_rfc3339(&time).unwrap())
        };
        assert!(ask(Some("a"), "15T10:00") && !ask(Some("a"), "15T10:01"));
        assert!(!ask(Some("b c"), "15T23:59") && !ask(None, "15T23:59"));
        assert!(ask(None, "16T00:00") && !ask(Some("a"), "16T12:00"));
    }
}
