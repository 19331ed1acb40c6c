//! `hipocampus summarize`: takes in a summary, or has a command write those that wait.

use std::io::Read as _;
use std::path::Path;

use anyhow::Result;

use super::day;
use crate::cli::SummarizeArgs;
use crate::config::SummaryWriter;
use crate::detached;
use crate::disk::{self, Memory};
use crate::error::{Exit, Problem};
use crate::hooks::{log as hook_log, off};
use crate::memory::tokens::count;
use crate::project::{self, Project};
use crate::refresh::by_hand::take_lock;
use crate::setup::past_summaries;
use crate::summaries::background::{BACKGROUND, BackgroundRun};
use crate::summaries::by_model::{self, ROOT};
use crate::summaries::estimate;
use crate::summaries::permission;
use crate::summaries::run::{Run, RunOptions};
use crate::summaries::store::{self, SummaryStore};
use crate::summarizer;
use crate::terminal::{answer, is_yes, safe};
use crate::text::{counted, grouped};
use crate::world::World;

pub(crate) fn run(args: &SummarizeArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let mut project = project::find(&project::start(world, dir, None)?)?;
    if let Some(first) = args.since.as_deref().map(day).transpose()? {
        past_summaries::wait_from(world, &project.root, first)?;
        project = project::open(&project.root)?;
        let has_command = args.exec.is_some() || project.config.summarizer.command.is_some();
        if !has_command && project.config.summaries.writer() == SummaryWriter::Agent {
            writeln!(world.out, "{}", past_summaries::offered_from(first))?;
            return Ok(Exit::Done);
        }
    }
    if args.allow {
        return allow(&project, world);
    }
    let Some(memory) = Memory::open(&project.root)? else {
        writeln!(world.out, "nothing waits for a summary: there is no memory yet")?;
        return Ok(Exit::Done);
    };
    if args.background {
        return in_background(args, &project, &memory, world);
    }
    let desk = SummaryStore::open(&project, &memory, world)?;
    let Some(node) = args.node.as_deref() else {
        return all(args, &project, &desk, world);
    };
    let text = text(args, world)?;
    if node == ROOT {
        return by_model::store_root(&desk, &text, world);
    }
    by_model::store(&desk, store::period(node)?, &text, args.replace, world)
}

