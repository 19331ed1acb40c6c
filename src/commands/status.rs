//! `hipocampus status`: whether all is well, what was saved, what needs doing; on one screen.

use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, FixedOffset};

use crate::cli::StatusArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::hooks::fired::{self, Fired};
use crate::hooks::log as hook_log;
use crate::hooks::{in_force, told};
use crate::import::by_hand;
use crate::import::receipt::{self, Calls};
use crate::import::unread_lines;
use crate::memory::due::Due;
use crate::platform::{self, HookEvent};
use crate::progress;
use crate::project::{self, Project};
use crate::refresh::due;
use crate::status_report::ProjectState;
use crate::status_report::receipt::Receipt;
use crate::status_report::{self, details, screen, silence};
use crate::terminal::{Paint, safe};
use crate::world::World;

pub(crate) fn run(args: &StatusArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let start = project::start(world, dir, None)?;
    let now = world.now()?;
    if args.due {
        return answer(args, &project::find(&start)?, world, now);
    }
    if args.receipt {
        return receipt(args, &project::find(&start)?, world, now);
    }
    let place = project::place(&start).ok_or_else(|| project::none_at(&start))?;
    let (project, broken) = in_force::or_bare(place);
    let report = status_report::look(world, &project, broken.as_ref(), now)?;
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        let paint = Paint::of(world);
        let mut text = screen::render(&report, paint);
        if args.all {
            text.push('\n');
            text.push_str(&details::render(&report, paint));
        }
        world.out.write_all(text.as_bytes())?;
    }
    // What depends on the configuration was not looked at: that is an error, as it is of every command.
    if let Some(problem) = broken {
        return Err(problem.into());
    }
    let problem = report.state == ProjectState::NotHealthy;
    Ok(if problem { Exit::Problem } else { Exit::Done })
}

/// Compares the sessions that agents still have with the memory.
fn receipt(
    args: &StatusArgs,
    project: &Project,
    world: &mut World,
    now: DateTime<FixedOffset>,
) -> Result<Exit> {
    let memory = Memory::open(&project.root)?;
    let fired = memory.as_ref().map(|memory| fired::all(memory.folder())).unwrap_or_default();
    let silences = memory.as_ref().map(|memory| silence::now(world, project, memory, &fired));
    let silent: Vec<_> = silences.into_iter().flatten().map(|silence| silence.agent).collect();
    // Cursor spells it in its own way.
    let is_start = |fired: &&Fired| fired.event.eq_ignore_ascii_case(HookEvent::START.event);
    let starts = fired.iter().filter(is_start);
    let caught_up = starts.filter_map(|fired| fired.at.timestamp_nanos_opt()).max();
    let calls = Calls { caught_up, silent: &silent };
    let (sessions, passed_over) = receipt::take(project, world, &calls)?;
    progress::clear();
    let receipt = Receipt::new(sessions, passed_over, now);
    if let Some(memory) = &memory {
        receipt.keep(memory.folder());
    }
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&receipt)?)?;
    } else {
        write!(world.out, "{}", receipt.render())?;
    }
    by_hand::tell(&receipt.passed_over, world)?;
    for session in &receipt.sessions {
        for words in &session.lost {
            let day = session.day.map(|day| day.to_string()).unwrap_or_default();
            let line = format!("{day}, session {}: missing: {words}", session.session);
            writeln!(world.err, "note: {}", safe(&line))?;
        }
        let (what, why) = match &session.problem {
            Some(why) => ("error", why.clone()),
            None if session.unreadable > 0 => ("note", unread_lines(session.unreadable)),
            None => continue,
        };
        let line = format!("session {} of {}: {why}", session.session, session.agent);
        writeln!(world.err, "{what}: {}", safe(&line))?;
    }
    receipt.problem().map_or(Ok(Exit::Done), |problem| Err(problem.into()))
}

/// Whether a model should summarise now.
fn answer(
    args: &StatusArgs,
    project: &Project,
    world: &mut World,
    now: DateTime<FixedOffset>,
) -> Result<Exit> {
    let memory = Memory::open(&project.root)?;
    let answer = match &memory {
        Some(memory) => {
            let answer = due::ask(project, memory, now)?;
            let price = answer.due.then(|| due::price(project, memory, now));
            let price = price.map(|price| format!("; {price}")).unwrap_or_default();
            Due { reason: answer.reason + &price, ..answer }
        }
        None => Due { due: false, reason: "there is no memory yet".to_owned() },
    };
    let verdict = if answer.due { "due" } else { "not due" };
    if args.json {
        let answer = serde_json::json!({"due": answer.due, "reason": answer.reason});
        writeln!(world.out, "{answer:#}")?;
    } else {
        writeln!(world.out, "{verdict}: {}", answer.reason)?;
    }
    if let Some(memory) = &memory {
        // A session that was answered so has heard of it: `flush` need not say it again.
        if let Some(session) = told::session(world).filter(|_| answer.due) {
            told::is_news(memory.folder(), Some(session), now);
        }
        tell_problems(project, memory, world, now)?;
    }
    Ok(Exit::Done)
}

/// This question is the first thing an agent runs in a session. It is told, once, that its client does not call any
/// more; and where no client has a hook at the start of a session, what went wrong in hooks.
fn tell_problems(
    project: &Project,
    memory: &Memory,
    world: &mut World,
    now: DateTime<FixedOffset>,
) -> Result<()> {
    let folder = memory.folder();
    let silences = silence::for_agents(world, project, memory);
    let redactor = project.redactor()?;
    hook_log::tell(world, Some(folder), now, &silences, &redactor);
    let platforms = project.config.platforms();
    let has_start = |id: &String| {
        platform::by_id(id).is_none_or(|row| row.hooks.is_some() && !row.starts_unheard())
    };
    if platforms.is_empty() || platforms.iter().any(has_start) {
        return Ok(());
    }
    for line in hook_log::take_unseen(world, folder, now) {
        if !silences.iter().any(|silence| line.ends_with(&**silence)) {
            writeln!(world.err, "hipocampus: {line}")?;
        }
    }
    Ok(())
}
