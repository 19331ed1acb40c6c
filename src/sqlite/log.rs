//! The write-ahead log: pages that are newer than those of the main file.

use std::collections::HashMap;
use std::io;

use super::Bytes;

/// The bytes of the log's header, and of the header of each frame.
const HEADER: usize = 32;
const FRAME: usize = 24;

/// What a write-ahead log holds.
pub(super) struct Log {
    pub(super) head: Vec<u8>,
    /// where the latest committed version of each page stands
    pub(super) pages: HashMap<u32, u64>,
    pub(super) page_size: usize,
}

/// Reads a log up to its last commit; `None` where nothing in it counts. Its checksums tell where it ends: behind
/// that stand frames of an earlier round, or what a crash has left.
pub(super) fn read(wal: &impl Bytes) -> io::Result<Option<Log>> {
    let size = wal.mark()?.size;
    let mut head = vec![0; HEADER];
    match wal.read_at(0, &mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let words: Vec<u32> = head.chunks(4).map(word).collect();
    let big = match words[0] {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return Ok(None),
    };
    let page_size = words[2] as usize;
    if words[1] != 3_007_000 || !page_size.is_power_of_two() || !(512..=65_536).contains(&page_size)
    {
        return Ok(None);
    }
    let mut sum = checksum((0, 0), &head[..24], big);
    if sum != (words[6], words[7]) {
        return Ok(None);
    }
    let (mut pages, mut open) = (HashMap::new(), Vec::new());
    let mut frame = vec![0; FRAME + page_size];
    let mut at = HEADER as u64;
    while at + frame.len() as u64 <= size {
        match wal.read_at(at, &mut frame) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
        let fields: Vec<u32> = frame[..FRAME].chunks(4).map(word).collect();
        sum = checksum(sum, &frame[..8], big);
        sum = checksum(sum, &frame[FRAME..], big);
        if (fields[2], fields[3]) != (words[4], words[5]) || sum != (fields[4], fields[5]) {
            break;
        }
        open.push((fields[0], at + FRAME as u64));
        if fields[1] != 0 {
            pages.extend(open.drain(..));
        }
        at += frame.len() as u64;
    }
    Ok((!pages.is_empty()).then_some(Log { head, pages, page_size }))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_be_bytes)
}

/// Two running sums over pairs of 32-bit words.
fn checksum((mut first, mut second): (u32, u32), bytes: &[u8], big: bool) -> (u32, u32) {
    let read = |four: &[u8]| {
        let four = four.try_into().unwrap_or_default();
        if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
    };
    for pair in bytes.chunks_exact(8) {
        first = first.wrapping_add(read(&pair[..4])).wrapping_add(second);
        second = second.wrapping_add(read(&pair[4..])).wrapping_add(first);
    }
    (first, second)
}
