//! What is in the logs of the session that an import goes on with.

use std::io;

use chrono::NaiveDate;

use crate::capture::block;
use crate::capture::chunk::Chunk;
use crate::capture::transcript::Role;
use crate::disk::{FileLine, Folder, LineReader};
use crate::markdown::heading::SessionHeading;
use crate::meaning::title::{SpokenTurn, Title, title_of};
use crate::text::{start, without_bom};

/// What the log of a day says about a session that is going on.
#[derive(Debug, Default)]
pub(super) struct SessionSoFar {
    pub(super) title: Option<String>,
    /// what was said in it first, as it is in its blocks
    text: String,
    /// the time in its last heading
    time: Option<String>,
}

/// How much of a session is looked at for its title, in bytes.
const ENOUGH: usize = 128 * 1024;

impl SessionSoFar {
    /// The title that the next block of the session shows: a new one, and in another heading of the session the one
    /// that it has. Takes note of it.
    pub(super) fn show(&mut self, chunk: &Chunk, with_heading: bool) -> Option<String> {
        if chunk.begins {
            *self = Self::default();
        }
        let new = self.title_of(chunk).filter(|title| Some(title) != self.title.as_ref());
        self.title = new.clone().or(self.title.take());
        self.add(&chunk.text);
        if with_heading { self.title.clone() } else { new }
    }

    /// What the client calls the session, else one made from what was said so far. One that was made from less gives
    /// way to it; one that the client or a person gave does not.
    fn title_of(&self, chunk: &Chunk) -> Option<String> {
        let named = chunk.named.as_ref().and_then(|named| block::title(&named.words));
        if named.is_some() || self.text.len() >= ENOUGH && self.title.is_some() {
            return named;
        }
        if let Some(known) = &self.title {
            let before = made(&[&self.text]).filter(|before| !before.is_settled)?;
            if block::title(&before.text).as_ref() != Some(known) {
                return None;
            }
        }
        block::title(&made(&[&self.text, &chunk.text])?.text)
    }

    /// Takes more of the session's blocks.
    fn add(&mut self, text: &str) {
        if self.text.len() < ENOUGH {
            self.text.push_str(start(text, ENOUGH));
        }
    }

    /// Takes a heading: it goes on with the session, or begins the next one of the same id.
    fn head(&mut self, time: &str, title: Option<&str>) {
        let next = SessionHeading { time, title };
        let goes_on = |last: &str| {
            next.goes_on_with(SessionHeading { time: last, title: self.title.as_deref() })
        };
        if self.time.as_deref().is_some_and(|last| !goes_on(last)) {
            *self = Self::default();
        }
        self.time = Some(time.to_owned());
        self.title = title.map(str::to_owned).or(self.title.take());
    }
}

/// The title that the turns in some blocks give.
fn made(blocks: &[&str]) -> Option<Title> {
    let said: Vec<_> = blocks.iter().flat_map(|text| block::said(text)).collect();
    let turns = said.iter().filter(|(role, _)| matches!(role, Role::User | Role::Assistant));
    title_of(turns.map(|(role, words)| SpokenTurn { by_user: *role == Role::User, words }))
}

/// Reads it, up to a place in the log.
pub(super) fn read(
    memory: &Folder,
    session: &str,
    day: NaiveDate,
    until: u64,
) -> io::Result<SessionSoFar> {
    let mut known = SessionSoFar::default();
    let Some((file, stamp)) = memory.open_file(&crate::layout::log_name(day))? else {
        return Ok(known);
    };
    let mut inside = false;
    let mut lines = LineReader::of(&file, 0..stamp.size.min(until), 64 * 1024)?;
    while let Some((_, line)) = lines.next()? {
        let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
        let line = without_bom(line);
        if !inside && !line.starts_with(b"<!--") {
            continue;
        }
        let line = String::from_utf8_lossy(line);
        match (block::marker(&line), block::session_heading(&line)) {
            (Some(block::Marker::Start { session: found, .. }), _) => inside = found == session,
            (Some(block::Marker::End { .. }), _) => inside = false,
            (None, Some((Some(time), title))) => known.head(time, title),
            (None, Some((None, title))) => known.title = title.map(str::to_owned).or(known.title),
            (None, None) => known.add(&format!("{line}\n")),
        }
    }
    Ok(known)
}
