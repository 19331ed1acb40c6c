//! Where in a transcript reading goes on: the session's last block, and whether the transcript still is
//! what that block was made from.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use chrono::{DateTime, NaiveDate, Utc};

use super::buried::BuriedTitles;
use super::clean::escaped;
use super::logs::Logs;
use super::since::{Since, days};
use super::source::{Conversation, SourceKind};
use crate::capture::chunk::Before;
use crate::capture::ledger::{self, BlockRead};
use crate::capture::transcript::{Role, TurnPart};
use crate::capture::{Redact, block};
use crate::disk::{FileLine, Identity, LineReader, find, read_range, rfind_line};
use crate::layout;
use crate::markdown::escape::unescape;
use crate::text::{start, without_bom};

/// How much of a log is read from a torn block on: more than any block holds.
const BLOCK_LIMIT: u64 = 4 * 1024 * 1024;
/// How much of a transcript is read back to find the last thing said before a place.
const WINDOW: u64 = 64 * 1024;

/// Where reading goes on.
#[derive(Debug, Default)]
pub(super) struct ResumePoint {
    pub(super) at: u64,
    pub(super) before: Option<Before>,
}

/// A session's last block and where it stands.
#[derive(Debug)]
pub(super) struct LastBlock {
    pub(super) last: BlockRead,
    pub(super) day: NaiveDate,
    /// where it begins in that log
    pub(super) at: u64,
    /// the file it is in
    pub(super) log: Identity,
    /// what is before it in the log, as far as it tells whether the block needed a heading
    pub(super) before: Vec<u8>,
}