/// The summary that is handed in.
fn text(args: &SummarizeArgs, world: &mut World) -> Result<String> {
    let bytes = match args.file.as_deref() {
        None | Some("-") => {
            let mut bytes = Vec::new();
            if let Some(stdin) = world.stdin.take() {
                stdin.take(store::LIMIT + 1).read_to_end(&mut bytes)?;
            }
            bytes
        }
        Some(file) => {
            let path = world.cwd.join(file);
            let read = disk::read_users_file(&path)?;
            read.ok_or_else(|| {
                Problem::new(format!("there is no file `{}`", path.display()))
                    .hint("give a file, or `-` to read stdin; nothing was changed")
            })?
        }
    };
    if bytes.len() as u64 > store::LIMIT {
        let what = format!("more than {} came", counted(store::LIMIT, "byte"));
        return Err(Problem::new(what).hint("a summary is shorter; nothing was changed").into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Lets the command of the configuration run for this project.
fn allow(project: &Project, world: &mut World) -> Result<Exit> {
    let summarizer = &project.config.summarizer;
    let Some(command) = summarizer.command.as_deref() else {
        return Err(Problem::new("the configuration names no summarizer")
            .hint("write `\"summarizer\": {\"command\": \"claude -p --tools ''\"}` into `hipocampus.config.json` first")
            .into());
    };
    let most = summarizer.tokens_a_day();
    let by_hooks = project.config.summaries.writer() == SummaryWriter::Background;
    let file = permission::allow(world, &project.root, command, most, by_hooks)?;
    let how = if by_hooks { ", also in the background" } else { "" };
    writeln!(world.out, "allowed in `{}`{how}: `{}`", project.root.display(), safe(command))?;
    writeln!(
        world.out,
        "at most {} tokens a day; noted down in `{}`; another command has to be allowed anew",
        grouped(most),
        file.display()
    )?;
    Ok(Exit::Done)
}

/// Has a command write what waits.
fn all(
    args: &SummarizeArgs,
    project: &Project,
    desk: &SummaryStore<'_>,
    world: &mut World,
) -> Result<Exit> {
    if world.var(summarizer::SIGN).is_some() {
        return Err(Problem::new("a summarizer cannot start another one")
            .hint("nothing was changed")
            .into());
    }
    let (command, per_day) = command(args, project, world)?;
    let lock = take_lock(desk.memory.folder(), world.patience)?;
    if let Some(alone) = lock.held() {
        desk.refresh(alone)?;
    }
    drop(lock);
    let list = desk.list(usize::MAX)?;
    let free: Vec<_> = list
        .offered
        .iter()
        .filter(|waiting| !waiting.edited && waiting.claimed.is_none())
        .map(|waiting| (waiting.period.level(), waiting.tokens))
        .take(args.limit.unwrap_or(usize::MAX))
        .collect();
    let nothing_else = list.offered.is_empty() && list.later == 0;
    let root = if nothing_else { by_model::root_offered(desk)? } else { None };
    let is_taken = || Ok::<_, Problem>(desk.claims()?.iter().any(|claim| claim.node == ROOT));
    if free.is_empty() && (root.is_none() || is_taken()?) {
        writeln!(world.out, "nothing waits for a summary that nobody works on")?;
        return Ok(Exit::Done);
    }
    let (mut input, mut output) = estimate::estimate(&free);
    let what = if let Some(root) = root {
        input += u64::from(count(&root.prompt));
        output += u64::from(desk.project.root_cap());
        "ROOT.md".to_owned()
    } else {
        counted(free.len(), "summary").replace("summarys", "summaries")
    };
    let left = estimate::left(desk, per_day, desk.today())?;
    writeln!(
        world.err,
        "{}: about {} tokens in and {} out, in calls of `{}`; {} of {} a day are left",
        what,
        grouped(input),
        grouped(output),
        safe(&command),
        grouped(left),
        grouped(per_day)
    )?;
    if list.later > 0 {
        writeln!(world.err, "weeks and months that wait for these follow: {} more", list.later)?;
    }
    if !free.is_empty() && args.limit.is_none() {
        writeln!(world.err, "ROOT.md follows when nothing else waits")?;
    }
    if !args.yes {
        confirm(world)?;
    }
    let wish = RunOptions { command: &command, most: args.limit, per_day, until: None };
    Ok(Run::new(desk, wish).work(world)?.exit)
}

/// Does the same as a run that hooks started: with nobody to ask or to tell, at most once at a time, and only by the command
/// that this user allowed.
fn in_background(
    args: &SummarizeArgs,
    project: &Project,
    memory: &Memory,
    world: &mut World,
) -> Result<Exit> {
    if world.var(summarizer::SIGN).is_some() || off::is_set(world) {
        return Ok(Exit::Done);
    }
    let (command, per_day) = command(args, project, world)?;
    let limit = args.limit.map(|most| format!("--limit={most}"));
    let tokens = args.max_tokens_per_day.map(|most| format!("--max-tokens-per-day={most}"));
    let limits = limit.iter().chain(&tokens).map(String::as_str);
    let again: Vec<&str> = BACKGROUND.into_iter().chain(limits).collect();
    if !detached::let_go(world, &project.root, &again) {
        return Ok(Exit::Done);
    }
    let desk = SummaryStore::open(project, memory, world)?;
    let lock = take_lock(memory.folder(), world.patience)?;
    lock.held_or("nothing was changed")?;
    let Some(run) = BackgroundRun::begin(memory, desk.now())? else { return Ok(Exit::Done) };
    drop(lock);
    let until = run.until();
    let wish = RunOptions { command: &command, most: args.limit, per_day, until };
    let ended = Run::new(&desk, wish).work(world);
    let exit = ended.as_ref().map_or(Exit::Problem, |end| end.exit);
    let ended = ended.map_err(|error| Problem::new(format!("{error:#}")));
    let lock = take_lock(memory.folder(), world.patience)?;
    let told = run.end(memory, desk.now(), ended)?;
    drop(lock);
    hook_log::tell(world, Some(memory.folder()), desk.now(), told.as_slice(), desk.redactor());
    Ok(exit)
}

/// The command that is to run, and what it may spend on a day.
fn command(
    args: &SummarizeArgs,
    project: &Project,
    world: &World,
) -> Result<(String, u64), Problem> {
    let summarizer = &project.config.summarizer;
    let asked = args.max_tokens_per_day;
    if let Some(command) = &args.exec {
        return Ok((command.clone(), asked.unwrap_or_else(|| summarizer.tokens_a_day())));
    }
    let Some(command) = summarizer.command.as_deref() else {
        return Err(Problem::new("there is no summarizer, and none runs unasked")
            .hint("`hipocampus summarize --exec 'claude -p --tools \"\"'` runs one; `hipocampus pending` lists what waits"));
    };
    let allowed = permission::of(world, &project.root, command);
    let Some(allowed) = allowed.filter(|it| it.background || !args.background) else {
        let what = format!(
            "`hipocampus.config.json` names the summarizer `{command}`, and you have not allowed it for this folder{}",
            if args.background { ", in the background" } else { "" }
        );
        return Err(Problem::new(what)
            .hint("`hipocampus summarize --allow` allows this very command; nothing was run"));
    };
    // What a pull raises is not what was allowed.
    let most = summarizer.tokens_a_day().min(allowed.max_tokens_per_day);
    Ok((command.to_owned(), asked.unwrap_or(most)))
}

/// Asks once, where somebody can answer; anything but `y` and `yes` means no.
fn confirm(world: &mut World) -> Result<(), Problem> {
    if !world.in_is_terminal {
        return Err(Problem::usage("nobody is there to say whether these tokens shall be spent")
            .hint("add `--yes` to spend them; nothing was run"));
    }
    if is_yes(&answer(world, "go on? [y/N] ")) {
        return Ok(());
    }
    Err(Problem::new("not confirmed; nothing was run")
        .hint("answer `y`, or narrow it down with `--limit`"))
}
