//! What the lines of an extract were read as, for the extract that is made of it next: a week reads again what its days'
//! extracts say, and a month what its weeks' do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use bumpalo::Bump;
use xxhash_rust::xxh3::xxh3_64;

use super::cues::{Cue, cue};
use super::terms::terms;
use crate::memory::hashed::Hashed;

/// How many lines are remembered at most: more than the extracts of the days and weeks of a month have.
const REMEMBERED: usize = 16 * 1024;

/// How many words of such lines are remembered at most.
const WORDS: usize = 8 * REMEMBERED;

/// What is remembered of lines.
#[derive(Default)]
struct Known {
    /// by the hash of a line: where its words are, and what it tells
    lines: HashMap<u64, (Range<usize>, Option<Cue>), Hashed>,
    /// the words of all lines, one after the other
    words: Vec<u64>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Remembers a line that is printed. It is read again once.
pub(crate) fn remember(text: &str, words: &[u64], cue: Option<Cue>) {
    KNOWN.with_borrow_mut(|known| {
        if known.lines.len() >= REMEMBERED || known.words.len() >= WORDS {
            known.lines.clear();
            known.words.clear();
        }
        let start = known.words.len();
        known.words.extend(words);
        known.lines.insert(xxh3_64(text.as_bytes()), (start..known.words.len(), cue));
    });
}

/// The words of a line and what it tells, as [`terms`] and [`cue`] find them.
pub(super) fn read<'a>(text: &str, arena: &'a Bump) -> (&'a [u64], Option<Cue>) {
    KNOWN.with_borrow_mut(|known| match known.lines.remove(&xxh3_64(text.as_bytes())) {
        Some((words, cue)) => (&*arena.alloc_slice_copy(&known.words[words]), cue),
        None => (terms(text, arena), cue(text)),
    })
}
