//! `hipocampus uninstall`: leaves the project as it was, with what people and agents wrote since.

use std::path::{Path, PathBuf};

use crate::cli::{InitArgs, UninstallArgs};
use crate::disk::{Folder, Repository};
use crate::hooks::log as hook_log;
use crate::install::{InstallPlan, RECORD, UninstallOptions, take_out};
use crate::layout::{MEMORY, TENANTS};
use crate::plan::Change;
use crate::project::Location;
use crate::projects;
use crate::setup::apply::tenants;
use crate::setup::steps::{
    carry_out, check_tenant, lock, lock_project, project_or_hint, remark, remarks, report_refused,
    show, start,
};
use crate::setup::{private, program, scan, share, user, worktrees};
use crate::terminal::answer;
use crate::{Exit, Problem, World, disk, platform, project, text, user_memory};

pub(super) fn run(
    args: &UninstallArgs,
    dir: Option<&Path>,
    world: &mut World,
) -> Result<Exit, Problem> {
    if args.user {
        return user::leave(world, args.purge, args.dry_run);
    }
    if let Some(tenant) = &args.tenant {
        check_tenant(tenant)?;
    }
    let start = start(world, dir)?;
    let root = match partly_uninstalled(&start) {
        Some(root) => root,
        None => match project_or_hint(&start) {
            Err(problem) => {
                // What an earlier run could not clear in the user's home.
                let (exit, changed) = private::leave(&start, args.dry_run, world)?;
                return if changed { Ok(exit) } else { Err(problem) };
            }
            Ok(place) if place.private_to().is_some() => place.root,
            Ok(Location { root, worktree: Some(folder) }) => {
                return worktrees::leave(args, &root, &folder, world);
            }
            Ok(Location { root, .. }) => root,
        },
    };
    user_memory::refuse(world, &root, "`hipocampus uninstall --user` leaves it")?;
    let config = project::open(&root)?.config;
    let tenant = args.tenant.clone().or_else(|| tenant_at(&root, &start));
    let tenants = tenants(&config, tenant.as_ref());
    let home = home(&root, tenant.as_deref())?;
    let _locks = (lock_project(&root, world.patience)?, lock(&home, world.patience)?);
    if !args.dry_run {
        remarks(world, &scan::tidy(&root, &tenants));
    }
    let scan = scan::look(&root, &tenants)?;
    let ids = config.platforms();
    let platforms: Vec<_> = ids.iter().filter_map(|id| platform::by_id(id)).collect();
    // Where the system does not tell, nothing can be recognised by it.
    let program = program::stable(world).unwrap_or_default();
    let today = world.today()?.to_string();
    let leave = UninstallOptions {
        tenant: tenant.as_deref(),
        purge: args.purge,
        today: &today,
        platforms: &platforms,
        program: &program,
    };
    let outcome = take_out(&scan, &leave);
    let private = disk::is_private(&root);
    // Before what tells which worktrees belong to it is gone.
    if tenant.is_none() && !private {
        worktrees::take_out(&root, args.dry_run, world)?;
    }
    let mut at_home = Exit::Done;
    if args.dry_run {
        show(world, &scan, &outcome);
        remarks(world, &outcome.plan.notes);
    } else {
        carry_out_all(world, &root, &home, &leave, &outcome)?;
    }
    if private {
        at_home = leave_home(world, &root, args.dry_run)?;
    }
    let here = report_refused(world, &outcome.refused);
    Ok(if here == Exit::Done { at_home } else { here })
}

/// Takes what a private project has in the user's home out, unless others need it, and says where the memory stays.
fn leave_home(world: &mut World, root: &Path, dry_run: bool) -> Result<Exit, Problem> {
    let (exit, _) = private::leave(root, dry_run, world)?;
    let others = private::others(root, world);
    if others > 0 {
        let others = text::counted(others, "other private project");
        remark(
            world,
            &format!("hooks and skills in your home folder stay: {others} of yours need them"),
        );
    }
    if !dry_run {
        private::remove(root)?;
        if disk::is_dir(&root.join(MEMORY)) {
            let place = root.display();
            let line = format!(
                "the memory stays in `{place}`; after `hipocampus init`, `hipocampus merge {place}` brings it into the project"
            );
            let _ = writeln!(world.out, "next: {}", crate::terminal::safe(&line));
        }
    }
    Ok(exit)
}

