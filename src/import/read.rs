//! One import of a session: from where its last block ends, or from the beginning past all that is known.

use std::io;
use std::ops::ControlFlow;

use chrono::NaiveDate;

use super::buried::{BuriedTitles, without_buried};
use super::clean::escaped;
use super::context::ImportContext;
use super::filter::{Filter, Prefilter};
use super::place::{self, LastBlock, ResumePoint};
use super::repeats::{Repeated, Repeats};
use super::since::Since;
use super::source::{Conversation, Event, Met, SourceKind};
use super::write::BlockWriter;
use super::{session_so_far, unread};
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::ledger::{self, Torn};
use crate::capture::session_day::SessionDay;
use crate::capture::transcript::Role;
use crate::capture::{Redact as _, block};

/// Reads what is new in a source and has it written.
pub(super) struct Reader<'c, 'a> {
    pub(super) context: &'c ImportContext<'a>,
    pub(super) writer: BlockWriter<'c, 'a>,
    /// what the agent calls the session
    pub(super) name: Option<String>,
    /// whether words of it are in a form that is not known: it was imported up to them
    pub(super) lost: bool,
}

impl Reader<'_, '_> {
    /// Goes on where the session's last block ends, after completing it if it is torn.
    pub(super) fn go_on(
        &mut self,
        source: &Conversation<'_>,
        session: &str,
        found: &LastBlock,
        mut place: ResumePoint,
    ) -> io::Result<()> {
        let (from, mut to) = (found.last.from, found.last.to);
        if !found.last.complete
            && let Some(again) = self.again(source, session, found, &place)?
        {
            to = match ledger::torn(&found.before, &found.last.bytes, session, &again) {
                Torn::Complete(rest) => {
                    self.writer.add_to_log(found.day, &rest, block::end(session, again.to))?;
                    self.writer.outcome.turns += 1;
                    again.to
                }
                Torn::From(offset) => offset,
            };
            let before = place::before(source, to, self.context.assumed(found.day))?;
            let before = before.map(|(before, _)| before);
            place = ResumePoint { at: to, before };
        }
        self.writer.mend_backup(source, found.day, from, to)?;
        let last = place.before.as_ref().map(|before| before.latest);
        let session_day = last.map(|last| SessionDay { day: found.day, last });
        self.run(source, session, place, session_day, None, None)
    }

