//! Whether all is well, and what needs doing, each as a command.

use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use super::Report;
use super::agents::Agent;
use super::unsaved::Why;
use crate::Problem;
use crate::error::{Mistake, describe};
use crate::install::Refused;
use crate::layout;
use crate::manual;
use crate::memory::period::{Level, Period};
use crate::order::InOrder as _;
use crate::platform;
use crate::text::counted;

/// How a project is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// nothing was said in it yet
    Fresh,
    /// what is in it was brought in by hand, and no hook has run yet
    Ready,
    /// what is said is saved
    Healthy,
    /// something keeps what is said from being saved, or from being found
    NotHealthy,
}

/// Something that needs doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Need {
    /// what to type, or what to do where no command does it
    pub(crate) command: String,
    /// why, in a few words
    pub(crate) why: String,
    /// whether it can be left as it is
    pub(crate) may_stay: bool,
}

impl Need {
    fn new(command: impl Into<String>, why: impl Into<String>) -> Self {
        Self { command: command.into(), why: why.into(), may_stay: false }
    }
}

/// Fills in the state, what is wrong and what needs doing.
pub(crate) fn weigh(report: &mut Report, broken: Option<&Problem>) {
    let mut wrong = Vec::new();
    let mut needs = Vec::new();
    if let Some(problem) = broken {
        wrong.push(
            "the configuration cannot be read, so conversations are saved and nothing else is done"
                .to_owned(),
        );
        needs.push(of_configuration(&report.project, problem));
    }
    of_silence(report, &mut wrong, &mut needs);
    of_installation(report, &mut wrong, &mut needs);
    of_unsaved(report, &mut needs);
    of_past(report, &mut needs);
    of_files(report, &mut wrong, &mut needs);
    of_tree(report, &mut needs);
    of_words(report, &mut needs);
    of_choices(report, &mut needs);
    let logs = report.memory.logs.days > 0;
    report.state = match (wrong.is_empty(), logs || !report.unsaved.is_empty()) {
        (false, _) => State::NotHealthy,
        (true, false) => State::Fresh,
        (true, true) if is_imported_only(report) => State::Ready,
        (true, true) => State::Healthy,
    };
    let mut seen = Vec::new();
    needs.retain(|need: &Need| {
        let new = !seen.contains(&need.command);
        seen.push(need.command.clone());
        new
    });
    needs.order_by_key(|need| need.may_stay);
    (report.wrong, report.needs) = (wrong, needs);
}

/// Whether conversations are here that no hook saved, and the hooks that shall save the next ones have not run yet.
fn is_imported_only(report: &Report) -> bool {
    let is_waiting = |agent: &Agent| agent.in_place != Some(false) && agent.last.is_none();
    report.saved.as_ref().is_some_and(|saved| saved.imported)
        && report.fired.is_empty()
        && report.agents.iter().any(is_waiting)
}

fn of_configuration(project: &str, problem: &Problem) -> Need {
    let Some(Mistake { path, at, what }) = problem.mistake.as_deref() else {
        return Need::new(format!("see to `{}`", layout::CONFIG), describe(problem));
    };
    let file = path.strip_prefix(project).map_or(&**path, |path| path.trim_start_matches('/'));
    let (line, column) = at
        .map(|(line, column)| {
            (format!(" at line {line} or just above"), format!("column {column}: "))
        })
        .unwrap_or_default();
    Need::new(format!("open `{file}`{line} and fix it"), format!("{column}{what}"))
}

fn of_silence(report: &Report, wrong: &mut Vec<String>, needs: &mut Vec<Need>) {
    for silence in &report.silence {
        let since = silence.since.map_or_else(String::new, |at| format!(" since {}", day(at)));
        let agent = silence.agent;
        wrong.push(format!("nothing said in {agent} was saved{since}"));
        match silence.why {
            Why::NoEvent => {
                let then = platform::by_id(agent).map_or("", |row| row.calls_after);
                let why = format!(
                    "{agent} no longer calls hipocampus: this puts its hooks back; then {then}"
                );
                needs.push(Need::new("hipocampus update", why));
            }
            Why::UnknownForm => {
                let why = format!(
                    "{agent} keeps its conversations in a form that this version does not know"
                );
                needs.push(Need::new("install the newest hipocampus", why));
            }
            Why::Unreadable => {
                let of_it = report.unsaved.iter().find(|unsaved| unsaved.why == Why::Unreadable);
                let path =
                    of_it.map(|unsaved| unsaved.path.display().to_string()).unwrap_or_default();
                needs.push(Need::new(
                    format!("check who owns `{path}`"),
                    "its transcript cannot be read",
                ));
            }
        }
    }
}

