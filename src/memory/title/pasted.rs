//! Output of programs and code among the lines of a prompt.

use super::paths::is_path;
use crate::memory::talk::is_of_device;

/// Whether a line begins something that was pasted: output of a program, a log, a trace, a diff, code. What follows it
/// up to the next empty line goes with it.
pub(super) fn is_pasted(line: &str) -> bool {
    let first = line.chars().next().unwrap_or_default();
    let word = line.split_whitespace().next().unwrap_or_default();
    let begins = [
        "time=",
        "File \"",
        "goroutine ",
        "Traceback",
        "---",
        "===",
        "+++",
        "@@",
        "diff --git",
        "$ ",
        "> ",
        "Warning:",
        "FATAL:",
        "ERROR:",
        "panic:",
        "SELECT ",
        "INSERT ",
        "CREATE TABLE",
        "ALTER TABLE",
        "EXPLAIN ",
        "FAILED ",
        "FAIL ",
        "PASS ",
        "DETAIL: ",
        "HINT: ",
        "CONTEXT: ",
        "Caused by: ",
        "Rows Removed",
        "In file included from ",
        "(use \"git",
        "```",
        "= note: ",
        "= help: ",
        "error[E",
        "##[",
    ];
    let framed = matches!(first, '│' | '┌' | '└' | '├' | '╭' | '╰' | '|' | '{' | '}' | ']' | '<');
    let symbol = matches!(u32::from(first), 0x2100..=0x2bff | 0x1f000..);
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    // A time of day, a date, the number of a line.
    let stamped = {
        let text = word.trim_start_matches('[');
        let second = || line.split_whitespace().nth(1);
        let before_clock = || second().is_some_and(clock);
        // Not `3 ERROR lines`, nor an item of a list.
        let before_level = || {
            text.trim_end_matches(['.', ':', ')']).contains(['.', ':'])
                && second().is_some_and(is_level)
        };
        digits(text)
            && (word.starts_with('[')
                || clock(text)
                || date(text)
                || text.contains('→')
                || (day_of_year(text) && before_clock())
                || before_level())
    };
    // A prompt of a shell: `[main] [01/31/26 10:34 ~/source]`.
    let marked = line.starts_with('[') && (line.contains("] [") || is_level(word));
    let located = word.split(':').skip(1).filter(|part| digits(part)).count() >= 2;
    let thrown = word.ends_with("Error:") || word.ends_with("Exception:");
    let prompted = is_path(word) && word.starts_with(['~', '/', '.']) && line.contains(' ');
    // Columns of a table, by tabs or by blanks that bring them below each other.
    let columns = line.split('\t').flat_map(|text| text.split("  "));
    let columns: Vec<&str> = columns.map(str::trim).filter(|column| !column.is_empty()).collect();
    // Some people set two blanks behind a sentence, or by mistake.
    let ends = |column: &&str| column.ends_with(['.', '!', '?', ':', ',', ';']);
    let is_table = columns.len() == 3 && line.contains("   ") && !columns.iter().any(ends);
    let row = line.matches(" | ").count() > 2 || columns.len() > 3 || is_table;
    let keyed = word.starts_with('"') && word.ends_with("\":");
    // The plan of a query, a thread of a dump: `Thread 41207 (idle): "MainThread"`.
    let planned = ["(cost=", "(actual time="].iter().any(|mark| {
        line.split_once(mark).is_some_and(|(_, rest)| digits(rest) && rest.contains(" rows="))
    });
    let of_thread = line.strip_prefix("Thread ").is_some_and(digits)
        && (line.ends_with("):") || line.contains("): \""));
    // What an image of a container is made from.
    let builds = word == "FROM" && (line.contains(':') || line.contains(" AS "));
    begins.iter().any(|mark| line.starts_with(mark))
        || (line.starts_with("at ") && line.contains('('))
        || framed
        || symbol
        || stamped
        || marked
        || located
        || thrown
        || prompted
        || keyed
        || builds
        || planned
        || of_thread
        || row
        || line.ends_with(['{', '[', ';'])
        || is_of_device(line)
}

/// The first error that a log reports among what was pasted into a prompt, without what its line has in front of the message.
pub(super) fn reported_error(prompt: &str) -> Option<&str> {
    prompt.lines().map(str::trim).filter(|line| is_pasted(line)).find_map(message)
}

/// Of a message what it ends with, where programs have put before it what they were doing: `database is locked` of
/// `lift: hold 9: insert: database is locked`.
pub(super) fn at_heart(message: &str) -> &str {
    const LONG: usize = 40;
    let message = message.trim_end_matches(['.', ' ']);
    let quoted = |key: &str| message.split_once(key)?.1.split('"').next();
    if let Some(error) = ["err=\"", "error=\"", "msg=\""].iter().find_map(|key| quoted(key)) {
        return error;
    }
    let last = message.rsplit(": ").next().unwrap_or(message);
    let is_whole = last.split(' ').filter(|word| !word.is_empty()).count() > 1;
    if message.chars().count() > LONG && is_whole { last } else { message }
}

