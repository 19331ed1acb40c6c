//! What hooks tell an agent of the memory: at a prompt and at a file. They hold up a person who waits, so one that fails or is late says
//! nothing and stops nothing.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::{Duration, Instant};

use chrono::{DateTime, FixedOffset};
use xxhash_rust::xxh3::xxh3_64;

use super::call::HookCall;
use super::caller::caller;
use super::recalled::{At, Recalled};
use super::{off, stdin};
use crate::capture::block::session_name;
use crate::capture::hook_input::HookInput;
use crate::disk::{self, Memory};
use crate::layout;
use crate::meaning::facts::FactCache;
use crate::meaning::facts::topic_names::fold;
use crate::memory::tokens::{Cost, cost, count};
use crate::project::{self, Project};
use crate::recall::choose::{self, Chosen};
use crate::recall::files::{self, NamedFile};
use crate::recall::{Found, INTRODUCTION, RULE, prompt};
use crate::recollection::{Ask, of_session, of_user, recall};
use crate::refresh::index;
use crate::setup::plugin;
use crate::side_by_side::STACK;
use crate::summarizer;
use crate::user_memory;
use crate::world::World;

/// A call of a hook that may tell something, and where it is answered.
struct Call {
    input: HookInput,
    project: Project,
    memory: Memory,
    /// where the user's own memory lies, or would
    of_user: Option<PathBuf>,
    now: DateTime<FixedOffset>,
}

/// What is told in answer, and by which names it is known again.
struct Told {
    text: String,
    names: Vec<u64>,
}

/// Answers a call, as long as somebody waits for it.
fn answer(
    hook: HookCall<'_>,
    world: &mut World,
    at: At,
    answer: impl FnOnce(&Call) -> Option<Told> + Send + 'static,
) {
    let called = Instant::now();
    if world.var(summarizer::SIGN).is_some() {
        return;
    }
    let Ok(input) = stdin::read_hook(world) else { return };
    if off::is_set(world) || plugin::is_doubled(world, &input.event) {
        return;
    }
    let meant = hook.meant(world);
    let of_user = user_memory::folder(world).ok();
    let start = hook.start(world, &input);
    let (Ok(begin), Ok(now)) = (start, world.now()) else { return };
    let left = world.hook_patience.saturating_sub(called.elapsed());
    let found = within(left, move || {
        let place = project::place(&begin).filter(|place| meant.in_project(place))?;
        let project = project::open(&place.root).ok()?;
        let project = Project { worktree: place.worktree, ..project };
        let memory = Memory::open(&project.root).ok()??;
        let call = Call { input, project, memory, of_user, now };
        let told = answer(&call)?;
        Some((call, told))
    });
    if let Some((call, told)) = found {
        call.tell(world, at, &told);
    }
}

/// Does what only reads, on a thread of its own. `None` where it takes longer, or does not end well.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Option<T> + Send + 'static,
) -> Option<T> {
    if limit.is_zero() {
        return None;
    }
    let (sender, receiver) = channel();
    // A thread that is late ends with the process.
    let work = move || sender.send(work());
    Builder::new().stack_size(STACK).spawn(work).ok()?;
    receiver.recv_timeout(limit).ok()?
}

impl Call {
    /// Hands over a text as the JSON that its client reads, and remembers that it did.
    fn tell(&self, world: &mut World, at: At, Told { text, names }: &Told) {
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
pub(crate) fn at_file(hook: HookCall<'_>, world: &mut World) {
    answer(hook, world, At::File, |call| {
        if !call.project.config.recall.tool || call.input.tool_files.is_empty() {
            return None;
        }
        let (before, _) = Recalled::read(call.memory.folder()).of(call.input.session_id.as_deref());
        let kept = index::kept(&call.memory);
        let facts: FactCache<&str> = FactCache::decode(&kept).unwrap_or_default();
        let cwd = call.input.cwd.as_deref().map_or(&*call.project.root, Path::new);
        let (mut lines, mut names) = (Vec::new(), Vec::new());
        let mut left = AT_A_FILE - cost(INTRODUCTION);
        for file in &call.input.tool_files {
            let Some(path) = call.project.below(cwd, file) else { continue };
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
        (!names.is_empty()).then_some(Told { text, names })
    });
}

/// What the facts of nodes say about a file below the project.
pub(crate) fn of_file<S: AsRef<str>>(
    project: &Project,
    facts: &FactCache<S>,
    path: &str,
) -> Vec<Found> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = NamedFile::new(path, disk::is_only_one(&project.root, name));
    files::naming(facts, &file)
}

/// `hipocampus hook prompt`: what the memory knows about a prompt. Where an agent has no other place for it, it says with
/// the source `compact` that this is the first prompt after a compaction.
pub(crate) fn at_prompt(hook: HookCall<'_>, world: &mut World) {
    answer(hook, world, At::Prompt, |call| {
        let wanted = call.project.config.recall;
        let is_shortened = call.input.source.as_deref() == Some("compact");
        if !wanted.prompt || call.input.prompt.is_none() && !is_shortened {
            return None;
        }
        let prompt = call.input.prompt.as_deref().unwrap_or_default();
        let session = call.input.session_id.as_deref();
        let record = Recalled::read(call.memory.folder());
        let (before, had_prompt) = record.of(session);
        let tokens = if had_prompt { wanted.max_tokens } else { wanted.at_first() };
        let asked = prompt::asked(prompt).unwrap_or_default();
        let hash = |rule| xxh3_64(format!("rule:{}", fold(rule)).as_bytes());
        let rule = prompt::rule(&asked).map(hash).filter(|rule| !record.knows(*rule));
        let taken = if rule.is_some() { cost(RULE) + Cost::tokens(1) } else { Cost(0) };
        let name = session.map(session_name);
        let page = call.memory.folder().text(layout::ROOT);
        let ask = Ask {
            prompt,
            today: call.now.date_naive(),
            budget: Cost::tokens(tokens) - taken,
            session: name.as_deref(),
            before: &before,
            page: &page,
        };
        let kept = index::kept(&call.memory);
        let facts: FactCache<&str> = FactCache::decode(&kept).unwrap_or_default();
        let chosen = recall(&call.memory, &facts, &ask);
        let own = call.of_user.as_deref().and_then(user_memory::open_at);
        let of_user = of_user(own, &call.memory, &ask, &chosen);
        // Ours stands first: what follows the other first lines is data.
        let mut lines: Vec<String> = rule.map(|_| RULE.to_owned()).into_iter().collect();
        if let Some(name) = name.as_deref().filter(|_| is_shortened) {
            lines.extend(of_session(&call.memory, name));
        }
        lines.extend(Some(chosen.text()).filter(|text| !text.is_empty()));
        lines.extend(of_user.lines);
        let names = chosen.names.into_iter().chain(of_user.names).chain(rule).collect();
        Some(Told { text: lines.join("\n"), names })
    });
}
