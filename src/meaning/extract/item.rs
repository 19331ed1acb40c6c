//! One thing that a section of an extract may hold, and lines of at most [`LINE`] characters.

use std::borrow::Cow;

use bumpalo::Bump;
use xxhash_rust::xxh3::xxh3_64;

use crate::meaning::passage::LINE;
use crate::meaning::sentence::pieces;
use crate::memory::entry::EntryType;

/// Room for the day at the end of a line of a week or month: ` → 03-12`.
pub(super) const DATED: usize = 8;

/// One thing worth keeping: a line with what belongs to it.
#[derive(Debug, Default)]
pub(super) struct Item<'a> {
    /// printed before the line, as `- topic: `, where it is not empty
    pub(super) topic: &'a str,
    /// the line and those below it
    pub(super) lines: Vec<Cow<'a, str>>,
    /// the day that is at the end, where it is to be told and is not there
    pub(super) day: Option<&'a str>,
    /// user and feedback entries, which stay whatever room they take
    pub(super) stays: bool,
    /// which source it is from
    pub(super) source: usize,
    /// where it stood, counted over all sources
    pub(super) order: usize,
    pub(super) chosen: bool,
}

impl Item<'_> {
    /// How many lines it prints.
    pub(super) fn height(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn push_to(&self, text: &mut String) {
        if !self.topic.is_empty() {
            text.push_str("- ");
            text.push_str(self.topic);
            text.push_str(": ");
        }
        let last = self.lines.len().saturating_sub(1);
        for (at, line) in self.lines.iter().enumerate() {
            text.push_str(line);
            if let Some(day) = self.day.filter(|_| at == last) {
                text.push_str(" → ");
                text.push_str(day);
            }
            text.push('\n');
        }
    }

    /// The same for items that print the same under the same heading.
    pub(super) fn hash(&self, section: &str) -> u64 {
        let parts = [section, self.topic].into_iter().chain(self.lines.iter().map(|line| &**line));
        parts.fold(0, |hash: u64, part| hash.rotate_left(5) ^ xxh3_64(part.as_bytes()))
    }
}

/// Whether a line ends with a day: ` → 03-12`.
pub(super) fn has_day(line: &str) -> bool {
    let day = line.rsplit_once(" → ").map(|(_, day)| day.as_bytes());
    day.is_some_and(|day| {
        day.len() == 5
            && day[2] == b'-'
            && day.iter().filter(|byte| byte.is_ascii_digit()).count() == 4
    })
}

/// A line as it is below its entry: indented, and cut between words where it is too long. Nothing is left out.
pub(super) fn below<'a>(line: &str) -> impl Iterator<Item = Cow<'a, str>> {
    pieces_from(2 + indent(line), line.trim()).map(Cow::Owned)
}

/// A line of somebody's summary as it is, cut between words where it is too long. Nothing is left out.
pub(super) fn as_it_is(line: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let most = if has_day(line) { LINE } else { LINE - DATED };
    let fits = line.len() <= most || line.chars().nth(most).is_none();
    let pieces = (!fits).then(|| pieces_from(indent(line), line.trim()).map(Cow::Owned));
    fits.then_some(Cow::Borrowed(line)).into_iter().chain(pieces.into_iter().flatten())
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count().min(LINE / 2)
}

/// Lines that begin with `indent` blanks, and with two more from the second on.
fn pieces_from(indent: usize, text: &str) -> impl Iterator<Item = String> {
    pieces(text, LINE - DATED - indent - 2).enumerate().map(move |(at, piece)| {
        let more = if at == 0 { 0 } else { 2 };
        format!("{:1$}{piece}", "", indent + more)
    })
}

/// What of a text fits on a line after a bullet and `before` characters, cut between words and marked with `…`.
pub(super) fn cut<'a>(text: &'a str, before: usize, arena: &'a Bump) -> &'a str {
    // The longest that is before one is a name of 200 characters.
    let room = LINE - DATED - "- ".len() - before;
    if text.len() <= room || text.chars().nth(room).is_none() {
        return text;
    }
    let piece = pieces(text, room - 1).next().unwrap_or_default();
    arena.alloc_str(&format!("{piece}…"))
}

/// A list of topics, `auth [project], timezone [user]`, wrapped between them; between words where one alone is too
/// long. Each line has its end.
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
