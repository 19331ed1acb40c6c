//! What the system tells, where Linux and macOS differ: how wide permission bits are, how a folder is listed, when
//! bytes are on disk; and how many processors there are.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use rustix::fs::{Mode, RawMode, Stat};
use rustix::io::Errno;

/// Permission bits for a call of the system.
pub(super) fn mode(bits: u32) -> Mode {
    Mode::from_raw_mode(raw(bits))
}

/// The permission bits that a `stat` tells.
pub(super) fn bits(stat: &Stat) -> u32 {
    wide(stat.st_mode) & 0o7777
}

/// How many threads can run at once; 1 where the system does not tell.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// When a file was last written to, in nanoseconds since 1970.
pub(super) fn mtime(stat: &Stat) -> i64 {
    stat.st_mtime.saturating_mul(1_000_000_000).saturating_add(nanoseconds(stat))
}

/// The number of the device that a file is on.
#[cfg(target_vendor = "apple")]
pub(super) fn device(stat: &Stat) -> u64 {
    stat.st_dev.cast_unsigned().into()
}

/// The number of the device that a file is on.
#[cfg(not(target_vendor = "apple"))]
pub(super) fn device(stat: &Stat) -> u64 {
    stat.st_dev
}

#[cfg(target_vendor = "apple")]
fn nanoseconds(stat: &Stat) -> i64 {
    stat.st_mtime_nsec
}

#[cfg(not(target_vendor = "apple"))]
fn nanoseconds(stat: &Stat) -> i64 {
    i64::try_from(stat.st_mtime_nsec).unwrap_or_default()
}

#[cfg(target_vendor = "apple")]
fn raw(bits: u32) -> RawMode {
    // Twelve bits at most.
    RawMode::try_from(bits & 0o7777).unwrap_or_default()
}

#[cfg(not(target_vendor = "apple"))]
fn raw(bits: u32) -> RawMode {
    bits & 0o7777
}

#[cfg(target_vendor = "apple")]
fn wide(mode: RawMode) -> u32 {
    mode.into()
}

#[cfg(not(target_vendor = "apple"))]
fn wide(mode: RawMode) -> u32 {
    mode
}

/// Calls `each` with every name in an open folder, `.` and `..` included, in no order. `folder` is read from where it
/// stands, so it is to be opened for this.
#[cfg(target_os = "linux")]
pub(super) fn names(
    folder: impl AsFd,
    mut each: impl FnMut(&CStr) -> io::Result<()>,
) -> io::Result<()> {
    // Ten years of names in a few calls.
    let mut buffer = Vec::with_capacity(64 * 1024);
    let mut names = rustix::fs::RawDir::new(folder, buffer.spare_capacity_mut());
    while let Some(found) = names.next() {
        each(found?.file_name())?;
    }
    Ok(())
}

/// As on Linux.
#[cfg(not(target_os = "linux"))]
pub(super) fn names(
    folder: impl AsFd,
    mut each: impl FnMut(&CStr) -> io::Result<()>,
) -> io::Result<()> {
    for found in rustix::fs::Dir::read_from(folder)? {
        each(found?.file_name())?;
    }
    Ok(())
}

/// Returns once the bytes of a file are on disk. Where the disk cannot be asked to empty its own cache, which macOS
/// does for `F_FULLFSYNC` alone, the bytes are with the disk.
pub(super) fn sync_data(file: &File) -> io::Result<()> {
    match file.sync_data() {
        Err(error) if cannot(Errno::from_io_error(&error)) && cfg!(target_vendor = "apple") => {
            Ok(rustix::fs::fsync(file)?)
        }
        done => done,
    }
}

/// Returns once the names in a folder are on disk, where the file system can tell.
pub(super) fn sync_folder(folder: impl AsFd) -> io::Result<()> {
    #[cfg(target_vendor = "apple")]
    if rustix::fs::fcntl_fullfsync(&folder).is_ok() {
        return Ok(());
    }
    match rustix::fs::fsync(folder) {
        Ok(()) => Ok(()),
        Err(error) if cannot(Some(error)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn cannot(error: Option<Errno>) -> bool {
    matches!(error, Some(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::BADF | Errno::NOTTY))
}
