//! `hipocampus status`: what is there and what needs attention, on one screen.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::capture::redact::{self, LetThrough, RedactionConfig};
use crate::cli::StatusArgs;
use crate::disk::{self, Memory};
use crate::error::Exit;
use crate::hooks::log as hook_log;
use crate::layout;
use crate::memory::compaction::Rules;
use crate::memory::due::Due;
use crate::memory::library::{Facts, Library};
use crate::memory::node::count_lines;
use crate::memory::period::Level;
use crate::memory::root::Standing;
use crate::memory::survey::{Survey, survey};
use crate::memory::tokens;
use crate::plan::{Note, Plan};
use crate::platform;
use crate::project::{self, Project};
use crate::refresh::index::{self, Index};
use crate::refresh::{due, tree};
use crate::setup::health::{self, Health};
use crate::setup::share;
use crate::terminal::{Paint, safe};
use crate::text::counted;
use crate::world::World;

/// Rows of one kind that are printed; the rest is counted. `--json` has them all.
const ROWS: usize = 8;

pub(crate) fn run(args: &StatusArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let now = world.now()?;
    if args.due {
        let answer = match Memory::open(&project.root)? {
            Some(memory) => due::ask(&project, &memory, now)?,
            None => Due { due: false, reason: "there is no memory yet".to_owned() },
        };
        let verdict = if answer.due { "due" } else { "not due" };
        if args.json {
            let answer = serde_json::json!({"due": answer.due, "reason": answer.reason});
            writeln!(world.out, "{answer:#}")?;
        } else {
            writeln!(world.out, "{verdict}: {}", answer.reason)?;
        }
        tell_problems(&project, world, now)?;
        return Ok(Exit::Done);
    }
    let mut report = look(world, &project, now)?;
    report.config.extend(share::elsewhere(world, &project.root));
    match health::look(world, &project) {
        Ok(health) => report.installation = Some(health),
        Err(problem) => report.config.push(Note::problem(layout::CONFIG, problem.what)),
    }
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        let text = render(&report, Paint::of(world));
        world.out.write_all(text.as_bytes())?;
    }
    let problem = report.memory.odd.iter().any(|note| note.problem);
    Ok(if problem { Exit::Problem } else { Exit::Done })
}

/// Where no client has a hook at the start of a session, this question is the first thing an agent runs in one: it is
/// told what went wrong in hooks, once.
fn tell_problems(project: &Project, world: &mut World, now: DateTime<FixedOffset>) -> Result<()> {
    let platforms = project.config.platforms();
    let has_start = |id: &String| platform::by_id(id).is_none_or(|row| row.hooks.is_some());
    if platforms.is_empty() || platforms.iter().any(has_start) {
        return Ok(());
    }
    let Some(memory) = Memory::open(&project.root)? else { return Ok(()) };
    for line in hook_log::take_unseen(world, memory.folder(), now) {
        writeln!(world.err, "hipocampus: {line}")?;
    }
    Ok(())
}

/// Everything `status` knows.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    project: String,
    #[serde(flatten)]
    memory: Survey,
    hot_files: Vec<HotFile>,
    root: Option<RootReport>,
    updated: Option<String>,
    last_summary: Option<String>,
    /// what went wrong in hooks lately, oldest first
    hooks: Vec<String>,
    /// when the hook of each event last fired, latest first
    fired: Vec<(String, String)>,
    config: Vec<Note>,
    installation: Option<Health>,
}

/// Whose ROOT.md is, and what stands in it.
#[derive(Debug, Serialize)]
struct RootReport {
    theirs: bool,
    /// as it stands
    tokens: u32,
    /// the most it may have
    cap: u32,
    #[serde(flatten)]
    standing: Standing,
}

/// A file that is loaded in every session.
#[derive(Debug, Serialize)]
struct HotFile {
    path: &'static str,
    lines: u64,
    target: u64,
}

