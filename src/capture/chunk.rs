//! From pieces to what is appended: pieces of one reply become one turn, turns of one session one chunk,
//! and a chunk is what one write adds to a log and its backup.
//!
//! What comes out does not depend on where a run begins: whatever needs to be known of the pieces before
//! is in [`Before`], and a later part of a turn that is already written follows it without a label.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

use crate::capture::block::{self, LogTurn};
use crate::capture::session_day::{Local, SessionDay, is_over};
use crate::capture::transcript::{Role, TurnPart};

/// The size from which on a chunk is written without waiting for more, in bytes of the log or of the
/// backup. Bounds memory, and what a crash may leave unfinished.
pub(crate) const CHUNK_LIMIT: usize = 512 * 1024;

/// The piece before the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Before {
    pub role: Role,
    /// the reply it is part of
    pub reply: Option<String>,
    pub time: DateTime<Utc>,
    /// whether neither it nor any piece before it has a time of its own
    pub is_assumed: bool,
    /// the latest time so far, later than `time` where a clock was set back
    pub latest: DateTime<Utc>,
}

impl Before {
    /// What is to be known of a piece once the next one comes. Without a time of its own it has that of the
    /// piece before it, if one is recorded, else `otherwise`.
    pub(crate) fn after(before: Option<&Self>, piece: &TurnPart, otherwise: DateTime<Utc>) -> Self {
        let recorded = before.filter(|before| !before.is_assumed).map(|before| before.time);
        let told = piece.time.or(recorded);
        let time = told.unwrap_or(otherwise);
        let latest = before.map_or(time, |before| before.latest.max(time));
        let reply = piece.reply.clone();
        Self { role: piece.role, reply, time, is_assumed: told.is_none(), latest }
    }
}

/// Turns of one session, next to each other in the transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// the day whose log they belong to
    pub day: NaiveDate,
    /// when its first turn was said, in local time
    pub time: NaiveDateTime,
    /// whether the session begins here
    pub begins: bool,
    /// where its first record begins in the transcript
    pub from: u64,
    /// where its last record ends, or where reading stopped
    pub to: u64,
    /// what the client calls the session now, if it says so here
    pub named: Option<SessionName>,
    /// the title that the block shows, in its heading if it has one; as [`block::title`] writes it
    pub title: Option<String>,
    /// the branch that was worked on, where that is worth telling
    pub branch: Option<String>,
    /// the turns as they are in a block, a blank line between them
    pub text: String,
    /// for each turn: where it ends in `text`, and where its first record begins in the transcript
    pub turns: Vec<(usize, u64)>,
    /// the records, one JSON value per line
    pub backup: Vec<u8>,
}

impl Chunk {
    /// The block that holds these turns.
    pub(crate) fn block(&self, session: &str, with_heading: bool) -> String {
        let title = self.title.as_deref();
        let heading = if with_heading {
            block::heading(self.time, title)
        } else {
            title.map(block::later_title).unwrap_or_default()
        };
        let (start, end) =
            (block::start(session, self.from, self.to), block::end(session, self.to));
        let branch = self.branch.as_deref().map(block::branch).unwrap_or_default();
        [start.as_str(), &heading, &self.text, &branch, &end].concat()
    }

    /// The text of turn `index`, the blank line before it included.
    pub(crate) fn turn(&self, index: usize) -> &str {
        let from = if index == 0 { 0 } else { self.turns[index - 1].0 };
        &self.text[from..self.turns[index].0]
    }
}

/// A name that a client gave to the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionName {
    pub words: String,
    /// whether the person chose it: another one that the client makes does not replace it
    pub chosen: bool,
}

/// The most names that are kept apart until a chunk is done.
const NAMES: usize = 64;

/// Collects pieces into chunks.
pub(crate) struct Chunker<'a> {
    now: DateTime<Utc>,
    local: Local<'a>,
    before: Option<Before>,
    session_day: Option<SessionDay>,
    open: Option<OpenChunk>,
    chunk: Option<Chunk>,
    /// the names that no chunk has yet, and where they stand
    names: Vec<(u64, SessionName)>,
    /// whether the person has named the session
    chosen: bool,
    /// whether something was passed over: no chunk spans that, so chunks begin with their first turn from then on
    passed: bool,
    /// `None` makes one chunk of all
    limit: Option<usize>,
}

/// A turn that may not be complete.
struct OpenChunk {
    turn: LogTurn,
    span: Range<u64>,
    session_day: SessionDay,
    begins: bool,
    time: NaiveDateTime,
    records: Vec<u8>,
}

impl<'a> Chunker<'a> {
    /// Starts after what an earlier run wrote, if it wrote anything.
    pub(crate) fn new(
        now: DateTime<Utc>,
        local: Local<'a>,
        before: Option<Before>,
        session_day: Option<SessionDay>,
    ) -> Self {
        Self {
            now,
            local,
            before,
            session_day,
            open: None,
            chunk: None,
            names: Vec::new(),
            chosen: false,
            passed: false,
            limit: Some(CHUNK_LIMIT),
        }
    }

