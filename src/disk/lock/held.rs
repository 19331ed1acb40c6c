//! What a run has that has the lock, and what it does that has not.

use std::fs::File;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::disk::folder::Folder;
use crate::error::Problem;
use crate::layout;

/// How asking for the lock went.
#[derive(Debug)]
pub(crate) enum Lock {
    /// ours until this value is dropped
    Held(Held),
    /// another run has it, and kept it for as long as we were ready to wait
    Busy(Busy),
    /// the lock cannot be taken, by nobody or not by this user: what needs it cannot be done
    Unavailable(io::Error),
}

/// Proof that this run has the memory to itself, until it is dropped. What is only right under the lock asks for a
/// reference to it.
#[derive(Debug)]
#[expect(dead_code, reason = "held for what dropping them does")]
pub(crate) struct Held(pub(super) HeldBy);

#[derive(Debug)]
#[expect(dead_code, reason = "held for what dropping them does")]
pub(super) enum HeldBy {
    Lock(File),
    Claim(LockClaim),
}

/// Another run has the lock.
#[derive(Debug, Default)]
pub(crate) struct Busy {
    /// which process does not let go of it, and what to do, in words; where the system tells, and only from a
    /// minute on
    pub stuck: Option<String>,
}

impl Lock {
    /// The proof that this run has the memory to itself, if it has.
    pub(crate) fn held(&self) -> Option<&Held> {
        match self {
            Lock::Held(held) => Some(held),
            Lock::Busy(_) | Lock::Unavailable(_) => None,
        }
    }

    /// The same, or why there is none; `hint` says what that means for the command.
    pub(crate) fn held_or(&self, hint: &str) -> Result<&Held, Problem> {
        let why = || self.refusal(layout::LOCK).unwrap_or_default();
        self.held().ok_or_else(|| Problem::new(why()).hint(hint))
    }

    /// Why this run does not have the memory to itself, in one line; `None` if it has. `name` is the lock file's.
    pub(crate) fn refusal(&self, name: &str) -> Option<String> {
        match self {
            Lock::Held(_) => None,
            Lock::Busy(Busy { stuck: None }) => Some("another run has the memory".to_owned()),
            Lock::Busy(Busy { stuck: Some(who) }) => {
                Some(format!("another run has the memory: {who}"))
            }
            Lock::Unavailable(error) => Some(format!(
                "`{name}` cannot be locked ({}); see to it that you may read it, and that its folder is on a disk that can be written",
                crate::disk::describe(error)
            )),
        }
    }
}

/// A folder that stands for the lock as long as there is a file in it, emptied and removed when this value is dropped.
#[derive(Debug)]
pub(super) struct LockClaim {
    /// where the claim is made
    pub(super) folder: Folder,
    /// the name of the claim there
    pub(super) name: String,
    /// the folder that is the claim
    pub(super) inside: Folder,
    /// the file in it
    pub(super) file: String,
}

impl Drop for LockClaim {
    fn drop(&mut self) {
        let _ = self.inside.remove(&self.file);
        // Does nothing where somebody has put his own in its place by now.
        let _ = self.folder.remove_folder(&self.name);
    }
}

/// Waits that grow from one millisecond to 25.
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(Duration::from_millis(1))
    }
}

impl Pauses {
    /// Waits once; `false`, without waiting, if there is no time left.
    pub(super) fn next_before(&mut self, until: Instant) -> bool {
        if Instant::now() >= until {
            return false;
        }
        crate::progress::tick(|| "waiting for another hipocampus to finish".to_owned());
        sleep(self.0);
        self.0 = (self.0 * 2).min(Duration::from_millis(25));
        true
    }
}