fn look(world: &World, project: &Project, now: DateTime<FixedOffset>) -> Result<Report> {
    let (hot_files, unreadable) = hot_files(project);
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        project: project.root.display().to_string(),
        memory: Survey::default(),
        hot_files,
        root: None,
        updated: None,
        last_summary: None,
        hooks: Vec::new(),
        fired: Vec::new(),
        config: [project.notes.clone(), lax(&project.config.redaction), unreadable].concat(),
        installation: None,
    };
    let Some(memory) = Memory::open(&project.root)? else { return Ok(report) };
    let zone = *now.offset();
    let date = |nanoseconds: i64| {
        DateTime::from_timestamp_nanos(nanoseconds).with_timezone(&zone).format("%F %R").to_string()
    };
    report.updated = memory.folder().entry(layout::CACHE)?.map(|entry| date(entry.stamp.mtime));
    report.last_summary = last_summary(&memory);
    report.hooks = hook_log::recent(world, memory.folder(), 5);
    report.fired = hook_log::last_fired(memory.folder());
    let mut library = Library::new(memory.names()?.sort(), Facts::default(), &memory);
    let redactor = project.redactor()?;
    let index = Index::open(&memory, false, now.date_naive());
    let rules = Rules {
        today: now.date_naive(),
        redact: &|text| tree::redacted(&redactor, text),
        rules_version: redactor.version(),
        since: project.config.summaries.since,
        reopen: BTreeSet::new(),
        shared: project.config.share,
        see: &|day, sources, text| index.see(day, sources, text),
        seen: &|day, sources| index.knows(day, sources),
    };
    report.memory = survey(&mut library, &rules);
    index.retain();
    let mut of_root = Plan::default();
    let on = index::On { today: now.date_naive(), rebuild: false };
    let root = index::plan(project, &memory, &index, &on, &mut of_root);
    let text = memory.folder().read(layout::ROOT).map(|(bytes, _)| bytes).unwrap_or_default();
    let tokens = tokens::count(&String::from_utf8_lossy(&text));
    let cap = index::cap(project);
    report.root =
        root.map(|root| RootReport { theirs: root.theirs, tokens, cap, standing: root.standing });
    // Every day makes ROOT.md another one; what is worth telling is what a run cannot mend.
    report.memory.odd.extend(of_root.notes);
    report.memory.odd.sort();
    for waiting in &mut report.memory.waiting {
        date(waiting.written)[..10].clone_into(&mut waiting.since);
    }
    Ok(report)
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

