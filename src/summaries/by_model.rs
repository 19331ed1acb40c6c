//! Takes in one summary, as `hipocampus summarize PERIOD` and `summarize root` do.

use anyhow::Result;

use super::store::SummaryStore;
use super::waiting::TextOwner;
use super::{prompt, root_md, verdict};
use crate::capture::Redact as _;
use crate::disk;
use crate::error::{Exit, Problem};
use crate::layout;
use crate::memory::frontmatter::Document;
use crate::memory::period::{Level, Period};
use crate::memory::root::{is_machines, plan_root};
use crate::memory::tokens::count;
use crate::plan::{Change, Plan, Step, hash};
use crate::refresh::by_hand::{search, take_lock, tell_problems};
use crate::refresh::index;
use crate::text::{counted, lossy};
use crate::world::World;

/// Stores a summary of a period. Fails with what to mend, when it will not do; then nothing was changed.
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
    let accepted = verdict::check(&desk.redacted(text), period, &task.must, &task.source.text)
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
        .hint("mend that and hand it in again; nothing was changed")
}

/// The text for a model that writes ROOT.md.
pub(crate) fn prompt_of_root(desk: &SummaryStore<'_>) -> Result<String, Problem> {
    let (_, now) = root_now(desk)?;
    let cap = desk.project.root_cap();
    let redacted = |text: &str| desk.redactor().text(text).into_owned();
    Ok(root_md::prompt(&redacted(&now), &redacted(&newest(desk)?), cap))
}

/// The newest nodes, as many as one prompt holds: months first, and below them what does not stand in them as it is.
fn newest(desk: &SummaryStore<'_>) -> Result<String, Problem> {
    let listing = desk.memory.names()?.sort();
    let mut out = String::new();
    for (level, most) in [(Level::Monthly, 2), (Level::Weekly, 3), (Level::Daily, 7)] {
        let nodes = listing.nodes.keys().rev().filter(|period| period.level() == level);
        for period in nodes.take(most) {
            let Ok((bytes, _)) = crate::memory::snapshot::MemoryReader::node(desk.memory, *period)
            else {
                continue;
            };
            let body = lossy(Document::parse(&bytes).body());
            if out.contains(body.trim()) {
                continue;
            }
            let text = format!("# {period}\n\n{body}\n");
            if count(&out).saturating_add(count(&text)) < prompt::PART {
                out.push_str(&text);
            }
        }
    }
    Ok(out)
}

/// ROOT.md as it stands, and its body.
fn root_now(desk: &SummaryStore<'_>) -> Result<(Vec<u8>, String), Problem> {
    let bytes = desk.memory.file(layout::ROOT)?.unwrap_or_default();
    let body = lossy(Document::parse(&bytes).body()).into_owned();
    Ok((bytes, body))
}

/// Stores a ROOT.md that a model wrote. From then on it is the model's; lines that stand as the machine wrote them stay
/// the machine's. Fails with what to mend, when it will not do; then nothing was changed.
pub(crate) fn store_root(desk: &SummaryStore<'_>, text: &str, world: &mut World) -> Result<Exit> {
    let lock = take_lock(desk.memory.folder(), desk.patience)?;
    let alone = lock.held_or("nothing was changed")?;
    desk.refresh(alone)?;
    let (before, now) = root_now(desk)?;
    let cap = desk.project.root_cap();
    let body = root_md::check(&desk.redacted(text), &now, cap)
        .map_err(|wrong| refused("ROOT.md", &wrong))?;
    let old = Document::parse(&before);
    let head = if old.has_head() {
        old.above_body()
    } else {
        b"---\ntype: root\nstatus: tentative\n---\n\n"
    };
    let mut file =
        Document::parse(head).with("author", "agent", &["type", "status", "last-updated"]);
    file.extend_from_slice(body.as_bytes());
    let index = index::open(desk.memory, false);
    let planned = plan_root(Some(&file), &index.cache, desk.today(), cap);
    if planned.standing.over > 0 {
        let over = counted(planned.standing.over, "token");
        let wrong = [format!("with its head it is {over} over `compaction.rootMaxTokens` ({cap})")];
        return Err(refused("ROOT.md", &wrong).into());
    }
    let mut plan = Plan::default();
    if !before.is_empty() && !is_machines(&before) {
        // It may be a person's.
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
        return Err(failure.into());
    }
    if let Some(skipped) = applied.skipped.first() {
        return Err(Problem::new(skipped.to_string())
            .hint("run the command again; the text was not stored")
            .into());
    }
    desk.release(alone, "root", None)?;
    let done = desk.refresh(alone)?;
    search(desk.project, world, &done, false);
    tell_problems(world, &done);
    writeln!(world.out, "hipocampus summarize: ROOT.md stored, {} tokens", count(&body))?;
    Ok(Exit::Done)
}
