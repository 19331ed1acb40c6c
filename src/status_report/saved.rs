//! What was saved last, told from the logs and their backups alone.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, NaiveDate};
use serde::Serialize;

use crate::capture::block::{self, Marker};
use crate::capture::transcript::{self, Role};
use crate::disk::{EntryKind, Memory, read_range};
use crate::hooks::fired::Fired;
use crate::layout;
use crate::markdown::form;
use crate::memory::sessions_of_log;

/// How much of the end of a backup is looked at, in bytes: more than a record may have.
const TAIL: u64 = 2 * 1024 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Saved {
    /// when its last words were said; where no record tells, when they were written down
    pub(crate) at: DateTime<FixedOffset>,
    /// the client, where a record tells
    pub(crate) agent: Option<&'static str>,
    pub(crate) session: String,
    pub(crate) log: String,
    pub(crate) began: Option<DateTime<FixedOffset>>,
    pub(crate) title: Option<String>,
    pub(crate) turns: usize,
    /// whether no hook has fired since its last words were said, so that they were brought in by hand
    pub(crate) imported: bool,
    /// when the file was written that was written last, nanoseconds since 1970 by the clock of the file system
    #[serde(skip)]
    pub(crate) written: i64,
}

/// The last block of the log whose backup grew last, or of a later day's; without a backup, of the latest log that has
/// a block. `fired` is when hooks did.
pub(crate) fn last(memory: &Memory, zone: FixedOffset, fired: &[Fired]) -> Option<Saved> {
    let saved = latest(memory, zone)?;
    let imported = !fired.iter().any(|fired| fired.at >= saved.at);
    Some(Saved { imported, ..saved })
}

fn latest(memory: &Memory, zone: FixedOffset) -> Option<Saved> {
    let folder = memory.folder();
    let of_backup = layout::day_of_backup;
    let of_log = |name: &str| layout::day_of_log(name).filter(|day| layout::log_name(*day) == name);
    let wanted = |name: &str| of_backup(name).is_some() || of_log(name).is_some();
    let entries = folder.list(wanted).ok()?;
    let files = |of: &dyn Fn(&str) -> Option<NaiveDate>| {
        let files =
            entries.iter().filter(|entry| entry.kind == EntryKind::File && entry.stamp.size > 0);
        let mut files: Vec<_> =
            files.filter_map(|entry| Some((entry.stamp.mtime, of(&entry.name)?))).collect();
        files.sort_by(|a, b| b.cmp(a));
        files
    };
    let in_backup = |(written, day): (i64, NaiveDate)| {
        let record = last_record(memory, &layout::backup_name(day))?;
        Some(Saved { agent: record.1, ..of_day(memory, day, written, record.0, zone)? })
    };
    let backups = files(&of_backup);
    let grew = backups.iter().copied().find_map(in_backup);
    // An import of old sessions makes an old backup grow, and is not what was said last.
    let newest = backups.iter().copied().max_by_key(|(_, day)| *day).and_then(in_backup);
    let written = grew.as_ref().map_or(0, |saved| saved.written);
    let said_last = grew.into_iter().chain(newest).max_by_key(|saved| saved.at);
    said_last.map(|saved| Saved { written, ..saved }).or_else(|| {
        let mut logs = files(&of_log);
        logs.sort_by_key(|(_, day)| std::cmp::Reverse(*day));
        logs.into_iter().find_map(|(written, day)| of_day(memory, day, written, None, zone))
    })
}

/// When the last record of a backup was made, and by which client.
fn last_record(
    memory: &Memory,
    name: &str,
) -> Option<(Option<DateTime<FixedOffset>>, Option<&'static str>)> {
    let (file, stamp) = memory.folder().open_file(name).ok()??;
    let bytes = read_range(&file, stamp.size.saturating_sub(TAIL)..stamp.size).ok()?;
    let mut lines = bytes.rsplit(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let record = lines.find(|line| transcript::is_record(line))?;
    let time = transcript::piece(record).and_then(|piece| piece.time);
    let time = time.or_else(|| transcript::time_of(record)).map(|time| time.fixed_offset());
    Some((time, transcript::client_of(record)))
}

fn of_day(
    memory: &Memory,
    day: NaiveDate,
    written: i64,
    said: Option<DateTime<FixedOffset>>,
    zone: FixedOffset,
) -> Option<Saved> {
    let log = layout::log_name(day);
    let (bytes, _) = memory.folder().read(&log).ok()?;
    let session = last_session(&String::from_utf8_lossy(&bytes), zone)?;
    let at = said.unwrap_or_else(|| DateTime::from_timestamp_nanos(written).fixed_offset());
    Some(Saved {
        at: at.with_timezone(&zone),
        log: format!("{}/{log}", layout::MEMORY),
        written,
        ..session
    })
}

fn last_session(log: &str, zone: FixedOffset) -> Option<Saved> {
    let last = log.lines().rev().find_map(block::marker)?;
    let session = last.session().to_owned();
    let (mut began, mut title, mut turns, mut inside) = (None, None, 0, false);
    for line in log.lines() {
        match block::marker(line) {
            Some(Marker::Start { session: found, .. }) => inside = found == session,
            Some(Marker::End { .. }) => inside = false,
            None if !inside => {}
            None => match block::session_heading(line) {
                Some((Some(time), named)) => {
                    let time = sessions_of_log::time(time);
                    began = time.and_then(|time| time.and_local_timezone(zone).single());
                    (title, turns) = (named.map(form::read_title), 0);
                }
                Some((None, named)) => title = named.map(form::read_title).or(title),
                None => {
                    let line = block::line(line);
                    turns += usize::from(matches!(
                        line,
                        block::BlockLine::Turn(Role::User | Role::Assistant, _)
                    ));
                }
            },
        }
    }
    let title = title.map(Cow::into_owned);
    Some(Saved { session, began, title, turns, ..Saved::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_session_is_that_of_the_last_block() {
        let log = "<!-- hipocampus:session a 0-9 -->\n## Session — 2026-03-15 09:00:00 — one\n\n**User:** x\n<!-- hipocampus:end a 9 -->\n\
                   <!-- hipocampus:session b 0-5 -->\n## Session — 2026-03-15 09:30:00 — two \\[x\\]\n\n**User:** y\n<!-- hipocampus:end b 5 -->\n\
                   <!-- hipocampus:session a 9-12 -->\n**Assistant:** z\n<!-- hipocampus:end a 12 -->\n\
                   <!-- hipocampus:session b 5-7 -->\n**Title:** three\n\n**Assistant:** z\n<!-- hipocampus:end b 7 -->\n## By hand\n- c\n";
        let zone = FixedOffset::east_opt(3600).unwrap();
        let found = last_session(log, zone).unwrap();
        assert_eq!((found.session.as_str(), found.turns), ("b", 2));
        assert_eq!(found.title.as_deref(), Some("three"));
        assert_eq!(found.began.unwrap().to_string(), "2026-03-15 09:30:00 +01:00");
        assert_eq!(last_session("## By hand\n- c\n", zone), None);
    }
}
