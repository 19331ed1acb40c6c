//! One screen: what a person wants to know, and last what needs doing, each as a command.
//!
//! Lines have at most [`COLUMNS`] columns. What is typed is never broken and is on a line of its own.

mod fit;

use std::fmt::Write as _;

use chrono::DateTime;

use super::report::{Need, ProjectState};
use super::report::{Report, RootReport, WrittenBy};
use super::unsaved::{Unsaved, UnsavedReason};
use crate::hooks::off::{OFF, Off};
use crate::import::receipt::LastReceipt;
use crate::terminal::{Paint, safe};
use crate::text::{counted, entries};
pub(crate) use fit::columns;
use fit::{COLUMNS, bytes, clipped, clipped_title, moment, shortened, wrapped};

/// The height of the screen.
const LINES: usize = 24;
/// The column where the text begins, after its label.
const INDENT: usize = 11;
/// The most things to do that are shown.
const NEEDS: usize = 5;

/// The screen. Of what needs doing, what can wait is left out where there is no room for it.
pub(crate) fn render(report: &Report, paint: Paint) -> String {
    let must = report.needs.iter().filter(|need| !need.may_stay).count();
    let shown = report.needs.len().min(NEEDS);
    let tries = (must.min(shown)..=shown).rev().map(|shown| page(report, paint, shown));
    let mut smallest = String::new();
    for text in tries {
        if text.lines().count() <= LINES {
            return text;
        }
        smallest = text;
    }
    smallest
}

/// The screen, with so many of the things that need doing.
fn page(report: &Report, paint: Paint, shown: usize) -> String {
    let mut page = Screen { text: String::new(), paint };
    page.line(&paint.bold(&format!("hipocampus {}", report.version)));
    page.line(&shortened(&safe(&report.project)));
    page.line("");
    headline(&mut page, report);
    page.line("");
    if report.state == ProjectState::Fresh {
        page.row("next", &next(report));
    } else {
        saved(&mut page, report);
    }
    off(&mut page, report);
    receipt(&mut page, report);
    past(&mut page, report);
    agents(&mut page, report);
    rest(&mut page, report);
    page.line("");
    needs(&mut page, report, shown);
    page.text
}

/// Lines of a name and a text.
struct Screen {
    text: String,
    paint: Paint,
}

impl Screen {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn row(&mut self, name: &str, what: &str) {
        for (index, line) in wrapped(what, COLUMNS - INDENT).into_iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            let name = self.paint.dim(&format!("{name:<INDENT$}"));
            self.line(format!("{name}{line}").trim_end());
        }
    }
}

fn headline(page: &mut Screen, report: &Report) {
    let (word, what) = match (report.state, report.wrong.split_first()) {
        (ProjectState::Fresh, _) if report.past_sessions.is_some() => {
            (page.paint.bold("ready"), "nothing is in the memory yet".to_owned())
        }
        (ProjectState::Fresh, _) => {
            (page.paint.bold("ready"), "nothing has been said here yet".to_owned())
        }
        (ProjectState::Ready, None) => {
            (page.paint.bold("ready"), "what is said here from now on is saved".to_owned())
        }
        (_, None) => (page.paint.bold("healthy"), what_is_saved(report)),
        (_, Some((first, rest))) => {
            let more =
                if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            (page.paint.bad("NOT HEALTHY"), format!("{}{more}", safe(first)))
        }
    };
    let plain = match report.state {
        ProjectState::Fresh | ProjectState::Ready => "ready",
        ProjectState::Healthy => "healthy",
        ProjectState::NotHealthy => "NOT HEALTHY",
    };
    let mut lines = wrapped(&format!("{plain}: {what}"), COLUMNS).into_iter();
    let first = lines.next().unwrap_or_default();
    page.line(&format!("{word}{}", first.strip_prefix(plain).unwrap_or_default()));
    lines.for_each(|line| page.line(&line));
}

/// What is said of a project in which nothing is wrong: what waits for the next event is not saved yet.
fn what_is_saved(report: &Report) -> String {
    match report.unsaved.len() {
        0 => "what is said here is saved".to_owned(),
        1 => "what is said here is saved; one session waits for the next event".to_owned(),
        many => {
            format!("what is said here is saved; {many} sessions wait for the next event")
        }
    }
}

/// What will happen in a project in which nothing was said yet.
fn next(report: &Report) -> String {
    let programs: Vec<String> = report
        .agents
        .iter()
        .filter_map(|agent| crate::platform::by_id(agent.platform))
        .map(|row| format!("`{}`", row.program))
        .collect();
    let start = if programs.is_empty() {
        "set up an agent with `hipocampus init`, then".to_owned()
    } else {
        format!("start {} here and", programs.join(" or "))
    };
    format!(
        "{start} work as always. When a session ends or its context is shortened, it is saved into `memory/{}.md`, and this screen shows it. The next session begins with an index of it, `memory/ROOT.md`",
        report.now.format("%F")
    )
}

