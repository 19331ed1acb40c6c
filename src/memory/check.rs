//! Whether a memory is whole, told from its texts alone: every entry can be reached, every reference leads somewhere,
//! every head can be read, every session is there once.
//!
//! What is wrong is a [`CheckFinding`]. The plan that `compact` would carry out tells which nodes are missing, torn or
//! behind their sources; what no plan shows, since a node as its fingerprint says is left alone, is looked for here.

pub(crate) mod blocks;
pub(crate) mod heads;
pub(crate) mod logs;
pub(crate) mod references;
pub(crate) mod root;

use serde::Serialize;
use std::sync::Arc;

use crate::layout;
use crate::memory::compaction::CompactionPlan;
use crate::memory::node::{NodeFacts, Status};
use crate::memory::period::Period;
use crate::memory::snapshot::Snapshot;
use crate::memory::survey::odd_head;
use crate::merge;
use crate::plan::Step;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct CheckFinding {
    /// the file, relative to the project
    pub path: String,
    /// which kind of damage, one word or two
    pub kind: &'static str,
    /// what is wrong, in a few words
    pub text: String,
    /// the command that repairs it, or what to do where none does
    pub mend: String,
    /// what `--fix` does about it
    #[serde(skip)]
    pub fix: Option<Fix>,
}

/// What repairs a damage and loses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fix {
    /// a run of `compact` that reads every file
    Compact,
    /// the file is removed, and the run of `compact` after it makes it anew. Only as it was when it was looked at, by
    /// its hash
    Remove(u64),
    /// the node is written anew from its sources, in one step. Only as it was when it was looked at, by its hash
    Remake(Period, u64),
    /// others may no longer read it
    Narrow,
    /// its last line gets an end, so that what is added is on a line of its own
    EndLine,
    /// its last line goes, of which only the beginning is there and all words are elsewhere. Only as the file was when
    /// it was looked at, by its hash
    DropLine(u64),
    /// what a killed run left half way is finished
    Finish,
    /// the lines of a merge that was not finished go, and both sides stand. Only in the log as it was when it was
    /// looked at, by its hash
    Join(u64),
    /// what only a conflict copy of a log says comes into that log; the copy stays. Only as the copy was when it was
    /// looked at, by its hash
    Copy(u64),
}

impl CheckFinding {
    /// One that somebody has to repair.
    pub(crate) fn new(
        path: impl Into<String>,
        kind: &'static str,
        text: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), kind, text: text.into(), mend: mend.into(), fix: None }
    }

    /// One that a run of `compact` repairs.
    pub(crate) fn compact(
        path: impl Into<String>,
        kind: &'static str,
        text: impl Into<String>,
    ) -> Self {
        let fix = Some(Fix::Compact);
        Self { fix, ..Self::new(path, kind, text, "hipocampus compact --full") }
    }

    /// One that `check --fix` repairs.
    pub(crate) fn fixed(
        path: impl Into<String>,
        kind: &'static str,
        text: impl Into<String>,
        fix: Fix,
    ) -> Self {
        Self { fix: Some(fix), ..Self::new(path, kind, text, "hipocampus check --fix") }
    }
}

/// What is wrong with the nodes, by what would be done to them. The library should know nothing from a cache: this goes
/// by content.
pub(crate) fn nodes(library: &mut Snapshot<'_>, planned: &CompactionPlan) -> Vec<CheckFinding> {
    let CompactionPlan { plan, nodes, late, .. } = planned;
    let mut found = Vec::new();
    // Conflict copies of logs are looked into, see `logs::of_copy`.
    let odd = library.listing.odd.iter().filter(|note| merge::log_copied_in(&note.about).is_none());
    let unread = plan.notes.iter().chain(odd);
    found.extend(unread.map(|note| {
        let mend = if note.problem {
            "check who owns it and its permissions"
        } else {
            "rename it or move it away"
        };
        CheckFinding::new(
            &note.about,
            if note.problem { "unreadable" } else { "odd name" },
            &note.text,
            mend,
        )
    }));
    for (index, step) in plan.steps.iter().enumerate() {
        let before = nodes
            .get(&index)
            .and_then(|(period, after)| Some((library.node_facts(*period).ok()??, *after)));
        found.extend(behind(step, before));
    }
    for day in late {
        let text = "its words came or changed after its week was fixed, so no week carries them";
        let mend = format!("hipocampus compact --reopen {day}");
        found.push(CheckFinding::new(format!("{}/{day}.md", layout::MEMORY), "late", text, mend));
    }
    let planned: Vec<Period> = nodes.values().map(|(period, _)| *period).collect();
    // One that stays empty is a node no more: clones that share the memory keep its file.
    Arc::make_mut(&mut library.listing)
        .nodes
        .retain(|period, stamp| stamp.size > 0 || planned.contains(period));
    for period in library.listing.nodes.keys().copied().collect::<Vec<_>>() {
        let path = layout::node_path(period);
        if found.iter().all(|known| known.path != path) {
            found.extend(heads::conflict(library, period));
        }
        if planned.contains(&period) {
            continue;
        }
        found.extend(odd_head(library, period).map(|note| {
            CheckFinding::new(note.about, "head", note.text, "repair the head in an editor")
        }));
        found.extend(heads::of(library, period, late));
        library.forget_bytes();
    }
    found
}

/// What a step of the plan says about the tree. That time passed, and that a text was edited, is no damage.
fn behind(step: &Step, before: Option<(NodeFacts, NodeFacts)>) -> Option<CheckFinding> {
    let (kind, text) = match step.reason {
        "new" => ("missing node", "is missing, though there is something to make it from"),
        "is not whole" => ("torn node", "is not whole: it ends before what it was made from does"),
        "a merge left both its sides" => ("conflict", "a merge left both of its sides in it"),
        "heals the npm tool's node" => ("npm node", "is a copy that the npm tool left unfinished"),
        "its sources changed" => ("stale node", "is behind what it is made from"),
        "its sources changed after it was summarised" => {
            ("stale summary", "is behind what it was made from and is not marked so")
        }
        "a copy under a name that is no period" | "a copy of nodes of another period" => {
            ("stray copy", "is a copy of another text, under a wrong name")
        }
        "its status changed" => {
            let (was, after) = before?;
            let thaws = was.status == Some(Status::Fixed) && after.status != Some(Status::Fixed);
            let none = was.status.is_none();
            if !thaws && !none {
                return None;
            }
            let frozen = "is fixed though it waits for a summary";
            ("status", if none { "its head names no status that there is" } else { frozen })
        }
        _ => return None,
    };
    Some(CheckFinding::compact(&step.path, kind, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Change;

    #[test]
    fn the_passing_of_time_is_no_damage() {
        let check = |reason: &'static str, expect: Option<&str>| {
            let step = Step::new("memory/daily/2026-03-15.md", Change::Create(Vec::new()), reason);
            assert_eq!(behind(&step, None).map(|found| found.kind), expect, "{reason}");
        };
        check("new", Some("missing node"));
        check("its sources changed", Some("stale node"));
        check("its status changed", None);
        check("first seen", None);
        check("its log is gone", None);
        check("for its nodes", None);
    }
}
