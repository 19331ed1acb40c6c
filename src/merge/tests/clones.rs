//! Three clones of a memory that go apart and come together: whatever they did, and in whatever order they merged, they
//! end at the same bytes.

mod git;
mod memory;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use proptest::collection::vec;
use proptest::prelude::*;

use self::git::Git;
use self::memory::{Memory, STONES};
use crate::layout;
use crate::markdown::marker;
use crate::memory::forgotten::ForgottenId;
use crate::memory::node::with_body;
use crate::memory::period::{Level, Period};
use crate::merge::{FileKind, kind, log};
use crate::retract::cut::{Selection, cut};

type Tree = BTreeMap<String, Vec<u8>>;

/// What somebody does in one of the clones.
#[derive(Debug, Clone)]
enum Did {
    Append(u8),
    Flush(u8),
    Capture(u8, u8),
    Edit(u8),
    ForgetSession(u8),
    ForgetEntry(u8),
    SayAgain(u8),
    Write(u8),
    Compact,
    Merge(usize),
}

fn did() -> impl Strategy<Value = (usize, u8, Did)> {
    let did = prop_oneof![
        4 => any::<u8>().prop_map(Did::Append),
        4 => (0..24_u8).prop_map(Did::Flush),
        4 => (0..3_u8, 1..4_u8).prop_map(|(session, turns)| Did::Capture(session, turns)),
        1 => any::<u8>().prop_map(Did::Edit),
        1 => (0..9_u8).prop_map(Did::ForgetSession),
        1 => any::<u8>().prop_map(Did::ForgetEntry),
        1 => any::<u8>().prop_map(Did::SayAgain),
        2 => any::<u8>().prop_map(Did::Write),
        4 => Just(Did::Compact),
        3 => (1..3_usize).prop_map(Did::Merge),
    ];
    (0..3_usize, 0..4_u8, did)
}

/// A day of a fixed week, two of an open one, and today.
fn date(day: u8) -> NaiveDate {
    let dates = ["2026-03-03", "2026-03-16", "2026-03-17", "2026-03-19"];
    dates[usize::from(day) % 4].parse().unwrap()
}

fn path(day: u8) -> String {
    format!("{}/{}", layout::MEMORY, layout::log_name(date(day)))
}

/// The clones, and what has been said in them.
struct Story {
    git: Git,
    clones: [Memory; 3],
    heads: [usize; 3],
    said: u32,
    /// every entry that was made, and what was forgotten or edited of them
    made: BTreeSet<String>,
    undone: BTreeSet<String>,
    /// what was saved again after it was forgotten, and of which day
    again: BTreeSet<(u8, String)>,
    edited: BTreeSet<String>,
    reached: BTreeMap<String, u64>,
}

impl Story {
    fn new() -> Self {
        let mut git = Git::default();
        let tree: Tree = (0..4_u8)
            .map(|day| {
                (path(day), format!("# {}\n\n## first of the day\n- x\n", date(day)).into_bytes())
            })
            .collect();
        let mut memory = Memory(tree);
        memory.compact();
        let first = git.commit(Vec::new(), memory.0.clone());
        let clones = [0; 3].map(|_| Memory(memory.0.clone()));
        let (made, undone, again, edited, reached) = Default::default();
        Self { git, clones, heads: [first; 3], said: 0, made, undone, again, edited, reached }
    }

    fn did(&mut self, clone: usize, day: u8, did: &Did) {
        self.said += 1;
        let said = self.said;
        match did {
            Did::Append(n) => {
                let entry = format!("## appended {said}-{n} in {clone}\n- x");
                self.append(clone, day, &format!("\n{entry}\n"));
                self.made.insert(entry);
            }
            Did::Flush(hour) => {
                let entry = format!("## saved {said} in {clone}\n- x");
                let at = marker::write_at(&format!("{} {hour:02}:{:02}:00", date(day), said % 60));
                self.append(clone, day, &format!("\n{at}{entry}\n"));
                self.made.insert(entry);
            }
            Did::Capture(session, turns) => self.capture(clone, day, *session, *turns),
            Did::Edit(n) => {
                if let Some(entry) = self.pick(clone, day, *n) {
                    self.edit(clone, day, entry);
                }
            }
            Did::ForgetSession(session) => {
                let session = name(usize::from(session / 3), day, session % 3);
                self.clones[clone].forget_session(&session);
            }
            Did::ForgetEntry(n) => {
                if let Some(entry) = self.pick(clone, day, *n) {
                    self.clones[clone].forget_entry(day, &entry, said);
                    self.undone.insert(entry);
                }
            }
            Did::SayAgain(n) => self.say_one_again(clone, day, *n),
            Did::Write(n) => {
                let node = layout::node_path(Period::Day(date(day)));
                if let Some(file) = self.clones[clone].0.get_mut(&node) {
                    let text = format!("what {clone} makes of it: {n} {said}\n");
                    *file = with_body(file, text.as_bytes());
                }
            }
            Did::Compact => self.compact(clone),
            Did::Merge(other) => {
                self.commit(clone);
                let other = (clone + other) % 3;
                self.merge(clone, self.heads[other]);
            }
        }
    }

