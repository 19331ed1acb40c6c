//! OpenCode: `~/.local/share/opencode/opencode.db`, every project in one database.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::value::RawValue;

use super::{KeptAs, Owner, Past, PastSessions, home, known};
use crate::capture::stored;
use crate::disk::{self, StoreError};
use crate::platform::{Store, id_of};
use crate::world::World;

pub(super) fn find(whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    let Some(data) = home(world, "XDG_DATA_HOME", ".local/share") else { return };
    let folder = data.join("opencode");
    if disk::is_link(&folder) {
        return found.refuse(&folder, "it is a link, which is not followed");
    }
    // Other channels than the released one have a file of their own.
    let is_store =
        |name: &String| name.strip_suffix(".db").is_some_and(|stem| stem.starts_with("opencode"));
    let mut names: Vec<_> = disk::names(&folder).into_iter().filter(is_store).collect();
    names.sort();
    for path in names.iter().map(|name| folder.join(name)) {
        found.add_all(whose, &path, sessions(&path));
    }
}

/// Its sessions, each with the folder it was held in. One with a parent is an agent's for another agent.
fn sessions(path: &Path) -> Result<Vec<(String, Past)>, StoreError> {
    disk::read_database(path, |database| {
        let columns = ["id", "parent_id", "directory", "title", "time_updated"];
        known(
            database.has("session", &columns)
                && database.has("message", &["id", "session_id", "time_created", "data"])
                && database.has("part", &["id", "message_id", "session_id", "data"]),
        )?;
        let mut sessions = Vec::new();
        database.rows("session", &mut |row| {
            let text = |name: &str| row.text(name).map(Cow::into_owned);
            if let (Some(id), Some(cwd)) = (text("id"), text("directory")) {
                let written = row.int("time_updated").unwrap_or(0).saturating_mul(1_000_000);
                let kept = KeptAs::OpenCode(path.to_path_buf());
                let (title, delegated) = (text("title"), text("parent_id").is_some());
                let past = Past::new(id_of(Store::OpenCode), id, kept, written);
                sessions.push((cwd, Past { title, delegated, ..past }));
            }
            ControlFlow::Continue(())
        })?;
        Ok(sessions)
    })
}

/// The messages of a session, as its plugin would have handed them over.
pub(super) fn messages(path: &Path, id: &str) -> Result<Vec<Box<RawValue>>, StoreError> {
    disk::read_database(path, |database| {
        let mut rows = Vec::new();
        database.rows_with("message", "session_id", id, &mut |row| {
            if let (Some(message), Some(data)) = (row.text("id"), row.text("data")) {
                let time = row.int("time_created").unwrap_or(0);
                rows.push((time, message.into_owned(), data.into_owned()));
            }
        })?;
        rows.sort();
        let mut parts: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        database.rows_with("part", "session_id", id, &mut |row| {
            if let (Some(part), Some(of), Some(data)) =
                (row.text("id"), row.text("message_id"), row.text("data"))
            {
                let one = (part.into_owned(), data.into_owned());
                parts.entry(of.into_owned()).or_default().push(one);
            }
        })?;
        let message = |(_, message, data): &(i64, String, String)| {
            let mut parts = parts.remove(message).unwrap_or_default();
            parts.sort();
            let parts: Vec<String> = parts.into_iter().map(|(_, data)| data).collect();
            stored::opencode(message, id, data, &parts)
        };
        Ok(rows.iter().filter_map(message).collect())
    })
}
