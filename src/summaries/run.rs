//! Works the list with a command: a prompt goes in, a summary comes out, one node after the other.
//!
//! The lock is held while a node is taken and while an answer is stored, never while the command works. What a call may
//! cost is reserved before it is made.

mod calls;
mod job;

use std::collections::BTreeSet;

use anyhow::Result;
use chrono::NaiveDate;

pub(crate) use self::calls::RunOptions;
use self::calls::{Calls, ReservedCall};
use self::job::{Job, NodeOutcome};
use super::by_model::{self, RootTask};
use super::claim::PROCESS;
use super::spend::{self, CallOutcome};
use super::store::{SummaryStore, SummaryTask};
use super::{estimate, prompt, verdict};
use crate::capture::Redact as _;
use crate::disk::{self, Held};
use crate::error::{Exit, Problem};
use crate::interrupt;
use crate::memory::period::Period;
use crate::memory::tokens::count;
use crate::refresh::Updated;
use crate::refresh::by_hand;
use crate::terminal::safe;
use crate::text::{counted, grouped};
use crate::world::World;

/// After so many failures one after the other the run ends: it will not get better.
const FAILURES: usize = 3;

pub(crate) struct Run<'a> {
    desk: &'a SummaryStore<'a>,
    calls: Calls<'a>,
    by: String,
    tried: BTreeSet<Period>,
    /// the last day of the facts with which ROOT.md was tried last, and how often it was
    tried_root: (Option<NaiveDate>, usize),
    began: bool,
    stored: usize,
    failed: usize,
    /// of those that failed: how many take more than the tokens of a day
    too_large: usize,
    /// how many wait, with the one at hand
    left: usize,
    last: Option<Updated>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct RunEnd {
    pub(crate) exit: Exit,
    pub(crate) stored: usize,
    pub(crate) failed: usize,
    /// why it ended before all was written, where it did
    pub(crate) why: Option<String>,
    /// whether nothing more can be written on this day: its tokens are spent, or what waits takes more than a day has
    pub(crate) is_full: bool,
}

/// What was taken, by name, and what is to be done with it, where that can be told.
type Taken = (String, Result<Job, Problem>);

impl<'a> Run<'a> {
    pub(crate) fn new(desk: &'a SummaryStore<'a>, options: RunOptions<'a>) -> Self {
        Self {
            desk,
            calls: Calls { desk, options, spent: (0, 0), usd: None, settled: BTreeSet::new() },
            by: format!("{PROCESS}{}", disk::this_process()),
            tried: BTreeSet::new(),
            tried_root: (None, 0),
            began: false,
            stored: 0,
            failed: 0,
            too_large: 0,
            left: 0,
            last: None,
        }
    }

