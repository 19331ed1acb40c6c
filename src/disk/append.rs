//! Adding to a file to which others add too, with the tools they have: a shell's `>>`, an editor that saves by a
//! rename. None of them takes our lock.

use std::fs::File;
use std::io::{self, Write as _};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::folder::{Folder, Write};
use super::private::narrow;
use super::system;

/// Which file a name stood for: another one has it after an editor saved by a rename.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

impl Identity {
    /// That of an open file.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        Ok(Self::from(&rustix::fs::fstat(file)?))
    }

    fn from(stat: &Stat) -> Self {
        Self(system::device(stat), stat.st_ino)
    }
}

impl Folder {
    /// Adds bytes at the end of a file in one write, on disk when it returns, with the name of a new file; makes it
    /// where it is missing. Where the system takes only part of them, the rest follows. Where an editor saved the file
    /// by a rename at the same moment, the bytes go to what has the name now. After a failure a beginning of the bytes
    /// may stand.
    pub(crate) fn append(&self, name: &str, bytes: &[u8], how: Write) -> io::Result<()> {
        self.append_to(name, bytes, how, None).map(|_| ())
    }

    /// As [`Folder::append`], for bytes that go on from something that is in the file `only`. `None` if
    /// another one has the name by now: what they go on from may not be in that one. Otherwise tells which
    /// file they went to.
    pub(crate) fn append_to(
        &self,
        name: &str,
        bytes: &[u8],
        how: Write,
        only: Option<Identity>,
    ) -> io::Result<Option<Identity>> {
        if only.is_some() && self.entry(name)?.is_none() {
            return Ok(None);
        }
        let (mut file, is_new) = self.open_to_append(name, how)?;
        let mut identity = Identity::of(&file)?;
        if only.is_some_and(|only| only != identity) {
            return Ok(None);
        }
        file.write_all(bytes)?;
        if how.sync {
            system::sync_data(&file)?;
        }
        if !self.is_named(identity, name)? {
            if only.is_some() {
                return Ok(None);
            }
            let (now, _) = self.read_if_there(name)?.unwrap_or_default();
            let (mut file, _) = self.open_to_append(name, how)?;
            identity = Identity::of(&file)?;
            if memchr::memmem::find(&now, bytes).is_none() {
                file.write_all(bytes)?;
                system::sync_data(&file)?;
            }
        }
        if how.sync && is_new {
            self.sync()?;
        }
        Ok(Some(identity))
    }

    /// Whether [`Folder::append`] can open a file, if it is there. An error says why it cannot.
    pub(crate) fn may_append(&self, name: &str) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        match rustix::fs::openat(&self.fd, name, flags | OFlags::CLOEXEC, Mode::empty()) {
            Ok(_) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a regular file for [`Folder::append`], and tells whether it is new.
    fn open_to_append(&self, name: &str, how: Write) -> io::Result<(File, bool)> {
        let flags =
            OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mode = system::mode(self.mode(how));
        let (fd, is_new) = match rustix::fs::openat(&self.fd, name, flags, mode) {
            Err(Errno::NOENT) => {
                (rustix::fs::openat(&self.fd, name, flags | OFlags::CREATE, mode)?, true)
            }
            opened => (opened?, false),
        };
        if FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("not a regular file"));
        }
        if self.is_private(how) {
            narrow(&fd);
        }
        Ok((File::from(fd), is_new))
    }

    /// Whether a name stands for this file.
    fn is_named(&self, identity: Identity, name: &str) -> io::Result<bool> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok(Identity::from(&named) == identity),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
