//! Summaries of days that were imported: what they would cost, who may write them, and from which day on they wait.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;
use serde_json::json;

use super::preset;
use crate::config::{Config, SummaryWriter};
use crate::detached;
use crate::disk::{self, Memory};
use crate::error::{Exit, Problem};
use crate::layout::CONFIG;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Snapshot;
use crate::plan::{Change, Plan, Step, hash};
use crate::platform;
use crate::project::{self, Project};
use crate::refresh::by_hand::take_lock;
use crate::splice::members;
use crate::summaries::background::BACKGROUND;
use crate::summaries::estimate;
use crate::summaries::permission;
use crate::summaries::run::{Run, RunOptions};
use crate::summaries::store::SummaryStore;
use crate::summaries::waiting;
use crate::terminal::{read_line, safe};
use crate::text::{counted, grouped};
use crate::world::{Talk, World};

/// Days without a summary, and what their summaries would take.
struct PastDays {
    /// the first day that was imported
    first: NaiveDate,
    days: usize,
    /// in and out, estimated
    tokens: u64,
}

impl PastDays {
    /// The days from `first` on whose nodes are extracts; `None` where there are none.
    fn of(project: &Project, memory: &Memory, today: NaiveDate, first: NaiveDate) -> Option<Self> {
        let mut library = Snapshot::new(memory.names().ok()?.sort(), memory.facts(), memory);
        let days =
            library.listing.logs.range(first.min(today)..today).map(|(day, _)| Period::Day(*day));
        let mut sizes = Vec::new();
        for period in days.collect::<Vec<_>>() {
            if waiting::is_extract(&mut library, period) {
                let source = project.config.summaries.source;
                sizes.push((Level::Daily, waiting::read(&mut library, period, source).tokens));
            }
            library.forget_bytes();
        }
        let (input, output) = estimate::estimate(&sizes);
        let tokens = input + output;
        (!sizes.is_empty()).then_some(Self { first, days: sizes.len(), tokens })
    }

    /// `49 days have no summary yet: about 0.4 M tokens in all`
    fn told(&self) -> String {
        let verb = if self.days == 1 { "has" } else { "have" };
        let days = counted(self.days, "day");
        format!("{days} {verb} no summary yet: about {} tokens in all", rounded(self.tokens))
    }

    /// `5 days at 100,000 tokens a day`
    fn at(&self, per_day: u64) -> String {
        let days = counted(self.tokens.div_ceil(per_day.max(1)), "day");
        format!("{days} at {} tokens a day", grouped(per_day))
    }

    /// What a run that writes all of them at once may spend.
    fn at_once(&self) -> u64 {
        self.tokens.saturating_mul(2).next_multiple_of(100_000)
    }
}

/// `0.4 M`, `12,000`: as exact as an estimate is.
fn rounded(tokens: u64) -> String {
    match tokens {
        ..95_000 => grouped(tokens.next_multiple_of(1_000)),
        _ => format!("{}.{} M", (tokens + 50_000) / 1_000_000, (tokens + 50_000) / 100_000 % 10),
    }
}

/// Who may write the summaries of days that were imported.
#[derive(Clone)]
enum Choice {
    /// the command, a day's tokens at a time
    Background(String),
    /// the command, all at once
    Now(String),
    /// the agent, some each day
    Agent,
    Nobody,
}

/// Offers to have days summarised that were imported just now: on a terminal as a question, else in a line that names the
/// commands. Says nothing where nobody writes summaries, and where none of these days needs one.
pub(crate) fn offer(world: &mut World, root: &Path, days: &BTreeSet<NaiveDate>) -> Result<Exit> {
    let project = project::open(root)?;
    let writer = project.config.summaries.writer();
    let (Some(first), Some(memory)) = (days.first(), Memory::open(root)?) else {
        return Ok(Exit::Done);
    };
    if writer == SummaryWriter::Off || world.talk == Talk::Quiet {
        return Ok(Exit::Done);
    }
    let Some(past) = PastDays::of(&project, &memory, world.today()?, *first) else {
        return Ok(Exit::Done);
    };
    let can_answer = world.in_is_terminal && world.err_is_terminal && world.var("CI").is_none();
    if !can_answer {
        let line = commands(world, &project.config, &past);
        writeln!(world.err, "note: {}", safe(&line))?;
        return Ok(Exit::Done);
    }
    let choice = ask(world, &project.config, &past);
    carry_out(world, root, &memory, &past, choice)
}

/// The command that would write them: that of the configuration, else that of an agent that is installed, with its name.
fn command(world: &World, config: &Config) -> Option<(String, String)> {
    if let Some(command) = config.summarizer.command.clone() {
        let name = preset::name_of(&command).unwrap_or("the summarizer");
        return Some((name.to_owned(), command));
    }
    let rows = config.platforms();
    let programs: Vec<&str> =
        rows.iter().filter_map(|id| platform::by_id(id)).map(|row| row.program).collect();
    let preset = preset::installed(world, &programs)?;
    Some((preset.name.to_owned(), preset.command.to_owned()))
}

