//! The stores in which clients keep their sessions: listed without following a link, opened only where a file is a
//! regular one of this user, read without a lock.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use walkdir::WalkDir;

use super::describe;
use super::folder::stamp_of;
use crate::memory::snapshot::Stamp;
use crate::sqlite::{Bytes, Database, Mark};

/// Why a file of a client is not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// what it is, or what it is called, is reason enough
    #[error("{0}")]
    Refused(&'static str),
    /// it has more bytes than this
    #[error("it has more than {0} bytes")]
    TooLarge(u64),
    /// the write-ahead log of a database
    #[error("its write-ahead log")]
    Log(#[source] Box<Self>),
    /// as the system says, or as the database reads
    #[error("{}", describe(.0))]
    System(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// A file of a client that is not read, and why.
#[derive(Debug, thiserror::Error)]
#[error("`{}` not read", path.display())]
pub(crate) struct NotRead {
    /// the file, or a folder of such
    pub path: PathBuf,
    pub source: StoreError,
}

impl NotRead {
    /// Says of a file why it is not read.
    pub(crate) fn of(path: &Path, source: impl Into<StoreError>) -> Self {
        Self { path: path.to_path_buf(), source: source.into() }
    }
}

const LINK: &str = "it is a link";
const NOT_REGULAR: &str = "it is not a regular file";

/// Opens a file for reading that is a regular one of this user, through no link, without ever waiting for it.
pub(super) fn open_regular(path: &Path) -> Result<(File, Stat), StoreError> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let fd = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(Errno::LOOP) => return Err(StoreError::Refused(LINK)),
        Err(Errno::NOENT) => return Err(StoreError::Refused("there is no such file")),
        Err(error) => return Err(StoreError::System(error.into())),
    };
    let stat = rustix::fs::fstat(&fd).map_err(io::Error::from)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(StoreError::Refused(NOT_REGULAR));
    }
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(StoreError::Refused("it belongs to another user"));
    }
    Ok((File::from(fd), stat))
}

/// Reads a file of a store that has at most `limit` bytes.
pub(crate) fn read_stored(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let (file, _) = open_regular(path)?;
    at_most(limit, file)
}

fn at_most(limit: u64, from: impl io::Read) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(StoreError::TooLarge(limit)) } else { Ok(bytes) }
}

/// The bytes of a file that holds them packed by zstd, at most `limit` of them.
pub(crate) fn read_packed(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let (file, _) = open_regular(path)?;
    unpack(io::BufReader::new(file), limit)
}

/// Unpacks what zstd has packed, at most `limit` bytes of it.
pub(crate) fn unpack(packed: impl io::Read, limit: u64) -> Result<Vec<u8>, StoreError> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(packed)
        .map_err(|_| StoreError::Refused("it is not what zstd packs"))?;
    at_most(limit, decoder).map_err(|error| match error {
        StoreError::System(_) => StoreError::Refused("it is cut, or not what zstd packs"),
        other => other,
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub path: PathBuf,
    pub stamp: Stamp,
    /// why it cannot be read, if that is plain
    pub refused: Option<&'static str>,
}

/// The files in a folder, and up to `depth` folders below it, by path, for which `wanted` says so; what is neither a
/// file nor a folder is among them, refused. No link is followed. Nothing where there is no such folder; what cannot be
/// listed is an error in between.
pub(crate) fn stored(
    folder: &Path,
    depth: usize,
    wanted: impl Fn(&Path) -> bool,
) -> Vec<Result<Stored, NotRead>> {
    let walk = WalkDir::new(folder).follow_links(false).follow_root_links(false);
    let mut found = Vec::new();
    for entry in walk.max_depth(depth).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 && is_missing(&error) => continue,
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_path_buf();
                found.push(Err(NotRead::of(&path, io::Error::from(error))));
                continue;
            }
        };
        let kind = entry.file_type();
        let is_root = entry.depth() == 0 && !kind.is_file();
        if kind.is_dir() || !(wanted(entry.path()) || is_root) {
            continue;
        }
        let refused = match kind {
            kind if kind.is_symlink() => Some(LINK),
            kind if kind.is_file() => None,
            _ => Some(NOT_REGULAR),
        };
        let Ok(stat) = rustix::fs::lstat(entry.path()) else { continue };
        found.push(Ok(Stored { path: entry.into_path(), stamp: stamp_of(&stat), refused }));
    }
    found
}

