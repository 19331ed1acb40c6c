//! What `init`, `update` and `uninstall` share: finding the project, printing a plan, carrying it out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use similar::TextDiff;

use super::{plugin, program};
use crate::disk::{Folder, Lock, Wait};
use crate::install::{IGNORE, InstallPlan, Refused, Scan};
use crate::layout::{CONFIG, LOCK, MEMORY, TENANTS};
use crate::plan::{Change, Note, Step};
use crate::platform::{self, OPENCLAW_PLUGIN, Platform};
use crate::project::{self, Location, StartFolder, is_project};
use crate::splice::command::quote;
use crate::terminal::safe;
use crate::{Exit, Problem, Talk, World, disk};

/// The folder a command was called for. Fails when it is not a folder.
pub(crate) fn start(world: &World, dir: Option<&Path>) -> Result<StartFolder, Problem> {
    let start = project::start(world, dir, None)?;
    let hint = "name one that exists with `-C`; nothing was changed";
    let folder = project::folder(start.to_path_buf(), hint)?;
    Ok(start.at(disk::real_path(&folder)))
}

/// The nearest project at or above a folder; for a tenant, the project it belongs to.
pub(crate) fn nearest(start: &StartFolder) -> Option<Location> {
    let Location { root, worktree } = project::place(start)?;
    let Some(above) = with_tenant(&root) else { return Some(Location { root, worktree }) };
    let worktree = worktree.and_then(|folder| Some(folder.parent()?.parent()?.to_path_buf()));
    Some(Location { root: above, worktree })
}

/// The project that a tenant's folder belongs to, if it is one.
pub(crate) fn with_tenant(folder: &Path) -> Option<PathBuf> {
    let parent = folder.parent().filter(|it| it.file_name().is_some_and(|name| name == TENANTS))?;
    parent.parent().filter(|root| is_project(root)).map(Path::to_path_buf)
}

/// As [`nearest`], for a person. Fails when there is none.
pub(crate) fn project_or_hint(start: &StartFolder) -> Result<Location, Problem> {
    nearest(start).ok_or_else(|| project::none_at(start))
}

/// A tenant id that can be a folder's name and nothing else. Fails when it is not `[A-Za-z0-9][A-Za-z0-9-]{0,63}`.
pub(crate) fn check_tenant(id: &str) -> Result<(), Problem> {
    let fits = id.len() <= 64
        && id.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    if fits {
        return Ok(());
    }
    Err(Problem::usage(format!("`{id}` is no tenant id"))
        .hint("use 1 to 64 letters, digits and `-`, starting with a letter or digit"))
}

