//! Finds what is to be forgotten in the sessions that agents still keep, so that it can be told apart later.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use super::buried;
use super::context::ImportContext;
use super::logs::Logs;
use super::past::{self, Past};
use super::sessions::{self, KeptSession, SessionOwner};
use super::source::{Conversation, SourceKind};
use super::{clean, proven};
use crate::capture::Redact;
use crate::capture::already_logged::ids;
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::remembering::Remembering;
use crate::disk::{self, Folder, LineReader, Transcript};
use crate::error::Problem;
use crate::memory::forgotten::ForgottenId;
use crate::project::Project;
use crate::retract::records;
use crate::world::World;

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
    let forgotten = buried::tombstones(memory)
        .map_err(|note| Problem::new(note.to_string()).hint("nothing was changed"))?;
    let kept =
        Kept { context: ImportContext::new(memory, Logs::of(memory), &redact, world, forgotten)? };
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
        match kept.search_in(session, &project.root, sought) {
            Ok(conversation) => found.extend(conversation),
            Err(why) => passed_over.push(why),
        }
    }
    let stored = past::stored(&project.root, world);
    passed_over.extend(stored.passed_over.iter().map(ToString::to_string));
    for past in &stored.sessions {
        crate::progress::tick(|| "looking through the agents' own records".to_owned());
        match kept.search_stored(past, sought) {
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
        if let disk::FileLine::Whole(line) | disk::FileLine::Unended(line) = line
            && finder.find(line).is_some()
        {
            return true;
        }
    }
    false
}

/// Looks through sessions, each as an import would read it.
struct Kept<'a> {
    context: ImportContext<'a>,
}

impl Kept<'_> {
    /// What one session has of it.
    ///
    /// # Errors
    /// Why it could not be looked through.
    fn search_in(
        &self,
        session: KeptSession,
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
        let name = self.context.session_name(&id.unwrap_or_else(|| session.id.clone()));
        let sought_here = match sought {
            Sought::Sessions(names) => names.contains(&name),
            _ => true,
        };
        if !sought_here || session.whose(root) == SessionOwner::Others {
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
        let name = self.context.session_name(&past.id);
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
        let now = source.assumed(self.context.now);
        let mut chunker = Chunker::new(now, &*self.context.local, None, None);
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
            self.context.chunk(&mut chunker, said).iter().for_each(&mut take);
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
                let piece = clean::clean(self.context.redact, &said);
                found.extend(ids(&piece));
                piece.time.into_iter().for_each(|time| records::add_time(&mut times, "", time));
                ControlFlow::Continue(())
            })?;
        }
        Ok((found, times.remove("")))
    }
}
