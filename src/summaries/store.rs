//! Where summaries are handed out and taken in: reads the memory, holds the claims, writes what came back.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, FixedOffset, NaiveDate};

use super::claim::Claim;
use super::handed;
use super::prompt::{self, PromptInput};
use super::verdict;
use super::waiting::{self, PendingNode, TextOwner, WaitingRules};
use crate::capture::Redact as _;
use crate::capture::redact::Redactor;
use crate::capture::remembering::Remembering;
use crate::config::SummarySource;
use crate::disk::{Held, Memory};
use crate::error::Problem;
use crate::import::proven;
use crate::layout;
use crate::memory::compaction::{self, GivenSummary, Source};
use crate::memory::frontmatter::Document;
use crate::memory::node::{NodeFacts, SUMMARY};
use crate::memory::period::Period;
use crate::memory::snapshot::{LogFile, Snapshot};
use crate::memory::tokens::count;
use crate::project::Project;
use crate::refresh::{UpdateOptions, Updated, tree};
use crate::text::{counted, lossy};
use crate::world::{self, World};

/// The most bytes of a text that is handed in: 1 MiB.
pub(crate) const LIMIT: u64 = 1024 * 1024;

/// A project's memory, as far as summaries go.
pub(crate) struct SummaryStore<'a> {
    pub(crate) project: &'a Project,
    pub(crate) memory: &'a Memory,
    redactor: Redactor,
    /// the moment of this run, and since when on the system's clock it passes; where somebody set the clock, it stands
    started: (DateTime<FixedOffset>, Option<SystemTime>),
    /// how long another run that has the memory is waited for
    pub(super) patience: Duration,
}

/// A node that is to be summarised, with all that a model needs.
#[derive(Debug)]
pub(crate) struct SummaryTask {
    pub(crate) period: Period,
    pub(crate) source: Source,
    pub(crate) must: Vec<String>,
    /// the extract that is handed out in the place of a long log
    extract: Option<String>,
    /// the summary that is there and what was added since
    old: Option<(String, String)>,
    notes: Option<String>,
    pub(crate) text: TextOwner,
}

impl SummaryTask {
    pub(crate) fn ask(&self) -> PromptInput<'_> {
        PromptInput {
            period: self.period,
            source: self.handed(),
            lines: self.source.lines,
            is_extract: self.extract.is_some(),
            must: &self.must,
            old: self.old.as_ref().map(|(old, added)| (&**old, &**added)),
            notes: self.notes.as_deref(),
        }
    }

    /// What a model gets to read.
    pub(crate) fn handed(&self) -> &str {
        self.extract.as_deref().unwrap_or(&self.source.text)
    }

    /// The complete text for a model.
    pub(crate) fn prompt(&self) -> String {
        prompt::whole(&self.ask())
    }
}

#[derive(Debug, Default)]
pub(crate) struct PendingList {
    /// what may be written now, in order
    pub(crate) offered: Vec<PendingNode>,
    /// how many come after these
    pub(crate) later: usize,
}

impl<'a> SummaryStore<'a> {
    /// Opens it. Fails when the configuration names redaction rules that cannot be, or the clock is set to no time.
    pub(crate) fn open(
        project: &'a Project,
        memory: &'a Memory,
        world: &World,
    ) -> Result<Self, Problem> {
        let redactor = project.redactor()?;
        let passes = world.var("HIPOCAMPUS_NOW").is_none().then(world::system_time);
        Ok(Self {
            project,
            memory,
            redactor,
            started: (world.now()?, passes),
            patience: world.patience,
        })
    }

    /// The moment. A run may take hours, in some of which the machine sleeps.
    pub(crate) fn now(&self) -> DateTime<FixedOffset> {
        let (then, since) = &self.started;
        *then + since.and_then(|since| since.elapsed().ok()).unwrap_or_default()
    }

    /// The user's date.
    pub(crate) fn today(&self) -> NaiveDate {
        self.now().date_naive()
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    fn frame(&self) -> WaitingRules {
        WaitingRules { today: self.today(), since: self.project.config.summaries.since }
    }

    fn library(&self) -> Result<Snapshot<'_>, Problem> {
        Ok(Snapshot::new(self.memory.names()?.sort(), self.memory.facts(), self.memory))
    }

    /// Brings the tree up to date, as `compact` does, and the claims. Fails as [`tree::update`] and
    /// [`SummaryStore::tidy_claims`] do.
    pub(crate) fn refresh(&self, alone: &Held) -> Result<Updated, Problem> {
        let done = self.update(alone, BTreeMap::new())?;
        self.tidy_claims(alone)?;
        Ok(done)
    }

