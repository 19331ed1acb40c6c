//! What an agent is recognised by where several read the same hooks, or record in the same form.

use serde_json::{Map, Value};

/// The signs of one agent. Read off the real agents.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    /// what is in the path of its transcripts
    pub(crate) paths: &'static [&'static str],
    /// fields of the JSON for its hooks that no other agent's has
    pub(crate) fields: &'static [&'static str],
    /// variables that it sets for its hooks
    pub(crate) sets: &'static [&'static str],
    /// fields of a record of its transcripts, which together no other agent's has: names, and values where these tell
    pub(crate) record: &'static [(&'static str, Option<&'static str>)],
}

impl Signs {
    /// None: its calls are recognised by other means.
    pub(crate) const NONE: Self = Self { paths: &[], fields: &[], sets: &[], record: &[] };

    /// Whether a record is of this agent's transcripts.
    pub(crate) fn has_written(&self, record: &Map<String, Value>) -> bool {
        let fits = |(name, value): &(&str, Option<&str>)| {
            record.get(*name).is_some_and(|found| value.is_none_or(|value| found == value))
        };
        !self.record.is_empty() && self.record.iter().all(fits)
    }
}
