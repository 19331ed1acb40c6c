//! One session in its agent's store beside what the memory has of it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_128;

use super::{SessionReceipt, TurnCount};
use crate::capture::Redact as _;
use crate::capture::block::{self, LogTurn};
use crate::capture::chunk::{Before, joins};
use crate::capture::spoken::{self, Spoken};
use crate::capture::transcript::Role;
use crate::disk::{self, NotRead};
use crate::import::buried::Buried;
use crate::import::clean::escaped;
use crate::import::context::ImportContext;
use crate::import::filter::{Filter, Prefilter};
use crate::import::past::{LeftOut, Opened, Past};
use crate::import::repeats::{Repeated, Repeats};
use crate::import::source::{self, Conversation, Event, Met, SourceKind};
use crate::import::{Reached, UNKNOWN_FORM, unread};
use crate::memory::forgotten::ForgottenId;
use crate::text::start;

/// The most missing turns whose beginnings are shown.
const SHOWN: usize = 3;
/// How much of each, in bytes.
const LETTERS: usize = 60;

/// What all comparisons need.
pub(super) struct Comparison<'c, 'a> {
    pub(super) context: &'c ImportContext<'a>,
    pub(super) prefilter: &'c Prefilter<'c, 'a>,
    /// the turns in the memory, by session
    pub(super) spoken: &'c BTreeMap<String, Spoken>,
    pub(super) reached: &'c HashMap<String, Reached>,
    /// a session written to since then may still be handed over by its agent, nanoseconds since 1970
    pub(super) waits_since: i64,
    /// the agents that do not call any more
    pub(super) silent: &'c [&'static str],
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
    /// What the memory has of a session; `why` no import takes it in, if none does.
    pub(super) fn receipt(&self, past: &Past, why: Option<LeftOut>) -> SessionReceipt {
        let mut receipt = SessionReceipt {
            agent: past.agent,
            session: self.context.session_name(&past.id),
            day: None,
            turns: TurnCount::default(),
            store_hash: String::new(),
            memory_hash: String::new(),
            unreadable: 0,
            lost: Vec::new(),
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
            receipt.problem = Some(UNKNOWN_FORM.to_owned());
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
        self.weigh(&turns, fate, receipt);
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
    fn weigh(&self, turns: &[StoredTurn], fate: Fate, receipt: &mut SessionReceipt) {
        let name = &receipt.session;
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
                if receipt.lost.len() < SHOWN {
                    receipt.lost.push(begin(&turn.turn.render()));
                }
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

/// The beginning of a turn, on one line.
fn begin(turn: &str) -> String {
    let words = turn.split_whitespace().collect::<Vec<_>>().join(" ");
    let short = start(&words, LETTERS);
    if short.len() < words.len() { format!("{short}…") } else { words }
}

/// A hash over turns, whatever their order; 32 hexadecimal digits.
fn hash_over(mut turns: Vec<u64>) -> String {
    turns.sort_unstable();
    let bytes: Vec<u8> = turns.iter().flat_map(|turn| turn.to_be_bytes()).collect();
    format!("{:032x}", xxh3_128(&bytes))
}
