//! How the files of a memory are merged where two clones, or two folders, have gone apart.
//!
//! Pure: bytes of a common version and of both sides in, bytes out. What is merged does not depend on which side is
//! ours, nor on the order in which several sides come together, so that every clone ends at the same bytes. Where the
//! command line comes in, see `commands/merge_file.rs` (called by git) and `commands/merge.rs`. The rules are in
//! `spec/sharing.md`.
//!
//! Not here: files that nobody but their owner has (caches, locks, backups), and those we do not know, which git merges
//! by itself.

pub(crate) mod log;
mod memory_md;
mod names;
pub(crate) mod node;
mod state;
mod three;

pub(crate) use log::LogPart;
pub(crate) use names::{FileKind, copy_of, kind, log_copied_in};

use crate::memory::forgotten;

/// The most bytes of a side: 64 MiB. A log of a day has a few hundred KiB.
pub(crate) const LIMIT: u64 = 64 * 1024 * 1024;

/// A log without the marks of a merge that was not finished: both its sides are in it. `None` for one that has none.
pub(crate) fn mend_markers(log: &[u8]) -> Option<Vec<u8>> {
    log::mended(log)
}

/// What is wrong with a side, so that nothing is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MergeError {
    /// more than [`LIMIT`]
    #[error("it is larger than 64 MiB")]
    TooLarge,
    /// NUL bytes, or UTF-16
    #[error("it is not a text")]
    NotText,
    /// a state file
    #[error("it is not a JSON object")]
    NotObject,
    #[error("it has too many blocks of one session")]
    TooManyBlocks,
    /// both sides have their own of what can be there once
    #[error("both sides changed the same lines")]
    SameLines,
}

/// Merges a file. Where one side is as the common version was, the bytes of the other stand. `forgotten` is asked of
/// every part of a log whether it was forgotten on purpose, and so stays away. An error says what is wrong with a side;
/// then nothing is to be changed.
pub(crate) fn merge(
    kind: FileKind,
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
    forgotten: &dyn Fn(LogPart<'_>) -> bool,
) -> Result<Vec<u8>, MergeError> {
    for side in [ours, theirs] {
        check(kind, side)?;
    }
    if ours == theirs || base == Some(theirs) {
        return Ok(ours.to_vec());
    }
    if base == Some(ours) {
        return Ok(theirs.to_vec());
    }
    match kind {
        FileKind::Log => match base {
            Some(base) => log::merge(base, ours, theirs, forgotten),
            None => log::union(&[ours, theirs], forgotten),
        },
        FileKind::Node(_) => Ok(node::merge(base, ours, theirs)),
        FileKind::Root => Ok(node::merge_root(base, ours, theirs)),
        FileKind::MemoryMd => memory_md::merge(base, ours, theirs),
        FileKind::State => state::merge(base, ours, theirs),
        FileKind::Forgotten => Ok(forgotten::merge(ours, theirs)),
    }
}

/// Merges a text of which nothing else is known, as git does. Fails as [`merge`] does, and when both sides changed the
/// same lines.
pub(crate) fn line_by_line(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Vec<u8>, MergeError> {
    for side in [ours, theirs] {
        check(FileKind::MemoryMd, side)?;
    }
    let merged =
        three::merge(Some(base.unwrap_or_default()), ours, theirs, three::OnBothSides::Refuse);
    merged.ok_or(MergeError::SameLines)
}

/// Whether a side is something that can be merged.
fn check(kind: FileKind, side: &[u8]) -> Result<(), MergeError> {
    if side.len() as u64 > LIMIT {
        return Err(MergeError::TooLarge);
    }
    // NUL bytes that a crash left at the end of one of our own files are dropped: nothing is lost.
    let may_be_torn = matches!(kind, FileKind::Node(_) | FileKind::State);
    let text = if may_be_torn { without_nul(side) } else { side };
    if memchr::memchr(0, text).is_some()
        || [&b"\xff\xfe"[..], b"\xfe\xff"].iter().any(|bom| side.starts_with(bom))
    {
        return Err(MergeError::NotText);
    }
    Ok(())
}

fn without_nul(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

#[cfg(test)]
mod tests {
    mod clones;

    use super::*;

    #[test]
    fn one_side_stands_where_the_other_is_as_it_was() {
        let merge = |base: &str, ours: &str, theirs: &str| {
            let merged = super::merge(
                FileKind::Log,
                Some(base.as_bytes()),
                ours.as_bytes(),
                theirs.as_bytes(),
                &|_| false,
            );
            String::from_utf8(merged.unwrap()).unwrap()
        };
        assert_eq!(merge("## A\n", "## A\n", "\n\n## odd  \n\n\n"), "\n\n## odd  \n\n\n");
        assert_eq!(merge("## A\n", "\n\n## odd  \n\n\n", "## A\n"), "\n\n## odd  \n\n\n");
        assert_eq!(merge("x", "\n\n## odd  \n\n\n", "\n\n## odd  \n\n\n"), "\n\n## odd  \n\n\n");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let check = |kind, side: &[u8], expect: bool| {
            let merged = merge(kind, None, b"{}", side, &|_| false);
            assert_eq!(merged.is_err(), expect, "{kind:?} {side:?}");
            assert_eq!(merge(kind, None, side, b"{}", &|_| false).is_err(), expect);
        };
        check(FileKind::Log, b"## A\n\0", true);
        check(FileKind::Log, b"\xff\xfe#\0", true);
        check(FileKind::Log, b"## caf\xe9\n", false);
        check(FileKind::State, b"\0\0", false);
        check(FileKind::State, b"[1]", true);
        check(FileKind::Forgotten, b"a\0b", true);
    }

    #[test]
    fn both_sides_are_in_a_merged_log() {
        let (was, ours, theirs) = ("## A\n", "## A\n\n## B\n", "## A\n\n## C\n");
        let merged =
            merge(FileKind::Log, Some(was.as_bytes()), ours.as_bytes(), theirs.as_bytes(), &|_| {
                false
            });
        assert_eq!(String::from_utf8(merged.unwrap()).unwrap().matches("## ").count(), 3);
    }

    #[test]
    fn marks_of_a_merge_go() {
        let log = b"<<<<<<< HEAD\n## A\n=======\n## B\n>>>>>>> b\n";
        let mended = mend_markers(log).unwrap();
        assert!(mended == b"## A\n\n## B\n" || mended == b"## B\n\n## A\n");
    }
}
