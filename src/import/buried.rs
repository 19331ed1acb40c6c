//! What was forgotten on purpose, as an import needs to know it: reading a session without it, and finding it in
//! sessions that are still there, so that it can be told apart later.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::NaiveDate;

use super::logs::Logs;
use super::past::{self, Past};
use super::sessions::{self, Session, Whose};
use super::source::{Conversation, Event, SourceKind};
use super::{Importer, clean, proven, tombstones};
use crate::Problem;
use crate::capture::already_logged::{ids, is_unique};
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::remembering::Remembering;
use crate::capture::transcript::Role;
use crate::capture::{Redact, block};
use crate::disk::{self, Folder, LineReader, Named, Transcript};
use crate::layout;
use crate::markdown::form;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::project::Project;
use crate::retract::records;
use crate::world::World;

/// The tombstones of a memory; none where there is no such file.
///
/// # Errors
/// When it is there and cannot be read, with its path.
pub(crate) fn load(memory: &Folder) -> io::Result<Forgotten> {
    let read = memory.read_if_there(layout::FORGOTTEN);
    let read = read.map_err(|error| Named::put(&super::logs::path(layout::FORGOTTEN), error))?;
    Ok(read.map(|(bytes, _)| Forgotten::parse(&bytes)).unwrap_or_default())
}

/// The titles of a session that were forgotten: its client goes on calling it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BuriedTitles {
    pub(super) session: String,
    pub(super) forgotten: Rc<Forgotten>,
}

impl BuriedTitles {
    /// Whether the title that a log would show of a name is one of them.
    pub(super) fn have(&self, name: &str) -> bool {
        let id = || ForgottenId::title(&self.session, &form::read_title(&form::write_title(name)));
        self.forgotten.has_texts() && self.forgotten.covers_text(id())
    }
}

/// What was forgotten of one session.
pub(super) struct Buried<'a> {
    ranges: Vec<Range<u64>>,
    times: Vec<RangeInclusive<i64>>,
    /// whether these are messages, which may come back in another shape
    messages: bool,
    forgotten: Rc<Forgotten>,
    redact: &'a Remembering<'a>,
}

impl<'a> Buried<'a> {
    /// What of a session, that of `session`, was forgotten.
    pub(super) fn of(
        source: &Conversation<'_>,
        session: &str,
        forgotten: &Rc<Forgotten>,
        redact: &'a Remembering<'a>,
    ) -> io::Result<Self> {
        let messages = matches!(source.kind, SourceKind::Messages(_));
        let mut ranges = Vec::new();
        for range in forgotten.ranges(session).filter(|_| !messages) {
            if source.is_boundary(range.start)? && source.is_boundary(range.end)? {
                ranges.push(range);
            }
        }
        let times = forgotten.times(session).collect();
        Ok(Self { ranges, times, messages, forgotten: Rc::clone(forgotten), redact })
    }

    /// Whether what a record says was forgotten.
    pub(super) fn holds(&self, said: &Event<'_>) -> bool {
        let within =
            |range: &Range<u64>| range.start <= said.span.start && said.span.end <= range.end;
        if self.ranges.iter().any(within) {
            return true;
        }
        if said.piece.role == Role::Nobody {
            return false;
        }
        let id = said.piece.id.as_deref().filter(|id| is_unique(id));
        if let Some(time) = said.piece.time.filter(|_| self.messages || id.is_none()) {
            let time = time.timestamp_millis();
            if self.times.iter().any(|forgotten| forgotten.contains(&time)) {
                return true;
            }
        }
        if !self.forgotten.has_texts() {
            return false;
        }
        if let Some(id) = id
            && said.piece.reply.as_deref() != Some(id)
        {
            // Nothing else tells what this one is, so there is no need to look at its words.
            let known = ForgottenId::record(crate::plan::hash(id.as_bytes()));
            return self.forgotten.covers_text(known);
        }
        let piece = clean::clean(self.redact, said);
        ids(&piece).any(|id| self.forgotten.covers_text(id))
    }
}

