//! The receipt: what is said in each session, in its agent's store and in the memory, turn by turn.
//!
//! A turn is compared by who speaks and what: as an import of today would write it down, and as it is in the log.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::ControlFlow;

use chrono::{DateTime, Days, NaiveDate};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::buried::{self, Buried};
use super::clean::escaped;
use super::context::ImportContext;
use super::filter::{Filter, Prefilter};
use super::logs::Logs;
use super::past::{self, LeftOut, Opened, Past, PastFilter};
use super::repeats::{Repeated, Repeats};
use super::source::{self, Conversation, Event, SourceKind};
use super::{Reached, proven, sessions, since, unread};
use crate::capture::Redact;
use crate::capture::block::{self, LogTurn};
use crate::capture::chunk::{Before, joins};
use crate::capture::remembering::Remembering;
use crate::capture::spoken::{self, Spoken};
use crate::capture::transcript::Role;
use crate::disk::{self, Memory, NotRead};
use crate::error::Problem;
use crate::layout;
use crate::memory::forgotten::ForgottenId;
use crate::plan::Note;
use crate::progress;
use crate::project::Project;
use crate::world::World;

/// How many days an agent has to call again before what it has not handed over counts as missing.
const WAITS: Days = Days::new(7);

/// The turns of one session, or of several together. Every turn of the store is in one of `here`, `left_out`, `waiting`
/// and `missing`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct TurnCount {
    /// turns with words in the agent's store
    pub(crate) store: usize,
    /// those of them that are in the memory
    pub(crate) memory: usize,
    /// of these: with values taken out that must not be written down
    pub(crate) redacted: usize,
    /// of these: under the session that this one is a copy of
    pub(crate) copied: usize,
    /// of these: in other words, as edited by hand or redacted by other rules
    pub(crate) changed: usize,
    pub(crate) left_out: LeftOutTurns,
    /// said since its agent last called; the next call brings them in
    pub(crate) waiting: usize,
    pub(crate) missing: usize,
}

/// Turns that are not in the memory on purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct LeftOutTurns {
    /// removed by `hipocampus forget`
    pub(crate) forgotten: usize,
    /// all of it between `<private>` and `</private>`
    pub(crate) private: usize,
    /// in a session that was off
    pub(crate) off: usize,
    /// between two agents
    pub(crate) delegated: usize,
}

impl TurnCount {
    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            store: self.store + other.store,
            memory: self.memory + other.memory,
            redacted: self.redacted + other.redacted,
            copied: self.copied + other.copied,
            changed: self.changed + other.changed,
            left_out: LeftOutTurns {
                forgotten: self.left_out.forgotten + other.left_out.forgotten,
                private: self.left_out.private + other.left_out.private,
                off: self.left_out.off + other.left_out.off,
                delegated: self.left_out.delegated + other.left_out.delegated,
            },
            waiting: self.waiting + other.waiting,
            missing: self.missing + other.missing,
        }
    }
}

impl LeftOutTurns {
    pub(crate) fn sum(self) -> usize {
        self.forgotten + self.private + self.off + self.delegated
    }
}

/// What the memory has of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SessionReceipt {
    /// the id of the agent
    pub(crate) agent: &'static str,
    pub(crate) session: String,
    /// the day of its first turn
    pub(crate) day: Option<NaiveDate>,
    #[serde(flatten)]
    pub(crate) turns: TurnCount,
    /// a hash over the turns in the store that are to be in the memory, and one over those that are
    pub(crate) store_hash: String,
    pub(crate) memory_hash: String,
    /// why not all of it could be compared
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// The receipts of all sessions of a project that agents still have on this machine, in order of agent and day, and
/// what is to be said of other files. The agents that do not call any more are `silent`: nothing of them waits.
pub(crate) fn take(
    project: &Project,
    world: &World,
    silent: &[&'static str],
) -> Result<(Vec<SessionReceipt>, Vec<Note>), Problem> {
    let memory = Memory::open(&project.root)?.ok_or_else(|| {
        Problem::new("there is no memory yet, so nothing can be compared")
            .hint("`hipocampus import` brings in past sessions")
    })?;
    let folder = memory.folder();
    let failed =
        |error: io::Error| disk::problem("read", &project.root.join(layout::MEMORY), error);
    let redactor = project.redactor()?;
    let redact = Remembering::new(&redactor, || proven::load(folder));
    let forgotten = buried::tombstones(folder).map_err(|note| Problem::new(note.to_string()))?;
    let context = ImportContext::new(folder, Logs::of(folder), &redact, world, forgotten)?;
    let (reached, mut notes) = super::reached(folder).map_err(failed)?;
    let prefilter = Prefilter::new(&context);
    let mut days = since::days(&context.logs, None, false).map_err(failed)?;
    days.reverse();
    let spoken = prefilter.spoken(&days, None).map_err(failed)?;
    let found = past::find(&project.root, world, &PastFilter::default());
    notes.extend(found.passed_over);
    notes.extend(found.untold.iter().map(|past| past.note(past::UNTOLD)));
    let all: Vec<_> = (found.sessions.into_iter().map(|past| (past, None)))
        .chain(found.left_out.into_iter().map(|(past, why)| (past, Some(why))))
        .collect();
    let set_up = DateTime::from_timestamp_nanos(sessions::set_up(&project.root));
    let desk = Comparison {
        context: &context,
        prefilter: &prefilter,
        spoken: &spoken,
        reached: &reached,
        waits_since: (context.clock - WAITS).max(set_up).timestamp_nanos_opt().unwrap_or(0),
        silent,
    };
    let count = all.len();
    let mut receipts = Vec::new();
    for (index, (past, why)) in all.iter().enumerate() {
        progress::tick(|| format!("comparing session {} of {count}", index + 1));
        receipts.push(desk.receipt(past, *why));
    }
    receipts.retain(|it| it.turns.store > 0 || it.problem.is_some());
    receipts.sort_by(|a, b| (a.agent, a.day, &a.session).cmp(&(b.agent, b.day, &b.session)));
    for note in &mut notes {
        note.text = redactor.text(&note.text).into_owned();
    }
    Ok((receipts, notes))
}

struct Comparison<'c, 'a> {
    context: &'c ImportContext<'a>,
    prefilter: &'c Prefilter<'c, 'a>,
    /// the turns in the memory, by session
    spoken: &'c BTreeMap<String, Spoken>,
    reached: &'c HashMap<String, Reached>,
    /// a session written to since then may still be handed over by its agent, nanoseconds since 1970
    waits_since: i64,
    /// the agents that do not call any more
    silent: &'c [&'static str],
}

