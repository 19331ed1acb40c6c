//! `.hipocampus/installed.json`: what an installation made and changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::plan::hash;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct InstallRecord {
    pub version: String,
    /// when the project was set up, RFC 3339; transcripts older than this are not ours to import
    pub since: String,
    /// the [`Scan::here`](super::Scan::here) of the folder it was written in; a clone or a copy has another
    #[serde(skip_serializing_if = "String::is_empty")]
    pub here: String,
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
pub(crate) struct Original {
    /// where its copy lies
    pub backup: String,
    pub hash: String,
    /// whether the user changed the file between two edits of ours
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub touched: bool,
}

impl InstallRecord {
    /// Reads the file. Damage is no error: without a record less is known, nothing is lost.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The first path in it that cannot be one of this project, and why. What such a record says is
    /// somebody else's word: with it, `uninstall` would delete and overwrite what they point at.
    ///
    /// A path that is a link or lies behind one counts only where the record was written in this very folder and the
    /// path is one of `known`: the link is then the user's own, as one into a folder of dotfiles is.
    pub(crate) fn stray(
        &self,
        is_link: impl Fn(&str) -> bool,
        here: &str,
        known: &BTreeSet<String>,
    ) -> Option<(String, &'static str)> {
        let ours = |path: &String| {
            let passes = || path.match_indices('/').any(|(at, _)| is_link(&path[..at]));
            if !is_inside(path) {
                Some("is outside of this project")
            } else if (is_link(path) || passes()) && !(self.here == here && known.contains(path)) {
                Some("leads through a link")
            } else {
                None
            }
        };
        let kept = |path: &String| {
            let name = path.strip_prefix(super::BACKUP).and_then(|rest| rest.strip_prefix('/'));
            let folders = [super::FOLDER, super::BACKUP];
            match name {
                Some(name) if is_inside(name) && !name.contains('/') => {
                    let passes = is_link(super::BACKUP) || is_link(path);
                    let linked = is_link(folders[0]) && self.here != here;
                    (passes || linked).then_some("leads through a link")
                }
                _ => Some("is no copy of ours"),
            }
        };
        let paths = self.made.iter().chain(&self.adopted).chain(self.written.keys());
        let paths = paths.chain(self.blocks.keys()).chain(self.originals.keys());
        let mut paths = paths.chain(self.copies.values());
        let backups = self.originals.values().map(|original| &original.backup);
        let mut backups = backups.chain(self.copies.keys());
        let named = |path: &String, why| Some((path.clone(), why?));
        paths
            .find_map(|path| named(path, ours(path)))
            .or_else(|| backups.find_map(|path| named(path, kept(path))))
    }

    /// The bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        crate::text::pretty_json(self)
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
    pub(crate) fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.written.get(path).is_some_and(|written| *written == mark(bytes))
    }
}

/// Whether a path stays below the folder it starts from, going by its text.
fn is_inside(path: &str) -> bool {
    path.split('/').all(|name| !matches!(name, "" | "." | "..")) && !path.contains('\0')
}

/// A hash as it is in the file.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_elsewhere_is_found() {
        #[track_caller]
        fn check(json: &str, expect: Option<&str>) {
            let record = InstallRecord::parse(json.as_bytes()).unwrap();
            let is_link = |path: &str| ["CLAUDE.md", ".claude", "x"].contains(&path);
            let known = ["CLAUDE.md", ".claude/settings.local.json"].map(str::to_owned).into();
            let found = record.stray(is_link, "here", &known);
            assert_eq!(found.as_ref().map(|(path, _)| path.as_str()), expect, "{json}");
        }
        check(r#"{"made": ["a", "a/b"], "written": {"a/b": "0"}}"#, None);
        for path in ["../keep.txt", "/etc/passwd", "a/../../b", "..", "", "a//b", "./a", "x", "x/y"]
        {
            check(&format!(r#"{{"made": ["{path}"]}}"#), Some(path));
            check(&format!(r#"{{"adopted": ["{path}"]}}"#), Some(path));
            check(&format!(r#"{{"written": {{"{path}": "0"}}}}"#), Some(path));
            check(&format!(r#"{{"originals": {{"{path}": {{}}}}}}"#), Some(path));
        }
        let backup = |path: &str| format!(r#"{{"originals": {{"A": {{"backup": "{path}"}}}}}}"#);
        check(&backup(".hipocampus/backup/A"), None);
        for path in
            ["../keep.txt", "memory/ROOT.md", ".hipocampus/backup/..", ".hipocampus/backup/a/b"]
        {
            check(&backup(path), Some(path));
            check(&format!(r#"{{"copies": {{"{path}": "A"}}}}"#), Some(path));
        }
        // Links of the user's own are those of the folder that the record was written in.
        for path in ["CLAUDE.md", ".claude/settings.local.json"] {
            check(&format!(r#"{{"made": ["{path}"]}}"#), Some(path));
            check(&format!(r#"{{"here": "there", "made": ["{path}"]}}"#), Some(path));
            check(&format!(r#"{{"here": "here", "made": ["{path}"]}}"#), None);
        }
        check(r#"{"here": "here", "made": ["x/y"]}"#, Some("x/y"));
    }
}
