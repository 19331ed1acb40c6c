//! What `init` and `update` do alike once the project is known: which clients and tenants, the plan, and what is left
//! to do for the user.

use std::path::Path;

use super::steps::{carry_out, check_tenant, remark, remarks, report_refused, show};
use super::{private, program, scan, share, worktrees};
use crate::capture::redact::Redactor;
use crate::cli::InitArgs;
use crate::config::{Config, SummaryWriter};
use crate::hooks::in_force;
use crate::install::{InstallOptions, WriterChoice, put};
use crate::layout::{self, CONFIG};
use crate::plan::Plan;
use crate::platform::Platform;
use crate::summaries::permission;
use crate::terminal::safe;
use crate::text::grouped;
use crate::{Exit, Problem, World, disk, project, projects, qmd};

/// The tenants of a project, with the one that is asked for.
pub(crate) fn tenants(config: &Config, tenant: Option<&String>) -> Vec<String> {
    let mut tenants = config.tenants.clone().unwrap_or_default();
    tenants.extend(tenant.filter(|tenant| !tenants.contains(tenant)).cloned());
    tenants.retain(|tenant| check_tenant(tenant).is_ok());
    tenants
}

/// What `init` and `update` do when the project itself is in place.
pub(crate) fn finish(
    world: &mut World,
    root: &Path,
    config: &Config,
    ask: &SetupOptions<'_>,
) -> Result<(), Problem> {
    worktrees::put(root, ask.platforms, ask.args.dry_run, world)?;
    if !ask.args.dry_run
        && let Some(WriterChoice { by: SummaryWriter::Background, command: Some(command) }) =
            &ask.summaries
    {
        allow(world, root, config, command)?;
    }
    if !ask.args.dry_run {
        note(world, root, ask)?;
    }
    if !ask.args.dry_run && Redactor::from_config(&config.redaction).is_ok() {
        in_force::keep_own(root, &config.redaction.rules);
    }
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

/// Notes the project among this user's, or takes it out.
fn note(world: &mut World, root: &Path, ask: &SetupOptions<'_>) -> Result<(), Problem> {
    if ask.args.no_register {
        projects::take_out(world, root);
    } else if ask.all && projects::note_anew(world, &project::open(root)?) {
        let line = "noted for you alone, so that `hipocampus search --everywhere` finds it; `--no-register` does without";
        let _ = writeln!(world.out, "  ~ {line}");
    }
    Ok(())
}

/// The choice of a command is the user's word that it may run.
fn allow(world: &mut World, root: &Path, config: &Config, command: &str) -> Result<(), Problem> {
    let most = config.summarizer.tokens_a_day();
    permission::allow(world, root, command, most, true)?;
    let line = format!(
        "summaries in the background by `{command}`, allowed here, at most {} tokens a day",
        grouped(most)
    );
    let _ = writeln!(world.out, "  ~ {}", safe(&line));
    Ok(())
}

/// What `init` and `update` ask for.
pub(crate) struct SetupOptions<'a> {
    pub(crate) platforms: &'a [&'static Platform],
    pub(crate) tenants: Vec<String>,
    pub(crate) args: &'a InitArgs,
    /// whether to name the clients even if nothing is to be done
    pub(crate) all: bool,
    /// whether this is the home folder, and the project meant for everything below it
    pub(crate) home: bool,
    /// whether git is to let go of the memory
    pub(crate) no_share: bool,
    /// who is to write summaries; `None` if that stays as it is
    pub(crate) summaries: Option<WriterChoice>,
}

impl SetupOptions<'_> {
    /// Whether git is to have the memory; `None` if that stays as it is.
    fn share(&self) -> Option<bool> {
        (self.args.share || self.no_share).then_some(self.args.share)
    }
}

/// Plans, shows or carries out.
pub(crate) fn apply(
    world: &mut World,
    root: &Path,
    config: &Config,
    ask: &SetupOptions<'_>,
) -> Result<Exit, Problem> {
    disk::refuse_committed_link(root)?;
    let private = disk::is_private(root);
    let program = program::stable(world)?;
    let now = world.now()?;
    let wish = InstallOptions {
        platforms: ask.platforms.to_vec(),
        tenants: ask.tenants.clone(),
        no_vector: ask.args.no_vector,
        no_search: ask.args.no_search,
        no_recall: ask.args.no_recall,
        no_register: ask.args.no_register,
        share: ask.share(),
        private,
        home: ask.home,
        summaries: ask.summaries.clone(),
        vector: config.search.vector && !ask.args.no_vector,
        program: &program,
        today: &now.date_naive().to_string(),
        now: &now.to_rfc3339(),
        version: env!("CARGO_PKG_VERSION"),
    };
    if private && !ask.args.dry_run {
        private::make(root)?;
    }
    let _lock = super::steps::lock(root, world.patience)?;
    program::settled(world, ask.args.dry_run)?;
    if !ask.args.dry_run {
        remarks(world, &scan::tidy(root, &wish.tenants));
    }
    let scan = scan::look(root, &wish.tenants)?;
    let is_shared = scan.is_shared_by_git();
    if ask.args.share && !is_shared {
        share::check(world, root, &project::open(root)?)?;
    }
    let shared = ask.share().unwrap_or(is_shared);
    let mut outcome = put(&scan, &wish);
    if private {
        outcome.plan.steps.iter_mut().for_each(|step| step.private = true);
    } else if !(config.share || shared) {
        keep_private(&mut outcome.plan);
    }
    if ask.args.dry_run {
        show(world, &scan, &outcome);
    } else {
        let ids: Vec<_> = ask.platforms.iter().map(|row| row.id).collect();
        if ask.all || !outcome.plan.is_empty() {
            let label = if ids.len() == 1 { "platform" } else { "platforms" };
            let _ = writeln!(world.out, "  ~ {label}: {}", ids.join(", "));
        }
        carry_out(world, root, &outcome)?;
    }
    let (at_home, changed) =
        if private { private::put(root, ask.args.dry_run, world)? } else { (Exit::Done, false) };
    let is_idle = outcome.plan.is_empty() && outcome.refused.is_empty() && !changed;
    if is_idle && at_home == Exit::Done && !ask.args.dry_run {
        let _ = writeln!(world.out, "everything is in place");
    }
    if !private {
        share::driver(world, root, &program, ask.args, shared);
    }
    remarks(world, &outcome.plan.notes);
    let here = report_refused(world, &outcome.refused);
    Ok(if here == Exit::Done { at_home } else { here })
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
        qmd::set_up(world, root, qmd::SetUp { install: args.qmd, dry_run: args.dry_run })
    } else if args.qmd {
        vec![format!("qmd: not installed, `search.enabled` is false in `{CONFIG}`")]
    } else {
        Vec::new()
    };
    for line in lines {
        remark(world, &line);
    }
}
