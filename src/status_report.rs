//! How a memory stands: what `status` tells. Gathered here, shown on one [`screen`] or, with all that is below it, by
//! [`details`].

pub(crate) mod agents;
pub(crate) mod details;
mod diagnosis;
pub(crate) mod receipt;
pub(crate) mod report;
pub(crate) mod saved;
pub(crate) mod screen;
pub(crate) mod secrets;
pub(crate) mod silence;
pub(crate) mod today;
pub(crate) mod unmerged;
pub(crate) mod unsaved;

use chrono::{DateTime, FixedOffset, NaiveDate};

use crate::Problem;
use crate::capture::redact::{self, LetThrough, RedactionConfig, Redactor};
use crate::disk::{self, Memory};
use crate::error::describe;
use crate::hooks::fired::{self, Fired};
use crate::hooks::log as hook_log;
use crate::hooks::off;
use crate::hooks::recalled::Recalled;
use crate::import::buried;
use crate::import::by_hand;
use crate::import::receipt::LastReceipt;
use crate::layout;
use crate::memory::body::count_lines;
use crate::memory::compaction;
use crate::memory::snapshot::{Facts, Snapshot};
use crate::memory::survey;
use crate::memory::tokens;
use crate::plan::{Note, Plan};
use crate::project::Project;
use crate::refresh::due;
use crate::refresh::index;
use crate::retract::{self, scrub};
use crate::setup::health;
use crate::setup::share;
use crate::summaries::background::BackgroundReport;
use crate::summaries::waiting::{TextOwner, text_of};
use crate::text::counted;
use crate::world::World;
use report::{HotFile, LATELY, RootReport};
pub(crate) use report::{ProjectState, Report};

/// Looks at a project. Of one whose configuration is `broken` only what does not depend on it.
pub(crate) fn look(
    world: &World,
    project: &Project,
    broken: Option<&Problem>,
    now: DateTime<FixedOffset>,
) -> Result<Report, Problem> {
    let (hot_files, unreadable) = hot_files(project);
    let (past_sessions, gone_folders) = by_hand::what_is_missing(project, world, None)?;
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        project: project.root.display().to_string(),
        now,
        hot_files,
        config: [project.notes.clone(), lax(&project.config.redaction), unreadable].concat(),
        past_sessions,
        gone_folders,
        ..Report::default()
    };
    let mut fired = Vec::new();
    if let Some(memory) = Memory::open(&project.root)? {
        fired = fired::all(memory.folder());
        look_into(&mut report, world, project, &memory, broken.is_none(), &fired)?;
    }
    report.config.extend(share::elsewhere(world, &project.root));
    match broken {
        Some(problem) => report.config.push(broken_note(problem)),
        None => match health::look(world, project) {
            Ok(health) => report.installation = Some(health),
            Err(problem) => report.config.push(Note::problem(layout::CONFIG, describe(&problem))),
        },
    }
    report.agents = agents::of(project, report.installation.as_ref(), &fired);
    diagnosis::weigh(&mut report, broken);
    Ok(report)
}

fn broken_note(problem: &Problem) -> Note {
    let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    Note::problem(layout::CONFIG, format!("{}{hint}", describe(problem)))
}

fn look_into(
    report: &mut Report,
    world: &World,
    project: &Project,
    memory: &Memory,
    by_config: bool,
    fired: &[Fired],
) -> Result<(), Problem> {
    let (folder, now) = (memory.folder(), report.now);
    let zone = *now.offset();
    let date = |nanoseconds: i64| DateTime::from_timestamp_nanos(nanoseconds).with_timezone(&zone);
    let failed = |error: std::io::Error| disk::problem("read", folder.path(), error);
    report.updated =
        folder.entry(layout::CACHE).map_err(failed)?.map(|entry| date(entry.stamp.mtime));
    report.last_summary = last_summary(memory);
    report.hooks = hook_log::recent(world, folder, 5);
    report.off = off::told(folder);
    report.receipt = LastReceipt::read(folder);
    report.recall = Recalled::read(folder).week(now);
    report.lately = hook_log::since(world, folder, now - LATELY);
    for Fired { event, at, .. } in fired {
        if !report.fired.iter().any(|(known, _)| known == event) {
            report.fired.push((event.clone(), at.to_rfc3339()));
        }
    }
    let mut library = Snapshot::new(memory.names()?.sort(), Facts::default(), memory);
    report.log_bytes = library.listing.log_files().map(|file| file.stamp.size).sum();
    let redactor = project.redactor().unwrap_or_else(|_| Redactor::standard());
    report.today = today::look(&mut library, now.date_naive());
    report.secrets = secrets::count(&mut library, &redactor);
    report.came_back = came_back(memory, &library);
    if project.config.share {
        report.unmerged = unmerged::look(memory, &library, now.date_naive());
    }
    report.cannot_save = cannot_save(memory, now.date_naive());
    report.saved = saved::last(memory, zone, fired);
    report.unsaved = unsaved::look(world, project, folder, &redactor);
    report.silence = silence::of(report.saved.as_ref(), &report.unsaved, fired, now);
    if !by_config {
        report.memory.logs = survey::logs(&library);
        return Ok(());
    }
    plan(report, project, memory, &mut library, &redactor);
    let due = due::ask(project, memory, now)?;
    report.due = due.due.then_some(due.reason);
    report.background = BackgroundReport::look(world, project, memory, now);
    for waiting in &mut report.memory.waiting {
        waiting.since = date(waiting.written).format("%F").to_string();
        let facts = library.node_facts(waiting.period).ok().flatten();
        let node = library.node(waiting.period).unwrap_or_else(|_| Vec::new().into());
        let text = facts.map_or(TextOwner::Ours, |facts| text_of(&facts, &node));
        waiting.edited = text != TextOwner::Ours;
        library.forget_bytes();
    }
    Ok(())
}

