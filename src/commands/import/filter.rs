//! What is old although the session's own blocks cannot tell: gathers what [`known`] needs from backups
//! and logs.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

use chrono::NaiveDate;

use super::place::{Found, Since, days};
use super::source::{Said, Source};
use super::{Importer, harmless};
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::known::{self, Backup};
use crate::capture::spoken::{self, Spoken, Turns};
use crate::capture::transcript::{self, Piece, Role};
use crate::disk::{Line, Lines};
use crate::layout;

/// The longest line of a backup that is read, more than a record can have.
const LINE_LIMIT: usize = 2 * 1024 * 1024;

/// Tells old pieces from new ones.
#[derive(Default)]
pub(super) struct Filter {
    backup: Backup,
    /// for each turn of the source, in order: where it begins, and whether it is old
    turns: Vec<(u64, bool)>,
    at: usize,
    last: bool,
}

impl Filter {
    /// Whether a piece, as read from its redacted record, is old. To be asked in the order of the source.
    pub(super) fn is_old(&mut self, piece: &Piece, start: u64) -> bool {
        while self.turns.get(self.at + 1).is_some_and(|(from, _)| *from <= start) {
            self.at += 1;
        }
        let by_order = self.turns.get(self.at).is_some_and(|(from, old)| *old && *from <= start);
        // A note about a record that was skipped is as old as what it follows.
        let old = (piece.role == Role::Nobody && self.last)
            || by_order
            || (piece.role != Role::Nobody && self.backup.knows(piece));
        self.last = old;
        old
    }

    /// Whether the backups have the record of a piece.
    pub(super) fn is_backed_up(&self, piece: &Piece) -> bool {
        self.backup.holds(piece)
    }
}

