//! What summaries cost: `memory/.hipocampus.tokens.jsonl`, a line before each call and one after it.
//!
//! The line before reserves what the call may take at most. A run that is killed in between leaves it standing, so that
//! what may have been spent counts as spent.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::text::json_lines;

/// How long a line is kept, in days.
const KEPT: i64 = 60;
/// From this size on, in bytes, older lines go.
pub(crate) const LARGE: u64 = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CallOutcome {
    /// it is about to be made
    Reserved,
    Stored,
    /// its answer is a part of what will be merged
    Part,
    /// its answer would not do
    Refused,
    /// there was no answer
    Failed,
    /// somebody ended it
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SpendingLine {
    /// when it was written, RFC 3339
    pub(crate) at: String,
    pub(crate) id: String,
    pub(crate) node: String,
    /// tokens of the prompt, estimated
    #[serde(rename = "in")]
    pub(crate) input: u64,
    /// tokens of the answer, estimated; the most there may be while it is reserved
    #[serde(rename = "out")]
    pub(crate) output: u64,
    /// the hash of the command
    pub(crate) command: String,
    pub(crate) result: CallOutcome,
    /// what the call cost, in US dollars, where the command says so
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) usd: Option<f64>,
}

impl SpendingLine {
    fn day(&self) -> Option<NaiveDate> {
        DateTime::parse_from_rfc3339(&self.at).ok().map(|at| at.date_naive())
    }

    /// The line with its line end.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// The tokens spent or reserved on a day. A call belongs to the day on which it was reserved; what its last line says
/// counts.
pub(crate) fn on(lines: &[SpendingLine], day: NaiveDate) -> u64 {
    let mut calls: HashMap<&str, (Option<NaiveDate>, u64)> = HashMap::new();
    for line in lines {
        let call = calls.entry(&line.id).or_insert((line.day(), 0));
        call.1 = line.input.saturating_add(line.output);
    }
    calls.values().filter(|(on, _)| *on == Some(day)).map(|(_, tokens)| *tokens).sum()
}

/// What the calls of these days cost, in US dollars, as far as their commands said so.
pub(crate) fn usd(lines: &[SpendingLine], days: RangeInclusive<NaiveDate>) -> Option<f64> {
    let mut calls: BTreeMap<&str, (Option<NaiveDate>, Option<f64>)> = BTreeMap::new();
    for line in lines {
        let call = calls.entry(&line.id).or_insert((line.day(), None));
        call.1 = line.usd.or(call.1);
    }
    let of = calls.values().filter(|(day, _)| day.is_some_and(|day| days.contains(&day)));
    of.filter_map(|(_, usd)| *usd).reduce(|sum, usd| sum + usd)
}

/// `$0.25`, `$0.0003`
pub(crate) fn dollars(usd: f64) -> String {
    if usd >= 0.1 { format!("${usd:.2}") } else { format!("${usd:.4}") }
}

/// The record without the lines that nobody asks for any more.
pub(crate) fn recent(record: &[u8], today: NaiveDate) -> Vec<u8> {
    let recent =
        |line: &SpendingLine| line.day().is_none_or(|day| (today - day).num_days() <= KEPT);
    let all: Vec<SpendingLine> = json_lines(record);
    all.iter().filter(|line| recent(line)).flat_map(SpendingLine::bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, at: &str, result: CallOutcome, output: u64) -> SpendingLine {
        SpendingLine {
            at: format!("2026-03-{at}:00+01:00"),
            id: id.to_owned(),
            node: "2026-03-10".to_owned(),
            input: 100,
            output,
            command: "c".to_owned(),
            result,
            usd: None,
        }
    }

    #[test]
    fn what_is_reserved_counts_until_it_is_known() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let ledger: Vec<u8> = [
            line("a", "15T10:00", CallOutcome::Reserved, 1000),
            line("a", "15T10:01", CallOutcome::Stored, 50),
            line("killed", "15T11:00", CallOutcome::Reserved, 1000),
            line("b", "15T23:59", CallOutcome::Reserved, 1000),
            // Begun on the day before.
            line("b", "16T00:01", CallOutcome::Refused, 200),
        ]
        .iter()
        .flat_map(SpendingLine::bytes)
        .chain(*b"{\"at\": \"2026-03-15T12")
        .collect();
        let read: Vec<SpendingLine> = json_lines(&ledger);
        assert_eq!(read.len(), 5);
        assert_eq!(on(&read, day("2026-03-15")), 150 + 1100 + 300);
        assert_eq!(on(&read, day("2026-03-16")), 0);
        assert_eq!(json_lines::<SpendingLine>(&recent(&ledger, day("2026-05-01"))).len(), 5);
        assert_eq!(recent(&ledger, day("2026-07-01")), b"");
    }

    #[test]
    fn a_line_reads_as_the_spec_has_it() {
        let text =
            String::from_utf8(line("a", "15T10:00", CallOutcome::Reserved, 9).bytes()).unwrap();
        assert_eq!(
            text,
            "{\"at\":\"2026-03-15T10:00:00+01:00\",\"id\":\"a\",\"node\":\"2026-03-10\",\"in\":100,\"out\":9,\"command\":\"c\",\"result\":\"reserved\"}\n"
        );
    }
}
