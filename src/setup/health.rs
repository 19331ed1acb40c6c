//! Whether what `init` set up is still in place: the part of `status` about clients and the search engine.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::{program, scan};
use crate::install::{InstallOptions, InstallPlan, Refused, Scan, put};
use crate::plan::Change;
use crate::platform::{Loads, MemoryFile, Platform, SKILLS, with_own_skills};
use crate::project::Project;
use crate::splice::hooks;
use crate::{Problem, World, disk, qmd};

/// How something of ours is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Freshness {
    /// as this version writes it
    Current,
    /// there, but not as this version writes it
    Stale,
    /// not there
    Missing,
    /// not needed for this client
    None,
}

/// A registered hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct HookHealth {
    /// the client's event
    pub(crate) event: String,
    /// the program it runs
    pub(crate) program: String,
    /// whether that program is there
    pub(crate) alive: bool,
}

impl HookHealth {
    /// Whether it calls a program by its name that is not on `PATH`. In a file that git has a path would be this
    /// machine's alone, so that no update repairs it.
    pub(crate) fn lacks_path(&self) -> bool {
        !self.alive && !self.program.contains('/')
    }
}

/// One client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ClientHealth {
    /// its id
    pub(crate) platform: &'static str,
    /// the section
    pub(crate) protocol: Freshness,
    /// its skills
    pub(crate) skills: Freshness,
    /// its hooks file, plugin or instructions
    pub(crate) hooks: Freshness,
    /// where these are
    pub(crate) protocol_file: String,
    /// the folder of its skills
    pub(crate) skills_dir: String,
    /// the file of its hooks, or what is for them
    pub(crate) hooks_file: String,
    /// the hooks in its file
    pub(crate) registered: Vec<HookHealth>,
}

/// Everything about the installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Health {
    /// one per configured client
    pub(crate) clients: Vec<ClientHealth>,
    /// where qmd is, if it is used and found
    pub(crate) qmd: Option<String>,
    /// the collections of this project
    pub(crate) collections: Vec<String>,
    /// files that `update` would write, and why
    pub(crate) changes: Vec<(String, &'static str)>,
    /// files that `update` cannot repair, and what is wrong with them
    pub(crate) unreadable: Vec<Refused>,
    /// what agents get when they call this program by its name, where that is another one or none, and what to do
    pub(crate) shadow: Option<String>,
    /// linked git worktrees in which a client of the project has no hooks, and which clients
    pub(crate) worktrees: Vec<(String, Vec<&'static str>)>,
    /// enabled plugins of Claude Code that do the same work, and where they are enabled
    pub(crate) plugins: Vec<(String, String)>,
}

impl ClientHealth {
    /// Whether `hipocampus update` repairs something of it.
    pub(crate) fn needs_update(&self) -> bool {
        let bad = |state: Freshness| matches!(state, Freshness::Stale | Freshness::Missing);
        bad(self.protocol)
            || bad(self.skills)
            || bad(self.hooks)
            || self.registered.iter().any(|hook| !hook.alive && !hook.lacks_path())
    }

    /// The program that its hooks call by its name and that is not on `PATH`.
    pub(crate) fn not_on_path(&self) -> Option<&str> {
        self.registered.iter().find(|hook| hook.lacks_path()).map(|hook| &*hook.program)
    }
}

impl Health {
    /// Whether `hipocampus update` has something to do.
    pub(crate) fn needs_update(&self) -> bool {
        self.clients.iter().any(ClientHealth::needs_update) || !self.worktrees.is_empty()
    }

    /// A line for each thing worth one.
    pub(crate) fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        rows.extend(self.shadow.clone());
        for client in &self.clients {
            let ClientHealth { platform, protocol, skills, hooks, registered, .. } = client;
            rows.push(format!("{platform}: section {protocol}, skills {skills}, hooks {hooks}"));
            let dead = registered.iter().filter(|hook| !hook.alive);
            rows.extend(dead.map(|hook| {
                format!("  {} runs `{}`, which is not there", hook.event, hook.program)
            }));
        }
        rows.extend(self.worktrees.iter().map(|(folder, clients)| {
            format!("the worktree `{folder}` has no hooks for {}", clients.join(", "))
        }));
        rows.extend(self.plugins.iter().map(|(name, file)| {
            format!("the Claude Code plugin `{name}` does the same work a second time (`{file}`)")
        }));
        rows.push(match &self.qmd {
            Some(path) => format!("qmd: {path}, collections {}", self.collections.join(", ")),
            None => "qmd: not in use".to_owned(),
        });
        rows.extend(self.unreadable.iter().map(|it| format!("to be mended by hand: {}", it.what)));
        if self.needs_update() {
            let first = if self.unreadable.is_empty() { "" } else { "when that is mended, " };
            rows.push(format!("{first}run `hipocampus update` to repair this"));
        }
        rows
    }
}

