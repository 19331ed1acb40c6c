//! Which lines of a Markdown text lie inside fenced code blocks.
//!
//! Follows CommonMark with one exception: a fence that is never closed opens nothing. In a log that
//! many hands append to, one forgotten fence would otherwise hide every heading after it.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::text::lines;

/// For each line, whether it belongs to a fenced code block (the fences included). Empty if no line does.
pub fn code_lines(text: &str) -> Vec<bool> {
    if possible_in(text) { mark(lines(text)) } else { Vec::new() }
}

/// Whether anything in a text may open a code block.
pub fn possible_in(text: &str) -> bool {
    static FENCES: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| ["```", "~~~"].map(Finder::new));
    FENCES.iter().any(|fence| fence.find(text.as_bytes()).is_some())
}

/// For each of these lines, whether it belongs to a fenced code block. Lines that are neither fences nor of
/// interest may be left out.
pub fn mark<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<bool> {
    let mut count = 0;
    let mut fences: Vec<(usize, Fence)> = Vec::new();
    for line in lines {
        fences.extend(Fence::read(line).map(|fence| (count, fence)));
        count += 1;
    }
    let closers = longest_closers_from(&fences);
    let mut code = vec![false; count];
    let mut open: Option<(usize, Fence)> = None;
    for (place, (line, fence)) in fences.iter().enumerate() {
        match open {
            Some((start, opener)) if fence.closes(opener) => {
                code[start..=*line].fill(true);
                open = None;
            }
            None if closers[place + 1][fence.kind()] >= fence.length => {
                open = Some((*line, *fence));
            }
            Some(_) | None => {}
        }
    }
    code
}

/// What follows the fence on its line, if the line opens or closes a code block: `rust src/a.rs:3`.
pub fn info(line: &str) -> Option<&str> {
    Fence::read(line).map(|_| line.trim_start().trim_start_matches(['`', '~']).trim())
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    tilde: bool,
    length: usize,
    bare: bool,
}

impl Fence {
    fn read(line: &str) -> Option<Self> {
        // Asked of every line, so the usual answer comes first.
        let indent = line.bytes().take(4).take_while(|byte| *byte == b' ').count();
        let mark = *line.as_bytes().get(indent).filter(|byte| matches!(byte, b'`' | b'~'))?;
        if indent > 3 {
            return None;
        }
        let text = &line[indent..];
        let length = text.bytes().take_while(|byte| *byte == mark).count();
        let info = text[length..].trim();
        let possible = length >= 3 && !(mark == b'`' && info.contains('`'));
        possible.then_some(Self { tilde: mark == b'~', length, bare: info.is_empty() })
    }

    fn kind(self) -> usize {
        usize::from(self.tilde)
    }

    fn closes(self, opener: Self) -> bool {
        self.bare && self.tilde == opener.tilde && self.length >= opener.length
    }
}

/// For each fence, the longest bare one of each kind at or after it: decides in one pass whether an opener is
/// ever closed, however many openers there are.
fn longest_closers_from(fences: &[(usize, Fence)]) -> Vec<[usize; 2]> {
    let mut longest = vec![[0, 0]; fences.len() + 1];
    for (place, (_, fence)) in fences.iter().enumerate().rev() {
        longest[place] = longest[place + 1];
        if fence.bare {
            let best = &mut longest[place][fence.kind()];
            *best = fence.length.max(*best);
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_open_and_close_as_in_commonmark() {
        fn check(text: &str, expect: &str) {
            let text = text.replace('|', "\n");
            let marks: String =
                code_lines(&text).iter().map(|code| if *code { 'x' } else { '.' }).collect();
            assert_eq!(marks, expect, "{text}");
        }
        check("a|```rust|## b|```|c", ".xxx.");
        check("~~~|```|~~~|c", "xxx.");
        check("````|```|````|c", "xxx.");
        check("    ```|a|    ```", "...");
        check("no fence|at all", "");
        check("``` a`b|c|```", "...");
        // Never closed: the headings after it are headings.
        check("a|```rust|## b|c", "....");
        check("````|a|```|b|```", "..xxx");
        check("```|a|``` js|b", "....");
    }
}
