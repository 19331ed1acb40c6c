//! What the lines of an extract were read as, for the extract that is made of it next: a week reads again what its days'
//! extracts say, and a month what its weeks' do.

use std::cell::RefCell;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::cues::{Cue, cue};
use super::terms::terms;
use crate::memory::hashed::Hashed;

/// How many lines are remembered at most: more than the extracts of the days and weeks of a month have.
const REMEMBERED: usize = 16 * 1024;

/// The words of a line, and what it tells.
type Reading = (Vec<u64>, Option<Cue>);

thread_local! {
    /// by the hash of a line
    static KNOWN: RefCell<HashMap<u64, Reading, Hashed>> = RefCell::default();
}

/// Remembers a line that is printed. It is read again once.
pub(crate) fn remember(text: &str, words: Vec<u64>, cue: Option<Cue>) {
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(xxh3_64(text.as_bytes()), (words, cue));
    });
}

/// The words of a line and what it tells, as [`terms`] and [`cue`] find them.
pub(super) fn read(text: &str) -> Reading {
    let known = KNOWN.with_borrow_mut(|known| known.remove(&xxh3_64(text.as_bytes())));
    known.unwrap_or_else(|| (terms(text), cue(text)))
}
