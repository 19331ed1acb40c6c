//! What was forgotten on purpose, without a word of it: the tombstones in `memory/.hipocampus.forgotten`.
//!
//! Import, catch-up, forks and merges ask here before they bring anything in. A tombstone is either a part of a
//! session's transcript or a salted hash of what a record, a turn or an entry is known by. Words that somebody saves
//! again on purpose are noted down beside it. Two such files are merged as a union, line by line. The format is in
//! `spec/file-formats.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::Hasher as _;
use std::ops::{Range, RangeInclusive};

use chrono::NaiveDate;
use siphasher::sip::SipHasher24;
use xxhash_rust::xxh3::xxh3_64;

use crate::markdown::escape::unescape;
use crate::text::{composed, single_spaced};

/// The first line of the file.
const HEAD: &str = "hipocampus-forgotten 1";

/// What something is known by, to ask whether it was forgotten. Not to be stored: whoever has it can test a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ForgottenId(u64);

impl ForgottenId {
    /// A record of a transcript, by what tells it from every other one.
    pub(crate) fn record(key: u64) -> Self {
        Self(xxh3_64(format!("record\n{key:016x}").as_bytes()))
    }

    /// A turn in a session: who speaks, as a number, and the words as a log has them.
    pub(crate) fn turn(session: &str, role: u64, words: &str) -> Self {
        Self(xxh3_64(format!("turn\n{session}\n{role}\n{}", plain(words)).as_bytes()))
    }

    /// What a client calls a session, as a log shows it.
    pub(crate) fn title(session: &str, title: &str) -> Self {
        Self(xxh3_64(format!("title\n{session}\n{}", plain(title)).as_bytes()))
    }

    /// Anything else that is in the log of a day: an entry with its heading, what is above the first one, a turn
    /// of a session that somebody wrote down.
    pub(crate) fn entry(day: NaiveDate, text: &str) -> Self {
        Self(xxh3_64(format!("entry\n{day}\n{}", plain(text)).as_bytes()))
    }
}

/// Words as they are compared: neither blanks, nor line ends, nor a `\` of ours, nor the form of accents matter.
pub(crate) fn plain(words: &str) -> String {
    single_spaced(&composed(&unescape(words)))
}

/// Every tombstone of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Forgotten {
    /// by session, parts of its transcript
    sessions: BTreeMap<String, BTreeSet<(u64, u64)>>,
    /// by session, from when to when it was said, both included, in milliseconds since 1970
    times: BTreeMap<String, BTreeSet<(i64, i64)>>,
    /// by salt, hashes
    texts: BTreeMap<u128, BTreeSet<u64>>,
    /// of these, what somebody has saved again since
    again: BTreeSet<(u128, u64)>,
    /// lines of a form that this version does not know
    others: BTreeSet<String>,
    /// under which what is added is hashed
    salt: u128,
}

impl Forgotten {
    /// None yet. What is added is hashed under `salt`, which is to be random and no other one's.
    pub(crate) fn new(salt: u128) -> Self {
        Self { salt, ..Self::default() }
    }

    /// These, and what is added from now on hashed under another salt.
    #[must_use]
    pub(crate) fn under(mut self, salt: u128) -> Self {
        self.salt = salt;
        self
    }

