//! `check --fix`: does what loses nothing. Under the lock it looks once more and does what it then finds: closes files
//! to others, ends torn lines, finishes what killed runs left, removes what is made anew, and compacts.
//!
//! Stopped anywhere, what is left is what was there, or repaired: each step is one that any run may do, and the next
//! run finds the rest.

use chrono::{DateTime, FixedOffset};

use super::look;
use crate::Problem;
use crate::disk::{self, Held, Memory, Write};
use crate::import::{buried, reopen};
use crate::layout;
use crate::memory::check::{CheckFinding, Fix};
use crate::merge;
use crate::plan::{Change, Plan, Step, hash};
use crate::project::Project;
use crate::refresh::{UpdateOptions, tree};
use crate::retract::in_merges;
use crate::setup::scan;
use crate::world::World;

/// Repairs what can be repaired. What could not be done is found by the next look. Fails when the memory cannot be
/// listed, or a step fails; those before it stand.
pub(crate) fn mend(
    world: &World,
    project: &Project,
    memory: &Memory,
    alone: &Held,
    now: DateTime<FixedOffset>,
) -> Result<(), Problem> {
    let found = look(world, project, None, now)?.findings;
    let of = |fix: Fix| found.iter().filter(move |finding| finding.fix == Some(fix));
    for CheckFinding { path, .. } in of(Fix::Narrow) {
        narrow(memory, path)?;
    }
    for CheckFinding { path, .. } in of(Fix::EndLine) {
        let name = layout::name(path);
        let failed = |error| disk::problem("write", &project.root.join(path), error);
        memory.folder().append(name, b"\n", Write::KEPT).map_err(failed)?;
    }
    if of(Fix::Finish).next().is_some() {
        finish(project, memory, alone)?;
    }
    let joins = joins(memory, &found)?;
    for plan in [joins, without_last_lines(memory, &found), removals(&found)] {
        if let Some(failure) = disk::apply(&project.root, &plan).failure {
            return Err(failure);
        }
    }
    let compact = found.iter().any(|finding| {
        matches!(
            finding.fix,
            Some(Fix::Compact | Fix::Remove(_) | Fix::Remake(..) | Fix::Join(_) | Fix::Copy(_))
        )
    });
    if compact {
        let anew = found.iter().filter_map(|finding| match finding.fix {
            Some(Fix::Remake(period, was)) => Some((period, was)),
            _ => None,
        });
        let ask = UpdateOptions {
            today: now.date_naive(),
            full: true,
            alone: Some(alone),
            anew: anew.collect(),
            ..UpdateOptions::default()
        };
        let done = tree::update(project, memory, &ask)?;
        done.failure.map_or(Ok(()), Err)?;
    }
    Ok(())
}

/// What is removed, since the run of `compact` after it makes it anew.
fn removals(found: &[CheckFinding]) -> Plan {
    let mut plan = Plan::default();
    for finding in found {
        let Some(Fix::Remove(was)) = finding.fix else { continue };
        if plan.steps.iter().all(|step: &Step| step.path != finding.path) {
            let step = Step::new(&finding.path, Change::Delete { was }, "is made anew");
            plan.steps.push(step);
        }
    }
    plan
}

/// Logs in which two sides are put together: those of a merge that was not finished, and a log and its conflict copy.
/// Their days are noted down first, so that fixed nodes above them follow.
fn joins(memory: &Memory, found: &[CheckFinding]) -> Result<Plan, Problem> {
    let folder = memory.folder();
    let failed = |path: &str| {
        let full = folder.path().join(layout::name(path));
        move |error| disk::problem("read", &full, error)
    };
    let mut plan = Plan::default();
    let forgotten = buried::load(folder).map_err(failed(layout::FORGOTTEN))?;
    for finding in found {
        let (was, of) = match finding.fix {
            Some(Fix::Join(was)) => (was, None),
            Some(Fix::Copy(was)) => (was, merge::log_copied_in(&finding.path)),
            _ => continue,
        };
        let read = folder.read_if_there(layout::name(&finding.path));
        let Some((bytes, _)) = read.map_err(failed(&finding.path))? else { continue };
        let path = of.clone().unwrap_or_else(|| layout::name(&finding.path).to_owned());
        let Some(day) = layout::day_of_log(&path).filter(|_| hash(&bytes) == was) else { continue };
        let ours = match of {
            Some(_) => folder.read_if_there(&path).map_err(failed(&path))?.map(|(ours, _)| ours),
            None => Some(bytes.clone()),
        };
        let with = match (&of, &ours) {
            (None, _) => merge::mend_markers(&bytes),
            (Some(_), None) => Some(bytes),
            (Some(_), Some(ours)) => {
                in_merges::merged((merge::FileKind::Log, Some(day)), None, ours, &bytes, &forgotten)
                    .ok()
            }
        };
        let Some(with) = with.filter(|with| ours.as_ref() != Some(with)) else { continue };
        let change = match ours {
            Some(ours) => Change::Replace { was: hash(&ours), with },
            None => Change::Create(with),
        };
        let path = layout::in_memory(&path);
        let known = plan.steps.iter().any(|step: &Step| step.path == path);
        if !known {
            reopen::announce(folder, day).map_err(failed(&path))?;
            plan.steps.push(Step::to_log(path, change, "two sides put together"));
        }
    }
    Ok(plan)
}

/// The backups whose last line is dropped.
fn without_last_lines(memory: &Memory, found: &[CheckFinding]) -> Plan {
    let mut plan = Plan::default();
    for finding in found {
        let Some(Fix::DropLine(was)) = finding.fix else { continue };
        let read = memory.folder().read(layout::name(&finding.path));
        let Some((mut bytes, _)) = read.ok().filter(|(bytes, _)| hash(bytes) == was) else {
            continue;
        };
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1));
        let change = Change::Replace { was, with: bytes };
        plan.steps.push(
            Step::new(&finding.path, change, "its last line was torn").private(true).synced(),
        );
    }
    plan
}

/// Closes a file or the memory itself to others.
fn narrow(memory: &Memory, path: &str) -> Result<(), Problem> {
    if path == layout::MEMORY {
        memory.folder().close();
        return Ok(());
    }
    let folder = memory.folder();
    let inside =
        path.strip_prefix(layout::MEMORY).map_or(path, |path| path.trim_start_matches('/'));
    let done = match inside.split_once('/') {
        None => folder.narrow(inside),
        Some((level, name)) => {
            folder.folder(level).and_then(|level| level.map_or(Ok(()), |level| level.narrow(name)))
        }
    };
    done.map_err(|error| {
        disk::problem("change the permissions of", &folder.path().join(inside), error)
    })
}

/// Removes temporary files and finishes exchanges, in the memory and in the folders that are edited.
fn finish(project: &Project, memory: &Memory, alone: &Held) -> Result<(), Problem> {
    memory.sweep(alone, &memory.names()?);
    memory.recover()?;
    disk::tidy(&project.root, [layout::MEMORY_MD]);
    scan::tidy(&project.root, project.config.tenants.as_deref().unwrap_or_default());
    Ok(())
}
