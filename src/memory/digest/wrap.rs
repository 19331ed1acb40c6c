//! Lines of at most [`LINE`] characters.

use std::borrow::Cow;

use crate::memory::entry::EntryType;
use crate::memory::talk::{LINE, pieces};

/// A line as it stands below its entry: indented, and cut between words where it is too long. Nothing is left out.
pub(super) fn below(line: &str) -> impl Iterator<Item = String> {
    let line = line.trim_end();
    let indent = 2 + line.chars().take_while(|c| c.is_whitespace()).count().min(LINE / 2);
    let pieces = pieces(line.trim_start(), LINE - indent - 2);
    pieces.enumerate().map(move |(at, piece)| {
        let more = if at == 0 { 0 } else { 2 };
        let mut line = String::with_capacity(indent + more + piece.len());
        line.extend(std::iter::repeat_n(' ', indent + more));
        line.push_str(piece);
        line
    })
}

/// A list of topics, `auth [project], timezone [user]`, wrapped between them; between words where one alone is too long.
pub(super) fn topics<'t>(topics: impl Iterator<Item = (&'t str, EntryType)>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = String::with_capacity(LINE);
    let mut length = 0;
    for (topic, kind) in topics {
        let item = [topic, " [", kind.word(), "]"];
        let more = item.iter().map(|part| part.chars().count()).sum::<usize>() + 2;
        if !open.is_empty() {
            open.push(',');
            if length + more >= LINE {
                lines.push(std::mem::replace(&mut open, String::with_capacity(LINE)));
                length = 0;
            } else {
                open.push(' ');
            }
        }
        length += more;
        open.push_str(topic);
        open.push(' ');
        open.push('[');
        open.push_str(kind.word());
        open.push(']');
        if length > LINE {
            let whole = std::mem::take(&mut open);
            let mut parts: Vec<String> = pieces(&whole, LINE - 2).map(str::to_owned).collect();
            open = parts.pop().unwrap_or_default();
            length = open.chars().count();
            lines.extend(parts);
        }
    }
    lines.extend(Some(open).filter(|open| !open.is_empty()));
    lines
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
