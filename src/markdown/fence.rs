//! Which lines of a Markdown text lie inside fenced code blocks.
//!
//! Follows CommonMark with two exceptions. A fence that is never closed opens nothing: in a log that many hands append
//! to, one forgotten fence would otherwise hide every heading after it. And each turn of a session's block stands for
//! itself: no fence of a turn is closed outside it, and none from before or after the block reaches into it.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::label;
use super::lead;
use super::marker::{Marker, marker};
use crate::text;

/// For each line, whether it belongs to a fenced code block (the fences included). Empty if no line does.
pub(crate) fn code_lines(text: &str) -> Vec<bool> {
    if possible_in(text) { mark(text::lines(text)) } else { Vec::new() }
}

/// A line of a text, without its line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    pub text: &'a str,
    /// whether it lies in a fenced code block, fences included
    pub code: bool,
}

/// The lines of a text, and which of them are code.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut code = code_lines(text).into_iter();
    text::lines(text).map(move |text| Line { text, code: code.next().unwrap_or(false) })
}

/// Whether anything in a text may open a code block.
pub(crate) fn possible_in(text: &str) -> bool {
    static FENCES: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| ["```", "~~~"].map(Finder::new));
    FENCES.iter().any(|fence| fence.find(text.as_bytes()).is_some())
}

/// Whether a line may decide which lines are code: all others may be left out of what [`mark`] is given.
pub(crate) fn may_matter(line: &[u8]) -> bool {
    let indent = line.iter().take(4).take_while(|byte| **byte == b' ').count();
    match line.get(indent) {
        Some(b'`' | b'~') => true,
        Some(b'<' | b'*') => indent == 0,
        Some(0xef) => line.starts_with("\u{feff}".as_bytes()),
        _ => false,
    }
}

/// For each of these lines, whether it belongs to a fenced code block. Lines that are neither fences nor of
/// interest may be left out, as [`may_matter`] tells.
pub(crate) fn mark<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<bool> {
    let mut count = 0;
    // The fences outside of blocks, and those of each turn.
    let mut outside: Vec<(usize, Fence)> = Vec::new();
    let mut turns: Vec<TurnFences> = Vec::new();
    let mut inside = false;
    for line in lines {
        let was_inside = inside;
        match marker(line) {
            Some(Marker::Start { .. }) => {
                inside = true;
                turns.push(TurnFences { lines: count..count, fences: Vec::new() });
            }
            Some(Marker::End { .. }) => {
                if !inside && turns.is_empty() {
                    // The text begins in the middle of a block.
                    let fences = std::mem::take(&mut outside);
                    turns.push(TurnFences { lines: 0..count + 1, fences });
                }
                inside = false;
            }
            None if inside && label::written(line).is_some() => {
                turns.push(TurnFences { lines: count..count, fences: Vec::new() });
            }
            None => {
                let fences = match turns.last_mut() {
                    Some(turn) if inside => &mut turn.fences,
                    _ => &mut outside,
                };
                fences.extend(Fence::read(line).map(|fence| (count, fence)));
            }
        }
        count += 1;
        if (inside || was_inside)
            && let Some(turn) = turns.last_mut()
        {
            turn.lines.end = count;
        }
    }
    let mut code = vec![false; count];
    pair(&outside, &mut code);
    for turn in turns {
        code[turn.lines].fill(false);
        pair(&turn.fences, &mut code);
    }
    code
}

/// A turn of a block, or what is before the first one.
struct TurnFences {
    lines: Range<usize>,
    fences: Vec<(usize, Fence)>,
}

/// Marks the lines from each fence that is closed to the one that closes it.
fn pair(fences: &[(usize, Fence)], code: &mut [bool]) {
    let closers = longest_closers_from(fences);
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
}

/// The fence that is open after the lines so far, as in CommonMark: for text that is still being written or read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OpenFence(Option<Fence>);

impl OpenFence {
    /// What the lines of a text leave open.
    pub(crate) fn after(text: &str) -> Self {
        let mut open = Self::default();
        text::lines(text).for_each(|line| open.line(line));
        open
    }

    /// Takes the next line.
    pub(crate) fn line(&mut self, line: &str) {
        match (self.0, Fence::read(line)) {
            (Some(opener), Some(fence)) if fence.closes(opener) => self.0 = None,
            (None, fence @ Some(_)) => self.0 = fence,
            _ => {}
        }
    }

    /// Whether the next line is code.
    pub(crate) fn is_open(self) -> bool {
        self.0.is_some()
    }

    /// The line that closes it, without its line ending.
    pub(crate) fn closing(self) -> Option<String> {
        self.0.map(|fence| (if fence.tilde { "~" } else { "`" }).repeat(fence.length))
    }
}

/// Whether a line opens or closes a code block.
pub(crate) fn is_fence(line: &str) -> bool {
    Fence::read(line).is_some()
}

/// What follows the fence on its line, if the line opens or closes a code block: `rust src/a.rs:3`.
pub(crate) fn info(line: &str) -> Option<&str> {
    Fence::read(line)
        .map(|_| lead::without_bom(line).trim_start().trim_start_matches(['`', '~']).trim())
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
        let line = lead::without_bom(line);
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
        check("\u{feff}```|a|```", "xxx");
    }

    #[test]
    fn a_turn_neither_opens_nor_closes_code_outside_it() {
        fn check(text: &str, expect: &str) {
            let text = text.replace('|', "\n");
            let start = "<!-- hipocampus:session s 0-9 -->";
            let text = text.replace('S', start).replace('E', "<!-- hipocampus:end s 9 -->");
            let text = text.replace('U', "**User:**").replace('A', "**Assistant:**");
            let marks: String =
                code_lines(&text).iter().map(|code| if *code { 'x' } else { '.' }).collect();
            assert_eq!(marks, expect, "{text}");
        }
        // Forgotten before the block, whatever is in it.
        check("```|S|# h|U|```|## x|```|E|b", "....xxx..");
        check("```|S|U x|E|b|```|c", "x...xx.");
        // Left open in a turn, as older versions did.
        check("S|U|```|x|A|```|y|```|E", ".....xxx.");
        check("S|U|```|x|E|## a|```|y|```", "......xxx");
        // Without its end, a block ends where the next one begins.
        check("S|U|```|x|S|U|```|y|```|E", "......xxx.");
        // The text may begin inside a block.
        check("U|```|x|E|```|y|```", "....xxx");
    }

    #[test]
    fn what_is_open_can_be_closed() {
        fn check(text: &str, expect: Option<&str>) {
            assert_eq!(OpenFence::after(text).closing().as_deref(), expect, "{text}");
        }
        check("a", None);
        check("```rust\nx", Some("```"));
        check("~~~~\n~~~\n```", Some("~~~~"));
        check("```\n```", None);
        check("    ```", None);
    }
}
