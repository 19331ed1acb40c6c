//! Records that are in a transcript a second time: a client may write its history again after what was said.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use xxhash_rust::xxh3::xxh3_64;

use super::source::{Conversation, Event};
use crate::capture::already_logged::is_unique;
use crate::capture::transcript::TurnPart;

/// The records that were read so far, each by its id and its words: with other words it is another one.
#[derive(Default)]
pub(super) struct Repeats {
    seen: HashSet<u64>,
    /// up to where nothing was read yet, and when the last of it was said
    unread: Option<(u64, DateTime<Utc>)>,
}

impl Repeats {
    /// For whoever goes on at a place in a transcript, before which something was said last at this time.
    pub(super) fn behind(place: u64, latest: Option<DateTime<Utc>>) -> Self {
        Self { unread: latest.map(|latest| (place, latest)), ..Self::default() }
    }

    /// Whether a record is before this one, too. To be asked in the order of the source.
    pub(super) fn have(&mut self, source: &Conversation<'_>, said: &Event<'_>) -> io::Result<bool> {
        let Some(this) = key(&said.piece) else { return Ok(false) };
        // Time goes on, so what came before the place needs to be read only where it does not.
        let is_old = |latest| said.piece.time.is_some_and(|time| time <= latest);
        if let Some((place, _)) = self.unread.take_if(|(_, latest)| is_old(*latest)) {
            source.read(0..place, |said| {
                self.seen.extend(key(&said.piece));
                ControlFlow::Continue(())
            })?;
        }
        Ok(!self.seen.insert(this))
    }
}

/// What tells a record from every other one; `None` where it has no id of its own.
fn key(piece: &TurnPart) -> Option<u64> {
    let id = piece.id.as_deref().filter(|id| is_unique(id))?;
    let made = [&piece.tools, &piece.files, &piece.commits].map(|made| made.join("\n"));
    let all = [id, &piece.text, &made[0], &made[1], &made[2]].join("\0");
    Some(xxh3_64(all.as_bytes()) ^ piece.role.seed())
}
