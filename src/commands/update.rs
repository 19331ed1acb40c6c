//! `hipocampus update`: brings skills, protocol and hooks to this version, and takes over what the npm
//! tool had set up.

use std::path::Path;

use super::init::{Ask, apply, detected, next_steps};
use super::install::{alone, check_tenant, configured, project_or_hint, remark, start};
use crate::cli::{InitArgs, UpdateArgs};
use crate::project::{self, Project};
use crate::{Exit, Problem, World};

pub(super) fn run(
    args: &UpdateArgs,
    dir: Option<&Path>,
    world: &mut World,
) -> Result<Exit, Problem> {
    let root = project_or_hint(&start(world, dir)?)?;
    let _alone = alone(&root)?;
    let Project { config, notes, .. } = project::open(&root)?;
    for note in notes {
        remark(world, &note.to_string());
    }
    let mut platforms = configured(&config.platforms())?;
    if platforms.is_empty() {
        platforms = detected(world, &root);
    }
    let mut tenants = config.tenants.clone().unwrap_or_default();
    tenants.retain(|tenant| check_tenant(tenant).is_ok());
    let args = InitArgs { dry_run: args.dry_run, ..InitArgs::default() };
    let ask = Ask { platforms: &platforms, tenants, args: &args, all: false };
    let exit = apply(world, &root, &config, &ask)?;
    if exit == Exit::Done && !args.dry_run {
        next_steps(world, &root, &platforms);
    }
    Ok(exit)
}
