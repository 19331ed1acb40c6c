//! What the tree should be, given what is there: the threshold engine.
//!
//! Climbs day, week, month, one month at a time, since a week belongs to exactly one month and a day to
//! exactly one week. The rules of each decision are in `spec/compaction.md`.

mod author;
mod compose;
mod conflict;
mod keep;
mod settle;
mod show;
mod since;
mod sources;
mod summary;
mod threads;

use chrono::{Days, NaiveDate};
use std::collections::{BTreeMap, BTreeSet};

use crate::layout;
use crate::meaning::facts::FactCache;
use crate::memory::body::Body;
use crate::memory::frontmatter::Document;
use crate::memory::heal;
use crate::memory::node::{NodeFacts, Status};
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::{Listing, Snapshot};
use crate::plan::{self, Change, Note, Plan, Step};

pub(crate) use summary::{GivenSummary, Source, source};

/// What a run is bound by.
pub struct Rules<'a> {
    /// the user's date
    pub today: NaiveDate,
    /// removes secrets; every body that is written goes through it
    pub redact: &'a (dyn Fn(Vec<u8>) -> Vec<u8> + Sync),
    /// stands for the redaction rules in fingerprints
    pub rules_version: u64,
    /// the first day of which a model is asked for summaries; what ended before it is settled by its extract
    pub since: Option<NaiveDate>,
    /// days whose chain is rebuilt although it is fixed
    pub reopen: BTreeSet<NaiveDate>,
    /// summaries that a model wrote and that take the place of what is there
    pub given: BTreeMap<Period, GivenSummary>,
    /// whether others share the memory: then even what is fixed follows its sources, since a merge may bring
    /// what somebody else said at any time, and every clone has to come to the same nodes
    pub shared: bool,
    /// on how many threads a large memory may be planned; asked only where more than one is worth it
    pub threads: &'a (dyn Fn() -> usize + Sync),
}

/// A plan, and for each step that writes a node, which one and what it will then be.
#[derive(Default)]
pub struct CompactionPlan {
    /// what to do
    pub plan: Plan,
    /// by index of the step, where what is done for each month begins: it needs nothing of what is done for another
    pub months: Vec<usize>,
    /// by index of the step
    pub nodes: BTreeMap<usize, (Period, NodeFacts)>,
    /// days whose log came or changed after a node of their chain was fixed
    pub late: Vec<Period>,
    /// what ROOT.md is made from, as this run found it; empty where no index was given
    pub index: FactCache,
}

impl CompactionPlan {
    /// Adds what is done after it.
    fn append(&mut self, later: Self) {
        let before = self.plan.steps.len();
        self.plan.append(later.plan);
        self.months.extend(later.months.into_iter().map(|start| start + before));
        self.nodes.extend(later.nodes.into_iter().map(|(index, node)| (index + before, node)));
        self.late.extend(later.late);
    }
}

/// Plans the nodes of a whole memory. Where an `index` is given, nodes that it does not know are read for it.
pub fn plan(
    library: &mut Snapshot<'_>,
    rules: &Rules<'_>,
    index: Option<FactCache>,
) -> CompactionPlan {
    let mut planner = Planner::new(library, rules, index);
    planner.strays();
    let months: Vec<_> = periods(&planner.library.listing).into_iter().collect();
    planner.months(&months);
    planner.finish()
}

/// The weeks of a month, with their days.
type Weeks = BTreeMap<Period, BTreeSet<Period>>;

/// Months in order, with their weeks.
type Months = [(Period, Weeks)];

/// Every period that has a log or a node, or lies above one, as month, week, day.
fn periods(listing: &Listing) -> BTreeMap<Period, Weeks> {
    let mut months: BTreeMap<Period, Weeks> = BTreeMap::new();
    let logs = listing.logs.keys().map(|day| Period::Day(*day));
    for period in logs.chain(listing.nodes.keys().copied()) {
        let (day, week) = match period {
            Period::Day(_) => (Some(period), period.parent()),
            Period::Week(_) => (None, Some(period)),
            Period::Month(_) => (None, None),
        };
        let month = week.and_then(Period::parent).unwrap_or(period);
        let weeks = months.entry(month).or_default();
        if let Some(week) = week {
            weeks.entry(week).or_default().extend(day);
        }
    }
    months
}

/// What a period's node will be once the plan is carried out.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// the hash and lines of its body; `None` if there is no node
    body: Option<(u64, u64)>,
    /// its status is fixed
    fixed: bool,
    /// something below could not be read: everything above stays as it is
    unreadable: bool,
    /// the body went through the redaction rules in force
    clean: bool,
    /// the body, where this run made it
    made: Option<Body>,
    /// and what its head then says of the topics
    topics: String,
    /// the hash of the body before, where only the version of the extract is another
    before: Option<u64>,
}

struct Planner<'p, 'a> {
    library: &'p mut Snapshot<'a>,
    rules: &'p Rules<'p>,
    outcome: CompactionPlan,
    /// what nodes are passed on to, if anybody wants them
    index: Option<FactCache>,
    /// what is known beside that, where several threads plan
    earlier: Option<&'p FactCache>,
    /// texts that this run found to be the last copy of what they say
    kept: BTreeMap<Period, Vec<u8>>,
}

impl<'p, 'a> Planner<'p, 'a> {
    fn new(library: &'p mut Snapshot<'a>, rules: &'p Rules<'p>, index: Option<FactCache>) -> Self {
        let (outcome, kept) = (CompactionPlan::default(), BTreeMap::new());
        Self { library, rules, outcome, index, earlier: None, kept }
    }
}

