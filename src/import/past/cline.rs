//! Cline: `~/.cline/data/sessions/ID/ID.messages.json`, which it writes anew as a whole, and `ID.json`, which tells the
//! folder. The messages of subagents lie beside them, under names of their own.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{KeptAs, LIMIT, Owner, Past, PastSessions, home};
use crate::capture::stored;
use crate::disk::{self, StoreError, Stored};
use crate::platform::{Store, id_of};
use crate::world::World;

/// How the name of a file of messages ends.
pub(super) const END: &str = ".messages.json";
/// Who speaks to the person; others work for it.
const LEAD: &str = "lead";

#[derive(Deserialize)]
struct MessageFile {
    #[serde(rename = "sessionId")]
    session: String,
    agent: Option<String>,
    messages: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct About {
    cwd: PathBuf,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(rename = "sessionHistoryOrigin")]
    origin: Option<Origin>,
}

/// Who began a session.
#[derive(Deserialize)]
struct Origin {
    mode: String,
}

impl About {
    /// Whether a clock or a program began it, not a person.
    fn is_automatic(&self) -> bool {
        self.metadata.origin.as_ref().is_some_and(|origin| origin.mode == "automation")
    }
}

/// Finds those of the project that were written to at or after `since`, in nanoseconds since 1970.
pub(super) fn find(whose: &Owner<'_>, world: &World, since: i64, found: &mut PastSessions) {
    let moved = |name: &str| world.var(name).map(|folder| disk::real_path(Path::new(folder)));
    let data = || {
        moved("CLINE_DATA_DIR").or_else(|| Some(home(world, "CLINE_DIR", ".cline")?.join("data")))
    };
    let folder = moved("CLINE_SESSION_DATA_DIR").or_else(|| Some(data()?.join("sessions")));
    let Some(folder) = folder else { return };
    let is_one = |path: &Path| names(path).is_some();
    found.each(&folder, 2, is_one, |found, stored| {
        let Some((folder, name)) = names(&stored.path).filter(|_| stored.stamp.mtime >= since)
        else {
            return;
        };
        match about(stored, folder) {
            Ok(about) => {
                let (is_lead, cwd) = (name == folder, &about.cwd);
                let delegated = !is_lead || about.is_automatic();
                let id = if is_lead { name.to_owned() } else { format!("{folder}__{name}") };
                found.take(whose, cwd, Past { delegated, ..past(id, stored) });
            }
            Err(why) => found.pass_over(Some(&note_of(stored, folder)), &why),
        }
    });
}

/// Where the folder of a session is told.
fn note_of(stored: &Stored, session: &str) -> PathBuf {
    stored.path.with_file_name(format!("{session}.json"))
}

/// The session in a file, wherever it lies; none where it is an agent's that worked for another one.
pub(super) fn named(stored: &Stored) -> Result<Option<Past>, StoreError> {
    let MessageFile { session, agent, .. } = read(&stored.path)?;
    Ok(agent.is_none_or(|agent| agent == LEAD).then(|| past(session, stored)))
}

fn past(id: String, stored: &Stored) -> Past {
    let kept = KeptAs::Cline(stored.path.clone());
    Past::new(id_of(Store::Cline), id, kept, stored.stamp.mtime)
}

/// The folder of a session, and the name of a file of messages in it: that of the folder, or of an agent that works for
/// the one that a person speaks to.
fn names(path: &Path) -> Option<(&str, &str)> {
    let folder = path.parent()?.file_name()?.to_str()?;
    Some((folder, path.file_name()?.to_str()?.strip_suffix(END)?))
}

fn about(stored: &Stored, session: &str) -> Result<About, StoreError> {
    if let Some(why) = stored.refused {
        return Err(StoreError::Refused(why));
    }
    serde_json::from_slice(&disk::read_stored(&note_of(stored, session), LIMIT)?)
        .map_err(|_| StoreError::Refused("it does not tell in which folder the session was held"))
}

/// The messages of a session, as its plugin would have handed them over.
pub(super) fn messages(path: &Path) -> Result<Vec<Box<RawValue>>, StoreError> {
    let messages = read(path)?.messages;
    let slim = messages.iter().map(|raw| stored::cline(&serde_json::from_str(raw.get()).ok()?));
    Ok(slim.flatten().collect())
}

/// How many messages a session has by now, which is quicker to tell than what is in them.
pub(super) fn count(path: &Path) -> Option<u64> {
    Some(read(path).ok()?.messages.len() as u64)
}

fn read(path: &Path) -> Result<MessageFile, StoreError> {
    serde_json::from_slice(&disk::read_stored(path, LIMIT)?)
        .map_err(|_| StoreError::Refused("it is cut, or not what Cline writes"))
}