fn is_missing(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    })
}

/// A file of a database.
#[derive(Debug)]
pub(crate) struct StoreFile(File);

impl Bytes for StoreFile {
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(into, at)
    }

    fn mark(&self) -> io::Result<Mark> {
        let stat = rustix::fs::fstat(&self.0)?;
        let Stamp { size, mtime } = stamp_of(&stat);
        Ok(Mark { size, written: mtime.into() })
    }
}

/// How often a database is read again that is written to meanwhile.
const AGAIN: u32 = 5;

/// Reads from a database until all that was read belongs together.
pub(crate) fn read_database<T>(
    path: &Path,
    read: impl Fn(&Database<StoreFile>) -> io::Result<T>,
) -> Result<T, StoreError> {
    for _ in 0..AGAIN {
        let main = StoreFile(open_regular(path)?.0);
        let beside = |suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let journal = beside("-journal");
        // Where a writer without a write-ahead log is at work, or was killed, the main file is half of the old and half
        // of the new.
        if rustix::fs::lstat(&journal).is_ok_and(|stat| stat.st_size > 0) {
            let begun = open_regular(&journal)?.0;
            let mut head = [0; 8];
            if begun.read_exact_at(&mut head, 0).is_ok() && head != [0; 8] {
                std::thread::sleep(std::time::Duration::from_millis(50));
                continue;
            }
        }
        let wal = match open_regular(&beside("-wal")) {
            Ok((file, _)) => Some(StoreFile(file)),
            Err(_) if rustix::fs::lstat(beside("-wal")).is_err() => None,
            Err(why) => return Err(StoreError::Log(Box::new(why))),
        };
        let done = Database::open(main, wal).and_then(|database| {
            let read = read(&database);
            database.is_as_it_was().map(|stands| (read, stands))
        });
        if let (read, true) = done? {
            return Ok(read?);
        }
    }
    Err(StoreError::Refused("its agent is writing to it; run the command again"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    #[test]
    fn no_link_of_a_store_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("store/below")).unwrap();
        std::fs::create_dir_all(at("outside")).unwrap();
        for name in ["store/a.jsonl", "store/below/b.jsonl", "store/other", "outside/c.jsonl"] {
            std::fs::write(at(name), "x").unwrap();
        }
        std::os::unix::fs::symlink(at("outside"), at("store/folder.jsonl")).unwrap();
        std::os::unix::fs::symlink(at("outside"), at("store/folder")).unwrap();
        std::os::unix::fs::symlink(at("store"), at("link")).unwrap();
        let list = |name: &str, depth: usize| -> Vec<(String, Option<&str>)> {
            let all = stored(&at(name), depth, |path| path.extension().is_some());
            let all = all.into_iter().map(Result::unwrap);
            let name =
                |it: &Stored| it.path.strip_prefix(dir.path()).unwrap().display().to_string();
            all.map(|it| (name(&it), it.refused)).collect()
        };
        let file = |name: &str| (name.to_owned(), None);
        let link = |name: &str| (name.to_owned(), Some("it is a link"));
        assert_eq!(list("store", 1), [file("store/a.jsonl"), link("store/folder.jsonl")]);
        assert_eq!(
            list("store", 3),
            [file("store/a.jsonl"), file("store/below/b.jsonl"), link("store/folder.jsonl")]
        );
        assert_eq!(list("link", 3), [link("link")]);
        assert_eq!(list("store/a.jsonl", 3), [file("store/a.jsonl")]);
        assert_eq!(list("nowhere", 3), []);
    }

    #[test]
    fn what_is_packed_is_unpacked_up_to_a_limit() {
        // `printf hello | zstd`
        let packed = [
            0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x29, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f,
            0xa3, 0x6d, 0x9f, 0x88,
        ];
        assert_eq!(unpack(&packed[..], 5).unwrap(), b"hello");
        assert!(unpack(&packed[..], 4).is_err());
        assert!(unpack(&packed[..12], 5).is_err());
        assert!(unpack(&b"no"[..], 5).is_err());
    }
}
