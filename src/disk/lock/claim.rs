//! A lock where the file system has none: a folder that only one run can put in its place, with a file in it that
//! says who made it.
//!
//! The file has a name that no other claim ever has. So whoever takes away the file of a run that is gone takes away
//! that one, even if somebody else has meanwhile done the same and made a claim: a claim of a run that is alive is
//! never touched. What is put in its place is complete, so a kill at any moment leaves a claim that names its maker,
//! or none.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::super::folder::{COUNTER, DirEntry, Folder};
use super::super::{TEMP_SUFFIX, system};
use super::held::{Busy, Held, HeldBy, Lock, LockClaim, Pauses};
use super::holder::{self, Maker};

impl Folder {
    /// Takes the lock `name` by putting the folder `name-held` in its place.
    pub(super) fn claim(&self, name: &str, until: Instant) -> Lock {
        let name = format!("{name}-held");
        let mut pauses = Pauses::default();
        loop {
            match self.claim_if_free(&name) {
                Ok(Some(claim)) => return Lock::Held(Held(HeldBy::Claim(claim))),
                Ok(None) if pauses.next_before(until) => {}
                Ok(None) => return Lock::Busy(Busy { stuck: self.claimed_for_long(&name) }),
                Err(error) => return Lock::Unavailable(error),
            }
        }
    }

    fn claim_if_free(&self, name: &str) -> io::Result<Option<LockClaim>> {
        if self.is_claimed(name)? {
            return Ok(None);
        }
        let Some((prepared, inside, file)) = self.prepare_claim(name)? else { return Ok(None) };
        let claim = LockClaim { folder: self.try_clone()?, name: name.to_owned(), inside, file };
        // Fails where there is a folder with something in it. Some file systems do not replace an empty one.
        let placed = match rustix::fs::renameat(&self.fd, &prepared, &self.fd, name) {
            Err(Errno::EXIST | Errno::NOTEMPTY) if self.remove_folder(name)? => {
                rustix::fs::renameat(&self.fd, &prepared, &self.fd, name)
            }
            placed => placed,
        };
        match placed {
            // One that had the lock while this one was prepared may have taken it for a left-over, and emptied it.
            Ok(()) if claim.inside.entry(&claim.file)?.is_none() => Ok(None),
            Ok(()) => {
                self.remove_prepared_claims(name);
                Ok(Some(claim))
            }
            Err(error) => {
                drop(claim);
                let _ = self.remove_folder(&prepared);
                match error {
                    Errno::EXIST | Errno::NOTEMPTY | Errno::NOENT => Ok(None),
                    error => Err(error.into()),
                }
            }
        }
    }

    /// Whether somebody has the claim. That of a run that is gone is taken away.
    fn is_claimed(&self, name: &str) -> io::Result<bool> {
        let held = match self.folder(name) {
            Ok(Some(held)) => held,
            Ok(None) => return Ok(false),
            Err(error) if is_no_folder(&error) => return Ok(true),
            Err(error) => return Err(error),
        };
        let files = match held.list(|_| true) {
            // Given back a moment ago.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            files => files?,
        };
        for DirEntry { name, .. } in files {
            let Some((text, _)) = held.read_if_there(&name)? else { continue };
            if !Maker::parse(&text).is_some_and(|maker| maker.is_gone()) {
                return Ok(true);
            }
            held.remove(&name)?;
        }
        Ok(false)
    }

