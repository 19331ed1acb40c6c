//! One open folder. Every call names a file inside it and never follows a link.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU32;

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::process::Uid;
use xxhash_rust::xxh3::Xxh3;

use super::system;
use crate::memory::snapshot::Stamp;

pub(super) fn stamp_of(stat: &Stat) -> Stamp {
    Stamp { size: u64::try_from(stat.st_size).unwrap_or(0), mtime: system::mtime(stat) }
}

/// What kind of thing a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    /// a symbolic link, never followed
    Link,
    /// a pipe, socket or device
    Other,
}

/// Whether the permission bits keep this user out. What else may, the next read of the file finds.
fn is_closed(mode: u32, owner: u32) -> bool {
    // Asked of every node, and the same for all of a run.
    static ME: LazyLock<Uid> = LazyLock::new(rustix::process::geteuid);
    if mode & 0o444 == 0o444 {
        return false;
    }
    let me = *ME;
    !me.is_root() && if owner == me.as_raw() { mode & 0o400 == 0 } else { mode & 0o044 == 0 }
}

/// A name in a folder, and its `stat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DirEntry<Name = String> {
    /// the name; where it is not UTF-8, with replacement characters
    pub name: Name,
    pub kind: EntryKind,
    pub stamp: Stamp,
    /// its permission bits
    pub mode: u32,
    /// whether these keep this user from reading it
    pub closed: bool,
}

impl<Name> DirEntry<Name> {
    /// The same under a name in another form.
    pub(super) fn named<Other>(&self, name: Other) -> DirEntry<Other> {
        let Self { kind, stamp, mode, closed, .. } = *self;
        DirEntry { name, kind, stamp, mode, closed }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Write {
    /// whether the bytes must be on disk first
    pub sync: bool,
    /// whether the file is for the user's eyes only: a new one is made so, and one that others may read is closed
    /// to them before the first byte. Says nothing in a folder that is shared.
    pub private: bool,
}

impl Write {
    /// For what is recorded nowhere else: on disk first, for the user's eyes only.
    pub(crate) const KEPT: Self = Self { sync: true, private: true };
    /// For what can be made or said again, for the user's eyes only.
    pub(crate) const CACHED: Self = Self { sync: false, private: true };
}

#[derive(Debug)]
pub(crate) struct Folder {
    pub(super) fd: OwnedFd,
    path: PathBuf,
    pub(super) shared: bool,
}

/// How a folder is opened, and how a file is, without waiting on a pipe or a device.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// The size, in bytes, of a folder that holds many names. File systems take 20 to 60 bytes for one.
const MANY: i64 = 16 * 1024;

pub(super) static COUNTER: AtomicU32 = AtomicU32::new(0);

impl Folder {
    /// Opens a folder by path; links on the way are followed, as the user laid them.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(path, FOLDER, Mode::empty())?;
        Ok(Self { fd, path: path.to_path_buf(), shared: false })
    }

    /// The same folder once more.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { fd: self.fd.try_clone()?, path: self.path.clone(), shared: self.shared })
    }

    /// Returns once the names in it are on disk, where the file system can tell.
    pub(super) fn sync(&self) -> io::Result<()> {
        system::sync_folder(&self.fd)
    }

    /// Opens a folder inside this one. `None` if there is none. A link is an error.
    pub(crate) fn folder(&self, name: &str) -> io::Result<Option<Self>> {
        let flags = FOLDER | OFlags::NOFOLLOW;
        let fd = unless_missing(rustix::fs::openat(&self.fd, name, flags, Mode::empty()))?;
        Ok(fd.map(|fd| Self { fd, path: self.path.join(name), shared: self.shared }))
    }