/// The message of a line of a log that reports an error; `None` where the line has nothing in front of one.
fn message(line: &str) -> Option<&str> {
    const SIGNS: [&str; 19] = [
        "error",
        "fatal",
        "panicked",
        "exception",
        "fail",
        "failed",
        "failure",
        "locked",
        "refused",
        "denied",
        "timeout",
        "aborted",
        "killed",
        "deadlock",
        "unreachable",
        "exceeded",
        "unable",
        "cannot",
        "corrupted",
    ];
    const NO_ERRORS: [&str; 3] = ["TRACE", "DEBUG", "INFO"];
    /// No log has more in front of a level: date, time, process and the like.
    const BEFORE_LEVEL: usize = 6;
    let is_sign = |word: &str| SIGNS.iter().any(|sign| word.eq_ignore_ascii_case(sign));
    if !line.split(|c: char| !c.is_alphanumeric()).any(is_sign) {
        return None;
    }
    let mark = |c: char| matches!(c, ' ' | '-' | ':' | ']' | '[' | '|');
    let level = line.split(' ').take(BEFORE_LEVEL).find(|word| {
        let word = word.trim_matches(mark);
        is_level(word) || matches!(word, "FAIL" | "FAILED")
    });
    if level.is_some_and(|level| NO_ERRORS.contains(&level.trim_matches(mark))) {
        return None;
    }
    let mut rest = level.map_or(line, |level| {
        &line[level.as_ptr() as usize - line.as_ptr() as usize + level.len()..]
    });
    loop {
        rest = rest.trim_start_matches([' ', '-', ':', '|']);
        let group = rest.strip_prefix('[').and_then(|group| Some(group.split_once(']')?.1));
        let word = rest.split(' ').next().unwrap_or_default();
        let is_stamp =
            word.starts_with(|c: char| c.is_ascii_digit()) || !word.contains(char::is_alphabetic);
        rest = match group {
            Some(behind) => behind,
            None if is_stamp && !word.is_empty() => &rest[word.len()..],
            None => break,
        };
    }
    (rest.len() < line.len() && !rest.is_empty()).then_some(rest)
}

fn is_level(word: &str) -> bool {
    let word = word.trim_matches(['[', ']']);
    ["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"].contains(&word)
}

fn clock(text: &str) -> bool {
    let Some((hours, rest)) = text.split_once(':') else { return false };
    (1..=2).contains(&hours.len())
        && hours.bytes().all(|byte| byte.is_ascii_digit())
        && rest.len() >= 2
        && rest.bytes().take(2).all(|byte| byte.is_ascii_digit())
}

fn date(text: &str) -> bool {
    text.len() >= 10
        && text.bytes().take(10).enumerate().all(|(at, byte)| match at {
            4 | 7 => matches!(byte, b'-' | b'/'),
            _ => byte.is_ascii_digit(),
        })
}

/// `03-02`, as logs of phones have it before the time.
fn day_of_year(text: &str) -> bool {
    text.len() == 5
        && text.bytes().enumerate().all(|(at, byte)| match at {
            2 => matches!(byte, b'-' | b'/'),
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_error_is_told_from_what_logs_have_before_it() {
        let check = |line: &str, expect: Option<&str>| {
            assert_eq!(reported_error(line), expect, "{line}");
        };
        let worker = Some("Exception in worker process");
        check("[2026-01-31 10:00:01 +0000] [12] [ERROR] Exception in worker process", worker);
        check(
            "2026-01-31 10:00:01.123 ERROR 12345 --- [main] o.s.Crane : lift run failed",
            Some("o.s.Crane : lift run failed"),
        );
        check("2026-01-31 10:00:01,1 - crane - ERROR - gauge not found", Some("gauge not found"));
        check("2026-01-31T10:00:01Z ERROR gauge not found", Some("gauge not found"));
        check("[ERROR] [crane lift] gauge not found", Some("gauge not found"));
        check("10:00:01 INFO error handler installed for the gauge", None);
        check("10:00:00 INFO begun\n10:00:01 ERROR gauge not found", Some("gauge not found"));
        check("FAIL  lift/crane.test.ts > last berth", Some("lift/crane.test.ts > last berth"));
        check("10:00:01 gauge 5 of 9", None);
        check("10:00:01 ERROR", None);
        check(
            "10:00:01 lift: hold 9: insert: database is locked",
            Some("lift: hold 9: insert: database is locked"),
        );
        check("ERROR:  deadlock detected", Some("deadlock detected"));
    }

    #[test]
    fn of_a_message_its_heart_is_told() {
        for (message, expect) in [
            ("lift: hold 9 of the north quay: insert: logbook is locked", "logbook is locked"),
            ("crane lift: gauge not found", "crane lift: gauge not found"),
            ("lift failed hold=9 err=\"logbook is locked\" try=2", "logbook is locked"),
            (
                "the lift of the north quay has stopped: why",
                "the lift of the north quay has stopped: why",
            ),
        ] {
            assert_eq!(at_heart(message), expect);
        }
    }

    #[test]
    fn items_and_counts_are_no_log() {
        for line in
            ["1. ERROR messages in German please", "2) WARN level is noisy", "3 ERROR lines"]
        {
            assert!(!is_pasted(line), "{line}");
        }
        assert!(is_pasted("45.61 ERROR lift: gauge not found"));
        assert!(is_pasted("Berth      Size  Used Ships Use% Moored on"));
        assert!(!is_pasted("The crane is red.  The winch is not.  Why"));
        assert!(!is_pasted("please paint the  old crane  in red"));
    }
}
