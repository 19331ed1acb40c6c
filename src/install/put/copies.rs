//! What is kept before something is replaced.

use super::Installation;
use crate::install::record::{Original, backup_of, mark};
use crate::install::{BACKUP, ManagedSection, PathContent};
use crate::plan::Note;
use crate::splice::{PROTOCOL, block};

impl Installation<'_> {
    /// Keeps what the user made of one of our files, or what was in its place.
    pub(super) fn keep_copy(&mut self, path: &str, old: &[u8]) {
        if self.record.wrote(path, old) {
            return;
        }
        let copy = self.copy(path, old);
        if self.takeover {
            self.replaced.push(path.to_owned());
        } else {
            let text = format!("you had changed it; your version is in `{copy}`");
            self.outcome.plan.notes.push(Note::remark(path, text));
        }
        self.record.copies.insert(copy, path.to_owned());
    }

    /// Makes a copy, under a name that no other copy has.
    pub(super) fn copy(&mut self, path: &str, bytes: &[u8]) -> String {
        let copy = backup_of(path, |name| match self.scan.found.get(name) {
            // One of the user's must not go when ours goes.
            Some(PathContent::File { bytes: there, .. }) => {
                there == bytes && self.record.lists(name)
            }
            Some(_) => false,
            None => {
                !self.record.is_of_an_original(name)
                    && !self.backups.iter().any(|(other, _)| other == name)
            }
        });
        self.backups.push((copy.clone(), bytes.to_vec()));
        copy
    }

    /// Keeps a file as it was before our first edit. Returns the name of its copy.
    pub(super) fn remember(&mut self, path: &str, old: &[u8]) -> String {
        let changed = !self.record.wrote(path, old);
        if let Some(original) = self.record.originals.get_mut(path) {
            original.touched |= changed && original.hash != mark(old);
            let backup = original.backup.clone();
            // A power cut may have come between the record and the copy.
            if original.hash == mark(old) && !self.scan.has(&backup) {
                self.backups.push((backup.clone(), old.to_vec()));
            }
            return backup;
        }
        let backup = self.copy(path, old);
        let original = Original { backup: backup.clone(), hash: mark(old), touched: false };
        self.record.originals.insert(path.to_owned(), original);
        backup
    }

    /// Keeps a copy where the user has written into our block, which is about to be written anew.
    pub(super) fn block(&mut self, path: &str, old: &[u8], splice: &ManagedSection) {
        let Ok(new) = splice.put(old) else { return };
        let body = |text| block::body(text, PROTOCOL);
        let (before, after) = (body(old), body(&new));
        let known = self.record.blocks.get(path);
        let theirs = before.as_ref().zip(known).is_some_and(|(before, known)| {
            *known != mark(before.as_bytes()) && Some(before) != after.as_ref()
        });
        if theirs {
            let copy = self.copy(path, old);
            let text = format!(
                "you had changed the part between the hipocampus markers; your version is in `{copy}`, write around the markers"
            );
            self.outcome.plan.notes.push(Note::remark(path, text));
            self.record.copies.insert(copy, path.to_owned());
        }
        self.note_block(path, &new);
    }

    pub(super) fn note_block(&mut self, path: &str, text: &[u8]) {
        if let Some(body) = block::body(text, PROTOCOL) {
            self.record.blocks.insert(path.to_owned(), mark(body.as_bytes()));
        }
    }
}

/// What was kept of files that are in no record.
pub(in crate::install) fn copies_note(paths: &[String]) -> Note {
    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    Note::remark(BACKUP, format!("kept a copy of what was at {}", paths.join(", ")))
}
