//! What `import` and `init --import` have in common: gathers sessions, lists them, brings them in, says what came of
//! it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use anyhow::Result;
use chrono::NaiveDate;
use serde::Serialize;

use super::backlog::{self, Pending};
use super::missing::{self, Missing};
use super::past::{self, Deleted, DeletedWish, InMemory, KeptAs, Past, PastFilter, PastSessions};
use super::receipt::LastReceipt;
use super::{Reached, buried, proven, unread};
use crate::capture::remembering::Remembering;
use crate::capture::{Redact as _, block};
use crate::disk::{self, Folder, Memory};
use crate::error::{Exit, Problem};
use crate::interrupt;
use crate::layout;
use crate::markdown::form::PROMPTS_ONLY;
use crate::plan::Note;
use crate::progress;
use crate::project::Project;
use crate::refresh::{by_hand, tree};
use crate::terminal::safe;
use crate::text::{aligned, counted};
use crate::world::World;

/// Sessions to import, and what was passed over.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) items: Vec<Pending>,
    /// sessions that may be the project's
    pub(crate) gone: Vec<GoneFolder>,
    pub(crate) notes: Vec<Note>,
}

impl Gathered {
    /// How many turns are neither here nor forgotten.
    pub(crate) fn new_turns(&self) -> usize {
        self.items.iter().map(|item| item.look.turns - item.look.here - item.look.forgotten).sum()
    }
}

/// Finds sessions and looks through them; `since` leaves out those in which nothing was said on that day or later.
/// Fails when the memory cannot be listed, or the moment of this run is unknown.
pub(crate) fn gather(
    project: &Project,
    world: &World,
    wish: &PastFilter,
    since: Option<NaiveDate>,
) -> Result<Gathered, Problem> {
    let (now, local) = (world.now()?.to_utc(), world.local()?);
    let (reached, mut notes) = in_memory(&project.root, super::reached)?;
    let forgotten = in_memory(&project.root, super::buried::load)?;
    let forgotten = Rc::new(forgotten);
    let is_marked = |it: &Reached| it.title.as_ref().is_some_and(|it| it.ends_with(PROMPTS_ONLY));
    let begun = || reached.iter().filter(|(_, it)| is_marked(it)).map(|(id, _)| id.clone());
    let deleted = wish.deleted.as_ref().map(|_| DeletedWish { begun: begun().collect() });
    let mut found = past::find(&project.root, world, &PastFilter { deleted, ..wish.clone() });
    if wish.deleted.is_some() {
        // What a log has of a session was captured when it was held, or comes from an earlier run of this.
        let is_new = |it: &Past| reached.get(&block::session_name(&it.id)).is_none_or(is_marked);
        found.sessions.retain(is_new);
    }
    notes.extend(found.passed_over.iter().cloned());
    let is_here = |past: &Past| reached.contains_key(&block::session_name(&past.id));
    let gone = gone(&found, &reached);
    let untold = found.untold.iter().filter(|past| !is_here(past));
    notes.extend(untold.map(|past| past.note(past::UNTOLD)));
    let redactor = project.redactor()?;
    let memory = Memory::open(&project.root)?;
    let proven = || memory.as_ref().map_or_else(proven::none, |it| proven::load(it.folder()));
    let redact = &Remembering::new(&redactor, proven);
    let (mut items, count) = (Vec::new(), found.sessions.len());
    for (index, past) in found.sessions.into_iter().enumerate() {
        progress::tick(|| format!("looking at session {} of {count}", index + 1));
        let known = InMemory { reached: &reached, forgotten: &forgotten, redact };
        let mut look = match past::look(&past, &known, now, &*local) {
            Ok(look) => look,
            Err(why) => {
                notes.push(Note::problem("import", disk::describe(&why)));
                continue;
            }
        };
        if let (Some(memory), KeptAs::Lines(path, _), false) = (&memory, &past.kept, look.is_known)
            && look.turns > look.forgotten
            && unread::is_elsewhere(memory.folder(), path, world, redact).unwrap_or(false)
        {
            look.here = look.turns - look.forgotten;
        }
        let says = |day| look.last.is_some_and(|last| local(last).date() >= day);
        let is_wanted = since.map_or(look.notes.is_empty() || look.turns > 0, says);
        notes.extend(look.notes.iter().cloned());
        if is_wanted {
            items.push(Pending { past, look });
        }
    }
    for note in &mut notes {
        note.text = redactor.text(&note.text).into_owned();
    }
    Ok(Gathered { items, gone, notes })
}

/// Sessions that were held in a folder that is gone, and may have been a worktree of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct GoneFolder {
    pub(crate) folder: String,
    pub(crate) sessions: usize,
}

impl GoneFolder {
    /// What brings them in.
    pub(crate) fn command(&self) -> String {
        format!("hipocampus import --from {}", shell_word(&self.folder))
    }

    /// Why.
    pub(crate) fn why(&self) -> String {
        let sessions = counted(self.sessions, "session");
        let verb = if self.sessions == 1 { "was" } else { "were" };
        format!(
            "{sessions} {verb} held in `{}`, which is gone: if it was a worktree of this project, this brings in what was said there",
            self.folder
        )
    }
}

