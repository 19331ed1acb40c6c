//! Adding to a file to which others add too, with the tools they have: a shell's `>>`, an editor that saves by a
//! rename. None of them takes our lock.

use std::fs::File;
use std::io::{self, Write as _};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::folder::{Folder, Write};

impl Folder {
    /// Adds bytes at the end of a file in one write, on disk when it returns, with the name of a new file;
    /// makes it where it is missing. Where the system takes only part of them, the rest follows. Where an
    /// editor saved the file by a rename at the same moment, the bytes go to what has the name now.
    ///
    /// # Errors
    /// As the system says; a beginning of the bytes may then stand.
    pub fn append(&self, name: &str, bytes: &[u8], how: Write) -> io::Result<()> {
        let (mut file, is_new) = self.open_to_append(name, how)?;
        file.write_all(bytes)?;
        if how.sync {
            file.sync_data()?;
        }
        if !self.is_named(&file, name)? {
            let (now, _) = self.read_if_there(name)?.unwrap_or_default();
            if memchr::memmem::find(&now, bytes).is_none() {
                let (mut file, _) = self.open_to_append(name, how)?;
                file.write_all(bytes)?;
                file.sync_data()?;
            }
        }
        if how.sync && is_new { self.sync() } else { Ok(()) }
    }

    /// Opens a regular file for [`Folder::append`], and tells whether it is new.
    fn open_to_append(&self, name: &str, how: Write) -> io::Result<(File, bool)> {
        let flags =
            OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(if how.private { 0o600 } else { 0o666 });
        let (fd, is_new) = match rustix::fs::openat(&self.fd, name, flags, mode) {
            Err(Errno::NOENT) => {
                (rustix::fs::openat(&self.fd, name, flags | OFlags::CREATE, mode)?, true)
            }
            opened => (opened?, false),
        };
        if FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("no regular file"));
        }
        Ok((File::from(fd), is_new))
    }

    /// Whether an open file is what a name stands for.
    fn is_named(&self, file: &File, name: &str) -> io::Result<bool> {
        let open = rustix::fs::fstat(file)?;
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok((named.st_dev, named.st_ino) == (open.st_dev, open.st_ino)),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
