//! Reading parts of files that may be too large to be read whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::ops::Range;

/// How much is read at once when looking for something from the end.
const STEP: u64 = 256 * 1024;

/// The bytes of a range of a file; fewer where the file ends before.
///
/// # Errors
/// As the system says.
pub(crate) fn read_range(file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    let mut reader = file;
    reader.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    reader.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last line before `before` that begins with one of `starts`: where it begins.
///
/// # Errors
/// As the system says.
pub(crate) fn rfind_line(file: &File, starts: &[String], before: u64) -> io::Result<Option<u64>> {
    let longest = starts.iter().map(String::len).max().unwrap_or(0) as u64;
    let mut end = before;
    while end > 0 {
        let start = end.saturating_sub(STEP);
        // One byte before shows whether a line begins here; some behind complete a beginning cut by the step.
        let read_from = start.saturating_sub(1);
        let bytes = read_range(file, read_from..(end + longest).min(before))?;
        let found = starts
            .iter()
            .filter_map(|needle| {
                let mut limit = bytes.len();
                loop {
                    let at = memchr::memmem::rfind(&bytes[..limit], needle.as_bytes())?;
                    let offset = read_from + at as u64;
                    let begins = offset == 0 || (at > 0 && bytes[at - 1] == b'\n');
                    if begins && offset >= start {
                        return Some(offset);
                    }
                    limit = at + needle.len() - 1;
                }
            })
            .max();
        if found.is_some() {
            return Ok(found);
        }
        end = start;
    }
    Ok(None)
}

/// A line of a file, without its line ending.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// the line
    Whole(&'a [u8]),
    /// the last line of what is read, with no line ending yet: it may still grow
    Unended(&'a [u8]),
    /// a line longer than the limit, and its length
    TooLong(u64),
}

/// The lines of a part of a file, one at a time, in bounded memory.
pub(crate) struct LineReader {
    reader: BufReader<Take<File>>,
    at: u64,
    limit: usize,
    line: Vec<u8>,
}

impl LineReader {
    /// The lines in `range`, which should begin where a line begins. None is longer than `limit` bytes.
    ///
    /// # Errors
    /// As the system says.
    pub(crate) fn of(file: &File, range: Range<u64>, limit: usize) -> io::Result<Self> {
        let mut file = file.try_clone()?;
        file.seek(SeekFrom::Start(range.start))?;
        let reader = file.take(range.end.saturating_sub(range.start));
        let reader = BufReader::with_capacity(64 * 1024, reader);
        Ok(Self { reader, at: range.start, limit, line: Vec::new() })
    }

    /// The next line and where it stands in the file, its line ending included.
    ///
    /// # Errors
    /// As the system says.
    pub(crate) fn next(&mut self) -> io::Result<Option<(Range<u64>, Line<'_>)>> {
        self.line.clear();
        let start = self.at;
        loop {
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |at| at + 1);
            if self.line.len() <= self.limit {
                self.line.extend_from_slice(&bytes[..end.unwrap_or(taken)]);
            }
            self.reader.consume(taken);
            self.at += taken as u64;
            if end.is_some() {
                let length = self.at - start - 1;
                let line = if length > self.limit as u64 {
                    self.shrink();
                    Line::TooLong(length)
                } else {
                    Line::Whole(&self.line)
                };
                return Ok(Some((start..self.at, line)));
            }
        }
        if self.at == start {
            return Ok(None);
        }
        if self.at - start > self.limit as u64 {
            self.shrink();
        }
        Ok(Some((start..self.at, Line::Unended(&self.line))))
    }

    fn shrink(&mut self) {
        self.line.clear();
        self.line.shrink_to(64 * 1024);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn the_last_line_is_found_wherever_a_step_falls() {
        let step = usize::try_from(STEP).unwrap();
        for pad in [0, 1, 5, step - 9, step - 4, step - 1, step, step + 1, 3 * step + 7] {
            let mut bytes = b"needle 1\nx needle 2\nneedle 3\n needle 4\n".to_vec();
            bytes.extend(std::iter::repeat_n(b'y', pad));
            let file = file(&bytes);
            let starts = ["other".to_owned(), "needle ".to_owned()];
            let find = |before| rfind_line(&file, &starts, before).unwrap();
            assert_eq!(find(bytes.len() as u64), Some(20), "{pad}");
            assert_eq!(find(20), Some(0), "{pad}");
            assert_eq!(find(0), None, "{pad}");
        }
    }

    #[test]
    fn lines_keep_their_place_and_their_limit() {
        let file = file(b"ab\n\n0123456789\ncd\nef");
        let mut lines = LineReader::of(&file, 0..100, 9).unwrap();
        assert_eq!(lines.next().unwrap(), Some((0..3, Line::Whole(b"ab"))));
        assert_eq!(lines.next().unwrap(), Some((3..4, Line::Whole(b""))));
        assert_eq!(lines.next().unwrap(), Some((4..15, Line::TooLong(10))));
        assert_eq!(lines.next().unwrap(), Some((15..18, Line::Whole(b"cd"))));
        assert_eq!(lines.next().unwrap(), Some((18..20, Line::Unended(b"ef"))));
        assert_eq!(lines.next().unwrap(), None);
        let mut lines = LineReader::of(&file, 15..18, 9).unwrap();
        assert_eq!(lines.next().unwrap(), Some((15..18, Line::Whole(b"cd"))));
        assert_eq!(lines.next().unwrap(), None);
    }
}
