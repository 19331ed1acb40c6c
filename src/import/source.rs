//! Where records come from: the lines of a transcript, or the messages in a hook's JSON.

use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::Instant;

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use super::records::Records;
use super::twice::{HistoryItem, Lately};
use crate::capture::session_day::is_over;
use crate::capture::transcript::{self, NoRecord, Role, TranscriptOrigin, TurnPart};
use crate::disk::{FileLine, NotRead, Transcript, read_range, rfind_line};

/// A session to read. All reading goes through it, so that nothing that was forgotten on purpose gets further.
pub(super) struct Conversation<'a> {
    pub(super) kind: SourceKind<'a>,
    /// tells what was forgotten
    forgotten: Option<&'a dyn Fn(&Event<'_>) -> bool>,
}

/// In what form a session is there.
#[derive(Clone, Copy)]
pub(super) enum SourceKind<'a> {
    /// a file; places are byte offsets
    File(&'a Transcript),
    /// messages; places are indexes
    Messages(&'a [Box<RawValue>]),
}

/// A record that says something.
pub(super) struct Event<'a> {
    /// what it says
    pub(super) piece: TurnPart,
    /// where it stands
    pub(super) span: Range<u64>,
    /// the record; empty where there is none to keep
    pub(super) record: &'a [u8],
}

/// What was met beside words.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// lines of which something cannot be read
    pub(super) unreadable: usize,
    /// records that say nothing
    pub(super) silent: usize,
    /// whether one of the records is of a client that is known; asked only as long as nothing is said
    pub(super) known: bool,
    /// whether the last line is not whole
    pub(super) cut: bool,
}

/// What is done with each record, as `dyn` so that the reading code exists once.
pub(super) type Each<'e> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'e;

/// Where a transcript comes from.
pub(crate) fn origin(path: &Path) -> Result<TranscriptOrigin, NotRead> {
    let file = Transcript::open(path)?;
    let origin = Conversation::whole(SourceKind::File(&file)).origin();
    let origin = origin.map_err(|error| NotRead::of(path, error))?;
    Ok(TranscriptOrigin { delegated: origin.delegated || is_of_subagent(path), ..origin })
}

/// Whether an agent that works for another one has its transcript here: `SESSION/subagents/ID.jsonl`.
pub(super) fn is_of_subagent(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "subagents")
}

impl<'a> Conversation<'a> {
    /// All of a session.
    pub(super) fn whole(kind: SourceKind<'a>) -> Self {
        Self { kind, forgotten: None }
    }

