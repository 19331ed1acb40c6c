//! What an import would do, told without doing it.

use chrono::{DateTime, Utc};

use super::unread::{Unread, speaks_after, unread};
use super::{reached, transcript_of};
use crate::capture::block;
use crate::capture::hook_input::HookInput;
use crate::capture::redact::Redactor;
use crate::disk::{Folder, describe};
use crate::import::origin;
use crate::plan::Note;
use crate::world::World;

/// What would become of the session that a hook or the environment names; `None` where nothing of it is new.
pub(crate) fn would_import(
    memory: Option<&Folder>,
    hook: &HookInput,
    world: &World,
    redactor: &Redactor,
) -> Option<Note> {
    const TOLD: &str = "would be imported; nodes and ROOT.md follow from that";
    let known = memory.and_then(|memory| reached(memory).ok()).map(|(reached, _)| reached);
    let read_to = |id: &str| {
        let known = known.as_ref()?.get(&block::session_name(id))?;
        Some(known.to)
    };
    if let Some(messages) = &hook.messages {
        let id = hook.session_id.as_deref().unwrap_or_default();
        let is_new = read_to(id).unwrap_or(0) < messages.len() as u64;
        return is_new.then(|| Note::remark("the messages in the hook's JSON", TOLD));
    }
    let path = transcript_of(hook, world)?;
    let shown = path.display().to_string();
    let origin = match origin(&path) {
        Ok(origin) => origin,
        Err(why) => return Some(Note::problem("import", describe(&why))),
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let id = hook.session_id.clone().or(origin.session).or(stem).unwrap_or_default();
    let Some(memory) = memory else {
        let speaks = speaks_after(&path, DateTime::<Utc>::MIN_UTC, world.clock.to_utc());
        return speaks.then(|| Note::remark(shown, TOLD));
    };
    match unread(memory, &path, read_to(&id), world, redactor) {
        Ok(Unread::Words(..)) => Some(Note::remark(shown, TOLD)),
        Ok(Unread::Nothing | Unread::Strange) => None,
        Err(why) => Some(Note::problem("import", describe(&why))),
    }
}
