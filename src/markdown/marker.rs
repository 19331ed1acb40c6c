//! The two lines that begin and end a session's block in a raw log.

/// How our markers begin.
pub const MARKER: &str = "<!-- hipocampus:";

/// A marker line, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker<'a> {
    /// the first line of a block
    Start {
        /// whose
        session: &'a str,
        /// where its first turn begins in the transcript
        from: u64,
        /// where reading stopped
        to: u64,
    },
    /// the last line of a block
    End {
        /// whose
        session: &'a str,
        /// where reading stopped
        to: u64,
    },
}

/// Reads a line without its line ending. Only one that stands at the very beginning of its line is a marker, in
/// fenced code too: what nobody but the import writes needs no other sign.
pub fn marker(line: &str) -> Option<Marker<'_>> {
    // Asked of every line, so the usual answer comes first.
    if line.as_bytes().first() != Some(&b'<') {
        return None;
    }
    let mut words = line.trim_end().strip_prefix(MARKER)?.strip_suffix(" -->")?.split(' ');
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

/// Whether the text of a line, without what stands before it, begins as a marker of any kind.
pub(crate) fn begins_as_marker(text: &str) -> bool {
    text.starts_with(MARKER)
}
