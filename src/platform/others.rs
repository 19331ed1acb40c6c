//! Agents that read the files of another one and so call its hooks, although their sessions cannot be read here:
//! one static row per agent, which distinguishes its calls from those of the agents in [`super::ALL`].
//!
//! One that can be read becomes a row there, and its row here goes.

use super::Signs;

/// How an agent is recognised that is not one of [`super::ALL`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OtherAgent {
    /// what it is called in `status` and in records of hooks
    pub(crate) id: &'static str,
    /// its name
    pub(crate) name: &'static str,
    /// what tells its calls and records
    pub(crate) signs: Signs,
}

/// All of them.
pub(crate) const OTHERS: &[OtherAgent] = &[UNKNOWN];

/// An agent that nobody here knows.
pub(crate) const UNKNOWN: OtherAgent =
    OtherAgent { id: "another-agent", name: "another agent", signs: Signs::NONE };

/// The row of an id.
pub(crate) fn other_by_id(id: &str) -> Option<&'static OtherAgent> {
    OTHERS.iter().find(|row| row.id == id)
}

impl OtherAgent {
    /// What is said of its sessions.
    pub(crate) fn unread(&self) -> String {
        let id = self.id;
        format!(
            "nothing that was said in `{id}` is saved: it calls the hooks of this project, and this version cannot read its sessions; `hipocampus flush -m TEXT` saves what matters"
        )
    }
}
