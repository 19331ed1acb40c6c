//! Opening a transcript, whose path comes from outside: only a regular `.jsonl` file of the same user,
//! through no link, without ever waiting for it.

use std::fs::File;
use std::path::Path;

use super::folder::stamp_of;
use super::store::{NotRead, StoreError, open_regular};

#[derive(Debug)]
pub(crate) struct Transcript {
    pub file: File,
    /// its size when it was opened, in bytes; what comes later is for the next run
    pub size: u64,
    /// when it was last written to, in nanoseconds since 1970
    pub written: i64,
}

impl Transcript {
    pub(crate) fn open(path: &Path) -> Result<Self, NotRead> {
        let refused = |why| NotRead::of(path, why);
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            return Err(refused(StoreError::Refused("its name does not end in `.jsonl`")));
        }
        Self::stored(path).map_err(refused)
    }

    /// Opens one whatever it is called.
    pub(crate) fn stored(path: &Path) -> Result<Self, StoreError> {
        let (file, stat) = open_regular(path)?;
        let stamp = stamp_of(&stat);
        Ok(Self { file, size: stamp.size, written: stamp.mtime })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    #[test]
    fn only_a_regular_file_of_ours_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("good.jsonl"), "x").unwrap();
        std::fs::write(at("bad.txt"), "x").unwrap();
        std::fs::create_dir(at("folder.jsonl")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", at("link.jsonl")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe.jsonl")).status();
        assert!(made.unwrap().success());
        let check = |name: &str, expect: &str| {
            let said = crate::disk::describe(&Transcript::open(&at(name)).unwrap_err());
            assert!(said.ends_with(expect) && !said.contains('\n'), "{said}");
        };
        assert_eq!(Transcript::open(&at("good.jsonl")).unwrap().size, 1);
        check("bad.txt", "its name does not end in `.jsonl`");
        check("folder.jsonl", "it is not a regular file");
        check("link.jsonl", "it is a link");
        check("pipe.jsonl", "it is not a regular file");
        check("missing.jsonl", "there is no such file");
    }
}
