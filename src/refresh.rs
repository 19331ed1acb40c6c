//! Brings what is made from the logs up to date: the tree of nodes, ROOT.md with its copy in MEMORY.md, the counters.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::Problem;
use crate::disk::Held;
use crate::layout;
use crate::memory::compaction::GivenSummary;
use crate::memory::period::{Level, Period};
use crate::plan::Plan;

mod after_nodes;
pub(crate) mod by_hand;
pub(crate) mod carry_out;
pub(crate) mod due;
pub(crate) mod index;
mod remake;
mod take_out;
mod tombstones;
pub(crate) mod tree;
mod unfinished;

/// How the tree is to be brought up to date.
#[derive(Debug, Default)]
pub(crate) struct UpdateOptions<'a> {
    /// the user's date
    pub(crate) today: NaiveDate,
    /// plan only
    pub(crate) dry_run: bool,
    /// read every file
    pub(crate) full: bool,
    /// days whose chain is rebuilt although it is fixed
    pub(crate) reopen: BTreeSet<NaiveDate>,
    /// summaries by a model that take the place of what is in their nodes
    pub(crate) given: BTreeMap<Period, GivenSummary>,
    /// nodes that are written anew as if they were not there, and the hashes of what they are
    pub(crate) anew: BTreeMap<Period, u64>,
    /// take ROOT.md back from whoever edited it
    pub(crate) rebuild_root: bool,
    /// the lock, if this run has it: only then it may clear away what killed runs left
    pub(crate) alone: Option<&'a Held>,
}

/// What was planned and done.
#[derive(Debug, Default)]
pub(crate) struct Updated {
    /// the plan, with the notes of applying it
    pub(crate) plan: Plan,
    /// what stopped it half way
    pub(crate) failure: Option<Problem>,
    /// whether a session was imported before
    pub(crate) imported: bool,
}

impl UpdateOptions<'_> {
    /// Whether more is asked for than that all is up to date.
    fn wants_more(&self) -> bool {
        self.full || self.rebuild_root || !self.reopen.is_empty() || !self.given.is_empty()
    }
}

impl Updated {
    /// `daily log updated from transcript, daily nodes updated, …`: those that apply.
    pub(crate) fn levels(&self) -> Vec<String> {
        let touched = |level: &Level| {
            let folder = format!("{}/{}/", layout::MEMORY, layout::level_dir(*level));
            self.plan.steps.iter().any(|step| step.path.starts_with(&folder))
        };
        let levels = Level::ALL.into_iter().filter(touched);
        let imported = self.imported.then(|| "daily log updated from transcript".to_owned());
        let levels = levels.map(|level| format!("{level} nodes updated"));
        imported.into_iter().chain(levels).collect()
    }

    /// What a run did that wrote no node, or nothing.
    pub(crate) fn beside(&self) -> Vec<String> {
        let names = self.plan.steps.iter().map(|step| layout::name(&step.path));
        let mut files: Vec<&str> = names.filter(|name| !name.ends_with(layout::KEPT)).collect();
        files.dedup();
        files.into_iter().map(|file| format!("{file} updated")).collect()
    }
}
