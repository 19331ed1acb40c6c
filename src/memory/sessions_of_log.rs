//! Which headings of a log belong to one session.
//!
//! Where two agents work at once their blocks alternate, and each block that follows one of another session has a
//! heading of its own. Readers of the log join these into one session.

use std::collections::HashMap;

use chrono::{NaiveDateTime, TimeDelta};
use xxhash_rust::xxh3::xxh3_64;

use crate::markdown::heading;
use crate::markdown::marker::{Marker, marker};
use crate::memory::hashed::Hashed;

/// The silence after which a session is over.
pub(crate) const SILENCE: TimeDelta = TimeDelta::hours(6);

/// The sessions of a text, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct SessionsOfLog<'a> {
    /// by the hash of a session: which of `last` is its
    known: HashMap<u64, usize, Hashed>,
    /// the last heading of each session, and the place of the entry of its last heading
    last: Vec<(heading::SessionHeading<'a>, usize)>,
}

impl<'a> SessionsOfLog<'a> {
    /// Takes note of a heading, of the line before it and of the place that its entry would have as a new one. Where it
    /// goes on with a session that is known, gives the place of that one's entry.
    pub(crate) fn goes_on(
        &mut self,
        before: &'a str,
        line: &'a str,
        place: usize,
    ) -> Option<usize> {
        let Some(Marker::Start { session, .. }) = marker(before) else { return None };
        let heading = heading::session_heading(line)?;
        let new = self.last.len();
        let known = *self.known.entry(xxh3_64(session.as_bytes())).or_insert(new);
        let Some(last) = self.last.get_mut(known) else {
            self.last.push((heading, place));
            return None;
        };
        let at = Some(last.1).filter(|_| heading.goes_on_with(last.0));
        *last = (heading, at.unwrap_or(place));
        at
    }
}

impl heading::SessionHeading<'_> {
    /// Whether this is another heading of the session whose last one is given: it is at most
    /// [`SILENCE`] later or has the same title.
    pub(crate) fn goes_on_with(self, last: heading::SessionHeading<'_>) -> bool {
        let near = || Some((time(self.time)? - time(last.time)?).abs() <= SILENCE);
        last.title.is_some() && last.title == self.title || near().unwrap_or(false)
    }
}

/// The local time that is in the heading of a session.
pub(crate) fn time(text: &str) -> Option<NaiveDateTime> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_goes_on_behind_another_one() {
        let mut known = SessionsOfLog::default();
        let mut check = |session: &str, heading: &str, place: usize, expect: Option<usize>| {
            let before = format!("<!-- hipocampus:session {session} 0-9 -->").leak();
            let line = format!("## Session — 2026-03-15 {heading}").leak();
            assert_eq!(known.goes_on(before, line, place), expect, "{heading}");
        };
        check("a", "08:00:00", 0, None);
        check("b", "08:10:00 — page tables", 1, None);
        check("a", "13:00:00 — mend the cache", 2, Some(0));
        check("b", "08:30:00 — page tables", 2, Some(1));
        check("a", "19:00:00", 2, Some(0));
        check("a", "01:00:01", 2, None);
        // A session that was taken up again after hours, and one that lasts.
        check("b", "15:00:00 — service dues", 3, None);
        check("b", "22:00:00 — service dues", 4, Some(3));
        assert_eq!(known.goes_on("", "## Session — 2026-03-15 22:00:00", 4), None);
        assert_eq!(known.goes_on("<!-- hipocampus:session a 0-9 -->", "## Notes [user]", 4), None);
    }
}
