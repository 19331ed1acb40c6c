//! Whether it is time for a model to summarise, asked by `status --due` and by the session-start hook.

use chrono::{DateTime, FixedOffset};

use crate::Problem;
use crate::config::SummaryMode;
use crate::disk::Memory;
use crate::layout;
use crate::memory::due::{Due, Since, due};
use crate::memory::library::Library;
use crate::memory::node::Status;
use crate::memory::period::Period;
use crate::project::Project;
use crate::refresh::index;
use crate::state::State;

/// Nodes that wait for a summary, and what the state file and the logs say.
///
/// # Errors
/// When the memory cannot be listed.
pub(crate) fn ask(
    project: &Project,
    memory: &Memory,
    now: DateTime<FixedOffset>,
) -> Result<Due, Problem> {
    if project.config.summaries.mode == SummaryMode::Off {
        return Ok(Due { due: false, reason: "`summaries.mode` is `off`".to_owned() });
    }
    let mut library = Library::new(memory.names()?.sort(), memory.facts(), memory);
    let nodes: Vec<Period> = library.listing.nodes.keys().copied().collect();
    let mut waiting = 0;
    for node in nodes {
        let facts = library.node_facts(node).ok().flatten();
        let waits = facts.is_some_and(|facts| facts.status == Some(Status::NeedsSummarization));
        waiting += usize::from(waits);
    }
    let lines = index::raw_lines(&mut library);
    let state = memory.folder().read(layout::STATE).ok();
    let state = state.and_then(|(bytes, _)| State::parse(&bytes).ok().flatten());
    let since = state.map(|mut state| {
        state.count_lines(lines);
        Since {
            last_run: state.last_compaction_run().and_then(|text| text.parse().ok()),
            raw_lines: state.raw_lines(),
            checkpoints: state.checkpoints(),
        }
    });
    let cooldown = project.config.compaction.cooldown_hours;
    Ok(due(waiting, since.as_ref(), cooldown, now))
}