/// A path as a word of a shell.
fn shell_word(path: &str) -> String {
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+@:".contains(c));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// The sessions in folders that are gone, as far as they are not here and anything is said in them, by folder.
fn gone(found: &PastSessions, reached: &HashMap<String, Reached>) -> Vec<GoneFolder> {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for (folder, past) in &found.gone {
        let is_here = reached.contains_key(&block::session_name(&past.id));
        if !is_here && past.says_something() {
            *folders.entry(folder.display().to_string()).or_default() += 1;
        }
    }
    folders.into_iter().map(|(folder, sessions)| GoneFolder { folder, sessions }).collect()
}

/// What the memory of a project says; nothing where there is none.
fn in_memory<T: Default>(root: &Path, read: fn(&Folder) -> io::Result<T>) -> Result<T, Problem> {
    let Some(memory) = Memory::open(root)? else { return Ok(T::default()) };
    read(memory.folder()).map_err(|error| disk::problem("read", &root.join(layout::MEMORY), error))
}

/// The sessions of a project that are not here, if there are any, and those of which only their folder's name says that
/// they may be: of those that were `found`, else of all there are.
pub(crate) fn what_is_missing(
    project: &Project,
    world: &World,
    found: Option<&PastSessions>,
) -> Result<(Option<Missing>, Vec<GoneFolder>), Problem> {
    let root = &project.root;
    let (reached, _) = in_memory(root, super::reached)?;
    let memory = Memory::open(root)?;
    let (redactor, known_forgotten) = (OnceCell::new(), OnceCell::new());
    // Under a name that has no block here, the words of a session may be there nevertheless, or may have been
    // forgotten.
    let nothing_new = |past: &Past| {
        let redactor = redactor.get_or_init(|| project.redactor().ok());
        let (Some(memory), Some(redact)) = (&memory, redactor) else { return Ok(false) };
        let forgotten = || buried::load(memory.folder()).map(Rc::new).unwrap_or_default();
        let forgotten = known_forgotten.get_or_init(forgotten);
        missing::has_nothing_new(past, memory.folder(), world, redact, forgotten)
    };
    let nothing_new = |past: &Past| nothing_new(past).unwrap_or(false);
    let missing = |found: &PastSessions| {
        (missing::missing(root, world, found, &reached, nothing_new), gone(found, &reached))
    };
    let find = || past::find(root, world, &PastFilter::default());
    Ok(found.map_or_else(|| missing(&find()), missing))
}

/// What is there of sessions that an agent has deleted, if there are any that the memory lacks.
pub(crate) fn deleted(project: &Project, world: &World) -> Option<Deleted> {
    let (reached, _) = in_memory(&project.root, super::reached).ok()?;
    past::deleted(&project.root, world, &|id| reached.contains_key(&block::session_name(id)))
}

/// Names what was passed over, and says what to do about it where this can be told.
pub(crate) fn tell(notes: &[Note], world: &mut World) -> io::Result<()> {
    for note in notes {
        let what = if note.problem { "error" } else { "note" };
        writeln!(world.err, "{what}: {}", safe(&note.to_string()))?;
    }
    Ok(())
}

/// Brings in every past session, without asking.
pub(crate) fn bring_in_all(project: &Project, world: &mut World) -> Result<BroughtIn, Problem> {
    let gathered = gather(project, world, &PastFilter::default(), None)?;
    let failed = |error: anyhow::Error| match error.downcast::<Problem>() {
        Ok(problem) => problem,
        Err(error) => Problem::new(format!("not all sessions were imported: {error:#}")),
    };
    write!(world.out, "{}", table(&gathered.items, world)?).map_err(|it| failed(it.into()))?;
    bring_in(project, gathered, world).map_err(failed)
}

/// What was found of one client.
#[derive(Debug, Serialize)]
struct SessionRow {
    agent: &'static str,
    sessions: usize,
    turns: usize,
    bytes: u64,
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
    here: usize,
    forgotten: usize,
    /// sessions that were opened and left again: nothing was said in them
    without_words: usize,
}

/// The list of what was found, by the names of the clients.
fn list(items: &[Pending], world: &World) -> Result<Vec<SessionRow>, Problem> {
    let local = world.local()?;
    let mut names: Vec<_> = items.iter().map(|item| item.past.agent_name()).collect();
    names.sort_unstable();
    names.dedup();
    let row = |agent| {
        let of: Vec<&Pending> =
            items.iter().filter(|item| item.past.agent_name() == agent).collect();
        let sum = |what: fn(&Pending) -> usize| of.iter().map(|item| what(item)).sum();
        let first = of.iter().filter_map(|item| item.look.sessions.first()).map(|it| it.time).min();
        let last = of.iter().filter_map(|item| item.look.last).max();
        SessionRow {
            agent,
            sessions: of.len(),
            turns: sum(|item| item.look.turns),
            bytes: of.iter().map(|item| item.look.bytes).sum(),
            first: first.map(|time| local(time).date()),
            last: last.map(|time| local(time).date()),
            here: sum(|item| item.look.here),
            forgotten: sum(|item| item.look.forgotten),
            without_words: sum(|item| usize::from(item.look.turns == 0)),
        }
    };
    Ok(names.into_iter().map(row).collect())
}

/// The list of what was found: a line for each client, and one for the sessions that add nothing.
pub(crate) fn table(items: &[Pending], world: &World) -> Result<String, Problem> {
    let mut rows = vec![
        ["agent", "sessions", "turns", "size", "from", "to", "here already"].map(str::to_owned),
    ];
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    let list = list(items, world)?;
    let without_words: usize = list.iter().map(|row| row.without_words).sum();
    rows.extend(list.into_iter().map(|row| {
        [
            row.agent.to_owned(),
            row.sessions.to_string(),
            row.turns.to_string(),
            size(row.bytes),
            day(row.first),
            day(row.last),
            match row.forgotten {
                0 => counted(row.here, "turn"),
                forgotten => format!("{}, {forgotten} forgotten", counted(row.here, "turn")),
            },
        ]
    }));
    if rows.len() == 1 {
        return Ok("no past sessions of this project\n".to_owned());
    }
    let mut text = aligned(&rows, 1..4);
    if without_words > 0 {
        let sessions = counted(without_words, "session");
        let verb = if without_words == 1 { "holds" } else { "hold" };
        let _ = writeln!(text, "{sessions} of these {verb} no words: nothing to import from there");
    }
    Ok(text)
}

/// The same for programs: an object with `agents`, and `passed_over` with what cannot be read.
pub(crate) fn json(gathered: &Gathered, world: &World) -> Result<String, Problem> {
    let passed_over: Vec<String> = gathered.notes.iter().map(ToString::to_string).collect();
    let agents = list(&gathered.items, world)?;
    let all = serde_json::json!({ "agents": agents, "passed_over": passed_over });
    Ok(format!("{all:#}\n"))
}

/// `62.4 MB`
fn size(bytes: u64) -> String {
    let kilo = f64::from(u32::try_from(bytes / 1000).unwrap_or(u32::MAX));
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{kilo:.0} kB"),
        1_000_000..1_000_000_000 => format!("{:.1} MB", kilo / 1e3),
        _ => format!("{:.1} GB", kilo / 1e6),
    }
}

