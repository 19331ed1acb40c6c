//! Which lines of a Markdown text lie inside fenced code blocks.
//!
//! Follows CommonMark with one exception: a fence that is never closed opens nothing. In a log that
//! many hands append to, one forgotten fence would otherwise hide every heading after it.

use crate::text::lines;

/// For each line, whether it belongs to a fenced code block (the fences included). Empty if no line does.
pub fn code_lines(text: &str) -> Vec<bool> {
    let has = |fence: &str| memchr::memmem::find(text.as_bytes(), fence.as_bytes()).is_some();
    if !has("```") && !has("~~~") {
        return Vec::new();
    }
    mark(lines(text))
}

/// For each of these lines, whether it belongs to a fenced code block. Lines that are neither fences nor of
/// interest may be left out.
pub fn mark<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<bool> {
    let fences: Vec<Option<Fence>> = lines.into_iter().map(Fence::read).collect();
    let closers = longest_closers_from(&fences);
    let mut code = vec![false; fences.len()];
    let mut open: Option<Fence> = None;
    for (index, fence) in fences.iter().enumerate() {
        match (open, fence) {
            (Some(opener), closer) => {
                code[index] = true;
                if closer.is_some_and(|closer| closer.closes(opener)) {
                    open = None;
                }
            }
            (None, Some(opener)) if closers[index + 1][opener.kind()] >= opener.length => {
                code[index] = true;
                open = Some(*opener);
            }
            (None, _) => {}
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

/// For each index, the longest bare fence of each kind at or after it: decides in one pass whether an
/// opener is ever closed, however many openers there are.
fn longest_closers_from(fences: &[Option<Fence>]) -> Vec<[usize; 2]> {
    let mut longest = vec![[0, 0]; fences.len() + 1];
    for index in (0..fences.len()).rev() {
        longest[index] = longest[index + 1];
        if let Some(fence) = fences[index].filter(|fence| fence.bare) {
            let best = &mut longest[index][fence.kind()];
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
