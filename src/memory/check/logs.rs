//! What may be wrong with the text of a log.

use super::{CheckFinding, Fix};
use crate::markdown::block::Blocks;
use crate::markdown::{conflict, fence};
use crate::merge;
use crate::plan::hash;
use crate::text::{counted, lines, lossy};

/// NUL bytes, and the lines of a merge that was not finished. Words of a session may well be about such lines.
pub(crate) fn of(path: &str, bytes: &[u8]) -> Vec<CheckFinding> {
    let mut found = Vec::new();
    if memchr::memchr(0, bytes).is_some() {
        let text = "has NUL bytes in it, as a power cut leaves them";
        found.push(CheckFinding::new(path, "torn log", text, "take them out in an editor"));
    }
    let conflict = conflict_in(path, bytes).map(|found| match merge::mend_markers(bytes) {
        Some(_) => CheckFinding::fixed(path, "conflict", found.text, Fix::Join(hash(bytes))),
        None => found,
    });
    found.extend(conflict);
    found
}

/// That a conflict copy of a log says something that the log does not. One that says nothing of its own is no damage:
/// its user deletes it.
pub(crate) fn of_copy(
    path: &str,
    copy: &[u8],
    name: &str,
    log: Option<&[u8]>,
) -> Option<CheckFinding> {
    let log = log.unwrap_or_default();
    let new = merge::log::count_missing(copy, log);
    let joined = merge::log::union(&[log, copy], &|_| false).ok();
    let said = joined.is_none_or(|joined| merge::log::count_missing(&joined, log) > 0);
    (new > 0 && said).then(|| {
        let what = counted(new, "part");
        let text = format!("a conflict copy of `{name}`: {what} of it are nowhere else");
        CheckFinding::fixed(path, "conflict copy", text, Fix::Copy(hash(copy)))
    })
}

/// A merge that was not finished, in any text of ours or the user's.
pub(crate) fn conflict_in(path: &str, bytes: &[u8]) -> Option<CheckFinding> {
    memchr::memmem::find(bytes, b"<<<<<<<")?;
    let text = lossy(bytes);
    let mut blocks = Blocks::before(lines(&text));
    let mut own = String::new();
    for line in fence::lines(&text) {
        let spoken = blocks.holds(line.text);
        if !spoken && !line.code {
            own.push_str(line.text);
            own.push('\n');
        }
    }
    conflict::is_in(&own).then(|| {
        let text = "a merge left both of its sides in it, and the lines around them";
        CheckFinding::new(
            path,
            "conflict",
            text,
            "take out the lines with `<<<<<<<`, `=======` and `>>>>>>>` in an editor",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_is_told_from_talk_about_one() {
        let merge = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n";
        let check = |log: &str, expect: bool| {
            assert_eq!(!of("memory/2026-03-15.md", log.as_bytes()).is_empty(), expect, "{log}");
        };
        check(&format!("## A [project]\n{merge}"), true);
        check(&format!("## A [project]\n```\n{merge}```\n"), false);
        check(
            &format!(
                "<!-- hipocampus:session s 0-9 -->\n**User:** why this?\n{merge}<!-- hipocampus:end s 9 -->\n"
            ),
            false,
        );
        check("## A\n<<<<<<< only this\n", false);
        check("## A\n- x\n\0\0\0", true);
    }

    #[test]
    fn a_copy_is_a_damage_as_long_as_it_says_something_of_its_own() {
        let check = |copy: &str, log: &str, expect: bool| {
            let found = of_copy("a", copy.as_bytes(), "b", Some(log.as_bytes()));
            assert_eq!(found.is_some(), expect, "{copy} {log}");
        };
        check("## A\n- x\n", "## A\n- x\n", false);
        check("## A\n- x\n", "## A\n- x\n- y\n", false);
        check("## A\n- x\n- y\n", "## A\n- x\n", true);
        check("## B\n- x\n", "## A\n- x\n", true);
        check("", "## A\n- x\n", false);
    }
}
