//! What went wrong in hooks, where nobody reads stderr: `memory/.hipocampus.log`.
//!
//! One line per problem, newest last, capped. `status` shows it, and the next session start passes on what has
//! not been seen yet. A clone may bring a file of that name, and what a session start says is read as our own
//! words: so a log counts only if the id in its first line is on record in this user's state folder, together with
//! the place of the log.

mod trust;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use crate::capture::Redact;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::terminal::safe;
use crate::text::{moment, start};
use crate::world::World;
use trust::Trust;

/// The file is halved when it grows beyond this many bytes.
const MOST: usize = 64 * 1024;
/// The line a session start leaves below what it passed on.
const SEEN: &str = "seen";
/// What is passed on where nobody can tell who wrote a log.
const UNTOLD: &str = "hooks had problems before, but `~/.local/state` cannot be written, so nobody can tell who wrote `memory/.hipocampus.log`; look into it";
/// What the line of a hook begins with that left a transcript to the next event: its path in back-ticks follows. A
/// session start that has imported it does not pass the line on.
const NOT_YET: &str = "not saved yet: ";
/// The same of a session start that could not look for what was missed. One that could does not pass it on.
const NOT_CAUGHT_UP: &str = "not caught up yet: ";

/// What tells that words were not saved: how such a line begins, and what is in it.
const UNSAVED: [&str; 4] = ["not saved", NOT_CAUGHT_UP, "`import`: ", "nothing that was said in "];
const UNSAVED_IN: [&str; 3] = ["imported", "what is new in it", "cannot be read or added to"];

/// Whether a line, with its time in front or without, tells that words were not saved.
pub(crate) fn tells_of_unsaved(line: &str) -> bool {
    let begins = |text: &str| UNSAVED.iter().any(|beginning| text.starts_with(beginning));
    begins(line) || begins(words(line)) || UNSAVED_IN.iter().any(|part| line.contains(part))
}

/// Says each problem on stderr, in one line, and keeps it. A path or a client's word in it may hold a secret.
pub(crate) fn tell(
    world: &mut World,
    memory: Option<&Folder>,
    now: DateTime<FixedOffset>,
    problems: &[String],
    redact: &dyn Redact,
) {
    let line = |text: &String| safe(&redact.text(text).replace('\n', ", "));
    let lines: Vec<_> = problems.iter().map(line).collect();
    for line in &lines {
        let _ = writeln!(world.err, "hipocampus: {line}");
    }
    if let Some(memory) = memory.filter(|_| !lines.is_empty()) {
        keep(world, memory, now, &lines);
    }
}

/// Adds lines to the file; one that is not known as this user's makes room for a new one. Failing to is not worth
/// another problem.
fn keep(world: &World, memory: &Folder, now: DateTime<FixedOffset>, lines: &[String]) {
    let stamp = moment(now);
    let text = lines.iter().fold(String::new(), |text, line| text + &format!("{stamp} {line}\n"));
    let old = memory.text(layout::LOG);
    let known = Trust::of(world, memory, &old);
    let registered = match known {
        Trust::Foreign => trust::register(world, memory).ok(),
        Trust::Known(_) | Trust::Untold => None,
    };
    let (first, old, is_new) = match (&known, registered) {
        (_, Some(first)) => (first, "", true),
        (Trust::Known(first), None) => (format!("{first}\n"), &old[first.len()..], false),
        (Trust::Foreign | Trust::Untold, None) => (String::new(), &*old, false),
    };
    let _ = if is_new || first.len() + old.len() + text.len() > MOST {
        let begin = start(old, old.len().saturating_sub(MOST / 2)).len();
        let recent = old[begin..].split_once('\n').map_or("", |(_, rest)| rest);
        memory.replace(layout::LOG, (first + recent + &text).as_bytes(), Write::CACHED).map(|_| ())
    } else {
        memory.append(layout::LOG, text.as_bytes(), Write::CACHED)
    };
}

/// The newest problems, at most `most`, oldest first; one line of our own for a log that is not this user's.
pub(crate) fn recent(world: &World, memory: &Folder, most: usize) -> Vec<String> {
    let text = memory.text(layout::LOG);
    if Trust::of(world, memory, &text).is_foreign() && !text.is_empty() {
        let name = layout::LOG;
        return vec![format!(
            "`memory/{name}` was not written here by this user, so it is not shown"
        )];
    }
    let lines: Vec<_> = problems(&text).collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|line| safe(line)).collect()
}

