//! Takes in one summary, as `hipocampus summarize PERIOD` and `summarize root` do.

use anyhow::Result;
use chrono::NaiveDate;

use super::root_md::{
    self, Demands, NewFacts, RootPrompt, SavedRule, is_summarised, new_facts, saved_rules,
};
use super::store::SummaryStore;
use super::verdict;
use super::waiting::TextOwner;
use crate::capture::Redact as _;
use crate::disk::{self, Held};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::meaning::page::owner::{PageOwner, owner, written};
use crate::meaning::page::plan_root;
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;
use crate::memory::tokens::count;
use crate::plan::{Change, Plan, Step, hash};
use crate::refresh::Updated;
use crate::refresh::by_hand::{search, take_lock, tell_problems};
use crate::refresh::index;
use crate::text::{counted, lossy};
use crate::world::World;

/// Stores a summary of a period. Fails with what to repair, when it will not do; then nothing was changed.
pub(crate) fn store(
    desk: &SummaryStore<'_>,
    period: Period,
    text: &str,
    replace: bool,
    world: &mut World,
) -> Result<Exit> {
    let lock = take_lock(desk.memory.folder(), desk.patience)?;
    let alone = lock.held_or("nothing was changed")?;
    desk.refresh(alone)?;
    let task = desk.task(period)?;
    let name = period.to_string();
    if task.text == TextOwner::Edited && !replace {
        let path = layout::node_path(period);
        let what = format!("somebody edited the text of `{path}`");
        let hint = format!(
            "`hipocampus summarize {period} --replace` puts yours in its place; nothing was changed"
        );
        return Err(Problem::new(what).hint(hint).into());
    }
    let (must, source) = (&task.must, &task.source.text);
    let accepted = verdict::check(&desk.redacted(text), period, must, source, &task.prompt())
        .map_err(|wrong| refused(&name, &wrong))?;
    let claims = desk.claims()?;
    let read = claims.iter().find(|claim| claim.node == name).and_then(|claim| claim.read);
    let done = desk.store(alone, period, &accepted.text, read)?;
    desk.release(alone, &name, None)?;
    search(desk.project, world, &done, false);
    tell_problems(world, &done);
    for cleaned in &accepted.cleaned {
        writeln!(world.err, "note: left out {cleaned}")?;
    }
    let lines = counted(accepted.text.lines().count(), "line");
    let levels = done.levels().join(", ");
    writeln!(
        world.out,
        "hipocampus summarize: {period} stored, {lines} for {}; {levels}",
        task.source.lines
    )?;
    Ok(Exit::Done)
}

fn refused(name: &str, wrong: &[String]) -> Problem {
    Problem::new(format!("the summary of {name} was refused: {}", wrong.join("; ")))
        .hint("correct that and hand it in again; nothing was changed")
}

/// What ROOT.md is called among the nodes.
pub(crate) const ROOT: &str = "root";

/// ROOT.md, as far as a model is to write it.
#[derive(Debug)]
pub(crate) struct RootTask {
    /// the whole text for a model
    pub(crate) prompt: String,
    /// what is new since the page was written
    pub(crate) facts: NewFacts,
    /// the rules that the page has to name
    pub(crate) must: Vec<SavedRule>,
    /// who wrote the page that was handed out with it
    pub(crate) owner: PageOwner,
}

/// What a model is to write ROOT.md from; `None` where nothing is new.
///
/// # Errors
/// When the memory cannot be read.
pub(crate) fn root_task(desk: &SummaryStore<'_>) -> Result<Option<RootTask>, Problem> {
    let facts = index::open(desk.memory, false);
    let (file, page) = root_now(desk)?;
    let whose = owner(&file);
    let since = if let PageOwner::Model(day) = whose { Some(day) } else { None };
    let today = desk.today();
    let Some(new) = new_facts(&facts, since, today) else { return Ok(None) };
    let redacted = |text: &str| desk.redactor().text(text).into_owned();
    let must = saved_rules(&facts, today);
    let prompt = root_md::prompt(&RootPrompt {
        page: &redacted(&page),
        facts: &redacted(&new.text),
        left: new.left,
        must: &must,
        cap: desk.project.root_cap(),
        today,
    });
    Ok(Some(RootTask { prompt, facts: new, must, owner: whose }))
}

/// The same where it is worth offering: the page is a model's already, or somebody has written a node of the memory.
///
/// # Errors
/// When the memory cannot be read.
pub(crate) fn root_offered(desk: &SummaryStore<'_>) -> Result<Option<RootTask>, Problem> {
    let Some(task) = root_task(desk)? else { return Ok(None) };
    let offered = match task.owner {
        PageOwner::Model(_) => true,
        PageOwner::Person(_) => false,
        PageOwner::Program => is_summarised(&index::open(desk.memory, false)),
    };
    Ok(offered.then_some(task))
}

