//! The writes of an import: a block to a log, records to a backup. Their order is argued in the module above.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;

use chrono::NaiveDate;

use super::anchor::BlockAnchor;
use super::buried::without_buried;
use super::context::ImportContext;
use super::filter::Prefilter;
use super::logs::LINE_LIMIT;
use super::session_so_far::SessionSoFar;
use super::source::Conversation;
use super::{logs, place, proven, reopen, session_so_far};
use crate::capture::already_logged::is_unique;
use crate::capture::chunk::Chunk;
use crate::capture::{block, entries, ledger};
use crate::disk::{Identity, NamedError, Write, read_range, rfind_line};
use crate::layout;
use crate::markdown::form::SUMMARY;
use crate::plan::Note;

/// What an import has come to.
#[derive(Debug, Default)]
pub(crate) struct ImportOutcome {
    /// the days whose logs grew
    pub(crate) days: BTreeSet<NaiveDate>,
    pub(crate) turns: usize,
    pub(crate) notes: Vec<Note>,
    /// how many of these are about what this version cannot read: what it can was imported
    pub(crate) passed_over: usize,
    /// whether time ran out, perhaps before the end of the session
    pub(crate) unfinished: bool,
    /// lines of the source of which something could not be read
    pub(super) unreadable: usize,
}

/// Writes the blocks of an import, one after the other.
pub(super) struct BlockWriter<'c, 'a> {
    context: &'c ImportContext<'a>,
    /// the branch that is worked on, where that is worth telling
    pub(super) branch: Option<String>,
    /// whether the source is the backup of a day, so that its records may be in the backup already
    from_backup: bool,
    /// the block that the next one goes on from
    pub(super) last: Option<BlockAnchor>,
    /// the session that this one goes on with
    known: Option<SessionSoFar>,
    pub(super) outcome: ImportOutcome,
}

impl<'c, 'a> BlockWriter<'c, 'a> {
    pub(super) fn new(
        context: &'c ImportContext<'a>,
        branch: Option<String>,
        from_backup: bool,
    ) -> Self {
        let outcome = ImportOutcome::default();
        Self { context, branch, from_backup, last: None, known: None, outcome }
    }

    pub(super) fn write_chunk(&mut self, session: &str, chunk: Chunk) -> io::Result<()> {
        let chunk = without_buried(&self.context.forgotten, session, chunk);
        let day = self.writable(chunk.day);
        let tail = self.tail(day)?;
        let Some(chunk) = self.titled(session, chunk, &tail)? else { return Ok(()) };
        let mut bytes = ledger::append(&tail, session, &chunk);
        // What a client's model was asked for is in the log as what it is.
        for turn in (0..chunk.turns.len()).map(|index| chunk.turn(index)) {
            let summary = turn.trim_start().strip_prefix(SUMMARY);
            let asked = summary.and_then(entries::entries).unwrap_or_default();
            bytes.extend_from_slice(asked.as_bytes());
        }
        self.add_to_log(day, &bytes, block::end(session, chunk.to))?;
        self.outcome.turns += chunk.turns.len();
        self.add_to_backup(day, &chunk.backup)?;
        self.outcome.notes.extend(proven::save(self.context.memory, self.context.redact));
        Ok(())
    }

    /// The day whose log takes what belongs to `day`: another one only where that log cannot be read or written.
    /// Then today's does, for what is not saved under any day may be gone tomorrow.
    fn writable(&self, day: NaiveDate) -> NaiveDate {
        let today = (self.context.local)(self.context.now).date();
        let name = layout::log_name(day);
        if day >= today || self.context.logs.can_be_added_to(&name) { day } else { today }
    }

    /// The chunk with the title that its block shows; `None` where it has nothing to say but a title that is known.
    fn titled(&mut self, session: &str, chunk: Chunk, tail: &[u8]) -> io::Result<Option<Chunk>> {
        let mut known = match self.known.take() {
            Some(known) => known,
            None => match self.last.as_ref().filter(|last| last.day == chunk.day) {
                Some(_) => session_so_far::read(self.context.memory, session, chunk.day, u64::MAX)?,
                None => SessionSoFar::default(),
            },
        };
        let before = known.title.clone();
        let title = known.show(&chunk, ledger::heads(tail, session, &chunk));
        let says = known.title != before || !chunk.turns.is_empty();
        self.known = Some(known);
        Ok(says.then(|| Chunk { title, branch: self.branch.clone(), ..chunk }))
    }

    /// Adds a block, or the rest of one, that ends with the line `end`.
    pub(super) fn add_to_log(
        &mut self,
        day: NaiveDate,
        bytes: &[u8],
        end: String,
    ) -> io::Result<()> {
        let name = layout::log_name(day);
        if !self.outcome.days.contains(&day) {
            let failed = reopen::announce(self.context.memory, day).err();
            let note = failed.map(|error| reopen::not_announced(&error));
            let is_news = |note: &Note| !self.outcome.notes.contains(note);
            let note = note.filter(is_news);
            self.outcome.notes.extend(note);
        }
        let only = self.last.as_ref().filter(|last| last.day == day).map(|last| last.log);
        let written = if self.stands()? {
            let written = self.context.memory.append_to(&name, bytes, Write::KEPT, only);
            written.map_err(|error| NamedError::put(&logs::path(&name), error))?
        } else {
            None
        };
        let Some(log) = written else {
            let why =
                "its log was saved by somebody else at the same moment; the next event goes on";
            return Err(io::Error::other(why));
        };
        self.last = Some(BlockAnchor { day, log, line: end });
        self.outcome.days.insert(day);
        Ok(())
    }

