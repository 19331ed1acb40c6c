//! The calls of a run: what each may cost is reserved before it is made, and what it took is noted down after it.

use std::collections::BTreeSet;

use chrono::{DateTime, FixedOffset};

use super::job::{Job, NodeOutcome};
use crate::disk::{self, Lock};
use crate::error::Problem;
use crate::memory::tokens::count;
use crate::refresh::by_hand;
use crate::setup::preset::FORMS;
use crate::summaries::output;
use crate::summaries::permission::hash_of;
use crate::summaries::spend::{self, CallOutcome, SpendingLine};
use crate::summaries::store::SummaryStore;
use crate::summaries::verdict;
use crate::summarizer::{self, Call, CallEnd};
use crate::text::{grouped, moment};
use crate::world::World;

/// Bytes that are read of an answer for each token it may have.
const BYTES: u64 = 16;
/// The same for what an agent prints around the answer.
const AROUND: u64 = 32 * 1024;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunOptions<'a> {
    /// for `sh -c`
    pub(crate) command: &'a str,
    /// the most nodes
    pub(crate) most: Option<usize>,
    /// the most tokens on a day, of all runs
    pub(crate) per_day: u64,
    /// when it ends although nodes wait
    pub(crate) until: Option<DateTime<FixedOffset>>,
}

/// Makes the calls of a run, and keeps account of them.
pub(super) struct Calls<'a> {
    pub(super) desk: &'a SummaryStore<'a>,
    pub(super) options: RunOptions<'a>,
    /// tokens in and out so far
    pub(super) spent: (u64, u64),
    /// what that cost, in US dollars, as far as the command says so
    pub(super) usd: Option<f64>,
    /// the calls that are counted in these, by id: one may be settled twice, once for each try with its answer
    pub(super) settled: BTreeSet<String>,
}

pub(super) struct ReservedCall {
    pub(super) line: SpendingLine,
    pub(super) ended: CallEnd,
    /// in US dollars, where the command says so
    usd: Option<f64>,
}

impl Calls<'_> {
    pub(super) fn lock(&self) -> Result<Lock, Problem> {
        let lock = by_hand::take_lock(self.desk.memory.folder(), self.desk.patience)?;
        lock.held_or("nothing was changed")?;
        Ok(lock)
    }

    /// Reserves what a call may cost, and makes it. `None` where the day has no room for it.
    pub(super) fn call(
        &mut self,
        world: &World,
        job: &Job,
        text: &str,
        progress: &str,
    ) -> Result<Option<ReservedCall>, Problem> {
        let (least, most) = job.room(self.desk.project.root_cap());
        let input = u64::from(count(text));
        let line = {
            let lock = self.lock()?;
            let Some(alone) = lock.held() else { return Ok(None) };
            let spent = spend::on(&self.desk.spending()?, self.desk.today());
            let room = self.options.per_day.saturating_sub(spent).saturating_sub(input);
            if room < least {
                return Ok(None);
            }
            let id = disk::random_name(16).map_err(|error| {
                Problem::new(format!("no random name: {}", disk::describe(&error)))
            })?;
            let line = SpendingLine {
                at: moment(self.desk.now()),
                id,
                node: job.name(),
                input,
                output: room.min(most),
                command: hash_of(self.options.command),
                result: CallOutcome::Reserved,
                usd: None,
            };
            self.desk.note(alone, &line)?;
            line
        };
        let told = format!(
            "{}: {progress}, {} tokens in, {} out",
            job.name(),
            grouped(self.spent.0),
            grouped(self.spent.1)
        );
        let most = line.output.saturating_mul(BYTES).saturating_add(AROUND);
        let mut ended = summarizer::ask(
            world,
            &Call {
                command: self.options.command,
                prompt: text,
                most,
                limit: summarizer::LIMIT,
                told: &told,
            },
        );
        crate::progress::clear();
        let mut usd = None;
        if let CallEnd::Said(text) | CallEnd::Failed { said: text, .. } = &mut ended {
            let output = output::read(text, &FORMS);
            (*text, usd) = (output.text, output.usd);
        }
        Ok(Some(ReservedCall { line, ended, usd }))
    }

    /// The text of an answer, or how the node ends without one.
    pub(super) fn answer(
        &mut self,
        job: &Job,
        made: &ReservedCall,
    ) -> Result<Result<String, NodeOutcome>, Problem> {
        let turn = match &made.ended {
            CallEnd::Said(text) if verdict::is_out_of_service(text) => {
                self.settle(made, CallOutcome::Failed, count(text))?;
                NodeOutcome::Out(first_line(text))
            }
            CallEnd::Said(text) => return Ok(Ok(text.clone())),
            CallEnd::Failed { why, said } => {
                self.settle(made, CallOutcome::Failed, count(said))?;
                let out = [said, why].into_iter().find(|text| verdict::is_out_of_service(text));
                match out {
                    Some(words) => NodeOutcome::Out(first_line(words)),
                    None => NodeOutcome::Failed(format!("{why}; {} stays as it is", job.path())),
                }
            }
            CallEnd::Stopped => {
                self.settle(made, CallOutcome::Stopped, u32::MAX)?;
                NodeOutcome::Stopped
            }
        };
        Ok(Err(turn))
    }

    /// Notes down what a call took. Never more than was reserved: what is over that was not taken in.
    pub(super) fn settle(
        &mut self,
        made: &ReservedCall,
        result: CallOutcome,
        output: u32,
    ) -> Result<(), Problem> {
        let lock = self.lock()?;
        let Some(alone) = lock.held() else { return Ok(()) };
        self.desk.note(alone, &self.settled(made, result, output))?;
        Ok(())
    }

    pub(super) fn settled(
        &mut self,
        made: &ReservedCall,
        result: CallOutcome,
        output: u32,
    ) -> SpendingLine {
        let output = u64::from(output).min(made.line.output);
        if self.settled.insert(made.line.id.clone()) {
            self.spent.0 += made.line.input;
            self.spent.1 += output;
            if let Some(usd) = made.usd {
                self.usd = Some(self.usd.unwrap_or(0.0) + usd);
            }
        }
        let at = moment(self.desk.now());
        SpendingLine { at, output, result, usd: made.usd, ..made.line.clone() }
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().chars().take(200).collect()
}