fn of_installation(report: &Report, wrong: &mut Vec<String>, needs: &mut Vec<Need>) {
    let Some(health) = &report.installation else { return };
    for Refused { what, .. } in &health.unreadable {
        wrong.push(format!("a file of yours cannot be read: {what}"));
        needs.push(Need::new("fix that file in an editor", what.clone()));
    }
    let off: Vec<&str> = report
        .agents
        .iter()
        .filter(|agent| agent.in_place == Some(false))
        .map(|agent| agent.platform)
        .collect();
    if !off.is_empty() {
        wrong.push(format!("what {} needs is not in place", off.join(", ")));
    }
    if health.needs_update() {
        let why = match (off.is_empty(), health.worktrees.len()) {
            (false, _) => format!("puts hooks, skills and protocol of {} back", off.join(", ")),
            (true, many) => format!("{} without hooks", counted(many, "worktree")),
        };
        needs.push(Need::new("hipocampus update", why));
    }
    if health.clients.is_empty() {
        needs.push(Need::new("hipocampus init", "no agent is set up here"));
    }
    for agent in
        report.agents.iter().filter(|agent| agent.in_place == Some(true) && agent.last.is_none())
    {
        let why = format!("the hooks of {} have not run yet", agent.platform);
        needs.extend(
            agent.advice.clone().map(|advice| Need { may_stay: true, ..Need::new(advice, why) }),
        );
    }
    for (name, _) in &health.plugins {
        needs.push(Need::new(
            format!("claude plugin disable {name}"),
            "it does the same work a second time",
        ));
    }
    if let Some(shadow) = &health.shadow {
        needs.push(Need { may_stay: true, ..Need::new("fix your `PATH`", shadow.clone()) });
    }
}

fn of_unsaved(report: &Report, needs: &mut Vec<Need>) {
    let waiting = report.unsaved.iter().filter(|unsaved| unsaved.why == Why::NoEvent).count();
    if waiting == 0 {
        return;
    }
    let silent = !report.silence.is_empty();
    let (all, command) = (
        manual::knows("import"),
        if manual::knows("import") && waiting > 1 {
            "hipocampus import"
        } else {
            "hipocampus flush"
        },
    );
    let why = match waiting {
        1 => "saves the conversation that is not saved yet".to_owned(),
        many if all => format!("saves the {many} conversations that are not saved yet"),
        _ => "saves the latest of them now".to_owned(),
    };
    needs.push(Need { may_stay: !silent, ..Need::new(command, why) });
}

/// Sessions from before, which are in the clients' stores only: what to do first in a memory with nothing in it. Later a row
/// of the screen tells of them.
fn of_past(report: &Report, needs: &mut Vec<Need>) {
    let past = report.past_sessions.as_ref();
    if let Some(past) = past.filter(|_| report.memory.logs.days == 0) {
        let why = format!("brings in {}", counted(past.sessions, "past session"));
        needs.push(Need { may_stay: true, ..Need::new("hipocampus import", why) });
    }
}

fn of_files(report: &Report, wrong: &mut Vec<String>, needs: &mut Vec<Need>) {
    for note in report.memory.odd.iter().filter(|note| note.problem) {
        wrong.push(format!("{note}"));
        needs.push(Need::new(
            format!("check who owns `{}` and its permissions", note.about),
            "it cannot be read",
        ));
    }
    for note in report.config.iter().filter(|note| note.problem && note.about != layout::CONFIG) {
        wrong.push(format!("{note}"));
    }
}

