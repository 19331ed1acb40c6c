//! What of a transcript is not in the logs, found without importing it.

use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::logs::Logs;
use super::place;
use super::records::Records;
use super::since::{self, Since};
use super::source::{Conversation, SourceKind};
use crate::capture::transcript::{self, Role, TurnPart};
use crate::capture::{Redact, block, ledger};
use crate::disk::{FileLine, Folder, NotRead, Transcript};
use crate::layout;
use crate::world::World;

/// What is in the part of a transcript that was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// no word that is missing in the logs
    Nothing,
    /// words: when the first and the last of them were said, where that is recorded
    Words(Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    /// words in a form that no record known here has
    Strange,
}

/// Looks at a transcript from `from` on. Where its session has no block of that length (a fork, a file that was written
/// anew), its words may be in the logs nevertheless: the first and the last of them are looked for there.
pub(crate) fn unread(
    memory: &Folder,
    path: &Path,
    from: Option<u64>,
    world: &World,
    redact: &dyn Redact,
) -> Result<Unread, NotRead> {
    let file = Transcript::open(path)?;
    let source = Conversation::whole(SourceKind::File(&file));
    let failed = |error: std::io::Error| NotRead::of(path, error);
    let start = from.filter(|from| *from <= source.end()).unwrap_or(0);
    let all = start..source.end();
    let first = first_words(&source, all.clone()).map_err(failed)?;
    let strange = || lost(&source, all).map(|lost| lost.is_some()).map_err(failed);
    let Some(first) = first else {
        return Ok(if strange()? { Unread::Strange } else { Unread::Nothing });
    };
    let last = last_words(&source, &first, world).map_err(failed)?;
    if from != Some(start)
        && (stand(memory, [&first, &last], world, redact).map_err(failed)?
            || is_copy(memory, &source, [&first, &last], redact).map_err(failed)?)
    {
        return Ok(Unread::Nothing);
    }
    if strange()? {
        return Ok(Unread::Strange);
    }
    Ok(Unread::Words(first.time, last.time))
}

/// Whether all of a transcript that has no block of its own is in the logs nevertheless, under another session, as far
/// as its first words and its last ones tell.
pub(crate) fn is_elsewhere(
    memory: &Folder,
    path: &Path,
    world: &World,
    redact: &dyn Redact,
) -> std::io::Result<bool> {
    let Ok(file) = Transcript::open(path) else { return Ok(false) };
    let source = Conversation::whole(SourceKind::File(&file));
    let Some(first) = first_words(&source, 0..source.end())? else { return Ok(false) };
    let last = last_words(&source, &first, world)?;
    Ok(stand(memory, [&first, &last], world, redact)?
        || is_copy(memory, &source, [&first, &last], redact)?)
}

/// Whether a session that begins and ends with these words is a copy of one that has them in the logs.
fn is_copy(
    memory: &Folder,
    source: &Conversation<'_>,
    [first, last]: [&TurnPart; 2],
    redact: &dyn Redact,
) -> std::io::Result<bool> {
    let logs = Logs::of(memory);
    for parent in source.parents()? {
        let mut found = [false; 2];
        let marker = ledger::needles(&block::session_name(&parent))[0].clone();
        for day in since::days(&logs, None, false)? {
            let Some((bytes, _)) = memory.read_if_there(&layout::log_name(day))? else { continue };
            if memchr::memmem::find(&bytes, marker.as_bytes()).is_none() {
                continue;
            }
            found[0] |= place::says(&bytes, first, redact);
            found[1] |= place::says(&bytes, last, redact);
        }
        if found == [true; 2] {
            return Ok(true);
        }
    }
    Ok(false)
}

fn first_words(source: &Conversation<'_>, range: Range<u64>) -> std::io::Result<Option<TurnPart>> {
    let mut first = None;
    source.read(range, |said| {
        if !is_spoken(&said.piece) {
            return ControlFlow::Continue(());
        }
        first = Some(said.piece);
        ControlFlow::Break(())
    })?;
    Ok(first)
}

fn last_words(
    source: &Conversation<'_>,
    first: &TurnPart,
    world: &World,
) -> std::io::Result<TurnPart> {
    let last = place::before(source, source.end(), world.clock.to_utc())?;
    let last = last.map(|(_, piece)| piece).filter(is_spoken);
    Ok(last.unwrap_or_else(|| first.clone()))
}

