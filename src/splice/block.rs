//! A marked block of Markdown in a file of the user.
//!
//! A marker counts only where it is a line of its own outside fenced code; one quoted in prose is
//! prose. A start marker without its end is left alone with everything below it, because nothing says
//! where our text ends and the user's begins.

use std::ops::Range;

use crate::markdown::escape;
use crate::markdown::page::{Page, PageLine};
use crate::memory::frontmatter::Document;
use crate::splice::{Marks, npm_tool};
use crate::text::lossy;

/// What is between the marks, line endings as `\n`. `None` without a complete block.
pub fn body(text: &[u8], marks: Marks) -> Option<String> {
    let page = Page::of(text);
    let found = blocks(&page, marks).into_iter().next()?;
    let inside = page.bytes(found.start + 1..found.end - 1);
    Some(String::from_utf8_lossy(inside).replace("\r\n", "\n"))
}

/// The numbers, from 1, of markers that have no partner.
pub(crate) fn orphans(text: &[u8], marks: Marks) -> Vec<usize> {
    let page = Page::of(text);
    let whole = blocks(&page, marks);
    markers(&page, marks)
        .into_iter()
        .filter(|(line, _)| !whole.iter().any(|block| block.contains(line)))
        .map(|(line, _)| line + 1)
        .collect()
}

/// Puts the block, or refreshes it where it stands. A new one goes below the text that is there, which is what the file
/// is for; above it only where the text leaves code open, in which a marker would be none.
pub(crate) fn put(text: &[u8], marks: Marks, body: &str) -> Vec<u8> {
    let text = &without_npm_imports(text, marks)[..];
    let page = Page::of(text);
    let block = format!("{}\n{}\n{}", marks.start, body.trim_end(), marks.end);
    let found = blocks(&page, marks);
    if let Some((first, doubled)) = found.split_first() {
        let is_last = first.end == page.lines.len() && page.is_open();
        let block = page.with_eol(&if is_last { block } else { block + "\n" });
        let mut text = text.to_vec();
        for block in doubled.iter().rev() {
            text = remove(&Page::of(&text), block.clone());
        }
        return Page::of(&text).with(first.clone(), &block);
    }
    let at = after_head(&page);
    if at < page.lines.len() && !leaves_code_open(text) {
        return page.with_last(&format!("{block}\n"));
    }
    let block = match at == page.lines.len() {
        true if at > 0 && page.is_open() => format!("\n{block}"),
        true => block + "\n",
        false => block + "\n\n",
    };
    page.with(at..at, &page.with_eol(&block))
}

/// Whether a fence of code is not closed, so that what is put below is code as well.
fn leaves_code_open(text: &[u8]) -> bool {
    let mut closed = lossy(text).into_owned();
    let length = closed.len();
    escape::close_fence(&mut closed);
    closed.len() > length
}

/// Takes out every complete block, and the blank line that set it apart.
pub(crate) fn take_out(text: &[u8], marks: Marks) -> Vec<u8> {
    take(text, marks, remove)
}

/// As [`take_out`], for a file that had nothing below its head: no line below the block is ours.
pub(crate) fn take_out_bare(text: &[u8], marks: Marks) -> Vec<u8> {
    take(text, marks, |page, block| match page.lines.get(block.end) {
        Some(_) => page.with(block, b""),
        None => remove(page, block),
    })
}

/// Whether a file has nothing below its head, so that putting a block adds no blank line.
pub(crate) fn is_bare(text: &[u8]) -> bool {
    let page = Page::of(text);
    after_head(&page) == page.lines.len()
}