    /// Reads the file. A line that a crash cut short, or of an unknown form, covers nothing; the latter is kept.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut read = Self::default();
        for line in String::from_utf8_lossy(bytes).lines().map(str::trim_end) {
            let known = read.line(line).is_some();
            // What does not begin with a word, or was cut short, says nothing to any version.
            let says = line.split(' ').count() > 1 && line.is_ascii();
            if !known && says && !line.starts_with(HEAD) && !is_ours(line) {
                read.others.insert(line.to_owned());
            }
        }
        read
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let (kind, first, second) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() {
            return None;
        }
        match kind {
            "session" => {
                let (from, to) = second.split_once('-')?;
                self.add_range(first, from.parse().ok()?..to.parse().ok()?);
            }
            "said" => {
                let (from, to) = second.split_once('-')?;
                self.add_time(first, from.parse().ok()?..=to.parse().ok()?);
            }
            "text" if first.len() == 32 && second.len() == 16 => {
                let salt = u128::from_str_radix(first, 16).ok()?;
                let hash = u64::from_str_radix(second, 16).ok()?;
                self.texts.entry(salt).or_default().insert(hash);
            }
            "again" if first.len() == 32 && second.len() == 16 => {
                let salt = u128::from_str_radix(first, 16).ok()?;
                self.again.insert((salt, u64::from_str_radix(second, 16).ok()?));
            }
            _ => return None,
        }
        Some(())
    }

    /// The file that holds them: the same tombstones, the same bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("{HEAD}\n");
        for (session, ranges) in &self.sessions {
            for (from, to) in ranges {
                let _ = writeln!(text, "session {session} {from}-{to}");
            }
        }
        for (session, times) in &self.times {
            for (from, to) in times {
                let _ = writeln!(text, "said {session} {from}-{to}");
            }
        }
        for (salt, hashes) in &self.texts {
            for hash in hashes {
                let _ = writeln!(text, "text {salt:032x} {hash:016x}");
            }
        }
        text.push_str(&lines_of(&self.again));
        for line in &self.others {
            let _ = writeln!(text, "{line}");
        }
        text.into_bytes()
    }

    /// Takes every tombstone of another one.
    pub(crate) fn union(&mut self, other: &Self) {
        for (session, ranges) in &other.sessions {
            self.sessions.entry(session.clone()).or_default().extend(ranges);
        }
        for (session, times) in &other.times {
            self.times.entry(session.clone()).or_default().extend(times);
        }
        for (salt, hashes) in &other.texts {
            self.texts.entry(*salt).or_default().extend(hashes);
        }
        self.again.extend(&other.again);
        self.others.extend(other.others.iter().cloned());
    }

    /// Forgets a part of a session's transcript: byte offsets, or numbers of messages.
    pub(crate) fn add_range(&mut self, session: &str, range: Range<u64>) {
        if range.start < range.end && is_name(session) {
            let ranges = self.sessions.entry(session.to_owned()).or_default();
            ranges.insert((range.start, range.end));
        }
    }

    /// Forgets what a session said from one moment to another, in milliseconds since 1970.
    pub(crate) fn add_time(&mut self, session: &str, time: RangeInclusive<i64>) {
        let (from, to) = ((*time.start()).max(0), *time.end());
        if from <= to && is_name(session) {
            self.times.entry(session.to_owned()).or_default().insert((from, to));
        }
    }

    /// Forgets a record, a turn or an entry.
    pub(crate) fn add(&mut self, id: ForgottenId) {
        if !self.covers_text(id) {
            let hash = salted(self.salt, id);
            self.texts.entry(self.salt).or_default().insert(hash);
        }
    }

    /// Whether all of this part of a session's transcript was forgotten at once.
    pub(crate) fn covers(&self, session: &str, range: &Range<u64>) -> bool {
        self.ranges(session).any(|known| known.start <= range.start && range.end <= known.end)
    }

    /// Whether what is known by this was forgotten, and nobody has saved it again since.
    pub(crate) fn covers_text(&self, id: ForgottenId) -> bool {
        self.hashes(id).next().is_some()
    }

    /// Takes note that what is known by this was saved again on purpose: the tombstones that there are cover it no
    /// longer, one that is made later does. Returns the lines that say so, to be added to the file; none where nothing
    /// covered it.
    pub(crate) fn allow(&mut self, id: ForgottenId) -> String {
        let again: BTreeSet<_> = self.hashes(id).collect();
        self.again.extend(&again);
        lines_of(&again)
    }

    /// The tombstones that cover this, each by its salt and its hash.
    fn hashes(&self, id: ForgottenId) -> impl Iterator<Item = (u128, u64)> {
        let known = self.texts.iter().filter_map(move |(salt, hashes)| {
            let hash = salted(*salt, id);
            hashes.contains(&hash).then_some((*salt, hash))
        });
        known.filter(|found| !self.again.contains(found))
    }

    /// The parts of a session's transcript that were forgotten.
    pub(crate) fn ranges(&self, session: &str) -> impl Iterator<Item = Range<u64>> {
        let ranges = self.sessions.get(session).into_iter().flatten();
        ranges.map(|(from, to)| *from..*to)
    }

    /// When it was said what a session had forgotten as a whole, in milliseconds since 1970.
    pub(crate) fn times(&self, session: &str) -> impl Iterator<Item = RangeInclusive<i64>> {
        let times = self.times.get(session).into_iter().flatten();
        times.map(|(from, to)| *from..=*to)
    }

    /// Every session of which something was forgotten.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = &str> {
        self.sessions.keys().chain(self.times.keys()).map(String::as_str)
    }

    /// Whether anything but parts of transcripts was forgotten.
    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Whether there is no tombstone.
    pub(crate) fn is_empty(&self) -> bool {
        self.sessions.is_empty()
            && self.times.is_empty()
            && self.texts.is_empty()
            && self.others.is_empty()
    }
}

