//! Records that are in a transcript a second time: a client may write its history again after what was said.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use xxhash_rust::xxh3::xxh3_64;

use super::source::{Conversation, Event};
use crate::capture::already_logged::is_unique;
use crate::capture::transcript::TurnPart;

/// What of a record is before it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    No,
    /// its words; since then tools have run, or a file was written
    Words,
    All,
}

/// The records that were read so far, each by its id and its words: with other words it is another one.
#[derive(Default)]
pub(super) struct Repeats {
    seen: HashSet<u64>,
    /// the same without what a record makes
    said: HashSet<u64>,
    /// up to where nothing was read yet, and when the last of it was said
    unread: Option<(u64, DateTime<Utc>)>,
}

impl Repeats {
    /// For whoever goes on at a place in a transcript, before which something was said last at this time.
    pub(super) fn behind(place: u64, latest: Option<DateTime<Utc>>) -> Self {
        Self { unread: latest.map(|latest| (place, latest)), ..Self::default() }
    }

    /// What of a record is before it, too. To be asked in the order of the source.
    pub(super) fn have(
        &mut self,
        source: &Conversation<'_>,
        said: &Event<'_>,
    ) -> io::Result<Repeated> {
        if key(&said.piece).is_none() {
            return Ok(Repeated::No);
        }
        // Time goes on, so what came before the place needs to be read only where it does not.
        let is_old = |latest| said.piece.time.is_some_and(|time| time <= latest);
        if let Some((place, _)) = self.unread.take_if(|(_, latest)| is_old(*latest)) {
            source.read(0..place, |said| {
                self.add(&said.piece);
                ControlFlow::Continue(())
            })?;
        }
        Ok(self.add(&said.piece))
    }

    fn add(&mut self, piece: &TurnPart) -> Repeated {
        let Some((record, words)) = key(piece) else { return Repeated::No };
        let has_words = !self.said.insert(words) && !piece.text.is_empty();
        match (self.seen.insert(record), has_words) {
            (false, _) => Repeated::All,
            (true, true) => Repeated::Words,
            (true, false) => Repeated::No,
        }
    }
}

/// What tells a record from every other one, and its words from all others; `None` where it has no id of its own.
fn key(piece: &TurnPart) -> Option<(u64, u64)> {
    let id = piece.id.as_deref().filter(|id| is_unique(id))?;
    let words = xxh3_64([id, &piece.text].join("\0").as_bytes()) ^ piece.role.seed();
    let made = [&piece.tools, &piece.files, &piece.commits].map(|made| made.join("\n"));
    Some((xxh3_64(made.join("\0").as_bytes()) ^ words, words))
}
