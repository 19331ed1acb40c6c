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
        // Not `3 ERROR lines`.
        let before_level = || text.contains(['.', ':']) && second().is_some_and(is_level);
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
    let row = line.matches(" | ").count() > 2
        || columns.filter(|column| !column.trim().is_empty()).count() > 3;
    let keyed = word.starts_with('"') && word.ends_with("\":");
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
        || row
        || line.ends_with(['{', '[', ';'])
        || is_of_device(line)
}

/// The first error that is reported among what was pasted into a prompt, without the time and the level before it.
pub(super) fn reported_error(prompt: &str) -> Option<&str> {
    const SIGNS: [&str; 7] =
        ["error", "fatal", "panicked", "exception", "fail", "failed", "failure"];
    let mut lines = prompt.lines().map(str::trim).filter(|line| {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        words.any(|word| SIGNS.iter().any(|sign| word.eq_ignore_ascii_case(sign)))
    });
    let line = lines.find(|line| is_pasted(line))?;
    let mut rest = line;
    while let Some((first, behind)) = rest.split_once(' ')
        && (is_level(first.trim_end_matches(':'))
            || matches!(first, "FAIL" | "FAILED")
            || first.starts_with(|c: char| c.is_ascii_digit() || c == '['))
    {
        rest = behind.trim_start();
    }
    (rest.len() < line.len()).then_some(rest)
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