    fn append(&mut self, clone: usize, day: u8, text: &str) {
        self.clones[clone].0.get_mut(&path(day)).unwrap().extend_from_slice(text.as_bytes());
    }

    fn edit(&mut self, clone: usize, day: u8, entry: String) {
        let new = format!("{}, edited {}\n- y", entry.lines().next().unwrap(), self.said);
        let log = self.clones[clone].0.get_mut(&path(day)).unwrap();
        *log = String::from_utf8_lossy(log).replace(&entry, &new).into_bytes();
        self.again.retain(|(_, again)| *again != entry);
        self.edited.insert(entry.clone());
        self.undone.insert(entry);
        self.made.insert(new);
    }

    /// Saves one of the entries again that were forgotten.
    fn say_one_again(&mut self, clone: usize, day: u8, n: u8) {
        let stones = self.clones[clone].stones();
        let is_gone = |entry: &&String| stones.covers_text(ForgottenId::entry(date(day), entry));
        let gone: Vec<&String> = self.made.iter().filter(is_gone).collect();
        if let Some(entry) = gone.get(usize::from(n) % gone.len().max(1)) {
            let entry = (*entry).clone();
            self.say_again(clone, day, &entry);
        }
    }

    /// What `flush` does with words that were forgotten.
    fn say_again(&mut self, clone: usize, day: u8, entry: &str) {
        let mut stones = self.clones[clone].stones();
        let lines = stones.allow(ForgottenId::entry(date(day), entry));
        self.clones[clone].0.get_mut(STONES).unwrap().extend_from_slice(lines.as_bytes());
        let at = marker::write_at(&format!("{} 23:{:02}:00", date(day), self.said % 60));
        self.append(clone, day, &format!("\n{at}{entry}\n"));
        if !self.edited.contains(entry) {
            self.again.insert((day, entry.to_owned()));
        }
    }

    /// Goes on with a session of a clone, which is of one day.
    fn capture(&mut self, clone: usize, day: u8, session: u8, turns: u8) {
        let name = name(clone, day, session);
        let from = self.reached.get(&name).copied().unwrap_or(0);
        // What was forgotten is not read again; what is said later is.
        let to = from + u64::from(turns);
        let log = String::from_utf8_lossy(&self.clones[clone].0[&path(day)]).into_owned();
        let goes_on =
            from > 0 && log.ends_with(&format!("<!-- hipocampus:end {name} {from} -->\n"));
        let time = format!("{} {:02}:{:02}:00", date(day), 8 + session, from);
        let heading = if goes_on { String::new() } else { format!("## Session — {time}\n\n") };
        let turns: Vec<String> =
            (from..to).map(|n| format!("**User:** turn {n} of {name}\n")).collect();
        let turns = turns.concat();
        let gap = if goes_on { "" } else { "\n" };
        self.append(clone, day, &format!(
            "{gap}<!-- hipocampus:session {name} {from}-{to} -->\n{heading}{turns}<!-- hipocampus:end {name} {to} -->\n"
        ));
        self.reached.insert(name, to);
    }

    /// One of the entries that somebody made, as it is in a log.
    fn pick(&self, clone: usize, day: u8, n: u8) -> Option<String> {
        let parts = log::parts(&self.clones[clone].0[&path(day)]);
        let parts = parts.into_iter().map(|part| String::from_utf8(part).unwrap());
        let entries: Vec<String> = parts.filter(|part| self.made.contains(part)).collect();
        entries.get(usize::from(n) % entries.len().max(1)).cloned()
    }

    fn compact(&mut self, clone: usize) {
        self.clones[clone].settle();
        self.clones[clone].compact();
    }

    fn commit(&mut self, clone: usize) {
        if self.git.0[self.heads[clone]].1 != self.clones[clone].0 {
            let tree = self.clones[clone].0.clone();
            self.heads[clone] = self.git.commit(vec![self.heads[clone]], tree);
        }
    }

    fn merge(&mut self, clone: usize, other: usize) {
        self.heads[clone] = self.git.merge(self.heads[clone], other);
        self.clones[clone].0 = self.git.0[self.heads[clone]].1.clone();
    }

    /// Each clone takes what the others have, in an order of its own, and compacts.
    fn end(&mut self) {
        (0..3).for_each(|clone| self.commit(clone));
        let heads = self.heads;
        for clone in 0..3 {
            for other in [1, 2] {
                self.merge(clone, heads[(clone + other) % 3]);
            }
            // What is fixed by its date is so a level at a time.
            for _ in Level::ALL {
                self.compact(clone);
            }
        }
    }
}

fn name(clone: usize, day: u8, session: u8) -> String {
    format!("s{session}-{}-{clone}", day % 4)
}

/// All files.
fn shown(tree: &Tree) -> String {
    let show = |(path, bytes): (&String, &Vec<u8>)| {
        format!("=== {path}\n{}", String::from_utf8_lossy(bytes))
    };
    tree.iter().map(show).collect::<Vec<_>>().concat()
}

