//! The copy of ROOT.md inside MEMORY.md, for platforms that load only the latter.
//!
//! MEMORY.md belongs to the user and the agent. Between the heading `## Compaction Root` and the end marker it is
//! ours; wherever that is not beyond doubt, nothing is changed and the doubt is told.

use std::collections::HashSet;
use std::ops::Range;

use crate::markdown::page::{Page, PageLine};
use crate::memory::frontmatter::Document;

/// The heading of the section.
pub(crate) const HEADING: &str = "## Compaction Root";
/// The line after it.
pub(crate) const END: &str = "<!-- hipocampus:root:end -->";
const NOTICE: &str =
    "<!-- copied from memory/ROOT.md by `hipocampus compact`; write below the end marker -->";

/// The comments the npm tool put into the section.
const NPM_COMMENTS: [&str; 8] = [
    "<!-- This section serves as the ROOT.md index for platforms that can't auto-load separate files. -->",
    "<!-- Updated automatically by hipocampus compact. See memory/ROOT.md for the full version. -->",
    "<!-- Auto-synced -->",
    "<!-- Auto-synced from memory/ROOT.md by hipocampus compact -->",
    "<!-- Current work and priorities -->",
    "<!-- Cross-cutting insights -->",
    "<!-- High-level timeline -->",
    "<!-- topic: keywords, references -->",
];

/// What of ROOT.md is copied.
const SECTIONS: [&str; 3] = ["## Active Context", "## Recent Patterns", "## Topics Index"];

/// Why it cannot be told which part of MEMORY.md is ours: what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MirrorError {
    /// another encoding
    #[error("bytes that are not UTF-8")]
    NotUtf8,
    /// the heading is there twice
    #[error("two sections `{HEADING}`")]
    Sections,
    /// the end marker is there twice
    #[error("two markers `{END}`")]
    Markers,
    /// an end marker alone
    #[error("an end marker without the section `{HEADING}`")]
    NoSection,
    /// an end marker below another heading, or above
    #[error("an end marker outside the section `{HEADING}`")]
    Outside,
}

/// MEMORY.md with the section brought up to date. `None` if it is already, or if there is none and none is
/// wanted. `root_before` is ROOT.md as it was before this run: it tells which lines of a section without an end
/// marker are copies.
///
/// # Errors
/// The doubt that keeps the file as it is.
pub(crate) fn mirror(
    memory_md: &[u8],
    root_before: Option<&[u8]>,
    root_after: &[u8],
    insert_if_missing: bool,
) -> Result<Option<Vec<u8>>, MirrorError> {
    let (text, page) = read(memory_md)?;
    let content = content(root_after);
    let mut out = String::with_capacity(memory_md.len() + 4096);
    let put = |out: &mut String, line: &str| {
        out.push_str(line);
        out.push_str(page.eol);
    };
    match find(&page)? {
        None if !insert_if_missing => return Ok(None),
        None => {
            out.push_str(text);
            if !out.is_empty() && !out.ends_with('\n') {
                out.push_str(page.eol);
            }
            if !out.is_empty() && !page.lines.last().is_some_and(|line| line.text.trim().is_empty())
            {
                out.push_str(page.eol);
            }
            put(&mut out, HEADING);
            for line in &content {
                put(&mut out, line);
            }
            put(&mut out, END);
        }
        Some(MirrorSection { lines, end }) => {
            let heading = &page.lines[lines.start];
            out.push_str(&text[..heading.range.end]);
            if !out.ends_with('\n') {
                out.push_str(page.eol);
            }
            for line in &content {
                put(&mut out, line);
            }
            if let Some(end) = end {
                out.push_str(&text[page.lines[end].range.start..]);
            } else {
                put(&mut out, END);
                let rest = page.lines.get(lines.end).map_or("", |line| &text[line.range.start..]);
                let foreign = foreign(&page, &lines, root_before);
                for line in &foreign {
                    put(&mut out, line);
                }
                if !rest.is_empty() {
                    out.push_str(page.eol);
                }
                out.push_str(rest);
            }
        }
    }
    Ok((out != text).then_some(out.into_bytes()))
}

/// Where in MEMORY.md our part is, in bytes, the lines around it left out; `None` if there is none.
///
/// # Errors
/// As [`mirror`].
pub(crate) fn section(memory_md: &[u8]) -> Result<Option<Range<usize>>, MirrorError> {
    let (text, page) = read(memory_md)?;
    let Some(MirrorSection { lines, end }) = find(&page)? else { return Ok(None) };
    let from = page.lines[lines.start].range.end;
    let after = page.lines.get(end.unwrap_or(lines.end));
    Ok(Some(from..after.map_or(text.len(), |line| line.range.start)))
}