/// Whether nobody has written a page since a task was handed out, but the program.
///
/// # Errors
/// When the memory cannot be read.
pub(crate) fn is_as_read(desk: &SummaryStore<'_>, task: &RootTask) -> Result<bool, Problem> {
    Ok(owner(&root_now(desk)?.0) == task.owner)
}

/// ROOT.md as it stands, and its body.
fn root_now(desk: &SummaryStore<'_>) -> Result<(Vec<u8>, String), Problem> {
    let bytes = desk.memory.file(layout::ROOT)?.unwrap_or_default();
    let body = lossy(Document::parse(&bytes).body()).into_owned();
    Ok((bytes, body))
}

/// Whether a page will do. Fails with what to repair.
pub(crate) fn check_root(
    desk: &SummaryStore<'_>,
    text: &str,
    must: &[SavedRule],
) -> Result<Result<root_md::AcceptedPage, Vec<String>>, Problem> {
    let listing = desk.memory.names()?.sort();
    let has_day = |day: NaiveDate| {
        listing.logs.contains_key(&day) || listing.nodes.contains_key(&Period::Day(day))
    };
    let demands = Demands { cap: desk.project.root_cap(), must, has_day: &has_day };
    Ok(root_md::check(&desk.redacted(text), &demands))
}

/// Stores a ROOT.md that a model wrote. From then on it is the model's, until the next one. Fails with what to repair,
/// when it will not do; then nothing was changed.
pub(crate) fn store_root(desk: &SummaryStore<'_>, text: &str, world: &mut World) -> Result<Exit> {
    let lock = take_lock(desk.memory.folder(), desk.patience)?;
    let alone = lock.held_or("nothing was changed")?;
    desk.refresh(alone)?;
    let must = saved_rules(&index::open(desk.memory, false), desk.today());
    let accepted = check_root(desk, text, &must)?.map_err(|wrong| refused("ROOT.md", &wrong))?;
    let until = root_task(desk)?.map_or(desk.today(), |task| task.facts.until);
    let done = put_root(desk, alone, &accepted.body, until)?;
    desk.release(alone, ROOT, None)?;
    search(desk.project, world, &done, false);
    tell_problems(world, &done);
    for remark in &accepted.remarks {
        writeln!(world.err, "note: {remark}")?;
    }
    let tokens = count(&accepted.body);
    let left = root_task(desk)?.map_or(0, |task| task.facts.nodes + task.facts.left);
    let more = if left > 0 {
        format!("; facts of {} come next: `hipocampus pending root`", counted(left, "node"))
    } else {
        String::new()
    };
    writeln!(world.out, "hipocampus summarize: ROOT.md stored, {tokens} tokens{more}")?;
    Ok(Exit::Done)
}

/// Writes a page that was checked. `until` is the last day of the facts that were handed out with it.
///
/// # Errors
/// When it cannot be written, or somebody wrote ROOT.md at the same moment.
pub(crate) fn put_root(
    desk: &SummaryStore<'_>,
    alone: &Held,
    body: &str,
    until: NaiveDate,
) -> Result<Updated, Problem> {
    let today = desk.today();
    let (before, _) = root_now(desk)?;
    let file = written(&before, body, PageOwner::Model(until), today, "");
    let planned =
        plan_root(Some(&file), &index::open(desk.memory, false), today, desk.project.root_cap());
    let mut plan = Plan::default();
    if matches!(owner(&before), PageOwner::Person(_)) && !before.is_empty() {
        let copy = layout::root_copy(hash(&before));
        let step = Step::new(copy, Change::Create(before.clone()), "the text that was there");
        plan.steps.push(step.private(true).synced());
    }
    let change = if before.is_empty() {
        Change::Create(planned.bytes)
    } else {
        Change::Replace { was: hash(&before), with: planned.bytes }
    };
    let private = !desk.project.config.share;
    let step = Step::to_users_file(layout::root_path(), change, "a model wrote it");
    plan.steps.push(step.private(private));
    let applied = disk::apply(&desk.project.root, &plan);
    if let Some(failure) = applied.failure {
        return Err(failure);
    }
    if let Some(skipped) = applied.skipped.first() {
        return Err(Problem::new(skipped.to_string())
            .hint("run the command again; the text was not stored"));
    }
    desk.refresh(alone)
}