impl Importer<'_> {
    /// The piece and its record without secrets. The piece is read from the redacted record, so that it
    /// compares equal with what is read from a backup.
    pub(super) fn redacted(&self, said: Said<'_>) -> (Piece, Vec<u8>) {
        if said.record.is_empty() {
            return (said.piece, Vec::new());
        }
        let record = one_line(&self.redact.json_line(said.record));
        let (mut piece, record) = match transcript::piece(&record) {
            Some(piece) => (piece, record),
            None => (said.piece, Vec::new()),
        };
        let clean = self.redact.text(&piece.text).into_owned();
        piece.text = clean;
        for tool in &mut piece.tools {
            *tool = self.redact.text(tool).into_owned();
        }
        // What is no longer told apart must not be taken for one and the same.
        let told_apart = |id: &String| !id.contains("[REDACTED");
        piece.id = piece.id.filter(told_apart);
        piece.reply = piece.reply.filter(told_apart);
        (piece, record)
    }

    /// For a session that has no block yet: it may be a fork.
    pub(super) fn fork_filter(&self, source: &Source<'_>) -> io::Result<Option<Filter>> {
        let mut first = None;
        source.read(0..source.end(), |said| {
            first = Some(self.redacted(said));
            ControlFlow::Break(())
        })?;
        let Some((first, _)) = first else { return Ok(None) };
        let since = first.time.map(|time| self.since(time));
        let backed_up = days(self.memory, since, true)?;
        let mut filter = Filter { backup: self.backups(&backed_up)?, ..Filter::default() };
        let without_backup = since.is_some_and(|since| !backed_up.contains(&since.day));
        if without_backup && !filter.backup.knows(&first) {
            self.walk_along_a_parent(source, &first, &mut filter)?;
        }
        Ok(Some(filter))
    }

    /// Without a backup, a fork is known by the time of its first turn, which heads the parent's block, and
    /// goes as far as the words are the same.
    fn walk_along_a_parent(
        &self,
        source: &Source<'_>,
        first: &Piece,
        filter: &mut Filter,
    ) -> io::Result<()> {
        let Some(time) = first.time.map(|time| (self.local)(time)) else { return Ok(()) };
        let heading = time.format("%Y-%m-%d %H:%M:%S").to_string();
        let mut logs = days(self.memory, first.time.map(|time| self.since(time)), false)?;
        logs.reverse();
        let spoken = self.spoken(&logs, None)?;
        let parents: Vec<&[u64]> = spoken
            .values()
            .flat_map(|spoken| {
                let here = spoken.headings.iter().filter(|(_, time)| *time == heading);
                here.map(|(index, _)| &spoken.turns[*index..])
            })
            .collect();
        if parents.is_empty() {
            return Ok(());
        }
        let turns = self.turns(source, &HashSet::new())?;
        let spoken: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        let shared = |parent: &[u64]| {
            parent.iter().zip(&spoken).take_while(|(theirs, ours)| theirs == ours).count()
        };
        let shared = parents.into_iter().map(shared).max().unwrap_or(0);
        filter.turns = spread(&turns, &(0..spoken.len()).map(|at| at < shared).collect::<Vec<_>>());
        Ok(())
    }

    /// For messages that come whole every time, and for a transcript that was rewritten.
    pub(super) fn order_filter(
        &self,
        source: &Source<'_>,
        session: &str,
        since: Option<Since>,
        found: Option<&Found>,
    ) -> io::Result<Filter> {
        let backup = self.backups(&days(self.memory, since, true)?)?;
        let mut filter = Filter { backup, ..Filter::default() };
        if found.is_none() {
            return Ok(filter);
        }
        let mut surely_new = HashSet::new();
        source.read(0..source.end(), |said| {
            let start = said.span.start;
            let (piece, _) = self.redacted(said);
            if piece.id.is_none() && filter.backup.knows_at_other_times_only(&piece) {
                surely_new.insert(start);
            }
            ControlFlow::Continue(())
        })?;
        let mut logs = days(self.memory, since, false)?;
        logs.reverse();
        let logged = self.spoken(&logs, Some(session))?.remove(session).unwrap_or_default();
        let turns = self.turns(source, &surely_new)?;
        let came: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        filter.turns = spread(&turns, &known::in_order(&logged.turns, &came));
        Ok(filter)
    }

    /// What the backup of one day holds.
    pub(super) fn backup_of(&self, day: NaiveDate) -> io::Result<Filter> {
        Ok(Filter { backup: self.backups(&[day])?, ..Filter::default() })
    }

    fn backups(&self, days: &[NaiveDate]) -> io::Result<Backup> {
        let mut backup = Backup::default();
        for day in days {
            let name = layout::backup_name(*day);
            let Some((file, stamp)) = self.memory.open_file(&name)? else { continue };
            let mut lines = Lines::of(&file, 0..stamp.size, LINE_LIMIT)?;
            while let Some((_, line)) = lines.next()? {
                if let Line::Whole(line) = line {
                    backup.line(line);
                }
            }
        }
        Ok(backup)
    }

    fn spoken(
        &self,
        days: &[NaiveDate],
        session: Option<&str>,
    ) -> io::Result<std::collections::BTreeMap<String, Spoken>> {
        let mut turns = Turns::new(session);
        for day in days {
            let Some((file, stamp)) = self.memory.open_file(&layout::log_name(*day))? else {
                continue;
            };
            let mut lines = Lines::of(&file, 0..stamp.size, LINE_LIMIT)?;
            while let Some((_, line)) = lines.next()? {
                if let Line::Whole(line) | Line::Unended(line) = line {
                    turns.line(&String::from_utf8_lossy(line));
                }
            }
        }
        Ok(turns.finish())
    }

    /// Every turn of a source: where it begins, and its hash. Those in `surely_new` get one that no other has.
    fn turns(
        &self,
        source: &Source<'_>,
        surely_new: &HashSet<u64>,
    ) -> io::Result<Vec<(u64, Option<u64>)>> {
        let mut turns = Vec::new();
        let mut take = |chunk: &Chunk| {
            for (index, (_, from)) in chunk.turns.iter().enumerate() {
                let hash = spoken::turn_hash(chunk.turn(index));
                let own = crate::plan::hash(format!("surely new at {from}").as_bytes());
                let hash = if surely_new.contains(from) { hash.map(|_| own) } else { hash };
                turns.push((*from, hash));
            }
        };
        let mut chunker = Chunker::new(self.now, &*self.local, None, None);
        source.read(0..source.end(), |said: Said<'_>| {
            let span = said.span.clone();
            let (mut piece, _) = self.redacted(said);
            piece.text = harmless(piece.role, &piece.text);
            if let Some(chunk) = chunker.push(&piece, span, b"") {
                take(&chunk);
            }
            ControlFlow::Continue(())
        })?;
        chunker.finish(0).iter().for_each(take);
        Ok(turns)
    }
}

/// Gives each turn its verdict; one without words shares that of the turn before it.
fn spread(turns: &[(u64, Option<u64>)], old: &[bool]) -> Vec<(u64, bool)> {
    let mut old = old.iter().copied();
    let mut last = false;
    let mut verdict = |hash: Option<u64>| {
        if hash.is_some() {
            last = old.next().unwrap_or(false);
        }
        last
    };
    turns.iter().map(|(from, hash)| (*from, verdict(*hash))).collect()
}

/// A JSON value without the newlines that may stand between its parts.
fn one_line(json: &[u8]) -> Vec<u8> {
    json.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}
