//! The file of the values that were proven to be secrets: read before an import, written after each of its blocks.
//!
//! Behind, not before: a block that a crash cut short is made again from the same text and must come out the same, so
//! what its last words proved must not be known yet. What a crash between the two loses is proven again by the next
//! text that names it.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use crate::capture::redact::Remembered;
use crate::capture::remembering::Remembering;
use crate::disk::{self, Folder, Write};
use crate::layout;
use crate::plan::Note;

/// What earlier runs remembered. Without a file, or with one that cannot be read as one, a new key is made.
pub(crate) fn load(memory: &Folder) -> Remembered {
    let read = memory.read_if_there(layout::PROVEN).ok().flatten();
    read.and_then(|(bytes, _)| Remembered::parse(&bytes)).unwrap_or_else(none)
}

/// What is remembered where nothing is.
pub(crate) fn none() -> Remembered {
    let mut key = [0; 16];
    for half in key.chunks_mut(8) {
        half.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    Remembered::new(key)
}

/// Writes what came since the last time.
pub(crate) fn save(memory: &Folder, redact: &Remembering<'_>) -> Option<Note> {
    let bytes = redact.news()?;
    let error = memory.replace(layout::PROVEN, &bytes, Write::CACHED).err()?;
    let why = format!("secrets of this text will not be known again: {}", disk::describe(&error));
    Some(Note::problem(layout::in_memory(layout::PROVEN), why))
}
