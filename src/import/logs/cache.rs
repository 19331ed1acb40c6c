//! What the logs and backups of a memory hold, kept from one import to the next of the same run.
//!
//! A single import reads the files that may hold something of its session, and no others. One after another, a hundred
//! sessions would read all files a hundred times. Here each file is read once, and again where it is not as it was
//! left.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::rc::Rc;

use chrono::NaiveDate;

use super::{LINE_LIMIT, Logs};
use crate::capture::already_logged::Owned;
use crate::capture::{Redact, block};
use crate::disk::{FileLine, Identity, LineReader, find, read_range};
use crate::layout;
use crate::markdown::heading;
use crate::memory::snapshot::Stamp;
use crate::plan::hash;
use crate::text::without_bom;

/// What is remembered of the files of a memory.
#[derive(Default)]
pub(crate) struct ImportCache {
    logs: RefCell<HashMap<NaiveDate, (Stamp, Log)>>,
    backups: RefCell<Backups>,
    /// where in the backup of a day the record stands that was looked for last
    places: RefCell<HashMap<NaiveDate, u64>>,
    lines: RefCell<HashMap<NaiveDate, Lines>>,
}

/// The lines of a backup, by their hashes: eight bytes each, however long it is.
struct Lines {
    of: Identity,
    /// up to where it was read; a line that has no end yet is not
    to: u64,
    hashes: HashSet<u64>,
}

#[derive(Default)]
struct Log {
    /// the sessions that have a block in it, and where the last line ends that begins or ends one
    sessions: HashMap<String, u64>,
    /// when the sessions in it began, as their headings say
    began: HashSet<String>,
}

#[derive(Default)]
struct Backups {
    read: HashMap<NaiveDate, (Identity, Stamp)>,
    owned: Rc<Owned>,
}

impl ImportCache {
    /// Whether the log of a day has a block of a session. One that cannot be read may have.
    pub(in crate::import) fn has_block(
        &self,
        logs: &Logs<'_>,
        day: NaiveDate,
        session: &str,
    ) -> io::Result<bool> {
        self.of_log(logs, day, |log| log.sessions.contains_key(session))
    }

    /// Where in the log of a day the last line ends that begins or ends a block of a session, if it was read.
    pub(in crate::import) fn behind_last_marker(
        &self,
        day: NaiveDate,
        session: &str,
    ) -> Option<u64> {
        self.logs.borrow().get(&day)?.1.sessions.get(session).copied()
    }

    /// Whether the first `size` bytes of the backup of a day have the record with this id, which no other has. Sessions
    /// are looked at in the order in which they were written, so the search goes on where the last one ended.
    pub(in crate::import) fn has_record(
        &self,
        (file, size): (&File, u64),
        day: NaiveDate,
        id: &str,
    ) -> io::Result<bool> {
        let from = self.places.borrow().get(&day).copied().unwrap_or(0).min(size);
        let found = place_of_record(file, id, from..size)?
            .map_or_else(|| place_of_record(file, id, 0..size), |at| Ok(Some(at)))?;
        self.places.borrow_mut().extend(found.map(|at| (day, at)));
        Ok(found.is_some())
    }

    /// Whether a session in the log of a day began at this time.
    pub(in crate::import) fn has_session(
        &self,
        logs: &Logs<'_>,
        day: NaiveDate,
        time: &str,
    ) -> io::Result<bool> {
        self.of_log(logs, day, |log| log.began.contains(time))
    }

    /// Those of these records that are not in the backup of a day yet. What was read of it before is not read again.
    pub(in crate::import) fn not_in_backup(
        &self,
        logs: &Logs<'_>,
        day: NaiveDate,
        records: &[u8],
    ) -> io::Result<Vec<u8>> {
        let Some((file, stamp)) = logs.must_open(&layout::backup_name(day))? else {
            return Ok(records.to_vec());
        };
        let of = Identity::of(&file)?;
        let mut all = self.lines.borrow_mut();
        let goes_on = |lines: &Lines| lines.of == of && lines.to <= stamp.size;
        let known = all.remove(&day).filter(goes_on);
        let mut known = known.unwrap_or(Lines { of, to: 0, hashes: HashSet::new() });
        let mut unended = None;
        let mut lines = LineReader::of(&file, known.to..stamp.size, LINE_LIMIT)?;
        while let Some((range, line)) = lines.next()? {
            match line {
                FileLine::Whole(line) => _ = known.hashes.insert(hash(line)),
                FileLine::Unended(line) => {
                    unended = Some(hash(line));
                    break;
                }
                FileLine::TooLong(_) => {}
            }
            known.to = range.end;
        }
        let is_new = |line: &&[u8]| {
            let line = hash(line.strip_suffix(b"\n").unwrap_or(line));
            !known.hashes.contains(&line) && unended != Some(line)
        };
        let new: Vec<&[u8]> =
            records.split_inclusive(|byte| *byte == b'\n').filter(is_new).collect();
        let new = new.concat();
        all.insert(day, known);
        Ok(new)
    }

