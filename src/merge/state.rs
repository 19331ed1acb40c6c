//! Merging `.compaction-state.json` by what its keys mean.

use chrono::DateTime;
use serde_json::Value;
use serde_json::value::RawValue;

use super::MergeError;
use crate::state::{CHECKPOINTS, COUNTED, LINES, LINES_THEN, RUN, StateFields};
use crate::text::{pretty_json, without_bom};

/// The keys about the time since one summary, in the order they are written.
const OF_A_RUN: [&str; 5] = [RUN, LINES, CHECKPOINTS, LINES_THEN, COUNTED];

/// The state of both sides: the later summary counts, with what its side counted since. Where both name the same one
/// the larger number stands. Keys nobody knows are kept; of two values the one that was changed, else the larger. Fails
/// when a side is no JSON object.
pub(super) fn merge(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Vec<u8>, MergeError> {
    let base = base.and_then(|base| object(base).ok().flatten()).unwrap_or_default();
    let (ours, theirs) = match (object(ours)?, object(theirs)?) {
        (Some(ours), Some(theirs)) => (ours, theirs),
        (one, other) => return Ok(pretty_json(&one.or(other).unwrap_or_default())),
    };
    let mut merged = StateFields::default();
    let run = |side: &StateFields| {
        let run = side.get(RUN);
        let run = run.as_ref().and_then(Value::as_str).unwrap_or_default();
        let time = DateTime::parse_from_rfc3339(run).ok().map(|time| time.to_utc());
        (time, run.to_owned())
    };
    let (one, other) = (run(&ours), run(&theirs));
    for key in OF_A_RUN {
        let value = match one.cmp(&other) {
            std::cmp::Ordering::Greater => ours.raw(key),
            std::cmp::Ordering::Less => theirs.raw(key),
            std::cmp::Ordering::Equal => larger(ours.raw(key), theirs.raw(key)),
        };
        put(&mut merged, key, value);
    }
    let mut others: Vec<&str> = ours.keys().chain(theirs.keys()).collect();
    others.sort_unstable();
    for key in others.into_iter().filter(|key| !OF_A_RUN.contains(key)) {
        let (was, a, b) = (base.raw(key).map(RawValue::get), ours.raw(key), theirs.raw(key));
        let value = match (a, b) {
            (Some(a), Some(_)) if Some(a.get()) == was => b,
            (Some(_), Some(b)) if Some(b.get()) == was => a,
            (a, b) => larger(a, b),
        };
        put(&mut merged, key, value);
    }
    Ok(pretty_json(&merged))
}

/// `None` for a file that is empty or all NUL, as after a crash.
fn object(text: &[u8]) -> Result<Option<StateFields>, MergeError> {
    let text = without_bom(text);
    if text.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()) {
        return Ok(None);
    }
    StateFields::parse(text).map(Some).map_err(|_| MergeError::NotObject)
}

fn put(merged: &mut StateFields, key: &str, value: Option<&RawValue>) {
    if let Some(value) = value {
        merged.put(key, value.to_owned());
    }
}

fn larger<'v>(a: Option<&'v RawValue>, b: Option<&'v RawValue>) -> Option<&'v RawValue> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (one, other) => return one.or(other),
    };
    let rank = |value: &RawValue| {
        let known: Value = serde_json::from_str(value.get()).unwrap_or_default();
        (known.as_f64(), known.to_string(), value.get().to_owned())
    };
    let is_less = rank(a).partial_cmp(&rank(b)).is_some_and(std::cmp::Ordering::is_lt);
    Some(if is_less { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expect: &str) {
        for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
            let merged = merge(Some(base.as_bytes()), ours.as_bytes(), theirs.as_bytes()).unwrap();
            let read: Value = serde_json::from_slice(&merged).unwrap();
            assert_eq!(read.to_string(), expect);
        }
    }

    #[test]
    fn the_later_summary_counts_and_of_one_the_larger_number() {
        let state = |run: &str, lines: u32| {
            format!("{{\"lastCompactionRun\":\"{run}\",\"rawLinesSinceLastCompaction\":{lines}}}")
        };
        let (noon, one) = ("2026-03-15T12:00:00+01:00", "2026-03-15T11:30:00Z");
        check("", &state(noon, 90), &state(one, 3), &state(one, 3));
        check("", &state(noon, 90), &state(noon, 100), &state(noon, 100));
        check("", &state("", 90), &state(noon, 1), &state(noon, 1));
        check("", "\0\0", &state(noon, 1), &state(noon, 1));
    }

    #[test]
    fn keys_of_others_are_kept() {
        check("{\"a\":1}", "{\"a\":2,\"b\":[1]}", "{\"a\":1}", "{\"a\":2,\"b\":[1]}");
        check("{}", "{\"a\":10}", "{\"a\":9}", "{\"a\":10}");
        let digits = "{\"n\":12345678901234567890123,\"f\":1.10}";
        let merged = merge(None, digits.as_bytes(), b"{\"f\":1}").unwrap();
        let merged = String::from_utf8(merged).unwrap();
        assert!(merged.contains("\"f\": 1.10") && merged.contains(": 12345678901234567890123"));
        check("{}", "{\"z\":\"x\"}", "{\"y\":null}", "{\"y\":null,\"z\":\"x\"}");
        assert!(merge(None, b"[1]", b"{}").is_err() && merge(None, b"{}", b"{").is_err());
    }
}
