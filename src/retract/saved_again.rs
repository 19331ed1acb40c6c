//! Words that were forgotten and that somebody saves again on purpose: from then on the tombstones that there are cover
//! them no longer, in any clone.

use std::io;

use chrono::NaiveDate;

use super::cut::{self, Selection};
use crate::disk::{Folder, Write};
use crate::import::buried;
use crate::layout;
use crate::memory::forgotten::ForgottenId;

/// Takes note that what is in `words` is about to be saved in the log of a day. To be called before that is done.
/// Fails when the tombstones can be neither read nor written.
pub(crate) fn say_again(memory: &Folder, day: NaiveDate, words: &[u8]) -> io::Result<()> {
    let mut forgotten = buried::load(memory)?;
    let Some(cut) = cut::cut(words, day, Selection::Buried(&forgotten)) else { return Ok(()) };
    let mut lines = String::new();
    for gone in cut.gone.iter().filter(|gone| gone.is_text()) {
        lines.push_str(&forgotten.allow(ForgottenId::entry(day, &gone.text)));
    }
    // A file that was cut short by a crash ends in a line that says nothing.
    lines.insert(0, '\n');
    memory.append(layout::FORGOTTEN, lines.as_bytes(), Write::KEPT)
}
