//! Which lines of a text are in a session's block: they are somebody's words, whatever they look like.

use super::marker::{Marker, marker};

/// Follows the lines of a text from block to block.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    inside: bool,
}

impl Blocks {
    /// Before the first of these lines, which may be the middle of a block: then its end comes before a beginning.
    pub fn before<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let first = lines.into_iter().find_map(marker);
        Self { inside: matches!(first, Some(Marker::End { .. })) }
    }

    /// Whether the next line is in a block, the two lines around it included.
    #[inline]
    pub fn holds(&mut self, line: &str) -> bool {
        let was_inside = self.inside;
        match marker(line) {
            Some(Marker::Start { .. }) => self.inside = true,
            Some(Marker::End { .. }) => self.inside = false,
            None => {}
        }
        self.inside || was_inside
    }

    /// Whether the lines so far have left a block open.
    pub fn is_inside(self) -> bool {
        self.inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_a_block_or_not() {
        fn check(text: &str, expect: &str) {
            let text = text.replace('S', "<!-- hipocampus:session s 0-9 -->");
            let text = text.replace('E', "<!-- hipocampus:end s 9 -->");
            let lines = || text.split('|');
            let mut blocks = Blocks::before(lines());
            let found: String =
                lines().map(|line| if blocks.holds(line) { 'x' } else { '.' }).collect();
            assert_eq!(found, expect, "{text}");
        }
        check("a|S|b|E|c", ".xxx.");
        check("a|b|E|c|S|d", "xxx.xx");
        check("a|\\S|b", "...");
        check("S|a|S|b|E|c", "xxxxx.");
    }
}
