//! The backups of imported sessions, compared with the blocks of their day's log.

use std::collections::{BTreeSet, HashSet};

use chrono::NaiveDate;
use serde::de::IgnoredAny;

use crate::capture::transcript::{self, Role};
use crate::disk::{EntryKind, Memory};
use crate::layout;
use crate::markdown::escape::escape;
use crate::memory::check::blocks::CheckedBlock;
use crate::memory::check::{CheckFinding, Fix};
use crate::plan::hash;
use crate::text::start;

/// How many bytes of a turn's first line are looked for: more would meet places where long ones are cut.
const START: usize = 64;

/// What is wrong with the backup of a day whose log is `log`.
pub(super) fn of(
    memory: &Memory,
    day: NaiveDate,
    (log, blocks): (&[u8], &[CheckedBlock]),
    shared: bool,
) -> Vec<CheckFinding> {
    let name = layout::backup_name(day);
    let path = layout::in_memory(&name);
    let spoken = blocks.iter().any(|block| block.whole && block.spoken);
    // What cannot be read is reported by its own check.
    let Ok(read) = memory.folder().read_if_there(&name) else { return Vec::new() };
    let Some((bytes, _)) = read else {
        let text = "is missing, although the log of its day has sessions: a copy of one may be imported twice";
        let missing = CheckFinding::new(path, "missing backup", text, "hipocampus flush");
        return spoken.then_some(missing).into_iter().collect();
    };
    let mut found = torn(&path, &bytes, log);
    let records: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (missing, heard) = compare(&records, log);
    if missing > 0 {
        let branch = if shared { ": they were lost, or are on another branch" } else { "" };
        let text =
            format!("{missing} of the turns in it are no longer in the log of its day{branch}");
        let mend = format!("hipocampus import {path}");
        found.push(CheckFinding::new(&path, "lost block", text, mend));
    }
    if spoken && heard == 0 && missing == 0 {
        let text = "has no record of the sessions in the log of its day";
        found.push(CheckFinding::new(&path, "missing backup", text, "hipocampus flush"));
    }
    found
}

/// How many turns in the backup of a day are not in its log. None where the backup cannot be read, or is larger than
/// `most` bytes.
pub(crate) fn lost(memory: &Memory, day: NaiveDate, log: &[u8], most: u64) -> usize {
    let (folder, name) = (memory.folder(), layout::backup_name(day));
    let size = folder.entry(&name).ok().flatten().map_or(0, |entry| entry.stamp.size);
    let read = (1..=most).contains(&size).then(|| folder.read(&name).ok()).flatten();
    read.map_or(0, |(bytes, _)| {
        let records: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        compare(&records, log).0
    })
}

/// Backups of days that have no log.
pub(super) fn without_log(memory: &Memory, logs: &BTreeSet<NaiveDate>) -> Vec<CheckFinding> {
    let day = layout::day_of_backup;
    let entries = memory.folder().list(|name| day(name).is_some()).unwrap_or_default();
    let lone = entries.iter().filter(|entry| entry.kind == EntryKind::File && entry.stamp.size > 0);
    let lone = lone.filter_map(|entry| day(&entry.name)).filter(|day| !logs.contains(day));
    // What is there and cannot be read is not gone.
    let is_gone =
        |day: &NaiveDate| matches!(memory.folder().entry(&layout::log_name(*day)), Ok(None));
    lone.filter(is_gone)
        .map(|day| {
            let path = layout::in_memory(&layout::backup_name(day));
            let text = format!("the log that it belongs to, `{}`, is gone", layout::log_name(day));
            let mend = format!("hipocampus import {path}, or delete the backup as well");
            CheckFinding::new(path, "lost log", text, mend)
        })
        .collect()
}

