//! Who works on which node: claims, kept in `.compaction-state.json`.

use chrono::{DateTime, FixedOffset, TimeDelta};
use serde_json::{Value, json};

use crate::state::CompactionState;
use crate::text::moment;

/// How long a claim holds.
pub(crate) const HOLDS: TimeDelta = TimeDelta::minutes(30);
/// How the name of a process begins that holds a claim; what the disk knows it by follows.
pub(crate) const PROCESS: &str = "process ";

/// A node that somebody works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// the label of the node, or `root`
    pub(crate) node: String,
    pub(crate) by: String,
    pub(crate) at: DateTime<FixedOffset>,
    /// the hash of the sources that were handed out with it
    pub(crate) read: Option<u64>,
}

impl Claim {
    fn of(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str();
        Some(Self {
            node: text("node")?.to_owned(),
            by: text("by")?.to_owned(),
            at: DateTime::parse_from_rfc3339(text("at")?).ok()?,
            read: text("read").and_then(|hash| u64::from_str_radix(hash, 16).ok()),
        })
    }

    fn value(&self) -> Value {
        let mut value = json!({
            "node": self.node,
            "by": self.by,
            "at": moment(self.at),
        });
        if let (Some(read), Some(fields)) = (self.read, value.as_object_mut()) {
            fields.insert("read".to_owned(), format!("{read:016x}").into());
        }
        value
    }

    /// Whether it holds at a moment. A time that has not come was written by a clock that is wrong.
    fn holds(&self, now: DateTime<FixedOffset>, is_gone: &dyn Fn(&str) -> bool) -> bool {
        let age = (now - self.at).abs();
        age < HOLDS && !self.by.strip_prefix(PROCESS).is_some_and(is_gone)
    }

    /// Who has it and until when, in words.
    pub(crate) fn told(&self) -> String {
        let by = if self.by.starts_with(PROCESS) { "another run" } else { &self.by };
        format!("{by}, until {}", (self.at + HOLDS).format("%H:%M"))
    }
}

/// The claims that hold. `is_gone` tells whether the process with this name has ended.
pub(crate) fn all(
    state: &CompactionState,
    now: DateTime<FixedOffset>,
    is_gone: &dyn Fn(&str) -> bool,
) -> Vec<Claim> {
    let claims = state.claims();
    let claims = claims.iter().filter_map(Claim::of);
    claims.filter(|claim| claim.holds(now, is_gone)).collect()
}

/// Adds a claim, in the place of one on the same node; those that hold no more go.
pub(crate) fn put(state: &mut CompactionState, mut others: Vec<Claim>, claim: Claim) {
    others.retain(|other| other.node != claim.node);
    others.push(claim);
    keep(state, &others);
}

pub(crate) fn keep(state: &mut CompactionState, claims: &[Claim]) {
    state.set_claims(claims.iter().map(Claim::value).collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(&format!("2026-03-15T{time}:00+01:00")).unwrap()
    }

    fn claim(node: &str, by: &str, time: &str) -> Claim {
        Claim { node: node.to_owned(), by: by.to_owned(), at: at(time), read: Some(0xab) }
    }

    #[test]
    fn a_claim_holds_for_half_an_hour_or_until_its_process_is_gone() {
        let mut state = CompactionState::parse(b"{\"x\": 1}").unwrap().unwrap();
        let mine = claim("2026-03-14", "session s", "10:00");
        put(&mut state, Vec::new(), mine.clone());
        let theirs = claim("2026-03-13", "process h 1 2", "10:00");
        let held = all(&state, at("10:01"), &|_| false);
        put(&mut state, held, theirs.clone());
        let read = |time: &str, gone: bool| all(&state, at(time), &|_| gone);
        assert_eq!(read("10:29", false), [mine.clone(), theirs]);
        assert_eq!(read("10:29", true), std::slice::from_ref(&mine));
        assert_eq!(read("10:30", false), []);
        assert_eq!(read("09:00", false), []);
        assert_eq!(mine.told(), "session s, until 10:30");
        // One node has one claim, and what is not ours stays.
        put(&mut state, vec![mine], claim("2026-03-14", "session t", "10:20"));
        let held = all(&state, at("10:21"), &|_| false);
        assert_eq!((held.len(), &*held[0].by), (1, "session t"));
        assert!(String::from_utf8(state.to_bytes()).unwrap().contains("\"x\": 1"));
    }
}
