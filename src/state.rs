//! `memory/.compaction-state.json` and the list of days whose nodes must be made again.
//!
//! Agents write the state file too. Keys that are not ours keep their place and value, to the letter.

mod fields;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::text::{pretty_json, without_bom};
pub(crate) use fields::StateFields;

pub(crate) const RUN: &str = "lastCompactionRun";
pub(crate) const LINES: &str = "rawLinesSinceLastCompaction";
pub(crate) const CHECKPOINTS: &str = "checkpointsSinceLastCompaction";
pub(crate) const LINES_THEN: &str = "rawLinesAtLastCompaction";
/// the `lastCompactionRun` that [`LINES_THEN`] was counted for
pub(crate) const COUNTED: &str = "rawLinesCountedFor";

/// who works on which node
pub(crate) const CLAIMS: &str = "claims";

/// What the state file is instead of a JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StateError {
    #[error("it is not a JSON object")]
    NotObject,
    /// the line with the mistake
    #[error("line {0}: it is not valid JSON")]
    NotJson(usize),
}

/// The state between two summaries by a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CompactionState {
    fields: StateFields,
}

impl CompactionState {
    /// Reads the file. A file that is empty or all NUL bytes, as after a crash, counts as missing. Fails when it holds
    /// anything but a JSON object: the caller leaves such a file alone.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Self>, StateError> {
        let text = without_bom(bytes);
        if text.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()) {
            return Ok(None);
        }
        Ok(Some(Self { fields: StateFields::parse(text)? }))
    }

    /// The file's bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        pretty_json(&self.fields)
    }

    /// When a model last summarised, as whoever did it wrote it down.
    pub(crate) fn last_compaction_run(&self) -> Option<String> {
        self.fields.get(RUN)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Lines added to the logs since then.
    pub(crate) fn raw_lines(&self) -> u64 {
        self.number(LINES)
    }

    pub(crate) fn checkpoints(&self) -> u64 {
        self.number(CHECKPOINTS)
    }

    /// Brings the count of lines up to date, `total` being the lines of all logs. A new `lastCompactionRun`
    /// starts the count again. Whether anything changed.
    pub(crate) fn count_lines(&mut self, total: u64) -> bool {
        let before = self.fields.clone();
        let run = self.fields.get(RUN).unwrap_or(Value::Null);
        let counted = self.fields.get(COUNTED);
        let is_another = counted.as_ref().is_some_and(|counted| *counted != run);
        if self.fields.raw(LINES_THEN).is_none() || is_another {
            // Without a count of ours, what the file says so far is the best there is.
            let known = if counted.is_none() { self.number(LINES) } else { 0 };
            // The two are in one order, so that a run that was killed and repeated ends at the same bytes.
            self.fields.remove(COUNTED);
            self.set(LINES_THEN, total.saturating_sub(known));
        }
        let run = self.fields.raw(RUN).map_or_else(|| RawValue::NULL.to_owned(), ToOwned::to_owned);
        self.fields.put(COUNTED, run);
        let then = self.number(LINES_THEN);
        self.set(LINES, total.saturating_sub(then));
        self.fields != before
    }

    pub(crate) fn count_checkpoint(&mut self) {
        self.set(CHECKPOINTS, self.checkpoints().saturating_add(1));
    }

    /// Notes down that a model begins to summarise: the cooldown starts, and the counters are zero again. An idle run
    /// fills in what the lines are counted from.
    pub(crate) fn begin(&mut self, now: &str) {
        self.fields.insert(RUN, now);
        self.fields.remove(LINES_THEN);
        self.set(LINES, 0);
        self.set(CHECKPOINTS, 0);
    }

    /// The claims on nodes, as they are written there.
    pub(crate) fn claims(&self) -> Vec<Value> {
        match self.fields.get(CLAIMS) {
            Some(Value::Array(claims)) => claims,
            _ => Vec::new(),
        }
    }

    /// Replaces the claims; the key goes where there are none.
    pub(crate) fn set_claims(&mut self, claims: Vec<Value>) {
        if claims.is_empty() {
            self.fields.remove(CLAIMS);
        } else {
            self.fields.insert(CLAIMS, claims);
        }
    }

    fn number(&self, key: &str) -> u64 {
        let value = self.fields.get(key);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast of a float saturates"
        )]
        let rounded = |number: f64| number as u64;
        value.and_then(|value| value.as_u64().or_else(|| value.as_f64().map(rounded))).unwrap_or(0)
    }

    fn set(&mut self, key: &str, number: u64) {
        self.fields.insert(key, number);
    }
}

