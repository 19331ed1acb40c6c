//! What goes from a memory, where, and in what order: what `forget` and `scrub` plan.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::contents::Contents;
use super::rows::FileRow;
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::memory::period::Period;
use crate::plan::{Change, Plan, Step, hash};

/// A file that loses some of its text, as a step.
pub(crate) type ToStep = fn(String, Change, &'static str) -> Step;

/// What goes, where, and in what order.
#[derive(Debug, Default)]
pub(crate) struct Retraction {
    /// the tombstones, old and new
    pub(crate) tombstones: Forgotten,
    /// days whose chain of nodes is to be made again
    pub(crate) days: BTreeSet<NaiveDate>,
    /// texts that people and models wrote, nodes, backups: everything that is found by means of the logs
    pub(crate) before: Plan,
    /// the logs: once these are changed nothing tells any more what else said the same
    pub(crate) logs: Plan,
    pub(crate) rows: Vec<FileRow>,
    /// files of others that say it, with their lines
    pub(crate) named: Vec<(String, Vec<usize>)>,
    /// texts of the days in question that somebody wrote: they may say it in other words
    pub(crate) in_other_words: Vec<String>,
}

impl Retraction {
    /// Whether there is nothing to forget.
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.logs.is_empty()
    }

    /// Says what goes of a file.
    pub(crate) fn row(&mut self, path: &str, what: String, says: Vec<String>) {
        self.rows.push(FileRow { path: path.to_owned(), what, says });
    }

    /// Whether something goes of a day of a period.
    pub(crate) fn touches(&self, period: Option<Period>) -> bool {
        period.is_some_and(|period| self.days.range(period.days()).next().is_some())
    }

    /// Has the chain of a node made again, from the first day of it that has a log.
    pub(crate) fn make_again(&mut self, period: Option<Period>, contents: &Contents<'_>) {
        if let Some(days) = period.map(Period::days) {
            let mut known = contents.logs.iter().map(|(day, _)| *day);
            self.days.insert(known.find(|day| days.contains(day)).unwrap_or(*days.start()));
        }
    }

    /// A file beside the logs gets another text.
    pub(crate) fn replace(
        &mut self,
        path: &str,
        text: &[u8],
        with: Vec<u8>,
        (step, why): (ToStep, &'static str),
    ) {
        let change = Change::Replace { was: hash(text), with };
        let inside = path.starts_with(layout::MEMORY) && path.contains('/');
        self.before.steps.push(step(path.to_owned(), change, why).private(inside));
    }
}