impl fmt::Display for Freshness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Freshness::Current => "current",
            Freshness::Stale => "stale",
            Freshness::Missing => "missing",
            Freshness::None => "none needed",
        })
    }
}

/// Looks at the installation of a project.
///
/// # Errors
/// When the config names a client that there is not, or the system does not tell where this program is.
pub(crate) fn look(world: &World, project: &Project) -> Result<Health, Problem> {
    // A tenant is served by the hooks of the project it belongs to.
    let home = super::steps::with_tenant(&project.root).unwrap_or_else(|| project.root.clone());
    let (root, config) = (home.as_path(), &project.config);
    let platforms = super::steps::configured(&config.platforms())?;
    let program = program::stable(world)?;
    let now = world.now()?;
    let wish = InstallOptions {
        platforms: platforms.clone(),
        tenants: config.tenants.clone().unwrap_or_default(),
        vector: config.search.vector,
        program: &program,
        today: &now.date_naive().to_string(),
        now: &now.to_rfc3339(),
        version: env!("CARGO_PKG_VERSION"),
        private: disk::is_private(root),
        ..InstallOptions::default()
    };
    let mut scan = scan::look(root, &wish.tenants)?;
    // A copy of a project is as whole as the project; the next `update` notes down where it is.
    if let Some(record) = &scan.record {
        scan.here.clone_from(&record.here);
    }
    let outcome = put(&scan, &wish);
    let of = |row: &&'static Platform| {
        if wish.private {
            return private_client(row, &wish, world, root);
        }
        Ok(client(row, &wish, &scan, &outcome, world, root))
    };
    let clients = platforms.iter().map(of).collect::<Result<Vec<_>, Problem>>()?;
    let engine = config.search.enabled.then(|| qmd::find(world, root)).flatten();
    let shadow = program::shadow(world);
    let changes = outcome.plan.steps.iter().map(|step| (step.path.clone(), step.reason));
    Ok(Health {
        changes: changes.collect(),
        unreadable: outcome.refused,
        shadow,
        clients,
        qmd: engine.map(|path| path.display().to_string()),
        collections: qmd::collections(root).into_iter().map(|(name, _)| name).collect(),
        worktrees: super::worktrees::without_hooks(root, &platforms, &program),
        plugins: if platforms.iter().any(|row| row.has_plugins) {
            super::plugin::claude_plugins(world, root)
        } else {
            Vec::new()
        },
    })
}

