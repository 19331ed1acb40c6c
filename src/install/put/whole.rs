//! Files that are ours as a whole: skills and plugins.

use super::super::take;
use super::Installation;
use crate::install::parents;
use crate::install::record::mark;
use crate::plan::{Change, Note, Step, hash};

impl Installation<'_> {
    /// A file that is ours as a whole.
    pub(super) fn whole(&mut self, path: &str, wanted: Option<Vec<u8>>) {
        let old = self.scan.bytes(path);
        let Some(new) = wanted else {
            if let Some(old) = old {
                self.unwanted(path, old);
            }
            return;
        };
        let Some(old) = old else {
            if self.is_free(path, String::new) {
                self.create(path, new, "written whole");
            }
            return;
        };
        let inherited = self.inherits(path, old);
        if inherited {
            self.record.adopted.extend(parents([path]));
            self.record.made.insert(path.to_owned());
        }
        if old != new {
            if self.record.made.contains(path) {
                self.keep_copy(path, old);
            } else {
                self.stand_in(path, old);
            }
            self.push(path, Change::Replace { was: hash(old), with: new }, "written whole");
        } else if self.record.made.contains(path) {
            self.record.written.insert(path.to_owned(), mark(old));
        }
    }

    /// Whether a file is left from an installation of which there is no record.
    pub(super) fn inherits(&self, path: &str, old: &[u8]) -> bool {
        self.takeover && !self.scan.leads_away(path) && take::is_ours(path, old)
    }

    /// A file that is ours as a whole and that no configured client reads.
    pub(super) fn unwanted(&mut self, path: &str, old: &[u8]) {
        let reason = "no configured agent reads it";
        if let Some(original) = self.record.originals.get(path).cloned() {
            let Some(before) = self.scan.original(path) else { return };
            if !self.record.wrote(path, old) {
                return;
            }
            let change = Change::Replace { was: hash(old), with: before.to_vec() };
            self.push(path, change, reason);
            let copy = Change::Delete { was: hash(before) };
            self.outcome.plan.steps.push(Step::new(original.backup, copy, "copy").synced());
            self.record.originals.remove(path);
            self.record.written.remove(path);
            return;
        }
        let made = self.record.made.contains(path) && self.record.wrote(path, old);
        // A run that was cut short has kept the copy.
        let begun =
            self.record.copies.iter().any(|(copy, of)| {
                of == path && self.scan.bytes(copy).is_none_or(|there| there == old)
            });
        let leaves = made || begun || self.inherits(path, old);
        if self.scan.links.contains(path) || !leaves {
            return;
        }
        self.keep_copy(path, old);
        self.push(path, Change::Delete { was: hash(old) }, reason);
        let ours =
            |folder: &String| self.record.made.contains(folder) || folder.contains("/hipocampus-");
        self.left.extend(parents([path]).into_iter().filter(ours));
        self.record.made.remove(path);
    }

    /// Puts ours in the place of a file of the user, which gets it back.
    pub(super) fn stand_in(&mut self, path: &str, old: &[u8]) {
        let original = self.record.originals.get(path);
        if original.is_some_and(|original| original.hash != mark(old)) {
            return self.keep_copy(path, old);
        }
        let copy = self.remember(path, old);
        let text = format!("the old one is kept in `{copy}`; `hipocampus uninstall` restores it");
        self.outcome.plan.notes.push(Note::remark(path, text));
    }
}