    /// Collects all that comes, to make a chunk again that was written before.
    #[must_use]
    pub(crate) fn unlimited(mut self) -> Self {
        self.limit = None;
        self
    }

    /// Takes what the client calls the session. The last name counts, and one that the person chose before any other.
    pub(crate) fn name(&mut self, words: &str, chosen: bool, at: u64) {
        if self.chosen && !chosen {
            return;
        }
        self.chosen = chosen;
        let named = SessionName { words: words.to_owned(), chosen };
        let many = self.names.len() >= NAMES;
        match self.names.last_mut().filter(|_| many) {
            Some((_, last)) => *last = named,
            None => self.names.push((at, named)),
        }
    }

    /// The name for a chunk that ends at `end`. One that is behind belongs to the next chunk, which begins with it, so
    /// that both can be made again from their parts of the transcript alone.
    fn take_name(&mut self, end: u64) -> Option<SessionName> {
        let count = self.names.iter().take_while(|(at, _)| *at < end).count();
        self.names.drain(..count).next_back().map(|(_, named)| named)
    }

    /// Where the chunk begins whose first turn begins at `start`.
    fn begin(&self, start: u64) -> u64 {
        let first = self.names.first().filter(|_| !self.passed);
        first.map_or(start, |(at, _)| (*at).min(start))
    }

    /// Takes a piece whose text is redacted and escaped, where it is in the transcript, and its record for
    /// the backup. Returns the chunk that it completes.
    pub(crate) fn push(
        &mut self,
        piece: &TurnPart,
        span: Range<u64>,
        record: &[u8],
    ) -> Option<Chunk> {
        let next = Before::after(self.before.as_ref(), piece, self.now);
        let time = next.time;
        let joins = self.before.as_ref().is_some_and(|before| joins(before, piece, time));
        let done = if joins && self.open.is_some() { None } else { self.close() };
        self.before = Some(next);
        let (session_day, begins) = SessionDay::of(self.session_day, time, self.local);
        self.session_day = Some(session_day);
        let open = self.open.get_or_insert_with(|| OpenChunk {
            turn: LogTurn::of(piece.role, joins),
            span: span.clone(),
            session_day,
            begins,
            time: (self.local)(time),
            records: Vec::new(),
        });
        open.span.end = span.end;
        open.turn.say(&piece.text);
        for tool in &piece.tools {
            open.turn.call(tool);
        }
        piece.files.iter().for_each(|path| open.turn.wrote(path));
        piece.commits.iter().for_each(|subject| open.turn.committed(subject));
        if !record.is_empty() {
            open.records.extend_from_slice(record);
            open.records.push(b'\n');
        }
        done
    }

    /// Passes over a piece that is in a log already. `day` is the day of the log it is in, where
    /// that is known better than by its time. Returns what it completes: no chunk spans such a piece, so
    /// that a chunk can be made again from the transcript alone.
    pub(crate) fn skip(&mut self, piece: &TurnPart, day: Option<NaiveDate>) -> Vec<Chunk> {
        let next = Before::after(self.before.as_ref(), piece, self.now);
        let mut done: Vec<Chunk> = self.close().into_iter().chain(self.chunk.take()).collect();
        if let Some(chunk) = done.last_mut() {
            chunk.named = self.take_name(chunk.to).or(chunk.named.take());
        }
        self.passed = true;
        let (session_day, _) = SessionDay::of(self.session_day, next.time, self.local);
        self.session_day = Some(SessionDay { day: day.unwrap_or(session_day.day), ..session_day });
        self.before = Some(next);
        done
    }

    /// Ends the last turn; reading stopped at `to`. A name that comes after all turns makes a chunk of its own where
    /// the session is in a log already, if `alone`.
    pub(crate) fn finish(&mut self, to: u64, alone: bool) -> Vec<Chunk> {
        let mut done: Vec<Chunk> = self.close().into_iter().collect();
        if let Some(mut chunk) = self.chunk.take() {
            chunk.to = to.max(chunk.to);
            chunk.named = self.take_name(u64::MAX);
            done.push(chunk);
        } else if let (Some(session_day), Some((at, _)), true) =
            (self.session_day, self.names.first(), alone)
        {
            let from = *at;
            done.push(Chunk {
                day: session_day.day,
                time: (self.local)(session_day.last),
                from,
                to: to.max(from),
                named: self.take_name(u64::MAX),
                ..Chunk::default()
            });
        }
        done
    }

    fn close(&mut self) -> Option<Chunk> {
        let open = self.open.take()?;
        let full = |chunk: &Chunk| {
            self.limit.is_some_and(|limit| {
                chunk.day != open.session_day.day
                    || open.begins
                    || chunk.text.len() >= limit
                    || chunk.backup.len() >= limit
            })
        };
        let mut done = if self.chunk.as_ref().is_some_and(full) { self.chunk.take() } else { None };
        if let Some(chunk) = &mut done {
            chunk.named = self.take_name(chunk.to);
        }
        let from = self.begin(open.span.start);
        let chunk = self.chunk.get_or_insert_with(|| Chunk {
            day: open.session_day.day,
            time: open.time,
            begins: open.begins,
            from,
            ..Chunk::default()
        });
        if !chunk.text.is_empty() {
            chunk.text.push('\n');
        }
        chunk.text.push_str(&open.turn.render());
        chunk.turns.push((chunk.text.len(), open.span.start));
        chunk.to = open.span.end;
        chunk.backup.extend_from_slice(&open.records);
        done
    }
}

