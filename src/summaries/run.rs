//! Works the list with a command: a prompt goes in, a summary comes out, one node after the other.
//!
//! The lock is held while a node is taken and while an answer is stored, never while the command works. What a call may
//! cost is reserved before it is made.

mod calls;

use std::collections::BTreeSet;

use anyhow::Result;

use self::calls::ReservedCall;
use super::claim::PROCESS;
use super::spend::CallOutcome;
use super::store::{SummaryStore, SummaryTask};
use super::{prompt, verdict};
use crate::capture::Redact as _;
use crate::disk::{self, Lock};
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

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunOptions<'a> {
    /// for `sh -c`
    pub(crate) command: &'a str,
    /// the most nodes
    pub(crate) most: Option<usize>,
    /// the most tokens on a day, of all runs
    pub(crate) per_day: u64,
}

pub(crate) struct Run<'a> {
    desk: &'a SummaryStore<'a>,
    wish: RunOptions<'a>,
    by: String,
    tried: BTreeSet<Period>,
    began: bool,
    stored: usize,
    failed: usize,
    /// how many wait, with the one at hand
    left: usize,
    spent: (u64, u64),
    last: Option<Updated>,
}

enum NodeOutcome {
    Stored(String),
    /// it stays as it is, and why
    Failed(String),
    /// the limit of the day leaves no room
    Full,
    /// the command cannot work now, and why
    Out(String),
    Stopped,
}

/// A node that was taken, and what is to be done with it, if that is known.
type Taken = (Period, Result<SummaryTask, Problem>);

impl<'a> Run<'a> {
    pub(crate) fn new(desk: &'a SummaryStore<'a>, wish: RunOptions<'a>) -> Self {
        Self {
            desk,
            wish,
            by: format!("{PROCESS}{}", disk::this_process()),
            tried: BTreeSet::new(),
            began: false,
            stored: 0,
            failed: 0,
            left: 0,
            spent: (0, 0),
            last: None,
        }
    }