    /// Works the list until it is empty, or something ends it. Fails when the memory cannot be read or written.
    pub(crate) fn work(mut self, world: &mut World) -> Result<RunEnd> {
        interrupt::watch();
        let mut in_a_row = 0;
        let mut why = None;
        let mut is_full = false;
        let mut too_large = None;
        while !interrupt::asked() && self.calls.options.most.is_none_or(|most| self.taken() < most)
        {
            if self.calls.options.until.is_some_and(|until| self.desk.now() >= until) {
                why = Some("it has worked for hours".to_owned());
                break;
            }
            let Some((name, job)) = self.take()? else { break };
            let turn = match job {
                Ok(job) => self.turn(world, &job)?,
                Err(problem) => NodeOutcome::Failed(problem.to_string()),
            };
            if !matches!(turn, NodeOutcome::Stored(_)) {
                self.let_go(&name)?;
            }
            match turn {
                NodeOutcome::Stored(told) => {
                    in_a_row = 0;
                    self.stored += 1;
                    writeln!(world.out, "{name}  {}", safe(&told))?;
                }
                NodeOutcome::Failed(problem) => {
                    in_a_row += 1;
                    self.failed += 1;
                    let problem = self.desk.redactor().text(&problem).into_owned();
                    writeln!(world.err, "error: {name}: {}", safe(&problem))?;
                    if in_a_row == FAILURES {
                        why = Some(format!("{FAILURES} failures one after the other"));
                        break;
                    }
                }
                NodeOutcome::TooLarge(takes) => {
                    self.failed += 1;
                    self.too_large += 1;
                    let problem = format!(
                        "{name} takes about {} tokens, and a day has {}: raise `summarizer.maxTokensPerDay`, or set `summaries.source` to `extract`",
                        grouped(takes),
                        grouped(self.calls.options.per_day)
                    );
                    writeln!(world.err, "error: {problem}")?;
                    too_large.get_or_insert(problem);
                }
                NodeOutcome::Full => {
                    is_full = true;
                    let most = grouped(self.calls.options.per_day);
                    why = Some(format!("the limit of {most} tokens a day leaves no room"));
                    break;
                }
                NodeOutcome::Out(words) => {
                    self.failed += 1;
                    let words = self.desk.redactor().text(&words).into_owned();
                    why = Some(format!("the command says that it cannot: {}", safe(&words)));
                    break;
                }
                NodeOutcome::Stopped => break,
            }
        }
        let exit = self.end(world, why.as_deref())?;
        let (stored, failed) = (self.stored, self.failed);
        is_full |= failed > 0 && failed == self.too_large;
        Ok(RunEnd { exit, stored, failed, why: why.or(too_large), is_full })
    }

    fn end(&self, world: &mut World, why: Option<&str>) -> Result<Exit> {
        if let Some(done) = &self.last {
            by_hand::search(self.desk.project, world, done, false);
            by_hand::tell_problems(world, done);
        }
        let list = self.desk.list(0)?;
        let (input, output) = self.calls.spent;
        let usd =
            self.calls.usd.map(|usd| format!(", {}", spend::dollars(usd))).unwrap_or_default();
        writeln!(
            world.out,
            "hipocampus summarize: {} stored, {} not, {} left; {} tokens in, {} out{usd}",
            self.stored,
            self.failed,
            list.later,
            grouped(input),
            grouped(output)
        )?;
        if interrupt::asked() {
            writeln!(world.err, "note: stopped; what is stored is whole, the rest is as it was")?;
            return Ok(Exit::Problem);
        }
        if let Some(why) = why {
            writeln!(world.err, "note: stopped: {why}; the rest is as it was")?;
        }
        Ok(if self.failed > 0 { Exit::Problem } else { Exit::Done })
    }

    fn call(
        &mut self,
        world: &World,
        job: &Job,
        text: &str,
    ) -> Result<Option<ReservedCall>, Problem> {
        let progress = format!("{} done, {} left", self.stored, self.left);
        self.calls.call(world, job, text, &progress)
    }

    /// How many nodes were taken, ROOT.md too.
    fn taken(&self) -> usize {
        self.tried.len() + self.tried_root.1
    }

    /// Takes what is next, and a claim on it: a node, and when none waits, ROOT.md.
    fn take(&mut self) -> Result<Option<Taken>, Problem> {
        let lock = self.calls.lock()?;
        let Some(alone) = lock.held() else { return Ok(None) };
        self.desk.refresh(alone)?;
        let Some((period, waiting)) = self.desk.next(&self.tried)? else {
            return self.take_root(alone);
        };
        let most = self.calls.options.most.map_or(usize::MAX, |most| most - self.taken());
        self.left = waiting.min(most);
        self.tried.insert(period);
        let task = self.desk.task(period);
        if let Ok(task) = &task {
            self.claim(alone, period.to_string(), Some(task.source.read))?;
        }
        Ok(Some((period.to_string(), task.map(Job::Node))))
    }

