//! What is there and what needs attention, as `status` tells it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::layout;
use crate::memory::compaction::Rules;
use crate::memory::due;
use crate::memory::frontmatter::Document;
use crate::memory::node::{NodeFacts, Status};
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Snapshot;
use crate::merge;
use crate::plan::{Note, Plan};

#[derive(Debug, Default, Serialize)]
pub(crate) struct Survey {
    pub logs: LogCounts,
    /// nodes by level and status
    pub nodes: Vec<LevelCount>,
    /// nodes that wait for a model's summary, by date
    pub waiting: Vec<WaitingNode>,
    /// logs that came or changed after a node of their chain was fixed
    pub late: Vec<LateLog>,
    /// days whose log is gone, so that their node is the last copy of it
    pub without_log: Vec<Period>,
    /// files whose name or head is not as it should be
    pub odd: Vec<Note>,
    /// how many changes `compact` would make now
    pub to_do: usize,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct LogCounts {
    /// days that have one
    pub days: usize,
    pub files: usize,
    /// the first day
    pub first: Option<Period>,
    pub last: Option<Period>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LevelCount {
    pub level: Level,
    pub fixed: usize,
    pub tentative: usize,
    pub waiting: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct WaitingNode {
    pub period: Period,
    /// the lines a model has to read
    pub lines: Option<u64>,
    /// when the node was last written, nanoseconds since 1970
    #[serde(skip)]
    pub written: i64,
    /// the date of that, in the user's zone
    pub since: String,
    /// whether its extract is longer than the threshold, because of user and feedback entries
    pub over_threshold: bool,
    /// whether somebody edited the text that is there: then only `summarize PERIOD` replaces it
    pub edited: bool,
}

/// A log that came or changed after a node of its chain was fixed.
#[derive(Debug, Serialize)]
pub(crate) struct LateLog {
    pub period: Period,
    pub command: String,
}

/// Looks at a whole memory, for which `plan` was made and found these days late. The library should know nothing from a
/// cache: this goes by content.
pub(crate) fn survey(
    library: &mut Snapshot<'_>,
    rules: &Rules<'_>,
    plan: Plan,
    late: Vec<Period>,
) -> Survey {
    let mut survey = Survey {
        logs: logs(library),
        to_do: plan.steps.len(),
        odd: library.listing.odd.clone(),
        ..Survey::default()
    };
    survey.odd.extend(plan.notes);
    survey.late.extend(late.into_iter().map(|period| LateLog {
        period,
        command: format!("hipocampus compact --reopen {period}"),
    }));
    let mut counts: BTreeMap<Level, LevelCount> = Level::ALL
        .into_iter()
        .map(|level| (level, LevelCount { level, fixed: 0, tentative: 0, waiting: 0 }))
        .collect();
    let nodes = library.listing.nodes.clone();
    for (period, stamp) in nodes.into_iter().filter(|(_, stamp)| stamp.size > 0) {
        let Ok(Some(facts)) = library.node_facts(period) else { continue };
        let Some(count) = counts.get_mut(&period.level()) else { continue };
        match facts.status {
            Some(Status::Fixed) => count.fixed += 1,
            _ if due::waits(period, &facts, rules.today, rules.since)
                && library.listing.has_sources(period) =>
            {
                count.waiting += 1;
                survey.waiting.push(waiting(library, period, &facts, stamp.mtime));
            }
            // A long one that is not over yet goes on changing.
            Some(Status::NeedsSummarization | Status::Tentative) | None => count.tentative += 1,
        }
        if facts.kept || has_no_log(library, period) {
            survey.without_log.push(period);
        }
        survey.odd.extend(odd_head(library, period));
        library.forget_bytes();
    }
    survey.nodes = counts.into_values().collect();
    survey.odd.sort();
    survey.odd.dedup();
    survey
}

/// Whether a daily node is there without any log of its day. A log that cannot be read is one.
fn has_no_log(library: &mut Snapshot<'_>, period: Period) -> bool {
    let Period::Day(day) = period else { return false };
    let files = library.listing.logs_of(day);
    files.iter().all(|file| library.log_facts(file).is_ok_and(|facts| facts.empty))
}

pub(crate) fn logs(library: &Snapshot<'_>) -> LogCounts {
    let logs = &library.listing.logs;
    LogCounts {
        days: logs.len(),
        files: library.listing.log_files().count(),
        first: logs.keys().next().copied().map(Period::Day),
        last: logs.keys().next_back().copied().map(Period::Day),
    }
}

fn waiting(
    library: &mut Snapshot<'_>,
    period: Period,
    facts: &NodeFacts,
    written: i64,
) -> WaitingNode {
    let head = library.node(period).ok();
    let lines = head.and_then(|bytes| {
        Document::parse(&bytes).value("lines").and_then(|text| text.parse().ok())
    });
    WaitingNode {
        period,
        lines,
        written,
        since: String::new(),
        over_threshold: facts.is_as_written() && facts.lines > period.level().threshold(),
        edited: false,
    }
}

/// A head that contradicts the file's place, or that cannot be read.
pub(crate) fn odd_head(library: &mut Snapshot<'_>, period: Period) -> Option<Note> {
    let bytes = library.node(period).ok()?;
    let document = Document::parse(&bytes);
    let says = |key: &str, expect: String| {
        document.value(key).filter(|found| **found != expect).map(|found| {
            format!("its head says `{key}: {found}`, its name says `{expect}`; correct the head")
        })
    };
    let what = if merge::node::holds_two(document.body()) {
        Some("two texts were written for it at the same time, and a merge kept both; make one of them and take the line between them out".to_owned())
    } else if !document.has_head() {
        Some("has no head; the next `hipocampus compact` gives it one".to_owned())
    } else if !document.head_is_closed() {
        Some("its head has no closing `---`".to_owned())
    } else {
        says("type", period.level().to_string()).or_else(|| says("period", period.to_string()))
    };
    what.map(|what| Note::remark(layout::node_path(period), what))
}