/// What would keep a hook from writing down what is said today.
fn cannot_save(memory: &Memory, today: NaiveDate) -> Vec<Note> {
    let folder = memory.folder();
    if let Err(error) = folder.may_write() {
        let text = format!("cannot be written to ({})", describe(&error));
        return vec![Note::problem(layout::MEMORY, text)];
    }
    let log = layout::log_name(today);
    let log = folder.may_append(&log).err().map(|error| (log, "added to", error));
    let forgotten = buried::load(folder).err();
    let forgotten = forgotten.map(|error| (layout::FORGOTTEN.to_owned(), "read", error));
    let lock = folder.open_file(layout::LOCK).err();
    let lock = lock.map(|error| (layout::LOCK.to_owned(), "locked", error));
    let note = |(name, what, error): (String, &str, std::io::Error)| {
        let text = format!("cannot be {what} ({})", describe(&error));
        Note::problem(layout::in_memory(&name), text)
    };
    [log, forgotten, lock].into_iter().flatten().map(note).collect()
}

/// What a run would do, and what it could not.
fn plan(
    report: &mut Report,
    project: &Project,
    memory: &Memory,
    library: &mut Snapshot<'_>,
    redactor: &Redactor,
) {
    let today = report.now.date_naive();
    let redact = |text| redactor.redact_owned(text);
    let rules = project.rules(today, redactor.version(), &redact);
    let planned = compaction::plan(library, &rules, Some(index::open(memory, false)));
    report.memory = survey::survey(library, &rules, planned.plan, planned.late);
    report.unscrubbed = unscrubbed(memory, redactor.version(), report.memory.logs.files > 0);
    let mut of_root = Plan::default();
    let on = index::RootOptions { today, rebuild: false };
    let root = index::plan(project, memory, &planned.index, &on, &mut of_root);
    let tokens = tokens::count(&memory.folder().text(layout::ROOT));
    let cap = project.root_cap();
    report.root = root.map(|root| RootReport::new(root.owner, tokens, cap, root.standing));
    // Every day makes ROOT.md another one; what is worth telling is what a run cannot repair.
    report.memory.odd.extend(of_root.notes);
    report.memory.odd.sort();
}

/// Whether what is written was not looked through under the rules of today.
fn unscrubbed(memory: &Memory, version: u64, has_logs: bool) -> bool {
    let record = memory.folder().read_if_there(layout::SCRUBBED).ok().flatten();
    has_logs && scrub::is_due(record.as_ref().map(|(bytes, _)| &bytes[..]), version)
}

/// How much of what was forgotten is in the logs again.
fn came_back(memory: &Memory, library: &Snapshot<'_>) -> usize {
    let forgotten = buried::load(memory.folder()).unwrap_or_default();
    if forgotten.is_empty() {
        return 0;
    }
    let logs = library.listing.logs.iter();
    let files = logs.flat_map(|(day, files)| files.iter().map(move |file| (*day, file)));
    let parts = files.filter_map(|(day, file)| {
        let (bytes, _) = memory.folder().read(&file.name).ok()?;
        Some(retract::came_back(&bytes, day, &forgotten)?.1.len())
    });
    parts.sum()
}

/// What the configuration takes from the built-in redaction rules.
fn lax(config: &RedactionConfig) -> Vec<Note> {
    let let_through = redact::let_through(config).into_iter().map(|LetThrough { index, rules }| {
        let rules: Vec<_> = rules.iter().map(|id| format!("`{id}`")).collect();
        let what = rules.join(", ");
        format!("`redaction.allow[{index}]` lets through what built-in rules take: {what}")
    });
    let built_in = redact::rule_ids();
    let off = config.disable.iter().filter(|id| built_in.contains(&id.as_str())).count();
    let off = (off > 0)
        .then(|| format!("`redaction.disable` switches {} off", counted(off, "built-in rule")));
    let_through.chain(off).map(|text| Note::remark(layout::CONFIG, text)).collect()
}

/// The hot files that are there, and what is wrong with those that cannot be read.
fn hot_files(project: &Project) -> (Vec<HotFile>, Vec<Note>) {
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for (path, target) in layout::HOT_FILES {
        match disk::read_users_file(&project.root.join(path)) {
            Ok(Some(bytes)) => {
                let ended = u64::from(bytes.ends_with(b"\n"));
                files.push(HotFile { path, lines: count_lines(&bytes) - ended, target });
            }
            Ok(None) => {}
            Err(problem) => notes.push(Note::problem(path, problem.to_string())),
        }
    }
    (files, notes)
}

fn last_summary(memory: &Memory) -> Option<String> {
    let (bytes, _) = memory.folder().read(layout::STATE).ok()?;
    let state: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    Some(state.get("lastCompactionRun")?.as_str()?.to_owned())
}
