//! Finds every place where one of a thousand keywords stands, in any case of its letters.
//!
//! Not an Aho-Corasick automaton, which was measured first: a thousand keywords make one of megabytes, 12 ms
//! to build and slow to walk, because each step waits for memory. Here five places at a time are tested
//! against a filter that stays in the fastest cache, and only those that pass are compared with keywords.

use std::ops::Range;

/// Words of the filter, and buckets of keywords: one for each hash of three bytes.
const WORDS: usize = 1 << 13;

/// Places that eight bytes have four bytes for.
const LANES: usize = 5;

/// Keywords this long are only compared where a filter of their first five bytes agrees.
const LONG: usize = 5;

/// Bits of that filter.
const FINE: usize = 1 << 16;

/// Letters fold to lower case; what else folds together is told apart when the whole keyword is compared.
const FOLD: u64 = 0x2020_2020_2020_2020;

/// Keywords, ready to be looked for.
#[derive(Debug)]
pub(super) struct Lookout {
    keywords: Vec<Vec<u8>>,
    /// by the hash of three bytes: a bit for each fourth byte, all of them after a keyword of three
    filter: Box<[u32; WORDS]>,
    /// a bit for each hash of five bytes that a long keyword begins with
    fine: Box<[u64; FINE / 64]>,
    /// by the hash of three bytes: where its candidates start, the short ones and the long ones
    buckets: Vec<u16>,
    candidates: Vec<Candidate>,
}

/// A keyword's first eight bytes, to be compared at once.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    head: u64,
    mask: u64,
    keyword: u16,
}

/// The hash of the first three of four folded bytes, and the fourth as a bit.
fn place(folded: u32) -> (usize, u32) {
    let hash = (folded & 0x00ff_ffff).wrapping_mul(0x9e37_79b1) >> 19;
    (hash as usize, folded >> 24 & 31)
}

/// The word and the bit of five folded bytes in the fine filter.
fn fine_place(folded: u64) -> (usize, u64) {
    let hash = (folded & 0x00ff_ffff_ffff).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    let word = (hash >> 6) as usize;
    (word, hash & 63)
}

/// Eight bytes of the text, folded; zeros behind its end.
fn folded(text: &[u8], at: usize) -> u64 {
    let eight = text.get(at..at + 8).and_then(|eight| eight.try_into().ok()).unwrap_or_else(|| {
        let mut eight = [0; 8];
        let rest = &text[at..];
        eight[..rest.len()].copy_from_slice(rest);
        eight
    });
    u64::from_le_bytes(eight) | FOLD
}

