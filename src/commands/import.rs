//! `hipocampus import`: brings in past sessions.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::day;
use crate::cli::ImportArgs;
use crate::disk;
use crate::error::{Exit, Problem};
use crate::import::by_hand::{Gathered, bring_in, deleted, gather, json, table, tell};
use crate::import::past::{DeletedWish, PastFilter};
use crate::progress;
use crate::project;
use crate::setup::past_summaries;
use crate::terminal::{answer, is_yes, safe};
use crate::text::counted;
use crate::user_memory;
use crate::world::World;

pub(crate) fn run(args: &ImportArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    user_memory::refuse(world, &project.root, "no session enters it")?;
    let since = args.since.as_deref().map(day).transpose()?;
    let absolute = |path: &PathBuf| world.cwd.join(path);
    let from = args.from.iter().map(absolute);
    let wish = PastFilter {
        agent: args.agent.clone(),
        // It may be gone, so that links on the way to it are no longer known: both names count.
        from: from.flat_map(|path| [disk::real_path(&path), path]).collect(),
        paths: args.paths.iter().map(absolute).collect(),
        deleted: args.deleted.then(DeletedWish::default),
    };
    let gathered = gather(&project, world, &wish, since)?;
    progress::clear();
    let list =
        if args.json { json(&gathered, world)? } else { safe(&table(&gathered.items, world)?) };
    write!(world.out, "{list}")?;
    for gone in &gathered.gone {
        writeln!(world.err, "note: {}: {}", safe(&gone.command()), safe(&gone.why()))?;
    }
    let is_asked = args.deleted || !args.paths.is_empty() || args.json;
    if let Some(deleted) = (!is_asked).then(|| deleted(&project, world)).flatten() {
        writeln!(world.err, "note: {}", safe(&deleted.told()))?;
    }
    if args.dry_run || args.json || gathered.items.is_empty() {
        return told(&gathered, world);
    }
    if gathered.new_turns() > 0 && !args.yes {
        confirm(&gathered, world)?;
    }
    let done = bring_in(&project, gathered, world)?;
    let wrote = past_summaries::offer(world, &project.root, &done.days)?;
    Ok(if done.exit == Exit::Done { wrote } else { done.exit })
}

/// Names what was passed over.
fn told(gathered: &Gathered, world: &mut World) -> Result<Exit> {
    tell(&gathered.notes, world)?;
    let problem = gathered.notes.iter().any(|note| note.problem);
    Ok(if problem { Exit::Problem } else { Exit::Done })
}

/// Asks once, where somebody can answer; anything but `y` and `yes` means no.
fn confirm(gathered: &Gathered, world: &mut World) -> Result<(), Problem> {
    let turns = counted(gathered.new_turns(), "turn");
    if !world.in_is_terminal {
        let what = format!("nobody is there to say whether {turns} shall be imported");
        return Err(Problem::usage(what).hint(
            "add `--yes` to import them, or `--dry-run` to see the list alone; nothing was changed",
        ));
    }
    if is_yes(&answer(world, &format!("import {turns}, redacted, each on its day? [y/N] "))) {
        return Ok(());
    }
    Err(Problem::new("not confirmed; nothing was imported")
        .hint("answer `y`, or narrow it down with `--since` and `--agent`"))
}