fn client(
    row: &'static Platform,
    wish: &InstallOptions<'_>,
    scan: &Scan,
    outcome: &InstallPlan,
    world: &World,
    root: &Path,
) -> ClientHealth {
    let state = |paths: &[String]| state(outcome, paths);
    let folder = scan.canonical(row.skills_dir);
    let own = with_own_skills(&wish.platforms).contains(&row);
    let skills: Vec<_> = if own {
        SKILLS.iter().map(|skill| format!("{folder}/hipocampus-{skill}/SKILL.md")).collect()
    } else {
        Vec::new()
    };
    let files = row.hooks.iter().flat_map(|hooks| hooks.was.iter().chain([&hooks.file]));
    let mut hooks: Vec<String> = files.map(|file| (*file).to_owned()).collect();
    if row.memory_file == MemoryFile::Mirrors {
        // Its section is how ROOT.md gets into the context.
        hooks.push("MEMORY.md".to_owned());
    }
    hooks.extend(row.files.iter().map(|(path, _)| (*path).to_owned()));
    if let Loads::Instructions { files, .. } = &row.loads {
        hooks.extend(files.iter().map(|file| (*file).to_owned()));
    }
    let own = row.hooks.as_ref().map(|hooks| hooks.file);
    let hooks_file = own.or_else(|| row.files.first().map(|(path, _)| *path)).map(str::to_owned);
    let file = own.and_then(|file| scan.bytes(file));
    let programs = scan.programs(wish.program);
    let registered = registered(file, &programs, false, world, root);
    ClientHealth {
        platform: row.id,
        protocol: state(&[scan.canonical(row.protocol_file).to_owned()]),
        skills: state(&skills),
        hooks: state(&hooks),
        protocol_file: row.protocol_file.to_owned(),
        skills_dir: row.skills_dir.to_owned(),
        hooks_file: hooks_file.unwrap_or_default(),
        registered,
    }
}

/// The same of a private project, which has it in the user's home.
fn private_client(
    row: &'static Platform,
    wish: &InstallOptions<'_>,
    world: &World,
    root: &Path,
) -> Result<ClientHealth, Problem> {
    let mut health = ClientHealth {
        platform: row.id,
        protocol: Freshness::None,
        skills: Freshness::None,
        hooks: Freshness::None,
        protocol_file: row.protocol_file.to_owned(),
        skills_dir: row.skills_dir.to_owned(),
        hooks_file: String::new(),
        registered: Vec::new(),
    };
    let planned = super::private::plan(world, row, &wish.platforms, wish.program)?;
    let Some((scan, home, outcome)) = planned else { return Ok(health) };
    let skills: Vec<_> = home.skills().map(|(_, path)| path).collect();
    let own = with_own_skills(&wish.platforms).contains(&row);
    let mut hooks: Vec<_> = home.hooks().into_iter().collect();
    hooks.extend(home.files().map(|(path, _)| path));
    health.skills = if own { state(&outcome, &skills) } else { Freshness::None };
    health.hooks = state(&outcome, &hooks);
    health.hooks_file = hooks.into_iter().next().unwrap_or_default();
    let file = home.hooks();
    let file = file.as_deref().and_then(|file| scan.bytes(file));
    health.registered = registered(file, &scan.programs(wish.program), true, world, root);
    Ok(health)
}

/// How what lies at these paths is, by what a plan would change.
fn state(outcome: &InstallPlan, paths: &[String]) -> Freshness {
    let changes = outcome.plan.steps.iter().filter(|step| paths.contains(&step.path));
    let refused = outcome.refused.iter().any(|refused| paths.contains(&refused.path));
    let changes: Vec<_> = changes.map(|step| &step.change).collect();
    let only_new = changes.iter().all(|change| matches!(change, Change::Create(_)));
    match (paths.is_empty(), changes.is_empty()) {
        (true, _) => Freshness::None,
        (_, true) if !refused => Freshness::Current,
        _ if only_new => Freshness::Missing,
        _ => Freshness::Stale,
    }
}

/// Our hooks in a file, for private projects or for all others.
fn registered(
    file: Option<&[u8]>,
    programs: &[String],
    private: bool,
    world: &World,
    root: &Path,
) -> Vec<HookHealth> {
    let found = file.and_then(|bytes| hooks::find(bytes, programs).ok()).unwrap_or_default();
    let ours = found.into_iter().filter(|hook| hook.runs.private == private);
    ours.map(|hook| {
        let alive = is_alive(&hook, world, root);
        HookHealth { event: hook.event, program: hook.runs.program, alive }
    })
    .collect()
}

/// Whether the program that a hook runs is there.
fn is_alive(hook: &hooks::InstalledHook, world: &World, root: &Path) -> bool {
    let program = Path::new(&hook.runs.program);
    if program.is_absolute() {
        return hook.runs.npm && disk::is_there(program) || disk::is_program(program);
    }
    !program::on_path(world, &hook.runs.program).is_empty() || disk::is_program(&root.join(program))
}
