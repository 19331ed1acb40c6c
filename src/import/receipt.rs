//! The receipt: what is said in each session, in its agent's store and in the memory, turn by turn.
//!
//! A turn is compared by who speaks and what: as an import of today would write it down, and as it is in the log.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;

use chrono::{Days, NaiveDate};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::buried::{self, Buried};
use super::clean::escaped;
use super::context::ImportContext;
use super::filter::{Filter, Prefilter};
use super::logs::Logs;
use super::past::{self, LeftOut, Opened, Past, PastFilter};
use super::repeats::{Repeated, Repeats};
use super::source::{self, Conversation, Event, Met, SourceKind};
use super::{Reached, proven, sessions, since, unread};
use crate::capture::Redact;
use crate::capture::block::{self, LogTurn};
use crate::capture::chunk::{Before, joins};
use crate::capture::remembering::Remembering;
use crate::capture::spoken::{self, Spoken};
use crate::capture::transcript::Role;
use crate::disk::{self, EntryKind, Folder, Memory, NotRead};
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
    /// of these: without the end of what is longer than a turn may be
    pub(crate) cut: usize,
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
            cut: self.cut + other.cut,
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
    /// lines of the store that are no records, as after a crash of the agent
    pub(crate) unreadable: usize,
    /// why not all of it could be compared
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// When agents called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls<'a> {
    /// when a session began last that brought in what earlier ones had left, nanoseconds since 1970
    pub(crate) caught_up: Option<i64>,
    /// the agents that do not call any more: nothing of them waits
    pub(crate) silent: &'a [&'static str],
}

/// The logs that are no files, so that nothing in them was read.
fn not_files(memory: &Folder) -> io::Result<Vec<Note>> {
    let entries = memory.list(|name| layout::day_of_log(name).is_some())?;
    let odd = entries.into_iter().filter(|entry| entry.kind != EntryKind::File);
    let note = |entry: disk::DirEntry| {
        Note::problem(
            layout::in_memory(&entry.name),
            "it is no file, so what is in it was not read",
        )
    };
    Ok(odd.map(note).collect())
}

