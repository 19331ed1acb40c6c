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
use crate::summaries::estimate;
use crate::summaries::waiting::{self, TextOwner, WaitingRules};
use crate::text::grouped;

/// The most nodes that a price counts: a reader that begins with more is told so.
const PRICED: usize = 20;

/// What the summaries that are offered would take: `about 12,000 tokens to read and 3,000 to write`.
pub(crate) fn price(project: &Project, memory: &Memory, now: DateTime<FixedOffset>) -> String {
    let Ok(names) = memory.names() else { return "its price cannot be told".to_owned() };
    let mut library = Snapshot::new(names.sort(), memory.facts(), memory);
    let frame = WaitingRules { today: now.date_naive(), since: project.config.summaries.since };
    let all = waiting::all(&mut library, frame);
    let mut offered = waiting::offered(&all);
    offered.retain(|(_, _, text)| *text == TextOwner::Ours);
    let more = offered.len().saturating_sub(PRICED);
    let sizes = offered.iter().take(PRICED).map(|(period, ..)| {
        let tokens = waiting::read(&mut library, *period).tokens;
        library.forget_bytes();
        (period.level(), tokens)
    });
    let (input, output) = estimate::estimate(&sizes.collect::<Vec<_>>());
    let first = if more > 0 { format!(" for the first {PRICED}") } else { String::new() };
    format!("about {} tokens to read and {} to write{first}", grouped(input), grouped(output))
}

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
