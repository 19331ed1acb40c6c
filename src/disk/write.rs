//! Whole files: written under another name, then put in their place at once.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::Ordering;

use rustix::fs::{OFlags, RenameFlags};
use rustix::io::Errno;

use super::folder::{COUNTER, EntryKind, Folder, Write, stamp_of};
use super::{TEMP_SUFFIX, system};
use crate::memory::snapshot::Stamp;

impl Folder {
    /// Writes a new file next to where it will stand; nothing sees it under its name yet.
    pub(super) fn write_temp(
        &self,
        name: &str,
        mode: u32,
        parts: &[&[u8]],
        sync: bool,
    ) -> io::Result<Temp<'_>> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let (mut temp, fd) = loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let process = std::process::id().to_string();
            let temp = [".", name, ".", &process, "-", &number.to_string(), TEMP_SUFFIX].concat();
            match rustix::fs::openat(&self.fd, &temp, flags, system::mode(mode)) {
                Ok(fd) => break (Temp { folder: self, name: temp, stamp: Stamp::default() }, fd),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        };
        let mut file = File::from(fd);
        for part in parts {
            file.write_all(part)?;
        }
        if sync {
            system::sync_data(&file)?;
        }
        temp.stamp = stamp_of(&rustix::fs::fstat(&file)?);
        Ok(temp)
    }

    /// Makes a file. `false` if the name was taken meanwhile; then nothing changed.
    pub(crate) fn create(&self, name: &str, bytes: &[u8], how: Write) -> io::Result<Option<Stamp>> {
        self.create_of(name, &[bytes], how)
    }

    /// The same for a file in parts.
    pub(crate) fn create_of(
        &self,
        name: &str,
        parts: &[&[u8]],
        how: Write,
    ) -> io::Result<Option<Stamp>> {
        let temp = self.write_temp(name, self.mode(how), parts, how.sync)?;
        let flags = RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(&self.fd, &temp.name, &self.fd, name, flags) {
            Ok(()) => Ok(Some(temp.done())),
            Err(Errno::EXIST) => Ok(None),
            // Not every file system can refuse: look, then rename.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                if self.entry(name)?.is_some() {
                    return Ok(None);
                }
                rustix::fs::renameat(&self.fd, &temp.name, &self.fd, name)?;
                Ok(Some(temp.done()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Replaces one of our own files, keeping its permissions as far as `how` allows; makes it where it is missing.
    /// After a failure the old bytes stand.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8], how: Write) -> io::Result<Stamp> {
        self.replace_of(name, &[bytes], how)
    }

    /// The same for a file in parts.
    pub(crate) fn replace_of(&self, name: &str, parts: &[&[u8]], how: Write) -> io::Result<Stamp> {
        let kept = self.entry(name)?.filter(|entry| entry.kind == EntryKind::File);
        let mode = kept.map_or_else(|| self.mode(how), |entry| self.mode_after(entry.mode, how));
        let temp = self.write_temp(name, mode, parts, how.sync)?;
        rustix::fs::renameat(&self.fd, &temp.name, &self.fd, name)?;
        Ok(temp.done())
    }
}

/// A file under a temporary name, removed unless it was renamed.
#[derive(Debug)]
pub(super) struct Temp<'a> {
    folder: &'a Folder,
    pub(super) name: String,
    stamp: Stamp,
}

impl Temp<'_> {
    /// It has another name now.
    pub(super) fn done(mut self) -> Stamp {
        self.name.clear();
        self.stamp
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            let _ = self.folder.remove(&self.name);
        }
    }
}
