//! `hipocampus init`: sets a project, or a tenant of it, up for one more client.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::InitArgs;
use crate::config::Config;
use crate::disk::{self, Memory, Repository};
use crate::import::by_hand;
use crate::import::missing::Missing;
use crate::import::past::PastSessions;
use crate::layout::CONFIG;
use crate::platform::{Platform, SKILLS, with_own_files};
use crate::project::{self, Location, Project};
use crate::setup::apply::{SetupOptions, apply, finish, tenants};
use crate::setup::detect::{ChosenAgents, platforms};
use crate::setup::steps::{check_tenant, nearest, next_steps, remark, remarks, start, with_tenant};
use crate::setup::summaries::choose;
use crate::setup::{past_summaries, private, steps, user, worktrees};
use crate::text::counted;
use crate::{Exit, Problem, World, user_memory};

pub(super) fn run(args: &InitArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit, Problem> {
    if args.user {
        return user::set_up(world);
    }
    if let Some(tenant) = &args.tenant {
        check_tenant(tenant)?;
    }
    let start = start(world, dir)?;
    user_memory::refuse(world, &start, "`hipocampus init --user` sets it up")?;
    let mut root = start.to_path_buf();
    match nearest(&start) {
        Some(place) if place.private_to() == Some(&*start) => {
            private::only_for_private(args)?;
            root = place.root;
        }
        Some(place) if place.private_to().is_some() => {}
        Some(Location { root, worktree: Some(folder) }) => {
            return worktrees::set_up(args, &root, &folder, world);
        }
        _ => {}
    }
    let folder = start.to_path_buf();
    if args.private && root == folder {
        root = private::place_for(&folder)?;
    }
    if with_tenant(&folder).is_some() {
        return Err(Problem::new(format!("`{}` is a tenant's folder", folder.display()))
            .hint("run this in the project it belongs to, with `--tenant ID` for a tenant"));
    }
    let at_home = start.is_home(&folder);
    if at_home && !args.force {
        return Err(Problem::new(format!(
            "`{}` is your home folder: a project here would be that of every folder below it",
            folder.display()
        ))
        .hint("change into the project's folder, or mean it with `--force`; nothing was changed"));
    }
    let alone = steps::lock_project(&root, world.patience)?;
    let Project { config, notes, .. } = project::open(&root)?;
    let is_old = disk::is_there(&root.join(CONFIG));
    remarks(world, &notes);
    let above = folder.parent().and_then(|above| nearest(&start.at(above.to_path_buf())));
    if !is_old && let Some(above) = above {
        let above = above.private_to().unwrap_or(&above.root).display();
        remark(
            world,
            &format!("there is a project at `{above}`; this makes a second one inside it"),
        );
    }
    check_new_tenant(&config, args)?;
    let ChosenAgents { platforms, past } = platforms(world, &folder, &config, args)?;
    let asked = !is_old && root == folder && !args.share && !args.force && args.tenant.is_none();
    if asked && private::offer(world, &folder, &platforms, args.dry_run) == Some(true) {
        root = private::place_for(&folder)?;
    }
    if root != folder {
        private::check(&platforms)?;
    }
    let tenants = tenants(&config, args.tenant.as_ref());
    let summaries = choose(world, &config, args, &platforms)?;
    let ask = SetupOptions {
        platforms: &platforms,
        tenants,
        args,
        all: true,
        home: at_home,
        no_share: false,
        summaries,
    };
    let exit = apply(world, &root, &config, &ask)?;
    drop(alone);
    if exit == Exit::Done {
        finish(world, &root, &config, &ask)?;
        if !args.dry_run {
            return told(args, &root, &platforms, past.as_ref(), world);
        }
    }
    Ok(exit)
}

/// Says what came of it, and brings the sessions from before in, or names them.
fn told(
    args: &InitArgs,
    root: &Path,
    platforms: &[&'static Platform],
    past: Option<&PastSessions>,
    world: &mut World,
) -> Result<Exit, Problem> {
    // A tenant's sessions are reported by its own folder.
    let project = project::open(&args.tenant.as_ref().map_or_else(
        || root.to_path_buf(),
        |tenant| root.join(crate::layout::TENANTS).join(tenant),
    ))?;
    if args.import {
        sum_up(world, root, platforms, None)?;
        let done = by_hand::bring_in_all(&project, world)?;
        let wrote = past_summaries::offer(world, &project.root, &done.days)
            .map_err(|error| Problem::new(format!("{error:#}")))?;
        return Ok(if done.exit == Exit::Done { wrote } else { done.exit });
    }
    let past = past.filter(|_| args.tenant.is_none());
    let (missing, _) = by_hand::what_is_missing(&project, world, past)?;
    sum_up(world, root, platforms, missing.as_ref())?;
    Ok(Exit::Done)
}

/// The last words: what is set up, what was found, what to do next.
fn sum_up(
    world: &mut World,
    root: &Path,
    platforms: &[&'static Platform],
    missing: Option<&Missing>,
) -> Result<(), Problem> {
    let names: Vec<_> = platforms.iter().map(|row| row.name).collect();
    let own = with_own_files(platforms);
    let texts: BTreeSet<_> = own.iter().map(|row| row.protocol_file).collect();
    let texts: Vec<_> = texts.into_iter().collect();
    let private_to = project::folders(root).into_iter().next().filter(|_| disk::is_private(root));
    let set_up = private_to.map_or_else(|| format!(
        "set up: {} in `{}`, with {} skills and a section in {}",
        names.join(", "),
        root.display(),
        SKILLS.len(),
        texts.join(" and "),
    ), |folder| format!(
        "set up: {} in `{}`, privately: the memory is in `{}`, skills and hooks in your home folder, and the repository has no trace of them",
        names.join(", "),
        folder.display(),
        root.display(),
    ));
    let days = match Memory::open(root)? {
        Some(memory) => memory.names()?.sort().logs.keys().copied().collect(),
        None => Vec::new(),
    };
    let next = if days.is_empty() {
        format!(
            "next: start {} here and work as usual; `hipocampus status` shows what is remembered",
            names.first().unwrap_or(&"your agent"),
        )
    } else {
        "next: run `hipocampus compact` to make their index, then work as usual".to_owned()
    };
    let logs = days
        .first()
        .zip(days.last())
        .map(|(first, last)| format!("logs of {}, {first} to {last}", counted(days.len(), "day")));
    let today = world.today()?;
    let past = missing.map(|it| format!("{}: `hipocampus import`", it.told(today)));
    let deleted = by_hand::deleted(&project::open(root)?, world).map(|it| it.told());
    let found: Vec<_> = logs.into_iter().chain(past).chain(deleted).collect();
    let found = if found.is_empty() { "no memory yet".to_owned() } else { found.join("; ") };
    let said = crate::terminal::safe(&format!("{set_up}\nfound: {found}"));
    let _ = writeln!(world.out, "{said}");
    if let Some(line) = for_colleagues(root, &texts)? {
        let _ = writeln!(world.out, "{line}");
    }
    next_steps(world, root, platforms);
    let _ = writeln!(world.out, "{next}");
    Ok(())
}

/// What to commit, and what colleagues see then; `None` where no repository is around, or nothing of it is in there.
fn for_colleagues(root: &Path, texts: &[&str]) -> Result<Option<String>, Problem> {
    if disk::is_private(root) || Repository::around(root).is_none() {
        return Ok(None);
    }
    let memory = if project::open(root)?.config.share {
        "and the memory, sessions included"
    } else {
        "and nothing of the memory; `hipocampus init --private` leaves no trace at all"
    };
    Ok(Some(format!(
        "git: commit {}, the skills, `{CONFIG}` and `.gitignore`, or leave them out; colleagues see what you commit of these {memory}",
        texts.join(" and "),
    )))
}

/// A tenant whose folder would be another one's where names are the same in any case.
fn check_new_tenant(config: &Config, args: &InitArgs) -> Result<(), Problem> {
    let Some(new) = &args.tenant else { return Ok(()) };
    let known = config.tenants.iter().flatten();
    match known.into_iter().find(|known| known.eq_ignore_ascii_case(new) && *known != new) {
        Some(known) => Err(Problem::usage(format!("there is a tenant `{known}`"))
            .hint("write it so, or take another id; nothing was changed")),
        None => Ok(()),
    }
}
