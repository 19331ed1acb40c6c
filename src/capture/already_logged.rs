//! Which turns of a transcript are in a log already, for the cases in which its own ledger cannot tell:
//! a session that is new here but may be a fork, a transcript that was rewritten, and messages that come
//! whole every time.

use std::collections::{HashMap, HashSet};

use chrono::TimeDelta;

use crate::capture::block;
use crate::capture::transcript::{self, TurnPart};
use crate::memory::forgotten::ForgottenId;

/// An id this long belongs to one record in the world. A shorter one, as `msg_1`, every session may have: it
/// counts together with the time and the words only.
const UNIQUE: usize = 20;
/// How far apart the times of one message may lie when it comes back in another shape.
pub(crate) const SHIFT: TimeDelta = TimeDelta::minutes(10);

/// The records in the backups of some days.
#[derive(Debug, Default)]
pub(crate) struct Backup {
    records: HashSet<u64>,
    said: HashMap<u64, Vec<i64>>,
}

impl Backup {
    fn piece(&mut self, piece: &TurnPart) {
        self.records.extend(keys(piece));
        if let Some(time) = piece.time {
            self.said.entry(words(piece)).or_default().push(time.timestamp());
        }
    }

    /// Whether a piece, as read from its redacted record, is one of the records: by its id, else by role,
    /// time and words. By these also where the piece is a whole message, since a fork of `OpenCode` gives its
    /// copies new ids; a message that is really sent twice was begun at another millisecond. A piece with
    /// neither a time nor an id of its own is never known: words alone prove nothing, only their order does.
    pub(crate) fn knows(&self, piece: &TurnPart) -> bool {
        (piece.time.is_some() || piece.id.as_deref().is_some_and(is_unique)) && self.holds(piece)
    }

    /// Whether the record of a piece that is known to be old is here.
    pub(crate) fn holds(&self, piece: &TurnPart) -> bool {
        keys(piece).any(|key| self.records.contains(&key))
    }

    /// Whether the same words are here, said at about the same time; `None` where they are not here
    /// at any time.
    pub(crate) fn said(&self, piece: &TurnPart) -> Option<bool> {
        let (time, times) = (piece.time?, self.said.get(&words(piece))?);
        let near = |other: &i64| (time.timestamp() - other).abs() <= SHIFT.num_seconds();
        Some(times.iter().any(near))
    }

    /// Takes what another one holds.
    pub(crate) fn add(&mut self, other: Self) {
        self.records.extend(other.records);
        for (words, times) in other.said {
            self.said.entry(words).or_default().extend(times);
        }
    }
}

/// The records in the backups of some days, by whose they are.
#[derive(Debug, Default)]
pub(crate) struct Backups {
    /// of the session that is asked about
    pub own: Backup,
    /// of other ones
    pub others: Backup,
    /// of one that the record does not name
    pub unattributed: Backup,
}

impl Backups {
    /// Takes one line of a backup. `names` are those of the session that is asked about.
    pub(crate) fn line(&mut self, line: &[u8], names: &[String]) {
        let Some((piece, session)) = transcript::piece_of_session(line) else { return };
        let backup = match session {
            None => &mut self.unattributed,
            Some(id) if names.contains(&block::session_name(&id)) => &mut self.own,
            Some(_) => &mut self.others,
        };
        backup.piece(&piece);
    }

    /// All of them, of whatever session.
    pub(crate) fn all(self) -> Backup {
        let mut all = self.others;
        all.add(self.own);
        all.add(self.unattributed);
        all
    }
}

/// The records in backups and whose they are: what [`Backups`] tells, for any session, in 16 bytes a record.
#[derive(Debug, Default, Clone)]
pub(crate) struct Owned {
    /// by key, the number of the session that has the record; behind [`SEVERAL`] and [`UNTOLD`]
    records: HashMap<u64, u32>,
    /// the names of sessions, by number
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

/// The number of no session.
const NONE: u32 = SEVERAL - 1;
/// Whether more than one session has a record.
const SEVERAL: u32 = 1 << 30;
/// Whether somebody has it who is not named.
const UNTOLD: u32 = 1 << 31;

/// Who has the record of a piece, for a session that asks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ownership {
    pub own: bool,
    /// another one
    pub others: bool,
    pub unattributed: bool,
}

impl Owned {
    /// Takes one line of a backup.
    pub(crate) fn line(&mut self, line: &[u8]) {
        // What it says is not looked at where its id tells it from all others.
        if let Some((id, session)) = transcript::known_by_id(line).filter(|(id, _)| is_unique(id)) {
            return self.take(session, [hash(&id)].into_iter());
        }
        let Some((piece, session)) = transcript::piece_of_session(line) else { return };
        self.take(session, keys(&piece));
    }

