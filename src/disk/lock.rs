//! The lock of a memory: one file, never deleted, held for the length of a run.

use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::folder::Folder;

/// How asking for the lock went.
#[derive(Debug)]
pub enum Lock {
    /// ours until this value is dropped
    Held(File),
    /// another run has it, and kept it for as long as we were ready to wait
    Busy,
    /// this file system has no locks, or the lock file cannot be opened: go on, tell the user once
    Unavailable(io::Error),
}

impl Lock {
    /// Whether this run has the memory to itself.
    pub fn is_held(&self) -> bool {
        matches!(self, Lock::Held(_))
    }
}

/// How long to wait for the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// a person is waiting: 30 s
    ByHand,
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
            Wait::ByHand => 30,
            Wait::PreCompact => 8,
            Wait::Hook => 2,
            Wait::SessionEnd => 1,
        })
    }
}

impl Folder {
    /// Takes the lock file `name` in this folder, creating it where it is missing.
    pub fn lock(&self, name: &str, wait: Wait) -> Lock {
        match self.open_lock_file(name) {
            Ok(file) => take(file, wait),
            Err(error) => Lock::Unavailable(error),
        }
    }

    /// Locks the folder itself. It has nothing to do with locks of files in it.
    pub fn lock_itself(&self, wait: Wait) -> Lock {
        match self.fd.try_clone() {
            Ok(fd) => take(File::from(fd), wait),
            Err(error) => Lock::Unavailable(error),
        }
    }
}

fn take(file: File, wait: Wait) -> Lock {
    let deadline = Instant::now() + wait.duration();
    let mut pause = Duration::from_millis(1);
    loop {
        match file.try_lock() {
            Ok(()) => return Lock::Held(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(25));
            }
            Err(TryLockError::WouldBlock) => return Lock::Busy,
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Lock::Unavailable(error),
        }
    }
}