/// The receipts of all sessions of a project that agents still have on this machine, in order of agent and day, and
/// what is to be said of other files.
pub(crate) fn take(
    project: &Project,
    world: &World,
    calls: &Calls<'_>,
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
    notes.extend(context.logs.notes());
    notes.extend(not_files(folder).map_err(failed)?);
    let found = past::find(&project.root, world, &PastFilter::default());
    notes.extend(found.passed_over);
    // Whose these are, nobody can tell, unless they are in the memory.
    let is_here = |past: &Past| spoken.contains_key(&block::session_name(&past.id));
    let (ours, others): (Vec<_>, Vec<_>) = found.untold.into_iter().partition(is_here);
    notes.extend(others.iter().map(|past| Note { problem: false, ..past.note(past::UNTOLD) }));
    let (gone, others): (Vec<_>, Vec<_>) =
        found.gone.into_iter().partition(|(_, past)| is_here(past));
    notes.extend(others.iter().filter(|(_, past)| past.says_something()).map(|(held_in, past)| {
        let why = format!("it was held in `{}`, which is gone: if that was a worktree of this project, `hipocampus import --from` with this folder takes it in", held_in.display());
        Note { problem: false, ..past.note(&why) }
    }));
    let own = found.sessions.into_iter().chain(ours).chain(gone.into_iter().map(|(_, past)| past));
    let left_out = found.left_out.into_iter().map(|(past, why)| (past, Some(why)));
    let all: Vec<_> = own.map(|past| (past, None)).chain(left_out).collect();
    let set_up = sessions::set_up(&project.root);
    let waits = (context.clock - WAITS).timestamp_nanos_opt().unwrap_or(0);
    let desk = Comparison {
        context: &context,
        prefilter: &prefilter,
        spoken: &spoken,
        reached: &reached,
        waits_since: waits.max(set_up).max(calls.caught_up.unwrap_or(0)),
        silent: calls.silent,
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

/// What becomes of a turn that is not in the memory.
#[derive(Clone, Copy)]
struct Fate {
    /// whether the session is off
    off: bool,
    /// whether its agent may still hand it over
    waits: bool,
    /// whether places in the store stay what they are: messages move
    places: bool,
}

/// A turn in an agent's store.
struct StoredTurn {
    at: u64,
    /// where its last words end
    end: u64,
    /// as it would be in a log
    turn: LogTurn,
    has_words: bool,
    is_redacted: bool,
    /// whether the logs have it under another session, as the import sees it
    is_copy: bool,
}

impl Comparison<'_, '_> {
    fn receipt(&self, past: &Past, why: Option<LeftOut>) -> SessionReceipt {
        let mut receipt = SessionReceipt {
            agent: past.agent,
            session: self.context.session_name(&past.id),
            day: None,
            turns: TurnCount::default(),
            store_hash: String::new(),
            memory_hash: String::new(),
            unreadable: 0,
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
        receipt.session = name;
        if why == Some(LeftOut::Delegated) {
            let count = turns.iter().filter(|turn| turn.has_words).count();
            receipt.turns.left_out.delegated = count;
            receipt.turns.store += count;
            return Ok(());
        }
        let fate = Fate {
            off: why == Some(LeftOut::Off),
            waits: !self.silent.contains(&past.agent) && past.written >= self.waits_since,
            places: matches!(opened, Opened::File(_)),
        };
        let name = receipt.session.clone();
        self.weigh(&turns, &name, fate, receipt);
        Ok(())
    }

    /// What the session is called in markers.
    fn name(&self, past: &Past, opened: &Opened) -> io::Result<String> {
        // A session that was taken up again may begin with records of the one before it.
        let hidden = self.context.session_name(&past.id);
        let names = [block::session_name(&past.id), past.name(opened)?];
        let known = names.into_iter().find(|name| self.spoken.contains_key(name));
        Ok(known.unwrap_or(hidden))
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
        let mut met = Met::default();
        let mut each = |said: Event<'_>| {
            if said.piece.role.is_title() {
                return ControlFlow::Continue(());
            }
            if let (Role::Nobody, Some(turn)) = (said.piece.role, turns.last_mut()) {
                // A note of the import, which stands in the log behind what was said before.
                turn.turn.say(&said.piece.text);
                return ControlFlow::Continue(());
            }
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
            let now = source.assumed(context.now);
            let next = Before::after(before.as_ref(), &said.piece, now);
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
        };
        source.read_counting(None, 0..source.end(), &mut met, &mut each)?;
        receipt.unreadable = met.unreadable;
        failure.map_or(Ok(turns), Err)
    }

    /// Looks for each turn in the memory.
    fn weigh(&self, turns: &[StoredTurn], name: &str, fate: Fate, receipt: &mut SessionReceipt) {
        let nothing = Spoken::default();
        let own = self.spoken.get(name).unwrap_or(&nothing);
        let reached = self.reached.get(name).map_or(0, |reached| reached.to);
        let count = &mut receipt.turns;
        let mut kept = Vec::new();
        for turn in turns.iter().filter(|turn| turn.has_words) {
            count.store += 1;
            let rendered = turn.turn.render();
            match spoken::turn_hash(&rendered) {
                Some(hash) if !self.is_buried(name, turn, &rendered) => kept.push((turn, hash)),
                _ => count.left_out.forgotten += 1,
            }
        }
        let hashes: Vec<u64> = kept.iter().map(|(_, hash)| *hash).collect();
        let found = found(&hashes, &own.turns);
        let in_other_words = in_place(&kept, &found, own);
        let has_words = |hash: &u64| self.spoken.values().any(|it| it.turns.contains(hash));
        let mut memory = Vec::new();
        for (index, (turn, hash)) in kept.iter().enumerate() {
            let in_block = own.blocks.iter().any(|block| block.contains(&turn.at));
            let is_copy = || !in_block && (turn.is_copy || turn.at < reached) && has_words(hash);
            let other = in_other_words[index].filter(|_| fate.places && turn.end <= reached);
            if found[index].is_some() || is_copy() {
                count.copied += usize::from(found[index].is_none());
                count.redacted += usize::from(turn.is_redacted);
                count.cut += usize::from(turn.turn.cut > 0);
                memory.push(*hash);
            } else if let Some(other) = other {
                count.changed += 1;
                memory.push(own.turns[other]);
            } else if fate.off {
                count.left_out.off += 1;
            } else if turn.end > reached && fate.waits {
                count.waiting += 1;
            } else {
                count.missing += 1;
            }
        }
        count.memory = memory.len();
        let due = if fate.off { memory.clone() } else { hashes };
        (receipt.store_hash, receipt.memory_hash) = (hash_over(due), hash_over(memory));
    }

    /// Whether a turn was forgotten by its words.
    fn is_buried(&self, name: &str, turn: &StoredTurn, rendered: &str) -> bool {
        let forgotten = &self.context.forgotten;
        let words = || block::known_by(rendered);
        let turn = || ForgottenId::turn(name, turn.turn.role.seed(), &words());
        forgotten.has_texts() && forgotten.covers_text(turn())
    }
}

impl StoredTurn {
    fn new(at: u64, said: &Event<'_>) -> Self {
        Self {
            at,
            end: at,
            turn: LogTurn::of(said.piece.role, false),
            has_words: false,
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
        if speaks {
            self.end = said.span.end;
        }
        let start = said.span.start;
        if buried.holds(&said) {
            return;
        }
        let raw = said.piece.text.clone();
        let (piece, _) = context.redacted(said);
        self.is_redacted |= raw != piece.text;
        self.is_copy |= filter.is_some_and(|filter| filter.is_old(&piece, start));
        self.turn.say(&escaped(piece.role, &piece.text));
    }
}

/// Where each turn is in the memory: every one there counts once, the next one first.
fn found(store: &[u64], memory: &[u64]) -> Vec<Option<usize>> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, hash) in memory.iter().enumerate() {
        places.entry(*hash).or_default().push(at);
    }
    let mut next = 0;
    let find = |hash: &u64| {
        let places = places.get_mut(hash).filter(|places| !places.is_empty())?;
        let behind = places.iter().position(|at| *at >= next).unwrap_or(0);
        let at = places.remove(behind);
        next = at + 1;
        Some(at)
    };
    store.iter().map(find).collect()
}

/// For each turn that was not found, the turn in the memory that stands in its place: by the same speaker, in a block
/// that was made from there, between the same two turns.
fn in_place(
    kept: &[(&StoredTurn, u64)],
    found: &[Option<usize>],
    own: &Spoken,
) -> Vec<Option<usize>> {
    let mut used: HashSet<usize> = found.iter().flatten().copied().collect();
    let mut before = 0;
    let mut stands = Vec::with_capacity(kept.len());
    for (index, (turn, _)) in kept.iter().enumerate() {
        if let Some(at) = found[index] {
            before = at + 1;
            stands.push(None);
            continue;
        }
        let behind = found[index..].iter().flatten().next().copied().unwrap_or(own.turns.len());
        let is_it = |at: &usize| {
            let (role, block) = own.places[*at];
            !used.contains(at)
                && role == turn.turn.role
                && own.blocks.get(block).is_some_and(|block| block.contains(&turn.at))
        };
        let place = (before..behind).find(is_it);
        used.extend(place);
        stands.push(place);
    }
    stands
}

/// A hash over turns, whatever their order; 32 hexadecimal digits.
fn hash_over(mut turns: Vec<u64>) -> String {
    turns.sort_unstable();
    let bytes: Vec<u8> = turns.iter().flat_map(|turn| turn.to_be_bytes()).collect();
    format!("{:032x}", xxh3_128(&bytes))
}
