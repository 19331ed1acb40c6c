//! Sessions that the user keeps out of the memory with `HIPOCAMPUS_OFF=1` in their environment:
//! `memory/.hipocampus.off`, a line `SESSION MOMENT` for each, the latest first. Nothing that is said in one of them is
//! saved, whatever finds it later.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::capture::block::session_name;
use crate::disk::{Folder, Memory, Write};
use crate::layout;
use crate::text::moment;
use crate::world::World;

/// The variable.
pub(crate) const OFF: &str = "HIPOCAMPUS_OFF";
/// Stands for a session that nobody named.
const NOBODY: &str = "-";

/// What `status` says of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Off {
    pub(crate) sessions: usize,
    /// when a hook was last called in one
    pub(crate) last: DateTime<FixedOffset>,
}

/// Whether the session is off that calls.
pub(crate) fn is_set(world: &World) -> bool {
    world.is_on(OFF)
}

/// Writes down that a session is off.
pub(crate) fn keep(memory: &Folder, session: Option<&str>, now: DateTime<FixedOffset>) {
    let name = session.map_or_else(|| NOBODY.to_owned(), session_name);
    let mut lines = format!("{name} {}\n", moment(now));
    for (known, at) in all(memory).into_iter().filter(|(known, _)| *known != name) {
        let _ = writeln!(lines, "{known} {}", moment(at));
    }
    // That it is off does not depend on this: the hook did nothing.
    let _ = memory.replace(layout::OFF, lines.as_bytes(), Write::KEPT);
}

/// The names of the sessions that are off.
pub(crate) fn sessions(memory: &Folder) -> HashSet<String> {
    all(memory).into_iter().map(|(session, _)| session).collect()
}

/// Those of a project.
pub(crate) fn of_project(root: &Path) -> HashSet<String> {
    let memory = Memory::open(root).ok().flatten();
    memory.map(|memory| sessions(memory.folder())).unwrap_or_default()
}

/// `None` where none is off.
pub(crate) fn told(memory: &Folder) -> Option<Off> {
    let all = all(memory);
    let (_, last) = all.first()?;
    Some(Off { sessions: all.len(), last: *last })
}

fn all(memory: &Folder) -> Vec<(String, DateTime<FixedOffset>)> {
    let text = memory.text(layout::OFF);
    let read = |line: &str| {
        let (session, at) = line.split_once(' ')?;
        Some((session.to_owned(), DateTime::parse_from_rfc3339(at).ok()?))
    };
    text.lines().filter_map(read).collect()
}