fn of_tree(report: &Report, needs: &mut Vec<Need>) {
    let memory = &report.memory;
    if memory.to_do > 0 {
        let files = counted(memory.to_do, "file");
        let why = format!("brings {files} up to date; the next event does it, too");
        needs.push(Need { may_stay: true, ..Need::new("hipocampus compact", why) });
    }
    for late in &memory.late {
        let why = format!("the log of {} changed after its week was fixed", late.period);
        needs.push(Need::new(late.command.clone(), why));
    }
    // What somebody edited is theirs to replace.
    let waiting = memory.waiting.iter().filter(|node| !node.edited).count();
    if waiting > 0 {
        needs.push(of_waiting(report, waiting));
    }
    if let Some(root) = report.root.as_ref().filter(|root| root.theirs && root.standing.over > 0) {
        let why = format!(
            "ROOT.md is over its cap by {}: shorten it, or have it made anew",
            counted(root.standing.over, "token")
        );
        needs.push(Need { may_stay: true, ..Need::new("hipocampus compact --rebuild-root", why) });
    }
}

/// Words that should not be there.
fn of_words(report: &Report, needs: &mut Vec<Need>) {
    if report.came_back > 0 {
        let verb = if report.came_back == 1 { "stands" } else { "stand" };
        let what = counted(report.came_back, "part");
        let why = format!("{what} of what was forgotten {verb} in the logs again");
        needs.push(Need::new("hipocampus forget --again", why));
    }
    if let Some(lost) = report.unmerged.first() {
        let days = report.unmerged.len() - 1;
        let others = if days == 0 {
            String::new()
        } else {
            format!("; `hipocampus check` names the other {days} of such days")
        };
        let verb = if lost.turns == 1 { "stands" } else { "stand" };
        let what = counted(lost.turns, "turn");
        let why = format!(
            "brings back {what} of {} that {verb} on no branch any more, or on another one{others}",
            lost.day
        );
        let command = format!("hipocampus import {}", lost.path);
        needs.push(Need { may_stay: true, ..Need::new(command, why) });
    }
    if report.unscrubbed {
        let why = "the redaction rules changed since everything was looked through for secrets";
        needs.push(Need::new("hipocampus scrub", why));
    }
}

/// Nodes that wait for a model.
fn of_waiting(report: &Report, many: usize) -> Need {
    let verb = if many == 1 { "waits" } else { "wait" };
    let mut rows = report.agents.iter().filter_map(|agent| platform::by_id(agent.platform));
    let typed = rows.find_map(|row| Some((row.program, row.skill_sign?)));
    let command = typed.map_or_else(
        || "tell your agent to use the skill `hipocampus-compaction`".to_owned(),
        |(program, sign)| format!("in `{program}`, type `{sign}hipocampus-compaction`"),
    );
    let nodes = counted(many, "period");
    let why = format!(
        "{nodes} {verb} for a summary; until then they have an extract, and nothing is lost"
    );
    Need { may_stay: report.due.is_none(), ..Need::new(command, why) }
}

/// What may stay as it is, and what a person may decide otherwise.
fn of_choices(report: &Report, needs: &mut Vec<Need>) {
    for period in report.memory.without_log.iter().filter(|period| period.level() == Level::Daily) {
        needs.push(without_log(*period));
    }
    let odd = report.memory.odd.iter().filter(|note| !note.problem).count();
    if odd > 0 {
        let why = format!("{} in the memory that could be better", counted(odd, "thing"));
        needs.push(Need { may_stay: true, ..Need::new("hipocampus status --all", why) });
    }
}

/// A day whose log somebody deleted.
fn without_log(day: Period) -> Need {
    let why = "day without a log: its node is the last copy and stays";
    if manual::knows("forget") {
        return Need {
            may_stay: true,
            ..Need::new(format!("keep, or `hipocampus forget {day}`"), format!("{why} ({day})"))
        };
    }
    Need { may_stay: true, ..Need::new(format!("keep {}", layout::node_path(day)), why) }
}

/// The date of a moment.
pub(super) fn day(at: DateTime<FixedOffset>) -> String {
    at.format("%F").to_string()
}