    fn update(
        &self,
        alone: &Held,
        given: BTreeMap<Period, GivenSummary>,
    ) -> Result<Updated, Problem> {
        let ask = UpdateOptions {
            today: self.today(),
            alone: Some(alone),
            given,
            ..UpdateOptions::default()
        };
        let done = tree::update(self.project, self.memory, &ask)?;
        match done.failure {
            Some(failure) => Err(failure),
            None => Ok(done),
        }
    }

    /// What waits, in order, with who works on it; the first `most` of it in full.
    pub(crate) fn list(&self, most: usize) -> Result<PendingList, Problem> {
        let mut library = self.library()?;
        let all = waiting::all(&mut library, self.frame());
        let offered = waiting::offered(&all);
        let later = all.len() - offered.len().min(most);
        let claims = self.claims()?;
        let mut list = PendingList { later, ..PendingList::default() };
        for found in offered.into_iter().take(most) {
            let source = waiting::read(&mut library, found.0, self.project.config.summaries.source);
            let mut told = waiting::told(&mut library, found, &source);
            told.added = told.added.map(|added| self.redactor.text(&added).into_owned());
            let name = found.0.to_string();
            let held = claims.iter().find(|claim| claim.node == name);
            told.claimed = held.map(Claim::told);
            list.offered.push(told);
            library.forget_bytes();
        }
        Ok(list)
    }

    /// The next node that nobody works on and whose text nobody edited, and how many wait in all.
    pub(crate) fn next(
        &self,
        tried: &BTreeSet<Period>,
    ) -> Result<Option<(Period, usize)>, Problem> {
        let mut library = self.library()?;
        let all = waiting::all(&mut library, self.frame());
        let claims = self.claims()?;
        let is_free = |period: Period| {
            let name = period.to_string();
            !tried.contains(&period) && !claims.iter().any(|claim| claim.node == name)
        };
        let mut free = waiting::offered(&all)
            .into_iter()
            .filter(|(period, _, text)| *text == TextOwner::Ours && is_free(*period));
        Ok(free.next().map(|(period, ..)| (period, all.len())))
    }

    /// Whether a node still waits, with a text in it that a summary may take the place of.
    pub(crate) fn waits(&self, period: Period) -> Result<bool, Problem> {
        let all = waiting::all(&mut self.library()?, self.frame());
        Ok(all.iter().any(|(found, _, text)| *found == period && *text == TextOwner::Ours))
    }

    /// A node by name, whether it waits or not. Fails when there is nothing to summarise, or something below it comes
    /// first.
    pub(crate) fn task(&self, period: Period) -> Result<SummaryTask, Problem> {
        let mut library = self.library()?;
        let failed = |error: io::Error| {
            Problem::new(format!("what {period} is made from cannot be read"))
                .hint("nothing was changed")
                .because(error)
        };
        let all = waiting::all(&mut library, self.frame());
        if let Some(first) = waiting::below(&all, period) {
            let what = format!("{first} waits for its summary and comes before {period}");
            let hint = format!("`hipocampus pending --prompt {first}` says what to write");
            return Err(Problem::new(what).hint(hint));
        }
        let redact = |text| self.redactor.redact_owned(text);
        let rules = self.project.rules(self.today(), self.redactor.version(), &redact);
        let source = compaction::source(&mut library, &rules, period);
        let Some(source) = source.map_err(failed)? else {
            if library.listing.nodes.contains_key(&period) {
                let what = format!("what {period} was made from is gone");
                let hint = "its node is the last copy and stays; nothing was changed";
                return Err(Problem::new(what).hint(hint));
            }
            let hint = "`hipocampus pending` lists what waits; nothing was changed";
            return Err(Problem::new(format!("nothing is known of {period}")).hint(hint));
        };
        let threshold = period.level().threshold();
        if source.lines <= threshold {
            let what = format!(
                "{period} has {}, and up to {threshold} are copied into its node",
                counted(source.lines, "line")
            );
            let hint = "there is nothing to summarise; `hipocampus pending` lists what waits";
            return Err(Problem::new(what).hint(hint));
        }
        let must = self.must(&mut library, period, &source.text).map_err(failed)?;
        let facts = library.node_facts(period).ok().flatten();
        let node =
            facts.and_then(|_| library.node(period).ok()).unwrap_or_else(|| Vec::new().into());
        let text = facts.map_or(TextOwner::Ours, |facts| waiting::text_of(&facts, &node));
        let old = self.old(&mut library, period, facts, &node);
        let extract = self.extract(&mut library, period, &source.text);
        Ok(SummaryTask { period, source, must, extract, old, notes: self.notes(), text })
    }

