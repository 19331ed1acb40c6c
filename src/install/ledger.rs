//! `.hipocampus/installed.json`: what an installation made and changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::plan::hash;

/// The contents of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// the version that wrote it last
    pub version: String,
    /// when the project was set up, RFC 3339; transcripts older than this are not ours to import
    pub since: String,
    /// files and folders that were not there before
    pub made: BTreeSet<String>,
    /// folders and hot files of an earlier installation; removed when they are empty or never were filled in
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub adopted: BTreeSet<String>,
    /// paths of the program that hooks were given, where they do not end in its name
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub programs: BTreeSet<String>,
    /// the hash of each file as we left it
    pub written: BTreeMap<String, String>,
    /// the hash of each marked block as we left it
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub blocks: BTreeMap<String, String>,
    /// files of the user that we edited
    pub originals: BTreeMap<String, Original>,
    /// copies of files that were not as we had left them when they were replaced, and of which file
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub copies: BTreeMap<String, String>,
}

/// A file as it was before the first edit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Original {
    /// where its copy lies
    pub backup: String,
    /// its hash
    pub hash: String,
    /// whether the user changed the file between two edits of ours
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub touched: bool,
}

impl Ledger {
    /// Reads the file. Damage is no error: without a ledger less is known, nothing is lost.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }

    /// Whether a copy is one that we made.
    pub(super) fn lists(&self, copy: &str) -> bool {
        self.copies.contains_key(copy) || self.is_of_an_original(copy)
    }

    /// Whether a name is that of the copy of a file as it was before our first edit.
    pub(super) fn is_of_an_original(&self, copy: &str) -> bool {
        self.originals.values().any(|original| original.backup == copy)
    }

    /// Whether a file still is as we left it.
    pub fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.written.get(path).is_some_and(|written| *written == mark(bytes))
    }
}

/// A hash as it stands in the file.
pub(super) fn mark(bytes: &[u8]) -> String {
    format!("{:016x}", hash(bytes))
}

/// A name for a file's copy that may be used: flat, and still telling where it came from.
pub(super) fn backup_of(path: &str, may_use: impl Fn(&str) -> bool) -> String {
    let name = format!("{}/{}", super::BACKUP, path.replace('/', "__"));
    let numbered = (1_u32..).map(|number| format!("{name}.{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| may_use(name));
    free.unwrap_or(name)
}