    /// Makes a folder inside this one, unless it is there; for the user alone, if `private`.
    pub(crate) fn make_folder(&self, name: &str, private: bool) -> io::Result<()> {
        let mode = if private { 0o700 } else { 0o777 };
        match rustix::fs::mkdirat(&self.fd, name, system::mode(mode)) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a folder inside this one if it is empty. A folder that is not empty is no error.
    pub(crate) fn remove_folder(&self, name: &str) -> io::Result<bool> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a folder inside this one with everything in it. A link in it is removed, not followed. After a failure
    /// the rest stands.
    pub(crate) fn remove_tree(&self, name: &str) -> io::Result<()> {
        match self.entry(name)?.map(|entry| entry.kind) {
            Some(EntryKind::Folder) => {}
            Some(_) => return self.remove(name),
            None => return Ok(()),
        }
        let Some(folder) = self.folder(name)? else { return Ok(()) };
        for entry in folder.list(|_| true)? {
            folder.remove_tree(&entry.name)?;
        }
        unless_missing(rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)).map(|_| ())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether names can be made in it. An error says why they cannot.
    pub(crate) fn may_write(&self) -> io::Result<()> {
        let how = Access::WRITE_OK | Access::EXEC_OK;
        Ok(rustix::fs::accessat(&self.fd, c".", how, AtFlags::empty())?)
    }

    /// Whether it has so many names, hundreds of them or more, that another thread is worth its start: by its size,
    /// which costs no look at the names. Where a file system counts names there, long folders may be mistaken for short
    /// ones.
    pub(super) fn holds_many(&self) -> bool {
        rustix::fs::fstat(&self.fd).is_ok_and(|stat| stat.st_size > MANY)
    }

    /// Every name for which `wanted` holds, with what a `stat` tells, in no order. A file that vanishes in between is
    /// left out.
    pub(crate) fn list(&self, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        self.names(|found| {
            let name = found.to_string_lossy();
            if wanted(&name)
                && let Some(entry) = self.look(found)?
            {
                entries.push(entry.named(name.into_owned()));
            }
            Ok(())
        })?;
        Ok(entries)
    }

    /// Calls `each` with every name, in no order. One that is not UTF-8 cannot be opened in this form; it is passed on
    /// so that it can be reported.
    pub(super) fn names(&self, mut each: impl FnMut(&CStr) -> io::Result<()>) -> io::Result<()> {
        // A second descriptor: reading a folder moves its offset, and `self` may be listed again.
        let fd = rustix::fs::openat(&self.fd, c".", FOLDER, Mode::empty())?;
        system::names(
            fd,
            |name| if matches!(name.to_bytes(), b"." | b"..") { Ok(()) } else { each(name) },
        )
    }

    /// What one name stands for. `None` if nothing has it.
    pub(crate) fn entry(&self, name: &str) -> io::Result<Option<DirEntry>> {
        let c_name = CString::new(name)?;
        Ok(self.look(&c_name)?.map(|entry| entry.named(name.to_owned())))
    }

    /// The `stat` of a name. `None` if nothing has it.
    pub(super) fn look(&self, name: &CStr) -> io::Result<Option<DirEntry<()>>> {
        let found = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
        let Some(stat) = unless_missing(found)? else { return Ok(None) };
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => EntryKind::File,
            FileType::Directory => EntryKind::Folder,
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::Other,
        };
        let mode = system::bits(&stat);
        let closed = is_closed(mode, stat.st_uid);
        Ok(Some(DirEntry { name: (), kind, stamp: stamp_of(&stat), mode, closed }))
    }

    /// Reads a regular file and the stamp it had before the first byte was read. A link, pipe, folder or device is
    /// refused without waiting on it.
    pub(crate) fn read(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        let fd = match rustix::fs::openat(&self.fd, name, READ, Mode::empty()) {
            Err(Errno::LOOP) => return Err(io::Error::other("it is a link, and none is followed")),
            opened => opened?,
        };
        let (file, stamp) = regular(fd)?;
        let mut bytes = Vec::with_capacity(usize::try_from(stamp.size).unwrap_or(0) + 1);
        // Of a plain file, size and place would be asked for once more.
        file.take(u64::MAX).read_to_end(&mut bytes)?;
        Ok((bytes, stamp))
    }

    /// The text of a regular file, for reading only: bytes that are not UTF-8 are replaced, and it is empty where it
    /// cannot be read.
    pub(crate) fn text(&self, name: &str) -> String {
        let read = self.read(name);
        read.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// Reads the first bytes of a regular file; fewer where it is shorter.
    pub(crate) fn read_start(&self, name: &str, most: usize) -> io::Result<Vec<u8>> {
        let fd = rustix::fs::openat(&self.fd, name, READ, Mode::empty())?;
        let mut bytes = Vec::with_capacity(most);
        File::from(fd).take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Opens a regular file to read parts of it. `None` if nothing has that name.
    pub(crate) fn open_file(&self, name: &str) -> io::Result<Option<(File, Stamp)>> {
        unless_missing(rustix::fs::openat(&self.fd, name, READ, Mode::empty()))?
            .map(regular)
            .transpose()
    }

    /// As [`Folder::read`]; `None` if nothing has that name.
    pub(crate) fn read_if_there(&self, name: &str) -> io::Result<Option<(Vec<u8>, Stamp)>> {
        match self.read(name) {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The hash of a file ([`crate::plan::hash`]), which is not read into memory; `None` if nothing has that name.
    pub(crate) fn hash_if_there(&self, name: &str) -> io::Result<Option<u64>> {
        let Some((mut file, _)) = self.open_file(name)? else { return Ok(None) };
        let mut hasher = Xxh3::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(Some(hasher.digest())),
                Ok(read) => hasher.update(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes a file; one that is gone already is no error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        unless_missing(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())).map(|_| ())
    }

    /// Opens a file of ours to be locked and appended to, making it where it is missing. A link is an error.
    pub(crate) fn open_work_file(&self, name: &str) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.fd, name, flags, Mode::from_raw_mode(0o600))?;
        Ok(File::from(file))
    }
}

/// What the system answers about a name; `None` if nothing has it.
fn unless_missing<T>(answer: rustix::io::Result<T>) -> io::Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// An open file and its stamp; anything but a regular file is refused.
fn regular(fd: OwnedFd) -> io::Result<(File, Stamp)> {
    let stat = rustix::fs::fstat(&fd)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("not a regular file"));
    }
    Ok((File::from(fd), stamp_of(&stat)))
}
