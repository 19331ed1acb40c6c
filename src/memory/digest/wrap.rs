//! Lines of at most [`LINE`] characters.

use std::borrow::Cow;

use bumpalo::Bump;
use bumpalo::collections::String as InArena;

use crate::memory::entry::EntryType;
use crate::memory::talk::{LINE, pieces};

/// A line as it stands below its entry: indented, and cut between words where it is too long. Nothing is left out.
pub(super) fn below<'a>(line: &str, arena: &'a Bump) -> impl Iterator<Item = &'a str> {
    pieces_from(2 + indent(line), line.trim(), arena)
}

/// A line of somebody's summary as it is, cut between words where it is too long. Nothing is left out.
pub(super) fn as_it_is<'a>(line: &'a str, arena: &'a Bump) -> impl Iterator<Item = &'a str> {
    let fits = line.len() <= LINE || line.chars().nth(LINE).is_none();
    let pieces = (!fits).then(|| pieces_from(indent(line), line.trim(), arena));
    fits.then_some(line).into_iter().chain(pieces.into_iter().flatten())
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count().min(LINE / 2)
}

/// Lines that begin with `indent` blanks, and with two more from the second on.
fn pieces_from<'a>(indent: usize, text: &str, arena: &'a Bump) -> impl Iterator<Item = &'a str> {
    pieces(text, LINE - indent - 2).enumerate().map(move |(at, piece)| {
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

/// What of a text fits on a line behind a bullet and `before` characters, cut between words and marked with `…`.
pub(super) fn cut(text: &str, before: usize) -> Cow<'_, str> {
    // The longest that stands before one is a name of 200 characters.
    let room = LINE - "- ".len() - before;
    if text.len() <= room || text.chars().nth(room).is_none() {
        return Cow::Borrowed(text);
    }
    let piece = pieces(text, room - 1).next().unwrap_or_default();
    Cow::Owned(format!("{piece}…"))
}