fn take(text: &[u8], marks: Marks, remove: impl Fn(&Page<'_>, Range<usize>) -> Vec<u8>) -> Vec<u8> {
    let mut text = without_npm_imports(text, marks);
    loop {
        let page = Page::of(&text);
        let Some(found) = blocks(&page, marks).into_iter().next() else { return text };
        text = remove(&page, found);
    }
}

fn remove(page: &Page<'_>, block: Range<usize>) -> Vec<u8> {
    let is_blank = |line: &PageLine<'_>| line.is_blank();
    if page.lines.get(block.end).is_some_and(is_blank) {
        return page.with(block.start..block.end + 1, b"");
    }
    page.without(block)
}

/// Marker lines and whether each is a start.
fn markers(page: &Page<'_>, marks: Marks) -> Vec<(usize, bool)> {
    let found = page.positions(|line| line.is(marks.start) || line.is(marks.end));
    found.map(|at| (at, page.lines[at].is(marks.start))).collect()
}

/// Complete blocks, with the imports the npm tool left below its own.
fn blocks(page: &Page<'_>, marks: Marks) -> Vec<Range<usize>> {
    let markers = markers(page, marks);
    let pairs = markers.windows(2).filter(|pair| pair[0].1 && !pair[1].1);
    pairs.map(|pair| pair[0].0..with_imports(page, pair[0].0, pair[1].0 + 1)).collect()
}

fn with_imports(page: &Page<'_>, start: usize, end: usize) -> usize {
    if !is_npm(page, start, end) {
        return end;
    }
    let rest = &page.lines[end..];
    let blank = usize::from(rest.first().is_some_and(PageLine::is_blank));
    match rest[blank..].iter().take_while(|line| is_import(line)).count() {
        0 => end,
        imports => end + blank + imports,
    }
}

fn is_import(line: &PageLine<'_>) -> bool {
    npm_tool::IMPORTS.iter().any(|import| line.is(import))
}

/// Whether the block in these lines, marks included, is the npm tool's.
fn is_npm(page: &Page<'_>, start: usize, end: usize) -> bool {
    let heading = page.lines[start + 1..end].iter().find(|line| !line.is_blank());
    heading.is_some_and(|line| line.text.starts_with(npm_tool::PROTOCOL_HEADING))
}

/// A text with a block of the npm tool, without the imports that somebody's words have set apart from it: lines in a
/// row, ROOT.md's among them, and a blank line that was between them and the rest.
fn without_npm_imports(text: &[u8], marks: Marks) -> Vec<u8> {
    let page = Page::of(text);
    let found = blocks(&page, marks);
    if !found.iter().any(|block| is_npm(&page, block.start, block.end)) {
        return text.to_vec();
    }
    let mut rows: Vec<Range<usize>> = Vec::new();
    let is_apart = |at: &usize| !found.iter().any(|block| block.contains(at));
    for at in page.positions(is_import).filter(is_apart) {
        match rows.last_mut() {
            Some(row) if row.end == at => row.end += 1,
            _ => rows.push(at..at + 1),
        }
    }
    rows.retain(|row| page.lines[row.clone()].iter().any(|line| line.is("@memory/ROOT.md")));
    let mut text = text.to_vec();
    for mut row in rows.into_iter().rev() {
        let before = row.start.checked_sub(1).map(|before| &page.lines[before]);
        if page.lines.get(row.end).is_some_and(PageLine::is_blank)
            && before.is_none_or(PageLine::is_blank)
        {
            row.end += 1;
        }
        text = Page::of(&text).with(row, b"");
    }
    text
}

/// The line below a closed YAML head, 0 without one.
fn after_head(page: &Page<'_>) -> usize {
    if !Document::parse(page.bytes).head_is_closed() {
        return 0;
    }
    let close = page.lines.iter().skip(1).position(|line| line.is("---"));
    close.map_or(0, |line| line + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splice::PROTOCOL;

    const START: &str = PROTOCOL.start;
    const END: &str = PROTOCOL.end;

    #[test]
    fn a_fence_with_an_odd_byte_behind_it_closes_no_code() {
        let head = b"```\na\n```\xe9\n";
        let quoted = format!("{START}\nmy example\n{END}\n```\n");
        let text = [&head[..], quoted.as_bytes()].concat();
        assert!(put(&text, PROTOCOL, "ours\n").starts_with(&text));
        assert_eq!(take_out(&text, PROTOCOL), text);
    }

    #[test]
    fn a_new_block_goes_to_the_end_and_comes_out_again() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            let with = put(text.as_bytes(), PROTOCOL, "ours\n");
            let marked = expect.replace('S', START).replace('E', END);
            assert_eq!(String::from_utf8_lossy(&with), marked, "{text:?}");
            assert_eq!(take_out(&with, PROTOCOL), text.as_bytes(), "{text:?}");
            assert_eq!(put(&with, PROTOCOL, "ours"), with, "{text:?}");
        }
        check("", "S\nours\nE\n");
        check("text\n", "text\n\nS\nours\nE\n");
        check("text", "text\n\nS\nours\nE");
        check("\n", "\n\nS\nours\nE\n");
        check("\u{feff}a\r\nb", "\u{feff}a\r\nb\r\n\r\nS\r\nours\r\nE");
        check("---\na: 1\n---\ntext\n", "---\na: 1\n---\ntext\n\nS\nours\nE\n");
        // Code that is left open goes on to the end of the file.
        check("a\n```\nb\n", "S\nours\nE\n\na\n```\nb\n");
        check("---\na: 1\n---\n", "---\na: 1\n---\nS\nours\nE\n");
        check("---\na: 1\n---", "---\na: 1\n---\nS\nours\nE");
    }

    #[test]
    fn only_whole_lines_outside_code_are_markers() {
        #[track_caller]
        fn check(text: &str) {
            let text = text.replace('S', START).replace('E', END);
            let with = put(text.as_bytes(), PROTOCOL, "ours");
            assert!(with.starts_with(text.as_bytes()), "{text:?}");
            assert_eq!(take_out(&with, PROTOCOL), text.as_bytes(), "{text:?}");
        }
        check("the marker `S` and then\nE is in prose\n");
        check("```\nS\nx\nE\n```\n");
        check("S\nno end marker\n");
        check("E\nS\n");
        check("a\nE\n");
    }

    #[test]
    fn a_marker_without_its_partner_is_named() {
        let text = format!("a\n{START}\nb\n{START}\nc\n{END}\n");
        assert_eq!(orphans(text.as_bytes(), PROTOCOL), [2]);
        assert_eq!(take_out(text.as_bytes(), PROTOCOL), format!("a\n{START}\nb\n").as_bytes());
    }

    #[test]
    fn the_block_is_refreshed_where_it_stands() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            let [text, expect] = [text, expect].map(|t| t.replace('S', START).replace('E', END));
            let with = put(text.as_bytes(), PROTOCOL, "new");
            assert_eq!(String::from_utf8_lossy(&with), expect);
        }
        check("a\nS\nold\nE\nb\n", "a\nS\nnew\nE\nb\n");
        check("a\n\nS\nold\nE", "a\n\nS\nnew\nE");
        check("S\nold\nE\n\na\n\nS\nold\nE\n\nb\n", "S\nnew\nE\n\na\n\nb\n");
        // What the npm tool wrote: its imports are below its block.
        let npm = "S\n## Hipocampus\nold\nE\n";
        check(&format!("{npm}@WORKING.md\n@memory/ROOT.md\n\nmine\n"), "S\nnew\nE\n\nmine\n");
        check(&format!("{npm}\n@memory/ROOT.md\n@mine.md\n"), "S\nnew\nE\n@mine.md\n");
        // Words of the user may have come between the two.
        check(
            &format!("{npm}\nmine\n\n@WORKING.md\n@memory/ROOT.md\n\nmore\n"),
            "S\nnew\nE\n\nmine\n\nmore\n",
        );
        check(&format!("{npm}\nmine\n@WORKING.md\n@memory/ROOT.md\n"), "S\nnew\nE\n\nmine\n");
        check(
            &format!("{npm}\nmine\n@WORKING.md\n@mine.md\n"),
            "S\nnew\nE\n\nmine\n@WORKING.md\n@mine.md\n",
        );
        // Ours are inside, so what follows is the user's.
        check("S\n@memory/ROOT.md\nE\n@WORKING.md\n", "S\nnew\nE\n@WORKING.md\n");
    }

    #[test]
    fn the_body_is_read_whatever_the_line_endings() {
        let text = format!("{START}\r\na\r\nb\r\n{END}\r\n");
        assert_eq!(body(text.as_bytes(), PROTOCOL).unwrap(), "a\nb\n");
        assert_eq!(body(b"nothing", PROTOCOL), None);
    }
}
