//! What is old although the session's own blocks do not show it: gathers what [`already_logged`] needs from backups
//! and logs.

mod copied;

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use chrono::NaiveDate;

use super::context::ImportContext;
use super::logs::LINE_LIMIT;
use super::place::LastBlock;
use super::since::{Since, days};
use super::source::{Conversation, Event, Met};
use crate::capture::already_logged::{self, Backup, Backups, Owned};
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::spoken::{self, Spoken, Turns};
use crate::capture::transcript::{Role, TurnPart};
use crate::capture::{Redact, block};
use crate::disk::{FileLine, LineReader};
use crate::layout;

/// How the heading of a session tells its time.
const HEADING: &str = "%Y-%m-%d %H:%M:%S";

/// Tells old pieces from new ones.
#[derive(Default)]
pub(super) struct Filter {
    /// records of other sessions: what has their ids is a copy
    others: Backup,
    /// records that hold a turn back only where a log covers it: this session's own, and those that do not
    /// tell whose they are
    own: Backup,
    /// in their place, what earlier imports of this run know of them, and the names of the session
    cached: Option<(Rc<Owned>, Vec<String>)>,
    /// the turns of the source, in order
    turns: Vec<Verdict>,
    at: usize,
    last: bool,
}

/// What the logs say about a turn of the source.
#[derive(Clone, Copy)]
struct Verdict {
    from: u64,
    /// whether it is there
    old: bool,
    /// whether it is there if a backup has its record
    covered: bool,
}

impl Filter {
    /// Whether a piece, as read from its redacted record, is old. To be asked in the order of the source.
    pub(super) fn is_old(&mut self, piece: &TurnPart, start: u64) -> bool {
        while self.turns.get(self.at + 1).is_some_and(|turn| turn.from <= start) {
            self.at += 1;
        }
        let turn = self.turns.get(self.at).filter(|turn| turn.from <= start);
        let by_order = turn.is_some_and(|turn| turn.old);
        let covered = turn.is_some_and(|turn| turn.covered);
        // A note about a record that was skipped is as old as what it follows.
        let old = (piece.role == Role::Nobody && self.last)
            || by_order
            || (piece.role != Role::Nobody
                && (self.others.knows(piece)
                    || self.is_cached(piece)
                    || (covered && self.own.knows(piece))));
        self.last = old;
        old
    }

    fn is_cached(&self, piece: &TurnPart) -> bool {
        self.cached.as_ref().is_some_and(|(owned, names)| owned.whose(piece, names).others)
    }

    /// Whether the backups have the record of a piece.
    pub(super) fn is_backed_up(&self, piece: &TurnPart) -> bool {
        self.others.holds(piece) || self.own.holds(piece)
    }
}

/// Finds what of a session is in logs and backups already.
pub(super) struct Prefilter<'c, 'a> {
    context: &'c ImportContext<'a>,
}

impl<'c, 'a> Prefilter<'c, 'a> {
    pub(super) fn new(context: &'c ImportContext<'a>) -> Self {
        Self { context }
    }