    fn take(&mut self, session: Option<String>, keys: impl Iterator<Item = u64>) {
        let name = session.map(|id| block::session_name(&id));
        let number = name.map(|name| self.number(name));
        for key in keys {
            let owners = self.records.entry(key).or_insert(NONE);
            match number {
                None => *owners |= UNTOLD,
                Some(number) if *owners & NONE == NONE => *owners = (*owners & !NONE) | number,
                Some(number) if *owners & NONE != number => *owners |= SEVERAL,
                Some(_) => {}
            }
        }
    }

    fn number(&mut self, name: String) -> u32 {
        if let Some(number) = self.numbers.get(&name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(NONE).min(NONE - 1);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Who has the record of a piece that [`Backup::knows`] would know; `names` are those of the session that asks.
    pub(crate) fn whose(&self, piece: &TurnPart, names: &[String]) -> Ownership {
        let mut whose = Ownership::default();
        if piece.time.is_none() && !piece.id.as_deref().is_some_and(is_unique) {
            return whose;
        }
        for owners in keys(piece).filter_map(|key| self.records.get(&key)) {
            let one = self.names.get((owners & NONE) as usize);
            let own = one.is_some_and(|one| names.contains(one));
            whose.own |= own;
            whose.others |= owners & SEVERAL != 0 || (one.is_some() && !own);
            whose.unattributed |= owners & UNTOLD != 0;
        }
        whose
    }
}

fn words(piece: &TurnPart) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(piece.text.as_bytes(), piece.role.seed())
}

pub(crate) fn is_unique(id: &str) -> bool {
    id.len() >= UNIQUE
}

/// What always identifies a record, if anything but its words does. The piece has to be one without
/// secrets, as it is in a backup.
pub(crate) fn ids(piece: &TurnPart) -> impl Iterator<Item = ForgottenId> {
    let tells = piece.time.is_some() || piece.id.as_deref().is_some_and(is_unique);
    keys(piece).filter(move |_| tells).map(ForgottenId::record)
}

fn hash(text: &str) -> u64 {
    crate::plan::hash(text.as_bytes())
}

/// What a record is known by.
fn keys(piece: &TurnPart) -> impl Iterator<Item = u64> {
    let time = piece.time.map(|time| time.timestamp_millis());
    let said =
        |id: &str| hash(&format!("{id}\n{time:?}\n{}\n{}", words(piece), piece.tools.join(",")));
    let by_id = piece.id.as_deref().map(|id| if is_unique(id) { hash(id) } else { said(id) });
    let is_whole = piece.time.is_some() && piece.reply == piece.id;
    let by_time = (is_whole || piece.id.is_none()).then(|| said(""));
    by_id.into_iter().chain(by_time)
}

/// Which of the turns that came are in the log already, both as hashes, in order.
///
/// The longest end of the log that the turns begin with is old, as after pruning and compaction; all
/// are old where they are in the log as they came. Otherwise something in between has changed, and the
/// longest common subsequence is old, if it is more than a chance.
pub(crate) fn in_order(logged: &[u64], came: &[u64]) -> Vec<bool> {
    let overlap = overlap(logged, came);
    if overlap > 0 {
        return (0..came.len()).map(|index| index < overlap).collect();
    }
    if !came.is_empty() && logged.windows(came.len()).any(|window| window == came) {
        return vec![true; came.len()];
    }
    let common = common(logged, came);
    let count = common.iter().filter(|old| **old).count();
    if count >= 2 && count * 2 >= came.len().min(logged.len()) {
        common
    } else {
        vec![false; came.len()]
    }
}

/// The length of the longest end of `logged` that is a beginning of `came`, in linear time.
fn overlap(logged: &[u64], came: &[u64]) -> usize {
    let tail = &logged[logged.len().saturating_sub(came.len())..];
    let mut borders = vec![0_usize; came.len()];
    let step = |borders: &[usize], mut length: usize, next: u64| {
        while length > 0 && (length == came.len() || came[length] != next) {
            length = borders[length - 1];
        }
        length + usize::from(came.get(length) == Some(&next))
    };
    for index in 1..came.len() {
        borders[index] = step(&borders, borders[index - 1], came[index]);
    }
    tail.iter().fold(0, |length, next| step(&borders, length, *next))
}

/// Which of `came` belong to a longest common subsequence; a greedy one where that would take long.
fn common(logged: &[u64], came: &[u64]) -> Vec<bool> {
    let mut old = vec![false; came.len()];
    if logged.len().saturating_mul(came.len()) > 4_000_000 {
        let mut rest = logged;
        for (index, turn) in came.iter().enumerate() {
            if let Some(at) = rest.iter().position(|other| other == turn) {
                old[index] = true;
                rest = &rest[at + 1..];
            }
        }
        return old;
    }
    let width = came.len() + 1;
    let mut length = vec![0_u32; (logged.len() + 1) * width];
    for i in (0..logged.len()).rev() {
        for j in (0..came.len()).rev() {
            length[i * width + j] = if logged[i] == came[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < logged.len() && j < came.len() {
        if logged[i] == came[j] {
            old[j] = true;
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    old
}

#[cfg(test)]
mod tests;