    /// Works the list until it is empty, or something ends it. Fails when the memory cannot be read or written.
    pub(crate) fn work(mut self, world: &mut World) -> Result<Exit> {
        interrupt::watch();
        let mut in_a_row = 0;
        let mut why = None;
        while !interrupt::asked() && self.wish.most.is_none_or(|most| self.tried.len() < most) {
            let Some((period, task)) = self.take()? else { break };
            let turn = match task {
                Ok(task) => self.turn(world, &task)?,
                Err(problem) => NodeOutcome::Failed(problem.to_string()),
            };
            if !matches!(turn, NodeOutcome::Stored(_)) {
                self.let_go(period)?;
            }
            match turn {
                NodeOutcome::Stored(told) => {
                    in_a_row = 0;
                    self.stored += 1;
                    writeln!(world.out, "{period}  {}", safe(&told))?;
                }
                NodeOutcome::Failed(problem) => {
                    in_a_row += 1;
                    self.failed += 1;
                    let problem = self.desk.redactor().text(&problem).into_owned();
                    writeln!(world.err, "error: {period}: {}", safe(&problem))?;
                    if in_a_row == FAILURES {
                        why = Some(format!("{FAILURES} failures one after the other"));
                        break;
                    }
                }
                NodeOutcome::Full => {
                    let most = grouped(self.wish.per_day);
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
        self.end(world, why)
    }

    fn end(self, world: &mut World, why: Option<String>) -> Result<Exit> {
        if let Some(done) = &self.last {
            by_hand::search(self.desk.project, world, done, false);
            by_hand::tell_problems(world, done);
        }
        let list = self.desk.list(0)?;
        let (input, output) = self.spent;
        writeln!(
            world.out,
            "hipocampus summarize: {} stored, {} not, {} left; {} tokens in, {} out",
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

    fn lock(&self) -> Result<Lock, Problem> {
        let lock = by_hand::take_lock(self.desk.memory.folder(), self.desk.patience)?;
        lock.held_or("nothing was changed")?;
        Ok(lock)
    }

    /// Takes the next node, and a claim on it.
    fn take(&mut self) -> Result<Option<Taken>, Problem> {
        let lock = self.lock()?;
        let Some(alone) = lock.held() else { return Ok(None) };
        self.desk.refresh(alone)?;
        let Some((period, waiting)) = self.desk.next(&self.tried)? else { return Ok(None) };
        let most = self.wish.most.map_or(usize::MAX, |most| most - self.tried.len());
        self.left = waiting.min(most);
        self.tried.insert(period);
        let task = self.desk.task(period);
        if let Ok(task) = &task {
            let node = [(period.to_string(), Some(task.source.read))];
            self.desk.claim(alone, &node, &self.by, !self.began)?;
            self.began = true;
        }
        Ok(Some((period, task)))
    }

    fn let_go(&self, period: Period) -> Result<(), Problem> {
        let lock = self.lock()?;
        let Some(alone) = lock.held() else { return Ok(()) };
        self.desk.release(alone, &period.to_string(), Some(&self.by))
    }

    /// Asks for one node, in parts where it is long, and stores what comes.
    fn turn(&mut self, world: &World, task: &SummaryTask) -> Result<NodeOutcome, Problem> {
        let ask = task.ask();
        let parts = prompt::parts(&task.source.text, prompt::PART);
        if parts.len() == 1 {
            return self.asked(world, task, &task.prompt());
        }
        let mut answers = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let text = prompt::of_part(&ask, at + 1, parts.len(), part);
            let Some(made) = self.call(world, task.period, &text)? else {
                return Ok(NodeOutcome::Full);
            };
            let answer = match self.answer(task.period, &made)? {
                Ok(answer) => answer,
                Err(turn) => return Ok(turn),
            };
            // Of a part only that it says something is required.
            if answer.trim().is_empty() {
                self.settle(&made, CallOutcome::Refused, count(&answer))?;
                return Ok(NodeOutcome::Failed(format!(
                    "part {} of {}: nothing came back",
                    at + 1,
                    parts.len()
                )));
            }
            self.settle(&made, CallOutcome::Part, count(&answer))?;
            answers.push(self.desk.redacted(&verdict::harmless(&answer)));
        }
        self.asked(world, task, &prompt::merged(&ask, &answers))
    }

    /// Asks once, and once more with what was wrong.
    fn asked(
        &mut self,
        world: &World,
        task: &SummaryTask,
        text: &str,
    ) -> Result<NodeOutcome, Problem> {
        let mut text = text.to_owned();
        let mut refusal = String::new();
        for attempt in 0..2 {
            let Some(made) = self.call(world, task.period, &text)? else {
                return Ok(if attempt == 0 {
                    NodeOutcome::Full
                } else {
                    NodeOutcome::Failed(refusal)
                });
            };
            let answer = match self.answer(task.period, &made)? {
                Ok(answer) => answer,
                Err(turn) => return Ok(turn),
            };
            let tokens = count(&answer);
            let redacted = self.desk.redacted(&answer);
            let checked = verdict::check(&redacted, task.period, &task.must, &task.source.text);
            let checked = match checked {
                _ if u64::from(tokens) > made.line.output => {
                    Err(vec![format!("it has {tokens} tokens, {} fit", made.line.output)])
                }
                checked => checked,
            };
            match checked {
                Ok(accepted) => return self.store(task, &made, tokens, &accepted.text),
                Err(wrong) => {
                    self.settle(&made, CallOutcome::Refused, tokens)?;
                    refusal = wrong.join("; ");
                    text = prompt::again(&text, &answer, &refusal);
                }
            }
        }
        Ok(NodeOutcome::Failed(format!("refused twice: {refusal}")))
    }

    /// Stores a summary that will do, unless somebody else did meanwhile.
    fn store(
        &mut self,
        task: &SummaryTask,
        made: &ReservedCall,
        tokens: u32,
        text: &str,
    ) -> Result<NodeOutcome, Problem> {
        let lock = self.lock()?;
        let Some(alone) = lock.held() else { return Ok(NodeOutcome::Stopped) };
        let (period, node) = (task.period, task.period.to_string());
        let claims = self.desk.claims()?;
        let taken = claims.iter().any(|claim| claim.node == node && claim.by != self.by);
        if taken || !self.desk.waits(period)? {
            self.desk.note(alone, &self.settled(made, CallOutcome::Refused, tokens))?;
            return Ok(NodeOutcome::Failed("somebody else has written it meanwhile".to_owned()));
        }
        let done = self.desk.store(alone, period, text, Some(task.source.read))?;
        self.desk.note(alone, &self.settled(made, CallOutcome::Stored, tokens))?;
        self.desk.release(alone, &node, Some(&self.by))?;
        let told = format!(
            "stored, {} for {} ({} tokens in, {} out)",
            counted(text.lines().count(), "line"),
            grouped(task.source.lines),
            grouped(made.line.input),
            grouped(u64::from(tokens))
        );
        self.last = Some(done);
        Ok(NodeOutcome::Stored(told))
    }
}