    /// Makes a claim beside where it will stand: the name it has there, the folder, and the name of the file in it.
    /// `None` if somebody else removed it meanwhile.
    fn prepare_claim(&self, name: &str) -> io::Result<Option<(String, Folder, String)>> {
        let (prepared, number) = loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let prepared = format!(".{name}.{}-{number}{TEMP_SUFFIX}", std::process::id());
            match rustix::fs::mkdirat(&self.fd, &prepared, system::mode(0o700)) {
                Ok(()) => break (prepared, number),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        };
        match self.fill_claim(&prepared, number) {
            Ok(Some((inside, file))) => Ok(Some((prepared, inside, file))),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let _ = self.remove_tree(&prepared);
                Err(error)
            }
            _ => Ok(None),
        }
    }

    fn fill_claim(&self, prepared: &str, number: u32) -> io::Result<Option<(Folder, String)>> {
        let Some(inside) = self.folder(prepared)? else { return Ok(None) };
        // Whoever may write where the claim stands may take one over. Some file systems have no modes.
        let mode = system::bits(&rustix::fs::fstat(&self.fd)?) & 0o777;
        let _ = rustix::fs::fchmod(&inside.fd, system::mode(mode));
        let maker = Maker::this_process().to_string();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let file =
            format!("{:016x}-{:x}-{number}", crate::plan::hash(maker.as_bytes()), now.as_nanos());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(0o644);
        let fd = rustix::fs::openat(&inside.fd, &file, flags | OFlags::CLOEXEC, mode)?;
        let _ = rustix::fs::fchmod(&fd, mode);
        File::from(fd).write_all(maker.as_bytes())?;
        Ok(Some((inside, file)))
    }

    /// Removes what killed runs prepared and did not put in its place. Only under the lock.
    fn remove_prepared_claims(&self, name: &str) {
        let start = format!(".{name}.");
        let is_prepared = |name: &str| name.starts_with(&start) && name.ends_with(TEMP_SUFFIX);
        for DirEntry { name, .. } in self.list(is_prepared).unwrap_or_default() {
            let _ = self.remove_tree(&name);
        }
    }

    /// Who made a claim that is a minute old.
    fn claimed_for_long(&self, name: &str) -> Option<String> {
        let held = self.folder(name).ok().flatten();
        let file = held.as_ref().and_then(|held| held.list(|_| true).ok()?.pop());
        let text = held.zip(file.as_ref()).map(|(held, file)| held.text(&file.name));
        let made = file.or(self.entry(name).ok()?)?.stamp.mtime;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let made = u64::try_from(made).ok()? / 1_000_000_000;
        let age = now.as_secs().checked_sub(made).filter(|age| *age >= holder::LONG)?;
        let who = text.and_then(|text| Maker::parse(text.as_bytes())).map_or_else(
            || format!("the maker of `{name}`"),
            |maker| format!("process {} on {}", maker.pid, maker.host()),
        );
        let since = holder::ago(age);
        Some(format!("{who} does not let go for {since}; if it is gone, remove `{name}`"))
    }
}

