//! Names, numbers and days in a summary that nothing has which its author read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chrono::{NaiveDate, TimeDelta};
use regex::Regex;

use crate::memory::period::Period;

/// What may be a name of code or a path.
static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z0-9_~./][A-Za-z0-9_./:@\\-]*"));
/// What makes a word a name wherever it stands: a letter on either side of `_`, `::`, a file's ending.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"[A-Za-z0-9]_[A-Za-z0-9]|\w::\w|[A-Za-z0-9_-]{2}\.[a-z][a-z0-9]{1,4}$")
});
/// A hump, as in `readFile`.
static HUMP: LazyLock<Regex> = LazyLock::new(|| regex("[a-z][A-Z][a-z]"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"[0-9][0-9,_]*"));
static DAY: LazyLock<Regex> = LazyLock::new(|| regex("[0-9]{4}-[0-9]{2}-[0-9]{2}"));

fn regex(pattern: &str) -> Regex {
    #[expect(clippy::unwrap_used, reason = "a constant, which every run of a test reads")]
    Regex::new(pattern).unwrap()
}

/// Those of a summary of a period that stand in none of the texts, each once: names of code and paths, numbers of four
/// digits or more, days. A name stands there also where its parts do; a number also in thousands.
pub(crate) fn invented(summary: &str, period: Period, read: &[&str]) -> Vec<String> {
    let source = read.join("\n").to_lowercase();
    let digits = without_separators(&source);
    let mut found = BTreeSet::new();
    for line in summary.lines() {
        for (at, piece) in line.split('`').enumerate() {
            for word in names(piece, at % 2 == 1).filter(|word| !has_name(&source, word)) {
                found.insert(word.to_owned());
            }
        }
        for day in DAY.find_iter(line).filter(|day| !has_day(&source, day.as_str(), period)) {
            found.insert(day.as_str().to_owned());
        }
        for number in numbers(line).filter(|number| !has_number(&source, &digits, number, period)) {
            found.insert(number);
        }
    }
    found.into_iter().collect()
}

/// The names of code and paths in a piece of a line. Between backticks more words are names.
fn names(piece: &str, in_code: bool) -> impl Iterator<Item = &str> {
    let words = WORD.find_iter(piece).map(|word| {
        word.as_str().trim_end_matches(['.', ':', '-', '/', '\\']).trim_start_matches(['.', '/'])
    });
    words.filter(move |word| {
        let begins_small = word.starts_with(|c: char| c.is_ascii_lowercase());
        let is_secret = word.starts_with("REDACTED");
        !is_secret
            && !DAY.is_match(word)
            && word.contains(|c: char| c.is_ascii_alphabetic())
            && (NAME.is_match(word)
                || in_code && word.contains('/')
                || (in_code || begins_small) && HUMP.is_match(word))
    })
}

fn has_name(source: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let mut parts = word.split(['/', ':', '.', '@', '\\']).filter(|part| !part.is_empty());
    source.contains(&word) || parts.all(|part| source.contains(part))
}

/// Whether a day is named in the source, or is one that `yesterday` and `tomorrow` may mean there.
fn has_day(source: &str, day: &str, period: Period) -> bool {
    let days = period.days();
    let near = *days.start() - TimeDelta::days(1)..=*days.end() + TimeDelta::days(1);
    source.contains(day) || day.parse::<NaiveDate>().is_ok_and(|day| near.contains(&day))
}

/// Numbers of four digits or more that are no part of a word or day, without separators.
fn numbers(line: &str) -> impl Iterator<Item = String> {
    NUMBER.find_iter(line).filter_map(|found| {
        let is_part = |c: char| c.is_alphanumeric() && c.is_ascii() || matches!(c, '_' | '-');
        let before = line[..found.start()].chars().next_back();
        let after = line[found.end()..].chars().next();
        let is_fraction = before == Some('.');
        let number: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
        let apart = !is_fraction && ![before, after].into_iter().flatten().any(is_part);
        // `1, 2` and `10,20` are lists.
        let is_list = found
            .as_str()
            .split([',', '_'])
            .skip(1)
            .any(|group| !group.is_empty() && group.len() != 3);
        (apart && !is_list && number.len() >= 4).then_some(number)
    })
}

fn has_number(source: &str, digits: &str, number: &str, period: Period) -> bool {
    let in_thousands = || {
        let whole = number.get(..number.len() - 3)?;
        let rest = number.get(number.len() - 3..)?.trim_end_matches('0');
        let text = if rest.is_empty() { format!("{whole}k") } else { format!("{whole}.{rest}k") };
        source.contains(&text).then_some(())
    };
    digits.contains(number)
        || period.days().start().format("%Y").to_string() == number
        || in_thousands().is_some()
}

/// A text with `1,234` as `1234`.
fn without_separators(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_separator = |at: usize| {
        matches!(bytes[at], b',' | b'_')
            && at > 0
            && is_digit(at - 1)
            && (1..=3).all(|more| is_digit(at + more))
    };
    text.char_indices().filter(|(at, _)| !is_separator(*at)).map(|(_, c)| c).collect()
}