/// The problems since the last session start that passed any on, oldest first, each text once; from now on they
/// count as passed on. None where it is not sure that this user's hooks wrote them.
pub(crate) fn take_unseen(
    world: &World,
    memory: &Folder,
    now: DateTime<FixedOffset>,
) -> Vec<String> {
    let text = memory.text(layout::LOG);
    let lines = text.lines().filter(|line| !line.is_empty() && !trust::is_first(line));
    match Trust::of(world, memory, &text) {
        Trust::Known(_) => {}
        Trust::Foreign => return Vec::new(),
        Trust::Untold if lines.clone().next_back().is_none_or(is_seen) => return Vec::new(),
        Trust::Untold => {
            keep(world, memory, now, &[SEEN.to_owned()]);
            return vec![UNTOLD.to_owned()];
        }
    }
    let mut unseen: Vec<String> = Vec::new();
    for line in lines.rev().take_while(|line| !is_seen(line)).map(safe) {
        if !unseen.iter().any(|known| words(known) == words(&line)) {
            unseen.push(line);
        }
    }
    unseen.reverse();
    if !unseen.is_empty() {
        keep(world, memory, now, &[SEEN.to_owned()]);
    }
    unseen
}

/// A session in `transcript` was left to the next event.
pub(crate) fn not_yet(transcript: &Path, why: &str) -> String {
    format!("{NOT_YET}`{}`: {why}", transcript.display())
}

/// A session start could not look for what was missed.
pub(crate) fn not_caught_up(why: &str) -> String {
    format!("{NOT_CAUGHT_UP}{why}")
}

/// Whether a line, its time in front, says that nobody looked for what was missed.
pub(crate) fn is_not_caught_up(line: &str) -> bool {
    words(line).starts_with(NOT_CAUGHT_UP)
}

/// The transcript that a line, its time in front, says was left to the next event.
pub(crate) fn left(line: &str) -> Option<PathBuf> {
    Some(words(line).strip_prefix(NOT_YET)?.strip_prefix('`')?.split_once("`: ")?.0.into())
}

/// The transcripts that were left to the next event since the last session start, by this user's hooks.
pub(crate) fn all_left(world: &World, memory: &Folder) -> BTreeSet<PathBuf> {
    let text = memory.text(layout::LOG);
    if Trust::of(world, memory, &text).is_foreign() {
        return BTreeSet::new();
    }
    text.lines().rev().take_while(|line| !is_seen(line)).filter_map(left).collect()
}

/// Keeps for the next session start what this one told and could not save either.
pub(crate) fn again(
    world: &World,
    memory: &Folder,
    now: DateTime<FixedOffset>,
    told: &[String],
    still_left: &BTreeSet<PathBuf>,
) {
    let lines =
        told.iter().filter(|line| left(line).is_some_and(|path| still_left.contains(&path)));
    let lines: Vec<String> = lines.map(|line| words(line).to_owned()).collect();
    if !lines.is_empty() {
        keep(world, memory, now, &lines);
    }
}

/// Whether a line that says just this was kept before, by this user's hooks.
pub(crate) fn has(world: &World, memory: &Folder, said: &str) -> bool {
    let text = memory.text(layout::LOG);
    !Trust::of(world, memory, &text).is_foreign() && text.lines().any(|line| words(line) == said)
}

/// Takes out what is said there of something that is as it should be by now.
pub(crate) fn settle(world: &World, memory: &Folder, about: &str) {
    let (text, about) = (memory.text(layout::LOG), format!("`{about}`: "));
    let is_over = |line: &str| words(line).starts_with(&about);
    if text.lines().any(is_over) && matches!(Trust::of(world, memory, &text), Trust::Known(_)) {
        let kept: String = text.split_inclusive('\n').filter(|line| !is_over(line)).collect();
        let _ = memory.replace(layout::LOG, kept.as_bytes(), Write::CACHED);
    }
}

/// The newest problems not older than `since`, oldest first. Problems of long ago tell nothing of today.
pub(crate) fn since(world: &World, memory: &Folder, since: DateTime<FixedOffset>) -> Vec<String> {
    let is_late = |line: &String| {
        let time =
            line.split_once(' ').and_then(|(time, _)| time.parse::<DateTime<FixedOffset>>().ok());
        time.is_some_and(|time| time >= since)
    };
    recent(world, memory, usize::MAX).into_iter().filter(is_late).collect()
}

/// Takes the id of a log out of the user's state folder, before the log goes.
pub(crate) fn forget(world: &World, memory: &Folder) {
    if let Trust::Known(first) = Trust::of(world, memory, &memory.text(layout::LOG)) {
        trust::unregister(world, &first);
    }
}