/// The turns that are to be in the memory, and those that are, as hashes.
#[derive(Default)]
struct Tally {
    store: Vec<u64>,
    memory: Vec<u64>,
}

impl Tally {
    fn add(&mut self, store: u64, memory: Option<u64>) {
        self.store.push(store);
        self.memory.extend(memory);
    }
}

/// A turn in an agent's store.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the turn")]
struct StoredTurn {
    at: u64,
    /// as it would be in a log
    turn: LogTurn,
    has_words: bool,
    is_forgotten: bool,
    is_redacted: bool,
    /// whether the logs have it under another session, as the import sees it
    is_copy: bool,
}

impl Comparison<'_, '_> {
    fn receipt(&self, past: &Past, why: Option<LeftOut>) -> SessionReceipt {
        let mut receipt = SessionReceipt {
            agent: past.agent,
            session: block::session_name(&past.id),
            day: None,
            turns: TurnCount::default(),
            store_hash: String::new(),
            memory_hash: String::new(),
            problem: None,
        };
        if let Err(error) = self.compare(past, why, &mut receipt) {
            receipt.problem = Some(self.context.redact.text(&disk::describe(&error)).into_owned());
        }
        receipt
    }

    fn compare(
        &self,
        past: &Past,
        why: Option<LeftOut>,
        receipt: &mut SessionReceipt,
    ) -> Result<(), NotRead> {
        let failed = |error: io::Error| NotRead::of(past.path(), error);
        let opened = past.open()?;
        let source = match &opened {
            // A reply that is still being written is not said yet.
            Opened::Messages(messages) => {
                let end = source::said_to_the_end(messages, self.context.now);
                Conversation::whole(SourceKind::Messages(&messages[..end]))
            }
            Opened::File(_) => opened.source(),
        };
        let name = self.name(past, &opened).map_err(failed)?;
        let turns = self.turns(&source, &name, receipt).map_err(failed)?;
        if unread::lost(&source, 0..source.end()).map_err(failed)?.is_some() {
            receipt.problem = Some(super::UNKNOWN_FORM.to_owned());
        }
        let private = unread::private(&source).map_err(failed)?;
        receipt.turns.left_out.private = private;
        receipt.turns.store = private;
        receipt.session.clone_from(&name);
        if let Some(why) = why {
            let count = turns.iter().filter(|turn| turn.has_words).count();
            let left_out = &mut receipt.turns.left_out;
            match why {
                LeftOut::Off => left_out.off = count,
                LeftOut::Delegated => left_out.delegated = count,
            }
            receipt.turns.store += count;
        } else {
            let calls = !self.silent.contains(&past.agent);
            self.weigh(&turns, &name, calls && past.written >= self.waits_since, receipt);
        }
        Ok(())
    }

    /// What the session is called in markers.
    fn name(&self, past: &Past, opened: &Opened) -> io::Result<String> {
        let plain = past.name(opened)?;
        if self.spoken.contains_key(&plain) {
            return Ok(plain);
        }
        let hidden = self.context.session_name(&past.id);
        Ok(if self.spoken.contains_key(&hidden) { hidden } else { plain })
    }

