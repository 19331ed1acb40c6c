//! Whether it is time for a model to summarise, asked by `status --due` and by the session-start hook.

use chrono::{DateTime, FixedOffset};

use crate::Problem;
use crate::config::SummaryWriter;
use crate::disk::Memory;
use crate::layout;
use crate::memory::due::{Due, SinceLastRun, due};
use crate::memory::snapshot::Snapshot;
use crate::project::Project;
use crate::refresh::index;
use crate::state::CompactionState;
use crate::summaries::estimate;
use crate::summaries::waiting::{self, TextOwner, WaitingRules};
use crate::text::grouped;

/// The most nodes that are offered at a time.
const OFFERED: usize = 5;

/// What the summaries that are offered would take, the newest first: `about 12,000 tokens to read and 3,000 to write for
/// 2026-03-11, 2026-03-10`.
pub(crate) fn price(project: &Project, memory: &Memory, now: DateTime<FixedOffset>) -> String {
    let Ok(names) = memory.names() else { return "its price cannot be told".to_owned() };
    let mut library = Snapshot::new(names.sort(), memory.facts(), memory);
    let frame = WaitingRules { today: now.date_naive(), since: project.config.summaries.since };
    let all = waiting::all(&mut library, frame);
    let mut offered = waiting::offered(&all);
    offered.retain(|(_, _, text)| *text == TextOwner::Ours);
    let more = offered.len() > OFFERED;
    offered.truncate(OFFERED);
    let sizes = offered.iter().map(|(period, ..)| {
        let source = project.config.summaries.source;
        let tokens = waiting::read(&mut library, *period, source).tokens;
        library.forget_bytes();
        (period.level(), tokens)
    });
    let (input, output) = estimate::estimate(&sizes.collect::<Vec<_>>());
    let names: Vec<String> = offered.iter().map(|(period, ..)| period.to_string()).collect();
    let first = if more { format!("the newest {OFFERED}, ") } else { String::new() };
    format!(
        "about {} tokens to read and {} to write for {first}{}",
        grouped(input),
        grouped(output),
        names.join(", ")
    )
}

/// Nodes that wait for a summary, and what the state file and the logs say.
pub(crate) fn ask(
    project: &Project,
    memory: &Memory,
    now: DateTime<FixedOffset>,
) -> Result<Due, Problem> {
    let no = |reason: &str| Ok(Due { due: false, reason: reason.to_owned() });
    let summaries = &project.config.summaries;
    match summaries.writer() {
        SummaryWriter::Agent => {}
        SummaryWriter::Off if summaries.by.is_none() => return no("`summaries.mode` is `off`"),
        SummaryWriter::Off => return no("`summaries.by` is `off`"),
        SummaryWriter::Background => {
            return no("`summaries.by` is `background`; `hipocampus status` says how far it is");
        }
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
        SinceLastRun {
            last_run: state.last_compaction_run().and_then(|text| text.parse().ok()),
            raw_lines: state.raw_lines(),
            checkpoints: state.checkpoints(),
        }
    });
    let cooldown = project.config.compaction.cooldown_hours;
    Ok(due(waiting, since.as_ref(), cooldown, now))
}
