//! What a conversation asks.

use crate::markdown::block::Blocks;
use crate::markdown::form::form;
use crate::markdown::label::{self, Speaker};
use crate::memory::entry::Line;

/// What the user said in each of their turns: the text after `User:`, or the line below it. In a session's block only
/// the label that the import writes is one.
pub(super) fn questions<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = &'a str> {
    let mut waiting = false;
    let mut blocks = Blocks::before(lines.iter().map(|line| line.text));
    lines.iter().filter_map(move |line| {
        let spoken = blocks.holds(line.text);
        if line.code {
            return None;
        }
        let text = line.text.trim();
        let (said, ends) = if spoken {
            let said = match label::written(line.text) {
                Some((Speaker::User, said)) => Some(said),
                _ => None,
            };
            let ends = label::written(line.text).is_some() || form(line.text).is_some();
            (said, ends || !blocks.is_inside())
        } else {
            (label::of_user(line.text), label::named(line.text).is_some())
        };
        let found = match said.map(str::trim) {
            Some("") => None,
            Some(said) => Some(said),
            None => Some(text).filter(|text| waiting && !ends && !text.is_empty()),
        };
        waiting = found.is_none() && ((waiting && !ends) || said.is_some());
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_user_asks() {
        fn check(text: &str, expect: &[&str]) {
            let lines: Vec<_> =
                text.lines().map(|text| Line { text, code: text.starts_with('`') }).collect();
            assert_eq!(questions(&lines).collect::<Vec<_>>(), expect, "{text}");
        }
        check("User: a\nAssistant: b\n**User:**\n\nc\nd", &["a", "c"]);
        let end = "<!-- hipocampus:end s 9 -->";
        check(&format!("**User:** a\n\n**Assistant:** b\nUser: c\n\t**User:** d\n{end}"), &["a"]);
        // A turn that is code alone asks nothing, and neither does the answer.
        check(&format!("**User:**\n`code\n\n**Assistant:** b\n{end}\nx"), &[]);
        check(&format!("**User:**\n[files: a]\n{end}\nUser: x"), &["x"]);
    }
}