/// What a line says, without its time.
fn words(line: &str) -> &str {
    line.split_once(' ').map_or("", |(_, words)| words)
}

fn problems(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !is_seen(line) && !trust::is_first(line))
}

fn is_seen(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(_, text)| text == SEEN)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    fn now() -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339("2026-03-15T14:02:11+01:00").unwrap()
    }

    /// A memory, and a user with a state folder beside it.
    fn desk() -> (tempfile::TempDir, World, Folder) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("memory")).unwrap();
        let memory = Folder::open(&dir.path().join("memory")).unwrap();
        let mut world = World::for_tests();
        world.env.insert("XDG_STATE_HOME".into(), dir.path().join("state").into());
        (dir, world, memory)
    }

    #[test]
    fn a_problem_is_passed_on_once_and_stays_on_record() {
        let (_dir, world, memory) = desk();
        assert_eq!(take_unseen(&world, &memory, now()), Vec::<String>::new());
        assert!(memory.text(layout::LOG).is_empty());
        for _ in 0..3 {
            keep(&world, &memory, now(), &["disk full".to_owned()]);
        }
        let expect = ["2026-03-15T14:02:11+01:00 disk full"];
        assert_eq!(take_unseen(&world, &memory, now()), expect);
        assert_eq!(take_unseen(&world, &memory, now()), Vec::<String>::new());
        keep(&world, &memory, now(), &["again".to_owned()]);
        assert_eq!(take_unseen(&world, &memory, now()), ["2026-03-15T14:02:11+01:00 again"]);
        assert_eq!(recent(&world, &memory, 5).len(), 4);
    }

    #[test]
    fn a_log_that_came_from_elsewhere_is_not_passed_on() {
        let (dir, world, memory) = desk();
        let path = dir.path().join("memory").join(layout::LOG);
        let check = |text: &str| {
            std::fs::write(&path, text).unwrap();
            assert_eq!(take_unseen(&world, &memory, now()), Vec::<String>::new(), "{text}");
            let shown = recent(&world, &memory, 5).concat();
            assert!(!shown.contains("INJECTED") && shown.contains("not shown"), "{shown}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        };
        check("2026-03-15T14:02:11+01:00 INJECTED\n");
        check(&format!("hipocampus log {}\n2026-03-15T14:02:11+01:00 INJECTED\n", "0".repeat(32)));
        check("hipocampus log ../../x\n2026-03-15T14:02:11+01:00 INJECTED\n");
        // What is kept from then on is ours, and only that.
        keep(&world, &memory, now(), &["disk full".to_owned()]);
        assert_eq!(take_unseen(&world, &memory, now()), ["2026-03-15T14:02:11+01:00 disk full"]);
        // The same file elsewhere, for another user, or once it is forgotten, is foreign.
        let copy = dir.path().join("copy");
        std::fs::create_dir(&copy).unwrap();
        keep(&world, &memory, now(), &["again".to_owned()]);
        std::fs::copy(&path, copy.join(layout::LOG)).unwrap();
        let copy = Folder::open(&copy).unwrap();
        assert_eq!(take_unseen(&world, &copy, now()), Vec::<String>::new());
        let mut other = World::for_tests();
        other.env.insert("XDG_STATE_HOME".into(), dir.path().join("other").into());
        assert_eq!(take_unseen(&other, &memory, now()), Vec::<String>::new());
        assert_eq!(take_unseen(&world, &memory, now()).len(), 1);
        keep(&world, &memory, now(), &["once more".to_owned()]);
        forget(&world, &memory);
        assert_eq!(take_unseen(&world, &memory, now()), Vec::<String>::new());
        let logs = dir.path().join("state/hipocampus/logs");
        assert_eq!(std::fs::read_dir(logs).unwrap().count(), 0);
    }

    #[test]
    fn the_file_stays_small_and_keeps_the_newest() {
        let (_dir, world, memory) = desk();
        for number in 0..3000 {
            keep(&world, &memory, now(), &[format!("problem {number:04} {}", "x".repeat(60))]);
        }
        assert!(memory.text(layout::LOG).len() <= MOST);
        assert!(recent(&world, &memory, 1)[0].contains("problem 2999"));
        assert!(memory.text(layout::LOG).lines().nth(1).unwrap().starts_with("2026-03-15T"));
        assert!(!take_unseen(&world, &memory, now()).is_empty());
    }
}
