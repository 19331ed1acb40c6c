//! Which process has a lock. On Linux `/proc` tells; elsewhere only a claim does.

use std::fmt;
use std::fs::{self, File};

use rustix::process::{Pid, test_kill_process};

/// For how many seconds a run may have the lock before it is named.
pub(super) const LONG: u64 = 60;

/// The process that has the lock of a file.
pub(super) fn of_lock(file: &File) -> Option<i32> {
    let stat = rustix::fs::fstat(file).ok()?;
    let inode = stat.st_ino.to_string();
    // `1: FLOCK  ADVISORY  WRITE 4242 00:2f:131 0 EOF`; a line of somebody who waits has `->` after its number.
    // The device is left out of the comparison: some file systems tell another one here than elsewhere.
    let locks = fs::read_to_string("/proc/locks").ok()?;
    locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, pid, place, ..] = fields[..] else { return None };
        let same = place.rsplit(':').next() == Some(inode.as_str());
        pid.parse::<i32>().ok().filter(|pid| same && *pid > 0)
    })
}

/// Names a process that has run for a minute, and says what to do.
pub(super) fn stuck(pid: i32) -> Option<String> {
    stuck_for(pid, LONG)
}

fn stuck_for(pid: i32, least: u64) -> Option<String> {
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let uptime: u64 = uptime.split('.').next()?.parse().ok()?;
    let ticks = rustix::param::clock_ticks_per_second();
    let age = uptime.checked_sub(started(pid)? / ticks.max(1)).filter(|age| *age >= least)?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    let name = name.trim_end();
    Some(format!(
        "process {pid} (`{name}`, running for {}) does not let go; end it if it hangs",
        ago(age)
    ))
}

/// When a process began, in ticks since the system did.
fn started(pid: i32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a process has ended and nobody asked how: in a container that may stay so.
fn is_zombie(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// A number of seconds in words, from a minute on in minutes.
pub(super) fn ago(seconds: u64) -> String {
    crate::text::counted(usize::try_from(seconds / 60).unwrap_or(usize::MAX), "minute")
}

/// Who made a claim: `HOST PID START`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Maker {
    /// the machine, this start of it, and the part of it in which the id of the process means something
    pub(super) host: String,
    pub(super) pid: i32,
    /// when the process began; 0 where the system does not tell
    pub(super) start: u64,
}

impl Maker {
    pub(super) fn this_process() -> Self {
        let pid = i32::try_from(std::process::id()).unwrap_or(0);
        let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let host = format!("{name}/{}/{}", boot.trim_end(), space.display());
        let host = host.replace(char::is_whitespace, "-");
        Self { host, pid, start: started(pid).unwrap_or(0) }
    }

    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let [host, pid, start] = text.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Self { host: host.to_owned(), pid: pid.parse().ok()?, start: start.parse().ok()? })
    }

    pub(super) fn host(&self) -> &str {
        self.host.split('/').next().unwrap_or_default()
    }

    /// Whether its process has ended, as far as can be seen from here.
    pub(super) fn is_gone(&self) -> bool {
        let here = Self::this_process();
        let is_dead = is_zombie(self.pid)
            || Pid::from_raw(self.pid)
                .is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH));
        // Another process may have got its id.
        let is_another = self.start != 0 && started(self.pid).is_some_and(|at| at != self.start);
        self.host == here.host && (is_dead || is_another)
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} {}", self.host, self.pid, self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_is_read_as_it_was_written() {
        let own = Maker::this_process();
        assert_eq!(Maker::parse(own.to_string().as_bytes()), Some(own.clone()));
        assert!(!own.is_gone());
        let another = Maker { start: own.start + 1, ..own };
        assert_eq!(another.is_gone(), another.start > 1);
        for text in ["", "host", "host x 1", "host 1 2 3"] {
            assert_eq!(Maker::parse(text.as_bytes()), None);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_holder_of_a_lock_is_found() {
        use crate::disk::{Folder, Wait};

        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let _held = folder.lock("l", Wait::Hook);
        let (file, _) = folder.open_file("l").unwrap().unwrap();
        let own = i32::try_from(std::process::id()).unwrap();
        assert_eq!(of_lock(&file), Some(own));
        assert_eq!(stuck(i32::MAX), None);
        let said = stuck_for(own, 0).unwrap();
        assert!(said.starts_with(&format!("process {own} (`")), "{said}");
        // On a slow machine the tests themselves run for exactly one.
        let ends = ["minute", "minutes"]
            .map(|unit| format!(" {unit}) does not let go; end it if it hangs"));
        assert!(ends.iter().any(|end| said.ends_with(end)), "{said}");
        assert_eq!(stuck_for(own, 100_000), None);
    }
}