/// Where the copy of ROOT.md is in MEMORY.md, in bytes; `None` where its heading and its end marker do not stand as
/// they should.
pub(crate) fn copy(memory_md: &[u8]) -> Option<Range<usize>> {
    let (_, page) = read(memory_md).ok()?;
    let MirrorSection { lines, end } = find(&page).ok()??;
    Some(page.lines[lines.start].range.end..page.lines[end?].range.start)
}

fn read(memory_md: &[u8]) -> Result<(&str, Page<'_>), MirrorError> {
    let text = std::str::from_utf8(memory_md).map_err(|_| MirrorError::NotUtf8)?;
    Ok((text, Page::read(text)))
}

/// Where the section is, as numbers of lines.
pub(crate) struct MirrorSection {
    /// from the heading to the next heading of its level or above
    pub(crate) lines: Range<usize>,
    /// the end marker
    pub(crate) end: Option<usize>,
}

/// Where the section is; `None` where there is neither a heading nor an end marker.
///
/// # Errors
/// The doubt about it.
pub(crate) fn find(page: &Page<'_>) -> Result<Option<MirrorSection>, MirrorError> {
    let mut headings = page.positions(|line| line.is(HEADING));
    let mut markers = page.positions(is_end);
    let (heading, marker) = (headings.next(), markers.next());
    if headings.next().is_some() {
        return Err(MirrorError::Sections);
    }
    if markers.next().is_some() {
        return Err(MirrorError::Markers);
    }
    let Some(heading) = heading else {
        return match marker {
            None => Ok(None),
            Some(_) => Err(MirrorError::NoSection),
        };
    };
    let next = page.end_of_section(heading);
    match marker {
        Some(marker) if !(heading..next).contains(&marker) => Err(MirrorError::Outside),
        end => Ok(Some(MirrorSection { lines: heading..next, end })),
    }
}

/// Whether a line is the end marker, indented or not.
pub(crate) fn is_end(line: &PageLine<'_>) -> bool {
    line.whole().is_some_and(|line| line.trim_start() == END)
}

/// The sections that are copied, headings one level down.
fn content(root: &[u8]) -> Vec<String> {
    let body = String::from_utf8_lossy(Document::parse(root).body()).into_owned();
    let page = Page::read(&body);
    let mut content = vec![NOTICE.to_owned()];
    for section in SECTIONS {
        let Some(start) = page.positions(|line| line.text.starts_with(section)).next() else {
            continue;
        };
        let mut lines: Vec<String> = page.lines[start..page.end_of_section(start)]
            .iter()
            .filter(|line| line.code || !line.text.trim().starts_with("<!--"))
            .map(|line| {
                let heading = !line.code && line.text.starts_with('#');
                format!("{}{}", if heading { "#" } else { "" }, line.text)
            })
            .collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        content.push(String::new());
        content.append(&mut lines);
    }
    content.push(String::new());
    content
}

/// Tells the lines of a section without an end marker that the npm tool wrote.
pub(crate) struct Ours {
    copies: HashSet<String>,
}

impl Ours {
    /// `root` is ROOT.md as it was when the section was written, as far as that is known.
    pub(crate) fn of(root: &[u8]) -> Self {
        let root = String::from_utf8_lossy(root);
        let lines = root.lines().map(str::trim_end).filter(|line| !line.is_empty());
        Self { copies: lines.map(str::to_owned).collect() }
    }

    /// Whether a line that is no code is a comment of its, or a line or heading of ROOT.md.
    pub(crate) fn wrote_line(&self, line: &PageLine<'_>) -> bool {
        let Some(line) = line.whole() else { return false };
        let is_copied = |heading: &str| {
            let mut sections = SECTIONS.iter().chain(&["## Historical Summary"]);
            sections.any(|section| heading.starts_with(section)) || self.copies.contains(heading)
        };
        line.starts_with("### ") && is_copied(&line[1..])
            || NPM_COMMENTS.contains(&line.trim())
            || self.copies.contains(line)
    }
}

