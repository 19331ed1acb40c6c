//! What a conversation asks.

use crate::memory::entry::Line;

/// What the user said in each of their turns: the text after `User:`, or the line below it.
pub(super) fn questions<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = &'a str> {
    let mut waiting = false;
    lines.iter().filter(|line| !line.code).filter_map(move |line| {
        let text = line.text.trim();
        let said = text.strip_prefix("**User:**").or_else(|| line.text.strip_prefix("User:"));
        let found = match said.map(str::trim) {
            Some("") => None,
            Some(said) => Some(said),
            None => Some(text).filter(|text| waiting && !text.is_empty()),
        };
        waiting = found.is_none() && (waiting || said.is_some());
        found
    })
}
