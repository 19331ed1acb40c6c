//! `hipocampus init`: sets a project, or a tenant of it, up for one more client.

use std::collections::BTreeSet;
use std::path::Path;

use super::detect::platforms;
use super::install::{
    carry_out, check_tenant, nearest, remark, report_refused, show, start, with_tenant,
};
use super::{program, scene, worktrees};
use crate::cli::InitArgs;
use crate::config::Config;
use crate::disk::{self, Memory};
use crate::install::{Wish, put};
use crate::layout::{self, CONFIG};
use crate::plan::Plan;
use crate::platform::{OPENCLAW_PLUGIN, Platform, SKILLS};
use crate::project::{self, Place, Project};
use crate::text::counted;
use crate::{Exit, Problem, World, qmd};

pub(super) fn run(args: &InitArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit, Problem> {
    if let Some(tenant) = &args.tenant {
        check_tenant(tenant)?;
    }
    let start = start(world, dir)?;
    if let Some(Place { root, worktree: Some(folder) }) = nearest(&start) {
        return worktrees::set_up(args, &root, &folder, world);
    }
    let root = start.to_path_buf();
    if with_tenant(&root).is_some() {
        return Err(Problem::new(format!("`{}` is a tenant's folder", root.display()))
            .hint("run this in the project it belongs to, with `--tenant ID` for a tenant"));
    }
    let at_home = start.is_home(&root);
    if at_home && !args.force {
        return Err(Problem::new(format!(
            "`{}` is your home folder: a project here would be that of every folder below it",
            root.display()
        ))
        .hint("change into the project's folder, or mean it with `--force`; nothing was changed"));
    }
    let alone = super::install::alone(&root)?;
    let Project { config, notes, .. } = project::open(&root)?;
    let is_old = disk::is_there(&root.join(CONFIG));
    for note in notes {
        remark(world, &note.to_string());
    }
    let above = root.parent().and_then(|above| nearest(&start.at(above.to_path_buf())));
    if !is_old && let Some(above) = above {
        let above = above.root.display();
        remark(
            world,
            &format!("there is a project at `{above}`; this makes a second one inside it"),
        );
    }
    check_new_tenant(&config, args)?;
    let platforms = platforms(world, &root, &config, args)?;
    let tenants = tenants(&config, args);
    let ask = Ask { platforms: &platforms, tenants, args, all: true, home: at_home };
    let exit = apply(world, &root, &config, &ask)?;
    drop(alone);
    if exit == Exit::Done {
        finish(world, &root, &config, &ask)?;
        if !args.dry_run {
            sum_up(world, &root, &platforms)?;
        }
    }
    Ok(exit)
}

/// The last words: what is set up, what was found, what to do next.
fn sum_up(world: &mut World, root: &Path, platforms: &[&'static Platform]) -> Result<(), Problem> {
    let names: Vec<_> = platforms.iter().map(|row| row.name).collect();
    let texts: BTreeSet<_> = platforms.iter().map(|row| row.protocol_file).collect();
    let texts: Vec<_> = texts.into_iter().collect();
    let set_up = format!(
        "set up: {} in `{}`, with {} skills and a protocol in {}",
        names.join(", "),
        root.display(),
        SKILLS.len(),
        texts.join(" and "),
    );
    let days = match Memory::open(root)? {
        Some(memory) => memory.names()?.sort().logs.keys().copied().collect(),
        None => Vec::new(),
    };
    let (found, next) = match (days.first(), days.last()) {
        (Some(first), Some(last)) => (
            format!("found: logs of {}, {first} to {last}", counted(days.len(), "day")),
            "next: run `hipocampus compact` to make their index, then work as usual".to_owned(),
        ),
        _ => (
            "found: nothing to remember yet".to_owned(),
            format!(
                "next: start {} here and work as usual; `hipocampus status` shows what is remembered",
                names.first().unwrap_or(&"your agent"),
            ),
        ),
    };
    let _ = writeln!(world.out, "{}\n{found}", crate::terminal::safe(&set_up));
    next_steps(world, root, platforms);
    let _ = writeln!(world.out, "{next}");
    Ok(())
}

/// The tenants of a project, with the one that is asked for.
pub(super) fn tenants(config: &Config, args: &InitArgs) -> Vec<String> {
    let mut tenants = config.tenants.clone().unwrap_or_default();
    tenants.extend(args.tenant.clone().filter(|tenant| !tenants.contains(tenant)));
    tenants.retain(|tenant| check_tenant(tenant).is_ok());
    tenants
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

/// What `init` and `update` do when the project itself is in place.
pub(super) fn finish(
    world: &mut World,
    root: &Path,
    config: &Config,
    ask: &Ask<'_>,
) -> Result<(), Problem> {
    worktrees::put(root, ask.platforms, ask.args.dry_run, world)?;
    if ask.all || ask.args.qmd {
        search(world, root, config, ask.args);
    }
    if let Some(tenant) = &ask.args.tenant {
        for row in ask.platforms {
            if let Some(lack) = row.tenants_lack {
                let folder = format!("{}/{tenant}", crate::layout::TENANTS);
                remark(world, &lack.replace("{tenant}", &folder));
            }
        }
    }
    Ok(())
}

/// What `init` and `update` ask for.
pub(super) struct Ask<'a> {
    pub(super) platforms: &'a [&'static Platform],
    pub(super) tenants: Vec<String>,
    pub(super) args: &'a InitArgs,
    /// whether to name the clients even if nothing is to be done
    pub(super) all: bool,
    /// whether this is the home folder, and the project meant for everything below it
    pub(super) home: bool,
}

/// Plans, shows or carries out.
pub(super) fn apply(
    world: &mut World,
    root: &Path,
    config: &Config,
    ask: &Ask<'_>,
) -> Result<Exit, Problem> {
    disk::refuse_committed_link(root)?;
    let program = program::stable(world)?;
    let now = world.now()?;
    let wish = Wish {
        platforms: ask.platforms.to_vec(),
        tenants: ask.tenants.clone(),
        no_vector: ask.args.no_vector,
        no_search: ask.args.no_search,
        home: ask.home,
        vector: config.search.vector && !ask.args.no_vector,
        program: &program,
        today: &now.date_naive().to_string(),
        now: &now.to_rfc3339(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let _lock = super::install::lock(root)?;
    let (_, copy) = program::settled(world, ask.args.dry_run)?;
    if let Some(copy) = copy {
        let _ = writeln!(world.out, "  + {}", crate::terminal::safe(&copy));
    }
    if !ask.args.dry_run {
        for note in scene::tidy(root, &wish.tenants) {
            remark(world, &note.to_string());
        }
    }
    let scene = scene::look(root, &wish.tenants)?;
    let mut outcome = put(&scene, &wish);
    if !config.share {
        keep_private(&mut outcome.plan);
    }
    if ask.args.dry_run {
        show(world, &scene, &outcome);
    } else {
        let ids: Vec<_> = ask.platforms.iter().map(|row| row.id).collect();
        if ask.all || !outcome.plan.is_empty() {
            let label = if ids.len() == 1 { "platform" } else { "platforms" };
            let _ = writeln!(world.out, "  ~ {label}: {}", ids.join(", "));
        }
        carry_out(world, root, &outcome)?;
        if outcome.plan.is_empty() && outcome.refused.is_empty() {
            let _ = writeln!(world.out, "everything is in place");
        }
    }
    for note in &outcome.plan.notes {
        remark(world, &note.to_string());
    }
    Ok(report_refused(world, &outcome.refused))
}

/// Memories are for the user's eyes only.
fn keep_private(plan: &mut Plan) {
    let is_memory = |path: &str| path.split('/').any(|name| name == layout::MEMORY);
    for step in plan.steps.iter_mut().filter(|step| is_memory(&step.path)) {
        step.private = true;
    }
}

fn search(world: &mut World, root: &Path, config: &Config, args: &InitArgs) {
    if args.no_search {
        return;
    }
    let lines = if config.search.enabled {
        qmd::set_up(world, root, &qmd::SetUp { install: args.qmd, dry_run: args.dry_run })
    } else if args.qmd {
        vec![format!("qmd: not installed, `search.enabled` is false in `{CONFIG}`")]
    } else {
        Vec::new()
    };
    for line in lines {
        remark(world, &line);
    }
}

/// What only the user can do.
pub(super) fn next_steps(world: &mut World, root: &Path, platforms: &[&'static Platform]) {
    let project = root.to_string_lossy();
    let plugin = root.join(OPENCLAW_PLUGIN);
    let plugin = crate::splice::command::quote(&plugin.to_string_lossy());
    let mut steps: Vec<String> = platforms
        .iter()
        .flat_map(|row| row.next_steps)
        .map(|step| step.replace("{project}", &project).replace("{plugin}", &plugin))
        .collect();
    steps.extend(program::shadow(world));
    if platforms.iter().any(|row| row.id == "claude-code") {
        steps.extend(super::health::claude_plugins(world, root).into_iter().map(|(name, file)| {
            format!(
                "Claude Code: the plugin `{name}` does the same work a second time (enabled in `{file}`); remove it with `claude plugin uninstall {name}`"
            )
        }));
    }
    for step in steps {
        let _ = writeln!(world.out, "next: {}", crate::terminal::safe(&step));
    }
}
