//! Whether it is time for a model to summarise, asked by `status --due` and by the session-start hook.

use chrono::{DateTime, FixedOffset};

use crate::Problem;
use crate::config::SummaryMode;
use crate::disk::Memory;
use crate::layout;
use crate::memory::due::{Due, Since, due};
use crate::memory::snapshot::Snapshot;
use crate::project::Project;
use crate::refresh::index;
use crate::state::CompactionState;
use crate::summaries::waiting::{self, TextOwner, WaitingRules};

/// Nodes that wait for a summary, and what the state file and the logs say.
pub(crate) fn ask(
    project: &Project,
    memory: &Memory,
    now: DateTime<FixedOffset>,
) -> Result<Due, Problem> {
    if project.config.summaries.mode == SummaryMode::Off {
        return Ok(Due { due: false, reason: "`summaries.mode` is `off`".to_owned() });
    }
    let mut library = Snapshot::new(memory.names()?.sort(), memory.facts(), memory);
    let frame = WaitingRules { today: now.date_naive(), since: project.config.summaries.since };
    let waiting = waiting::all(&mut library, frame);
    let waiting = waiting.iter().filter(|(_, _, text)| *text == TextOwner::Ours).count();
    let lines = index::raw_lines(&mut library);
    let state = memory.folder().read(layout::STATE).ok();
    let state = state.and_then(|(bytes, _)| CompactionState::parse(&bytes).ok().flatten());
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
