//! Sessions: which day a turn belongs to.
//!
//! A turn belongs to the day its session began, and a session ends after six hours of silence. A session
//! that runs past midnight stays whole; one that is taken up again next week is a new day.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

use crate::memory::sessions_of_log::SILENCE;

/// The user's local time.
pub(crate) type Local<'a> = &'a dyn Fn(DateTime<Utc>) -> NaiveDateTime;

/// A session that may still be going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionDay {
    /// the day it began
    pub day: NaiveDate,
    /// when something was last said in it
    pub last: DateTime<Utc>,
}

impl SessionDay {
    /// The session that something said at `time` belongs to, and whether it begins with it.
    ///
    /// Sessions only move on, also where a clock is set back or the user travels west: else a later turn would
    /// be in an older log, and the latest log would no longer tell how far a session has been read.
    pub(crate) fn of(
        before: Option<SessionDay>,
        time: DateTime<Utc>,
        local: Local<'_>,
    ) -> (SessionDay, bool) {
        match before {
            Some(session_day) if !is_over(session_day.last, time) => {
                (SessionDay { day: session_day.day, last: session_day.last.max(time) }, false)
            }
            before => {
                let today = local(time).date();
                let day = before.map_or(today, |before| before.day.max(today));
                (SessionDay { day, last: time }, true)
            }
        }
    }
}

/// Whether the silence between two moments ends a session. Records that are out of order do not.
pub(crate) fn is_over(last: DateTime<Utc>, time: DateTime<Utc>) -> bool {
    time - last > SILENCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{FixedOffset, TimeDelta};

    #[test]
    fn six_hours_of_silence_end_a_session() {
        let zone = FixedOffset::east_opt(9 * 3600).unwrap();
        let local = |time: DateTime<Utc>| time.with_timezone(&zone).naive_local();
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        let mut session_day = None;
        for (time, day, began) in [
            ("2026-03-15T14:30:00Z", "2026-03-15", true),
            ("2026-03-15T15:30:00Z", "2026-03-15", false),
            ("2026-03-15T21:30:00Z", "2026-03-15", false),
            ("2026-03-15T21:29:00Z", "2026-03-15", false),
            // Silence is counted from the latest time, also where a clock was set back.
            ("2026-03-16T03:29:01Z", "2026-03-15", false),
            ("2026-03-16T09:29:02Z", "2026-03-16", true),
            ("2026-03-16T09:29:03Z", "2026-03-16", false),
            ("2026-03-22T03:00:00Z", "2026-03-22", true),
            ("2026-03-20T03:00:00Z", "2026-03-22", false),
            ("2026-03-20T23:00:00Z", "2026-03-22", false),
            ("2026-03-22T09:00:01Z", "2026-03-22", true),
        ] {
            let (next, begins) = SessionDay::of(session_day, at(time), &local);
            assert_eq!((next.day.to_string().as_str(), begins), (day, began), "{time}");
            session_day = Some(next);
        }
    }

    #[test]
    fn a_journey_to_the_west_leads_to_no_older_day() {
        let east = |time: DateTime<Utc>| (time + TimeDelta::hours(14)).naive_utc();
        let west = |time: DateTime<Utc>| (time - TimeDelta::hours(11)).naive_utc();
        let noon = DateTime::from_timestamp(1_773_576_000, 0).unwrap();
        let (before, _) = SessionDay::of(None, noon, &east);
        let (after, begins) = SessionDay::of(Some(before), noon + TimeDelta::hours(7), &west);
        assert_eq!((after.day, begins), (before.day, true));
    }
}