/// The folder that is left: the project's, or the tenant's.
fn home(root: &Path, tenant: Option<&str>) -> Result<PathBuf, Problem> {
    let Some(tenant) = tenant else { return Ok(root.to_path_buf()) };
    let home = root.join(TENANTS).join(tenant);
    if disk::is_dir(&home) {
        return Ok(home);
    }
    Err(Problem::new(format!("there is no tenant `{tenant}` in `{}`", root.display()))
        .hint(format!("look into `{TENANTS}/` for those there are")))
}

/// Carries the plan out, once the user agrees where that is for good, and says what is left to do for the user.
fn carry_out_all(
    world: &mut World,
    root: &Path,
    home: &Path,
    leave: &UninstallOptions<'_>,
    outcome: &InstallPlan,
) -> Result<(), Problem> {
    if leave.purge {
        confirm(world, home, outcome)?;
    }
    if outcome.plan.is_empty() && outcome.refused.is_empty() {
        let _ = writeln!(world.out, "nothing to uninstall");
    }
    if let Ok(memory) = Folder::open(&home.join(MEMORY)) {
        hook_log::forget(world, &memory);
    }
    carry_out(world, root, outcome)?;
    if leave.tenant.is_none() {
        projects::take_out(world, root);
    }
    if leave.tenant.is_none() && !disk::is_private(root) {
        share::driver(world, root, leave.program, &InitArgs::default(), false);
    }
    remarks(world, &outcome.plan.notes);
    if leave.tenant.is_none() {
        for step in leave.platforms.iter().flat_map(|row| row.last_steps) {
            let _ = writeln!(world.out, "next: {step}");
        }
        if outcome.plan.steps.iter().any(|step| step.path == ".gitignore") {
            tell_of_git(world, root);
        }
        tell_of_copies(world);
    }
    Ok(())
}

/// What stays is no longer hidden from git.
fn tell_of_git(world: &mut World, root: &Path) {
    if Repository::around(root).is_some() && disk::is_dir(&root.join(MEMORY)) {
        let _ = writeln!(
            world.out,
            "next: git no longer ignores `{MEMORY}/`, where the sessions are; add `/{MEMORY}/` to `.gitignore` before the next commit"
        );
    }
}

/// Other projects may have hooks that run them.
fn tell_of_copies(world: &mut World) {
    if let Some((folder, versions)) = program::copies(world) {
        let _ = writeln!(
            world.out,
            "next: `{}` has copies of this program ({}); remove it when no other project has hooks that run them",
            crate::terminal::safe(&folder.display().to_string()),
            crate::terminal::safe(&versions.join(", ")),
        );
    }
}

/// A project that a run which was cut short left without a configuration, if it is the nearest one.
fn partly_uninstalled(start: &Path) -> Option<PathBuf> {
    let has_record = |folder: &Path| disk::is_there(&folder.join(RECORD));
    let found =
        start.ancestors().find(|folder| project::is_project(folder) || has_record(folder))?;
    (!project::is_project(found)).then(|| found.to_path_buf())
}

/// The tenant whose folder a run was started in or below.
fn tenant_at(root: &Path, start: &Path) -> Option<String> {
    let below = start.strip_prefix(root.join(TENANTS)).ok()?;
    let id = below.components().next()?.as_os_str().to_str()?;
    check_tenant(id).is_ok().then(|| id.to_owned())
}

