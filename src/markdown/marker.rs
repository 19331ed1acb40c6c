//! The two lines that begin and end a session's block in a raw log, and the one that says when an entry was made.

use super::heading::is_time;
use super::lead;

/// How our markers begin.
pub(crate) const MARKER: &str = "<!-- hipocampus:";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker<'a> {
    /// the first line of a block
    Start {
        session: &'a str,
        /// where its first turn begins in the transcript
        from: u64,
        /// where reading stopped
        to: u64,
    },
    /// the last line of a block
    End {
        session: &'a str,
        /// where reading stopped
        to: u64,
    },
}

impl<'a> Marker<'a> {
    pub(crate) fn session(self) -> &'a str {
        match self {
            Self::Start { session, .. } | Self::End { session, .. } => session,
        }
    }
}

/// Reads a line without its line ending. Only one that is at the very beginning of its line, or after a byte order
/// mark, is a marker, in fenced code too: only the import writes such a line.
#[inline]
pub(crate) fn marker(line: &str) -> Option<Marker<'_>> {
    // Asked of every line, several times, so the usual answer comes first.
    if may_be_one(line) { read(line) } else { None }
}

fn read(line: &str) -> Option<Marker<'_>> {
    let mut words = inside(line)?.split(' ');
    let (kind, session, range) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    match kind {
        "session" => {
            let (from, to) = range.split_once('-')?;
            Some(Marker::Start { session, from: from.parse().ok()?, to: to.parse().ok()? })
        }
        "end" => Some(Marker::End { session, to: range.parse().ok()? }),
        _ => None,
    }
}

/// The time in a line `<!-- hipocampus:at 2026-03-15 14:02:11 -->`: when what is below it was noted down, in local
/// time. It is what gives an entry its place where several logs of one day are merged, and nobody's words.
pub(crate) fn at(line: &str) -> Option<&str> {
    let time = inside(line)?.strip_prefix("at ")?;
    is_time(time).then_some(time)
}

/// Whether a line begins with the first byte of a marker or of a byte order mark.
#[inline]
fn may_be_one(line: &str) -> bool {
    matches!(line.as_bytes().first(), Some(b'<' | 0xef))
}

/// What a marker says.
fn inside(line: &str) -> Option<&str> {
    if !may_be_one(line) {
        return None;
    }
    lead::without_bom(line).trim_end().strip_prefix(MARKER)?.strip_suffix(" -->")
}

/// The line that [`at`] reads, with its end.
pub(crate) fn write_at(time: &str) -> String {
    format!("{MARKER}at {time} -->\n")
}

/// Whether the text of a line, without what is before it, begins as a marker of any kind.
pub(crate) fn begins_as_marker(text: &str) -> bool {
    text.starts_with(MARKER)
}

#[cfg(test)]
mod tests {
    use super::{Marker, at, marker};

    #[test]
    fn a_moment_is_read() {
        assert_eq!(at("<!-- hipocampus:at 2026-03-15 14:02:11 -->"), Some("2026-03-15 14:02:11"));
        assert_eq!(at("<!-- hipocampus:at noon -->"), None);
    }

    #[test]
    fn one_byte_order_mark_is_passed_over() {
        let end = "<!-- hipocampus:end s 9 -->";
        let read = Some(Marker::End { session: "s", to: 9 });
        assert_eq!(marker(end), read);
        assert_eq!(marker(&format!("\u{feff}{end}")), read);
        assert_eq!(marker(&format!("\u{feff}\u{feff}{end}")), None);
        assert_eq!(marker(&format!(" {end}")), None);
    }
}