/// What an import did.
#[derive(Debug)]
pub(crate) struct BroughtIn {
    pub(crate) exit: Exit,
    /// the days whose logs grew
    pub(crate) days: BTreeSet<NaiveDate>,
}

/// Brings sessions in, compacts, and says what was done. Fails when the memory cannot be made or locked, or stdout not
/// be written to.
pub(crate) fn bring_in(
    project: &Project,
    gathered: Gathered,
    world: &mut World,
) -> Result<BroughtIn> {
    let began = Instant::now();
    let redactor = project.redactor()?;
    let memory = Memory::make(&project.root, project.config.share)?;
    tree::begin_clean(&memory, redactor.version());
    interrupt::watch();
    let Gathered { items, mut notes, .. } = gathered;
    let done = backlog::import(memory.folder(), &items, world, &redactor)?;
    progress::clear();
    for mut note in done.notes {
        note.text = redactor.text(&note.text).into_owned();
        notes.push(note);
    }
    tell(&notes, world)?;
    let bytes = items.iter().map(|item| item.look.bytes).sum();
    let seconds = began.elapsed().as_secs_f64();
    if done.stopped {
        let sessions = counted(done.sessions, "session");
        let turns = counted(done.turns, "turn");
        return Err(Problem::new(format!("stopped: {turns} of {sessions} are in the memory"))
            .hint("run the same command again: it goes on from there")
            .into());
    }
    if done.turns == 0 {
        writeln!(
            world.out,
            "hipocampus import: nothing new in {}",
            counted(items.len(), "session")
        )?;
    } else {
        writeln!(
            world.out,
            "hipocampus import: {} of {} on {} ({} in {seconds:.1} s)",
            counted(done.turns, "turn"),
            counted(done.sessions, "session"),
            counted(done.days.len(), "day"),
            size(bytes),
        )?;
    }
    if done.turns > 0 && project.config.summaries.since.is_none() {
        let why = "old days will wait for summaries, because `summaries.since` is not set in `hipocampus.config.json`; `hipocampus update` sets it";
        writeln!(world.err, "note: {why}")?;
    }
    let lock = by_hand::take_lock(memory.folder(), world.patience)?;
    if done.turns > 0 {
        LastReceipt::forget(memory.folder());
    }
    let exit = by_hand::after_capture(project, &memory, world, &lock)?;
    if done.turns > 0 {
        writeln!(world.out, "next: `hipocampus search QUESTION`, or `hipocampus status`")?;
    }
    let exit = if notes.iter().any(|note| note.problem) { Exit::Problem } else { exit };
    Ok(BroughtIn { exit, days: done.days })
}