impl Planner<'_, '_> {
    /// Plans the nodes of months, from the days upwards.
    fn climb(&mut self, months: &Months) {
        for (month, weeks) in months {
            self.outcome.months.push(self.outcome.plan.steps.len());
            let mut lower = BTreeMap::new();
            for (week, days) in weeks {
                let mut dailies = BTreeMap::new();
                let week_is_frozen = self.is_frozen(*week);
                for day in days {
                    let state = self.day(*day, week_is_frozen);
                    self.show(*day, &state);
                    dailies.insert(*day, state);
                }
                let state = self.higher(*week, &dailies);
                self.show(*week, &state);
                lower.insert(*week, state);
            }
            let state = self.higher(*month, &lower);
            self.show(*month, &state);
            self.library.forget_bytes();
        }
    }

    fn is_reopened(&self, period: Period) -> bool {
        self.rules.reopen.iter().any(|day| {
            let chain = std::iter::successors(Some(Period::Day(*day)), |period| period.parent());
            chain.into_iter().any(|reopened| reopened == period)
        })
    }

    /// Whether a node is fixed, ours to respect, and not asked for.
    fn is_frozen(&mut self, period: Period) -> bool {
        let Ok(Some(facts)) = self.library.node_facts(period) else { return false };
        facts.status == Some(Status::Fixed)
            && !self.is_reopened(period)
            && !self.is_above_given(period)
            && (facts.fingerprint.is_some() || !self.is_npm_work(period))
    }

    fn is_npm_work(&mut self, period: Period) -> bool {
        let Ok(bytes) = self.library.node(period) else { return false };
        let body = Document::parse(&bytes).body();
        let library = &mut *self.library;
        let (level, label) = (period.level(), period.to_string());
        heal::is_npm_work(body, level, &label, &mut |day| author::originals(library, level, day))
    }

    /// Files among the nodes that the npm tool wrote under a name that is no period: removed if nothing in
    /// them is lost by it.
    fn strays(&mut self) {
        for path in self.library.listing.strays.keys().cloned().collect::<Vec<_>>() {
            let Ok(bytes) = self.library.stray(&path) else { continue };
            let body = Document::parse(&bytes).body();
            let library = &mut *self.library;
            let (folder, name) = path.split_once('/').unwrap_or_default();
            let level = Level::ALL.into_iter().find(|level| layout::level_dir(*level) == folder);
            let level = level.unwrap_or(Level::Monthly);
            let label = name.trim_end_matches(".md");
            let copied = heal::is_npm_work(body, level, label, &mut |day| {
                author::originals(library, level, day)
            });
            let full = layout::in_memory(&path);
            if copied {
                let was = plan::hash(&bytes);
                let reason = "a copy under a name that is no period";
                self.outcome.plan.steps.push(Step::new(full, Change::Delete { was }, reason));
            } else {
                let text =
                    "its name is no period, so it is part of no node; rename it or move it away";
                self.outcome.plan.notes.push(Note::remark(full, text));
            }
        }
    }

    fn write(
        &mut self,
        period: Period,
        was: Option<u64>,
        file: Vec<u8>,
        why: &'static str,
        sync: bool,
    ) {
        let facts = NodeFacts::of(&file);
        let change = match was {
            None => Change::Create(file),
            Some(was) => Change::Replace { was, with: file },
        };
        self.write_known(period, (change, facts), why, sync);
    }

    /// The same for a file that was looked at before.
    fn write_known(
        &mut self,
        period: Period,
        (change, mut facts): (Change, NodeFacts),
        why: &'static str,
        sync: bool,
    ) {
        if !facts.is_as_written() {
            facts.foreign_at = facts.sources();
        }
        let private = self.is_private(period);
        let mut step = Step::new(layout::node_path(period), change, why).private(private);
        step.sync = sync;
        self.outcome.nodes.insert(self.outcome.plan.steps.len(), (period, facts));
        self.outcome.plan.steps.push(step);
    }

    /// A node is for the user's eyes only if a log of its period is.
    fn is_private(&self, period: Period) -> bool {
        let days = match period {
            Period::Day(_) | Period::Week(_) => period.days(),
            // Its weeks may reach into the months beside it.
            Period::Month(month) => {
                month.first_day() - Days::new(6)..=month.last_day() + Days::new(6)
            }
        };
        self.library
            .listing
            .logs
            .range(days)
            .any(|(_, files)| files.iter().any(|file| file.private))
    }

    /// Folders that are missing come first.
    fn finish(mut self) -> CompactionPlan {
        let missing: Vec<_> = Level::ALL
            .into_iter()
            .zip(self.library.listing.folders)
            .filter(|(level, there)| {
                !there && self.outcome.nodes.values().any(|(period, _)| period.level() == *level)
            })
            .map(|(level, _)| {
                Step::new(layout::level_path(level), Change::EnsureDir, "for its nodes")
            })
            .collect();
        let mut whole = CompactionPlan::default();
        whole.plan.steps = missing;
        whole.append(std::mem::take(&mut self.outcome));
        self.outcome = whole;
        self.outcome.late.sort();
        self.outcome.late.dedup();
        self.outcome.plan.notes.sort();
        self.outcome.plan.notes.dedup();
        self.outcome.index = self.index.map(FactCache::without_others).unwrap_or_default();
        self.outcome
    }
}
