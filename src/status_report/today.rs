//! What today's log holds.

use chrono::NaiveDate;
use serde::Serialize;

use crate::capture::block::{self, Marker};
use crate::capture::transcript::Role;
use crate::markdown::heading;
use crate::memory::sessions_of_log::SessionsOfLog;
use crate::memory::snapshot::Snapshot;

/// What was written down on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Today {
    #[serde(rename = "sittings")]
    pub(crate) sessions: usize,
    pub(crate) turns: usize,
    /// entries that somebody wrote
    pub(crate) entries: usize,
    /// the size of the day's logs, in bytes
    pub(crate) bytes: u64,
}

/// Counts. A log that cannot be read counts by its size.
pub(crate) fn look(library: &mut Snapshot<'_>, day: NaiveDate) -> Today {
    let files = library.listing.logs_of(day);
    let mut today = Today::default();
    for file in files.iter() {
        today.bytes += file.stamp.size;
        if let Ok(bytes) = library.take_log(file) {
            count(&String::from_utf8_lossy(&bytes), &mut today);
        }
    }
    today
}

fn count(log: &str, today: &mut Today) {
    let mut inside = false;
    let (mut sessions, mut before) = (SessionsOfLog::default(), "");
    for line in log.lines() {
        let above = std::mem::replace(&mut before, line);
        match block::marker(line) {
            Some(Marker::Start { .. }) => inside = true,
            Some(Marker::End { .. }) => inside = false,
            None if heading::session_heading(line).is_some() => {
                today.sessions += usize::from(sessions.goes_on(above, line, 0).is_none());
            }
            None if inside => {
                let is_turn = matches!(
                    block::line(line),
                    block::BlockLine::Turn(Role::User | Role::Assistant, _)
                );
                today.turns += usize::from(is_turn);
            }
            None => today.entries += usize::from(heading::entry(line).is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_log_is_counted_by_its_kind() {
        let log = "## Plan [project]\n- a\n\n<!-- hipocampus:session s 0-9 -->\n## Session — 2026-03-15 14:02:11 — plan\n\n\
                   **User:** a\n\n**Assistant:** b\n[tools: Edit]\n\n**Summary:** c\n<!-- hipocampus:end s 9 -->\n\
                   <!-- hipocampus:session s 9-12 -->\n**User:** d\n<!-- hipocampus:end s 12 -->\n\n\
                   <!-- hipocampus:session t 0-9 -->\n## Session — 2026-03-15 14:20:00\n\n<!-- hipocampus:end t 9 -->\n\n\
                   <!-- hipocampus:session s 12-15 -->\n## Session — 2026-03-15 14:30:00 — plan\n\n<!-- hipocampus:end s 15 -->\n";
        let mut today = Today::default();
        count(log, &mut today);
        assert_eq!(today, Today { sessions: 2, turns: 3, entries: 1, bytes: 0 });
    }
}