    /// The session without what was forgotten of it.
    pub(super) fn without(&self, forgotten: &'a dyn Fn(&Event<'_>) -> bool) -> Self {
        Self { kind: self.kind, forgotten: Some(forgotten) }
    }

    /// Whether anything of it may have been forgotten.
    pub(super) fn forgets(&self) -> bool {
        self.forgotten.is_some()
    }

    /// When something without a time was said in it at the latest: now, or when its file was written to.
    pub(super) fn assumed(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        match self.kind {
            SourceKind::File(file) => now.min(DateTime::from_timestamp_nanos(file.written)),
            SourceKind::Messages(_) => now,
        }
    }

    /// How far it can be read now.
    pub(super) fn end(&self) -> u64 {
        match self.kind {
            SourceKind::File(file) => file.size,
            SourceKind::Messages(messages) => messages.len() as u64,
        }
    }

    /// Whether a record begins or the session ends at a place.
    pub(super) fn is_boundary(&self, at: u64) -> io::Result<bool> {
        let SourceKind::File(file) = self.kind else { return Ok(true) };
        if at == 0 || at == file.size {
            return Ok(true);
        }
        Ok(at < file.size && read_range(&file.file, at - 1..at + 1)?.contains(&b'\n'))
    }

    /// Calls `each` with a record, unless what it says was forgotten.
    fn pass(&self, said: Event<'_>, each: &mut Each<'_>) -> ControlFlow<()> {
        match self.forgotten {
            Some(forgotten) if forgotten(&said) => ControlFlow::Continue(()),
            _ => each(said),
        }
    }

    /// Calls `each` for every record in a range that says something, until it breaks; names of the session are passed
    /// over. Returns where reading stopped: after the last whole record that was seen.
    pub(super) fn read(
        &self,
        range: Range<u64>,
        each: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> io::Result<u64> {
        self.read_until(None, range, each)
    }

    /// As [`Conversation::read`], and stops at the `deadline` as if the source ended there.
    pub(super) fn read_until(
        &self,
        deadline: Option<Instant>,
        range: Range<u64>,
        mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> io::Result<u64> {
        self.read_all(deadline, range, |said| {
            if said.piece.role.is_title() { ControlFlow::Continue(()) } else { each(said) }
        })
    }

    /// As [`Conversation::read_until`], with the names of the session.
    pub(super) fn read_all(
        &self,
        deadline: Option<Instant>,
        range: Range<u64>,
        mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> io::Result<u64> {
        self.read_counting(deadline, range, &mut Met::default(), &mut each)
    }

    /// As [`Conversation::read_all`], and counts what is met beside words.
    pub(super) fn read_counting(
        &self,
        deadline: Option<Instant>,
        range: Range<u64>,
        met: &mut Met,
        each: &mut Each<'_>,
    ) -> io::Result<u64> {
        match self.kind {
            SourceKind::Messages(messages) => {
                let mut lately = Lately::default();
                let mut rest = messages.iter();
                for index in 0.. {
                    let Some(message) = rest.next() else { break };
                    let record = message.get().as_bytes();
                    let Some(piece) = transcript::piece(record) else { continue };
                    let rest = rest.clone().map(|message| message.get().as_bytes());
                    if piece.is_item && lately.of_list(&piece, rest) == HistoryItem::Again {
                        continue;
                    }
                    lately.add(&piece);
                    let span = index..index + 1;
                    let said = Event { piece, span, record };
                    if range.contains(&index) && self.pass(said, each).is_break() {
                        return Ok(index + 1);
                    }
                }
                Ok(range.end.min(self.end()))
            }
            SourceKind::File(file) => self.read_lines(file, deadline, range, met, each),
        }
    }

    /// The same for the lines of a file. Lines that are no records are named once something follows them: the last one
    /// may still be written to.
    fn read_lines(
        &self,
        file: &Transcript,
        deadline: Option<Instant>,
        range: Range<u64>,
        met: &mut Met,
        each: &mut Each<'_>,
    ) -> io::Result<u64> {
        let mut lines = Records::of(&file.file, range.clone())?;
        let mut reached = range.start;
        let mut lately = Lately::default();
        let mut count = 0_u32;
        let mut passed: Option<PassedOver> = None;
        let mut tell = |said: Event<'_>, passed: &mut Option<PassedOver>| {
            if let Some(PassedOver { lines, bytes, span }) = passed.take() {
                let end = span.end;
                let note = Event { piece: no_records(lines, bytes), span, record: b"" };
                if self.pass(note, each).is_break() {
                    return ControlFlow::Break(end);
                }
            }
            let end = said.span.end;
            self.pass(said, each).map_break(|()| end)
        };
        while let Some((span, line)) = lines.next()? {
            count = count.wrapping_add(1);
            let looks = count.is_multiple_of(64);
            if looks && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let line = match line {
                FileLine::Whole(line) => line,
                // A record that is complete, from a writer that puts newlines between records.
                FileLine::Unended(line) if transcript::whole(line).is_some() => line,
                FileLine::Unended(line) => {
                    met.cut = !line.trim_ascii().is_empty();
                    break;
                }
                FileLine::TooLong(bytes) => {
                    met.unreadable += 1;
                    let said = Event { piece: skipped(bytes), span: span.clone(), record: b"" };
                    reached = span.end;
                    match tell(said, &mut passed) {
                        ControlFlow::Continue(()) => continue,
                        ControlFlow::Break(end) => return Ok(end),
                    }
                }
            };
            reached = span.end;
            let told = match transcript::said(line) {
                Ok(None) => {
                    met.silent += 1;
                    met.known = met.known || transcript::is_known(line);
                    continue;
                }
                Ok(Some(piece)) => {
                    met.known = true;
                    if piece.is_item {
                        match lately.of_file(&piece, file, &span)? {
                            HistoryItem::Again => continue,
                            HistoryItem::Open => return Ok(span.start),
                            HistoryItem::Words => {}
                        }
                    }
                    lately.add(&piece);
                    tell(Event { piece, span, record: line }, &mut passed)
                }
                Err(NoRecord) => {
                    let mended = transcript::mended(line);
                    met.unreadable += usize::from(mended.torn);
                    if mended.torn && mended.records.is_empty() {
                        PassedOver::add(&mut passed, line.len() as u64, &span);
                    }
                    let mut records = mended.in_line(&span);
                    records.try_for_each(|(span, record)| {
                        let piece = transcript::piece(record);
                        met.silent += usize::from(piece.is_none());
                        met.known = met.known || piece.is_some() || transcript::is_known(record);
                        let said = piece.map(|piece| Event { piece, span, record });
                        said.map_or(ControlFlow::Continue(()), |said| tell(said, &mut passed))
                    })
                }
            };
            if let ControlFlow::Break(end) = told {
                return Ok(end);
            }
        }
        Ok(reached)
    }

    /// Whether the person has named the session in a record before a place: then no name that the client makes counts.
    pub(super) fn named_before(&self, place: u64) -> io::Result<bool> {
        let SourceKind::File(file) = self.kind else { return Ok(false) };
        let record = r#"{"type":"custom-title""#.to_owned();
        Ok(rfind_line(&file.file, &[record], place)?.is_some())
    }

    /// The first time any record carries.
    pub(super) fn first_time(&self) -> io::Result<Option<DateTime<Utc>>> {
        let mut found = None;
        if let SourceKind::File(file) = self.kind {
            let mut lines = Records::of(&file.file, 0..file.size)?;
            while let Some((_, line)) = lines.next()? {
                let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
                if let Some(time) = transcript::time_of(line) {
                    return Ok(Some(time));
                }
            }
            return Ok(None);
        }
        self.read(0..self.end(), |said| {
            found = said.piece.time;
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }

    /// What its records say about where it comes from. They are read until the folder is known that it was held in.
    pub(super) fn origin(&self) -> io::Result<TranscriptOrigin> {
        let mut origin = TranscriptOrigin::default();
        let mut take = |record: &[u8]| {
            let found = transcript::origin(record);
            origin.session = origin.session.take().or(found.session);
            origin.cwd = origin.cwd.take().or(found.cwd);
            origin.delegated |= found.delegated;
            origin.begun = origin.begun.or(found.begun);
            let has_folder = origin.cwd.is_some() || found.folderless;
            let is_told = (origin.session.is_some() || found.nameless) && has_folder;
            origin.nameless |= found.nameless;
            origin.delegated || is_told && origin.begun.is_some()
        };
        match self.kind {
            SourceKind::Messages(messages) => {
                messages.iter().take(16).any(|message| take(message.get().as_bytes()));
            }
            SourceKind::File(file) => {
                let mut lines = Records::of(&file.file, 0..file.size)?;
                while let Some((_, line)) = lines.next()? {
                    let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
                    if take(line) {
                        break;
                    }
                }
            }
        }
        // What another agent begins is its own, unless the person takes part in it later on.
        if origin.begun == Some(false) {
            let mut is_joined = false;
            self.read(0..self.end(), |said| {
                is_joined = said.piece.role == Role::User;
                if is_joined { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            origin.delegated |= !is_joined;
        }
        Ok(origin)
    }
}

impl Conversation<'_> {
    /// The sessions that this one is a copy of up to where it goes on by itself. Codex names them, and gives the
    /// records that it copies another time.
    pub(super) fn parents(&self) -> io::Result<Vec<String>> {
        let (mut own, mut parents) = (None, Vec::new());
        let mut take = |record: &[u8]| {
            if memchr::memmem::find(record, b"session_meta").is_some() {
                let found = transcript::origin(record);
                let named = found.session.filter(|id| own.get_or_insert_with(|| id.clone()) != id);
                parents.extend(found.forked_from.into_iter().chain(named));
            }
        };
        match self.kind {
            SourceKind::Messages(messages) => {
                for message in messages {
                    take(message.get().as_bytes());
                }
            }
            SourceKind::File(file) => {
                let mut lines = Records::of(&file.file, 0..file.size)?;
                while let Some((_, line)) = lines.next()? {
                    if let FileLine::Whole(line) = line {
                        take(line);
                    }
                }
            }
        }
        parents.sort();
        parents.dedup();
        Ok(parents)
    }
}

/// How many of the messages may be logged: those before a reply that is still being written, which would come
/// again with more words. One that was followed by another reply, or begun six hours ago or more, ended without saying
/// so.
pub(super) fn said_to_the_end(messages: &[Box<RawValue>], now: DateTime<Utc>) -> usize {
    let is_reply = |record: &[u8]| {
        transcript::piece(record).is_some_and(|piece| piece.role == Role::Assistant)
            || transcript::is_unfinished(record)
    };
    let last = messages.iter().rposition(|message| is_reply(message.get().as_bytes()));
    let open = last.filter(|at| {
        let record = messages[*at].get().as_bytes();
        let begun = transcript::piece(record).and_then(|piece| piece.time);
        transcript::is_unfinished(record) && begun.is_none_or(|begun| !is_over(begun, now))
    });
    open.unwrap_or(messages.len())
}

/// Lines that are no records, next to each other except for records that say nothing.
struct PassedOver {
    lines: usize,
    bytes: u64,
    span: Range<u64>,
}

impl PassedOver {
    fn add(passed: &mut Option<Self>, bytes: u64, span: &Range<u64>) {
        let all = passed.get_or_insert_with(|| Self { lines: 0, bytes: 0, span: span.clone() });
        all.lines += 1;
        all.bytes += bytes;
        all.span.end = span.end;
    }
}

/// Stands in for lines that are no records.
fn no_records(lines: usize, bytes: u64) -> TurnPart {
    let text = match lines {
        1 => format!("[skipped: a line of {bytes} bytes that is no record]"),
        _ => format!("[skipped: {lines} lines of {bytes} bytes that are no records]"),
    };
    TurnPart { text, ..TurnPart::of(Role::Nobody) }
}

/// What is said of lines that are no records, or not only.
pub(crate) fn unread_lines(count: usize) -> String {
    let (are, them) = if count == 1 { ("is no record", "it") } else { ("are no records", "them") };
    let lines = crate::text::counted(count, "line");
    format!("{lines} of it {are}: what cannot be read of {them} was passed over")
}

/// Stands in for a record that is too long to be read.
pub(super) fn skipped(bytes: u64) -> TurnPart {
    let text = format!("[skipped: a record of {bytes} bytes]");
    TurnPart { text, ..TurnPart::of(Role::Nobody) }
}
