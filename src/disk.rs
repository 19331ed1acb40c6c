//! The only module that touches the file system. Opens no file through a link, waits on no pipe,
//! leaves either the old or the new bytes.
//!
//! What may be written, and when, is decided elsewhere: see [`crate::plan`].

#![expect(clippy::disallowed_methods, reason = "effects live here")]

mod append;
mod apply;
mod exchange;
mod folder;
mod in_git;
mod link;
mod list;
mod lock;
mod memory;
mod parts;
mod private;
mod repository;
mod store;
mod system;
mod tidy;
mod transcript;
mod worktree;
mod write;

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use append::Identity;
pub(crate) use apply::{Applied, InParts, apply};
pub(crate) use folder::{DirEntry, EntryKind, Folder, Write};
pub(crate) use in_git::{GitFolder, folders_of, is_private};
pub(crate) use link::refuse_committed_link;
pub(crate) use lock::{Busy, Held, Lock, Wait, is_gone, this_process};
pub(crate) use memory::{Memory, Names, Seal};
pub(crate) use parts::{FileLine, LineReader, find, read_range, rfind_line};
pub(crate) use repository::{Repository, top};
pub(crate) use store::{
    NotRead, StoreError, Stored, read_database, read_packed, read_stored, stored, unpack,
};
pub(crate) use system::processors;
pub(crate) use tidy::{is_abandoned, tidy};
pub(crate) use transcript::Transcript;
pub(crate) use worktree::{Worktree, is_as_staged, is_only_one, tracked};

use crate::Problem;
pub(crate) use crate::error::{NamedError, describe};
use crate::memory::snapshot::Stamp;

/// The suffix of files that are being written; a run that holds the lock removes those a killed run left.
pub(crate) const TEMP_SUFFIX: &str = ".hipocampus-tmp";

/// Puts the path into an I/O error and says that nothing was lost.
pub(crate) fn problem(action: &str, path: &Path, error: io::Error) -> Problem {
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "check who owns it and its permissions; it was not changed"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and run the command again; what was there is unchanged"
        }
        _ => "it was not changed; run the command again once this is solved",
    };
    Problem::new(format!("cannot {action} `{}`", path.display())).hint(hint).because(error)
}

/// Whether an error says that there is no room left.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Reads a file of the user, through links, if it is a regular one. Fails when it is there but cannot be read, or is
/// not a regular file.
pub(crate) fn read_users_file(path: &Path) -> Result<Option<Vec<u8>>, Problem> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(problem("read", path, error)),
    };
    if !meta.is_file() {
        return Err(Problem::new(format!("`{}` is not a regular file", path.display()))
            .hint("move it away and run the command again; nothing was changed"));
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(problem("read", path, error)),
    }
}

/// Whether a path is a folder, links followed.
pub(crate) fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Whether anything has this name, a broken link included.
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Whether a path is there, or comes to be within this time.
pub(crate) fn appears(path: &Path, within: std::time::Duration) -> bool {
    let begun = std::time::Instant::now();
    while !is_there(path) {
        if begun.elapsed() >= within {
            return false;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    true
}

/// The path without links and `..`; the path itself where it cannot be resolved.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The names in a folder, in no order; none if it cannot be listed.
pub(crate) fn names(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// The names in a folder, in no order; none if there is no such folder. Fails when it is there and cannot be listed.
pub(crate) fn list(path: &Path) -> Result<Vec<String>, Problem> {
    let failed = |error: io::Error| problem("list", path, error);
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.map_err(failed)?.file_name().into_string().ok());
    }
    Ok(names)
}

/// A mark of a folder that no copy of it elsewhere has: made from its path and its inode. Empty where that cannot be
/// told.
pub(crate) fn mark_of(folder: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(meta) = std::fs::metadata(folder) else { return String::new() };
    let mut bytes = real_path(folder).into_os_string().into_encoded_bytes();
    bytes.extend(meta.ino().to_le_bytes());
    format!("{:016x}", crate::plan::hash(&bytes))
}

/// What a `stat` tells about a path, links followed: whether it is a regular file, and its stamp.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mtime = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Stamp { size: meta.len(), mtime: i64::try_from(mtime.as_nanos()).ok()? })
}

/// Whether a path itself is a symbolic link.
pub(crate) fn is_link(path: &Path) -> bool {
    path.is_symlink()
}

