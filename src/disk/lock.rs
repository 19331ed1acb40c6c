//! The lock of a memory: one file, never deleted, held for the length of a run.
//!
//! Where the file system has no locks, a folder that one run alone can put in its place stands for one: see [`claim`].

mod claim;
mod held;
mod holder;

use std::fs::{File, TryLockError};
use std::io;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::folder::Folder;
pub(crate) use held::{Busy, Held, Lock};
use held::{HeldBy, Pauses};

/// A name for this process that no other one has, on whatever machine: [`is_gone`] knows it again.
pub(crate) fn this_process() -> String {
    holder::Maker::this_process().to_string().trim_end().to_owned()
}

/// Whether the process with a name of [`this_process`] has ended, as far as can be seen from here.
pub(crate) fn is_gone(process: &str) -> bool {
    holder::Maker::parse(process.as_bytes()).is_some_and(|maker| maker.is_gone())
}

/// The mode of the lock file: whoever shares the memory has to be able to open it.
const MODE: Mode = Mode::from_raw_mode(0o644);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// a person is waiting, who is ready to wait for this long: [`World::patience`](crate::world::World::patience)
    ByHand(Duration),
    /// `PreCompact`: the client waits for us, and it matters most: 8 s
    PreCompact,
    /// other hooks: 2 s
    Hook,
    /// `SessionEnd`: the client kills us after 2 s: 1 s
    SessionEnd,
}

impl Wait {
    fn duration(self) -> Duration {
        Duration::from_secs(match self {
            Wait::ByHand(patience) => return patience,
            Wait::PreCompact => 8,
            Wait::Hook => 2,
            Wait::SessionEnd => 1,
        })
    }
}

impl Folder {
    /// Takes the lock file `name` in this folder, creating it where it is missing.
    pub(crate) fn lock(&self, name: &str, wait: Wait) -> Lock {
        let until = Instant::now() + wait.duration();
        let file = match self.open_lock_file(name) {
            Ok(file) => file,
            Err(error) => return Lock::Unavailable(error),
        };
        match take(file, until) {
            Lock::Unavailable(error) if is_unsupported(&error) => self.claim(name, until),
            lock => lock,
        }
    }

    /// Locks the folder itself. It has nothing to do with locks of files in it.
    pub(crate) fn lock_itself(&self, wait: Wait) -> Lock {
        match self.fd.try_clone() {
            Ok(fd) => take(File::from(fd), Instant::now() + wait.duration()),
            Err(error) => Lock::Unavailable(error),
        }
    }

    /// Opens a lock file. One that another user made is enough to read from: a lock asks for no more.
    fn open_lock_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let open = |more: OFlags| rustix::fs::openat(&self.fd, name, flags | more, MODE);
        let opened = match open(OFlags::RDWR) {
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => open(OFlags::RDONLY),
            Err(Errno::NOENT) => match open(OFlags::RDWR | OFlags::CREATE | OFlags::EXCL) {
                Ok(fd) => {
                    // Whatever the umask of the run that comes first; some file systems have no modes.
                    let _ = rustix::fs::fchmod(&fd, MODE);
                    Ok(fd)
                }
                Err(Errno::EXIST) => open(OFlags::RDWR).or_else(|_| open(OFlags::RDONLY)),
                Err(error) => Err(error),
            },
            opened => opened,
        };
        let fd = match opened {
            Err(Errno::LOOP) => return Err(io::Error::other("it is a link, and none is followed")),
            opened => opened?,
        };
        if FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("it is not a regular file"));
        }
        Ok(File::from(fd))
    }
}

fn take(file: File, until: Instant) -> Lock {
    let mut pauses = Pauses::default();
    loop {
        match file.try_lock() {
            Ok(()) => return Lock::Held(Held(HeldBy::Lock(file))),
            Err(TryLockError::WouldBlock) if pauses.next_before(until) => {}
            Err(TryLockError::WouldBlock) => {
                return Lock::Busy(Busy { stuck: holder::of_lock(&file).and_then(holder::stuck) });
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Lock::Unavailable(error),
        }
    }
}

/// Whether an error says that there are no locks here, rather than that this one cannot be had.
fn is_unsupported(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    errno.is_some_and(|errno| {
        [Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOLCK].contains(&errno)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn one_run_at_a_time_has_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let first = folder.lock("l", Wait::Hook);
        assert!(first.held().is_some() && first.refusal("l").is_none());
        let mode = dir.path().join("l").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
        let second = folder.lock("l", Wait::SessionEnd);
        assert!(matches!(second, Lock::Busy(_)) && second.held().is_none());
        // One that has run for a minute is named as well.
        let said = second.refusal("l").unwrap_or_default();
        assert!(said.starts_with("another run has the memory"), "{said}");
        drop(first);
        assert!(folder.lock("l", Wait::SessionEnd).held().is_some());
    }

    #[test]
    fn what_is_no_lock_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        std::fs::create_dir(dir.path().join("folder")).unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        symlink(dir.path().join("file"), dir.path().join("link")).unwrap();
        for (name, why) in [("folder", "is a directory"), ("link", "it is a link")] {
            let lock = folder.lock(name, Wait::SessionEnd);
            assert!(matches!(lock, Lock::Unavailable(_)), "{name}");
            let said = lock.refusal(name).unwrap();
            assert!(said.starts_with(&format!("`{name}` cannot be locked ({why}")), "{said}");
        }
    }
}