fn render(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    let memory = &report.memory;
    let title = format!("hipocampus {}", report.version);
    let _ = writeln!(text, "{}  {}", paint.bold(&title), safe(&report.project));
    row(&mut text, paint, "logs", &logs(memory));
    for level in &memory.nodes {
        let total = level.fixed + level.tentative + level.waiting;
        let mut parts =
            vec![format!("{} fixed", level.fixed), format!("{} tentative", level.tentative)];
        if level.waiting > 0 {
            let waiting = format!("{} waiting for a summary", level.waiting);
            parts.push(paint.warn(&waiting));
        }
        row(
            &mut text,
            paint,
            &level.level.to_string(),
            &format!("{}: {}", counted(total, "node"), parts.join(", ")),
        );
    }
    let to_do = match memory.to_do {
        0 => "nothing, the tree is up to date".to_owned(),
        many => paint.warn(&format!("{}, run `hipocampus compact`", counted(many, "change"))),
    };
    row(&mut text, paint, "to do", &to_do);
    let waiting = memory.waiting.iter().map(|node| {
        let period = node.period.to_string();
        let lines = node.lines.map_or_else(String::new, |lines| counted(lines, "line"));
        let over = if node.over_threshold { ", extract over the threshold" } else { "" };
        format!("{period:<10}  {lines:>10}, since {}{over}", node.since)
    });
    list(&mut text, paint, "waiting", ROWS, waiting);
    let late = memory.late.iter().map(|late| {
        format!(
            "the log of {} came or changed after its day, week or month was fixed, run `{}`",
            late.period, late.command
        )
    });
    list(&mut text, paint, "late", ROWS, late);
    let last = memory.without_log.iter().map(|period| {
        let node = layout::node_path(*period);
        match period.level() {
            Level::Daily => {
                format!("day without a log: {period}, `{node}` is the last copy and stays")
            }
            _ => {
                format!("source gone: {period}, `{node}` is the last copy of some of it and stays")
            }
        }
    });
    list(&mut text, paint, "last copy", ROWS, last);
    let odd = memory.odd.iter().chain(&report.config).map(|note| safe(&note.to_string()));
    list(&mut text, paint, "odd", ROWS, odd);
    if let Some(root) = &report.root {
        let size = format!("{} of {} tokens", root.tokens, root.cap);
        let size = if root.tokens > root.cap { paint.warn(&size) } else { size };
        row(&mut text, paint, layout::ROOT, &format!("{size}, {}", of_root(root)));
    }
    let hot: Vec<_> = report
        .hot_files
        .iter()
        .map(|file| {
            let size = format!("{} {}/{}", file.path, file.lines, file.target);
            if file.lines > file.target { paint.warn(&size) } else { size }
        })
        .collect();
    if !hot.is_empty() {
        row(&mut text, paint, "hot files", &format!("{} lines", hot.join(", ")));
    }
    list(
        &mut text,
        paint,
        "fired",
        ROWS,
        report.fired.iter().map(|(event, when)| format!("{event} {when}")),
    );
    list(&mut text, paint, "hooks", ROWS, report.hooks.iter().cloned());
    if let Some(health) = &report.installation {
        // The last row says what to do.
        list(&mut text, paint, "agents", usize::MAX, health.rows().iter().map(|row| safe(row)));
    }
    let last = report.updated.as_deref().unwrap_or("never");
    let summary = report.last_summary.as_deref().unwrap_or("never");
    row(
        &mut text,
        paint,
        "updated",
        &format!("{last}, last summary by a model: {}", safe(summary)),
    );
    text
}

/// `edited, so 3 lines in it are the machine's; …`
fn of_root(root: &RootReport) -> String {
    let Standing { not_shown, rules_not_shown, lines_of_machine, over, .. } = root.standing;
    let mut text = if root.theirs {
        let lines = counted(lines_of_machine, "line");
        format!("edited, so it is its editor's, with {lines} of the machine's")
    } else {
        "the machine's".to_owned()
    };
    if not_shown > 0 {
        let _ = write!(text, ", {} not shown", counted(not_shown, "topic"));
    }
    if rules_not_shown > 0 {
        let _ = write!(text, ", {rules_not_shown} of them user or feedback, for want of room");
    }
    if root.theirs && over > 0 {
        let _ = write!(text, ", {} over by its own text", counted(over, "token"));
    }
    if root.theirs {
        text.push_str("; `hipocampus compact --rebuild-root` gives it back to the machine");
    }
    text
}

fn logs(memory: &Survey) -> String {
    let logs = &memory.logs;
    let (Some(first), Some(last)) = (logs.first, logs.last) else { return "none yet".to_owned() };
    let mut text = counted(logs.days, "day");
    if logs.files != logs.days {
        let _ = write!(text, " in {}", counted(logs.files, "file"));
    }
    let _ = write!(text, ", {first}");
    if last != first {
        let _ = write!(text, " to {last}");
    }
    text
}

fn row(text: &mut String, paint: Paint, name: &str, what: &str) {
    let _ = writeln!(text, "{} {what}", paint.dim(&format!("{name:<9}")));
}

fn list(
    text: &mut String,
    paint: Paint,
    name: &str,
    most: usize,
    rows: impl Iterator<Item = String>,
) {
    let rows: Vec<_> = rows.collect();
    let total = rows.len();
    for (index, what) in rows.iter().take(most).enumerate() {
        row(text, paint, if index == 0 { name } else { "" }, what);
    }
    if total > most {
        row(text, paint, "", &format!("and {} more, see `hipocampus status --json`", total - most));
    }
}