/// Whether what lies at a path, and what it leads to where it is a link, belongs to the user who runs this.
pub(crate) fn is_this_users(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    let is_mine = |meta: io::Result<std::fs::Metadata>| meta.is_ok_and(|meta| meta.uid() == me);
    is_mine(path.symlink_metadata()) && is_mine(path.metadata())
}

/// Whether a path, links followed, is a regular file that may be run.
pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether this user could run a file where it is: a file system may allow no programs.
pub(crate) fn may_run(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Puts a copy of a program to another place, making the folders on the way, unless the same bytes are there and may be
/// run. A run of the old one goes on. Tells whether it did. Fails when the program cannot be read or the copy not be
/// written; then what was there stands.
pub(crate) fn put_program(program: &Path, copy: &Path) -> Result<bool, Problem> {
    use std::os::unix::fs::PermissionsExt as _;
    let failed = |error: io::Error| problem("copy this program to", copy, error);
    let bytes = std::fs::read(program).map_err(|error| problem("read", program, error))?;
    if is_program(copy) && std::fs::read(copy).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    let done = place_for(copy).and_then(|(folder, name)| {
        folder.replace(&name, &bytes, Write { sync: true, private: false })?;
        std::fs::set_permissions(copy, std::fs::Permissions::from_mode(0o755))
    });
    done.map(|()| true).map_err(failed)
}

/// A name of so many hexadecimal digits that nobody can guess. Fails when the system has no random bytes to give.
pub(crate) fn random_name(digits: usize) -> io::Result<String> {
    use std::io::Read as _;
    let mut bytes = vec![0; digits.div_ceil(2)];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    let name = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    Ok(name.take(digits).collect())
}

/// Makes a file, and the folders on the way, for this user's eyes only. One that is there is an error.
pub(crate) fn create_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    let how = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    how?.write_all(bytes)
}

/// Writes a file for this user's eyes only, making the folders on the way; what was there is replaced at once. Fails
/// when it cannot be written; then what was there stands.
pub(crate) fn put_private(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written =
        place_for(path).and_then(|(folder, name)| folder.replace(&name, bytes, Write::KEPT));
    written.map(|_| ()).map_err(|error| problem("write", path, error))
}

/// The folder of a file, made for this user alone where it is missing, and the file's name in it.
fn place_for(path: &Path) -> io::Result<(Folder, String)> {
    use std::os::unix::fs::DirBuilderExt as _;
    let (folder, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    Ok((Folder::open(folder)?, name.to_string_lossy().into_owned()))
}

/// An empty folder for this user alone, with a name that nobody can guess; gone, with all that is in it, when this
/// value is dropped.
#[derive(Debug)]
pub(crate) struct EmptyFolder(PathBuf);

/// The digits after the prefix in its name.
const DIGITS: usize = 16;
/// From this age on nobody needs one any more.
const ABANDONED: std::time::Duration = std::time::Duration::from_secs(3600);

impl EmptyFolder {
    /// Makes one below `place`; its name begins with `prefix`.
    pub(crate) fn make(place: &Path, prefix: &str) -> io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt as _;
        let path = place.join(format!("{prefix}{}", random_name(DIGITS)?));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Removes what killed runs left below `place`: folders of this user with such a name that nobody has changed for
    /// an hour, which is longer than any is needed.
    pub(crate) fn sweep(place: &Path, prefix: &str) {
        use std::os::unix::fs::MetadataExt as _;
        let is_made = |name: &String| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|rest| {
                rest.len() == DIGITS && rest.bytes().all(|digit| digit.is_ascii_hexdigit())
            })
        };
        let Ok(folder) = Folder::open(place) else { return };
        for name in names(place).into_iter().filter(is_made) {
            let Ok(meta) = std::fs::symlink_metadata(place.join(&name)) else { continue };
            let age = meta.modified().ok().and_then(|then| then.elapsed().ok()).unwrap_or_default();
            let is_ours = meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw();
            if is_ours && age > ABANDONED {
                let _ = folder.remove_tree(&name);
            }
        }
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        if let (Some(place), Some(name)) = (self.0.parent(), self.0.file_name()) {
            let _ =
                Folder::open(place).and_then(|place| place.remove_tree(&name.to_string_lossy()));
        }
    }
}

/// Whether a file could be made at a path, as far as permissions tell.
pub(crate) fn may_create(path: &Path) -> bool {
    let there = path.ancestors().skip(1).find(|folder| is_there(folder));
    there.is_some_and(|folder| rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok())
}
