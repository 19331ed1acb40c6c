//! Merging MEMORY.md: the copy of ROOT.md in it is made again, everything else is somebody's.

use super::MergeError;
use crate::meaning::page::mirror::copy;

use super::three::{self, OnBothSides};

/// MEMORY.md of both sides, line by line, one side's copy of ROOT.md in it. Fails when both sides changed the same
/// lines.
pub(super) fn merge(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Vec<u8>, MergeError> {
    // The longer copy, so that it does not matter which side is ours.
    let copies = [ours, theirs].into_iter().filter_map(|file| Some(&file[copy(file)?]));
    let longest = copies.max_by_key(|copy| (copy.len(), copy.to_vec()));
    let with_copy = |file: &[u8]| match (copy(file), longest) {
        (Some(here), Some(copy)) => [&file[..here.start], copy, &file[here.end..]].concat(),
        _ => file.to_vec(),
    };
    let base = base.map(with_copy);
    let merged =
        three::merge(base.as_deref(), &with_copy(ours), &with_copy(theirs), OnBothSides::Refuse);
    merged.ok_or(MergeError::SameLines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::page::mirror::{END, HEADING};

    #[test]
    fn the_copy_never_conflicts() {
        let file = |core: &str, copy: &str, rest: &str| {
            format!("## Core\n{core}\n{HEADING}\n\n{copy}\n{END}\n{rest}").into_bytes()
        };
        let was = file("- a\n", "- one\n", "## Adaptive\n");
        let ours = file("- a\n- b\n", "- two\n", "## Adaptive\n");
        let theirs = file("- a\n", "- three\n", "## Adaptive\n- c\n");
        let merged = merge(Some(&was), &ours, &theirs).unwrap();
        assert_eq!(merged, file("- a\n- b\n", "- three\n", "## Adaptive\n- c\n"));
        assert_eq!(merge(Some(&was), &theirs, &ours).unwrap(), merged);
        let other = file("- z\n", "- one\n", "## Adaptive\n");
        assert!(merge(Some(&was), &ours, &other).is_err());
        // Without an end where it belongs, nobody knows what is the copy.
        for text in [
            format!("{HEADING}\n- a\n"),
            format!("{END}\n{HEADING}\n"),
            format!("{HEADING}\n- a\n## Core\n- mine\n{END}\n"),
        ] {
            assert!(copy(text.as_bytes()).is_none(), "{text}");
        }
        let torn = |core: &str| format!("{HEADING}\n## Core\n{core}{END}\n").into_bytes();
        let (was, ours, theirs) =
            (torn("- a\n"), torn("- a\n- mine\n"), torn("- a\n- a longer line\n"));
        assert!(merge(Some(&was), &ours, &theirs).is_err());
    }
}
