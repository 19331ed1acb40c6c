//! What hooks tell an agent of the memory: at a prompt and at a file. They hold up a person who waits, so one that fails or is late says
//! nothing and stops nothing.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, FixedOffset};
use xxhash_rust::xxh3::xxh3_64;

use super::caller::caller;
use super::recalled::{At, Recalled};
use super::{off, stdin};
use crate::capture::block::session_name;
use crate::capture::hook_input::HookInput;
use crate::disk::{self, Memory};
use crate::meaning::facts::FactCache;
use crate::meaning::facts::words::fold;
use crate::memory::tokens::{Cost, cost, count};
use crate::project::{self, Project};
use crate::recall::choose::{self, Chosen};
use crate::recall::files::{self, Named};
use crate::recall::{Found, INTRODUCTION, RULE, prompt};
use crate::recollection::{Ask, recall};
use crate::refresh::index;
use crate::setup::plugin;
use crate::summarizer;
use crate::world::World;

/// How long a person's prompt may be held up.
const PATIENCE: Duration = Duration::from_millis(1500);

/// A call of a hook that may tell something.
struct Call {
    input: HookInput,
    project: Project,
    memory: Memory,
    worktree: Option<PathBuf>,
    now: DateTime<FixedOffset>,
    deadline: Instant,
}

impl Call {
    /// `None` where this call is nobody's to answer, or there is nothing to tell of.
    fn begin(dir: Option<&Path>, world: &mut World) -> Option<Self> {
        let deadline = Instant::now() + PATIENCE;
        if world.var(summarizer::SIGN).is_some() {
            return None;
        }
        let input = stdin::read_hook(world).ok()?;
        if off::is_set(world) || plugin::is_doubled(world, &input.event) {
            return None;
        }
        let cwd = input.cwd.clone().map(PathBuf::from);
        let begin = project::start(world, dir, cwd.as_deref()).ok()?;
        let place = project::place(&begin)?;
        let (project, worktree) = (project::open(&place.root).ok()?, place.worktree);
        let memory = Memory::open(&project.root).ok()??;
        let now = world.now().ok()?;
        Some(Self { input, project, memory, worktree, now, deadline })
    }

    /// Hands over a text as the JSON that its client reads, and remembers that it did.
    fn tell(&self, world: &mut World, at: At, text: &str, names: &[u64]) {
        let tokens = count(text);
        let record = Recalled::read(self.memory.folder());
        let session = self.input.session_id.as_deref();
        record.keep(self.memory.folder(), (session, at, self.now), tokens, names);
        if text.is_empty() {
            return;
        }
        let event = &self.input.event;
        let caller = caller(&self.input, world, &self.project.config.platforms());
        let _ = writeln!(world.out, "{}", caller.answer(event, text));
    }
}

/// What is told at files takes at most so many tokens.
pub(crate) const AT_A_FILE: Cost = Cost::tokens(150);

/// `hipocampus hook tool`: what the memory knows about a file that was read or changed, once in a session.
pub(crate) fn at_file(dir: Option<&Path>, world: &mut World) {
    let Some(call) = Call::begin(dir, world) else { return };
    if !call.project.config.recall.tool || call.input.tool_files.is_empty() {
        return;
    }
    let (before, _) = Recalled::read(call.memory.folder()).of(call.input.session_id.as_deref());
    let facts = index::open(&call.memory, false);
    let (mut lines, mut names) = (Vec::new(), Vec::new());
    let mut left = AT_A_FILE - cost(INTRODUCTION);
    for file in &call.input.tool_files {
        if Instant::now() >= call.deadline {
            break;
        }
        let Some(path) = below(&call, file) else { continue };
        let name = xxh3_64(format!("file:{path}").as_bytes());
        if before.contains(&name) || names.contains(&name) {
            continue;
        }
        names.push(name);
        let found: Vec<Found> = of_file(&call.project, &facts, &path);
        let is_new = |it: &Found| !before.contains(&choose::name(it));
        let found: Vec<Found> = found.into_iter().filter(is_new).collect();
        let (more, which) = files::lines(&found, left);
        names.extend(which.into_iter().map(|at| choose::name(&found[at])));
        left = left - more.iter().map(|line| cost(line) + Cost::tokens(1)).sum();
        lines.extend(more);
    }
    let text = Chosen { lines, ..Chosen::default() }.text();
    if !names.is_empty() {
        call.tell(world, At::File, &text, &names);
    }
}

/// What the facts of nodes say about a file below the project.
pub(crate) fn of_file(project: &Project, facts: &FactCache, path: &str) -> Vec<Found> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = Named::new(path, disk::is_only_one(&project.root, name));
    files::naming(facts, &file)
}

/// A file by its path below the project, or below the linked worktree that stands for it.
fn below(call: &Call, file: &str) -> Option<String> {
    let path = Path::new(file);
    if path.is_relative() {
        return Some(file.trim_start_matches("./").to_owned());
    }
    let roots = [Some(&*call.project.root), call.worktree.as_deref()];
    let below = roots.into_iter().flatten().find_map(|root| path.strip_prefix(root).ok())?;
    below.to_str().map(str::to_owned)
}

/// `hipocampus hook prompt`: what the memory knows about a prompt.
pub(crate) fn at_prompt(dir: Option<&Path>, world: &mut World) {
    let Some(call) = Call::begin(dir, world) else { return };
    let wanted = call.project.config.recall;
    let Some(prompt) = call.input.prompt.as_deref().filter(|_| wanted.prompt) else { return };
    let session = call.input.session_id.as_deref();
    let record = Recalled::read(call.memory.folder());
    let (before, had_prompt) = record.of(session);
    let tokens = if had_prompt { wanted.max_tokens } else { wanted.at_first() };
    let asked = prompt::asked(prompt).unwrap_or_default();
    let rule = prompt::rule(&asked).map(|rule| xxh3_64(format!("rule:{}", fold(rule)).as_bytes()));
    let rule = rule.filter(|rule| !record.knows(*rule));
    let taken = if rule.is_some() { cost(RULE) + Cost::tokens(1) } else { Cost(0) };
    let name = session.map(session_name);
    let ask = Ask {
        prompt,
        today: call.now.date_naive(),
        budget: Cost::tokens(tokens) - taken,
        session: name.as_deref(),
        before: &before,
        deadline: Some(call.deadline),
    };
    let chosen = recall(&call.memory, &index::open(&call.memory, false), &ask);
    // Ours stands first: what follows the other first line is data.
    let ours = rule.map(|_| RULE.to_owned());
    let known = Some(chosen.text()).filter(|text| !text.is_empty());
    let text = ours.into_iter().chain(known).collect::<Vec<_>>().join("\n");
    let names: Vec<u64> = chosen.names.into_iter().chain(rule).collect();
    call.tell(world, At::Prompt, &text, &names);
}
