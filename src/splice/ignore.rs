//! Our lines of `.gitignore` and `.gitattributes`: a comment and the paths below it.

use super::lines::{Lines, is_blank, trim, with_ending};

/// The line our part begins with.
const HEADING: &str = "# hipocampus: personal memory, not for the repository";

/// The line our part of `.gitattributes` begins with.
pub(crate) const ATTRIBUTES: &str = "# hipocampus: how git merges the memory";

/// How the npm tool's parts begin, and the lines that can follow.
const NPM_HEADINGS: [&str; 2] =
    ["# hipocampus - personal memory (don't commit)", "# hipocampus plugin (generated)"];
const NPM_LINES: [&str; 9] = [
    "MEMORY.md",
    "USER.md",
    "SCRATCHPAD*.md",
    "WORKING*.md",
    "TASK-QUEUE.md",
    "memory/",
    "knowledge/",
    "plans/",
    "tenants/",
];
const NPM_PLUGIN: &str = ".opencode/plugins/hipocampus.js";

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
    let ending = Lines::of(text).ending();
    let mut part = with_ending(&format!("{heading}\n{}\n", wanted.join("\n")), ending);
    let first = parts(&Lines::of(text), heading, known).into_iter().next();
    let Some(first) = first else {
        if !text.is_empty() {
            part.splice(0..0, ending.bytes());
            if !text.ends_with(b"\n") {
                part.truncate(part.len() - ending.len());
                part.splice(0..0, ending.bytes());
            }
        }
        return [text, &part].concat();
    };
    let mut text = text.to_vec();
    loop {
        let lines = Lines::of(&text);
        let Some(extra) = parts(&lines, heading, known).into_iter().nth(1) else { break };
        text = remove(&lines, extra);
    }
    let lines = Lines::of(&text);
    if lines.lines.get(first.end - 1).is_some_and(|line| !line.ends_with(b"\n")) {
        part.truncate(part.len() - ending.len());
    }
    lines.with(first, &part)
}

/// Those of our lines about the user's profile that stand in our part, or in the npm tool's.
pub(crate) fn profile_lines(text: &[u8], known: &[String]) -> Vec<&'static str> {
    let lines = Lines::of(text);
    let ours = parts(&lines, HEADING, known).into_iter().flat_map(|part| &lines.lines[part]);
    let names: Vec<_> =
        ours.map(|line| trim(line)).map(|line| line.strip_prefix(b"/").unwrap_or(line)).collect();
    let stands = |line: &&str| names.contains(&&line.as_bytes()[1..]);
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
        let lines = Lines::of(&text);
        let Some(part) = parts(&lines, heading, known).into_iter().next() else { return text };
        text = remove(&lines, part);
    }
}

fn remove(lines: &Lines<'_>, part: std::ops::Range<usize>) -> Vec<u8> {
    let open_end = part.end == lines.lines.len() && !lines.lines[part.end - 1].ends_with(b"\n");
    let blank = part.start.checked_sub(1).filter(|before| is_blank(lines.lines[*before]));
    let start = blank.unwrap_or(part.start);
    if open_end && let Some(last) = start.checked_sub(1) {
        let line = lines.lines[last];
        let kept = line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")).unwrap_or(line);
        return lines.with(last..part.end, kept);
    }
    lines.with(start..part.end, b"")
}

fn parts(lines: &Lines<'_>, heading: &str, known: &[String]) -> Vec<std::ops::Range<usize>> {
    let is = |line: &[u8], text: &str| trim(line) == text.as_bytes();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < lines.lines.len() {
        let ours = is(lines.lines[at], heading);
        let npm = heading == HEADING && NPM_HEADINGS.iter().any(|npm| is(lines.lines[at], npm));
        let start = at;
        at += 1;
        if !ours && !npm {
            continue;
        }
        let npm_lines = NPM_LINES.iter().chain([&NPM_PLUGIN]);
        let belongs = |line: &[u8]| {
            ours && known.iter().any(|known| is(line, known))
                || npm && npm_lines.clone().any(|known| is(line, known))
        };
        at += lines.lines[at..].iter().take_while(|line| belongs(line)).count();
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
    fn the_npm_tools_lines_are_replaced() {
        let [first, second] = NPM_HEADINGS;
        let text = format!("x\n\n{first}\nMEMORY.md\nmemory/\n\n{second}\n{NPM_PLUGIN}\ny\n");
        let new = put(text.as_bytes(), &known()[..1], &known());
        assert_eq!(String::from_utf8_lossy(&new), format!("x\n\n{HEADING}\n/memory/\ny\n"));
        assert_eq!(take_out(text.as_bytes(), &known()), b"x\ny\n");
    }
}