    /// Whether the block that the next one continues is still there.
    fn stands(&self) -> io::Result<bool> {
        let Some(last) = &self.last else { return Ok(true) };
        let Some((file, stamp)) = self.context.logs.must_open(&layout::log_name(last.day))? else {
            return Ok(false);
        };
        let line = last.line.trim_end().to_owned();
        Ok(Identity::of(&file)? == last.log && rfind_line(&file, &[line], stamp.size)?.is_some())
    }

    pub(super) fn add_to_backup(&self, day: NaiveDate, records: &[u8]) -> io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let name = layout::backup_name(day);
        let new;
        let mut records = records;
        if let Some(cache) = self.context.logs.cache.filter(|_| self.from_backup) {
            new = cache.not_in_backup(&self.context.logs, day, records)?;
            records = &new;
        }
        if records.is_empty() {
            return Ok(());
        }
        let cut = self.cut_record(&name)?;
        let mut bytes = Vec::with_capacity(records.len() + 1);
        if let Some(rest) = records.strip_prefix(&cut[..]) {
            // A kill tore the write of this very record, or nothing is torn.
            bytes.extend_from_slice(rest);
        } else {
            bytes.push(b'\n');
            bytes.extend_from_slice(records);
        }
        let written = self.context.memory.append(&name, &bytes, Write::KEPT);
        written.map_err(|error| NamedError::put(&logs::path(&name), error))
    }

    /// The last line of a backup, where it has no end.
    fn cut_record(&self, name: &str) -> io::Result<Vec<u8>> {
        let Some((file, stamp)) = self.context.logs.must_open(name)? else { return Ok(Vec::new()) };
        let end = stamp.size.saturating_sub(1)..stamp.size;
        if end.is_empty() || read_range(&file, end)? == b"\n" {
            return Ok(Vec::new());
        }
        let longest = stamp.size.saturating_sub(LINE_LIMIT as u64)..stamp.size;
        let bytes = read_range(&file, longest)?;
        Ok(bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().to_vec())
    }

    /// Appends the records of a block to the backup, if a crash came between the two.
    pub(super) fn mend_backup(
        &mut self,
        source: &Conversation<'_>,
        day: NaiveDate,
        from: u64,
        to: u64,
    ) -> io::Result<()> {
        let Some((_, last)) = place::before(source, to, self.context.now)? else { return Ok(()) };
        let Some(id) = last.id.filter(|_| from < to) else { return Ok(()) };
        let needle = serde_json::to_string(&id).unwrap_or_default();
        if let Some((file, stamp)) = self.context.logs.must_open(&layout::backup_name(day))? {
            let near_the_end = stamp.size.saturating_sub(1024 * 1024)..stamp.size;
            let bytes = read_range(&file, near_the_end.clone())?;
            // A record that was cut short may still contain its id.
            let whole = memchr::memrchr(b'\n', &bytes).unwrap_or(0);
            if memchr::memmem::find(&bytes[..whole], needle.as_bytes()).is_some() {
                return Ok(());
            }
            let whole = near_the_end.start + whole as u64;
            // An import of many sessions asks this of each.
            if let Some(cache) = self.context.logs.cache.filter(|_| is_unique(&id))
                && cache.has_record((&file, whole), day, &id)?
            {
                return Ok(());
            }
        }
        let mut missing = Vec::new();
        let filter = Prefilter::new(self.context).backup_of(day)?;
        source.read(from..to, |said| {
            let (piece, record) = self.context.redacted(said);
            if piece.id.is_some() && !record.is_empty() && !filter.is_backed_up(&piece) {
                missing.extend_from_slice(&record);
                missing.push(b'\n');
            }
            ControlFlow::Continue(())
        })?;
        self.add_to_backup(day, &missing)
    }

    /// The end of a log: its last lines, and as much of a torn block as there may be.
    fn tail(&self, day: NaiveDate) -> io::Result<Vec<u8>> {
        let Some((file, stamp)) = self.context.logs.must_open(&layout::log_name(day))? else {
            return Ok(Vec::new());
        };
        let near = read_range(&file, stamp.size.saturating_sub(1024)..stamp.size)?;
        let line = near.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let marker = std::str::from_utf8(line).ok().and_then(block::marker);
        if stamp.size <= 1024 || matches!(marker, Some(block::Marker::End { .. })) {
            return Ok(near);
        }
        read_range(&file, stamp.size.saturating_sub(2 * 1024 * 1024)..stamp.size)
    }
}
