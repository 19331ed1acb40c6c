//! What changed between two texts, line by line.

use std::fmt::Write as _;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp, group_diff_ops};

/// How the second list of lines comes from the first. The way of Myers is called by its name: whoever lets a value
/// choose has every other way in the program as well, which are 200 KB.
pub(crate) fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    match myers::diff(&mut found, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => found.into_inner().into_inner().into_ops(),
        Err(never) => match never {},
    }
}

/// Lines with their ends; the last one may lack its own.
pub(crate) fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The changes as `diff -U` prints them, with so many lines around each, without the names of files.
pub(crate) fn unified(old: &[u8], new: &[u8], around: usize) -> String {
    let (old, new) = (lines(old), lines(new));
    let mut text = String::new();
    for hunk in group_diff_ops(changes(&old, &new), around) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let range = |from: usize, to: usize| match to - from {
            0 => format!("{from},0"),
            1 => format!("{}", from + 1),
            count => format!("{},{count}", from + 1),
        };
        let was = range(first.old_range().start, last.old_range().end);
        let is = range(first.new_range().start, last.new_range().end);
        let _ = writeln!(text, "@@ -{was} +{is} @@");
        for change in hunk.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            text.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            let line = String::from_utf8_lossy(change.value());
            text.push_str(&line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_as_diff_shows_them() {
        #[track_caller]
        fn check(old: &str, new: &str, expect: &str) {
            let text = |text: &str| text.replace('|', "\n");
            let found = unified(text(old).as_bytes(), text(new).as_bytes(), 1);
            assert_eq!(found, text(expect));
        }
        check("a|b|", "a|b|", "");
        check("", "a|b|", "@@ -0,0 +1,2 @@|+a|+b|");
        check("a|", "", "@@ -1 +0,0 @@|-a|");
        check("a|b|c|d|e|", "a|b|x|d|e|", "@@ -2,3 +2,3 @@| b|-c|+x| d|");
        check("a|b|c|d|e|f|", "x|b|c|d|e|", "@@ -1,2 +1,2 @@|-a|+x| b|@@ -5,2 +5 @@| e|-f|");
        check("a|b", "a|b|", "@@ -1,2 +1,2 @@| a|-b|\\ No newline at end of file|+b|");
    }
}
