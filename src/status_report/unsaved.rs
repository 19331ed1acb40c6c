//! Sessions of this project whose words are not in the memory, and why.

use std::path::PathBuf;

use chrono::{DateTime, FixedOffset, Utc};
use serde::Serialize;

use crate::capture::redact::Redactor;
use crate::disk::Folder;
use crate::error::describe;
use crate::import::sessions::{self, KeptSession, SessionOwner};
use crate::import::unread::{Unread, unread};
use crate::import::{self, Reached};
use crate::project::Project;
use crate::world::World;

/// A session that is not saved, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Unsaved {
    pub(crate) agent: &'static str,
    pub(crate) session: String,
    pub(crate) path: PathBuf,
    /// whether some of it is saved
    pub(crate) begun: bool,
    /// when the first and the last missing word was said, where that is recorded
    pub(crate) first: Option<DateTime<FixedOffset>>,
    pub(crate) last: Option<DateTime<FixedOffset>>,
    pub(crate) why: UnsavedReason,
    /// what the system said, where it cannot be read
    pub(crate) problem: Option<String>,
    /// when the transcript was last written to, nanoseconds since 1970 by the clock of the file system
    #[serde(skip)]
    pub(crate) written: i64,
}

/// Why a session is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnsavedReason {
    /// no event has brought it in yet
    NoEvent,
    /// no record tells in which folder it was held, so that it may be another project's
    Untold,
    /// the transcript cannot be read
    Unreadable,
    /// it is in a form that this version does not know
    UnknownForm,
}

/// Looks at the transcripts written to since the project was set up, latest first. Sessions without words do not count.
pub(crate) fn look(
    world: &World,
    project: &Project,
    memory: &Folder,
    redactor: &Redactor,
) -> Vec<Unsaved> {
    let since = sessions::set_up(&project.root);
    let mut recent = sessions::recent(&project.root, world, since);
    if recent.is_empty() {
        return Vec::new();
    }
    let reached = import::reached(memory).map(|(reached, _)| reached).unwrap_or_default();
    recent.retain(|session| reached.get(&session.id).is_none_or(|read| read.to != session.size));
    let look = |session: KeptSession| {
        let whose = session.whose(&project.root);
        one(world, memory, redactor, &session, whose, reached.get(&session.id))
    };
    recent.into_iter().filter_map(look).collect()
}

pub(crate) fn one(
    world: &World,
    memory: &Folder,
    redactor: &Redactor,
    session: &KeptSession,
    whose: SessionOwner,
    reached: Option<&Reached>,
) -> Option<Unsaved> {
    if whose == SessionOwner::Others {
        return None;
    }
    let found = unread(memory, &session.path, reached.map(|reached| reached.to), world, redactor);
    let (why, first, last, problem) = match found {
        Ok(Unread::Nothing) => return None,
        Ok(Unread::Words(first, last)) if whose == SessionOwner::Untold => {
            (UnsavedReason::Untold, first, last, None)
        }
        Ok(Unread::Words(first, last)) => (UnsavedReason::NoEvent, first, last, None),
        Ok(Unread::Strange) => (UnsavedReason::UnknownForm, None, None, None),
        Err(problem) => (UnsavedReason::Unreadable, None, None, Some(describe(&problem))),
    };
    let zone = world.now().map_or(*world.clock.offset(), |now| *now.offset());
    let here = |time: Option<DateTime<Utc>>| time.map(|time| time.with_timezone(&zone));
    Some(Unsaved {
        agent: session.agent,
        session: session.id.clone(),
        path: session.path.clone(),
        begun: reached.is_some(),
        first: here(first),
        last: here(last),
        why,
        problem,
        written: session.written,
    })
}
