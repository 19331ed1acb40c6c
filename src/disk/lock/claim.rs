//! A lock where the file system has none: a file that only one run can make, and that says who made it.

use std::fs::File;
use std::io::{self, Write as _};
use std::time::{Instant, SystemTime};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::super::folder::Folder;
use super::holder::{self, Maker};
use super::{Busy, Held, Kept, Lock, Pauses};

/// A file in a folder that stands for the lock, removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    folder: Folder,
    name: String,
    text: String,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Somebody may have taken this run for dead.
        let ours = self.folder.read(&self.name).is_ok_and(|(text, _)| text == self.text.as_bytes());
        if ours {
            let _ = self.folder.remove(&self.name);
        }
    }
}

impl Folder {
    /// Takes the lock `name` by making the file `name-held`.
    pub(super) fn claim(&self, name: &str, until: Instant) -> Lock {
        let name = format!("{name}-held");
        let text = Maker::this_process().to_string();
        let mut pauses = Pauses::default();
        loop {
            match self.make_claim(&name, &text) {
                Ok(folder) => {
                    return Lock::Held(Held(Kept::Claim(Claim { folder, name, text })));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Lock::Unavailable(error),
            }
            match self.abandoned(&name) {
                Ok(true) => {}
                Ok(false) if pauses.next_before(until) => {}
                Ok(false) => return Lock::Busy(Busy { stuck: self.claimed_for_long(&name) }),
                Err(error) => return Lock::Unavailable(error),
            }
        }
    }

    fn make_claim(&self, name: &str, text: &str) -> io::Result<Folder> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(0o644);
        let fd = rustix::fs::openat(&self.fd, name, flags | OFlags::CLOEXEC, mode)?;
        let _ = rustix::fs::fchmod(&fd, mode);
        let written = File::from(fd).write_all(text.as_bytes()).and_then(|()| self.try_clone());
        if written.is_err() {
            self.remove(name)?;
        }
        written
    }

    /// Whether nobody has the claim any more; then it is gone.
    fn abandoned(&self, name: &str) -> io::Result<bool> {
        let Some((text, _)) = self.read_if_there(name)? else { return Ok(true) };
        if !Maker::parse(&text).is_some_and(|maker| maker.is_gone()) {
            return Ok(false);
        }
        // Another run may see the same, remove it and make its own: what goes is looked at again under a name
        // that nobody else uses.
        let aside = format!("{name}.{}{}", std::process::id(), crate::disk::TEMP_SUFFIX);
        match rustix::fs::renameat(&self.fd, name, &self.fd, &aside) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        let taken = self.read(&aside).map(|(bytes, _)| bytes);
        if taken.is_ok_and(|taken| taken == text) {
            self.remove(&aside)?;
            return Ok(true);
        }
        rustix::fs::renameat(&self.fd, &aside, &self.fd, name)?;
        Ok(false)
    }

    /// Who made a claim that is a minute old.
    fn claimed_for_long(&self, name: &str) -> Option<String> {
        let (text, stamp) = self.read_if_there(name).ok()??;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let made = u64::try_from(stamp.mtime).ok()? / 1_000_000_000;
        let age = now.as_secs().checked_sub(made).filter(|age| *age >= holder::LONG)?;
        let who = Maker::parse(&text).map_or_else(
            || format!("the maker of `{name}`"),
            |maker| format!("process {} on {}", maker.pid, maker.host()),
        );
        let since = holder::ago(age);
        Some(format!("{who} does not let go for {since}; if it is gone, remove `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::time::Duration;

    use super::*;

    #[test]
    fn a_claim_keeps_others_out_until_it_is_dropped_or_its_maker_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let soon = || Instant::now() + Duration::from_millis(50);
        let first = folder.claim("l", soon());
        assert!(first.held().is_some());
        assert!(matches!(folder.claim("l", soon()), Lock::Busy(Busy { stuck: None })));
        drop(first);
        assert!(!dir.path().join("l-held").exists());
        // A process that cannot be: ids end long before.
        let own = Maker::this_process();
        let gone = Maker { pid: i32::MAX, ..own.clone() }.to_string();
        std::fs::write(dir.path().join("l-held"), gone).unwrap();
        assert!(folder.claim("l", soon()).held().is_some());
        // A process of another machine may be alive, and one that is named so for a minute is told.
        let far = Maker { host: "elsewhere/1".to_owned(), ..own };
        let path = dir.path().join("l-held");
        std::fs::write(&path, far.to_string()).unwrap();
        assert!(matches!(folder.claim("l", soon()), Lock::Busy(Busy { stuck: None })));
        let old = SystemTime::now() - Duration::from_secs(200);
        File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        let Lock::Busy(Busy { stuck: Some(said) }) = folder.claim("l", soon()) else { panic!() };
        let expect = format!("process {} on elsewhere does not let go for 3 minutes; ", far.pid);
        assert!(said.starts_with(&expect) && said.ends_with("remove `l-held`"), "{said}");
    }

    #[test]
    fn of_many_at_once_one_has_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        let inside = std::sync::atomic::AtomicUsize::new(0);
        let done = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let folder = Folder::open(dir.path()).unwrap();
                    for _ in 0..20 {
                        let lock = folder.claim("l", Instant::now() + Duration::from_secs(20));
                        assert!(lock.held().is_some());
                        let others = inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        assert_eq!(others, 0);
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        done.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 160);
    }
}
