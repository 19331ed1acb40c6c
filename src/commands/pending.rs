//! `hipocampus pending`: what waits for a summary, and the text for a model that writes it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::cli::PendingArgs;
use crate::disk::{Lock, Memory, Wait};
use crate::error::{Exit, Problem};
use crate::hooks::told;
use crate::layout;
use crate::meaning::page::owner::PageOwner;
use crate::memory::tokens;
use crate::project;
use crate::refresh::by_hand::take_lock;
use crate::summaries::by_model::{self, ROOT};
use crate::summaries::claim::Claim;
use crate::summaries::store::{self, SummaryStore};
use crate::summaries::waiting::{PendingNode, Reason};
use crate::terminal::{Paint, safe};
use crate::text::{counted, grouped};
use crate::world::World;

/// A row, with the text for a model where that was asked for.
#[derive(Serialize)]
struct PendingRow {
    #[serde(flatten)]
    waiting: Waiting,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
}

/// What waits: a node, or ROOT.md, which comes last.
#[derive(Serialize)]
#[serde(untagged)]
enum Waiting {
    Node(PendingNode),
    Root(PendingRoot),
}

#[derive(Serialize)]
struct PendingRoot {
    node: &'static str,
    reason: Reason,
    sources: Vec<String>,
    /// of the facts
    lines: usize,
    tokens: u32,
    edited: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<String>,
    /// how many nodes it is to be made from
    #[serde(skip)]
    nodes: usize,
}

impl Waiting {
    fn name(&self) -> String {
        match self {
            Self::Node(node) => node.period.to_string(),
            Self::Root(_) => ROOT.to_owned(),
        }
    }

    fn tokens(&self) -> u32 {
        match self {
            Self::Node(node) => node.tokens,
            Self::Root(root) => root.tokens,
        }
    }
}

pub(crate) fn run(args: &PendingArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let Some(memory) = Memory::open(&project.root)? else {
        return none(args, world);
    };
    let desk = SummaryStore::open(&project, &memory, world)?;
    let lock = lock(args, &memory, world.patience)?;
    if let Some(alone) = lock.held() {
        // Where it cannot be written, what is there is listed.
        let refreshed = desk.refresh(alone);
        if args.claim {
            refreshed?;
        }
    }
    if let Some(name) = args.node.as_deref() {
        return named(args, name, &desk, &lock, world);
    }
    let most = args.limit.unwrap_or(if args.prompt || args.claim { 1 } else { usize::MAX });
    let rows = rows(args, &desk, most)?;
    if args.claim && !rows.is_empty() {
        claim(&rows, &desk, &lock, world)?;
    }
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        return none(args, world);
    }
    if args.prompt {
        for row in &rows {
            let text = row.prompt.as_deref().unwrap_or_default();
            write!(world.out, "{text}")?;
            how(&row.waiting.name(), world)?;
        }
        return Ok(Exit::Done);
    }
    table(&rows, &desk, world)
}

/// The lock: for a claim it has to be had, for a list it is enough to ask.
fn lock(args: &PendingArgs, memory: &Memory, patience: Duration) -> Result<Lock, Problem> {
    if args.claim {
        take_lock(memory.folder(), patience)
    } else {
        Ok(memory.folder().lock(layout::LOCK, Wait::SessionEnd))
    }
}

fn none(args: &PendingArgs, world: &mut World) -> Result<Exit> {
    let said = if args.json { "[]" } else { "nothing waits for a summary" };
    writeln!(world.out, "{said}")?;
    Ok(Exit::Done)
}

/// What is listed; where it is handed out, without what others work on and what somebody edited.
fn rows(
    args: &PendingArgs,
    desk: &SummaryStore<'_>,
    most: usize,
) -> Result<Vec<PendingRow>, Problem> {
    let hands_out = args.prompt || args.claim;
    let mut rows = Vec::new();
    let list = desk.list(usize::MAX)?;
    let nothing_else = list.offered.is_empty() && list.later == 0;
    for waiting in list.offered {
        if rows.len() == most {
            break;
        }
        if hands_out && (waiting.claimed.is_some() || waiting.edited) {
            continue;
        }
        let prompt = args.prompt.then(|| desk.task(waiting.period)).transpose()?;
        let waiting = Waiting::Node(waiting);
        rows.push(PendingRow { waiting, prompt: prompt.map(|task| task.prompt()) });
    }
    // ROOT.md comes last: it is made of what all others say.
    if nothing_else
        && most > 0
        && let Some(task) = by_model::root_offered(desk)?
    {
        let claims = desk.claims()?;
        let claimed = claims.iter().find(|claim| claim.node == ROOT).map(Claim::told);
        if !(hands_out && claimed.is_some()) {
            let waiting = Waiting::Root(PendingRoot {
                node: ROOT,
                reason: match task.owner {
                    PageOwner::Model(_) => Reason::Stale,
                    _ => Reason::New,
                },
                sources: vec![layout::root_path()],
                lines: task.facts.text.lines().count(),
                tokens: tokens::count(&task.facts.text),
                edited: false,
                claimed,
                nodes: task.facts.nodes,
            });
            rows.push(PendingRow { waiting, prompt: args.prompt.then_some(task.prompt) });
        }
    }
    Ok(rows)
}

