//! OpenClaw: a database for each agent, `~/.openclaw/agents/AGENT/agent/openclaw-agent.sqlite`, and transcripts of
//! older versions in `~/.openclaw/agents/AGENT/sessions`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};

use super::{KeptAs, LIMIT, Owner, Past, PastSessions, home, known, origin_of};
use crate::capture::stored;
use crate::capture::transcript::{self, TranscriptOrigin};
use crate::disk::{self, StoreError};
use crate::platform::{Store, id_of};
use crate::sqlite::{Bytes, Database, Row, Value};
use crate::world::World;

/// The most bytes of one event: 16 MiB.
const EVENT: u64 = 16 * 1024 * 1024;

pub(super) fn find(whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    let Some(home) = home(world, "OPENCLAW_STATE_DIR", ".openclaw") else { return };
    let agents = home.join("agents");
    let mut names = disk::names(&agents);
    names.sort();
    for agent in names.into_iter().map(|name| agents.join(name)) {
        let store = agent.join("agent/openclaw-agent.sqlite");
        let below = ["agent", "sessions"].map(|name| agent.join(name));
        let link = [&agents, &agent].into_iter().chain(&below).find(|it| disk::is_link(it));
        if let Some(link) = link {
            found.refuse(link, "it is a link, which is not followed");
            continue;
        }
        if disk::is_there(&store) {
            found.add_all(whose, &store, sessions(&store));
        }
        let wanted = |path: &Path| path.extension().is_some_and(|it| it == "jsonl");
        let folder = agent.join("sessions");
        let spawned = spawned_in(&folder);
        found.each(&folder, 1, wanted, |found, stored| lines(whose, stored, &spawned, found));
    }
}

fn lines(
    whose: &Owner<'_>,
    stored: &disk::Stored,
    spawned: &BTreeSet<String>,
    found: &mut PastSessions,
) {
    let path = &stored.path;
    match origin_of(stored) {
        Ok(TranscriptOrigin { cwd: Some(cwd), session, .. }) => {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let id = session.or(stem).unwrap_or_default();
            let delegated = spawned.contains(&id);
            let past = Past::in_file(id_of(Store::OpenClaw), id, stored);
            found.take(whose, Path::new(&cwd), Past { delegated, ..past });
        }
        Ok(_) => {}
        Err(why) => found.pass_over(None, &why),
    }
}

/// The sessions of a database, each with the folder it was held in, which its first event tells.
fn sessions(path: &Path) -> Result<Vec<(String, Past)>, StoreError> {
    disk::read_database(path, |database| {
        known(database.has("transcript_events", &["session_id", "seq", "event_json"]))?;
        let spawned = spawned(database)?;
        let mut sessions: BTreeMap<String, (Option<String>, i64)> = BTreeMap::new();
        database.rows("transcript_events", &mut |row| {
            let Some(id) = row.text("session_id") else { return ControlFlow::Continue(()) };
            let told = sessions.entry(id.into_owned()).or_default();
            told.1 = told.1.max(row.int("created_at").unwrap_or(0));
            if told.0.is_none() && row.int("seq").is_some_and(|number| number < 16) {
                let origin = event(row).map(|event| transcript::origin(event.as_bytes()));
                told.0 = origin.ok().and_then(|origin| origin.cwd);
            }
            ControlFlow::Continue(())
        })?;
        let past = |(id, (cwd, written)): (String, (Option<String>, i64))| {
            let kept = KeptAs::OpenClaw(path.to_path_buf());
            let written = written.saturating_mul(1_000_000);
            let delegated = spawned.contains(&id);
            let past = Past::new(id_of(Store::OpenClaw), id, kept, written);
            Some((cwd?, Past { delegated, ..past }))
        };
        Ok(sessions.into_iter().filter_map(past).collect())
    })
}

/// The sessions that another agent or a clock began, by the keys that the database has for them.
fn spawned(database: &Database<impl Bytes>) -> io::Result<BTreeSet<String>> {
    let mut spawned = BTreeSet::new();
    if database.has("session_windows", &["session_id", "session_key"]) {
        database.rows("session_windows", &mut |row| {
            let key = row.text("session_key");
            if let Some(id) = row.text("session_id")
                && key.is_some_and(|key| transcript::is_spawned(&key))
            {
                spawned.insert(id.into_owned());
            }
            ControlFlow::Continue(())
        })?;
    }
    Ok(spawned)
}

/// The same of the transcripts in a folder, whose index has an object for each key.
fn spawned_in(folder: &Path) -> BTreeSet<String> {
    let index = disk::read_stored(&folder.join("sessions.json"), EVENT).unwrap_or_default();
    let keys: Map<String, Json> = serde_json::from_slice(&index).unwrap_or_default();
    let spawned = keys.iter().filter(|(key, _)| transcript::is_spawned(key));
    spawned.filter_map(|(_, it)| Some(it.get("sessionId")?.as_str()?.to_owned())).collect()
}

/// The JSON of an event, which may be packed.
fn event(row: &Row<'_>) -> io::Result<String> {
    if let Some(json) = row.text("event_json") {
        return Ok(json.into_owned());
    }
    let Value::Blob(packed) = row.get("event_zstd") else {
        return Err(io::Error::other(
            "an event of it is of a format that this version does not know",
        ));
    };
    let json = disk::unpack(packed, EVENT).map_err(io::Error::other)?;
    Ok(String::from_utf8_lossy(&json).into_owned())
}

/// The messages of a session, as its plugin would have handed them over.
pub(super) fn messages(path: &Path, id: &str) -> Result<Vec<Box<RawValue>>, StoreError> {
    disk::read_database(path, |database| {
        let (mut events, mut total) = (Vec::new(), 0);
        database.rows_with("transcript_events", "session_id", id, &mut |row| {
            let event = event(row);
            total += event.as_ref().map_or(0, |event| event.len() as u64);
            if total <= LIMIT {
                events.push((row.int("seq").unwrap_or(0), event));
            }
        })?;
        if total > LIMIT {
            return Err(io::Error::other(StoreError::TooLarge(LIMIT)));
        }
        events.sort_by_key(|(number, _)| *number);
        let mut messages = Vec::new();
        for (_, event) in events {
            messages.extend(stored::openclaw(&event?));
        }
        Ok(messages)
    })
}
