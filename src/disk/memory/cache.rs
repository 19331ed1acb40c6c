//! What earlier runs learnt, and the seal under which they left nothing to do.

use std::io;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Memory;
use crate::disk::folder::{EntryKind, Write};
use crate::layout;
use crate::memory::cache_bytes;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::{Facts, Stamp};
use crate::plan::Note;

/// Names the sources that filled the cache; what others filled is no cache.
const CACHE_HEAD: &[u8] = concat!("hipocampus cache ", env!("HIPOCAMPUS_SOURCES"), "\n").as_bytes();

/// The seal, and the length of the remarks after it.
const SEAL: usize = 16;

/// The most bytes of remarks that a seal can stand for.
const REMARKS: usize = 8 * 1024;

/// What follows the head of the cache.
struct Sealed<'a> {
    seal: Seal,
    remarks: &'a [u8],
    facts: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(CACHE_HEAD)?;
        let (numbers, rest) = rest.split_at_checked(SEAL)?;
        let (seal, length) = numbers.split_at(8);
        let length = u64::from_le_bytes(length.try_into().ok()?);
        let (remarks, facts) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        Some(Self { seal: Seal(u64::from_le_bytes(seal.try_into().ok()?)), remarks, facts })
    }
}

impl Memory {
    /// What earlier runs learnt; nothing where the cache is missing, of another version, or damaged.
    pub(crate) fn facts(&self) -> Facts {
        let Ok((bytes, _)) = self.folder.read(layout::CACHE) else { return Facts::default() };
        let sealed = Sealed::read(&bytes);
        sealed.and_then(|sealed| postcard::from_bytes(sealed.facts).ok()).unwrap_or_default()
    }

    /// The cache, where it begins as one of this program's does and does not go on so.
    pub(crate) fn torn_cache(&self) -> Option<Vec<u8>> {
        let (bytes, _) = self.folder.read(layout::CACHE).ok()?;
        let is_ours = bytes.starts_with(&CACHE_HEAD[..CACHE_HEAD.len().min(bytes.len())]);
        let whole = |sealed: Sealed<'_>| postcard::from_bytes::<Facts>(sealed.facts).is_ok();
        (is_ours && !Sealed::read(&bytes).is_some_and(whole)).then_some(bytes)
    }

    /// The seal of the last run that left nothing to do, and what that run had to remark all the same.
    pub(crate) fn sealed(&self) -> Option<(Seal, Vec<Note>)> {
        let most = CACHE_HEAD.len() + SEAL + REMARKS;
        let start = self.folder.read_start(layout::CACHE, most).ok()?;
        let Sealed { seal, remarks, .. } = Sealed::read(&start)?;
        Some((seal, postcard::from_bytes(remarks).ok()?))
    }

    /// Keeps what was learnt, under a seal, and what there is to remark for as long as it holds.
    ///
    /// # Errors
    /// As the system says. The cache only saves time, so nothing is lost then.
    pub(crate) fn keep_facts(&self, seal: Seal, remarks: &[Note], facts: &Facts) -> io::Result<()> {
        let remarks = postcard::to_allocvec(remarks).unwrap_or_default();
        let known = (1..=REMARKS).contains(&remarks.len());
        let (seal, remarks) = if known { (seal, &remarks[..]) } else { (Seal::BROKEN, &[][..]) };
        let mut head = CACHE_HEAD.to_vec();
        head.extend_from_slice(&seal.0.to_le_bytes());
        head.extend_from_slice(&(remarks.len() as u64).to_le_bytes());
        head.extend_from_slice(remarks);
        match cache_bytes::append(head, facts) {
            Ok(bytes) => {
                let how = Write { sync: false, private: true };
                self.folder.replace(layout::CACHE, &bytes, how).map(|_| ())
            }
            Err(_) => Ok(()),
        }
    }
}

/// A number for the state of a memory; the order of directory entries does not enter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal(pub(super) u64);

impl Seal {
    /// Stands for "there may be something to do".
    pub(crate) const BROKEN: Seal = Seal(0);

    pub(super) fn add(&mut self, place: usize, name: &str, stamp: Stamp, kind: u64) {
        self.0 = self.0.wrapping_add(Self::part(place, name, stamp, kind));
    }

    fn part(place: usize, name: &str, stamp: Stamp, kind: u64) -> u64 {
        let stat = [stamp.size, stamp.mtime.cast_unsigned(), kind];
        let seed = stat.iter().fold(place as u64, |seed, part| {
            (seed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        xxh3_64_with_seed(name.as_bytes(), seed)
    }

    /// The folder of a level is there.
    pub(crate) fn make_folder(&mut self, level: usize) {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15 << level);
    }

    /// A node was written, replaced or removed.
    pub(crate) fn change_node(&mut self, period: Period, old: Option<Stamp>, new: Option<Stamp>) {
        let place = 1 + Level::ALL.iter().position(|level| *level == period.level()).unwrap_or(0);
        self.change(place, &layout::node_name(period), old, new);
    }

    /// ROOT.md, MEMORY.md or the state file was written.
    pub(crate) fn change_file(&mut self, name: &str, old: Option<Stamp>, new: Option<Stamp>) {
        self.change(0, name, old, new);
    }

    fn change(&mut self, place: usize, name: &str, old: Option<Stamp>, new: Option<Stamp>) {
        let kind = EntryKind::File as u64;
        if let Some(old) = old {
            self.0 = self.0.wrapping_sub(Self::part(place, name, old, kind));
        }
        if let Some(new) = new {
            self.add(place, name, new, kind);
        }
    }
}