/// What two files of this kind say together.
pub(crate) fn merge(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut all = Forgotten::parse(one);
    all.union(&Forgotten::parse(other));
    all.to_bytes()
}

/// The lines that name what was saved again.
fn lines_of(again: &BTreeSet<(u128, u64)>) -> String {
    again.iter().fold(String::new(), |mut text, (salt, hash)| {
        let _ = writeln!(text, "again {salt:032x} {hash:016x}");
        text
    })
}

/// Whether a line was to be one of the forms above: cut short, it is no line of a later version.
fn is_ours(line: &str) -> bool {
    ["session ", "said ", "text ", "again "].iter().any(|kind| line.starts_with(kind))
}

/// Whether a line can name a session so.
fn is_name(session: &str) -> bool {
    !session.is_empty() && session.chars().all(|c| c.is_ascii_graphic())
}

fn salted(salt: u128, id: ForgottenId) -> u64 {
    let mut hasher = SipHasher24::new_with_key(&salt.to_be_bytes());
    hasher.write(&id.0.to_le_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, 15).unwrap()
    }

    #[test]
    fn what_was_cut_short_covers_nothing_and_what_is_unknown_is_kept() {
        let file = "hipocampus-forgotten 1\nsession s 0-9\nsession s 1\nsaid s 5-7\nsaid s 9\ntext 00 11\nera x 2030\n\
                    text 0000000000000000000000000000000a 00000000000000";
        let read = Forgotten::parse(file.as_bytes());
        assert_eq!(
            String::from_utf8(read.to_bytes()).unwrap(),
            "hipocampus-forgotten 1\nsession s 0-9\nsaid s 5-7\nera x 2030\n"
        );
        assert_eq!(read.times("s").collect::<Vec<_>>(), [5..=7]);
        assert!(read.covers("s", &(0..9)) && !read.covers("s", &(0..10)) && !read.has_texts());
        assert!(Forgotten::parse(b"").is_empty() && Forgotten::parse(b"\0\0\0").is_empty());
    }

    #[test]
    fn words_are_known_again_however_they_are_laid_out() {
        #[track_caller]
        fn check(one: &str, other: &str, same: bool) {
            let mut forgotten = Forgotten::new(3);
            forgotten.add(ForgottenId::entry(day(), one));
            assert_eq!(
                forgotten.covers_text(ForgottenId::entry(day(), other)),
                same,
                "{one:?} {other:?}"
            );
        }
        check("## A [project]\n- x\n", "## A [project]\r\n- x\r\n\r\n", true);
        check("a\n\\## b", "a\n## b", true);
        check("cafe\u{301}", "café", true);
        check("a b", "a c", false);
        check("a b", "A b", false);
        let mut forgotten = Forgotten::new(3);
        forgotten.add(ForgottenId::entry(day(), "a"));
        assert!(!forgotten.covers_text(ForgottenId::entry(day().succ_opt().unwrap(), "a")));
    }

    #[test]
    fn what_was_saved_again_is_forgotten_by_a_later_tombstone_only() {
        let id = ForgottenId::entry(day(), "## A\n- x");
        let mut forgotten = Forgotten::new(3);
        forgotten.add(id);
        let before = forgotten.clone();
        assert_eq!(forgotten.allow(ForgottenId::entry(day(), "## B")), "");
        let lines = forgotten.allow(id);
        assert!(lines.starts_with("again 0") && !forgotten.covers_text(id), "{lines}");
        let file = [before.to_bytes(), lines.into_bytes()].concat();
        assert_eq!(Forgotten::parse(&file), forgotten.clone().under(0));
        // Whoever has not heard of it yet does not make it forgotten again.
        let mut there = before.clone();
        there.union(&forgotten);
        assert!(!there.covers_text(id));
        let mut later = forgotten.under(4);
        later.add(id);
        assert!(later.covers_text(id));
        later.union(&before);
        assert!(later.covers_text(id));
    }

    #[test]
    fn no_file_holds_a_word() {
        let mut forgotten = Forgotten::new(1 << 100);
        forgotten.add(ForgottenId::turn("s", 1, "marmalade"));
        let file = String::from_utf8(forgotten.to_bytes()).unwrap();
        assert!(
            !file.contains("marmalade")
                && !file.contains(&format!("{:016x}", xxh3_64(b"marmalade")))
        );
    }

    fn any() -> impl Strategy<Value = Forgotten> {
        let ranges = prop::collection::vec(("[a-c]", 0_u64..5, 5_u64..9), 0..5);
        (ranges, prop::collection::vec(0_u64..20, 0..5), 0_u128..3).prop_map(
            |(ranges, texts, salt)| {
                let mut made = Forgotten::new(salt);
                for (session, from, to) in &ranges {
                    made.add_range(session, *from..*to);
                    made.add_time(session, 3..=i64::try_from(*to).unwrap());
                }
                for key in &texts {
                    made.add(ForgottenId::record(*key));
                }
                for key in texts.iter().filter(|key| *key % 3 == 0) {
                    made.allow(ForgottenId::record(*key));
                }
                made
            },
        )
    }

    proptest! {
        #[test]
        fn a_union_covers_what_either_covers_in_whatever_order(a in any(), b in any(), key in 0_u64..20) {
            let (mut ab, mut ba) = (a.clone(), b.clone());
            ab.union(&b);
            ba.union(&a);
            prop_assert_eq!(ab.to_bytes(), ba.to_bytes());
            let both = Forgotten::parse(&ab.to_bytes());
            let id = ForgottenId::record(key);
            if key % 3 != 0 {
                prop_assert_eq!(both.covers_text(id), a.covers_text(id) || b.covers_text(id));
            } else {
                prop_assert!(!both.covers_text(id));
            }
            for session in ["a", "b", "c"] {
                let asked = &(3..6);
                prop_assert_eq!(both.covers(session, asked), a.covers(session, asked) || b.covers(session, asked));
                let says = |of: &Forgotten| of.times(session).any(|time| time.contains(&6));
                prop_assert_eq!(says(&both), says(&a) || says(&b));
            }
            prop_assert_eq!(both.to_bytes(), ab.to_bytes());
        }
    }

    #[test]
    fn two_files_say_together_what_each_says() {
        let head = "hipocampus-forgotten 1\n";
        let (one, other) = (format!("{head}session s 0-9\n"), format!("{head}session a 0-9\n"));
        let merged = merge(one.as_bytes(), other.as_bytes());
        assert_eq!(merged, format!("{head}session a 0-9\nsession s 0-9\n").into_bytes());
    }

    #[test]
    fn ranges_and_words_are_covered() {
        let mut forgotten = Forgotten::new(7);
        forgotten.add_range("s", 0..900);
        forgotten.add(ForgottenId::turn("s", 1, "my salary is a secret"));
        let read = Forgotten::parse(&forgotten.to_bytes());
        assert!(read.covers("s", &(100..900)) && !read.covers("s", &(100..901)));
        assert!(read.covers_text(ForgottenId::turn("s", 1, "my  salary is a secret")));
        assert!(!read.covers_text(ForgottenId::turn("t", 1, "my salary is a secret")));
    }
}