    /// ROOT.md, where nothing waits that comes before it, and the facts are others than those it was tried with.
    fn take_root(&mut self, alone: &Held) -> Result<Option<Taken>, Problem> {
        if self.desk.list(0)?.later > 0 {
            return Ok(None);
        }
        let root = by_model::root_offered(self.desk)?;
        let is_new = |task: &RootTask| self.tried_root.0 != Some(task.facts.until);
        let Some(task) = root.filter(is_new) else { return Ok(None) };
        if self.desk.claims()?.iter().any(|claim| claim.node == by_model::ROOT) {
            return Ok(None);
        }
        self.left = 1;
        self.tried_root = (Some(task.facts.until), self.tried_root.1 + 1);
        self.claim(alone, by_model::ROOT.to_owned(), None)?;
        Ok(Some((by_model::ROOT.to_owned(), Ok(Job::Root(task)))))
    }

    fn claim(&mut self, alone: &Held, name: String, read: Option<u64>) -> Result<(), Problem> {
        self.desk.claim(alone, &[(name, read)], &self.by, !self.began)?;
        self.began = true;
        Ok(())
    }

    fn let_go(&self, name: &str) -> Result<(), Problem> {
        let lock = self.calls.lock()?;
        let Some(alone) = lock.held() else { return Ok(()) };
        self.desk.release(alone, name, Some(&self.by))
    }