/// Whether anything is said in a transcript, after a moment as far as that is recorded.
pub(crate) fn speaks_after(path: &Path, moment: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let Ok(file) = Transcript::open(path) else { return false };
    let source = Conversation::whole(SourceKind::File(&file));
    let mut speaks = false;
    let read = source.read(0..file.size, |said| {
        speaks = is_spoken(&said.piece);
        if speaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let last = place::before(&source, file.size, now).ok().flatten();
    let last = last.and_then(|(_, piece)| piece.time);
    read.is_ok() && speaks && last.is_none_or(|last| last > moment)
}

fn is_spoken(piece: &TurnPart) -> bool {
    matches!(piece.role, Role::User | Role::Assistant) && !piece.text.trim().is_empty()
}

/// Whether a session that begins and ends with these words is in the logs, under another session: then the
/// moment of its first words heads a session there.
fn stand(
    memory: &Folder,
    [first, last]: [&TurnPart; 2],
    world: &World,
    redact: &dyn Redact,
) -> std::io::Result<bool> {
    let (Some(time), Ok(local)) = (first.time, world.local()) else { return Ok(false) };
    let logs = Logs::of(memory);
    let began = local(time);
    let heading = block::heading(began, None);
    let since = Since::new(time, began.date(), world.clock.to_utc());
    let mut found = [false; 2];
    let mut days = since::days(&logs, Some(since), false)?;
    days.reverse();
    for day in days {
        // A day whose log is that of the session comes first, wherever the user has travelled since.
        if !found[0] && (day - began.date()).num_days() > 1 {
            return Ok(false);
        }
        let Some((bytes, _)) = memory.read_if_there(&layout::log_name(day))? else { continue };
        found[0] |= memchr::memmem::find(&bytes, heading.trim_end().as_bytes()).is_some()
            && place::says(&bytes, first, redact);
        found[1] |= place::says(&bytes, last, redact);
        if found == [true; 2] {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where words are first that cannot be read, although nothing else of that speaker is said in this range: of the
/// model, or of the person. What was recognised beside them, as tools that were called, does not make up for them.
pub(super) fn lost(source: &Conversation<'_>, range: Range<u64>) -> std::io::Result<Option<u64>> {
    let mut sides =
        [Role::Assistant, Role::User].map(|role| Side { role, heard: false, lost: None });
    let mut look = |said: Option<TurnPart>, at: u64, record: &[u8]| {
        let speaker = said.filter(is_spoken).map(|piece| piece.role);
        let unread = if speaker.is_none() { transcript::speaker_unread(record) } else { None };
        for side in &mut sides {
            side.heard |= speaker == Some(side.role);
            if unread == Some(side.role) {
                side.lost = side.lost.or(Some(at));
            }
        }
        sides.iter().all(|side| side.heard)
    };
    match source.kind {
        SourceKind::File(file) => {
            let mut lines = Records::of(&file.file, range)?;
            while let Some((span, line)) = lines.next()? {
                let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
                let Ok(said) = transcript::said(line) else { continue };
                if look(said, span.start, line) {
                    break;
                }
            }
        }
        SourceKind::Messages(messages) => {
            for (at, message) in (0..).zip(messages).filter(|(at, _)| range.contains(at)) {
                let record = message.get().as_bytes();
                if look(transcript::piece(record), at, record) {
                    break;
                }
            }
        }
    }
    Ok(sides.iter().filter(|side| !side.heard).filter_map(|side| side.lost).min())
}

/// How many records have words, all of which are private; one that is there twice counts once.
pub(super) fn private(source: &Conversation<'_>) -> std::io::Result<usize> {
    let mut found = HashSet::new();
    let mut look = |record: &[u8]| {
        if transcript::is_private(record) {
            found.insert(crate::plan::hash(record));
        }
    };
    match source.kind {
        SourceKind::File(file) => {
            let mut lines = Records::of(&file.file, 0..file.size)?;
            while let Some((_, line)) = lines.next()? {
                if let FileLine::Whole(line) | FileLine::Unended(line) = line {
                    look(line);
                }
            }
        }
        SourceKind::Messages(messages) => {
            for message in messages {
                look(message.get().as_bytes());
            }
        }
    }
    Ok(found.len())
}

/// One of the two who speak in a session.
struct Side {
    role: Role,
    /// whether words of it were recognised
    heard: bool,
    /// where words of it are first that were not
    lost: Option<u64>,
}