impl<'a> Importer<'a> {
    /// What was forgotten of this session.
    ///
    /// A part of a transcript counts only where both its ends are still the ends of records: else the file was written
    /// anew, and other words are in that place. Of messages, which move up when old ones are dropped, none does. When
    /// something was said counts for messages and for records without an id of their own: all others are known by that.
    pub(super) fn buried(
        &self,
        source: &Conversation<'_>,
        session: &str,
    ) -> io::Result<Buried<'a>> {
        Buried::of(source, session, &self.forgotten, self.redact)
    }

    /// The titles of a session that were forgotten.
    pub(super) fn buried_titles(&self, session: &str) -> BuriedTitles {
        BuriedTitles { session: session.to_owned(), forgotten: Rc::clone(&self.forgotten) }
    }

    /// A chunk without the turns that were forgotten by their words.
    pub(super) fn without_buried(&self, session: &str, mut chunk: Chunk) -> Chunk {
        if !self.forgotten.has_texts() {
            return chunk;
        }
        let role = |index: usize| Some(block::said(chunk.turn(index)).first()?.0);
        let is_buried = |index: &usize| {
            role(*index).is_some_and(|role| {
                let words = block::known_by(chunk.turn(*index));
                self.forgotten.covers_text(ForgottenId::turn(session, role.seed(), &words))
            })
        };
        let buried: Vec<usize> = (0..chunk.turns.len()).filter(is_buried).collect();
        if buried.is_empty() {
            return chunk;
        }
        let (mut text, mut turns, mut gone) = (String::new(), Vec::new(), Vec::new());
        for index in 0..chunk.turns.len() {
            let turn = chunk.turn(index);
            if buried.contains(&index) {
                gone.extend(role(index).map(|role| (role, turn.to_owned())));
                continue;
            }
            text.push_str(if text.is_empty() { turn.trim_start_matches('\n') } else { turn });
            turns.push((text.len(), chunk.turns[index].1));
        }
        chunk.backup = records::without(&chunk.backup, &gone);
        (chunk.text, chunk.turns) = (text, turns);
        chunk
    }
}

/// What is looked for in the sessions that are still there.
pub(crate) enum Sought<'a> {
    /// what they hold is known already
    Nothing,
    /// all of these sessions
    Sessions(&'a [String]),
    /// what belongs to a day
    Day(NaiveDate),
    /// every turn and record that says something; a file without these bytes says it nowhere
    Words(&'a dyn Fn(&str) -> bool, Option<&'a str>),
}

/// A session that has some of it.
#[derive(Debug)]
pub(crate) struct FoundConversation {
    /// the client's file
    pub(crate) path: PathBuf,
    /// its session, as markers name it
    pub(crate) session: String,
    /// where it stands
    pub(crate) ranges: Vec<Range<u64>>,
    /// what its records are known by
    pub(crate) ids: Vec<ForgottenId>,
    /// when the first and the last of them were said, in milliseconds since 1970
    pub(crate) time: Option<RangeInclusive<i64>>,
}

/// What a search has come to.
#[derive(Debug, Default)]
pub(crate) struct Searched {
    /// the sessions that have some of it
    pub(crate) found: Vec<FoundConversation>,
    /// folders and files that could not be looked through, each with the reason: what they hold may be imported once
    /// they can be read
    pub(crate) passed_over: Vec<String>,
}

/// Looks through the sessions of a project that its clients keep.
///
/// # Errors
/// When the memory cannot be read.
pub(crate) fn search(
    project: &Project,
    memory: &Folder,
    world: &World,
    redact: &dyn Redact,
    sought: &Sought<'_>,
) -> Result<Searched, Problem> {
    let redact = Remembering::new(redact, || proven::load(memory));
    let forgotten = tombstones(memory)
        .map_err(|note| Problem::new(note.to_string()).hint("nothing was changed"))?;
    let importer = Importer::new(memory, Logs::of(memory), &redact, world, forgotten)?;
    let since = match sought {
        Sought::Day(day) => {
            let eve = day.pred_opt().unwrap_or(*day).and_time(chrono::NaiveTime::MIN).and_utc();
            eve.timestamp_nanos_opt().unwrap_or(0)
        }
        _ => 0,
    };
    if let Sought::Nothing = sought {
        return Ok(Searched::default());
    }
    let mut found = Vec::new();
    let mut passed_over = sessions::unlisted(&project.root, world);
    for session in sessions::recent(&project.root, world, since) {
        crate::progress::tick(|| "looking through the agents' own records".to_owned());
        match importer.search_in(session, &project.root, sought) {
            Ok(conversation) => found.extend(conversation),
            Err(why) => passed_over.push(why),
        }
    }
    let stored = past::stored(&project.root, world);
    passed_over.extend(stored.passed_over.iter().map(ToString::to_string));
    for past in &stored.sessions {
        crate::progress::tick(|| "looking through the agents' own records".to_owned());
        match importer.search_stored(past, sought) {
            Ok(conversation) => found.extend(conversation),
            Err(why) => passed_over.push(why),
        }
    }
    Ok(Searched { found, passed_over })
}

/// Whether a file has these bytes in one of its lines. One that is too long is never read for words either.
fn has(file: &Transcript, word: &[u8]) -> bool {
    const LONGEST: usize = 1024 * 1024;
    let finder = memchr::memmem::Finder::new(word);
    let Ok(mut lines) = LineReader::of(&file.file, 0..file.size, LONGEST) else { return false };
    while let Ok(Some((_, line))) = lines.next() {
        if let disk::Line::Whole(line) | disk::Line::Unended(line) = line
            && finder.find(line).is_some()
        {
            return true;
        }
    }
    false
}