    /// Has one thing written, a long node in parts, and stores what comes.
    fn turn(&mut self, world: &World, job: &Job) -> Result<NodeOutcome, Problem> {
        let task = match job {
            Job::Node(task) => task,
            Job::Root(task) => return self.at_once(world, job, &task.prompt),
        };
        let ask = task.ask();
        let parts = prompt::parts(task.handed(), prompt::PART);
        if parts.len() == 1 {
            return self.at_once(world, job, &task.prompt());
        }
        let (input, output) = estimate::estimate(&[(task.period.level(), count(task.handed()))]);
        let takes = input + output;
        if takes > self.calls.options.per_day {
            return Ok(NodeOutcome::TooLarge(takes));
        }
        // One that is begun and not ended would be begun anew tomorrow.
        if takes > estimate::left(self.desk, self.calls.options.per_day, self.desk.today())? {
            return Ok(NodeOutcome::Full);
        }
        let mut answers = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let text = prompt::of_part(&ask, at + 1, parts.len(), part);
            let Some(made) = self.call(world, job, &text)? else {
                return Ok(NodeOutcome::Full);
            };
            let answer = match self.calls.answer(job, &made)? {
                Ok(answer) => answer,
                Err(turn) => return Ok(turn),
            };
            // Of a part only that it says something is required.
            if answer.trim().is_empty() {
                self.calls.settle(&made, CallOutcome::Refused, count(&answer))?;
                return Ok(NodeOutcome::Failed(format!(
                    "part {} of {}: nothing came back",
                    at + 1,
                    parts.len()
                )));
            }
            self.calls.settle(&made, CallOutcome::Part, count(&answer))?;
            answers.push(self.desk.redacted(&verdict::harmless(&answer)));
        }
        self.asked(world, job, &prompt::merged(&ask, &answers))
    }

    /// Asks with one prompt, where a day has room for it.
    fn at_once(&mut self, world: &World, job: &Job, text: &str) -> Result<NodeOutcome, Problem> {
        let takes = u64::from(count(text)) + job.room(self.desk.project.root_cap()).0;
        if takes > self.calls.options.per_day {
            return Ok(NodeOutcome::TooLarge(takes));
        }
        self.asked(world, job, text)
    }

    /// Asks once, and once more with what was wrong.
    fn asked(&mut self, world: &World, job: &Job, text: &str) -> Result<NodeOutcome, Problem> {
        let mut text = text.to_owned();
        let mut refusal = String::new();
        // What would do, and was sent back for its style alone.
        let mut spare: Option<(ReservedCall, u32, String)> = None;
        for attempt in 0..2 {
            let Some(made) = self.call(world, job, &text)? else {
                return match spare {
                    Some((made, tokens, good)) => self.store(job, &made, tokens, &good),
                    None if attempt == 0 => Ok(NodeOutcome::Full),
                    None => Ok(NodeOutcome::Failed(refusal)),
                };
            };
            let answer = match (self.calls.answer(job, &made)?, spare.take()) {
                (Ok(answer), kept) => {
                    spare = kept;
                    answer
                }
                (Err(_), Some((made, tokens, good))) => {
                    return self.store(job, &made, tokens, &good);
                }
                (Err(turn), None) => return Ok(turn),
            };
            let tokens = count(&answer);
            let checked = match self.check(job, &answer)? {
                _ if u64::from(tokens) > made.line.output => {
                    Err(vec![format!("it has {tokens} tokens, {} fit", made.line.output)])
                }
                checked => checked,
            };
            let leaning = |good: &String| verdict::leaning(good).filter(|_| attempt == 0);
            refusal = match (checked, spare.take()) {
                (Ok(good), _) => match leaning(&good) {
                    None => return self.store(job, &made, tokens, &good),
                    Some(why) => {
                        self.calls.settle(&made, CallOutcome::Refused, tokens)?;
                        text = prompt::again(&text, &answer, &why);
                        spare = Some((made, tokens, good));
                        continue;
                    }
                },
                (Err(_), Some((_, _, good))) => return self.store(job, &made, tokens, &good),
                (Err(wrong), None) => wrong.join("; "),
            };
            self.calls.settle(&made, CallOutcome::Refused, tokens)?;
            text = prompt::again(&text, &answer, &refusal);
        }
        Ok(NodeOutcome::Failed(format!("refused twice: {refusal}")))
    }

    /// Whether an answer will do: the text to store, or what to mend.
    fn check(&self, job: &Job, answer: &str) -> Result<Result<String, Vec<String>>, Problem> {
        match job {
            Job::Node(task) => {
                let SummaryTask { period, must, source, .. } = task;
                let (redacted, prompt) = (self.desk.redacted(answer), task.prompt());
                let checked = verdict::check(&redacted, *period, must, &source.text, &prompt);
                Ok(checked.map(|accepted| accepted.text))
            }
            Job::Root(task) => {
                let checked = by_model::check_root(self.desk, answer, &task.must)?;
                Ok(checked.map(|accepted| accepted.body))
            }
        }
    }

    /// Stores a text that will do, unless somebody else did meanwhile.
    fn store(
        &mut self,
        job: &Job,
        made: &ReservedCall,
        tokens: u32,
        text: &str,
    ) -> Result<NodeOutcome, Problem> {
        let lock = self.calls.lock()?;
        let Some(alone) = lock.held() else { return Ok(NodeOutcome::Stopped) };
        let name = job.name();
        let claims = self.desk.claims()?;
        let taken = claims.iter().any(|claim| claim.node == name && claim.by != self.by);
        let waits = match job {
            Job::Node(task) => self.desk.waits(task.period)?,
            Job::Root(task) => by_model::is_as_read(self.desk, task)?,
        };
        if taken || !waits {
            self.desk.note(alone, &self.calls.settled(made, CallOutcome::Refused, tokens))?;
            return Ok(NodeOutcome::Failed("somebody else has written it meanwhile".to_owned()));
        }
        let (done, lines) = match job {
            Job::Node(task) => {
                let done = self.desk.store(alone, task.period, text, Some(task.source.read))?;
                (done, grouped(task.source.lines))
            }
            Job::Root(task) => {
                let done = by_model::put_root(self.desk, alone, text, task.facts.until)?;
                (done, format!("the facts of {}", counted(task.facts.nodes, "node")))
            }
        };
        self.desk.note(alone, &self.calls.settled(made, CallOutcome::Stored, tokens))?;
        self.desk.release(alone, &name, Some(&self.by))?;
        let told = format!(
            "stored, {} for {lines} ({} tokens in, {} out)",
            counted(text.lines().count(), "line"),
            grouped(made.line.input),
            grouped(u64::from(tokens))
        );
        self.last = Some(done);
        Ok(NodeOutcome::Stored(told))
    }
}
