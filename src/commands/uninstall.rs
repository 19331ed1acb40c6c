//! `hipocampus uninstall`: leaves the project as it was, with what people and agents wrote since.

use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use super::install::{
    carry_out, check_tenant, lock, project_or_hint, remark, report_refused, show, start,
};
use super::scene;
use crate::cli::UninstallArgs;
use crate::install::{Leave, take_out};
use crate::layout::TENANTS;
use crate::plan::Change;
use crate::platform::ALL;
use crate::{Exit, Problem, World, disk, project};

pub(super) fn run(
    args: &UninstallArgs,
    dir: Option<&Path>,
    world: &mut World,
) -> Result<Exit, Problem> {
    if let Some(tenant) = &args.tenant {
        check_tenant(tenant)?;
    }
    let root = project_or_hint(&start(world, dir)?)?;
    // A config that does not parse is no reason to stay.
    let config = project::open(&root).map(|project| project.config).unwrap_or_default();
    let mut tenants = config.tenants.clone().unwrap_or_default();
    tenants.extend(args.tenant.clone().filter(|tenant| !tenants.contains(tenant)));
    tenants.retain(|tenant| check_tenant(tenant).is_ok());
    if let Some(tenant) = &args.tenant
        && !disk::is_dir(&root.join(TENANTS).join(tenant))
    {
        return Err(Problem::new(format!("there is no tenant `{tenant}` in `{}`", root.display()))
            .hint(format!("look into `{TENANTS}/` for those there are")));
    }
    let home = args.tenant.as_ref().map_or(root.clone(), |tenant| root.join(TENANTS).join(tenant));
    let _lock = lock(&home)?;
    if !args.dry_run {
        for note in scene::tidy(&root, &tenants) {
            remark(world, &note.to_string());
        }
    }
    let scene = scene::look(&root, &tenants)?;
    let today = world.today()?.to_string();
    let leave = Leave { tenant: args.tenant.as_deref(), purge: args.purge, today: &today };
    let outcome = take_out(&scene, &leave);
    if args.dry_run {
        show(world, &scene, &outcome);
        return Ok(report_refused(world, &outcome.refused));
    }
    if args.purge {
        let trees = outcome.plan.steps.iter().filter(|step| step.change == Change::RemoveTree);
        let trees: Vec<_> = trees.map(|step| format!("{}/", step.path)).collect();
        confirm(world, &trees)?;
    }
    carry_out(world, &root, &outcome)?;
    for note in &outcome.plan.notes {
        remark(world, &note.to_string());
    }
    if args.tenant.is_none() {
        let platforms = config.platforms();
        let rows = ALL.iter().filter(|row| platforms.iter().any(|id| id == row.id));
        for step in rows.flat_map(|row| row.last_steps) {
            let _ = writeln!(world.out, "next: {step}");
        }
    }
    Ok(report_refused(world, &outcome.refused))
}

/// Asks once; anything but `yes` means no.
fn confirm(world: &mut World, trees: &[String]) -> Result<(), Problem> {
    let what = if trees.is_empty() { "files hipocampus made".to_owned() } else { trees.join(", ") };
    remark(world, &format!("this removes {what} with everything in it, for good"));
    let _ = write!(world.err, "type `yes` to go on: ");
    let _ = world.err.flush();
    let mut answer = String::new();
    if let Some(stdin) = world.stdin.take() {
        // Enough for any answer, whatever is at the other end.
        let _ = BufReader::new(stdin.take(64)).read_line(&mut answer);
    }
    if answer.trim_end_matches(['\r', '\n']) == "yes" {
        return Ok(());
    }
    Err(Problem::new("not confirmed; nothing was removed")
        .hint("answer `yes`, or leave out `--purge` to keep the memory"))
}