/// Lines that are no records, and a last line without an end.
fn torn(path: &str, bytes: &[u8], log: &[u8]) -> Vec<CheckFinding> {
    let mut found = Vec::new();
    let complete = bytes.is_empty() || bytes.ends_with(b"\n");
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = lines.pop().unwrap_or_default();
    let is_json = |line: &[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let bad = lines.iter().filter(|line| !line.is_empty() && !is_json(line)).count();
    if bad > 0 {
        let text = format!("{bad} of its lines are no JSON");
        found.push(CheckFinding::new(path, "torn backup", text, "take them out in an editor"));
    }
    if !complete && is_json(last) {
        let text = "its last line has no end";
        found.push(CheckFinding::fixed(path, "torn backup", text, Fix::EndLine));
    } else if !complete {
        let text = "its last line was torn";
        // The block is written before its records, so that the next event brings a record again whose beginning is
        // here.
        let fix = if stands(last, log) { Fix::DropLine(hash(bytes)) } else { Fix::EndLine };
        found.push(CheckFinding::fixed(path, "torn backup", text, fix));
    }
    found
}

/// Whether what is said in the beginning of a record is in the log, as far as it says anything.
fn stands(torn: &[u8], log: &[u8]) -> bool {
    let torn = String::from_utf8_lossy(torn);
    let keys = ["\"content\":\"", "\"text\":\"", "\"message\":\""];
    let words = keys.iter().filter_map(|key| torn.rfind(key).map(|at| at + key.len())).max();
    let Some(words) = words.map(|at| &torn[at..]) else { return true };
    // Up to where an escape begins, it is as it was said.
    let plain = words.split(['\\', '"', '\u{fffd}']).next().unwrap_or_default();
    let line = escape(plain);
    memchr::memmem::find(log, start(&line, START).as_bytes()).is_some()
}

/// How many turns of the records are not in the log, and how many are. Both are in the order of the imports, so that
/// one is looked for after the one before it first.
fn compare(records: &[&[u8]], log: &[u8]) -> (usize, usize) {
    let (mut missing, mut heard, mut at) = (0, 0, 0);
    let mut seen = HashSet::new();
    // What was imported a second time is there a second time.
    for record in records.iter().filter(|record| seen.insert(**record)) {
        let Some(piece) = transcript::piece(record) else { continue };
        if !matches!(piece.role, Role::User | Role::Assistant) || piece.text.contains("[REDACTED") {
            continue;
        }
        let escaped = escape(&piece.text);
        let Some(line) =
            escaped.lines().map(str::trim).find(|line| line.chars().any(char::is_alphanumeric))
        else {
            continue;
        };
        let needle = start(line, START).as_bytes();
        match memchr::memmem::find(&log[at..], needle) {
            Some(found) => (at, heard) = (at + found, heard + 1),
            None if memchr::memmem::find(&log[..at], needle).is_some() => heard += 1,
            None => missing += 1,
        }
    }
    (missing, heard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(words: &str) -> String {
        serde_json::json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": words}}).to_string()
    }

    #[test]
    fn turns_of_a_backup_are_looked_for_in_the_log() {
        let check = |words: &[&str], log: &str, expect: (usize, usize)| {
            let records: Vec<String> = words.iter().map(|words| record(words)).collect();
            let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
            assert_eq!(compare(&records, log.as_bytes()), expect, "{words:?} {log}");
        };
        check(&["one", "two"], "**User:** one\n\n**User:** two\n", (0, 2));
        check(&["two", "one"], "**User:** one\n\n**User:** two\n", (0, 2));
        check(&["one", "three"], "**User:** one\n\n**User:** two\n", (1, 1));
        check(&["one", "two", "two"], "**User:** one\n", (1, 1));
        check(&["## a heading"], "**User:** \\## a heading\n", (0, 1));
        check(&["a [REDACTED:password] b"], "", (0, 0));
    }

    #[test]
    fn a_torn_last_line_gets_an_end() {
        let check = |text: &str, expect: &[Option<Fix>]| {
            let log = b"**User:** why does it drift\n";
            let found = torn("b", text.as_bytes(), log);
            let found: Vec<_> = found.iter().map(|found| found.fix).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("", &[]);
        check("{}\n{}\n", &[]);
        let dropped = |text: &str| Some(Fix::DropLine(hash(text.as_bytes())));
        let torn = "{}\n{\"a\":";
        check(torn, &[dropped(torn)]);
        let torn = "{\"message\":{\"role\":\"user\",\"content\":\"why does it";
        check(torn, &[dropped(torn)]);
        // Words that are nowhere else stay.
        check("{\"message\":{\"role\":\"user\",\"content\":\"why is it", &[Some(Fix::EndLine)]);
        check("{}\n{}", &[Some(Fix::EndLine)]);
        check("{}\n{\"a\":\n{}\n", &[None]);
    }
}