/// What the logs hold, in no order.
fn parts_of_logs(tree: &Tree) -> String {
    let logs = tree.iter().filter(|(path, _)| kind(path) == Some(FileKind::Log));
    let show = |(path, bytes): (&String, &Vec<u8>)| {
        let mut parts = log::parts(bytes);
        parts.sort_unstable();
        let parts: Vec<_> = parts.iter().map(|part| String::from_utf8_lossy(part)).collect();
        format!("=== {path}\n{}", parts.join("\n---\n"))
    };
    logs.map(show).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn clones_end_at_the_same_bytes(history in vec(did(), 1..40)) {
        let mut story = Story::new();
        for (clone, day, did) in &history {
            story.did(*clone, *day, did);
        }
        story.end();
        // What was below an entry that somebody rewrote or forgot has lost its hold. Clones that heard of it in another
        // order may have another order of entries, until they merge the next time.
        let loses_hold = |did: &Did| {
            matches!(did, Did::Edit(_) | Did::ForgetEntry(_) | Did::ForgetSession(_))
        };
        let [one, two, three] = story.clones.each_ref().map(|clone| shown(&clone.0));
        let differ = one != two || one != three;
        if differ && history.iter().any(|(_, _, did)| loses_hold(did)) {
            let [one, two, three] = story.clones.each_ref().map(|clone| parts_of_logs(&clone.0));
            prop_assert_eq!(&one, &two);
            prop_assert_eq!(&one, &three);
            story.end();
        }
        let [one, two, three] = &story.clones;
        prop_assert_eq!(shown(&one.0), shown(&two.0));
        prop_assert_eq!(shown(&one.0), shown(&three.0));
        let logs: String = (0..4).map(|day| String::from_utf8_lossy(&one.0[&path(day)]).into_owned()).collect();
        let parts: Vec<Vec<u8>> = (0..4).flat_map(|day| log::parts(&one.0[&path(day)])).collect();
        for entry in story.made.difference(&story.undone) {
            let count = parts.iter().filter(|part| *part == entry.as_bytes()).count();
            prop_assert_eq!(count, 1, "{} in\n{}", entry, logs);
        }
        let stones = one.stones();
        for (day, entry) in &story.again {
            let is_forgotten = stones.covers_text(ForgottenId::entry(date(*day), entry));
            let count = parts.iter().filter(|part| *part == entry.as_bytes()).count();
            prop_assert_eq!(count, usize::from(!is_forgotten), "{} again in\n{}", entry, logs);
        }
        for day in 0..4 {
            let found = cut(&one.0[&path(day)], date(day), Selection::Buried(&stones));
            prop_assert!(found.is_none(), "{:?}", found);
        }
        for (session, reached) in &story.reached {
            for turn in 0..*reached {
                let is_forgotten = stones.covers(session, &(turn..turn + 1));
                let line = format!("**User:** turn {turn} of {session}\n");
                let count = logs.matches(&line).count();
                prop_assert_eq!(count, usize::from(!is_forgotten), "{} in\n{}", line, logs);
            }
        }
        for level in Level::ALL {
            prop_assert!(one.0.keys().any(|path| kind(path) == Some(FileKind::Node(level))));
        }
    }
}

/// Two clones have seen different summaries of one day, each when the week above it was fixed.
#[test]
fn a_week_follows_the_summary_that_stands() {
    use Did::{Append, Compact, Merge, Write};
    let history = [
        (2, Write(0)),
        (2, Merge(1)),
        (2, Compact),
        (1, Merge(1)),
        (0, Append(0)),
        (0, Merge(1)),
        (0, Write(0)),
        (0, Compact),
    ];
    let mut story = Story::new();
    for (clone, did) in &history {
        story.did(*clone, 0, did);
    }
    story.end();
    let [one, two, three] = &story.clones;
    assert_eq!(shown(&one.0), shown(&two.0));
    assert_eq!(shown(&one.0), shown(&three.0));
}

/// Words that were forgotten and saved again reach a clone that has heard of the first and not of the second, by a
/// merge that is told its own tombstones alone, as in a rebase.
#[test]
fn what_was_saved_again_is_not_lost_in_a_clone_that_only_knows_it_was_forgotten() {
    use Did::{Append, ForgetEntry, Merge, SayAgain};
    let history = [
        (0, 1, Append(0)),
        (0, 1, ForgetEntry(0)),
        (0, 0, Merge(1)),
        (1, 0, Merge(2)),
        (0, 1, SayAgain(0)),
        (1, 0, Append(0)),
    ];
    let mut story = Story::new();
    for (clone, day, did) in &history {
        story.did(*clone, *day, did);
    }
    story.end();
    for clone in &story.clones {
        let log = String::from_utf8_lossy(&clone.0[&path(1)]).into_owned();
        assert!(log.contains("## appended 1-0 in 0"), "{log}");
    }
}
