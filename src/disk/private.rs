//! Who may read what is written: in a memory nobody but its user, unless it is shared.

use std::os::fd::AsFd;

use super::folder::{Folder, Write};
use super::system;

/// The permissions of everybody but the user.
const OF_OTHERS: u32 = 0o077;

impl Folder {
    /// Leaves the permissions of what is in it to the umask and to whoever set them, if `shared`.
    pub(crate) fn share(&mut self, shared: bool) {
        self.shared = shared;
    }

    /// Closes the folder itself to everybody but the user, unless it is shared. Some file systems have no
    /// permissions, and what another user opened up is that user's.
    pub(crate) fn close(&self) {
        if !self.shared {
            narrow(&self.fd);
        }
    }

    /// Whether it belongs to the user who runs this.
    pub(crate) fn is_own(&self) -> bool {
        let me = rustix::process::geteuid().as_raw();
        rustix::fs::fstat(&self.fd).is_ok_and(|stat| stat.st_uid == me)
    }

    /// Closes a regular file in it to everybody but the user. A link is an error.
    pub(crate) fn narrow(&self, name: &str) -> std::io::Result<()> {
        if let Some((file, _)) = self.open_file(name)? {
            narrow(&file);
        }
        Ok(())
    }

    /// Whether what is written like this is for the user's eyes only.
    pub(super) fn is_private(&self, how: Write) -> bool {
        how.private && !self.shared
    }

    /// The mode of a new file, before the umask.
    pub(super) fn mode(&self, how: Write) -> u32 {
        if self.is_private(how) { 0o600 } else { 0o666 }
    }

    /// The mode of a file that takes the place of one with this mode.
    pub(super) fn mode_after(&self, old: u32, how: Write) -> u32 {
        if self.is_private(how) { old & !OF_OTHERS } else { old }
    }
}

/// Takes the permissions of everybody but the user from an open file or folder. Some file systems have none, and
/// then there is nobody to keep out by them.
pub(super) fn narrow(file: impl AsFd) {
    let Ok(stat) = rustix::fs::fstat(&file) else { return };
    let mode = system::bits(&stat);
    if mode & OF_OTHERS != 0 {
        let _ = rustix::fs::fchmod(&file, system::mode(mode & !OF_OTHERS));
    }
}
