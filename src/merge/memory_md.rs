//! Merging MEMORY.md: the copy of ROOT.md in it is made again, everything else is somebody's.

use crate::markdown::fence;
use crate::memory::root::{END, HEADING};
use crate::text::{lines, lossy};

use super::three::{self, Both};

/// MEMORY.md of both sides, line by line, one side's copy of ROOT.md in it.
///
/// # Errors
/// When both sides changed the same lines.
pub(super) fn merge(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Vec<u8>, &'static str> {
    // The longer copy, so that it does not matter which side is ours.
    let copies = [section(ours), section(theirs)].into_iter().flatten();
    let copy = copies.max_by_key(|copy| (copy.copy.len(), copy.copy.to_vec()));
    let with_copy = |file: &[u8]| match (section(file), &copy) {
        (Some(found), Some(copy)) => [found.before, copy.copy, found.behind].concat(),
        _ => file.to_vec(),
    };
    let base = base.map(with_copy);
    let merged = three::merge(base.as_deref(), &with_copy(ours), &with_copy(theirs), Both::Refuse);
    merged.ok_or("both sides changed the same lines")
}

/// A file cut around its copy of ROOT.md.
struct Section<'a> {
    before: &'a [u8],
    copy: &'a [u8],
    behind: &'a [u8],
}

/// The copy, from its heading to its last line, where there is exactly one of each.
fn section(file: &[u8]) -> Option<Section<'_>> {
    let text = std::str::from_utf8(file).ok()?;
    let code = fence::code_lines(&lossy(file));
    let mut at = 0;
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for (number, (line, whole)) in lines(text).zip(text.split_inclusive('\n')).enumerate() {
        if !code.get(number).copied().unwrap_or(false) {
            if line.trim_end() == HEADING {
                begins.push(at);
            } else if line.trim_end() == END {
                ends.push(at + whole.len());
            }
        }
        at += whole.len();
    }
    match (&begins[..], &ends[..]) {
        (&[begin], &[end]) if begin < end => {
            Some(Section { before: &file[..begin], copy: &file[begin..end], behind: &file[end..] })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Without an end, nobody knows what is the copy.
        assert!(section(format!("{HEADING}\n- a\n").as_bytes()).is_none());
        assert!(section(format!("{END}\n{HEADING}\n").as_bytes()).is_none());
    }
}