    /// Makes a block again from the part of the transcript that its first line names.
    fn again(
        &self,
        source: &Conversation<'_>,
        session: &str,
        found: &LastBlock,
        place: &ResumePoint,
    ) -> io::Result<Option<Chunk>> {
        let session_day =
            place.before.as_ref().map(|b| SessionDay { day: found.day, last: b.latest });
        let chunker = Chunker::new(
            source.assumed(self.context.now),
            &*self.context.local,
            place.before.clone(),
            session_day,
        );
        let mut chunker = chunker.unlimited();
        let mut first = None;
        let titles = BuriedTitles::of(session, &self.context.forgotten);
        let range = found.last.from..found.last.to.min(source.end());
        let latest = place.before.as_ref().map(|before| before.latest);
        let mut repeats = Repeats::behind(found.last.from, latest);
        source.read_all(None, range, |said| {
            let span = said.span.clone();
            let repeated = repeats.have(source, &said).unwrap_or(Repeated::No);
            let (mut piece, record) = self.context.redacted(said);
            if let Role::Title { chosen } = piece.role {
                if !titles.have(&piece.text) {
                    chunker.name(&piece.text, chosen, span.start);
                }
                return ControlFlow::Continue(());
            }
            if repeated == Repeated::Words {
                piece.text.clear();
            }
            piece.text = escaped(piece.role, &piece.text);
            first = chunker.push(&piece, span, &record);
            if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let chunk = first.or_else(|| chunker.finish(found.last.to, true).into_iter().next());
        let Some(chunk) =
            chunk.map(|chunk| without_buried(&self.context.forgotten, session, chunk))
        else {
            return Ok(None);
        };
        let mut known = session_so_far::read(self.context.memory, session, found.day, found.at)?;
        let title = known.show(&chunk, ledger::needs_heading(&found.before, session, &chunk));
        let branch = self.writer.branch.clone();
        Ok(Some(Chunk { day: found.day, from: found.last.from, title, branch, ..chunk }))
    }

    /// Reads all of a source and imports what is not in a log yet.
    pub(super) fn look_through(
        &mut self,
        source: &Conversation<'_>,
        session: &str,
        since: Option<Since>,
        found: Option<&LastBlock>,
    ) -> io::Result<()> {
        let filter = match (source.kind, found) {
            (_, None) => {
                let Some(filter) = Prefilter::new(self.context).fork_filter(
                    source,
                    session,
                    &mut self.writer.outcome.unreadable,
                )?
                else {
                    self.lost |= unread::lost(source, 0..source.end())?.is_some();
                    return Ok(());
                };
                filter
            }
            (SourceKind::Messages(_), Some(found)) if !found.last.complete => {
                let assumed = self.context.assumed(found.day);
                let before = place::before(source, found.last.from, assumed)?;
                let before = before.map(|(before, _)| before);
                let place = ResumePoint { at: found.last.from, before };
                let again = self.again(source, session, found, &place)?;
                if let Some(again) = again
                    && let Torn::Complete(rest) =
                        ledger::torn(&found.before, &found.last.bytes, session, &again)
                {
                    self.writer.add_to_log(found.day, &rest, block::end(session, again.to))?;
                    self.writer.outcome.turns += 1;
                }
                Prefilter::new(self.context).order_filter(source, session, since, found)?
            }
            (_, Some(found)) => {
                Prefilter::new(self.context).order_filter(source, session, since, found)?
            }
        };
        let day = found.map(|found| found.day);
        self.run(source, session, ResumePoint::default(), None, Some(filter), day)
    }

    /// Reads from a place on and writes chunk after chunk.
    fn run(
        &mut self,
        source: &Conversation<'_>,
        session: &str,
        place: ResumePoint,
        session_day: Option<SessionDay>,
        mut filter: Option<Filter>,
        day_of_old: Option<NaiveDate>,
    ) -> io::Result<()> {
        let last = place.before.as_ref().map(|before| before.latest);
        let context = self.context;
        let now = source.assumed(context.now);
        let mut chunker = Chunker::new(now, &*context.local, place.before, session_day);
        let mut failure = None;
        let mut missing = Vec::new();
        let mut done = Vec::new();
        let mut named_before: Option<bool> = None;
        let mut repeats = Repeats::behind(place.at, last);
        let titles = BuriedTitles::of(session, &self.context.forgotten);
        let odd = unread::lost(source, place.at..source.end())?;
        self.lost |= odd.is_some();
        let range = place.at..odd.unwrap_or(source.end());
        let mut met = Met::default();
        let reached =
            source.read_counting(self.context.deadline, range, &mut met, &mut |said: Event<'_>| {
                let span = said.span.clone();
                let repeated = repeats.have(source, &said);
                let (mut piece, record) = self.context.redacted(said);
                if let Role::Title { chosen } = piece.role {
                    if titles.have(&piece.text) {
                        return ControlFlow::Continue(());
                    }
                    let before = || source.named_before(place.at).unwrap_or(false);
                    if chosen || !*named_before.get_or_insert_with(before) {
                        chunker.name(&piece.text, chosen, span.start);
                    }
                    return ControlFlow::Continue(());
                }
                let is_old =
                    filter.as_mut().is_some_and(|filter| filter.is_old(&piece, span.start));
                let repeated = match repeated {
                    Ok(repeated) => repeated,
                    Err(error) => {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                };
                if repeated == Repeated::Words {
                    piece.text.clear();
                }
                if repeated == Repeated::All && !is_old {
                    done.extend(chunker.skip(&piece, None));
                } else if let Some(filter) = filter.as_ref().filter(|_| is_old) {
                    if day_of_old.is_some() && piece.id.is_some() && !filter.is_backed_up(&piece) {
                        missing.extend_from_slice(&record);
                        missing.push(b'\n');
                    }
                    done.extend(chunker.skip(&piece, day_of_old));
                } else {
                    piece.text = escaped(piece.role, &piece.text);
                    done.extend(chunker.push(&piece, span, &record));
                }
                failure =
                    done.drain(..).find_map(|chunk| self.writer.write_chunk(session, chunk).err());
                // What was read so far still becomes a block.
                let ends = failure.is_some() || crate::interrupt::asked();
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        self.writer.outcome.unreadable += met.unreadable;
        self.writer.outcome.unfinished |= self.context.is_late();
        let end = *reached.as_ref().unwrap_or(&0);
        if let Some(name) = self.name.as_ref().map(|name| self.context.redact.text(name))
            && !titles.have(&name)
        {
            chunker.name(&name, true, end);
        }
        let last = chunker.finish(end, self.writer.last.is_some());
        failure.map_or(Ok(()), Err)?;
        reached?;
        last.into_iter().try_for_each(|chunk| self.writer.write_chunk(session, chunk))?;
        if let (Some(day), false) = (day_of_old, missing.is_empty()) {
            self.writer.add_to_backup(day, &missing)?;
        }
        Ok(())
    }
}