/// Reads the list of days whose chain of nodes is to be made again: one date per line. A line that a
/// crash cut short is no date and passed over.
pub(crate) fn days(bytes: &[u8]) -> BTreeSet<NaiveDate> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

/// The lines that add days to the list.
pub(crate) fn day_lines(days: &BTreeSet<NaiveDate>) -> String {
    // The first newline ends a line that a crash cut short.
    days.iter().fold(String::from("\n"), |lines, day| lines + &format!("{day}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(text: &str) -> CompactionState {
        CompactionState::parse(text.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn foreign_keys_stay_and_odd_files_are_left_alone() {
        let mut found = state(
            r#"{"x":[1.10, 12345678901234567890123],"checkpointsSinceLastCompaction":2,"lastCompactionRun":"T"}"#,
        );
        found.count_checkpoint();
        let text = String::from_utf8(found.to_bytes()).unwrap();
        assert_eq!(
            text,
            "{\n  \"x\": [1.10, 12345678901234567890123],\n  \"checkpointsSinceLastCompaction\": 3,\n  \"lastCompactionRun\": \"T\"\n}\n"
        );
        assert_eq!(state(&text).to_bytes(), text.as_bytes());
        assert_eq!(found.last_compaction_run().as_deref(), Some("T"));
        for empty in ["", "\0\0\0", " \n"] {
            assert_eq!(CompactionState::parse(empty.as_bytes()), Ok(None));
        }
        assert!(CompactionState::parse(b"[1]").is_err() && CompactionState::parse(b"{").is_err());
        assert_eq!(state(r#"{"rawLinesSinceLastCompaction":"many"}"#).raw_lines(), 0);
    }

    #[test]
    fn lines_are_counted_from_the_last_summary() {
        let mut found = state(r#"{"lastCompactionRun":"A","rawLinesSinceLastCompaction":40}"#);
        assert!(found.count_lines(100));
        assert_eq!(found.raw_lines(), 40);
        assert!(found.count_lines(150));
        assert_eq!(found.raw_lines(), 90);
        assert!(!found.count_lines(150));
        // A model summarises and writes its own idea of the counters.
        let text = String::from_utf8(found.to_bytes()).unwrap().replace("\"A\"", "\"B\"");
        let text = text
            .replacen("\"B\"", "\"A\"", 1)
            .replace("\"lastCompactionRun\": \"A\"", "\"lastCompactionRun\": \"B\"");
        let text = text.replace("\"rawLinesCountedFor\": \"B\"", "\"rawLinesCountedFor\": \"A\"");
        let mut found = state(&text);
        assert!(found.count_lines(160));
        assert_eq!(found.raw_lines(), 0);
        assert!(found.count_lines(170));
        assert_eq!(found.raw_lines(), 10);
    }

    #[test]
    fn work_that_begins_twice_ends_at_the_same_bytes() {
        let mut once = CompactionState::default();
        once.begin("T");
        once.count_lines(10);
        let mut twice = once.clone();
        twice.begin("T");
        twice.count_lines(10);
        assert_eq!(once.to_bytes(), twice.to_bytes());
    }

    #[test]
    fn a_counter_that_is_full_stays_full() {
        for full in ["18446744073709551615", "1e300"] {
            let mut found = state(&format!(r#"{{"checkpointsSinceLastCompaction":{full}}}"#));
            found.count_checkpoint();
            assert_eq!(found.checkpoints(), u64::MAX, "{full}");
        }
    }

    #[test]
    fn the_list_of_days_survives_a_crash() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let two = BTreeSet::from([day("2026-01-02"), day("2026-01-05")]);
        let text =
            format!("{}2026-0{}", day_lines(&two), day_lines(&BTreeSet::from([day("2026-02-01")])));
        let expect = BTreeSet::from([day("2026-01-02"), day("2026-01-05"), day("2026-02-01")]);
        assert_eq!(days(text.as_bytes()), expect);
    }
}
