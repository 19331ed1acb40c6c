//! What a run brings up to date after the nodes, planned while these are being written where they are many.

use super::UpdateOptions;
use super::index::{self, RootOptions};
use crate::disk::{self, Applied, InParts, Memory};
use crate::layout;
use crate::meaning::facts::FactCache;
use crate::memory::compaction::CompactionPlan;
use crate::memory::snapshot::Snapshot;
use crate::plan::Plan;
use crate::project::Project;
use crate::side_by_side::both;

/// With fewer steps than this a thread of its own costs more than it saves.
const MANY: usize = 64;

/// ROOT.md with its copy, and the counters.
pub(super) struct AfterNodes<'a> {
    project: &'a Project,
    memory: &'a Memory,
    options: RootOptions,
    counters: Plan,
}

impl<'a> AfterNodes<'a> {
    pub(super) fn new(
        project: &'a Project,
        memory: &'a Memory,
        ask: &UpdateOptions<'_>,
        library: &mut Snapshot<'_>,
    ) -> Self {
        let mut counters = Plan::default();
        index::plan_state(memory, library, &mut counters);
        let options = RootOptions { today: ask.today, rebuild: ask.rebuild_root };
        Self { project, memory, options, counters }
    }

    /// Plans it, from what the nodes say.
    pub(super) fn plan(&self, cache: &FactCache) -> Plan {
        let mut plan = Plan::default();
        index::plan(self.project, self.memory, cache, &self.options, &mut plan);
        plan.append(self.counters.clone());
        keep_private(self.project, &mut plan);
        plan
    }

    /// Carries out the plan for the nodes and what comes after it, which is then part of it. A run that stops at a node
    /// leaves the rest to the next one, as ever. Also gives the bytes of the index, where there was time to make them:
    /// many nodes are written on two threads, of which one plans first what comes after them.
    pub(super) fn carry_out(&self, planned: &mut CompactionPlan) -> (Applied, Option<Vec<u8>>) {
        let (nodes, index) = (&planned.plan, &planned.index);
        let many = nodes.steps.len() >= MANY;
        self.close(nodes);
        let (parts, mut applied) = InParts::begin(&self.project.root, nodes, &planned.months);
        let here = || ((many && index.changed).then(|| index.encode()), parts.apply());
        let beside = || (self.plan(index), parts.apply());
        let ((bytes, some), (rest, others)) = both(many, here, beside);
        applied.append(some, 0);
        applied.append(others, 0);
        applied.done.sort_by_key(|(index, _)| *index);
        applied.skipped.sort();
        if applied.failure.is_none() {
            self.close(&rest);
            applied.append(disk::apply(&self.project.root, &rest), nodes.steps.len());
        }
        planned.plan.append(rest);
        (applied, bytes)
    }

    /// Closes the memory to others before something is written there.
    fn close(&self, plan: &Plan) {
        if !self.project.config.share && !plan.is_empty() {
            self.memory.folder().close();
        }
    }
}

/// What is in a memory that is not shared is for the user's eyes only: it is made of what was said.
pub(super) fn keep_private(project: &Project, plan: &mut Plan) {
    if project.config.share {
        return;
    }
    let inside = format!("{}/", layout::MEMORY);
    for step in plan.steps.iter_mut().filter(|step| step.path.starts_with(&inside)) {
        step.private = true;
    }
}