/// Whether a piece is part of the turn before it: another part of the same reply, or a reply that only
/// calls tools.
pub(crate) fn joins(before: &Before, piece: &TurnPart, time: DateTime<Utc>) -> bool {
    let same_reply = piece.reply.is_some() && piece.reply == before.reply;
    before.role == Role::Assistant
        && piece.role == Role::Assistant
        && (same_reply || piece.text.is_empty())
        && !is_over(before.time, time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_773_579_600, 0).unwrap() + TimeDelta::minutes(minutes)
    }

    fn utc(time: DateTime<Utc>) -> NaiveDateTime {
        time.naive_utc()
    }

    fn piece(minutes: i64, reply: Option<&str>, text: &str, tools: &[&str]) -> TurnPart {
        TurnPart {
            role: if reply.is_some() { Role::Assistant } else { Role::User },
            text: text.to_owned(),
            tools: tools.iter().map(|&tool| tool.to_owned()).collect(),
            time: Some(at(minutes)),
            reply: reply.map(str::to_owned),
            ..TurnPart::of(Role::User)
        }
    }

    fn talk() -> Vec<TurnPart> {
        vec![
            piece(0, None, "hi", &[]),
            piece(1, Some("m1"), "one", &[]),
            piece(1, Some("m1"), "", &["Bash"]),
            piece(2, Some("m2"), "", &["Bash", "Edit"]),
            piece(3, Some("m3"), "two", &[]),
            piece(400, None, "later", &[]),
            piece(401, Some("m4"), "three", &[]),
        ]
    }

    fn feed(chunker: &mut Chunker<'_>, pieces: &[TurnPart], from: u64) -> Vec<Chunk> {
        let mut done = Vec::new();
        for (offset, piece) in (from..).zip(pieces) {
            done.extend(chunker.push(piece, offset * 10..offset * 10 + 10, b"{}"));
        }
        let end = (from + pieces.len() as u64) * 10;
        done.extend(chunker.finish(end, true));
        done
    }

    #[test]
    fn pieces_of_a_reply_are_one_turn_and_silence_ends_a_chunk() {
        let mut chunker = Chunker::new(at(0), &utc, None, None);
        let chunks = feed(&mut chunker, &talk(), 0);
        assert_eq!(chunks.len(), 2);
        assert_eq!(
            chunks[0].text,
            "**User:** hi\n\n**Assistant:** one\n[tools: Bash ×2, Edit]\n\n**Assistant:** two\n"
        );
        assert_eq!((chunks[0].from, chunks[0].to, chunks[0].begins), (0, 50, true));
        assert_eq!((chunks[1].from, chunks[1].to, chunks[1].begins), (50, 70, true));
        assert_eq!(chunks[0].turns.iter().map(|turn| turn.1).collect::<Vec<_>>(), [0, 10, 40]);
        assert_eq!(chunks[0].turn(1), "\n**Assistant:** one\n[tools: Bash ×2, Edit]\n");
        assert_eq!(chunks[0].backup, b"{}\n{}\n{}\n{}\n{}\n");
        let block = chunks[1].block("s", true);
        assert_eq!(
            block,
            "<!-- hipocampus:session s 50-70 -->\n## Session — 2026-03-15 19:40:00\n\n\
             **User:** later\n\n**Assistant:** three\n<!-- hipocampus:end s 70 -->\n"
        );
    }

    #[test]
    fn a_run_that_begins_in_the_middle_of_a_turn_goes_on_with_it() {
        let talk = talk();
        for split in 1..talk.len() {
            let mut first = Chunker::new(at(0), &utc, None, None);
            let mut chunks = feed(&mut first, &talk[..split], 0);
            let mut second = Chunker::new(at(0), &utc, first.before.clone(), first.session_day);
            chunks.extend(feed(&mut second, &talk[split..], split as u64));
            let labels: usize = chunks.iter().map(|chunk| chunk.text.matches("**").count()).sum();
            assert_eq!(labels, 10, "split at {split}");
        }
    }

    #[test]
    fn a_piece_without_a_time_takes_that_of_the_one_before() {
        let mut chunker = Chunker::new(at(9000), &utc, None, None);
        let undated = |text: &str| TurnPart { time: None, ..piece(0, None, text, &[]) };
        let chunks = feed(&mut chunker, &[piece(0, None, "a", &[]), undated("b")], 0);
        assert_eq!(chunks.len(), 1);
        let chunks = feed(&mut Chunker::new(at(9000), &utc, None, None), &[undated("a")], 0);
        assert_eq!(chunks[0].time, utc(at(9000)));
    }
}
