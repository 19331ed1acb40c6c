//! Reading parts of files that may be too large to be read whole.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use crate::text::begins_line;

/// How much is read at once when looking for something from the end.
const STEP: u64 = 256 * 1024;
/// How much of a file is read at once, line by line.
const BUFFER: usize = 64 * 1024;

/// The bytes of a range of a file; fewer where the file ends before. Others may read the file at the same time.
pub(crate) fn read_range(file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().min(range.end).saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    let mut filled = 0;
    while filled < bytes.len() {
        match read_at(file, &mut bytes[filled..], range.start + filled as u64)? {
            0 => break,
            read => filled += read,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        match file.read_at(bytes, at) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Where a needle is first in a range of a file.
pub(crate) fn find(file: &File, needle: &[u8], range: Range<u64>) -> io::Result<Option<u64>> {
    let finder = memchr::memmem::Finder::new(needle);
    let mut from = range.start;
    while from < range.end {
        // Some bytes behind complete a needle that is cut by the step.
        let end = from + STEP;
        let bytes = read_range(file, from..(end + needle.len() as u64).min(range.end))?;
        if let Some(at) = finder.find(&bytes) {
            return Ok(Some(from + at as u64));
        }
        from = end;
    }
    Ok(None)
}

/// The last line before `before` that begins with one of `starts`: where that stands, after a byte order mark if the
/// line begins with one.
pub(crate) fn rfind_line(file: &File, starts: &[String], before: u64) -> io::Result<Option<u64>> {
    let longest = starts.iter().map(String::len).max().unwrap_or(0) as u64;
    let mut end = before;
    while end > 0 {
        let start = end.saturating_sub(STEP);
        // Some bytes before show whether a line begins here, perhaps with a byte order mark; some behind complete a
        // beginning cut by the step.
        let read_from = start.saturating_sub(4);
        let bytes = read_range(file, read_from..(end + longest).min(before))?;
        let found = starts
            .iter()
            .filter_map(|needle| {
                let mut limit = bytes.len();
                loop {
                    let at = memchr::memmem::rfind(&bytes[..limit], needle.as_bytes())?;
                    let offset = read_from + at as u64;
                    // Unless the file begins there, what is read begins four bytes before `start`.
                    if offset >= start && begins_line(&bytes[..at]) {
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
pub(crate) enum FileLine<'a> {
    Whole(&'a [u8]),
    /// the last line of what is read, with no line ending yet: it may still grow
    Unended(&'a [u8]),
    /// a line longer than the limit, and its length
    TooLong(u64),
}

/// The lines of a part of a file, one at a time, in bounded memory. A line is lent from the buffer that it was read
/// into.
pub(crate) struct LineReader {
    file: File,
    /// what of the file was not read yet
    left: Range<u64>,
    at: u64,
    limit: usize,
    buffer: Vec<u8>,
    /// what of the buffer was read and not yet lent
    unread: Range<usize>,
}

impl LineReader {
    /// The lines in `range`, which should begin where a line begins. None is longer than `limit` bytes.
    pub(crate) fn of(file: &File, range: Range<u64>, limit: usize) -> io::Result<Self> {
        let file = file.try_clone()?;
        let size = range.end.saturating_sub(range.start);
        let size = usize::try_from(size).map_or(BUFFER, |size| size.min(BUFFER));
        let at = range.start;
        Ok(Self { file, left: range, at, limit, buffer: vec![0; size], unread: 0..0 })
    }

    /// The next line and where it is in the file, its line ending included.
    pub(crate) fn next(&mut self) -> io::Result<Option<(Range<u64>, FileLine<'_>)>> {
        let start = self.at;
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(end) = memchr::memchr(b'\n', &unread[searched..]) {
                let line = self.take(searched + end);
                self.unread.start += 1;
                self.at += 1;
                let length = self.at - start - 1;
                if length > self.limit as u64 {
                    self.shrink();
                    return Ok(Some((start..self.at, FileLine::TooLong(length))));
                }
                return Ok(Some((start..self.at, FileLine::Whole(&self.buffer[line]))));
            }
            searched = unread.len();
            if searched > self.limit {
                self.take(searched);
                searched = 0;
            }
            if !self.fill()? {
                break;
            }
        }
        if self.at == start && searched == 0 {
            return Ok(None);
        }
        let line = self.take(searched);
        if self.at - start > self.limit as u64 {
            self.shrink();
            return Ok(Some((start..self.at, FileLine::Unended(&[]))));
        }
        Ok(Some((start..self.at, FileLine::Unended(&self.buffer[line]))))
    }

    /// Takes bytes of what is unread: where they are in the buffer.
    fn take(&mut self, length: usize) -> Range<usize> {
        let taken = self.unread.start..self.unread.start + length;
        self.unread.start = taken.end;
        self.at += length as u64;
        taken
    }

    /// Reads more after what is unread; whether there was something.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.unread.end == self.buffer.len() {
            self.buffer.resize((self.buffer.len() * 2).max(BUFFER), 0);
        }
        let left = self.left.end.saturating_sub(self.left.start);
        let room = usize::try_from(left).unwrap_or(usize::MAX);
        let end = self.buffer.len().min(self.unread.end.saturating_add(room));
        let read = read_at(&self.file, &mut self.buffer[self.unread.end..end], self.left.start)?;
        self.left.start += read as u64;
        self.unread.end += read;
        Ok(read > 0)
    }

    /// Gives back the memory that a long line took.
    fn shrink(&mut self) {
        if self.unread.len() <= BUFFER && self.buffer.len() > BUFFER {
            self.buffer.copy_within(self.unread.clone(), 0);
            self.unread = 0..self.unread.len();
            self.buffer.truncate(BUFFER);
            self.buffer.shrink_to_fit();
        }
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
    fn a_line_may_begin_with_a_byte_order_mark() {
        let step = usize::try_from(STEP).unwrap();
        for pad in [0, 1, step - 9, step - 8, step - 7, step - 6, step] {
            let mut bytes = "\u{feff}needle\n\u{feff}needle\nx\u{feff}needle\n".as_bytes().to_vec();
            bytes.extend(std::iter::repeat_n(b'y', pad));
            let file = file(&bytes);
            let find = |before| rfind_line(&file, &["needle".to_owned()], before).unwrap();
            assert_eq!(
                (find(bytes.len() as u64), find(13), find(3)),
                (Some(13), Some(3), None),
                "{pad}"
            );
        }
    }

    #[test]
    fn a_needle_is_found_wherever_a_step_falls() {
        let step = usize::try_from(STEP).unwrap();
        for pad in [0, 1, step - 7, step - 6, step - 5, step - 1, step, step + 1, 2 * step - 3] {
            let mut bytes = vec![b'y'; pad];
            bytes.extend_from_slice(b"needle, needle");
            let file = file(&bytes);
            let end = bytes.len() as u64;
            let pad = pad as u64;
            let find = |range| find(&file, b"needle", range).unwrap();
            assert_eq!(find(0..end), Some(pad));
            assert_eq!(find(pad + 1..end), Some(pad + 8));
            assert_eq!(find(pad + 1..end - 1), None);
            assert_eq!(find(end..end), None);
        }
    }

    #[test]
    fn lines_keep_their_place_and_their_limit() {
        let file = file(b"ab\n\n0123456789\ncd\nef");
        let mut lines = LineReader::of(&file, 0..100, 9).unwrap();
        assert_eq!(lines.next().unwrap(), Some((0..3, FileLine::Whole(b"ab"))));
        assert_eq!(lines.next().unwrap(), Some((3..4, FileLine::Whole(b""))));
        assert_eq!(lines.next().unwrap(), Some((4..15, FileLine::TooLong(10))));
        assert_eq!(lines.next().unwrap(), Some((15..18, FileLine::Whole(b"cd"))));
        assert_eq!(lines.next().unwrap(), Some((18..20, FileLine::Unended(b"ef"))));
        assert_eq!(lines.next().unwrap(), None);
        let mut lines = LineReader::of(&file, 15..18, 9).unwrap();
        assert_eq!(lines.next().unwrap(), Some((15..18, FileLine::Whole(b"cd"))));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn lines_are_the_same_however_they_fall_into_the_buffer() {
        let limit = BUFFER + 5000;
        for lengths in [
            vec![BUFFER - 1, 0, BUFFER, 3, BUFFER + 1],
            vec![BUFFER - 2, 7, limit, 1, limit + 1, 2, 3 * BUFFER, 5],
            vec![1; 70_000],
            vec![0; 3],
            vec![limit + 1],
            vec![9 * BUFFER, 4],
            vec![],
        ] {
            for ends in [true, false] {
                let lines: Vec<Vec<u8>> = (b'a'..=b'z')
                    .cycle()
                    .zip(&lengths)
                    .map(|(letter, length)| vec![letter; *length])
                    .collect();
                let mut bytes = lines.join(&b'\n');
                if ends && !lines.is_empty() {
                    bytes.push(b'\n');
                }
                let file = file(&bytes);
                let mut reader = LineReader::of(&file, 0..bytes.len() as u64, limit).unwrap();
                let mut at = 0;
                for (index, line) in lines.iter().enumerate() {
                    let is_last = index + 1 == lines.len() && !ends;
                    if is_last && line.is_empty() {
                        continue;
                    }
                    let end = at + line.len() as u64 + u64::from(!is_last);
                    let expect = match (is_last, line.len() > limit) {
                        (true, true) => FileLine::Unended(b""),
                        (true, false) => FileLine::Unended(line),
                        (false, true) => FileLine::TooLong(line.len() as u64),
                        (false, false) => FileLine::Whole(line),
                    };
                    assert_eq!(reader.next().unwrap(), Some((at..end, expect)), "{lengths:?}");
                    at = end;
                }
                assert_eq!(reader.next().unwrap(), None);
            }
        }
    }
}
