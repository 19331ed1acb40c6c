//! `hipocampus update`: brings skills, section and hooks to this version, and takes over what the npm
//! tool had set up.

use std::path::Path;

use crate::cli::UpdateArgs;
use crate::project::{self, Location, Project};
use crate::setup::apply::{SetupOptions, apply, finish, tenants};
use crate::setup::detect::platforms;
use crate::setup::steps::{
    check_tenant, lock_project, next_steps, project_or_hint, remarks, start,
};
use crate::setup::summaries::choose;
use crate::setup::{private, worktrees};
use crate::{Exit, Problem, World, user_memory};

pub(super) fn run(
    args: &UpdateArgs,
    dir: Option<&Path>,
    world: &mut World,
) -> Result<Exit, Problem> {
    let no_share = args.no_share;
    let args = &args.init;
    if let Some(tenant) = &args.tenant {
        check_tenant(tenant)?;
    }
    let start = start(world, dir)?;
    let place = project_or_hint(&start)?;
    user_memory::refuse(world, &place.root, "nothing of it needs an update")?;
    let private = place.private_to().is_some();
    let Location { root, worktree } = place;
    if private {
        private::only_for_private(args)?;
    } else if let Some(folder) = worktree {
        return worktrees::set_up(args, &root, &folder, world);
    }
    let _alone = lock_project(&root, world.patience)?;
    let Project { config, notes, .. } = project::open(&root)?;
    remarks(world, &notes);
    let platforms = platforms(world, &root, &config, args)?.platforms;
    if private {
        private::check(&platforms)?;
    } else if args.private {
        // Says how to move.
        private::place_for(&root)?;
    }
    let home = args.force && start.is_home(&root);
    let tenants = tenants(&config, args.tenant.as_ref());
    let summaries = choose(world, &config, args, &platforms)?;
    let ask = SetupOptions {
        platforms: &platforms,
        tenants,
        args,
        all: false,
        home,
        no_share,
        summaries,
    };
    let exit = apply(world, &root, &config, &ask)?;
    if exit == Exit::Done {
        finish(world, &root, &config, &ask)?;
        if !args.dry_run {
            next_steps(world, &root, &platforms);
        }
    }
    Ok(exit)
}