fn saved(page: &mut Screen, report: &Report) {
    match &report.saved {
        None => page.row("last saved", "no session so far"),
        Some(saved) => {
            let (how, by) = if saved.imported { ("imported: said ", "in") } else { ("", "by") };
            let agent = saved.agent.map(|agent| format!(" {by} {agent}")).unwrap_or_default();
            page.row("last saved", &format!("{how}{}{agent}", moment(saved.at, report.now)));
            let began = saved.began.map(|began| format!("session of {}", began.format("%F %R")));
            let title = saved.title.as_ref().map(|title| format!("\"{}\"", safe(title))).or(began);
            let title = title.unwrap_or_else(|| format!("session {}", saved.session));
            let turns = format!(", {}", counted(saved.turns, "turn"));
            page.row(
                "",
                &format!("{}{turns}", clipped_title(&title, COLUMNS - INDENT - turns.len())),
            );
        }
    }
    unsaved(page, report);
    let today = &report.today;
    let mut parts = vec![counted(today.sessions, "session"), counted(today.turns, "turn")];
    if today.entries > 0 {
        parts.push(entries(today.entries));
    }
    parts.push(bytes(today.bytes));
    let nothing = today.bytes == 0;
    page.row(
        "today",
        if nothing { "nothing so far".to_owned() } else { parts.join(", ") }.as_str(),
    );
    let logs = &report.memory.logs;
    if let Some(first) = logs.first {
        page.row(
            "memory",
            &format!("{} since {first}, {}", counted(logs.days, "day"), bytes(report.log_bytes)),
        );
    }
}

/// Sessions that the user keeps out of the memory.
fn off(page: &mut Screen, report: &Report) {
    if let Some(Off { sessions, last }) = &report.off {
        let (sessions, were) =
            (counted(*sessions, "session"), if *sessions == 1 { "was" } else { "were" });
        let last = moment(*last, report.now);
        page.row("off", &format!("{sessions} {were} off (`{OFF}`), last {last}"));
    }
}

/// Whether every turn that agents still have is here.
fn receipt(page: &mut Screen, report: &Report) {
    if let Some(LastReceipt { at, sum }) = &report.receipt {
        let at = at.with_timezone(report.now.offset());
        let today = at.date_naive() == report.now.date_naive();
        let at = at.format(if today { "today %R" } else { "%F" });
        page.row("receipt", &format!("{at}: {}", safe(sum)));
    } else if report.saved.is_some() {
        page.row("receipt", "`hipocampus status --receipt` compares every turn");
    }
}

/// Sessions that are in the clients' stores only.
fn past(page: &mut Screen, report: &Report) {
    // Those that the next event brings in were told already.
    let told = report.unsaved.len();
    if let Some(missing) = report.past_sessions.as_ref().filter(|it| it.sessions > told) {
        page.row("sessions", &safe(&missing.warning(report.now.date_naive())));
    }
}

fn unsaved(page: &mut Screen, report: &Report) {
    if report.unsaved.is_empty() {
        return page.row("not saved", "nothing");
    }
    let mut groups: Vec<(&Unsaved, usize)> = Vec::new();
    for missing in &report.unsaved {
        let same = |(first, _): &&mut (&Unsaved, usize)| {
            (first.agent, first.why) == (missing.agent, missing.why)
        };
        match groups.iter_mut().find(same) {
            // The latest comes first, with where it began.
            Some((oldest, count)) => (*oldest, *count) = (missing, *count + 1),
            None => groups.push((missing, 1)),
        }
    }
    for (index, (oldest, count)) in groups.into_iter().enumerate() {
        let name = if index == 0 { "not saved" } else { "" };
        let first = if count == 1 { "of" } else { "the first of" };
        let what = counted(count, "session");
        page.row(name, &format!("{what}, {first} {}", one_unsaved(oldest, report)));
    }
}

/// Whose ROOT.md is.
pub(super) fn whose(root: &RootReport) -> String {
    let since = root.since.map(|day| format!(" since {day}")).unwrap_or_default();
    match root.by {
        WrittenBy::Program => "written by hipocampus".to_owned(),
        WrittenBy::Model => match root.since {
            Some(day) => format!("written by a model, up to {day}"),
            None => "written by a model".to_owned(),
        },
        WrittenBy::Person => format!("edited by hand{since}, and what was written there stays"),
    }
}