/// Whether an error says that what was to be opened is a file, a link or a device.
fn is_no_folder(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOTDIR | Errno::LOOP))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    /// Whether one that has a little time gets the lock, which it gives back at once.
    fn is_free(folder: &Folder) -> bool {
        folder.claim("l", soon()).held().is_some()
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(dir).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// A claim of another process; the path of the file in it.
    fn made_by(maker: &Maker, dir: &Path) -> PathBuf {
        std::fs::create_dir(dir.join("l-held")).unwrap();
        let path = dir.join("l-held/0-0-0");
        std::fs::write(&path, maker.to_string()).unwrap();
        path
    }

    /// A process that cannot be: ids end long before.
    fn nobody() -> Maker {
        Maker { pid: i32::MAX, ..Maker::this_process() }
    }

    #[test]
    fn a_claim_keeps_others_out_until_it_is_dropped_or_its_maker_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), Permissions::from_mode(0o770)).unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let first = folder.claim("l", soon());
        assert!(first.held().is_some());
        assert_eq!(names(dir.path()), ["l-held"]);
        // Whoever may write in the memory may take over what is left in it.
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        assert_eq!(mode(&dir.path().join("l-held")), mode(dir.path()));
        assert!(matches!(folder.claim("l", soon()), Lock::Busy(Busy { stuck: None })));
        drop(first);
        assert!(names(dir.path()).is_empty());
        made_by(&nobody(), dir.path());
        assert!(is_free(&folder));
        // A process of another machine may be alive, and one that holds it for a minute is reported.
        let far = Maker { host: "elsewhere/1".to_owned(), ..Maker::this_process() };
        let path = made_by(&far, dir.path());
        assert!(matches!(folder.claim("l", soon()), Lock::Busy(Busy { stuck: None })));
        let old = SystemTime::now() - Duration::from_secs(200);
        File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        let Lock::Busy(Busy { stuck: Some(said) }) = folder.claim("l", soon()) else { panic!() };
        let expect = format!("process {} on elsewhere does not let go for 3 minutes; ", far.pid);
        assert!(said.starts_with(&expect) && said.ends_with("remove `l-held`"), "{said}");
    }

    #[test]
    fn what_a_kill_left_at_any_moment_keeps_nobody_out() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        // Before the first letter, before it was put in its place, and between the two steps of giving it back.
        let prepared = |number: u32| dir.path().join(format!(".l-held.1-{number}{TEMP_SUFFIX}"));
        std::fs::create_dir(prepared(0)).unwrap();
        std::fs::create_dir(prepared(1)).unwrap();
        std::fs::write(prepared(1).join("0-0-0"), "").unwrap();
        std::fs::create_dir(prepared(2)).unwrap();
        std::fs::write(prepared(2).join("0-0-0"), nobody().to_string()).unwrap();
        std::fs::create_dir(dir.path().join("l-held")).unwrap();
        // Of another lock.
        std::fs::create_dir(dir.path().join(format!(".k-held.1-0{TEMP_SUFFIX}"))).unwrap();
        assert!(is_free(&folder));
        assert_eq!(names(dir.path()), [format!(".k-held.1-0{TEMP_SUFFIX}")]);
    }

    #[test]
    fn what_is_no_claim_is_left_where_it_is_and_named() {
        for is_link in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let folder = Folder::open(dir.path()).unwrap();
            let path = dir.path().join("l-held");
            if is_link {
                std::os::unix::fs::symlink(dir.path(), &path).unwrap();
            } else {
                std::fs::write(&path, nobody().to_string()).unwrap();
                let old = SystemTime::now() - Duration::from_secs(200);
                File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
            }
            let Lock::Busy(Busy { stuck }) = folder.claim("l", soon()) else { panic!() };
            let expect = "the maker of `l-held` does not let go for 3 minutes; if it is gone, remove `l-held`";
            assert_eq!(stuck.as_deref(), Some(expect).filter(|_| !is_link));
            assert!(path.symlink_metadata().is_ok());
        }
    }

    /// Runs `each` for every claim that any of many threads gets, and looks that nobody else has one then.
    fn at_once(dir: &Path, each: impl Fn(&Folder, Lock) + Sync) {
        let (inside, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let folder = Folder::open(dir).unwrap();
                    for _ in 0..40 {
                        let lock = folder.claim("l", Instant::now() + Duration::from_secs(20));
                        assert!(lock.held().is_some(), "{lock:?}");
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                        each(&folder, lock);
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 320);
    }

    #[test]
    fn of_many_at_once_one_has_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        at_once(dir.path(), |_, lock| drop(lock));
        assert!(names(dir.path()).is_empty());
    }

    /// What a run that has the lock sweeps away may be what another one is about to put in its place.
    #[test]
    fn of_many_who_take_over_what_dead_runs_left_one_has_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        at_once(dir.path(), |folder, lock| {
            for name in names(dir.path()).iter().filter(|name| name.ends_with(TEMP_SUFFIX)) {
                let _ = folder.remove(name);
            }
            let held = dir.path().join("l-held");
            let [file] = &*names(&held) else { panic!() };
            let dead = held.join(format!("dead-{file}"));
            std::fs::rename(held.join(file), &dead).unwrap();
            std::fs::write(&dead, nobody().to_string()).unwrap();
            drop(lock);
        });
        assert!(is_free(&Folder::open(dir.path()).unwrap()));
        assert!(names(dir.path()).is_empty());
    }
}