/// Asks once; anything but `yes` means no.
fn confirm(world: &mut World, home: &Path, outcome: &InstallPlan) -> Result<(), Problem> {
    let trees = outcome.plan.steps.iter().filter(|step| step.change == Change::RemoveTree);
    let trees: Vec<_> = trees.map(|step| format!("{}/", step.path)).collect();
    let what = if trees.is_empty() { "files hipocampus made".to_owned() } else { trees.join(", ") };
    let home = home.display();
    remark(world, &format!("this removes {what} of `{home}` with everything in it, for good"));
    let answer = answer(world, "type `yes` to go on: ");
    if answer == "yes" {
        return Ok(());
    }
    if answer.is_empty() && !world.in_is_terminal {
        return Err(Problem::usage("nobody is there to confirm this; nothing was removed")
            .hint("answer `yes` on a terminal, or leave out `--purge` to keep the memory"));
    }
    Err(Problem::new("not confirmed; nothing was removed")
        .hint("answer `yes`, or leave out `--purge` to keep the memory"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::fs;

    use super::*;
    use crate::install::Scan;

    fn run(root: &Path, line: &[&str]) -> Exit {
        let mut world = World::for_tests();
        world.cwd = root.to_path_buf();
        world.exe = Some("/opt/bin/hipocampus".into());
        world.env.clear();
        world.env.insert("HIPOCAMPUS_NOW".into(), "2026-03-15T14:02:11+01:00".into());
        (world.out, world.err) = (Box::new(std::io::sink()), Box::new(std::io::sink()));
        let line = ["hipocampus"].iter().chain(line).map(Into::into).collect::<Vec<_>>();
        crate::run(&line, &mut world)
    }

    /// A project that was set up, and a skill in it that the user changed.
    fn set_up(platform: &str, skill: &str) -> (tempfile::TempDir, Scan, InstallPlan) {
        // In memory where there is such a place: this is done a hundred times.
        let place = Path::new("/dev/shm");
        let place = if place.is_dir() { place.to_path_buf() } else { std::env::temp_dir() };
        let dir = tempfile::tempdir_in(place).unwrap();
        let root = dir.path();
        fs::write(root.join("CLAUDE.md"), "# mine\n").unwrap();
        let init = ["init", "--no-search", "--platform", platform];
        assert_eq!(run(root, &init), Exit::Done);
        let text = fs::read_to_string(root.join(skill)).unwrap();
        fs::write(root.join(skill), text + "\nmy own rule\n").unwrap();
        let scan = scan::look(root, &[]).unwrap();
        let leave = UninstallOptions {
            tenant: None,
            purge: false,
            today: "2026-03-15",
            platforms: &[],
            program: "",
        };
        let outcome = take_out(&scan, &leave);
        (dir, scan, outcome)
    }

    #[test]
    fn a_run_that_is_cut_short_anywhere_is_finished_by_the_next() {
        for (platform, skill) in [
            ("claude-code", ".claude/skills/hipocampus-core/SKILL.md"),
            ("openclaw", "skills/hipocampus-core/SKILL.md"),
        ] {
            let (_dir, _, InstallPlan { plan, .. }) = set_up(platform, skill);
            for steps in 0..=plan.steps.len() {
                let (dir, _, mut outcome) = set_up(platform, skill);
                let root = dir.path();
                outcome.plan.steps.truncate(steps);
                assert!(disk::apply(root, &outcome.plan).failure.is_none());
                run(root, &["uninstall"]);
                let skill = root.join(skill);
                let check = || {
                    let text = fs::read_to_string(&skill).unwrap_or_default();
                    assert!(text.ends_with("my own rule\n"), "{platform} {steps}: {text}");
                    assert_eq!(fs::read(root.join("CLAUDE.md")).unwrap(), b"# mine\n");
                    for gone in ["hipocampus.config.json", RECORD, "memory"] {
                        assert!(!disk::is_there(&root.join(gone)), "{platform} {steps}: {gone}");
                    }
                };
                check();
                // Where logs still make it a project, once more does no harm.
                fs::create_dir(root.join("memory")).unwrap();
                fs::write(root.join("memory/2026-03-14.md"), "## Mine\n").unwrap();
                assert_eq!(run(root, &["uninstall"]), Exit::Done);
                fs::remove_file(root.join("memory/2026-03-14.md")).unwrap();
                fs::remove_dir(root.join("memory")).unwrap();
                check();
            }
        }
    }
}