fn named(
    args: &PendingArgs,
    name: &str,
    desk: &SummaryStore<'_>,
    lock: &Lock,
    world: &mut World,
) -> Result<Exit> {
    let (text, read) = if name == ROOT {
        let Some(task) = by_model::root_task(desk)? else {
            let what = "nothing is new since ROOT.md was written";
            return Err(Problem::new(what)
                .hint("it stays as it is; what is said today counts tomorrow")
                .into());
        };
        (task.prompt, None)
    } else {
        let task = desk.task(store::period(name)?)?;
        (task.prompt(), Some(task.source.read))
    };
    if args.claim {
        let alone = lock.held_or("nothing was claimed")?;
        let who = who(world);
        let claims = desk.claims()?;
        if let Some(other) = claims.iter().find(|claim| claim.node == name && claim.by != who) {
            let what = format!("{name} is taken by {}", safe(&other.told()));
            return Err(Problem::new(what)
                .hint("`hipocampus pending --claim --prompt` hands out another one; nothing was claimed")
                .into());
        }
        desk.claim(alone, &[(name.to_owned(), read)], &who, true)?;
    }
    if args.json {
        let row = serde_json::json!([{ "node": name, "prompt": text }]);
        writeln!(world.out, "{}", serde_json::to_string_pretty(&row)?)?;
        return Ok(Exit::Done);
    }
    write!(world.out, "{text}")?;
    how(name, world)?;
    Ok(Exit::Done)
}

/// Where the answer goes.
fn how(name: &str, world: &mut World) -> Result<()> {
    writeln!(world.out, "\nPipe it into: hipocampus summarize {name} -")?;
    Ok(())
}

fn claim(rows: &[PendingRow], desk: &SummaryStore<'_>, lock: &Lock, world: &World) -> Result<()> {
    let alone = lock.held_or("nothing was claimed")?;
    let mut nodes = Vec::new();
    for row in rows {
        let read = match &row.waiting {
            Waiting::Node(node) => Some(desk.task(node.period)?.source.read),
            Waiting::Root(_) => None,
        };
        nodes.push((row.waiting.name(), read));
    }
    desk.claim(alone, &nodes, &who(world), true)?;
    Ok(())
}

/// Who claims: the session, where the client tells.
fn who(world: &World) -> String {
    match told::session(world) {
        Some(session) => format!("session {}", safe(session).chars().take(80).collect::<String>()),
        None => "a session".to_owned(),
    }
}

fn table(rows: &[PendingRow], desk: &SummaryStore<'_>, world: &mut World) -> Result<Exit> {
    let paint = Paint::of(world);
    let mut sum = 0;
    for PendingRow { waiting, .. } in rows {
        sum += u64::from(waiting.tokens());
        let waiting = match waiting {
            Waiting::Node(node) => node,
            Waiting::Root(root) => {
                of_root(root, world)?;
                continue;
            }
        };
        let reason = match waiting.reason {
            Reason::New => "new  ",
            Reason::Stale => "stale",
        };
        let name = waiting.period.to_string();
        let lines = counted(waiting.lines, "line");
        let tokens = grouped(u64::from(waiting.tokens));
        let mut line = format!("{name:<10}  {reason}  {lines}, about {tokens} tokens");
        if let Some(added) = &waiting.added {
            let _ = write!(line, "; added: {added}");
        }
        if waiting.edited {
            let _ = write!(line, "; somebody edited it: only `summarize {name}` replaces it");
        }
        if let Some(claimed) = &waiting.claimed {
            let _ = write!(line, "; taken by {claimed}");
        }
        writeln!(world.out, "{}", safe(&line))?;
        let sources = shown(&waiting.sources);
        writeln!(world.out, "            {}", paint.dim(&safe(&sources)))?;
    }
    let later = desk.list(rows.len())?.later;
    let after = if later > 0 { format!(", {later} more after these") } else { String::new() };
    let nodes = counted(rows.len(), "node");
    writeln!(world.out, "{nodes}, about {} tokens to read{after}", grouped(sum))?;
    Ok(Exit::Done)
}

fn of_root(root: &PendingRoot, world: &mut World) -> Result<()> {
    let reason = match root.reason {
        Reason::New => "new  ",
        Reason::Stale => "stale",
    };
    let facts = counted(root.nodes, "node");
    let tokens = grouped(u64::from(root.tokens));
    let mut line = format!("{ROOT:<10}  {reason}  the facts of {facts}, about {tokens} tokens");
    if let Some(claimed) = &root.claimed {
        let _ = write!(line, "; taken by {claimed}");
    }
    writeln!(world.out, "{}", safe(&line))?;
    Ok(())
}

fn shown(sources: &[String]) -> String {
    match sources {
        [first, .., last] if sources.len() > 3 => format!("{first} … {last}"),
        sources => sources.join(", "),
    }
}
