//! Lines of at most [`LINE`] characters.

use std::borrow::Cow;

use crate::memory::talk::{LINE, pieces};

/// A line as it stands below its entry: indented, and cut between words where it is too long. Nothing is left out.
pub(super) fn below(line: &str) -> impl Iterator<Item = String> {
    let line = line.trim_end();
    let indent = 2 + line.chars().take_while(|c| c.is_whitespace()).count().min(LINE / 2);
    let pieces = pieces(line.trim_start(), LINE - indent - 2);
    pieces.enumerate().map(move |(at, piece)| {
        let more = if at == 0 { 0 } else { 2 };
        format!("{:1$}{piece}", "", indent + more)
    })
}

/// A list wrapped between its words.
pub(super) fn list(text: &str) -> impl Iterator<Item = &str> {
    pieces(text, LINE)
}

/// What of a text fits on a line behind `before` bytes and a bullet, cut between words and marked with `…`.
pub(super) fn cut(text: &str, before: usize) -> Cow<'_, str> {
    let room = LINE.saturating_sub(before + 3).max(LINE / 3);
    if text.len() <= room {
        return Cow::Borrowed(text);
    }
    match pieces(text, room).next() {
        Some(piece) if piece.len() < text.len() => Cow::Owned(format!("{piece}…")),
        _ => Cow::Borrowed(text),
    }
}
