//! Sessions whose client names nothing but their session.

use std::collections::HashMap;
use std::path::Path;

use crate::capture::block::session_name;
use crate::capture::hook_input::HookInput;
use crate::disk::{self, NotRead, StoreError, describe};
use crate::import::past::{self, Opened, Past};
use crate::import::sessions;
use crate::import::{Reached, agent_files};
use crate::platform::{Platform, Store};
use crate::world::World;

/// Looks up where a session is that the hook of a client should have named and did not, or named in a place where
/// there is none: a client files a session under the folder that it is in by now. Codex names no transcript where it
/// keeps none, as after a session has been moved to its database. Returns why it cannot be saved, if it cannot.
pub(crate) fn look_up(hook: &mut HookInput, client: &Platform, world: &World) -> Option<String> {
    if hook.messages.is_some() || !hook.odd.is_empty() {
        return None;
    }
    if let Some(path) = super::transcript_of(hook, world) {
        let of_copilot = client.store == Some(Store::Copilot);
        let is_there = if of_copilot { agent_files::is_written } else { disk::is_there };
        if !is_there(&path) {
            look_elsewhere(hook, client, &path, world);
            leave_unsaid(hook, client);
        } else if matches!(client.store, Some(Store::Copilot | Store::Cursor)) {
            // An agent that works for the session has a name of its own, and the file of the session.
            hook.session_id = agent_files::id(&path).or(hook.session_id.take());
        }
        return None;
    }
    if client.store == Some(Store::Cursor)
        && let Some(path) = world.var("CURSOR_TRANSCRIPT_PATH")
    {
        hook.session_id = agent_files::id(Path::new(path)).or(hook.session_id.take());
        hook.transcript_path = Some(path.to_owned());
        leave_unsaid(hook, client);
        return None;
    }
    let id = hook.session_id.clone()?;
    let name = client.name;
    let nowhere = format!(
        "not saved: {name} named no transcript of the session `{id}`, and none is in its folder"
    );
    match client.store? {
        Store::Codex => match past::of_codex(&id, world).and_then(|past| take(hook, past)) {
            Ok(true) => None,
            Ok(false) => Some(nowhere),
            Err(why) => Some(format!("not saved: {}", describe(&why))),
        },
        Store::OpenCode | Store::OpenClaw | Store::Cline => {
            Some(format!("not saved: {name} did not hand over what was said in the session `{id}`"))
        }
        // They name the file with some events only.
        store @ (Store::Copilot | Store::Cursor) => {
            let find = match store {
                Store::Copilot => agent_files::of_copilot,
                _ => agent_files::of_cursor,
            };
            let found = find(&id, world).and_then(|path| path.into_os_string().into_string().ok());
            hook.transcript_path = found;
            // Of a session in which nothing is said there is no file.
            let is_missed = store == Store::Copilot || hook.event == "stop";
            (is_missed && hook.transcript_path.is_none()).then_some(nowhere)
        }
        Store::ClaudeCode | Store::Droid | Store::Qwen | Store::Gemini => None,
    }
}

/// Of a chat in which nothing is said, Cursor names a file that it never makes.
fn leave_unsaid(hook: &mut HookInput, client: &Platform) {
    let is_missed = client.store != Some(Store::Cursor) || hook.event == "stop";
    let is_there = |path: &String| disk::is_there(Path::new(path));
    hook.transcript_path = hook.transcript_path.take().filter(|path| is_missed || is_there(path));
}

/// Looks up by its id a session whose transcript is not where its client says. Where it is nowhere, the path stays, and
/// the import says what is wrong with it.
fn look_elsewhere(hook: &mut HookInput, client: &Platform, path: &Path, world: &World) {
    let stem = || path.file_stem()?.to_str().map(str::to_owned);
    let Some(id) = hook.session_id.clone().or_else(stem) else { return };
    match client.store {
        Some(Store::ClaudeCode) => {
            let found = sessions::claude_by_id(&id, world);
            let found = found.and_then(|path| path.to_str().map(str::to_owned));
            hook.transcript_path = found.or(hook.transcript_path.take());
        }
        Some(Store::Codex) => {
            let _ = past::of_codex(&id, world).and_then(|past| take(hook, past));
        }
        Some(Store::Cursor) => {
            let found = agent_files::of_cursor(&id, world);
            let found = found.and_then(|path| path.to_str().map(str::to_owned));
            hook.transcript_path = found.or(hook.transcript_path.take());
        }
        _ => {}
    }
}

/// The sessions of the project that their agents write anew as a whole, as these would have handed them over, those of
/// which nothing is known first. Each is read when it is asked for. They were written to at or after `since`, in the last
/// days, and have more in them than was `reached`.
pub(crate) fn missed<'a>(
    root: &Path,
    world: &World,
    since: i64,
    reached: &'a HashMap<String, Reached>,
) -> impl Iterator<Item = HookInput> + use<'a> {
    let mut found = past::rewritten(root, world, since.max(sessions::oldest(world)));
    found.sort_by_key(|past| reached.contains_key(&session_name(&past.id)));
    found.into_iter().filter_map(|past| {
        // One that is being written just now is read the next time.
        let said = past.message_count()?;
        let known = reached.get(&session_name(&past.id));
        if known.is_some_and(|reached| reached.to == said) {
            return None;
        }
        let mut hook = HookInput { session_id: Some(past.id.clone()), ..HookInput::default() };
        take(&mut hook, Some(past)).ok()?.then_some(hook)
    })
}

/// Puts what was found where the client should have put it; whether that is anything.
fn take(hook: &mut HookInput, past: Option<Past>) -> Result<bool, NotRead> {
    let Some(past) = past else { return Ok(false) };
    match past.open()? {
        Opened::File(_) => {
            let odd = StoreError::Refused("its path is no text");
            let path = past.path().to_str().ok_or_else(|| NotRead::of(past.path(), odd))?;
            hook.transcript_path = Some(path.to_owned());
        }
        Opened::Messages(messages) if messages.is_empty() => return Ok(false),
        Opened::Messages(messages) => {
            hook.title = hook.title.take().or_else(|| past.title.clone());
            hook.messages = Some(messages);
        }
    }
    Ok(true)
}
