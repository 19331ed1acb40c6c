//! What can be said about sessions without importing them.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::buried::{self, BuriedTitles};
use super::logs::Logs;
use super::place::{self, Reached};
use super::source::{Conversation, SourceKind};
use crate::capture::block;
use crate::capture::hook_input::HookInput;
use crate::disk::{Folder, NamedError, Transcript};
use crate::layout;
use crate::plan::Note;
use crate::world::World;

pub(crate) fn transcript_of(hook: &HookInput, world: &World) -> Option<PathBuf> {
    let path = hook.transcript_path.as_deref().or_else(|| world.var("TRANSCRIPT_PATH"))?;
    let base = hook.cwd.as_ref().map_or(world.cwd.as_path(), Path::new);
    Some(base.join(path))
}

/// How far each session's transcript has been read, by the logs, and what is to be said of those that cannot be read.
pub(crate) fn reached(memory: &Folder) -> io::Result<(HashMap<String, Reached>, Vec<Note>)> {
    let logs = Logs::of(memory);
    let mut reached =
        place::reached(&logs).map_err(|error| NamedError::put(layout::MEMORY, error))?;
    // What was forgotten on purpose is not missed.
    let forgotten = buried::load(memory)?;
    for session in forgotten.sessions() {
        let known = reached.get(session).map_or(0, |reached| reached.to);
        let behind = |to: u64| {
            let mut ranges = forgotten.ranges(session);
            ranges.find(|range| range.start <= to && to < range.end).map(|range| range.end)
        };
        let to = std::iter::successors(Some(known), |to| behind(*to)).last().unwrap_or(known);
        if to > known {
            let new = || Reached { to, title: None, buried: None };
            reached.entry(session.to_owned()).or_insert_with(new).to = to;
        }
    }
    if forgotten.has_texts() {
        let forgotten = Rc::new(forgotten);
        for (session, reached) in &mut reached {
            reached.buried = Some(BuriedTitles::of(session, &forgotten));
        }
    }
    Ok((reached, logs.notes()))
}

/// Whether nothing is said in the part of a transcript after what was read, as far as a short look can tell, and the
/// session is not called otherwise there.
pub(crate) fn is_silent(path: &Path, reached: &Reached, end: u64) -> bool {
    const SHORT: u64 = 256 * 1024;
    let range = reached.to..end;
    let Some(file) = Transcript::open(path).ok().filter(|_| !range.is_empty()) else {
        return false;
    };
    let mut silent = range.end - range.start <= SHORT;
    let mut named = None;
    let read = Conversation::whole(SourceKind::File(&file)).read_all(None, range, |said| {
        if said.piece.role.is_title() {
            if reached.buried.as_ref().is_some_and(|buried| buried.have(&said.piece.text)) {
                return ControlFlow::Continue(());
            }
            named = block::title(&said.piece.text).or(named.take());
            return ControlFlow::Continue(());
        }
        silent = false;
        ControlFlow::Break(())
    });
    silent && read.is_ok() && (named.is_none() || named == reached.title)
}
