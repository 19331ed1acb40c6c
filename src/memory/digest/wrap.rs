//! Lines of at most [`LINE`] characters.

use std::borrow::Cow;

use bumpalo::Bump;
use bumpalo::collections::String as InArena;

use crate::memory::entry::EntryType;
use crate::memory::talk::{LINE, pieces};

/// A line as it stands below its entry: indented, and cut between words where it is too long. Nothing is left out.
pub(super) fn below<'a>(line: &str, arena: &'a Bump) -> impl Iterator<Item = &'a str> {
    let line = line.trim_end();
    let indent = 2 + line.chars().take_while(|c| c.is_whitespace()).count().min(LINE / 2);
    let pieces = pieces(line.trim_start(), LINE - indent - 2);
    pieces.enumerate().map(move |(at, piece)| {
        let more = if at == 0 { 0 } else { 2 };
        let mut line = InArena::with_capacity_in(indent + more + piece.len(), arena);
        line.extend(std::iter::repeat_n(' ', indent + more));
        line.push_str(piece);
        line.into_bump_str()
    })
}

/// A list of topics, `auth [project], timezone [user]`, wrapped between them; between words where one alone is too long. Each
/// line has its end.
pub(super) fn topics<'t>(topics: impl Iterator<Item = (&'t str, EntryType)>) -> String {
    let mut text = String::with_capacity(2 * LINE);
    // Where the last line begins, and how many characters it has.
    let (mut begin, mut length) = (0, 0);
    for (topic, kind) in topics {
        let more = topic.chars().count() + kind.word().len() + " [], ".len();
        if text.len() > begin {
            text.push(',');
            if length + more >= LINE {
                text.push('\n');
                (begin, length) = (text.len(), 0);
            } else {
                text.push(' ');
            }
        }
        length += more;
        text.push_str(topic);
        kind.push_to(&mut text);
        if length > LINE {
            let whole = text.split_off(begin);
            for (at, piece) in pieces(&whole, LINE - 2).enumerate() {
                if at > 0 {
                    text.push('\n');
                }
                begin = text.len();
                text.push_str(piece);
            }
            length = text[begin..].chars().count();
        }
    }
    if text.len() > begin {
        text.push('\n');
    }
    text
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