/// The lines of a section without an end marker that are not ours, in order, blank lines around them left out.
fn foreign<'a>(page: &Page<'a>, lines: &Range<usize>, root_before: Option<&[u8]>) -> Vec<&'a str> {
    let ours = Ours::of(root_before.unwrap_or_default());
    let mut foreign: Vec<&str> = Vec::new();
    for line in &page.lines[lines.start + 1..lines.end] {
        let blank = line.text.trim().is_empty();
        if blank && !line.code {
            if foreign.last().is_some_and(|last| !last.trim().is_empty()) {
                foreign.push(line.text);
            }
        } else if line.code || !ours.wrote_line(line) {
            foreign.push(line.text);
        }
    }
    while foreign.last().is_some_and(|line| line.trim().is_empty()) {
        foreign.pop();
    }
    foreign
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n- costs $& and $1 [project, 0d]: x → 2026-03-15\n\n## Recent Patterns\n\n## Historical Summary\n- 03-01: old\n\n## Topics Index\n- auth [project, 3d]: jwt\n<!-- hipocampus:added -->\n- late [project, 0d]\n";
    const SECTION: &str = "## Compaction Root\n<!-- copied from memory/ROOT.md by `hipocampus compact`; write below the end marker -->\n\n### Active Context (recent ~7 days)\n- costs $& and $1 [project, 0d]: x → 2026-03-15\n\n### Recent Patterns\n\n### Topics Index\n- auth [project, 3d]: jwt\n- late [project, 0d]\n\n<!-- hipocampus:root:end -->\n";

    fn run(memory: &str, insert: bool) -> Result<Option<String>, MirrorError> {
        let before = "## Topics Index\n- auth [project, 2d]: jwt\n- gone [project, 9d]\n";
        let out = mirror(memory.as_bytes(), Some(before.as_bytes()), ROOT.as_bytes(), insert)?;
        Ok(out.map(|bytes| String::from_utf8(bytes).unwrap()))
    }

    /// The result, which a second run leaves alone.
    fn settled(memory: &str, insert: bool) -> String {
        let out = run(memory, insert).unwrap().unwrap();
        assert_eq!(run(&out, insert).unwrap(), None, "a second run changes nothing:\n{out}");
        out
    }

    #[test]
    fn the_section_is_put_at_the_end_where_it_is_wanted() {
        assert_eq!(
            settled("# M\n\n## Core\n- x\n", true),
            format!("# M\n\n## Core\n- x\n\n{SECTION}")
        );
        assert_eq!(settled("# M", true), format!("# M\n\n{SECTION}"));
        assert_eq!(settled("", true), SECTION);
        assert_eq!(run("# M\n", false).unwrap(), None);
    }

    #[test]
    fn between_heading_and_marker_everything_is_replaced_and_nothing_else() {
        let old = "## Core\n- the `## Compaction Root` section is not mine\n```\n## Compaction Root\n<!-- hipocampus:root:end -->\n```\n\n## Compaction Root\n- stale\n<!-- hipocampus:root:end -->\n- appended by an agent\n\n## Adaptive\n- y";
        let (before, _) = old.split_once("\n## Compaction Root\n- stale").unwrap();
        let expect = format!("{before}\n{SECTION}- appended by an agent\n\n## Adaptive\n- y");
        assert_eq!(settled(old, false), expect);
    }

    #[test]
    fn npm_replaced_what_was_written_below_the_mirror() {
        let old = "## Core\n- keep\n\n## Compaction Root\n<!-- This section serves as the ROOT.md index for platforms that can't auto-load separate files. -->\n<!-- Updated automatically by hipocampus compact. See memory/ROOT.md for the full version. -->\n\n### Active Context (recent ~7 days)\n<!-- Current work and priorities -->\n- a fact an agent noted\n\n### Topics Index\n- auth [project, 2d]: jwt\n- gone [project, 9d]\n\n### Theirs\n- another fact\n  with a second line\n\n## Adaptive\n- y\n";
        let expect = format!(
            "## Core\n- keep\n\n{SECTION}- a fact an agent noted\n\n### Theirs\n- another fact\n  with a second line\n\n## Adaptive\n- y\n"
        );
        assert_eq!(settled(old, false), expect);
        // At the end of the file, where agents append.
        let old =
            "## Compaction Root\n### Topics Index\n- auth [project, 2d]: jwt\n- remember the milk";
        assert_eq!(settled(old, true), format!("{SECTION}- remember the milk\n"));
    }

    #[test]
    fn line_endings_stay() {
        let old = "## Core\r\n- keep\r\n\r\n## Compaction Root\r\n- stale\r\n<!-- hipocampus:root:end -->\r\n\r\n## Adaptive\r\n- y\r\n";
        let expect =
            format!("## Core\n- keep\n\n{SECTION}\n## Adaptive\n- y\n").replace('\n', "\r\n");
        assert_eq!(settled(old, false), expect);
    }

    #[test]
    fn doubt_changes_nothing() {
        for doubtful in [
            "## Compaction Root\n- a\n## Compaction Root\n- b\n",
            "## Compaction Root\n<!-- hipocampus:root:end -->\n<!-- hipocampus:root:end -->\n",
            "## Compaction Root\n- a\n## Core\n<!-- hipocampus:root:end -->\n",
            "<!-- hipocampus:root:end -->\n## Compaction Root\n",
            "## Core\n<!-- hipocampus:root:end -->\n",
        ] {
            assert!(run(doubtful, true).is_err(), "{doubtful}");
        }
        assert!(mirror(b"\xff## Compaction Root\n", None, ROOT.as_bytes(), true).is_err());
    }
}
