//! The first step of an import: which session a source is, and the last block of it in the logs.

use std::io;
use std::path::Path;

use super::context::ImportContext;
use super::place::{self, LastBlock};
use super::since::Since;
use super::source::{Conversation, is_of_subagent};
use crate::capture::hook_input::HookInput;
use crate::capture::{block, transcript};
use crate::hooks::off;

/// A session as the logs know it.
pub(super) struct Located {
    /// the name of it in its blocks
    pub(super) session: String,
    /// when it begins, where that is recorded
    pub(super) since: Option<Since>,
    /// its last block
    pub(super) found: Option<LastBlock>,
}

/// Finds sessions in the logs.
pub(super) struct Locator<'c, 'a> {
    pub(super) context: &'c ImportContext<'a>,
}

impl Locator<'_, '_> {
    /// The session of a source; `name` is that of its file. `None` if it is not to be imported.
    pub(super) fn session(
        &self,
        hook: &HookInput,
        source: &Conversation<'_>,
        name: &str,
    ) -> io::Result<Option<Located>> {
        if source.end() == 0 {
            return Ok(None);
        }
        let (origin, off) = (source.origin()?, off::sessions(self.context.memory));
        let keys = [&hook.session_id, &hook.session_key];
        let is_spawned = keys.into_iter().flatten().any(|key| transcript::is_spawned(key));
        if origin.delegated || is_spawned || is_of_subagent(Path::new(name)) {
            return Ok(None);
        }
        let id = hook.session_id.clone().or(origin.session);
        if id.as_ref().is_some_and(|id| off.contains(&block::session_name(id))) {
            return Ok(None);
        }
        let stem = || Path::new(name).file_stem()?.to_str().map(str::to_owned);
        let id = id.or_else(stem).unwrap_or_default();
        // A session goes on under the name it has; only a new one is asked whether its id holds a secret.
        let plain = block::session_name(&id);
        let located = self.last_block(plain, source)?;
        if located.found.is_some() {
            return Ok(Some(located));
        }
        let session = self.context.session_name(&id);
        if session == located.session {
            return Ok(Some(located));
        }
        self.last_block(session, source).map(Some)
    }

    /// A session with its last block, where it begins with this source.
    pub(super) fn last_block(
        &self,
        session: String,
        source: &Conversation<'_>,
    ) -> io::Result<Located> {
        let since = source.first_time()?.map(|time| self.context.since(time));
        let found = place::last_block(&self.context.logs, &session, since)?;
        Ok(Located { session, since, found })
    }
}