    /// Reads the turns of a session as an import does.
    fn turns(
        &self,
        source: &Conversation<'_>,
        name: &str,
        receipt: &mut SessionReceipt,
    ) -> io::Result<Vec<StoredTurn>> {
        let context = self.context;
        let buried = Buried::of(source, name, &context.forgotten, context.redact)?;
        let mut filter = if self.spoken.contains_key(name) {
            None
        } else {
            self.prefilter.fork_filter(source, name, &mut 0)?
        };
        let (mut turns, mut before) = (Vec::<StoredTurn>::new(), None::<Before>);
        let mut repeats = Repeats::default();
        let mut failure = None;
        source.read(0..source.end(), |said: Event<'_>| {
            let repeated = match repeats.have(source, &said) {
                Ok(repeated) => repeated,
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            };
            if repeated == Repeated::All {
                return ControlFlow::Continue(());
            }
            let next = Before::after(before.as_ref(), &said.piece, context.now);
            let joined = before.as_ref().is_some_and(|it| joins(it, &said.piece, next.time));
            if !joined || turns.is_empty() {
                turns.push(StoredTurn::new(said.span.start, &said));
            }
            receipt.day = receipt.day.or(Some((context.local)(next.time).date()));
            before = Some(next);
            if let Some(turn) = turns.last_mut().filter(|_| repeated == Repeated::No) {
                turn.add(context, &buried, filter.as_mut(), said);
            }
            ControlFlow::Continue(())
        })?;
        failure.map_or(Ok(turns), Err)
    }

    /// Looks for each turn in the memory.
    fn weigh(
        &self,
        turns: &[StoredTurn],
        name: &str,
        may_wait: bool,
        receipt: &mut SessionReceipt,
    ) {
        let nothing = Spoken::default();
        let own = self.spoken.get(name).unwrap_or(&nothing);
        let mut left = own.turns.clone();
        let reached = self.reached.get(name).map_or(0, |reached| reached.to);
        let (count, mut tally) = (&mut receipt.turns, Tally::default());
        let mut open = Vec::new();
        for turn in turns.iter().filter(|turn| turn.has_words) {
            count.store += 1;
            let rendered = turn.turn.render();
            match spoken::turn_hash(&rendered) {
                Some(hash) if !self.is_buried(name, turn, &rendered) => {
                    match left.iter().position(|other| *other == hash) {
                        Some(at) => {
                            left.remove(at);
                            count.redacted += usize::from(turn.is_redacted);
                            tally.add(hash, Some(hash));
                        }
                        None => open.push((turn, hash)),
                    }
                }
                _ => count.left_out.forgotten += 1,
            }
        }
        let mut left = left.into_iter();
        let has_words = |hash: &u64| self.spoken.values().any(|it| it.turns.contains(hash));
        for (turn, hash) in open {
            let in_block = own.blocks.iter().any(|block| block.contains(&turn.at));
            if !in_block && (turn.is_copy || turn.at < reached) && has_words(&hash) {
                count.copied += 1;
                count.redacted += usize::from(turn.is_redacted);
                tally.add(hash, Some(hash));
            } else if let Some(other) = in_block.then(|| left.next()).flatten() {
                count.changed += 1;
                tally.add(hash, Some(other));
            } else if turn.at >= reached && may_wait {
                count.waiting += 1;
            } else {
                tally.add(hash, None);
            }
        }
        (count.memory, count.missing) =
            (tally.memory.len(), tally.store.len() - tally.memory.len());
        receipt.store_hash = hash_over(tally.store);
        receipt.memory_hash = hash_over(tally.memory);
    }

    /// Whether a turn was forgotten, by its place or its words.
    fn is_buried(&self, name: &str, turn: &StoredTurn, rendered: &str) -> bool {
        let forgotten = &self.context.forgotten;
        let by_words = || {
            let words = block::known_by(rendered);
            forgotten.covers_text(ForgottenId::turn(name, turn.turn.role.seed(), &words))
        };
        turn.is_forgotten || forgotten.has_texts() && by_words()
    }
}

impl StoredTurn {
    fn new(at: u64, said: &Event<'_>) -> Self {
        Self {
            at,
            turn: LogTurn::of(said.piece.role, false),
            has_words: false,
            is_forgotten: false,
            is_redacted: false,
            is_copy: false,
        }
    }

    /// Adds what a record says.
    fn add(
        &mut self,
        context: &ImportContext<'_>,
        buried: &Buried<'_>,
        filter: Option<&mut Filter>,
        said: Event<'_>,
    ) {
        let speaks = said.piece.role != Role::Nobody && !said.piece.text.trim().is_empty();
        self.has_words |= speaks;
        let start = said.span.start;
        if buried.holds(&said) {
            self.is_forgotten |= speaks;
            return;
        }
        let raw = said.piece.text.clone();
        let (piece, _) = context.redacted(said);
        self.is_redacted |= raw != piece.text;
        self.is_copy |= filter.is_some_and(|filter| filter.is_old(&piece, start));
        self.turn.say(&escaped(piece.role, &piece.text));
    }
}

/// A hash over turns, whatever their order; 32 hexadecimal digits.
fn hash_over(mut turns: Vec<u64>) -> String {
    turns.sort_unstable();
    let bytes: Vec<u8> = turns.iter().flat_map(|turn| turn.to_be_bytes()).collect();
    format!("{:032x}", xxh3_128(&bytes))
}
