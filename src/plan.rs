//! What a run is going to do, as a value: for people ([`fmt::Display`]) and for programs ([`Serialize`]).
//!
//! A dry run prints a plan, a run applies it. There is no second code path.

use std::fmt;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize};

/// Everything one run will do, in order, and what it has to say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// the changes, in the order they are applied
    pub steps: Vec<Step>,
    /// what a person should know; none of it stops the run
    pub notes: Vec<Note>,
}

impl Plan {
    /// Whether applying it would change nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds what is done after it.
    pub(crate) fn append(&mut self, later: Self) {
        self.steps.extend(later.steps);
        self.notes.extend(later.notes);
    }
}

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// the file, relative to the project root, `/` between names
    pub path: String,
    /// what happens to it
    pub change: Change,
    /// why, in a few lower-case words
    pub reason: &'static str,
    /// whether the bytes must be on disk before the file takes its name
    pub sync: bool,
    /// whose file it is
    pub owner: FileOwner,
    /// whether only the user may read it, also where others could read what it replaces; `false` leaves that to
    /// the umask or to what it replaces
    pub private: bool,
}

impl Step {
    /// A change to one of our own files that can be made again from its sources.
    pub fn new(path: impl Into<String>, change: Change, reason: &'static str) -> Self {
        Self {
            path: path.into(),
            change,
            reason,
            sync: false,
            owner: FileOwner::Ours,
            private: false,
        }
    }

    /// A change to a file that an agent or a person may be writing at the same moment.
    pub fn to_users_file(path: impl Into<String>, change: Change, reason: &'static str) -> Self {
        Self { owner: FileOwner::Users, sync: true, ..Self::new(path, change, reason) }
    }

    /// A change to a log or a backup, to which others may be adding at the same moment. Only what a person asks for by
    /// hand changes one otherwise than by adding to it.
    pub fn to_log(path: impl Into<String>, change: Change, reason: &'static str) -> Self {
        Self { owner: FileOwner::Log, sync: true, ..Self::new(path, change, reason) }
    }

    /// Asks for the bytes to be on disk before the file takes its name.
    #[must_use]
    pub fn synced(mut self) -> Self {
        self.sync = true;
        self
    }

    /// Keeps a file or a new folder from other users of the machine.
    #[must_use]
    pub fn private(mut self, private: bool) -> Self {
        self.private = private;
        self
    }
}

/// Whose file a step changes; decides how a replacement guards against a writer at the same moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOwner {
    /// a node, the cache, the state: replaced by a rename, links never followed
    Ours,
    /// CLAUDE.md, MEMORY.md, ROOT.md, settings: exchanged, looked at, redone; links are followed
    Users,
    /// a log or a backup: exchanged, links never followed; what was added to the old text since the plan was made is
    /// added to the new one
    Log,
}

/// What happens to a file. Hashes are [`hash`] of the whole file the plan was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// the folder is made if it is not there
    EnsureDir,
    /// the file is made; if one appeared meanwhile it stays
    Create(Vec<u8>),
    /// the file is replaced, unless it no longer is what the plan was made from
    Replace {
        /// what it was
        was: u64,
        /// what it becomes
        with: Vec<u8>,
    },
    /// the same for a large node: made, or replaced where it is still what the plan was made from. Other steps may hold
    /// the same parts.
    Carry {
        /// what it was, if it was there
        was: Option<u64>,
        /// what it becomes, in order
        parts: Vec<Arc<Vec<u8>>>,
    },
    /// bytes are added at the end, in one write
    Append(Vec<u8>),
    /// the file is removed, unless it no longer is what the plan was made from
    Delete {
        /// what it was
        was: u64,
    },
    /// the folder is removed if it is empty
    RemoveDir,
    /// the folder is removed with everything in it; links inside are removed, not followed
    RemoveTree,
}

impl Change {
    /// One word for it.
    pub fn verb(&self) -> &'static str {
        match self {
            Change::EnsureDir => "make",
            Change::Create(_) | Change::Carry { was: None, .. } => "create",
            Change::Replace { .. } | Change::Carry { .. } => "replace",
            Change::Append(_) => "append",
            Change::Delete { .. } => "delete",
            Change::RemoveDir => "remove",
            Change::RemoveTree => "remove tree",
        }
    }

    /// How many bytes it writes.
    pub fn size(&self) -> usize {
        match self {
            Change::Create(bytes) | Change::Append(bytes) | Change::Replace { with: bytes, .. } => {
                bytes.len()
            }
            Change::Carry { parts, .. } => parts.iter().map(|part| part.len()).sum(),
            Change::EnsureDir | Change::Delete { .. } | Change::RemoveDir | Change::RemoveTree => 0,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.change {
            Change::EnsureDir | Change::Create(_) | Change::Carry { was: None, .. } => '+',
            Change::Replace { .. } | Change::Carry { .. } | Change::Append(_) => '~',
            Change::Delete { .. } | Change::RemoveDir | Change::RemoveTree => '-',
        };
        write!(f, "  {mark} {} ({})", self.path, self.reason)
    }
}

impl Serialize for Step {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Step", 4)?;
        fields.serialize_field("path", &self.path)?;
        fields.serialize_field("change", self.change.verb())?;
        fields.serialize_field("bytes", &self.change.size())?;
        fields.serialize_field("reason", self.reason)?;
        fields.end()
    }
}

/// Something a person should know about a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Note {
    /// the file or period it is about
    pub about: String,
    /// what is the matter, and where possible what to do
    pub text: String,
    /// whether it is a failure (exit code 1 by hand) rather than a remark
    pub problem: bool,
}

impl Note {
    /// Something worth knowing.
    pub fn remark(about: impl Into<String>, text: impl Into<String>) -> Self {
        Self { about: about.into(), text: text.into(), problem: false }
    }

    /// Something that kept the run from doing all of its work.
    pub fn problem(about: impl Into<String>, text: impl Into<String>) -> Self {
        Self { about: about.into(), text: text.into(), problem: true }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.about, self.text)
    }
}

/// The hash that guards a replacement, xxh3-64.
pub fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
