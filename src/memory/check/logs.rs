//! What may be wrong with the text of a log.

use super::Finding;
use crate::markdown::block::Blocks;
use crate::markdown::{conflict, fence};
use crate::text::{lines, lossy};

/// NUL bytes, and the lines of a merge that was not finished. Words of a conversation may well be about such lines.
pub fn of(path: &str, bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    if memchr::memchr(0, bytes).is_some() {
        let text = "has NUL bytes in it, as a power cut leaves them";
        found.push(Finding::new(path, "torn log", text, "take them out in an editor"));
    }
    found.extend(conflict_in(path, bytes));
    found
}

/// A merge that was not finished, in any text of ours or the user's.
pub fn conflict_in(path: &str, bytes: &[u8]) -> Option<Finding> {
    memchr::memmem::find(bytes, b"<<<<<<<")?;
    let text = lossy(bytes);
    let code = fence::code_lines(&text);
    let mut blocks = Blocks::before(lines(&text));
    let mut own = String::new();
    for (index, line) in lines(&text).enumerate() {
        let spoken = blocks.holds(line);
        if !spoken && !code.get(index).copied().unwrap_or(false) {
            own.push_str(line);
            own.push('\n');
        }
    }
    conflict::is_in(&own).then(|| {
        let text = "a merge left both of its sides in it, and the lines around them";
        Finding::new(
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
}
