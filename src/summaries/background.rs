//! Summaries in the background: hooks start `hipocampus summarize --background`, which works the list with the command that
//! this user allowed, one run at a time. What it does stands in `memory/.hipocampus.background`.

use chrono::{DateTime, Days, FixedOffset, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::permission;
use super::run::RunEnd;
use super::spend::{self, SpendingLine};
use super::waiting::{self, TextOwner, WaitingRules};
use crate::Problem;
use crate::config::SummaryWriter;
use crate::detached;
use crate::disk::{self, Folder, Memory, Write};
use crate::layout;
use crate::memory::snapshot::Snapshot;
use crate::project::Project;
use crate::text::{counted, grouped, json_lines};
use crate::world::World;

/// How long no run is started after one that went well: what it left is claimed, or edited.
const REST: TimeDelta = TimeDelta::minutes(10);
/// The same after the first failure, and after each that follows it.
const RETRIES: [TimeDelta; 2] = [TimeDelta::hours(1), TimeDelta::hours(6)];

/// A run that began longer ago is not at work any more.
const LONGEST: TimeDelta = TimeDelta::hours(6);
/// So long it works, so that its last call ends before nobody believes it at work.
const WORKS: TimeDelta = TimeDelta::hours(5);

/// What starts a run.
pub(crate) const BACKGROUND: [&str; 2] = ["summarize", "--background"];

/// What is known of the last run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct BackgroundRun {
    /// the process that is at work; one that is gone was killed
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    /// when it began
    began: Option<DateTime<FixedOffset>>,
    /// how many nodes it wrote
    stored: usize,
    /// why it ended before all was written
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// how many runs have failed, one after the other
    failures: usize,
    /// before this moment no run is started
    next: Option<DateTime<FixedOffset>>,
}

impl BackgroundRun {
    /// What stands in a memory; nothing where that cannot be read.
    pub(crate) fn of(memory: &Folder) -> Self {
        serde_json::from_str(&memory.text(layout::BACKGROUND)).unwrap_or_default()
    }

    /// Whether it goes on. Of a process of another machine, or of before a restart, nobody can tell.
    fn is_at_work(&self, now: DateTime<FixedOffset>) -> bool {
        let is_recent = self.began.is_some_and(|began| (now - began).abs() < LONGEST);
        is_recent && self.process.as_deref().is_some_and(|process| !disk::is_gone(process))
    }

    /// When it has to end.
    pub(crate) fn until(&self) -> Option<DateTime<FixedOffset>> {
        self.began.map(|began| began + WORKS)
    }

    fn keep(&self, memory: &Memory) -> Result<(), Problem> {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        let written = memory.folder().replace(layout::BACKGROUND, &bytes, Write::CACHED);
        let failed = |error| memory.failed("write", layout::BACKGROUND, error);
        written.map(|_| ()).map_err(failed)
    }

    /// Notes down that this process is at work; `None` where another one is. Needs the lock.
    pub(crate) fn begin(
        memory: &Memory,
        now: DateTime<FixedOffset>,
    ) -> Result<Option<Self>, Problem> {
        let before = Self::of(memory.folder());
        if before.is_at_work(now) {
            return Ok(None);
        }
        let run = Self {
            process: Some(disk::this_process()),
            began: Some(now),
            failures: before.failures + usize::from(before.process.is_some()),
            ..Self::default()
        };
        run.keep(memory)?;
        Ok(Some(run))
    }

    /// Notes down how it ended, and when the next one may begin. Returns what to tell once: why the first of several failed.
    pub(crate) fn end(
        mut self,
        memory: &Memory,
        now: DateTime<FixedOffset>,
        ended: Result<RunEnd, Problem>,
    ) -> Result<Option<String>, Problem> {
        if Self::of(memory.folder()).process != self.process {
            // Another run has taken over.
            return Ok(None);
        }
        self.process = None;
        let (failed, is_full) = match ended {
            Ok(end) => {
                self.stored = end.stored;
                self.why = end.why;
                (end.failed > 0 && !end.is_full, end.is_full)
            }
            Err(problem) => {
                self.why = Some(problem.to_string());
                (true, false)
            }
        };
        let tomorrow = || {
            let day = now.date_naive().checked_add_days(Days::new(1))?;
            day.and_time(NaiveTime::MIN).and_local_timezone(*now.offset()).single()
        };
        self.failures = if failed { self.failures + 1 } else { 0 };
        let pause = match self.failures {
            0 => REST,
            failures => RETRIES[(failures - 1).min(RETRIES.len() - 1)],
        };
        self.next = if is_full { tomorrow() } else { Some(now + pause) };
        self.keep(memory)?;
        let why = self.why.as_deref().unwrap_or("what came back was refused");
        Ok((self.failures == 1).then(|| {
            format!(
                "summaries in the background stopped: {why}; tried again in an hour, then every six"
            )
        }))
    }
}

/// Starts a run where one is due and allowed. A hook calls it last, and waits for nothing.
pub(crate) fn start(world: &World, project: &Project, memory: &Memory) {
    if is_due(world, project, memory) == Some(true) {
        detached::start(world, &project.root, &BACKGROUND);
    }
}

