//! Replacing a file that somebody else may be writing at the same moment.
//!
//! The new text and the old one change places in one system call. What was displaced is then looked at: if it
//! is not the text the change was made from, both change places again. A run that is killed in between leaves
//! the displaced text under a name that says what was expected, and the next run puts it right.
//!
//! Whoever opened the file before the exchange writes to the displaced text. It therefore keeps its name until
//! the run is at its end, and what was added to it by then goes where readers look now: see [`Displaced`].

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;
use xxhash_rust::xxh3::Xxh3;

use super::folder::{Folder, Write};
use super::system;
use crate::memory::snapshot::Stamp;
use crate::plan::{Note, hash};

/// The suffix of a file that is changing places with another.
const SUFFIX: &str = ".hipocampus-was";

#[derive(Debug, Default)]
pub(super) struct Exchanged {
    /// the stamp of the new file; `None` if the old one was not what was expected, and stands again
    pub(super) stamp: Option<Stamp>,
    /// the text that lost its place
    pub(super) displaced: Option<Displaced>,
}

impl Folder {
    /// Replaces a file whose hash is `was`, keeping its permissions as far as `how` allows. If it no longer is, nothing
    /// changed; but one that may have `grown`, and did nothing else since, is replaced, and what came is carried over.
    /// After a failure the old bytes stand.
    pub(super) fn exchange(
        &self,
        name: &str,
        was: u64,
        bytes: &[u8],
        how: Write,
        grown: bool,
    ) -> io::Result<Exchanged> {
        let Some(old) = self.entry(name)? else { return Ok(Exchanged::default()) };
        let mode = self.mode_after(old.mode, how);
        let temp = self.write_temp(name, mode, &[bytes], true)?;
        // The umask may have taken bits away that the user's file has.
        rustix::fs::chmodat(&self.fd, &temp.name, system::mode(mode), AtFlags::empty())?;
        let aside = format!(".{name}.{was:016x}-{:016x}{SUFFIX}", hash(bytes));
        rustix::fs::renameat(&self.fd, &temp.name, &self.fd, &aside)?;
        let stamp = temp.done();
        match self.swap(&aside, name) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let done = self.look_and_rename(&aside, name, was, grown)?;
                return Ok(Exchanged { stamp: done.then_some(stamp), displaced: None });
            }
            Err(error) => {
                self.remove(&aside)?;
                return Err(error.into());
            }
        }
        let displaced = |text: (usize, u64)| -> io::Result<Option<Displaced>> {
            let (aside, name) = (aside.clone(), name.to_owned());
            Ok(Some(Displaced { folder: self.try_clone()?, aside, name, text }))
        };
        let found = self.read(&aside);
        let expected = found.as_ref().ok().and_then(|(found, _)| expected(found, was, grown));
        match (found, expected) {
            (Ok(_), Some(length)) => {
                Ok(Exchanged { stamp: Some(stamp), displaced: displaced((length, was))? })
            }
            (found, _) => {
                self.swap(&aside, name)?;
                let displaced = displaced((bytes.len(), hash(bytes)))?;
                found.map(|_| Exchanged { stamp: None, displaced })
            }
        }
    }

    /// Takes a file away whose hash is `was`, even if it has grown since: then what came is all that is left of it,
    /// once the result is settled. `None` if it is another text by now; then nothing changed.
    pub(super) fn take_away(&self, name: &str, was: u64) -> io::Result<Option<Displaced>> {
        let aside = format!(".{name}.{was:016x}-{:016x}{SUFFIX}", hash(b""));
        match rustix::fs::renameat(&self.fd, name, &self.fd, &aside) {
            Err(Errno::NOENT) => return Ok(None),
            done => done?,
        }
        let found = self.read(&aside);
        if let Some(length) = found.as_ref().ok().and_then(|(found, _)| expected(found, was, true))
        {
            let (name, text) = (name.to_owned(), (length, was));
            return Ok(Some(Displaced { folder: self.try_clone()?, aside, name, text }));
        }
        match rustix::fs::renameat_with(&self.fd, &aside, &self.fd, name, RenameFlags::NOREPLACE) {
            // Somebody made another one at this moment: the next run looks at both.
            Ok(()) | Err(Errno::EXIST) => {}
            Err(_) => rustix::fs::renameat(&self.fd, &aside, &self.fd, name)?,
        }
        found.map(|_| None)
    }

    fn swap(&self, one: &str, other: &str) -> Result<(), Errno> {
        rustix::fs::renameat_with(&self.fd, one, &self.fd, other, RenameFlags::EXCHANGE)
    }

    /// Where the file system cannot exchange: look, then rename.
    fn look_and_rename(&self, aside: &str, name: &str, was: u64, grown: bool) -> io::Result<bool> {
        let found = self.read(name)?.0;
        let expected = expected(&found, was, grown);
        if let Some(length) = expected {
            rustix::fs::renameat(&self.fd, aside, &self.fd, name)?;
            self.add_late(name, &found[length..])?;
        } else {
            self.remove(aside)?;
        }
        Ok(expected.is_some())
    }

    /// Finishes exchanges that a killed run left half way. Only under the lock.
    pub(crate) fn recover(&self) -> io::Result<Vec<Note>> {
        let mut notes = Vec::new();
        for entry in self.list(|name| name.starts_with('.') && name.ends_with(SUFFIX))? {
            let Some((name, was, new)) = parse(&entry.name) else { continue };
            let text = self.read(&entry.name)?.0;
            let aside = hash(&text);
            let current = self.read_if_there(name)?.map(|(bytes, _)| bytes);
            if let Some(late) = current.as_ref().and_then(|it| late(&text, was, it, new)) {
                self.add_late(name, late)?;
                self.remove(&entry.name)?;
                continue;
            }
            let current = current.map(|bytes| hash(&bytes));
            // What a power cut leaves of a text that nobody had brought to disk; ours was.
            let is_void = text.iter().all(|byte| *byte == 0) && current == Some(new);
            // Either the old text, or the new one that never took its place.
            if aside == was || aside == new || Some(aside) == current || is_void {
                self.remove(&entry.name)?;
            } else if current == Some(new) || current.is_none() {
                rustix::fs::renameat(&self.fd, &entry.name, &self.fd, name)?;
            } else {
                notes.push(self.keep_both(&entry.name, name, aside)?);
            }
        }
        Ok(notes)
    }

    /// Gives a text that can neither take its place nor go a name of its own.
    fn keep_both(&self, aside: &str, name: &str, text: u64) -> io::Result<Note> {
        let kept = format!("{name}.{text:016x}.recovered");
        rustix::fs::renameat(&self.fd, aside, &self.fd, &kept)?;
        let text = format!("two texts met while it was written; the other one is in `{kept}`");
        Ok(Note::remark(name, text))
    }

    /// Removes a file whose hash is `was`. `false` if it no longer is; then nothing changed. What somebody
    /// who had it open added before it was gone is put under its name again.
    pub(super) fn remove_unchanged(&self, name: &str, was: u64) -> io::Result<bool> {
        let Some((mut file, _)) = self.open_file(name)? else { return Ok(false) };
        let bytes = rest(&mut file, 0)?;
        if hash(&bytes) != was {
            return Ok(false);
        }
        self.remove(name)?;
        self.add_late(name, &rest(&mut file, bytes.len())?)?;
        Ok(true)
    }

    fn add_late(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.append(name, bytes, Write { sync: true, private: false })
    }
}