    /// The extract of a day, where it is to be handed out in the place of its `log`.
    fn extract(&self, library: &mut Snapshot<'_>, period: Period, log: &str) -> Option<String> {
        let Period::Day(day) = period else { return None };
        if !handed::is_extract(self.project.config.summaries.source, count(log)) {
            return None;
        }
        let files = library.listing.logs.get(&day).cloned().unwrap_or_default();
        let lines = |file: &LogFile| {
            let lines = library.log(file).map_or(0, |bytes| handed::lines_of(&bytes));
            (layout::in_memory(&file.name), lines)
        };
        let files: Vec<_> = files.iter().map(lines).collect();
        let extract = handed::extract_of(period, log, &files);
        Some(self.redactor.text(&extract).into_owned())
    }

    /// The text of a summary that is there already, and what was added since.
    fn old(
        &self,
        library: &mut Snapshot<'_>,
        period: Period,
        facts: Option<NodeFacts>,
        node: &[u8],
    ) -> Option<(String, String)> {
        let facts = facts.filter(|facts| !facts.is_as_written() && !facts.damaged)?;
        let source = waiting::read(library, period, SummarySource::Log);
        let told = waiting::told(library, (period, facts, waiting::text_of(&facts, node)), &source);
        let body = lossy(Document::parse(node).body()).into_owned();
        let added = told.added.unwrap_or_default();
        let redacted = |text: &str| self.redactor.text(text).into_owned();
        Some((redacted(&body), redacted(&added)))
    }

    /// User and feedback topics of the logs of a period that its source names.
    fn must(
        &self,
        library: &mut Snapshot<'_>,
        period: Period,
        source: &str,
    ) -> io::Result<Vec<String>> {
        let within = |day: &NaiveDate| Period::Day(*day).lies_in(period);
        let files: Vec<_> = library.listing.logs.iter().filter(|(day, _)| within(day)).collect();
        let files: Vec<_> = files.into_iter().flat_map(|(_, files)| files.to_vec()).collect();
        let mut logs = Vec::new();
        for file in files {
            let log = library.take_log(&file)?;
            logs.push(lossy(&self.redactor.redact_owned(log)).into_owned());
        }
        Ok(verdict::must(logs.iter().map(String::as_str), source))
    }

    /// What was learnt about summarising this project, as far as it is taken.
    fn notes(&self) -> Option<String> {
        let folder = self.memory.folder();
        let (first, rest) = layout::NOTES_OF_COMPACTION.split_once('/')?;
        let (second, name) = rest.split_once('/')?;
        let inner = folder.folder(first).ok()??.folder(second).ok()??;
        let (bytes, _) = inner.read(name).ok()?;
        let text = lossy(Document::parse(&bytes).body()).into_owned();
        let lines: Vec<&str> = text.trim().lines().take(prompt::NOTES).collect();
        let text = self.redactor.text(&lines.join("\n")).into_owned();
        (!text.trim().is_empty()).then_some(text)
    }

    /// A text with neither secrets of its own nor those that are known from elsewhere.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let redact = Remembering::new(&self.redactor, || proven::load(self.memory.folder()));
        redact.text(text).into_owned()
    }

    /// Writes a summary that was checked, and all that follows from it. What it says of itself is looked up again.
    /// Fails when it cannot be written, or somebody wrote the node at the same moment.
    pub(crate) fn store(
        &self,
        alone: &Held,
        period: Period,
        text: &str,
        read: Option<u64>,
    ) -> Result<Updated, Problem> {
        let given = GivenSummary { text: text.to_owned(), read };
        let done = self.update(alone, BTreeMap::from([(period, given)]))?;
        let node = self.library()?.node(period).unwrap_or_else(|_| Vec::new().into());
        let document = Document::parse(&node);
        let stands =
            document.value(SUMMARY).is_some() && document.body().ends_with(text.as_bytes());
        if stands {
            return Ok(done);
        }
        let path = layout::node_path(period);
        Err(Problem::new(format!("`{path}` was written by somebody else at the same moment"))
            .hint("look at it, then run the command again; the summary was not stored"))
    }
}

/// The period that a word names: a day, week or month. Fails when it is not one.
pub(crate) fn period(word: &str) -> Result<Period, Problem> {
    Period::read(word).ok_or_else(|| {
        Problem::usage(format!("`{word}` is no day, week or month"))
            .hint("write it like `2026-03-15`, `2026-W11`, `2026-03`, or `root`")
    })
}
