//! Which sessions were told that a summary is due: `memory/.hipocampus.log-due`, a line `SESSION MOMENT` for each, the latest
//! first. A session hears of it once.

use std::fmt::Write as _;

use chrono::{DateTime, FixedOffset, TimeDelta};

use crate::capture::block::session_name;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::text::moment;
use crate::world::World;

/// The most lines that are kept.
const MOST: usize = 50;
/// Where the session is not known: for how long what was said is taken for said in it.
const LASTS: TimeDelta = TimeDelta::hours(3);
/// Stands for a session that nobody named.
const NOBODY: &str = "-";

/// What clients set for the commands they run.
const SESSIONS: [&str; 4] =
    ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "OPENCODE_SESSION_ID", "OPENCLAW_SESSION_ID"];

/// The session that a command was called in, where its client tells.
pub(crate) fn session(world: &World) -> Option<&str> {
    SESSIONS.iter().find_map(|name| world.var(name))
}

/// Whether a session is still to hear of it; from now on it has. One that nobody named has heard what was said to any
/// session a short while ago.
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
    let heard = match &name {
        Some(name) => known.iter().any(|(other, _)| other == name),
        None => known.iter().any(|(_, at)| (now - *at).abs() < LASTS),
    };
    if heard {
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
    fn a_session_hears_of_it_once() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let at = |time: &str| {
            DateTime::parse_from_rfc3339(&format!("2026-03-15T{time}:00+01:00")).unwrap()
        };
        let ask = |session, time| is_news(&memory, session, at(time));
        assert!(ask(Some("a"), "10:00") && !ask(Some("a"), "10:01") && !ask(Some("a"), "23:00"));
        assert!(ask(Some("b c"), "10:02") && !ask(Some("b c"), "10:03"));
        // Nobody knows which of them this is.
        assert!(!ask(None, "10:04") && ask(None, "13:10") && !ask(None, "13:11"));
    }
}