/// What to run, for somebody who cannot be asked.
fn commands(world: &World, config: &Config, past: &PastDays) -> String {
    let begins = format!("hipocampus summarize --since {}", past.first);
    let at = past.at(config.summarizer.tokens_a_day());
    if config.summaries.writer() == SummaryWriter::Background {
        let at_once = past.at_once();
        return format!(
            "{}; `{begins} --background` has them written, the newest first, {at}; `{begins} --max-tokens-per-day {at_once}` writes them now",
            past.told()
        );
    }
    let name = preset::installed(world, &[]).map_or("CMD", |preset| preset.name);
    format!(
        "{}; `hipocampus update --summarizer {name} && {begins} --background` has them written, the newest first, {at}; `{begins}` has the agent write five a day",
        past.told()
    )
}

fn ask(world: &mut World, config: &Config, past: &PastDays) -> Choice {
    let mut choices = Vec::new();
    if let Some((name, command)) = command(world, config) {
        let at = past.at(config.summarizer.tokens_a_day());
        let line = format!("{name} in the background, {at}: `{command}`");
        choices.push((line, Choice::Background(command.clone())));
        choices.push((format!("{name} now, in one run"), Choice::Now(command)));
    }
    if config.summaries.writer() == SummaryWriter::Agent {
        choices.push(("the agent, in its session: five a day".to_owned(), Choice::Agent));
    }
    choices.push((
        "nobody: extracts made without a model stay, and nothing is spent".to_owned(),
        Choice::Nobody,
    ));
    let mut text = format!("{}. who writes them, the newest first?\n", past.told());
    for (number, (line, _)) in choices.iter().enumerate() {
        let _ = writeln!(text, "  {}  {line}", number + 1);
    }
    let _ = write!(text, "number [{}]: ", choices.len());
    let _ = world.err.write_all(safe(&text).as_bytes());
    let _ = world.err.flush();
    let number: usize = read_line(world).and_then(|answer| answer.trim().parse().ok()).unwrap_or(0);
    let chosen = number.checked_sub(1).and_then(|at| choices.get(at));
    chosen.map_or(Choice::Nobody, |(_, choice)| choice.clone())
}

fn carry_out(
    world: &mut World,
    root: &Path,
    memory: &Memory,
    past: &PastDays,
    choice: Choice,
) -> Result<Exit> {
    if let Choice::Nobody = choice {
        return Ok(Exit::Done);
    }
    wait_from(world, root, past.first)?;
    match choice {
        Choice::Background(command) => {
            set(root, &["summaries", "by"], SummaryWriter::Background.word())?;
            set(root, &["summarizer", "command"], &command)?;
            let most = project::open(root)?.config.summarizer.tokens_a_day();
            permission::allow(world, root, &command, most, true)?;
            detached::start(world, root, &BACKGROUND);
            writeln!(
                world.out,
                "summaries began in the background: `hipocampus status` says how far they are"
            )?;
        }
        Choice::Now(command) => {
            let project = project::open(root)?;
            let desk = SummaryStore::open(&project, memory, world)?;
            let options =
                RunOptions { command: &command, most: None, per_day: past.at_once(), until: None };
            return Ok(Run::new(&desk, options).work(world)?.exit);
        }
        Choice::Agent => writeln!(world.out, "{}", offered_from(past.first))?,
        Choice::Nobody => {}
    }
    Ok(Exit::Done)
}

/// What is said where the agent is to write what ended on a day or later.
pub(crate) fn offered_from(day: NaiveDate) -> String {
    format!(
        "from {day} on days wait for summaries: the agent is offered the five newest, once a day"
    )
}

/// Lets what ended on a day or later wait for summaries: writes `summaries.since` where it is later, and marks the nodes.
///
/// # Errors
/// When the configuration cannot be read as JSON, or not be written, and as an update of the memory fails.
pub(crate) fn wait_from(world: &World, root: &Path, day: NaiveDate) -> Result<(), Problem> {
    if project::open(root)?.config.summaries.since.is_none_or(|since| since <= day) {
        return Ok(());
    }
    set(root, &["summaries", "since"], &day.to_string())?;
    let project = project::open(root)?;
    let Some(memory) = Memory::open(root)? else { return Ok(()) };
    let desk = SummaryStore::open(&project, &memory, world)?;
    let lock = take_lock(memory.folder(), world.patience)?;
    desk.refresh(lock.held_or("the next run marks what waits")?)?;
    Ok(())
}

/// Gives a key of the configuration its value; every other byte stays.
fn set(root: &Path, key: &[&str], value: &str) -> Result<(), Problem> {
    let path = root.join(CONFIG);
    let old = disk::read_users_file(&path)?.unwrap_or_default();
    let new = members::set(&old, key, &json!(value)).map_err(|why| {
        let at = format!("{}:{}:{}", path.display(), why.line, why.column);
        Problem::new(format!("`{at}`: {}", why.what))
            .hint("repair it, then run the command again; nothing was changed")
    })?;
    if new == old {
        return Ok(());
    }
    let change = if old.is_empty() {
        Change::Create(new)
    } else {
        Change::Replace { was: hash(&old), with: new }
    };
    let mut plan = Plan::default();
    plan.steps.push(Step::to_users_file(CONFIG, change, "who writes summaries, and of which days"));
    let applied = disk::apply(root, &plan);
    if let Some(failure) = applied.failure {
        return Err(failure);
    }
    match applied.skipped.first() {
        Some(skipped) => Err(Problem::new(skipped.to_string())
            .hint("run the command again; the configuration was not changed")),
        None => Ok(()),
    }
}