/// The last block of a session. Sessions only move on, so the latest log that has one has the last one.
pub(super) fn last_block(
    logs: &Logs<'_>,
    session: &str,
    since: Option<Since>,
) -> io::Result<Option<LastBlock>> {
    for day in days(logs, since, false)? {
        if !logs.may_have(day, session)? {
            continue;
        }
        if let Some(found) = last_block_of(logs, session, day)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The block that reaches furthest in the transcript, where it is not `last`: it is in an older log where
/// sessions did not move on, as with blocks that another version wrote.
pub(super) fn furthest_block(
    logs: &Logs<'_>,
    session: &str,
    since: Option<Since>,
    last: &LastBlock,
) -> io::Result<Option<LastBlock>> {
    let mut furthest: Option<LastBlock> = None;
    for day in days(logs, since, false)?.into_iter().filter(|day| *day < last.day) {
        if !logs.may_have(day, session)? {
            continue;
        }
        if let Some(found) = last_block_of(logs, session, day)? {
            let reach = furthest.as_ref().map_or(last.last.to, |furthest| furthest.last.to);
            if found.last.to > reach {
                furthest = Some(found);
            }
        }
    }
    Ok(furthest)
}

fn last_block_of(logs: &Logs<'_>, session: &str, day: NaiveDate) -> io::Result<Option<LastBlock>> {
    let Some((file, stamp)) = logs.open(&layout::log_name(day))? else {
        return Ok(None);
    };
    let needles = ledger::needles(session);
    // Where earlier imports of this run have read the log, the last line that counts is known.
    let behind = logs.cache.and_then(|cache| cache.behind_last_marker(day, session));
    let mut before = behind.map_or(stamp.size, |behind| behind.min(stamp.size));
    while let Some(at) = rfind_line(&file, &needles, before)? {
        before = at;
        let line = read_range(&file, at..(at + 512).min(stamp.size))?;
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let marker = std::str::from_utf8(line).ok().and_then(block::marker);
        let (start, end) = match marker {
            Some(block::Marker::Start { .. }) => (at, (at + BLOCK_LIMIT).min(stamp.size)),
            Some(block::Marker::End { .. }) => {
                let Some(start) = rfind_line(&file, &needles[..1], at)? else { continue };
                (start, (at + line.len() as u64 + 1).min(stamp.size))
            }
            None => continue,
        };
        let bytes = read_range(&file, start..end)?;
        if let Some(last) = ledger::read_block(&bytes, session) {
            let before = read_range(&file, start.saturating_sub(1024)..start)?;
            let log = Identity::of(&file)?;
            return Ok(Some(LastBlock { last, day, at: start, log, before }));
        }
    }
    Ok(None)
}

/// How far a session has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reached {
    /// where its last block ends
    pub(crate) to: u64,
    /// its title, as it is in the log of that block
    pub(crate) title: Option<String>,
    /// those that were removed from the memory on purpose
    pub(super) buried: Option<BuriedTitles>,
}

/// How far each session's transcript has been read: where its last block ends.
pub(super) fn reached(logs: &Logs<'_>) -> io::Result<HashMap<String, Reached>> {
    let mut reached = HashMap::new();
    for day in days(logs, None, false)? {
        let Some((file, stamp)) = logs.open(&layout::log_name(day))? else {
            continue;
        };
        let mut here: HashMap<String, (Option<u64>, Option<String>)> = HashMap::new();
        let mut inside: Option<String> = None;
        let mut lines = LineReader::of(&file, 0..stamp.size, 512)?;
        while let Some((_, line)) = lines.next()? {
            let FileLine::Whole(line) = line else { continue };
            let line = without_bom(line);
            if !line.starts_with(b"<!--") && !line.starts_with(b"##") && !line.starts_with(b"**T") {
                continue;
            }
            let Ok(line) = std::str::from_utf8(line) else { continue };
            match block::marker(line) {
                // A block that has no end yet must not count as read.
                Some(block::Marker::Start { session, .. }) => {
                    here.entry(session.to_owned()).or_default().0 = None;
                    inside = Some(session.to_owned());
                }
                Some(block::Marker::End { session, to }) => {
                    here.entry(session.to_owned()).or_default().0 = Some(to);
                    inside = None;
                }
                None => {
                    let title = block::session_heading(line).and_then(|(_, title)| title);
                    if let (Some(session), Some(title)) = (&inside, title)
                        && let Some((_, known)) = here.get_mut(session)
                    {
                        *known = Some(title.to_owned());
                    }
                }
            }
        }
        for (session, found) in here {
            reached.entry(session).or_insert(found);
        }
    }
    let whole = |(session, (to, title)): (String, (Option<u64>, Option<String>))| {
        Some((session, Reached { to: to?, title, buried: None }))
    };
    Ok(reached.into_iter().filter_map(whole).collect())
}

/// What was said last before a place in a transcript; at the time `assumed`, where none is recorded.
pub(super) fn before(
    source: &Conversation<'_>,
    place: u64,
    assumed: DateTime<Utc>,
) -> io::Result<Option<(Before, TurnPart)>> {
    let SourceKind::File(file) = source.kind else {
        let mut last = None;
        source.read(0..place, |said| {
            last = Some(follow(last.as_ref(), said.piece, assumed));
            ControlFlow::Continue(())
        })?;
        return Ok(last);
    };
    let mut window = WINDOW;
    loop {
        let mut start = place.saturating_sub(window);
        if start > 0 {
            // The window begins somewhere in a line: that line is left out.
            start = find(&file.file, b"\n", start..place)?.map_or(place, |at| at + 1);
        }
        let mut last = None;
        source.read(start..place, |said| {
            last = Some(follow(last.as_ref(), said.piece, assumed));
            ControlFlow::Continue(())
        })?;
        if last.is_some() || window >= place {
            return Ok(last);
        }
        window *= 8;
    }
}

fn follow(
    last: Option<&(Before, TurnPart)>,
    piece: TurnPart,
    assumed: DateTime<Utc>,
) -> (Before, TurnPart) {
    (Before::after(last.map(|(before, _)| before), &piece, assumed), piece)
}

/// Where to go on after a session's last block; `None` if the transcript is not what it was made from.
pub(super) fn resume(
    source: &Conversation<'_>,
    found: &LastBlock,
    redact: &dyn Redact,
    assumed: DateTime<Utc>,
) -> io::Result<Option<ResumePoint>> {
    let last = &found.last;
    let place = if last.complete { last.to } else { last.from };
    let SourceKind::File(file) = source.kind else { return Ok(None) };
    if place > file.size || last.from > place || !source.is_boundary(place)? {
        return Ok(None);
    }
    if !source.is_boundary(last.from)? {
        return Ok(None);
    }
    let said_before = before(source, place, assumed)?;
    if last.complete && !is_name_only(source, last)? {
        let (mut start, mut first) = (None, None);
        Conversation::whole(source.kind).read_all(None, last.from..place, |said| {
            start = Some(said.span.start);
            ControlFlow::Break(())
        })?;
        source.read_all(None, last.from..place, |said| {
            if said.piece.role.is_title() {
                return ControlFlow::Continue(());
            }
            first = Some(said.piece);
            ControlFlow::Break(())
        })?;
        // Of what was forgotten, the marker lines are left.
        let is_empty = source.forgets() && first.is_none();
        let begins = start == Some(last.from)
            && (is_empty || first.is_some_and(|piece| stands_in(&piece, &last.bytes, redact)));
        let ends = is_empty
            || said_before.as_ref().is_some_and(|(_, piece)| stands_in(piece, &last.bytes, redact));
        if !begins || !ends {
            return Ok(None);
        }
    }
    Ok(Some(ResumePoint { at: place, before: said_before.map(|(before, _)| before) }))
}

/// Whether a block has only told what the session is called.
fn is_name_only(source: &Conversation<'_>, last: &BlockRead) -> io::Result<bool> {
    let mut silent = true;
    source.read(last.from..last.to, |_| {
        silent = false;
        ControlFlow::Break(())
    })?;
    let text = std::str::from_utf8(&last.bytes).unwrap_or_default();
    let titled = |line| block::session_heading(line).is_some_and(|(_, title)| title.is_some());
    Ok(silent && text.lines().any(titled) && block::said(text).is_empty())
}

/// Whether what a piece says is in a block. As little as tells is compared, and redacted only if the
/// words are not there as they are.
fn stands_in(piece: &TurnPart, block: &[u8], redact: &dyn Redact) -> bool {
    piece.text.is_empty()
        || piece.role == Role::Nobody
        || memchr::memmem::find(block, b"\n[cut: ").is_some()
        || says(block, piece, redact)
        || stands_now(piece, block, redact)
}

/// Whether the first words of a piece are anywhere in a log, as they are or as they would be written.
pub(super) fn says(log: &[u8], piece: &TurnPart, redact: &dyn Redact) -> bool {
    let begins = |text: &str, block: &[u8]| {
        memchr::memmem::find(block, start(text, 256).as_bytes()).is_some()
    };
    let stands = |text: &str| {
        let text = escaped(piece.role, text);
        // Another version may have escaped more or less.
        begins(&text, log)
            || begins(&unescape(&text), unescape(&String::from_utf8_lossy(log)).as_bytes())
    };
    stands(&piece.text) || stands(&redact.text(&piece.text))
}

/// The same where values have become known since the block was written.
fn stands_now(piece: &TurnPart, block: &[u8], redact: &dyn Redact) -> bool {
    let now = redact.as_now(block);
    let text = escaped(piece.role, &redact.text(&piece.text));
    matches!(now, Cow::Owned(_))
        && memchr::memmem::find(&now, start(&text, 256).as_bytes()).is_some()
}