/// The cheap questions come first. `None` where the memory or the clock cannot be read.
fn is_due(world: &World, project: &Project, memory: &Memory) -> Option<bool> {
    if project.config.summaries.writer() != SummaryWriter::Background {
        return Some(false);
    }
    let command = project.config.summarizer.command.as_deref()?;
    let now = world.now().ok()?;
    let last = BackgroundRun::of(memory.folder());
    // A moment further away was written by a clock that was wrong.
    let rests = last.next.is_some_and(|next| now < next && next - now < TimeDelta::hours(26));
    // What killed one run soon after another kills the next one, too.
    let pause = RETRIES[last.failures.saturating_sub(1).min(RETRIES.len() - 1)];
    let is_young = last.began.is_some_and(|began| (now - began).abs() < pause);
    let rests = rests || last.process.is_some() && last.failures > 0 && is_young;
    let is_allowed =
        permission::of(world, &project.root, command).is_some_and(|allowed| allowed.background);
    if rests || last.is_at_work(now) || !is_allowed {
        return Some(false);
    }
    Some(last.process.is_some() || waits(project, memory, now)? > 0)
}

/// How many nodes wait.
fn waits(project: &Project, memory: &Memory, now: DateTime<FixedOffset>) -> Option<usize> {
    let mut library = Snapshot::new(memory.names().ok()?.sort(), memory.facts(), memory);
    let rules = WaitingRules { today: now.date_naive(), since: project.config.summaries.since };
    let all = waiting::all(&mut library, rules);
    Some(all.iter().filter(|(_, _, text)| *text == TextOwner::Ours).count())
}

/// What `status` tells of summaries in the background.
#[derive(Debug, Serialize)]
pub(crate) struct BackgroundReport {
    #[serde(flatten)]
    run: BackgroundRun,
    at_work: bool,
    /// whether this user allowed the command here
    pub(crate) allowed: bool,
    /// tokens of this day, and the most there may be
    spent: u64,
    per_day: u64,
    /// what this day and the last 30 cost, in US dollars, where the command says so
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<(f64, f64)>,
    /// how many nodes wait
    waiting: usize,
}

impl BackgroundReport {
    /// `None` where summaries are somebody else's work.
    pub(crate) fn look(
        world: &World,
        project: &Project,
        memory: &Memory,
        now: DateTime<FixedOffset>,
    ) -> Option<Self> {
        if project.config.summaries.writer() != SummaryWriter::Background {
            return None;
        }
        let run = BackgroundRun::of(memory.folder());
        let summarizer = &project.config.summarizer;
        let command = summarizer.command.as_deref().unwrap_or_default();
        let allowed = permission::of(world, &project.root, command);
        let allowed = allowed.filter(|allowed| allowed.background);
        let lines = memory.file(layout::TOKENS).ok().flatten().unwrap_or_default();
        let lines: Vec<SpendingLine> = json_lines(&lines);
        let today = now.date_naive();
        let month = spend::usd(&lines, today - TimeDelta::days(29)..=today);
        let usd = month.map(|month| (spend::usd(&lines, today..=today).unwrap_or(0.0), month));
        let most = summarizer.tokens_a_day();
        Some(Self {
            at_work: run.is_at_work(now),
            run,
            per_day: allowed.as_ref().map_or(most, |it| it.max_tokens_per_day.min(most)),
            allowed: allowed.is_some(),
            spent: spend::on(&lines, today),
            usd,
            waiting: waits(project, memory, now).unwrap_or_default(),
        })
    }

    /// In words.
    pub(crate) fn told(&self, now: DateTime<FixedOffset>) -> String {
        let clock = |at: DateTime<FixedOffset>| {
            let at = at.with_timezone(now.offset());
            let form = if at.date_naive() == now.date_naive() { "%R" } else { "%F %R" };
            at.format(form).to_string()
        };
        let doing = match (&self.run, self.run.began) {
            _ if !self.allowed => "the command is not allowed here".to_owned(),
            (run, Some(began)) if self.at_work => {
                format!("at work since {}, {} written", clock(began), run.stored)
            }
            (_, None) => "not begun yet".to_owned(),
            (run, Some(began)) => {
                let why = run.why.as_ref().map(|why| format!(", stopped: {why}"));
                let next = run.next.filter(|next| *next > now && why.is_some());
                let next = next.map(|next| format!("; again after {}", clock(next)));
                format!(
                    "{} written {}{}{}",
                    counted(run.stored, "node"),
                    clock(began),
                    why.unwrap_or_default(),
                    next.unwrap_or_default()
                )
            }
        };
        let usd = self.usd.map(|(today, month)| {
            format!(" ({}, {} in 30 days)", spend::dollars(today), spend::dollars(month))
        });
        format!(
            "in the background: {doing}; {} of {} tokens today{}; {} wait",
            grouped(self.spent),
            grouped(self.per_day),
            usd.unwrap_or_default(),
            self.waiting
        )
    }
}
