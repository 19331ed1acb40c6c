//! What stands in the logs of the sitting that an import goes on with.

use std::io;

use chrono::NaiveDate;

use crate::capture::block;
use crate::capture::chunk::Chunk;
use crate::capture::transcript::Role;
use crate::disk::{Folder, Line, LineReader};
use crate::memory::title::{self, SpokenTurn};
use crate::text::start;

/// What the log of a day says about the sitting of a session that is going on.
#[derive(Debug, Default)]
pub(super) struct SittingSoFar {
    pub(super) title: Option<String>,
    /// what was said in it first, as it stands in its blocks; only where it has no title
    pub(super) text: String,
}

/// How much of a sitting is looked at for its title, in bytes.
const ENOUGH: usize = 128 * 1024;

impl SittingSoFar {
    /// The title that the next block of the sitting shows: a new one, and in another heading of the sitting the one that
    /// it has. Takes note of it.
    pub(super) fn show(&mut self, chunk: &Chunk, with_heading: bool) -> Option<String> {
        if chunk.begins {
            *self = Self::default();
        }
        let new = self.title_of(chunk).filter(|title| Some(title) != self.title.as_ref());
        self.title = new.clone().or(self.title.take());
        self.add(&chunk.text);
        if with_heading { self.title.clone() } else { new }
    }

    /// What the client calls the session, else, where it has no title yet, one made from what was said so far.
    fn title_of(&self, chunk: &Chunk) -> Option<String> {
        let named = chunk.named.as_ref().and_then(|named| block::title(&named.words));
        if named.is_some() || self.title.is_some() {
            return named;
        }
        let said = [block::said(&self.text), block::said(&chunk.text)].concat();
        let turns = said.iter().filter(|(role, _)| matches!(role, Role::User | Role::Assistant));
        let turns = turns.map(|(role, words)| SpokenTurn { by_user: *role == Role::User, words });
        title::title_of(turns).and_then(|title| block::title(&title))
    }

    /// Takes more of the sitting's blocks.
    fn add(&mut self, text: &str) {
        if self.title.is_none() && self.text.len() < ENOUGH {
            self.text.push_str(start(text, ENOUGH));
        }
    }
}

/// Reads it, up to a place in the log.
pub(super) fn read(
    memory: &Folder,
    session: &str,
    day: NaiveDate,
    until: u64,
) -> io::Result<SittingSoFar> {
    let mut known = SittingSoFar::default();
    let Some((file, stamp)) = memory.open_file(&crate::layout::log_name(day))? else {
        return Ok(known);
    };
    let mut inside = false;
    let mut lines = LineReader::of(&file, 0..stamp.size.min(until), 64 * 1024)?;
    while let Some((_, line)) = lines.next()? {
        let (Line::Whole(line) | Line::Unended(line)) = line else { continue };
        if !inside && !line.starts_with(b"<!--") {
            continue;
        }
        let line = String::from_utf8_lossy(line);
        match (block::marker(&line), block::sitting(&line)) {
            (Some(block::Marker::Start { session: found, .. }), _) => inside = found == session,
            (Some(block::Marker::End { .. }), _) => inside = false,
            (None, Some((_, Some(title)))) => known.title = Some(title.to_owned()),
            (None, Some((_, None))) => {}
            (None, None) => known.add(&format!("{line}\n")),
        }
    }
    Ok(known)
}
