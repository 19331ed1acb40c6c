//! What went wrong in hooks, where nobody reads stderr: `memory/.hipocampus.log`.
//!
//! One line per problem, newest last, capped. `status` shows it, and the next session start passes on what has
//! not been seen yet.

use chrono::{DateTime, FixedOffset};

use crate::capture::Redact;
use crate::disk::{Folder, Write};
use crate::layout;
use crate::terminal::safe;
use crate::world::World;

/// The file is halved when it grows beyond this many bytes.
const MOST: usize = 64 * 1024;
/// The most events that are remembered.
const EVENTS: usize = 20;
/// The line a session start leaves below what it passed on.
const SEEN: &str = "seen";

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
        keep(memory, now, &lines);
    }
}

/// Adds lines to the file. Failing to is not worth another problem.
fn keep(memory: &Folder, now: DateTime<FixedOffset>, lines: &[String]) {
    let stamp = now.format("%FT%T%:z");
    let text = lines.iter().fold(String::new(), |text, line| text + &format!("{stamp} {line}\n"));
    let old = read(memory);
    let how = Write { sync: false, private: true };
    let _ = if old.len() + text.len() > MOST {
        let recent = &old[old.len().saturating_sub(MOST / 2)..];
        let recent = recent.split_once('\n').map_or("", |(_, rest)| rest);
        memory.replace(layout::LOG, (recent.to_owned() + &text).as_bytes(), how).map(|_| ())
    } else {
        memory.append(layout::LOG, text.as_bytes(), how)
    };
}

/// The newest problems, at most `most`, oldest first.
pub(crate) fn recent(memory: &Folder, most: usize) -> Vec<String> {
    let text = read(memory);
    let lines: Vec<_> = text.lines().filter(|line| !is_seen(line)).collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|line| safe(line)).collect()
}

/// The problems since the last session start that passed any on, oldest first; from now on they count as
/// passed on.
pub(crate) fn take_unseen(memory: &Folder, now: DateTime<FixedOffset>) -> Vec<String> {
    let text = read(memory);
    let mut unseen: Vec<_> =
        text.lines().rev().take_while(|line| !is_seen(line)).map(safe).collect();
    unseen.reverse();
    if !unseen.is_empty() {
        keep(memory, now, &[SEEN.to_owned()]);
    }
    unseen
}

/// Remembers that a hook fired, one line per event: its name and the moment.
pub(crate) fn fired(memory: &Folder, event: &str, now: DateTime<FixedOffset>) {
    let name: String = event
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '_' | '-'))
        .take(40)
        .collect();
    if name.is_empty() {
        return;
    }
    let others = last_fired(memory).into_iter().filter(|(known, _)| *known != name);
    let mut lines: Vec<_> = others.map(|(known, when)| format!("{known} {when}\n")).collect();
    lines.insert(0, format!("{name} {}\n", now.format("%FT%T%:z")));
    lines.truncate(EVENTS);
    let _ = memory.replace(layout::FIRED, lines.concat().as_bytes(), Write::default());
}

/// Each event whose hook fired, with the moment it last did, latest first.
pub(crate) fn last_fired(memory: &Folder) -> Vec<(String, String)> {
    let bytes = memory.read(layout::FIRED).map(|(bytes, _)| bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(event, when)| (safe(event), safe(when))).collect()
}

fn is_seen(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(_, text)| text == SEEN)
}

fn read(memory: &Folder) -> String {
    let bytes = memory.read(layout::LOG).map(|(bytes, _)| bytes).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339("2026-03-15T14:02:11+01:00").unwrap()
    }

    #[test]
    fn a_problem_is_passed_on_once_and_stays_on_record() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        assert_eq!(take_unseen(&memory, now()), Vec::<String>::new());
        assert!(read(&memory).is_empty());
        keep(&memory, now(), &["disk full".to_owned()]);
        assert_eq!(take_unseen(&memory, now()), ["2026-03-15T14:02:11+01:00 disk full"]);
        assert_eq!(take_unseen(&memory, now()), Vec::<String>::new());
        keep(&memory, now(), &["again".to_owned()]);
        assert_eq!(take_unseen(&memory, now()), ["2026-03-15T14:02:11+01:00 again"]);
        assert_eq!(recent(&memory, 5).len(), 2);
    }

    #[test]
    fn the_last_time_of_each_event_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let later = now() + chrono::TimeDelta::hours(1);
        fired(&memory, "PreCompact", now());
        fired(&memory, "Session\nEnd", now());
        fired(&memory, "PreCompact", later);
        fired(&memory, "", later);
        let expect = [
            ("PreCompact", "2026-03-15T15:02:11+01:00"),
            ("SessionEnd", "2026-03-15T14:02:11+01:00"),
        ];
        assert_eq!(last_fired(&memory), expect.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn the_file_stays_small_and_keeps_the_newest() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        for number in 0..3000 {
            keep(&memory, now(), &[format!("problem {number:04} {}", "x".repeat(60))]);
        }
        assert!(read(&memory).len() <= MOST);
        assert!(recent(&memory, 1)[0].contains("problem 2999"));
        assert!(read(&memory).starts_with("2026-03-15T"));
    }
}
