//! Our lines of `.gitignore` and `.gitattributes`: a comment and the paths below it.

use std::ops::Range;

use super::npm_tool;
use crate::markdown::page::{Page, PageLine};

/// The line our part begins with.
const HEADING: &str = "# hipocampus: personal memory, not for the repository";

/// The line our part of `.gitattributes` begins with.
pub(crate) const ATTRIBUTES: &str = "# hipocampus: how git merges the memory";

/// Puts the lines at the end, or refreshes them where they stand. `known` are all lines we may ever
/// have written.
pub(crate) fn put(text: &[u8], wanted: &[String], known: &[String]) -> Vec<u8> {
    put_below(HEADING, text, wanted, known)
}

/// The same below another comment.
pub(crate) fn put_below(
    heading: &str,
    text: &[u8],
    wanted: &[String],
    known: &[String],
) -> Vec<u8> {
    let part = format!("{heading}\n{}\n", wanted.join("\n"));
    // Found before the others go: what slides up below it may be a line of the user's that reads like one of ours.
    let page = Page::of(text);
    let Some(first) = parts(&page, heading, known).into_iter().next() else {
        return page.with_last(&part);
    };
    let mut text = text.to_vec();
    loop {
        let page = Page::of(&text);
        match parts(&page, heading, known).into_iter().nth(1) {
            Some(extra) => text = page.without(extra),
            None => return page.with_part(first, &part),
        }
    }
}

/// Those of our lines about the user's profile that are in our part, or in the npm tool's.
pub(crate) fn profile_lines(text: &[u8], known: &[String]) -> Vec<&'static str> {
    let page = Page::of(text);
    let parts = parts(&page, HEADING, known);
    let ours = || parts.iter().flat_map(|part| &page.lines[part.clone()]);
    let stands = |line: &&str| ours().any(|ours| ours.is(line) || ours.is(&line[1..]));
    ["/MEMORY.md", "/USER.md"].into_iter().filter(stands).collect()
}

/// Takes our lines out, and the blank line that set them apart.
pub(crate) fn take_out(text: &[u8], known: &[String]) -> Vec<u8> {
    take_out_below(HEADING, text, known)
}

/// The same below another comment.
pub(crate) fn take_out_below(heading: &str, text: &[u8], known: &[String]) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        let page = Page::of(&text);
        let Some(part) = parts(&page, heading, known).into_iter().next() else { return text };
        text = page.without(part);
    }
}

fn parts(page: &Page<'_>, heading: &str, known: &[String]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = page.lines.get(at) {
        let ours = first.is(heading);
        let npm = heading == HEADING && npm_tool::IGNORE_HEADINGS.iter().any(|npm| first.is(npm));
        let start = at;
        at += 1;
        if !ours && !npm {
            continue;
        }
        let belongs = |line: &PageLine<'_>| {
            ours && known.iter().any(|known| line.is(known))
                || npm && npm_tool::IGNORE_LINES.iter().any(|known| line.is(known))
        };
        at += page.lines[at..].iter().take_while(|line| belongs(line)).count();
        parts.push(start..at);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<String> {
        ["/memory/", "/plans/", "/USER.md"].map(str::to_owned).to_vec()
    }

    #[test]
    fn lines_go_in_and_come_out() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            let with = put(text.as_bytes(), &known()[..2], &known());
            let expect = expect.replace('H', HEADING);
            assert_eq!(String::from_utf8_lossy(&with), expect, "{text:?}");
            assert_eq!(put(&with, &known()[..2], &known()), with);
            assert_eq!(take_out(&with, &known()), text.as_bytes(), "{text:?}");
        }
        check("", "H\n/memory/\n/plans/\n");
        check("a\n", "a\n\nH\n/memory/\n/plans/\n");
        check("a", "a\n\nH\n/memory/\n/plans/");
        check("a\n\n", "a\n\n\nH\n/memory/\n/plans/\n");
        check("a\r\nb", "a\r\nb\r\n\r\nH\r\n/memory/\r\n/plans/");
        check("\n", "\n\nH\n/memory/\n/plans/\n");
        check("\u{feff}memory/\n", "\u{feff}memory/\n\nH\n/memory/\n/plans/\n");
    }

    #[test]
    fn the_users_lines_around_stay() {
        let text = format!("a\n\n{HEADING}\n/memory/\n/USER.md\n/mine/\n");
        let new = put(text.as_bytes(), &known()[..1], &known());
        assert_eq!(String::from_utf8_lossy(&new), format!("a\n\n{HEADING}\n/memory/\n/mine/\n"));
        assert_eq!(take_out(&new, &known()), b"a\n/mine/\n");
    }

    #[test]
    fn a_line_of_the_users_below_a_second_part_stays() {
        let npm = npm_tool::IGNORE_HEADINGS[0];
        let text = format!("{npm}\nMEMORY.md\n\n{HEADING}\n/memory/\nplans/\n");
        let once = put(text.as_bytes(), &known()[..1], &known());
        assert_eq!(String::from_utf8_lossy(&once), format!("{HEADING}\n/memory/\nplans/\n"));
        assert_eq!(put(&once, &known()[..1], &known()), once);
    }

    #[test]
    fn the_npm_tools_lines_are_replaced() {
        let [first, second] = npm_tool::IGNORE_HEADINGS;
        let text = format!(
            "x\n\n{first}\nMEMORY.md\nmemory/\n\n{second}\n.opencode/plugins/hipocampus.js\ny\n"
        );
        let new = put(text.as_bytes(), &known()[..1], &known());
        assert_eq!(String::from_utf8_lossy(&new), format!("x\n\n{HEADING}\n/memory/\ny\n"));
        assert_eq!(take_out(text.as_bytes(), &known()), b"x\ny\n");
    }
}