    /// For a session that has no block: it may be new, a fork, or one whose blocks were lost, as when an
    /// editor saved the log with a text from before them. Then its own records are in the backup, but hold
    /// nothing back.
    pub(super) fn fork_filter(
        &self,
        source: &Conversation<'_>,
        session: &str,
        unreadable: &mut usize,
    ) -> io::Result<Option<Filter>> {
        let mut first: Option<TurnPart> = None;
        let mut met = Met::default();
        source.read_counting(None, 0..source.end(), &mut met, &mut |said: Event<'_>| {
            if said.piece.role.is_title() {
                return ControlFlow::Continue(());
            }
            let (piece, _) = self.context.redacted(said);
            // What could not be read tells neither whose it is nor when it was said.
            let is_said = piece.role != Role::Nobody;
            if is_said || first.is_none() {
                first = Some(piece);
            }
            if is_said { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let Some(first) = first else {
            *unreadable += met.unreadable;
            return Ok(None);
        };
        let since = first.time.map(|time| self.context.since(time));
        let backed_up = days(&self.context.logs, since, true)?;
        let names = self.names(source, session)?;
        if let Some(turns) = self.turns_of_parents(source)? {
            let mut filter = Filter { turns, ..Filter::default() };
            self.add_hidden(since, None, &mut filter)?;
            return Ok(Some(filter));
        }
        if source.origin()?.nameless {
            return self.copied(source, session, &first, since).map(Some);
        }
        if let Some(filter) = self.cached_filter(&first, since, &backed_up, &names)? {
            return Ok(Some(filter));
        }
        let backups = self.backups(&backed_up, &names)?;
        let mut filter = Filter { others: backups.others, ..Filter::default() };
        self.add_hidden(since, None, &mut filter)?;
        if filter.others.knows(&first) {
            return Ok(Some(filter));
        }
        let without_backup = since.is_some_and(|since| !backed_up.contains(&since.day));
        if backups.unattributed.knows(&first) {
            filter.own = backups.unattributed;
            self.look_for_a_parent(source, session, since, &mut filter)?;
        } else if without_backup || backups.own.knows(&first) {
            self.walk_along_a_parent(source, &first, &mut filter)?;
        }
        Ok(Some(filter))
    }

    /// The same by what earlier imports of this run have read, where that is enough to tell.
    fn cached_filter(
        &self,
        first: &TurnPart,
        since: Option<Since>,
        backed_up: &[NaiveDate],
        names: &[String],
    ) -> io::Result<Option<Filter>> {
        let Some(cache) = self.context.logs.cache else { return Ok(None) };
        let owned = cache.records(&self.context.logs, backed_up, self.context.redact)?;
        let whose = owned.whose(first, names);
        let mut filter = Filter { cached: Some((owned, names.to_vec())), ..Filter::default() };
        self.add_hidden(since, None, &mut filter)?;
        if whose.others || filter.others.knows(first) {
            return Ok(Some(filter));
        }
        let without_backup = since.is_some_and(|since| !backed_up.contains(&since.day));
        if whose.unattributed {
            return Ok(None);
        }
        if let Some(time) = first.time.filter(|_| without_backup || whose.own) {
            let heading = (self.context.local)(time).format(HEADING).to_string();
            for day in days(&self.context.logs, since, false)? {
                if cache.has_session(&self.context.logs, day, &heading)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(filter))
    }

    /// The turns of a session that names what it is a copy of, where that is in the logs: as far as the words are the
    /// same, they are old, whatever time their copies have.
    fn turns_of_parents(&self, source: &Conversation<'_>) -> io::Result<Option<Vec<Verdict>>> {
        let parents = source.parents()?;
        if parents.is_empty() {
            return Ok(None);
        }
        let turns = self.turns(source, &HashSet::new())?;
        let came: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        let mut shared = 0;
        for parent in parents.iter().map(|id| block::session_name(id)) {
            let mut logs = days(&self.context.logs, None, false)?;
            logs.reverse();
            let logged = self.spoken(&logs, Some(&parent))?.remove(&parent).unwrap_or_default();
            let same = logged.turns.iter().zip(&came).take_while(|(old, came)| old == came);
            shared = shared.max(same.count());
        }
        let old: Vec<bool> = (0..came.len()).map(|at| at < shared).collect();
        Ok((shared > 0).then(|| spread(&turns, &old)))
    }

    /// Where records do not tell whose they are, those in a backup are another session's if one has the same
    /// turns in its blocks.
    fn look_for_a_parent(
        &self,
        source: &Conversation<'_>,
        session: &str,
        since: Option<Since>,
        filter: &mut Filter,
    ) -> io::Result<()> {
        let mut logs = days(&self.context.logs, since, false)?;
        logs.reverse();
        let turns = self.turns(source, &HashSet::new())?;
        let spoken = self.spoken(&logs, None)?;
        let came: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        let mut covered = vec![false; came.len()];
        for (_, other) in spoken.iter().filter(|(name, _)| *name != session) {
            for (covered, old) in
                covered.iter_mut().zip(already_logged::in_order(&other.turns, &came))
            {
                *covered |= old;
            }
        }
        filter.turns = spread(&turns, &covered);
        for turn in &mut filter.turns {
            turn.covered = std::mem::take(&mut turn.old);
        }
        Ok(())
    }

    /// Without a backup that tells, a fork is known by the time of its first turn, which heads the parent's
    /// block, and goes as far as the words are the same.
    fn walk_along_a_parent(
        &self,
        source: &Conversation<'_>,
        first: &TurnPart,
        filter: &mut Filter,
    ) -> io::Result<()> {
        let Some(time) = first.time.map(|time| (self.context.local)(time)) else { return Ok(()) };
        let heading = time.format(HEADING).to_string();
        let mut logs =
            days(&self.context.logs, first.time.map(|time| self.context.since(time)), false)?;
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
        source: &Conversation<'_>,
        session: &str,
        since: Option<Since>,
        found: &LastBlock,
    ) -> io::Result<Filter> {
        // Without ids, a minute and words tell no two prompts apart.
        let nameless = source.origin()?.nameless;
        let backed_up = days(&self.context.logs, since, true)?;
        let backed_up = if nameless { Vec::new() } else { backed_up };
        let backups = self.backups(&backed_up, &self.names(source, session)?)?;
        let mut own = backups.own;
        own.add(backups.unattributed);
        let mut filter = Filter { others: backups.others, own, ..Filter::default() };
        self.add_hidden(since, Some(found.day), &mut filter)?;
        let mut surely_new = HashSet::new();
        source.read_until(self.context.deadline, 0..source.end(), |said| {
            let start = said.span.start;
            let (piece, _) = self.context.redacted(said);
            let at_other_times_only = || {
                let both = [&filter.others, &filter.own].map(|backup| backup.said(&piece));
                both.contains(&Some(false)) && !both.contains(&Some(true))
            };
            if piece.id.is_none() && at_other_times_only() {
                surely_new.insert(start);
            }
            ControlFlow::Continue(())
        })?;
        self.context.in_time()?;
        let mut logs = days(&self.context.logs, since, false)?;
        logs.reverse();
        let logged = self.spoken(&logs, Some(session))?.remove(session).unwrap_or_default();
        let turns = self.turns(source, &surely_new)?;
        let came: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        filter.turns = spread(&turns, &already_logged::in_order(&logged.turns, &came));
        // Blocks after the last one that stands may have been lost: up to where that one ends, an id
        // tells; behind, it does as often as the words are in the logs.
        let last = &found.last;
        let end = if last.complete { last.to } else { last.from };
        let mut left: HashMap<u64, u32> = HashMap::new();
        for hash in &logged.turns {
            *left.entry(*hash).or_default() += 1;
        }
        let mut covered = false;
        for (verdict, (from, hash)) in filter.turns.iter_mut().zip(&turns) {
            if let Some(hash) = hash {
                let left = left.get_mut(hash).filter(|left| **left > 0);
                covered = left.map(|left| *left -= 1).is_some();
            }
            verdict.covered = covered || *from < end;
        }
        Ok(filter)
    }

    /// A log that cannot be read may have blocks of this session. Its day's backup has the records of what is in
    /// it, so what is in there is old, whoever said it.
    fn add_hidden(
        &self,
        since: Option<Since>,
        behind: Option<NaiveDate>,
        filter: &mut Filter,
    ) -> io::Result<()> {
        let days = days(&self.context.logs, since, false)?;
        let later = days.into_iter().filter(|day| behind.is_none_or(|behind| *day > behind));
        let hidden: Vec<NaiveDate> = later.filter(|day| self.context.logs.hides(*day)).collect();
        if !hidden.is_empty() {
            filter.others.add(self.backups(&hidden, &[])?.all());
        }
        Ok(())
    }

    /// The names this session may have in its records: that of the hook, and that of the transcript itself, as it is
    /// and as it is written.
    fn names(&self, source: &Conversation<'_>, session: &str) -> io::Result<Vec<String>> {
        let recorded = source.origin()?.session;
        let written = recorded.iter().map(|id| block::session_name(&self.context.redact.text(id)));
        let names = written.chain(recorded.iter().map(|id| self.context.session_name(id)));
        Ok(names.chain([session.to_owned()]).collect())
    }

    pub(super) fn backup_of(&self, day: NaiveDate) -> io::Result<Filter> {
        Ok(Filter { others: self.backups(&[day], &[])?.all(), ..Filter::default() })
    }

    /// The backups of some days, by whose records they are; `names` are those of this session.
    fn backups(&self, days: &[NaiveDate], names: &[String]) -> io::Result<Backups> {
        let mut backups = Backups::default();
        for day in days {
            let name = layout::backup_name(*day);
            let Some((file, stamp)) = self.context.logs.open(&name)? else { continue };
            let mut lines = LineReader::of(&file, 0..stamp.size, LINE_LIMIT)?;
            let mut count = 0_u32;
            while let Some((_, line)) = lines.next()? {
                count = count.wrapping_add(1);
                if count.is_multiple_of(64) {
                    self.context.in_time()?;
                }
                if let FileLine::Whole(line) = line {
                    backups.line(&self.context.redact.as_now(line), names);
                }
            }
        }
        Ok(backups)
    }

    /// What the logs of some days say, by session; of one only, where that is named.
    pub(super) fn spoken(
        &self,
        days: &[NaiveDate],
        session: Option<&str>,
    ) -> io::Result<std::collections::BTreeMap<String, Spoken>> {
        let mut turns = Turns::new(session);
        for day in days {
            let Some((file, stamp)) = self.context.logs.open(&layout::log_name(*day))? else {
                continue;
            };
            let mut lines = LineReader::of(&file, 0..stamp.size, LINE_LIMIT)?;
            let mut count = 0_u32;
            while let Some((_, line)) = lines.next()? {
                count = count.wrapping_add(1);
                if count.is_multiple_of(4096) {
                    self.context.in_time()?;
                }
                if let FileLine::Whole(line) | FileLine::Unended(line) = line {
                    // As it would be written now, to compare with what is.
                    turns.line(&String::from_utf8_lossy(&self.context.redact.as_now(line)));
                }
            }
        }
        Ok(turns.finish())
    }

    /// Every turn of a source: where it begins, and its hash. Those in `surely_new` get one that no other has.
    fn turns(
        &self,
        source: &Conversation<'_>,
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
        let now = source.assumed(self.context.now);
        let mut chunker = Chunker::new(now, &*self.context.local, None, None);
        source.read_until(self.context.deadline, 0..source.end(), |said: Event<'_>| {
            self.context.chunk(&mut chunker, said).iter().for_each(&mut take);
            ControlFlow::Continue(())
        })?;
        self.context.in_time()?;
        chunker.finish(0, false).iter().for_each(take);
        Ok(turns)
    }
}

/// Decides for each turn; one without words shares the decision of the turn before it.
fn spread(turns: &[(u64, Option<u64>)], old: &[bool]) -> Vec<Verdict> {
    let mut verdicts = old.iter().copied();
    let mut old = false;
    let mut verdict = |from: u64, hash: Option<u64>| {
        if hash.is_some() {
            old = verdicts.next().unwrap_or(false);
        }
        Verdict { from, old, covered: false }
    };
    turns.iter().map(|(from, hash)| verdict(*from, *hash)).collect()
}
