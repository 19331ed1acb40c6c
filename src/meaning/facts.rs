//! Facts: lines that are alone, each with its day, topic, type and kind.
//!
//! They are read from nodes and never from the logs past them: from each day, and from the weeks and months that a
//! model or a person wrote. [`FactCache`] keeps those of each node by the hash of its text, so that a run reads only
//! what changed.

mod cache;
mod fact_label;
mod node;
pub(crate) mod topic_names;

use serde::{Deserialize, Serialize};

use crate::memory::entry::EntryType;

pub use cache::FactCache;
pub(crate) use node::read;

/// What kind of thing a fact tells, the weightiest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FactKind {
    /// how the user wants work to be done, or who they are
    Rule,
    /// what was chosen or turned down
    Decision,
    /// what was found out
    Lesson,
    /// what is left to do
    Open,
    /// where something outside lives
    Reference,
    /// what was finished
    Done,
}

impl FactKind {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FactKind::Rule => "rule",
            FactKind::Decision => "decision",
            FactKind::Lesson => "lesson",
            FactKind::Open => "open",
            FactKind::Reference => "reference",
            FactKind::Done => "done",
        }
    }
}

/// One fact. Its texts are its own, or those of bytes that are only looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fact<S = String> {
    pub(crate) kind: FactKind,
    /// without its topic, on one line
    pub(crate) text: S,
    /// the line of the node's body it begins on, from 1
    pub(crate) line: u32,
    /// the days that the line itself names, as `→ 03-12` or by its heading; none where it is of all of its node
    pub(crate) days: Vec<i32>,
}

/// Where in a node something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FactOrigin {
    /// an entry of a log, `## Topic [type]`, that a person or an agent saved
    Entry,
    /// a summary that a model or a person wrote
    Summary,
    /// the extract of a session, or a session as it is in the log
    Session,
}

impl FactOrigin {
    /// What `show` calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FactOrigin::Entry => "entry",
            FactOrigin::Summary => "summary",
            FactOrigin::Session => "extract",
        }
    }
}

/// What a node says about one topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject<S = String> {
    /// as it is written
    pub(crate) topic: S,
    pub(crate) kind: EntryType,
    pub(crate) origin: FactOrigin,
    /// it says of itself that it is finished or taken back
    pub(crate) done: bool,
    /// the line of the node's body it begins on, from 1
    pub(crate) line: u32,
    pub(crate) facts: Vec<Fact<S>>,
    /// words to search by, the most telling first
    pub(crate) words: Vec<S>,
}

impl Subject {
    pub(crate) fn new(topic: String, kind: EntryType, origin: FactOrigin, line: u32) -> Self {
        let (facts, words) = (Vec::new(), Vec::new());
        Self { topic, kind, origin, done: false, line, facts, words }
    }
}