    fn of_log(
        &self,
        logs: &Logs<'_>,
        day: NaiveDate,
        asks: impl Fn(&Log) -> bool,
    ) -> io::Result<bool> {
        let name = layout::log_name(day);
        let Some(entry) = logs.memory.entry(&name)? else { return Ok(false) };
        if let Some((stamp, log)) = self.logs.borrow().get(&day)
            && *stamp == entry.stamp
        {
            return Ok(asks(log));
        }
        let Some((file, stamp)) = logs.open(&name)? else { return Ok(true) };
        let mut log = Log::default();
        let mut lines = LineReader::of(&file, 0..stamp.size, 512)?;
        while let Some((span, line)) = lines.next()? {
            let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
            let line = without_bom(line);
            if !line.starts_with(b"<!--") && !line.starts_with(b"##") {
                continue;
            }
            let Ok(line) = std::str::from_utf8(line) else { continue };
            match block::marker(line) {
                Some(block::Marker::Start { session, .. } | block::Marker::End { session, .. }) => {
                    log.sessions.insert(session.to_owned(), span.end);
                }
                None => {
                    log.began.extend(heading::session_heading(line).map(|it| it.time.to_owned()));
                }
            }
        }
        let answer = asks(&log);
        self.logs.borrow_mut().insert(day, (stamp, log));
        Ok(answer)
    }

    /// The records in the backups of these days, and of those that were read before.
    pub(in crate::import) fn records(
        &self,
        logs: &Logs<'_>,
        days: &[NaiveDate],
        redact: &dyn Redact,
    ) -> io::Result<Rc<Owned>> {
        let mut backups = self.backups.borrow_mut();
        for day in days {
            let name = layout::backup_name(*day);
            let Some(entry) = logs.memory.entry(&name)? else { continue };
            let known = backups.read.get(day).copied();
            if known.is_some_and(|(_, stamp)| stamp == entry.stamp) {
                continue;
            }
            let Some((file, stamp)) = logs.open(&name)? else { continue };
            let identity = Identity::of(&file)?;
            let from = match known {
                None => 0,
                Some((was, before)) if was == identity && before.size <= stamp.size => before.size,
                // Written anew by somebody: what it held before is not told apart any more.
                Some(_) => {
                    drop(backups);
                    *self.backups.borrow_mut() = Backups::default();
                    return self.records(logs, days, redact);
                }
            };
            let owned = Rc::make_mut(&mut backups.owned);
            let mut lines = LineReader::of(&file, from..stamp.size, LINE_LIMIT)?;
            while let Some((_, line)) = lines.next()? {
                match line {
                    // What this run adds is written as it would be now.
                    FileLine::Whole(line) if from > 0 => owned.line(line),
                    FileLine::Whole(line) => owned.line(&redact.as_now(line)),
                    _ => {}
                }
            }
            backups.read.insert(*day, (identity, stamp));
        }
        Ok(Rc::clone(&backups.owned))
    }
}

/// Where the id of a record is in a range of a backup: after its own name, not in a record that mentions this one.
fn place_of_record(file: &File, id: &str, range: Range<u64>) -> io::Result<Option<u64>> {
    let needle = serde_json::to_string(id)?;
    let mut from = range.start;
    while let Some(at) = find(file, needle.as_bytes(), from..range.end)? {
        let before = read_range(file, at.saturating_sub(16)..at)?;
        let before = before.trim_ascii_end();
        if before.ends_with(b"\"uuid\":") || before.ends_with(b"\"id\":") {
            return Ok(Some(at));
        }
        from = at + 1;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_record_is_found_by_its_own_id_wherever_the_last_search_ended() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(
            b"{\"parentUuid\":\"b\",\"uuid\":\"a\"}\n{\"uuid\": \"b\"}\n{\"id\":\"c\"}\n",
        )
        .unwrap();
        let size = file.metadata().unwrap().len();
        let (cache, day) = (ImportCache::default(), NaiveDate::default());
        let has = |id| cache.has_record((&file, size), day, id).unwrap();
        let place = || cache.places.borrow().get(&day).copied();
        assert!(has("b"));
        assert_eq!(place(), Some(39));
        // One that is not there moves nothing; one that is before is found all the same.
        assert!(!has("d"));
        assert_eq!(place(), Some(39));
        assert!(has("a") && has("c"));
        assert_eq!(place(), Some(50));
    }
}
