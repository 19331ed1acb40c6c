//! Replacing a file that somebody else may be writing at the same moment.
//!
//! The new text and the old one change places in one system call. What was displaced is then looked at: if it
//! is not the text the change was made from, both change places again. A run that is killed in between leaves
//! the displaced text under a name that says what was expected, and the next run puts it right.

use std::io;

use rustix::fs::{AtFlags, Mode, RenameFlags};
use rustix::io::Errno;

use super::folder::Folder;
use crate::memory::library::Stamp;
use crate::plan::{Note, hash};

/// The suffix of a file that is changing places with another.
const SUFFIX: &str = ".hipocampus-was";

impl Folder {
    /// Replaces a file whose hash is `was`. `None` if it no longer is; then nothing changed.
    ///
    /// # Errors
    /// As the system says; then the old bytes stand.
    pub fn exchange(&self, name: &str, was: u64, bytes: &[u8]) -> io::Result<Option<Stamp>> {
        let Some(old) = self.entry(name)? else { return Ok(None) };
        let temp = self.write_temp(name, old.mode, bytes, true)?;
        // The umask may have taken bits away that the user's file has.
        let mode = Mode::from_raw_mode(old.mode);
        rustix::fs::chmodat(&self.fd, &temp.name, mode, AtFlags::empty())?;
        let aside = format!(".{name}.{was:016x}-{:016x}{SUFFIX}", hash(bytes));
        rustix::fs::renameat(&self.fd, &temp.name, &self.fd, &aside)?;
        let stamp = temp.done();
        match self.swap(&aside, name) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                return self.look_and_rename(&aside, name, was).map(|done| done.then_some(stamp));
            }
            Err(error) => {
                self.remove(&aside)?;
                return Err(error.into());
            }
        }
        let displaced = self.read(&aside).map(|(bytes, _)| hash(&bytes));
        if matches!(displaced, Ok(found) if found == was) {
            self.remove(&aside)?;
            return Ok(Some(stamp));
        }
        self.swap(&aside, name)?;
        self.remove(&aside)?;
        displaced.map(|_| None)
    }

    fn swap(&self, one: &str, other: &str) -> Result<(), Errno> {
        rustix::fs::renameat_with(&self.fd, one, &self.fd, other, RenameFlags::EXCHANGE)
    }

    /// Where the file system cannot exchange: look, then rename.
    fn look_and_rename(&self, aside: &str, name: &str, was: u64) -> io::Result<bool> {
        let unchanged = hash(&self.read(name)?.0) == was;
        if unchanged {
            rustix::fs::renameat(&self.fd, aside, &self.fd, name)?;
        } else {
            self.remove(aside)?;
        }
        Ok(unchanged)
    }

    /// Finishes exchanges that a killed run left half way. Only under the lock.
    ///
    /// # Errors
    /// As the system says.
    pub fn recover(&self) -> io::Result<Vec<Note>> {
        let mut notes = Vec::new();
        for entry in self.list(|name| name.starts_with('.') && name.ends_with(SUFFIX))? {
            let Some((name, was, new)) = parse(&entry.name) else { continue };
            let aside = hash(&self.read(&entry.name)?.0);
            let current = self.read_if_there(name)?.map(|(bytes, _)| hash(&bytes));
            // Either the old text, or the new one that never took its place.
            if aside == was || Some(aside) == current || current == Some(was) {
                self.remove(&entry.name)?;
            } else if current == Some(new) || current.is_none() {
                rustix::fs::renameat(&self.fd, &entry.name, &self.fd, name)?;
            } else {
                let kept = format!("{name}.{aside:016x}.recovered");
                rustix::fs::renameat(&self.fd, &entry.name, &self.fd, &kept)?;
                let text =
                    format!("two texts met when a run was killed; the other one is in `{kept}`");
                notes.push(Note::remark(name, text));
            }
        }
        Ok(notes)
    }
}

/// The name, old hash and new hash in the name of a file set aside.
fn parse(aside: &str) -> Option<(&str, u64, u64)> {
    let (name, hashes) = aside.strip_prefix('.')?.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    let (was, new) = hashes.split_once('-')?;
    Some((name, u64::from_str_radix(was, 16).ok()?, u64::from_str_radix(new, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Write;

    fn folder() -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        (dir, folder)
    }

    fn put(folder: &Folder, name: &str, text: &str) {
        folder.replace(name, text.as_bytes(), Write::default()).unwrap();
    }

    fn get(folder: &Folder, name: &str) -> Option<String> {
        folder.read_if_there(name).unwrap().map(|(bytes, _)| String::from_utf8(bytes).unwrap())
    }

    fn names(folder: &Folder) -> Vec<String> {
        let mut names: Vec<_> =
            folder.list(|_| true).unwrap().into_iter().map(|entry| entry.name).collect();
        names.sort();
        names
    }

    #[test]
    fn an_exchange_takes_place_only_against_the_text_it_was_made_from() {
        let (_dir, folder) = folder();
        put(&folder, "M.md", "old");
        assert!(folder.exchange("M.md", hash(b"old"), b"new").unwrap().is_some());
        assert_eq!(get(&folder, "M.md").as_deref(), Some("new"));
        assert!(folder.exchange("M.md", hash(b"old"), b"newer").unwrap().is_none());
        assert_eq!(get(&folder, "M.md").as_deref(), Some("new"));
        assert!(folder.exchange("none.md", 0, b"x").unwrap().is_none());
        assert_eq!(names(&folder), ["M.md"]);
    }

    #[test]
    fn what_a_killed_exchange_left_is_put_right() {
        let aside = format!(".M.md.{:016x}-{:016x}{SUFFIX}", hash(b"old"), hash(b"new"));
        let check = |left: &str, current: &str, expect: &[(&str, &str)]| {
            let (_dir, folder) = folder();
            put(&folder, &aside, left);
            put(&folder, "M.md", current);
            folder.recover().unwrap();
            let found: Vec<_> = names(&folder)
                .into_iter()
                .map(|name| (name.clone(), get(&folder, &name).unwrap()))
                .collect();
            let expect: Vec<_> = expect
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect();
            assert_eq!(found, expect, "{left} {current}");
        };
        check("new", "old", &[("M.md", "old")]);
        check("old", "new", &[("M.md", "new")]);
        check("theirs", "new", &[("M.md", "theirs")]);
        let kept = format!("M.md.{:016x}.recovered", hash(b"theirs"));
        check("theirs", "later", &[("M.md", "later"), (&kept, "theirs")]);
    }
}
