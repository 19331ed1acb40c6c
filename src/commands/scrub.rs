//! `hipocampus scrub`: the redaction rules of today over everything that is written already.

use std::path::Path;

use anyhow::Result;

use crate::cli::ScrubArgs;
use crate::disk::{self, Memory, Write};
use crate::error::{Exit, Problem};
use crate::import::proven;
use crate::layout;
use crate::project::{self, Project};
use crate::refresh::by_hand::search;
use crate::refresh::carry_out;
use crate::retract::contents::Contents;
use crate::retract::scrub::{self, Scrubbing, told};
use crate::retract::show;
use crate::world::World;

pub(crate) fn run(args: &ScrubArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let Some(memory) = Memory::open(&project.root)? else {
        writeln!(world.out, "nothing to scrub: there is no memory yet")?;
        return Ok(Exit::Done);
    };
    let version = project.redactor()?.version();
    if args.dry_run || !args.yes {
        let planned = plan(&project, &memory)?;
        if !planned.plan.is_empty() {
            tell(world, &planned, args.dry_run)?;
            if args.dry_run {
                return Ok(Exit::Done);
            }
            show::confirm(world, "this replaces them", planned.plan.rows.len())?;
        } else if args.dry_run {
            return none(world);
        }
    }
    let alone = carry_out::begin(&project, &memory, world)?;
    let today = world.today()?;
    let planned = plan(&project, &memory)?;
    if planned.plan.is_empty() {
        // A run that was cut short may have begun to take secrets out: that is finished first.
        carry_out::finish_pending(&project, &memory, &alone, today)?;
        keep(&memory, layout::SCRUBBED, &scrub::record(version))?;
        return none(world);
    }
    if args.yes {
        tell(world, &planned, false)?;
    }
    let counts = told(&planned.counts);
    let total: usize = planned.counts.values().sum();
    let mut first = Some(planned);
    let mut done = carry_out::retraction(&project, &memory, &alone, today, || {
        let Scrubbing { plan, mut known, .. } = match first.take() {
            Some(planned) => planned,
            None => self::plan(&project, &memory)?,
        };
        // Before what proves them goes.
        if known.take_changed() {
            keep(&memory, layout::PROVEN, &known.bytes())?;
        }
        Ok(plan)
    })?;
    search(&project, world, &done, false);
    let exit = carry_out::report(&mut done, world)?;
    let left = plan(&project, &memory)?;
    if !left.plan.is_empty() {
        let names: Vec<_> = left.plan.rows.iter().map(|row| format!("`{}`", row.path)).collect();
        let what = format!("more secrets came meanwhile, in {}", names.join(", "));
        return Err(Problem::new(what).hint("run the command again").into());
    }
    keep(&memory, layout::SCRUBBED, &scrub::record(version))?;
    writeln!(world.out, "scrubbed {total}: {counts}")?;
    Ok(exit)
}

fn plan(project: &Project, memory: &Memory) -> Result<Scrubbing, Problem> {
    let redactor = project.redactor()?;
    scrub::plan(&Contents::look(project, memory)?, &redactor, proven::load(memory.folder()))
}

fn none(world: &mut World) -> Result<Exit> {
    writeln!(world.out, "nothing to scrub: no secret was found")?;
    Ok(Exit::Done)
}

/// Says what goes, by rule and file; never a value.
fn tell(world: &mut World, planned: &Scrubbing, dry_run: bool) -> Result<()> {
    let total: usize = planned.counts.values().sum();
    let verb = if dry_run { "would scrub" } else { "scrub" };
    writeln!(world.out, "{verb} {total}: {}", told(&planned.counts))?;
    show::rows(world, &planned.plan.rows)?;
    writeln!(
        world.out,
        "out of reach: git's history, other clones, the agents' own records; change a secret that was there"
    )?;
    Ok(())
}

/// Writes one of our own small files, unless it says this already.
fn keep(memory: &Memory, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    let path = memory.folder().path().join(name);
    let known = memory.folder().read_if_there(name).ok().flatten();
    if known.is_some_and(|(known, _)| known == bytes) {
        return Ok(());
    }
    let written = memory.folder().replace(name, bytes, Write::KEPT);
    written.map(|_| ()).map_err(|error| disk::problem("write", &path, error))
}
