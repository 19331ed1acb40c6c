//! Files that are ours as a whole, and files of the user that they stand in for.

use super::Removal;
use crate::install::record::{Original, mark};
use crate::install::{FOLDER, config};
use crate::memory::frontmatter::Document;
use crate::plan::{Change, hash};

impl Removal<'_> {
    /// A file that is ours as a whole, unless the user changed it. `expected` is what this version writes there.
    pub(super) fn whole(&mut self, path: &str, expected: Option<&[u8]>) {
        let Some(bytes) = self.scan.bytes(path) else { return };
        let Some(record) = &self.scan.record else {
            return self.unrecorded(path, bytes, expected);
        };
        if let Some(original) = record.originals.get(path) {
            self.give_back(path, original);
        } else if !self.made(path) {
            // It was there before us, or came later.
        } else if self.scan.links.contains(path) {
            self.stays(path, "it is a link");
        } else if self.wrote(path, bytes) || self.leave.purge {
            self.delete(path, "written whole");
        } else {
            self.stays(path, "you changed it");
        }
    }

    /// A file of an installation of which there is no record: what the user may have had a hand in is copied.
    pub(super) fn unrecorded(&mut self, path: &str, bytes: &[u8], expected: Option<&[u8]>) {
        if !is_ours(path, bytes) {
            if expected.is_some() {
                self.stays(path, "nothing in it tells that hipocampus wrote it");
            }
        } else if self.scan.leads_away(path) {
            self.stays(path, "it lies outside of this project");
        } else {
            if expected != Some(bytes) {
                self.keep(path, bytes);
            }
            self.delete(path, "written whole");
        }
    }

    /// Puts a file of the user back that one of ours stands in for.
    pub(super) fn give_back(&mut self, path: &str, original: &Original) {
        let Some(bytes) = self.scan.bytes(path) else { return };
        let Original { backup, hash: before, .. } = original;
        if mark(bytes) == *before {
            return;
        }
        match self.scan.bytes(backup) {
            Some(copy) if self.wrote(path, bytes) => {
                let change = Change::Replace { was: hash(bytes), with: copy.to_vec() };
                self.push(path, change, "as it was");
            }
            Some(_) => {
                self.kept.insert(backup.clone());
                self.stays(path, &format!("you changed it; the original is in `{backup}`"));
            }
            None => {
                self.stays(path, &format!("the original is no longer in `{backup}`"));
            }
        }
    }

    /// The configuration of the project or a tenant; behind a link, what it leads to is the user's.
    pub(super) fn config(&mut self, path: &str) {
        let original = self.scan.record.as_ref().and_then(|record| record.originals.get(path));
        match original {
            Some(original) => self.give_back(path, original),
            None if self.scan.leads_away(path) && !self.made(path) => {
                if self.scan.has(path) {
                    self.stays(path, "it is a link, and what that leads to is yours");
                }
            }
            None => {
                let bytes = self.scan.bytes(path).filter(|bytes| !config::is_plain(bytes));
                if let Some(bytes) = bytes.filter(|_| !self.leave.purge) {
                    self.keep(path, bytes);
                }
                self.delete(path, "configuration");
            }
        }
    }
}

/// Whether a file in the place of one of ours is ours, or the npm tool's.
pub(in crate::install) fn is_ours(path: &str, bytes: &[u8]) -> bool {
    let named =
        |name: &str| Document::parse(bytes).value("name").is_some_and(|found| found == name);
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    if path.strip_suffix(".md").is_some() {
        return named(folder) || named(&folder.replacen('-', ":", 1));
    }
    let says = |words: &str| memchr::memmem::find(bytes, words.as_bytes()).is_some();
    path.starts_with(FOLDER) || says("HipocampusPlugin") || says("Made by `hipocampus init`")
}
