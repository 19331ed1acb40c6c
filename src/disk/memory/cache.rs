//! What earlier runs learnt, and the seal under which they left nothing to do.

use std::io;

use super::Memory;
use super::seal::Seal;
use crate::disk::folder::Write;
use crate::layout;
use crate::memory::cache_bytes;
use crate::memory::snapshot::Facts;
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
