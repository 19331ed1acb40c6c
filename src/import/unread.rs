//! What of a transcript is not in the logs, told without importing it.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::logs::Logs;
use super::place::{self, Since};
use super::source::{Conversation, SourceKind};
use crate::capture::transcript::{Role, TurnPart};
use crate::capture::{Redact, block};
use crate::disk::{Folder, Line, LineReader, NotRead, Transcript};
use crate::layout;
use crate::world::World;

/// What stands in the part of a transcript that was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// no word that is missing in the logs
    Nothing,
    /// words: when the first and the last of them were said, where that is recorded
    Words(Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    /// a model's words in a form that no record known here has
    Strange,
}

/// The longest record that is looked at, in bytes.
const LINE: usize = 1024 * 1024;
/// How much of a transcript without words is looked through for words of another form, in bytes.
const LOOK: u64 = 256 * 1024;

/// Looks at a transcript from `from` on. Where its session has no block of that length (a fork, a file that was written
/// anew), its words may stand in the logs nevertheless: the first and the last of them are looked for there.
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
    let Some(first) = first else {
        let strange = speaks_strangely(&file, all).map_err(failed)?;
        return Ok(if strange { Unread::Strange } else { Unread::Nothing });
    };
    let last = last_words(&source, &first, world).map_err(failed)?;
    if from != Some(start) && stand(memory, [&first, &last], world, redact).map_err(failed)? {
        return Ok(Unread::Nothing);
    }
    Ok(Unread::Words(first.time, last.time))
}

/// Whether all of a transcript that has no block of its own stands in the logs nevertheless, under another session, as far
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
    stand(memory, [&first, &last], world, redact)
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

/// Whether a conversation that begins and ends with these words stands in the logs, under another session: then the
/// moment of its first words heads a sitting there.
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
    let mut days = place::days(&logs, Some(since), false)?;
    days.reverse();
    for day in days {
        // A day whose log is that of the sitting comes first, wherever the user has travelled since.
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

/// Whether a transcript in which no words are found contains a model's reply in an unknown form. A session in which nothing
/// was said contains none: what clients note down is not a reply.
fn speaks_strangely(file: &Transcript, range: Range<u64>) -> std::io::Result<bool> {
    let end = range.end.min(range.start + LOOK);
    let mut lines = LineReader::of(&file.file, range.start..end, LINE)?;
    while let Some((_, line)) = lines.next()? {
        let Line::Whole(line) = line else { continue };
        let Ok(record) = serde_json::from_slice::<Value>(line) else { continue };
        if is_reply(&record, 3) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an object, or one in it at most `depth` below, is a reply with a sentence in it.
fn is_reply(value: &Value, depth: usize) -> bool {
    let Value::Object(fields) = value else { return false };
    let is = |names: &[&str], words: &[&str]| {
        let mut found = names.iter().filter_map(|name| fields.get(*name)?.as_str());
        found.any(|word| words.contains(&word))
    };
    let by_model = is(
        &["role", "type", "kind", "author", "speaker", "from"],
        &["assistant", "model", "agent", "assistant_message", "agent_message"],
    );
    // What a client writes in the model's name.
    let synthetic = is(&["model"], &["<synthetic>"]);
    let places = ["text", "content", "message", "body", "words"];
    let text = || places.iter().filter_map(|name| fields.get(*name)).any(|text| says(text, 2));
    (by_model && !synthetic && text())
        || (!synthetic && depth > 0 && fields.values().any(|value| is_reply(value, depth - 1)))
}

/// Whether a value is a sentence, or has one where a text belongs.
fn says(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) => text.split_whitespace().count() >= 3,
        Value::Array(parts) => depth > 0 && parts.iter().any(|part| says(part, depth - 1)),
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
            let text = ["text", "content"].iter().filter_map(|name| fields.get(*name));
            let synthetic = fields.get("model").is_some_and(|model| model == "<synthetic>");
            !synthetic
                && !matches!(
                    kind,
                    "thinking" | "reasoning" | "redacted_thinking" | "tool_use" | "tool_result"
                )
                && depth > 0
                && text.into_iter().any(|text| says(text, depth - 1))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_told_from_what_clients_note_down() {
        let check = |json: &str, expect: bool| {
            assert_eq!(is_reply(&serde_json::from_str(json).unwrap(), 3), expect, "{json}");
        };
        check(
            r#"{"event":{"role":"assistant","content":[{"type":"text","text":"It is the zone."}]}}"#,
            true,
        );
        check(r#"{"kind":"agent_message","body":"It is the zone."}"#, true);
        check(r#"{"role":"assistant","content":"ok"}"#, false);
        check(
            r#"{"role":"assistant","content":[{"type":"thinking","text":"It is the zone."}]}"#,
            false,
        );
        check(
            r#"{"type":"user","message":{"role":"user","content":"Caveat: the messages below"}}"#,
            false,
        );
        check(
            r#"{"type":"assistant","message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"No response requested."}]}}"#,
            false,
        );
        check(r#"{"type":"system","content":"It is the zone."}"#, false);
        check(r#"{"type":"mode","mode":"plan"}"#, false);
        check("[1]", false);
    }
}