impl Importer<'_> {
    /// What one session has of it.
    ///
    /// # Errors
    /// Why it could not be looked through.
    fn search_in(
        &self,
        session: Session,
        root: &Path,
        sought: &Sought<'_>,
    ) -> Result<Option<FoundConversation>, String> {
        let file = match Transcript::open(&session.path) {
            Ok(file) => file,
            // Whose it is is unknown; elsewhere it may well be somebody else's.
            Err(_) if !session.exact => return Ok(None),
            Err(why) => return Err(format!("transcript {}", disk::describe(&why))),
        };
        if let Sought::Words(_, Some(word)) = sought
            && !has(&file, word.as_bytes())
        {
            return Ok(None);
        }
        let source = Conversation::whole(SourceKind::File(&file));
        let id = source.origin().unwrap_or_default().session;
        let name = self.session_name(&id.unwrap_or_else(|| session.id.clone()));
        let sought_here = match sought {
            Sought::Sessions(names) => names.contains(&name),
            _ => true,
        };
        if !sought_here || session.whose(root) == Whose::Others {
            return Ok(None);
        }
        let ranges = self.places(&source, sought).map_err(|error| {
            let (path, why) = (session.path.display(), disk::describe(&error));
            format!("transcript `{path}` not read: {why}")
        })?;
        if ranges.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.found(session.path, name, &source, ranges)))
    }

    /// What a session has of it in these places.
    fn found(
        &self,
        path: PathBuf,
        session: String,
        source: &Conversation<'_>,
        ranges: Vec<Range<u64>>,
    ) -> FoundConversation {
        let (ids, time) = self.known_in(source, &ranges).unwrap_or_default();
        // Messages move up when old ones are dropped.
        let is_file = matches!(source.kind, SourceKind::File(_));
        let ranges = if is_file { ranges } else { Vec::new() };
        FoundConversation { path, session, ranges, ids, time }
    }

    /// What a session in a client's database has of it.
    ///
    /// # Errors
    /// Why it could not be looked through.
    fn search_stored(
        &self,
        past: &Past,
        sought: &Sought<'_>,
    ) -> Result<Option<FoundConversation>, String> {
        let name = self.session_name(&past.id);
        if matches!(sought, Sought::Sessions(names) if !names.contains(&name)) {
            return Ok(None);
        }
        let path = past.path().to_path_buf();
        let opened = past.open().map_err(|why| disk::describe(&why))?;
        let ranges = self.places(&opened.source(), sought).map_err(|error| {
            format!("`{}` not read: {}", path.display(), disk::describe(&error))
        })?;
        let found = || self.found(path, name, &opened.source(), ranges.clone());
        Ok((!ranges.is_empty()).then(found))
    }

    /// Where in a session what is looked for stands.
    fn places(
        &self,
        source: &Conversation<'_>,
        sought: &Sought<'_>,
    ) -> io::Result<Vec<Range<u64>>> {
        let mut ranges = Vec::new();
        let mut take = |chunk: &Chunk| match sought {
            Sought::Day(day) if chunk.day == *day => ranges.push(chunk.from..chunk.to),
            Sought::Sessions(_) | Sought::Day(_) | Sought::Nothing => {}
            Sought::Words(says, _) => {
                for (index, (_, from)) in chunk.turns.iter().enumerate() {
                    let to = chunk.turns.get(index + 1).map_or(chunk.to, |(_, next)| *next);
                    if says(chunk.turn(index)) {
                        ranges.push(*from..to);
                    }
                }
            }
        };
        let mut chunker = Chunker::new(self.now, &*self.local, None, None);
        let mut spans = Vec::new();
        let end = source.read_all(None, 0..source.end(), |said| {
            let span = said.span.clone();
            if let Sought::Words(says, _) = sought
                && records::says(said.record, says)
            {
                spans.push(span.clone());
            }
            if said.piece.role.is_title() {
                return ControlFlow::Continue(());
            }
            self.chunk(&mut chunker, said).iter().for_each(&mut take);
            ControlFlow::Continue(())
        })?;
        chunker.finish(end, false).iter().for_each(take);
        if let Sought::Sessions(_) = sought {
            ranges.push(0..end);
        }
        ranges.extend(spans);
        Ok(ranges)
    }

    /// What the records in these places are known by, and when the first and the last of them were said.
    fn known_in(
        &self,
        source: &Conversation<'_>,
        ranges: &[Range<u64>],
    ) -> io::Result<(Vec<ForgottenId>, Option<RangeInclusive<i64>>)> {
        let (mut found, mut times) = (Vec::new(), BTreeMap::new());
        for range in ranges {
            source.read(range.clone(), |said| {
                let piece = clean::clean(self.redact, &said);
                found.extend(ids(&piece));
                piece.time.into_iter().for_each(|time| records::add_time(&mut times, "", time));
                ControlFlow::Continue(())
            })?;
        }
        Ok((found, times.remove("")))
    }
}