/// `2026-03-14, 3 days ago: claude-code did not call`
pub(super) fn one_unsaved(missing: &Unsaved, report: &Report) -> String {
    let zone = *report.now.offset();
    let at = missing.first.map(|first| first.with_timezone(&zone));
    let at =
        at.unwrap_or_else(|| DateTime::from_timestamp_nanos(missing.written).with_timezone(&zone));
    let silent = report
        .silence
        .iter()
        .any(|silence| silence.agent == missing.agent && silence.why == missing.why);
    let why = match missing.why {
        UnsavedReason::NoEvent if silent => format!("{} did not call", missing.agent),
        UnsavedReason::NoEvent => format!("comes in with the next event of {}", missing.agent),
        UnsavedReason::Unreadable => format!("its transcript cannot be read ({})", missing.agent),
        UnsavedReason::Untold => {
            format!("no record tells in which folder it was held ({})", missing.agent)
        }
        UnsavedReason::UnknownForm => {
            format!("in a form of {} that this version does not know", missing.agent)
        }
    };
    format!("{}: {why}", moment(at, report.now))
}

fn agents(page: &mut Screen, report: &Report) {
    if report.agents.is_empty() {
        return page.row("agents", "none is set up");
    }
    for (index, agent) in report.agents.iter().enumerate() {
        let last = match &agent.last {
            Some(fired) => format!("{} {}", safe(&fired.event), moment(fired.at, report.now)),
            None => "its hooks have not run yet".to_owned(),
        };
        let advice = agent.advice.as_deref().filter(|_| agent.in_place == Some(false));
        let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
        let name = if index == 0 { "agents" } else { "" };
        page.row(name, &format!("{}: {last}{advice}", agent.platform));
    }
}

fn rest(page: &mut Screen, report: &Report) {
    if let Some(root) = report.root.as_ref().filter(|_| report.state != ProjectState::Fresh) {
        page.row("ROOT.md", &of_root(root));
    }
    if let Some(background) = &report.background {
        page.row("summaries", &safe(&background.told(report.now)));
    }
    for file in report.hot_files.iter().filter(|file| file.lines > file.target) {
        page.row(
            "hot files",
            &format!("{} has {} of {} lines", file.path, file.lines, file.target),
        );
    }
    // What lets secrets through is shown where it is seen. A configuration that cannot be read is shown above.
    let config = report.config.iter().filter(|note| !note.problem);
    for (index, note) in config.enumerate() {
        page.row(if index == 0 { "config" } else { "" }, &safe(&note.text));
    }
    let secrets = &report.secrets;
    if secrets.replaced + secrets.in_clear > 0 {
        let mut line = format!("{} replaced in the logs", secrets.replaced);
        if secrets.in_clear > 0 {
            let _ = write!(line, ", {} in clear", secrets.in_clear);
        }
        page.row("secrets", &line);
    }
    let (shown, more) = (report.lately.iter().rev().take(2), report.lately.len().saturating_sub(2));
    for (index, line) in shown.enumerate() {
        let name = if index == 0 { "problems" } else { "" };
        let line =
            match line.split_once(' ').and_then(|(at, words)| Some((at.parse().ok()?, words))) {
                Some((at, words)) => format!("{}: {words}", moment(at, report.now)),
                None => line.clone(),
            };
        page.row(name, &clipped(&line, 3 * (COLUMNS - INDENT)));
    }
    if more > 0 {
        page.row("", &format!("and {more} more: `hipocampus status --all`"));
    }
}

fn of_root(root: &RootReport) -> String {
    let whose = whose(root);
    let hidden = match root.standing.not_shown {
        0 => String::new(),
        many => format!(", {} not shown", counted(many, "topic")),
    };
    format!("{} of {} tokens, {whose}{hidden}", root.tokens, root.cap)
}

fn needs(page: &mut Screen, report: &Report, shown: usize) {
    if report.needs.first().is_none_or(|need| need.may_stay) {
        page.row("to do", "nothing");
    }
    let mut before = None;
    for need in report.needs.iter().take(shown) {
        let name = if need.may_stay { "optional" } else { "to do" };
        need_of(page, if before == Some(name) { "" } else { name }, need);
        before = Some(name);
    }
    if report.needs.len() > shown {
        let more = report.needs.len() - shown;
        page.row("", &format!("and {more} more to do: `hipocampus status --all`"));
    }
}

/// What to type, and below it why.
fn need_of(page: &mut Screen, name: &str, need: &Need) {
    let name = page.paint.dim(&format!("{name:<INDENT$}"));
    let mut lines = wrapped(&safe(&need.command), COLUMNS - INDENT).into_iter();
    let first = page.paint.bold(&lines.next().unwrap_or_default());
    page.line(&format!("{name}{first}"));
    lines.for_each(|line| page.row("", &line));
    for line in wrapped(&clipped(&safe(&need.why), 3 * COLUMNS), COLUMNS - INDENT - 2) {
        page.line(&format!("{:<width$}{line}", "", width = INDENT + 2));
    }
}