/// A text that was exchanged for another and still has a name, though not its own.
#[derive(Debug)]
pub(super) struct Displaced {
    folder: Folder,
    aside: String,
    name: String,
    /// its length in bytes and its hash when it was looked at
    text: (usize, u64),
}

impl Displaced {
    /// Removes it, once the new text is on disk under its name. What was added to it since the exchange is added to the
    /// new text. After a failure it stays for the next run to look at.
    pub(super) fn settle(self) -> io::Result<Option<Note>> {
        let Self { folder, aside, name, text: (length, was) } = self;
        folder.sync()?;
        let Some((mut file, _)) = folder.open_file(&aside)? else { return Ok(None) };
        let bytes = rest(&mut file, 0)?;
        let Some((_, late)) = bytes.split_at_checked(length).filter(|(old, _)| hash(old) == was)
        else {
            return folder.keep_both(&aside, &name, hash(&bytes)).map(Some);
        };
        folder.add_late(&name, late)?;
        folder.remove(&aside)?;
        folder.add_late(&name, &rest(&mut file, bytes.len())?)?;
        Ok(None)
    }
}

/// How much of a text is the one that was expected: all of it, or, where it may have `grown`, a beginning. `None` if it
/// is another one.
fn expected(text: &[u8], was: u64, grown: bool) -> Option<usize> {
    if hash(text) == was {
        return Some(text.len());
    }
    if grown { beginning(text, was) } else { None }
}

/// The length of the beginning of a text whose hash this is. What is added to a text begins with a line, or within its
/// last one.
fn beginning(text: &[u8], was: u64) -> Option<usize> {
    /// how far back the last line is looked through
    const LINE: usize = 4096;
    let mut hasher = Xxh3::new();
    if hasher.digest() == was {
        return Some(0);
    }
    let mut from = 0;
    for end in memchr::memchr_iter(b'\n', text).flat_map(|at| [at, at + 1]).chain([text.len()]) {
        hasher.update(&text[from..end]);
        from = end;
        if hasher.digest() == was {
            return Some(end);
        }
    }
    let last = text.len().saturating_sub(LINE);
    (last..text.len()).rev().find(|end| hash(&text[..*end]) == was)
}

/// What was added to a text after it had lost its place to another one, and is not below that yet. `None` where
/// either is not what was expected.
fn late<'a>(aside: &'a [u8], was: u64, current: &[u8], new: u64) -> Option<&'a [u8]> {
    let late = &aside[beginning(aside, was)?..];
    let below = &current[beginning(current, new)?..];
    Some(if memchr::memmem::find(below, late).is_some() { &[] } else { late })
}

/// What is in a file from a byte on.
fn rest(file: &mut File, from: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from as u64))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The name, old hash and new hash in the name of a file set aside.
fn parse(aside: &str) -> Option<(&str, u64, u64)> {
    let (name, hashes) = aside.strip_prefix('.')?.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    let (was, new) = hashes.split_once('-')?;
    Some((name, u64::from_str_radix(was, 16).ok()?, u64::from_str_radix(new, 16).ok()?))
}

#[cfg(test)]
mod tests;
