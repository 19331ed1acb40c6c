//! One thing that a command is to write, and how that ended.

use crate::layout;
use crate::summaries::by_model::{self, RootTask};
use crate::summaries::sections;
use crate::summaries::store::SummaryTask;

/// What a command is to write.
pub(super) enum Job {
    Node(SummaryTask),
    Root(RootTask),
}

impl Job {
    /// What claims and the record of tokens call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Node(task) => task.period.to_string(),
            Self::Root(_) => by_model::ROOT.to_owned(),
        }
    }

    /// The file it becomes, below the project root.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Node(task) => layout::node_path(task.period),
            Self::Root(_) => layout::root_path(),
        }
    }

    /// The least and the most tokens that an answer has to have room for.
    pub(super) fn room(&self, root_cap: u32) -> (u64, u64) {
        let (least, most) = match self {
            Self::Node(task) => {
                let level = task.period.level();
                (sections::budget(level) / 3, sections::most(level))
            }
            // A page that is over its cap is sent back with its size.
            Self::Root(_) => (root_cap / 3, root_cap.saturating_mul(2)),
        };
        (least.into(), most.into())
    }
}

/// How it ended.
pub(super) enum NodeOutcome {
    Stored(String),
    /// it stays as it is, and why
    Failed(String),
    /// the limit of the day leaves no room
    Full,
    /// no day has room for what it takes, in tokens
    TooLarge(u64),
    /// the command cannot work now, and why
    Out(String),
    Stopped,
}
