//! The section of MEMORY.md that mirrors ROOT.md. What is in it is written by `compact`. Here the empty section is
//! made, and taken out where it has no business, without a line of the user's.

use std::ops::Range;

use crate::markdown::page::Page;
pub(crate) use crate::meaning::page::mirror::{END, HEADING};
use crate::meaning::page::mirror::{MirrorError, MirrorSection, Ours, find, is_end};

/// Puts an empty section at the end, unless one is there.
pub(crate) fn put(text: &[u8]) -> Vec<u8> {
    let page = Page::of(text);
    if page.positions(|line| line.is(HEADING)).next().is_some() {
        return text.to_vec();
    }
    page.with_last(&format!("{HEADING}\n{END}\n"))
}

/// Takes the section out. Lines in a section without an end marker (the npm tool's) that the npm tool did not write
/// stay; `root` is ROOT.md, which tells them. `keep_heading` is for a section that was there before us. Fails when it
/// is not clear what is ours.
pub(crate) fn take_out(
    text: &[u8],
    root: &[u8],
    keep_heading: bool,
) -> Result<Vec<u8>, MirrorError> {
    let page = Page::of(text);
    let Some(MirrorSection { lines, end }) = find(&page)? else { return Ok(text.to_vec()) };
    let (end, kept) = match end {
        Some(end) => (end + 1, Vec::new()),
        None => (lines.end, foreign(&page, lines.start + 1..lines.end, root)),
    };
    Ok(if keep_heading {
        page.with(lines.start + 1..end, &kept)
    } else if kept.is_empty() {
        page.without(lines.start..end)
    } else {
        page.with(lines.start..end, &kept)
    })
}

/// Whether a text has the section, and nothing in it is ours or the npm tool's.
pub(crate) fn is_anothers(text: &[u8], root: &[u8]) -> bool {
    let page = Page::of(text);
    let mut headings = page.positions(|line| line.is(HEADING));
    let (Some(heading), None) = (headings.next(), headings.next()) else { return false };
    let ours = Ours::of(root);
    let mut section = page.lines[heading + 1..page.end_of_section(heading)].iter();
    section.all(|line| line.code || line.is_blank() || !(is_end(line) || ours.wrote_line(line)))
}

/// The lines of a section that nothing ends that are the user's; none where all of those are blank.
fn foreign(page: &Page<'_>, section: Range<usize>, root: &[u8]) -> Vec<u8> {
    let ours = Ours::of(root);
    let kept = page.lines[section].iter().filter(|line| line.code || !ours.wrote_line(line));
    let kept: Vec<&[u8]> = kept.map(|line| &page.bytes[line.range.clone()]).collect();
    if kept.iter().all(|line| line.trim_ascii().is_empty()) { Vec::new() } else { kept.concat() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::page::mirror::mirror;

    #[test]
    fn the_section_goes_in_and_comes_out() {
        for text in ["", "# Memory\n", "# Memory", "a\r\n\r\n", "```\n## Compaction Root\n```\n"] {
            let with = put(text.as_bytes());
            assert_eq!(put(&with), with);
            assert_ne!(with, text.as_bytes());
            assert_eq!(take_out(&with, b"", false).unwrap(), text.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn only_our_lines_leave() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            let out = take_out(
                text.as_bytes(),
                b"---\ntype: root\n---\n\n## Topics Index\n- auth: x\n",
                false,
            );
            let out = out.map(|out| String::from_utf8(out).unwrap());
            assert_eq!(out.as_deref(), Ok(expect), "{text}");
        }
        let marked = format!("a\n\n{HEADING}\n### Topics Index\n- anything\n{END}\n\nb\n");
        check(&marked, "a\n\nb\n");
        check(&format!("a\n\n{HEADING}\n- x\n {END}\n\n## Z\n"), "a\n\n## Z\n");
        let npm = "<!-- Auto-synced -->";
        check(
            &format!(
                "a\n\n{HEADING}\n{npm}\n\n### Historical Summary\n### Topics Index\n- auth: x\n"
            ),
            "a\n",
        );
        check(
            &format!("a\n\n{HEADING}\n{npm}\n- auth: x\n- mine\n\n## Next\n"),
            "a\n\n- mine\n\n## Next\n",
        );
        check(
            &format!("{HEADING}\n<!-- mine -->\n### Mine\n```\n- auth: x\n```\n"),
            "<!-- mine -->\n### Mine\n```\n- auth: x\n```\n",
        );
        check("nothing\n", "nothing\n");
    }

    #[test]
    fn doubt_changes_nothing() {
        for doubtful in [
            format!("{HEADING}\n- a\n{HEADING}\n- b\n"),
            format!("{HEADING}\n{END}\n{END}\n"),
            format!("{HEADING}\n- a\n## Core\n{END}\n"),
            format!("{HEADING}\n- a\n##\n{END}\n"),
            format!("{END}\n{HEADING}\n"),
            format!("## Core\n{END}\n"),
        ] {
            assert!(take_out(doubtful.as_bytes(), b"", false).is_err(), "{doubtful}");
            assert!(mirror(doubtful.as_bytes(), None, b"", true).is_err(), "{doubtful}");
        }
    }

    #[test]
    fn what_compact_put_in_comes_out() {
        let root = b"---\ntype: root\n---\n\n## Topics Index\n- auth [project, 3d]: jwt\n";
        for text in ["# M\n\n## Core\n- x\n", "# M\r\n\r\n- x\r\n", ""] {
            let put = mirror(text.as_bytes(), None, root, true).unwrap().unwrap();
            assert_eq!(take_out(&put, root, false).unwrap(), text.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn a_heading_of_the_user_stays() {
        #[track_caller]
        fn check(text: &str, root: &[u8], expect: bool) {
            assert_eq!(is_anothers(text.as_bytes(), root), expect, "{text}");
            if expect {
                let put = mirror(text.as_bytes(), None, root, true).unwrap().unwrap();
                assert_ne!(put, text.as_bytes());
                assert_eq!(String::from_utf8(take_out(&put, root, true).unwrap()).unwrap(), text);
            }
        }
        let root = b"---\ntype: root\n---\n\n## Topics Index\n- auth [project, 3d]: jwt\n";
        check(&format!("# M\n\n{HEADING}\nmine\n\n## After\nx\n"), root, true);
        check(&format!("{HEADING}\n"), root, true);
        check(&format!("# M\n\n{HEADING}\n<!-- Auto-synced -->\n\nmine\n"), root, false);
        check(&format!("# M\n\n{HEADING}\n{END}\n"), root, false);
        check("# M\n", root, false);
    }
}
