//! The section `## Compaction Root` of MEMORY.md, where ROOT.md is mirrored for clients that cannot load it.
//!
//! What stands in the section is written by `compact`. Here the empty section is made, and taken out
//! where it has no business, without a line of the user's.

use super::lines::{Lines, is_blank, trim, with_ending};

/// The section's heading.
pub const HEADING: &str = "## Compaction Root";
/// The line after the section.
pub const END: &str = "<!-- hipocampus:root:end -->";
/// The sections of ROOT.md that are mirrored.
const PARTS: [&str; 3] = ["Active Context", "Recent Patterns", "Topics Index"];

/// Puts an empty section at the end, unless one stands there.
pub fn put(text: &[u8]) -> Vec<u8> {
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

/// Takes the section out. Lines in a section without an end marker (the npm tool's) that are neither
/// its headings and comments nor lines of `root`, ROOT.md, stay.
///
/// # Errors
/// A few words when it cannot be told what is ours: two sections, two markers.
pub fn take_out(text: &[u8], root: &[u8]) -> Result<Vec<u8>, &'static str> {
    let lines = Lines::of(text);
    let code = lines.code();
    let found = headings(&lines);
    let ends: Vec<_> = (0..lines.lines.len())
        .filter(|index| !code[*index] && trim(lines.lines[*index]) == END.as_bytes())
        .collect();
    let start = match found.as_slice() {
        [] if ends.is_empty() => return Ok(text.to_vec()),
        [] => return Err("an end marker without the section `## Compaction Root`"),
        [start] => *start,
        _ => return Err("two sections `## Compaction Root`"),
    };
    let (end, kept) = match ends.as_slice() {
        [end] if *end > start => (end + 1, Vec::new()),
        [] => without_marker(&lines, start, root),
        _ => return Err("two markers `hipocampus:root:end`"),
    };
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

/// The end of a section that nothing marks, and its lines that are the user's.
fn without_marker<'a>(lines: &Lines<'a>, start: usize, root: &[u8]) -> (usize, Vec<&'a [u8]>) {
    let code = lines.code();
    let root: Vec<_> =
        Lines::of(root).lines.into_iter().map(trim).filter(|line| !line.is_empty()).collect();
    let is_next = |index: &usize| {
        !code[*index]
            && matches!(lines.lines[*index], line if line.starts_with(b"## ") || line.starts_with(b"# "))
    };
    let end = (start + 1..lines.lines.len()).find(is_next).unwrap_or(lines.lines.len());
    let is_ours = |line: &[u8]| {
        let line = trim(line);
        let comment = line.starts_with(b"<!--") && line.ends_with(b"-->");
        let heading = line
            .strip_prefix(b"### ")
            .is_some_and(|title| PARTS.iter().any(|part| title.starts_with(part.as_bytes())));
        comment || heading || root.contains(&line)
    };
    let mut kept: Vec<&[u8]> =
        lines.lines[start + 1..end].iter().copied().filter(|line| !is_ours(line)).collect();
    if kept.iter().all(|line| is_blank(line)) {
        kept.clear();
    }
    (end, kept)
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

    #[test]
    fn the_section_goes_in_and_comes_out() {
        for text in ["", "# Memory\n", "# Memory", "a\r\n\r\n", "```\n## Compaction Root\n```\n"] {
            let with = put(text.as_bytes());
            assert_eq!(put(&with), with);
            assert_ne!(with, text.as_bytes());
            assert_eq!(take_out(&with, b"").unwrap(), text.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn only_our_lines_leave() {
        #[track_caller]
        fn check(text: &str, expect: Result<&str, &str>) {
            let out =
                take_out(text.as_bytes(), b"---\ntype: root\n---\n\n## Topics Index\n- auth: x\n");
            let out = out.map(|out| String::from_utf8(out).unwrap());
            assert_eq!(out.as_deref().map_err(|error| *error), expect, "{text}");
        }
        let marked = format!("a\n\n{HEADING}\n### Topics Index\n- anything\n{END}\n\nb\n");
        check(&marked, Ok("a\n\nb\n"));
        check("a\n\n## Compaction Root\n<!-- x -->\n\n### Topics Index\n- auth: x\n", Ok("a\n"));
        check(
            "a\n\n## Compaction Root\n<!-- x -->\n- auth: x\n- mine\n\n## Next\n",
            Ok("a\n\n- mine\n\n## Next\n"),
        );
        check(&format!("{HEADING}\n{HEADING}\n"), Err("two sections `## Compaction Root`"));
        check(&format!("{HEADING}\n{END}\n{END}\n"), Err("two markers `hipocampus:root:end`"));
        check("nothing\n", Ok("nothing\n"));
    }
}