/// The configured clients. Fails when the config names one that there is not.
pub(crate) fn configured(ids: &[String]) -> Result<Vec<&'static Platform>, Problem> {
    let mut rows = Vec::new();
    for id in ids {
        let row = platform::by_id(id).ok_or_else(|| {
            Problem::new(format!("`{CONFIG}` names the platform `{id}`, which is not known"))
                .hint(format!("use one of {}", platform::ids()))
        })?;
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Prints the exact plan, with the lines that change.
pub(crate) fn show(world: &mut World, scan: &Scan, outcome: &InstallPlan) {
    let mut text = String::new();
    for step in &outcome.plan.steps {
        let _ = writeln!(text, "{step}");
        // Hashes are nothing to read.
        if step.path == crate::install::RECORD {
            continue;
        }
        let new = match &step.change {
            Change::Create(bytes) | Change::Replace { with: bytes, .. } | Change::Append(bytes) => {
                bytes.as_slice()
            }
            _ => continue,
        };
        let old = String::from_utf8_lossy(scan.bytes(&step.path).unwrap_or_default());
        let new = String::from_utf8_lossy(new);
        let changes = TextDiff::from_lines(&*old, &*new);
        for line in changes.unified_diff().context_radius(2).to_string().lines() {
            let _ = writeln!(text, "      {line}");
        }
    }
    if outcome.plan.steps.is_empty() {
        text.push_str("nothing to do\n");
    }
    let _ = world.out.write_all(safe(&text).as_bytes());
}

/// Carries the plan out and prints a line for each thing done. Fails when a step fails; those before it stand.
pub(crate) fn carry_out(
    world: &mut World,
    root: &Path,
    outcome: &InstallPlan,
) -> Result<(), Problem> {
    let applied = disk::apply(root, &outcome.plan);
    let done = applied.done.iter().filter_map(|(index, _)| outcome.plan.steps.get(*index));
    let all = world.talk == Talk::Verbose;
    let told = |step: &Step| {
        let mut text = line(step, all)?;
        for ignored in outcome.ignored.iter().filter(|_| step.path == IGNORE) {
            let _ = writeln!(text, "      {ignored}");
        }
        Some(text)
    };
    let lines: String = done.filter_map(told).collect();
    let _ = world.out.write_all(safe(&lines).as_bytes());
    for note in &applied.skipped {
        let _ = writeln!(world.err, "{}", safe(&note.to_string()));
    }
    applied.failure.map_or(Ok(()), Err)
}

/// What a person wants to know about a step; nothing about our own records and mere way-stations.
fn line(step: &Step, all: bool) -> Option<String> {
    let path = &step.path;
    let (mark, slash) = match &step.change {
        Change::EnsureDir => ('+', "/"),
        Change::Create(_) | Change::Carry { was: None, .. } => ('+', ""),
        Change::Replace { .. } | Change::Carry { .. } | Change::Append(_) => ('~', ""),
        Change::Delete { .. } => ('-', ""),
        Change::RemoveTree => ('-', "/"),
        Change::RemoveDir => return None,
    };
    let folder = step.change == Change::EnsureDir;
    let way_station = folder
        && !["memory", "knowledge", "plans", TENANTS].iter().any(|top| path.starts_with(top));
    let is_record = path.starts_with(".hipocampus/backup") || path == crate::install::RECORD;
    if !all && (way_station || is_record) {
        return None;
    }
    let what = match step.reason {
        "section" | "hooks" | "instructions" | "ignored files" | "how git merges"
        | "compaction root" | "npm tool" => {
            format!(" ({})", step.reason)
        }
        _ => String::new(),
    };
    Some(format!("  {mark} {path}{slash}{what}\n"))
}

/// Says what could not be done and what to do about it.
pub(crate) fn report_refused(world: &mut World, refused: &[Refused]) -> Exit {
    for Refused { what, paste, .. } in refused {
        let mut text = format!("error: {what}\n");
        if paste.is_empty() {
            text.push_str(
                "hint: correct that and run the command again; the file was not changed\n",
            );
        } else {
            text.push_str("hint: correct that and run the command again, or put this there yourself; the file was not changed\n");
            text.extend(paste.lines().map(|line| format!("    {line}\n")));
        }
        let _ = world.err.write_all(safe(&text).as_bytes());
    }
    if refused.is_empty() { Exit::Done } else { Exit::Problem }
}

pub(crate) fn remark(world: &mut World, text: &str) {
    if world.talk == Talk::Quiet {
        return;
    }
    let _ = writeln!(world.err, "{}", safe(text));
}

/// The same for notes.
pub(crate) fn remarks(world: &mut World, notes: &[Note]) {
    for note in notes {
        remark(world, &note.to_string());
    }
}

/// Keeps a second `init`, `update` or `uninstall` out of the project. Nothing is written for it: the folder itself is
/// locked.
pub(crate) fn lock_project(root: &Path, patience: Duration) -> Result<Option<Lock>, Problem> {
    let Ok(folder) = Folder::open(root) else { return Ok(None) };
    unless_busy(folder.lock_itself(Wait::ByHand(patience)), "is setting up this project")
}

/// Keeps hooks out of the memory while it is taken apart.
pub(crate) fn lock(home: &Path, patience: Duration) -> Result<Option<Lock>, Problem> {
    let Ok(memory) = Folder::open(&home.join(MEMORY)) else { return Ok(None) };
    if !disk::is_there(&home.join(MEMORY).join(LOCK)) {
        return Ok(None);
    }
    unless_busy(memory.lock(LOCK, Wait::ByHand(patience)), "holds the memory")
}

fn unless_busy(lock: Lock, what: &str) -> Result<Option<Lock>, Problem> {
    match lock {
        Lock::Busy(_) => Err(Problem::new(format!("another run of hipocampus {what}"))
            .hint("wait for it to finish and run the command again")
            .exit(Exit::Busy)),
        lock => Ok(Some(lock)),
    }
}

/// What only the user can do.
pub(crate) fn next_steps(world: &mut World, root: &Path, platforms: &[&'static Platform]) {
    let project = root.to_string_lossy();
    let plugin = root.join(OPENCLAW_PLUGIN);
    let plugin = quote(&plugin.to_string_lossy());
    let own = platform::with_own_files(platforms);
    let steps = |row: &&&'static Platform| {
        let beside = if own.contains(row) { &[][..] } else { row.steps_beside };
        row.next_steps.iter().chain(beside)
    };
    let mut steps: Vec<String> = platforms
        .iter()
        .flat_map(|row| steps(&row))
        .map(|step| step.replace("{project}", &project).replace("{plugin}", &plugin))
        .collect();
    steps.extend(program::shadow(world));
    if platforms.iter().any(|row| row.has_plugins) {
        steps.extend(plugin::claude_plugins(world, root).into_iter().map(|(name, file)| {
            format!(
                "Claude Code: the plugin `{name}` does the same work a second time (enabled in `{file}`); remove it with `claude plugin uninstall {name}`"
            )
        }));
    }
    for step in steps {
        let _ = writeln!(world.out, "next: {}", safe(&step));
    }
}
