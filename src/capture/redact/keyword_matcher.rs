//! Finds every place where one of a thousand keywords stands, in any case of its letters.
//!
//! Not an Aho-Corasick automaton, which was measured first: a thousand keywords make one of megabytes, 12 ms
//! to build and slow to walk, because each step waits for memory. Here eight places at a time are tested
//! against a filter that stays in a near cache, and only those that pass are compared with keywords.

use std::ops::Range;

/// Words of the filter, and buckets of keywords: one for each hash of three bytes.
const WORDS: usize = 1 << 14;

/// How many places are tested at a time.
const BLOCK: usize = 8;

/// Letters fold to lower case; what else folds together is told apart when the whole keyword is compared.
const FOLD: u64 = 0x2020_2020_2020_2020;

/// Keywords, ready to be looked for.
#[derive(Debug)]
pub(super) struct KeywordMatcher {
    keywords: Vec<Vec<u8>>,
    /// by the hash of three bytes: a bit for each fourth byte, all of them for a keyword of three
    filter: Box<[u64; WORDS]>,
    /// by the hash of three bytes: where its candidates start
    buckets: Vec<u16>,
    candidates: Vec<Candidate>,
}

/// A keyword's first eight bytes, to be compared at once.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    head: u64,
    mask: u64,
    keyword: u16,
    /// where in the keyword the four bytes stand that the filter knows
    offset: u8,
}

/// Parts of words that are on every page of a developer's notes, however rare their letters are; sorted.
#[rustfmt::skip]
const EVERYDAY: [&str; 64] = [
    "able", "auth", "back", "base", "bill", "book", "call", "card", "chan", "chat", "chec", "ckup", "clie",
    "code", "comm", "conf", "cont", "data", "depl", "desi", "desk", "docu", "edit", "even", "fact", "file",
    "fixe", "flow", "form", "fres", "hook", "imag", "info", "inte", "line", "link", "list", "load", "loca",
    "mail", "mark", "mess", "mits", "mitt", "note", "onfi", "open", "page", "pipe", "plan", "post", "quer",
    "requ", "scal", "serv", "shot", "sign", "spot", "stor", "test", "user", "view", "work", "zone",
];

/// The four bytes of a keyword that are the rarest in text: `stac` of `filestack`, not `file`.
fn rarest(keyword: &[u8]) -> usize {
    /// how often a byte is in ten thousand of English, for `a` to `z`
    const LETTERS: [u64; 26] = [
        660, 120, 220, 340, 1020, 180, 160, 490, 560, 10, 60, 320, 190, 540, 600, 150, 8, 480, 510,
        730, 220, 80, 190, 12, 160, 6,
    ];
    let weight = |byte: &u8| match byte {
        b'a'..=b'z' => LETTERS[usize::from(byte - b'a')],
        b' ' => 1800,
        _ => 60,
    };
    let weight = |four: &[u8]| {
        let everyday = EVERYDAY.binary_search_by_key(&four, |part| part.as_bytes()).is_ok();
        four.iter().map(weight).product::<u64>() * if everyday { 1000 } else { 1 }
    };
    let last = keyword.len().saturating_sub(4).min(4);
    (0..=last).min_by_key(|at| weight(&keyword[*at..keyword.len().min(at + 4)])).unwrap_or(0)
}

/// What three bytes are multiplied with for their hash. Any odd number serves; of some thousand that were tried, this
/// one puts the fewest of the three letters that are frequent in English and Korean logs to a keyword's.
const FACTOR: u32 = 0x0055_2293;

/// The hash of the first three of four folded bytes, and the fourth as a bit.
fn place(folded: u32) -> (usize, u32) {
    let hash = (folded & 0x00ff_ffff).wrapping_mul(FACTOR) >> (32 - WORDS.ilog2());
    (hash as usize, folded >> 24 & 63)
}

/// Eight bytes of the text, folded; zeros after its end.
fn folded(text: &[u8], at: usize) -> u64 {
    if text.len() - at >= 8 {
        return load(text, at);
    }
    let mut eight = [0; 8];
    let rest = &text[at..];
    eight[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(eight) | FOLD
}

fn load(text: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&text[at..at + 8]);
    u64::from_le_bytes(eight) | FOLD
}

