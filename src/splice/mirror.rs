//! The section `## Compaction Root` of MEMORY.md, where ROOT.md is mirrored for clients that cannot load it.
//!
//! What stands in the section is written by `compact`. Here the empty section is made, and taken out
//! where it has no business, without a line of the user's.

use std::ops::Range;

use super::lines::{Lines, is_blank, trim, with_ending};
use crate::markdown::heading::opens_section;
use crate::memory::root::Ours;
pub(crate) use crate::memory::root::{END, HEADING};

/// Puts an empty section at the end, unless one stands there.
pub(crate) fn put(text: &[u8]) -> Vec<u8> {
    let lines = Lines::of(text);
    if !headings(&lines).is_empty() {
        return text.to_vec();
    }
    let ending = lines.ending();
    let mut section = with_ending(&format!("{HEADING}\n{END}\n"), ending);
    if !text.is_empty() {
        section.splice(0..0, ending.bytes());
        if !text.ends_with(b"\n") {
            section.truncate(section.len() - ending.len());
            section.splice(0..0, ending.bytes());
        }
    }
    [text, &section].concat()
}

/// Takes the section out. Lines in a section without an end marker (the npm tool's) that the npm tool did not
/// write stay; `root` is ROOT.md, which tells them. `keep_heading` is for a section that was there before us.
///
/// # Errors
/// A few words when it cannot be told what is ours: two sections, two markers, a marker in another place.
pub(crate) fn take_out(
    text: &[u8],
    root: &[u8],
    keep_heading: bool,
) -> Result<Vec<u8>, &'static str> {
    let lines = Lines::of(text);
    let code = lines.code();
    let found = headings(&lines);
    let ends: Vec<_> = (0..lines.lines.len())
        .filter(|index| !code[*index] && lines.lines[*index].trim_ascii() == END.as_bytes())
        .collect();
    let start = match found.as_slice() {
        [] if ends.is_empty() => return Ok(text.to_vec()),
        [] => return Err("an end marker without the section `## Compaction Root`"),
        [start] => *start,
        _ => return Err("two sections `## Compaction Root`"),
    };
    let is_next = |index: &usize| !code[*index] && is_section_heading(lines.lines[*index]);
    let next = (start + 1..lines.lines.len()).find(is_next).unwrap_or(lines.lines.len());
    let (end, kept) = match ends.as_slice() {
        [end] if (start..next).contains(end) => (end + 1, Vec::new()),
        [_] => return Err("an end marker outside the section `## Compaction Root`"),
        [] => (next, foreign(&lines, &code, start + 1..next, root)),
        _ => return Err("two markers `<!-- hipocampus:root:end -->`"),
    };
    if keep_heading {
        return Ok(lines.with(start + 1..end, &kept.concat()));
    }
    let open_end = end == lines.lines.len() && !lines.lines[end - 1].ends_with(b"\n");
    if !kept.is_empty() {
        return Ok(lines.with(start..end, &kept.concat()));
    }
    let blank = start.checked_sub(1).filter(|before| is_blank(lines.lines[*before]));
    let from = blank.unwrap_or(start);
    if open_end && let Some(last) = from.checked_sub(1) {
        let line = lines.lines[last];
        let kept = line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")).unwrap_or(line);
        return Ok(lines.with(last..end, kept));
    }
    Ok(lines.with(from..end, b""))
}

/// Whether a text has the section, and nothing in it is ours or the npm tool's.
pub(crate) fn is_anothers(text: &[u8], root: &[u8]) -> bool {
    let lines = Lines::of(text);
    let code = lines.code();
    let [start] = headings(&lines)[..] else { return false };
    let ours = Ours::of(root);
    let section = (start + 1..lines.lines.len())
        .take_while(|at| code[*at] || !is_section_heading(lines.lines[*at]));
    section.filter(|at| !code[*at] && !is_blank(lines.lines[*at])).all(|at| {
        let line = lines.lines[at];
        line.trim_ascii() != END.as_bytes()
            && !std::str::from_utf8(line).is_ok_and(|line| ours.wrote(line))
    })
}

/// The lines of a section that nothing ends that are the user's; none where all of those are blank.
fn foreign<'a>(
    lines: &Lines<'a>,
    code: &[bool],
    section: Range<usize>,
    root: &[u8],
) -> Vec<&'a [u8]> {
    let ours = Ours::of(root);
    let is_ours = |at: usize| {
        !code[at] && std::str::from_utf8(lines.lines[at]).is_ok_and(|line| ours.wrote(line))
    };
    let kept: Vec<_> = section.filter(|at| !is_ours(*at)).map(|at| lines.lines[at]).collect();
    if kept.iter().all(|line| is_blank(line)) { Vec::new() } else { kept }
}

fn is_section_heading(line: &[u8]) -> bool {
    opens_section(&String::from_utf8_lossy(line))
}

fn headings(lines: &Lines<'_>) -> Vec<usize> {
    let code = lines.code();
    let all = lines.lines.iter().enumerate();
    all.filter(|(index, line)| !code[*index] && trim(line) == HEADING.as_bytes())
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::root::mirror;

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
        fn check(text: &str, expect: Result<&str, &str>) {
            let out = take_out(
                text.as_bytes(),
                b"---\ntype: root\n---\n\n## Topics Index\n- auth: x\n",
                false,
            );
            let out = out.map(|out| String::from_utf8(out).unwrap());
            assert_eq!(out.as_deref().map_err(|error| *error), expect, "{text}");
        }
        let marked = format!("a\n\n{HEADING}\n### Topics Index\n- anything\n{END}\n\nb\n");
        check(&marked, Ok("a\n\nb\n"));
        check(&format!("a\n\n{HEADING}\n- x\n {END}\n\n## Z\n"), Ok("a\n\n## Z\n"));
        let npm = "<!-- Auto-synced -->";
        check(
            &format!(
                "a\n\n{HEADING}\n{npm}\n\n### Historical Summary\n### Topics Index\n- auth: x\n"
            ),
            Ok("a\n"),
        );
        check(
            &format!("a\n\n{HEADING}\n{npm}\n- auth: x\n- mine\n\n## Next\n"),
            Ok("a\n\n- mine\n\n## Next\n"),
        );
        check(
            &format!("{HEADING}\n<!-- mine -->\n### Mine\n```\n- auth: x\n```\n"),
            Ok("<!-- mine -->\n### Mine\n```\n- auth: x\n```\n"),
        );
        check("nothing\n", Ok("nothing\n"));
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
