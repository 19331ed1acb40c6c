//! Which days may have something of a session: those whose files were written to since it began.

use std::io;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};

use super::logs::Logs;
use crate::disk::EntryKind;
use crate::memory::period::{Level, Period};

/// How far the clocks of an agent and of the file system may lie apart.
const SKEW: TimeDelta = TimeDelta::days(1);

/// The moment a session begins, to tell which files may hold some of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Since {
    /// the user's day
    pub(super) day: NaiveDate,
    /// the earliest that a file can have been written to that holds some of it, in nanoseconds since 1970
    written: i64,
}

impl Since {
    /// `clock` is the one that also stamps the files. Where the session's runs ahead of it, when a file
    /// was written to tells nothing.
    pub(super) fn new(time: DateTime<Utc>, day: NaiveDate, clock: DateTime<Utc>) -> Self {
        let written = if time > clock { None } else { (time - SKEW).timestamp_nanos_opt() };
        Self { day, written: written.unwrap_or(i64::MIN) }
    }

    /// Whether a file of `day`, last written to at `written`, may hold something said since. A session can
    /// last for days, and its file is that of the day it began; but then it was written to since.
    fn includes(self, day: NaiveDate, written: i64) -> bool {
        let eve = self.day.checked_sub_days(Days::new(1));
        eve.is_none_or(|eve| day >= eve) || written >= self.written
    }
}

/// The days that have a log, or a backup if `backups`, latest first; only those that may hold something said
/// `since`.
pub(super) fn days(
    logs: &Logs<'_>,
    since: Option<Since>,
    backups: bool,
) -> io::Result<Vec<NaiveDate>> {
    let day = |name: &str| {
        let label = if backups {
            name.strip_prefix(".session-transcript-")?.strip_suffix(".jsonl")?
        } else {
            name.strip_suffix(".md")?
        };
        match Period::parse(Level::Daily, label)? {
            Period::Day(day) => Some(day),
            _ => None,
        }
    };
    let mut days: Vec<NaiveDate> = logs
        .memory
        .list(|name| day(name).is_some())?
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .filter_map(|entry| Some((day(&entry.name)?, entry.stamp.mtime)))
        .filter(|(day, written)| since.is_none_or(|since| since.includes(*day, *written)))
        .map(|(day, _)| day)
        .collect();
    days.sort_by(|a, b| b.cmp(a));
    Ok(days)
}
