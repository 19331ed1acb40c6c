//! The lines of a transcript, in bounded memory: of one that is too long to be held, all but its long parts.

use std::fs::File;
use std::io;
use std::ops::Range;

use crate::capture::transcript::Condenser;
use crate::disk::{FileLine, LineReader, read_range};

/// The longest line of a transcript that is held as it is: 1 MiB.
const LINE_LIMIT: usize = 1024 * 1024;
/// How much of a longer one is read at once.
const STEP: u64 = 64 * 1024;

/// Reads lines. One that is too long, also without its long parts, is represented by its length.
pub(super) struct Records {
    file: File,
    lines: LineReader,
    condensed: Vec<u8>,
}

impl Records {
    /// The lines in `range`, which should begin where a line begins.
    pub(super) fn of(file: &File, range: Range<u64>) -> io::Result<Self> {
        let lines = LineReader::of(file, range, LINE_LIMIT)?;
        Ok(Self { file: file.try_clone()?, lines, condensed: Vec::new() })
    }

    /// The next line and where it is in the file, its line ending included.
    pub(super) fn next(&mut self) -> io::Result<Option<(Range<u64>, FileLine<'_>)>> {
        let Some((span, line)) = self.lines.next()? else { return Ok(None) };
        let is_unended = match line {
            FileLine::TooLong(_) => false,
            FileLine::Unended([]) if span.end - span.start > LINE_LIMIT as u64 => true,
            line => return Ok(Some((span, line))),
        };
        let Some(condensed) = condensed(&self.file, span.clone())? else {
            let bytes = span.end - span.start;
            let line =
                if is_unended { FileLine::Unended(&[]) } else { FileLine::TooLong(bytes - 1) };
            return Ok(Some((span, line)));
        };
        self.condensed = condensed;
        let line = &self.condensed[..];
        Ok(Some((span, if is_unended { FileLine::Unended(line) } else { FileLine::Whole(line) })))
    }
}

/// The record in a range of a file without its long parts.
fn condensed(file: &File, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
    let mut condenser = Condenser::new();
    let mut at = range.start;
    while at < range.end {
        let end = (at + STEP).min(range.end);
        if !condenser.push(&read_range(file, at..end)?) {
            return Ok(None);
        }
        at = end;
    }
    Ok(condenser.finish())
}