impl KeywordMatcher {
    /// Every keyword has at least three bytes, and its letters are lower case.
    pub(super) fn new(keywords: Vec<Vec<u8>>) -> Self {
        let mut filter: Box<[u64; WORDS]> =
            vec![0; WORDS].try_into().expect("as many as were made");
        let mut placed: Vec<(usize, Candidate)> = Vec::with_capacity(keywords.len());
        for (keyword, number) in keywords.iter().zip(0..) {
            let offset = rarest(keyword);
            let (hash, bit) = place((folded(keyword, offset) & 0xffff_ffff) as u32);
            filter[hash] |= if keyword.len() > 3 { 1 << bit } else { u64::MAX };
            let mask = u64::MAX >> (64 - 8 * keyword.len().min(8));
            let head = folded(keyword, 0) & mask;
            let offset = u8::try_from(offset).unwrap_or(0);
            placed.push((hash, Candidate { head, mask, keyword: number, offset }));
        }
        placed.sort_by_key(|(hash, _)| *hash);
        let mut buckets = Vec::with_capacity(WORDS + 1);
        for (hash, index) in placed.iter().map(|(hash, _)| *hash).chain([WORDS]).zip(0..) {
            buckets.resize(buckets.len().max(hash + 1), index);
        }
        Self {
            keywords,
            filter,
            buckets,
            candidates: placed.into_iter().map(|(_, candidate)| candidate).collect(),
        }
    }

    /// Calls `found` with the start and the number of each keyword that is in `part`, in the order of the text,
    /// except keywords that overlap or touch.
    pub(super) fn each(
        &self,
        text: &[u8],
        part: Range<usize>,
        mut found: impl FnMut(usize, usize),
    ) {
        let mut at = part.start;
        while let Some((block, mut passed)) = self.next(text, at, part.end) {
            while passed != 0 {
                let place = block + passed.trailing_zeros() as usize;
                if place < part.end {
                    self.compare(text, place, &mut found);
                }
                passed &= passed - 1;
            }
            at = block + BLOCK;
        }
    }

    /// The next places that pass the filter: where their block begins, and a bit for each of them. Never inlined, and
    /// with the eight written out, because that is what keeps this loop in registers.
    #[inline(never)]
    fn next(&self, text: &[u8], from: usize, end: usize) -> Option<(usize, u64)> {
        let bit_of = |folded: u64, at: usize| {
            let (hash, last) = place((folded >> (8 * at) & 0xffff_ffff) as u32);
            (self.filter[hash] >> last & 1) << at
        };
        let mut at = from;
        while at < end {
            let (low, high) = match text.get(at..at + 12) {
                Some(twelve) => (load(twelve, 0), load(twelve, 4)),
                None => (folded(text, at), folded(text, (at + 4).min(text.len()))),
            };
            let first = bit_of(low, 0) | bit_of(low, 1) | bit_of(low, 2) | bit_of(low, 3);
            let last = bit_of(high, 0) | bit_of(high, 1) | bit_of(high, 2) | bit_of(high, 3);
            let passed = first | last << 4;
            if passed != 0 {
                return Some((at, passed));
            }
            at += BLOCK;
        }
        None
    }

    fn compare(&self, text: &[u8], at: usize, found: &mut impl FnMut(usize, usize)) {
        let (hash, _) = place((folded(text, at) & 0xffff_ffff) as u32);
        let bucket = usize::from(self.buckets[hash])..usize::from(self.buckets[hash + 1]);
        for candidate in &self.candidates[bucket] {
            let Some(start) = at.checked_sub(usize::from(candidate.offset)) else { continue };
            if folded(text, start) & candidate.mask == candidate.head {
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
        let matcher =
            KeywordMatcher::new(keywords.iter().map(|word| word.as_bytes().to_vec()).collect());
        let mut found = Vec::new();
        matcher.each(text.as_bytes(), 0..text.len(), |start, index| found.push((start, index)));
        found.sort_unstable();
        found
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

    #[test]
    fn a_keyword_is_looked_for_by_what_is_rare_in_it() {
        assert!(EVERYDAY.is_sorted());
        let check = |keyword: &str, expect: &str| {
            let at = rarest(keyword.as_bytes());
            assert_eq!(&keyword[at..keyword.len().min(at + 4)], expect, "{keyword}");
        };
        check("filestack", "stac");
        check("ghp_", "ghp_");
        check("://", "://");
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