impl Lookout {
    /// Every keyword has at least three bytes, and its letters are lower case.
    pub(super) fn new(keywords: Vec<Vec<u8>>) -> Self {
        let mut filter: Box<[u32; WORDS]> =
            vec![0; WORDS].into_boxed_slice().try_into().expect("made with as many words");
        let mut fine = Box::new([0; FINE / 64]);
        let mut placed: Vec<(usize, Candidate)> = Vec::with_capacity(keywords.len());
        for (keyword, number) in keywords.iter().zip(0..) {
            let head = folded(keyword, 0);
            let (hash, bit) = place((head & 0xffff_ffff) as u32);
            filter[hash] |= if keyword.len() > 3 { 1 << bit } else { u32::MAX };
            let long = keyword.len() >= LONG;
            if long {
                let (word, bit) = fine_place(head);
                fine[word] |= 1 << bit;
            }
            let mask = u64::MAX >> (64 - 8 * keyword.len().min(8));
            placed.push((
                2 * hash + usize::from(long),
                Candidate { head: head & mask, mask, keyword: number },
            ));
        }
        placed.sort_by_key(|(bucket, _)| *bucket);
        let mut buckets = vec![0; 2 * WORDS + 1];
        for (bucket, _) in &placed {
            buckets[bucket + 1] += 1;
        }
        for bucket in 1..buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
        }
        Self {
            keywords,
            filter,
            fine,
            buckets,
            candidates: placed.into_iter().map(|(_, candidate)| candidate).collect(),
        }
    }

    /// Calls `found` with the start and the number of each keyword that starts in `part`, in the order of the text.
    pub(super) fn each(
        &self,
        text: &[u8],
        part: Range<usize>,
        mut found: impl FnMut(usize, usize),
    ) {
        let mut at = part.start;
        while at < part.end {
            let eight = folded(text, at);
            let bit_of = |lane: usize| {
                let (hash, bit) = place((eight >> (8 * lane) & 0xffff_ffff) as u32);
                (self.filter[hash] >> bit & 1) << lane
            };
            let passed = (0..LANES).fold(0, |passed, lane| passed | bit_of(lane));
            if passed != 0 {
                self.compare(text, at, passed, part.end, &mut found);
            }
            at += LANES;
        }
    }

    /// Compares the places after `at` whose bits are set. Apart from the loop that calls it, which needs every register.
    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        mut passed: u32,
        end: usize,
        found: &mut impl FnMut(usize, usize),
    ) {
        while passed != 0 {
            let start = at + passed.trailing_zeros() as usize;
            passed &= passed - 1;
            if start < end {
                self.compare_at(text, start, found);
            }
        }
    }

    fn compare_at(&self, text: &[u8], start: usize, found: &mut impl FnMut(usize, usize)) {
        let eight = folded(text, start);
        let (hash, _) = place((eight & 0xffff_ffff) as u32);
        let (word, bit) = fine_place(eight);
        let buckets = if self.fine[word] >> bit & 1 == 0 { 1 } else { 2 };
        let first = usize::from(self.buckets[2 * hash]);
        let last = usize::from(self.buckets[2 * hash + buckets]);
        // A keyword that begins another one is the shorter of the two, so their order stays that of the keywords.
        for candidate in &self.candidates[first..last] {
            if eight & candidate.mask == candidate.head {
                let index = usize::from(candidate.keyword);
                let keyword = &self.keywords[index];
                let stands = text.get(start..start + keyword.len());
                if stands.is_some_and(|stands| stands.eq_ignore_ascii_case(keyword)) {
                    found(start, index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(keywords: &[&str], text: &str) -> Vec<(usize, usize)> {
        let lookout = Lookout::new(keywords.iter().map(|word| word.as_bytes().to_vec()).collect());
        let mut found = Vec::new();
        lookout.each(text.as_bytes(), 0..text.len(), |start, index| found.push((start, index)));
        found
    }

    #[test]
    fn short_and_long_keywords_are_found_in_order() {
        let words = ["tok", "token", "token_secret", "tokens"];
        assert_eq!(found(&words, "TOKENS token"), [(0, 0), (0, 1), (0, 3), (7, 0), (7, 1)]);
    }

    #[test]
    fn keywords_are_found_in_any_case_and_overlapping() {
        let words = ["key", "keys", "monkey", "://", "비밀번호", "ghp_"];
        assert_eq!(found(&words, "Monkeys KEY"), [(0, 2), (3, 0), (3, 1), (8, 0)]);
        assert_eq!(found(&words, "a://b"), [(1, 3)]);
        assert_eq!(found(&words, "x 비밀번호"), [(2, 4)]);
        assert_eq!(found(&words, "ghp_"), [(0, 5)]);
        assert_eq!(found(&words, "ghp"), []);
        assert_eq!(found(&words, ""), []);
    }

    proptest::proptest! {
        #[test]
        fn as_many_as_a_plain_search_finds(text in "[abkKeEy_]{0,80}") {
            let words = ["key", "ey_k", "keyk", "yek", "_abk"];
            let expect = words
                .iter()
                .map(|word| {
                    let stands = |at: &usize| text[*at..].to_ascii_lowercase().starts_with(word);
                    (0..text.len()).filter(stands).count()
                })
                .sum::<usize>();
            proptest::prop_assert_eq!(found(&words, &text).len(), expect);
        }
    }
}
