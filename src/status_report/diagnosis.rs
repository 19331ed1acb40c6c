//! Whether all is well, and what needs doing, each as a command.

use chrono::{DateTime, FixedOffset};

use super::agents::Agent;
use super::report::{LATELY, Need, ProjectState, Report, WrittenBy};
use super::unsaved::UnsavedReason;
use crate::Problem;
use crate::error::{Mistake, describe};
use crate::import;
use crate::install::Refused;
use crate::layout;
use crate::memory::period::Level;
use crate::platform;
use crate::text::counted;

#[derive(Default)]
struct Findings {
    wrong: Vec<String>,
    needs: Vec<Need>,
}

impl Findings {
    /// Something that has to be done.
    fn must(&mut self, command: impl Into<String>, why: impl Into<String>) {
        self.need(false, command, why);
    }

    /// Something that can be left as it is.
    fn may(&mut self, command: impl Into<String>, why: impl Into<String>) {
        self.need(true, command, why);
    }

    /// The same as one that is there already is left out.
    fn need(&mut self, may_stay: bool, command: impl Into<String>, why: impl Into<String>) {
        let (command, why) = (command.into(), why.into());
        if !self.needs.iter().any(|need| need.command == command) {
            self.needs.push(Need { command, why, may_stay });
        }
    }
}

/// Fills in the state, what is wrong and what needs doing.
pub(crate) fn weigh(report: &mut Report, broken: Option<&Problem>) {
    let mut found = Findings::default();
    if let Some(problem) = broken {
        found.wrong.push(
            "the configuration cannot be read, so sessions are saved and nothing else is done"
                .to_owned(),
        );
        of_configuration(&report.project, problem, &mut found);
    }
    of_saving(report, &mut found);
    of_silence(report, &mut found);
    of_others(report, &mut found);
    of_messages(report, &mut found);
    of_installation(report, &mut found);
    of_unsaved(report, &mut found);
    of_past(report, &mut found);
    of_files(report, &mut found);
    of_tree(report, &mut found);
    of_words(report, &mut found);
    of_choices(report, &mut found);
    let is_used = report.memory.logs.days > 0 || !report.unsaved.is_empty();
    report.state = match (found.wrong.is_empty(), is_used) {
        (false, _) => ProjectState::NotHealthy,
        (true, false) => ProjectState::Fresh,
        (true, true) if is_imported_only(report) => ProjectState::Ready,
        (true, true) => ProjectState::Healthy,
    };
    found.needs.sort_by_key(|need| need.may_stay);
    (report.wrong, report.needs) = (found.wrong, found.needs);
}

/// Whether sessions are here that no hook saved, and the hooks that shall save the next ones have not run yet.
fn is_imported_only(report: &Report) -> bool {
    let is_waiting = |agent: &Agent| agent.in_place != Some(false) && agent.last.is_none();
    report.saved.as_ref().is_some_and(|saved| saved.imported)
        && report.fired.is_empty()
        && report.agents.iter().any(is_waiting)
}

fn of_configuration(project: &str, problem: &Problem, found: &mut Findings) {
    let Some(Mistake { path, at, what }) = problem.mistake.as_deref() else {
        return found.must(format!("see to `{}`", layout::CONFIG), describe(problem));
    };
    let file = path.strip_prefix(project).map_or(&**path, |path| path.trim_start_matches('/'));
    let (line, column) = at
        .map(|(line, column)| {
            (format!(" at line {line} or just above"), format!("column {column}: "))
        })
        .unwrap_or_default();
    found.must(format!("open `{file}`{line} and fix it"), format!("{column}{what}"));
}

/// What keeps words from being written down.
fn of_saving(report: &Report, found: &mut Findings) {
    for note in &report.cannot_save {
        found.wrong.push(format!("what is said cannot be saved: {note}"));
        let command = format!("check who owns `{}` and its permissions", note.about);
        found.must(command, &note.text);
    }
}

fn of_silence(report: &Report, found: &mut Findings) {
    for silence in &report.silence {
        let since = silence.since.map_or_else(String::new, |at| format!(" since {}", day(at)));
        let agent = silence.agent;
        found.wrong.push(format!("nothing said in {agent} was saved{since}"));
        match silence.why {
            UnsavedReason::NoEvent => {
                let then = platform::by_id(agent).map_or("", |row| row.calls_after);
                let why = format!(
                    "{agent} no longer calls hipocampus: this puts its hooks back; then {then}"
                );
                found.must("hipocampus update", why);
            }
            UnsavedReason::UnknownForm => {
                let why =
                    format!("{agent} keeps its sessions in a form that this version does not know");
                found.must("install the newest hipocampus", why);
            }
            UnsavedReason::Untold => {
                let of_it =
                    report.unsaved.iter().find(|unsaved| unsaved.why == UnsavedReason::Untold);
                let path =
                    of_it.map(|unsaved| unsaved.path.display().to_string()).unwrap_or_default();
                let why = "no record of it tells in which folder it was held: if it is this project's, this takes it in";
                found.must(format!("hipocampus import {path}"), why);
            }
            UnsavedReason::Unreadable => {
                let of_it =
                    report.unsaved.iter().find(|unsaved| unsaved.why == UnsavedReason::Unreadable);
                let path =
                    of_it.map(|unsaved| unsaved.path.display().to_string()).unwrap_or_default();
                found.must(format!("check who owns `{path}`"), "its transcript cannot be read");
            }
        }
    }
}

/// Agents that called lately and whose sessions cannot be read.
fn of_others(report: &Report, found: &mut Findings) {
    let called =
        |agent: &&Agent| agent.last.as_ref().is_some_and(|last| report.now - last.at <= LATELY);
    for agent in report.agents.iter().filter(called) {
        let Some(other) = platform::other_by_id(agent.platform) else { continue };
        found.wrong.push(format!("nothing said in {} is saved", other.name));
        let why = format!(
            "{} calls the hooks of this project, and this version cannot read its sessions: save there what matters yourself",
            other.name
        );
        found.must("hipocampus flush -m TEXT", why);
    }
}

/// What agents handed over lately in a form that is not known. A later call that can be read takes it back.
fn of_messages(report: &Report, found: &mut Findings) {
    let is_strange =
        |line: &String| line.contains(import::MESSAGES) && line.ends_with(import::UNKNOWN_FORM);
    if report.lately.iter().any(is_strange) {
        let why = "some of what an agent handed over is in a form that this version does not know";
        found.wrong.push(format!("not all that was said is saved: {why}"));
        found.must("install the newest hipocampus", why);
    }
}

fn of_installation(report: &Report, found: &mut Findings) {
    let Some(health) = &report.installation else { return };
    for Refused { what, .. } in &health.unreadable {
        found.wrong.push(format!("a file of yours cannot be read: {what}"));
        found.must("fix that file in an editor", what);
    }
    let off: Vec<&str> = report
        .agents
        .iter()
        .filter(|agent| agent.in_place == Some(false))
        .map(|agent| agent.platform)
        .collect();
    if !off.is_empty() {
        found.wrong.push(format!("what {} needs is not in place", off.join(", ")));
    }
    if health.needs_update() {
        let why = match (off.is_empty(), health.worktrees.len()) {
            (false, _) => format!("puts hooks, skills and section of {} back", off.join(", ")),
            (true, many) => format!("{} without hooks", counted(many, "worktree")),
        };
        found.must("hipocampus update", why);
    }
    for client in &health.clients {
        if let Some(program) = client.not_on_path() {
            let why = format!("the hooks of {} call it by its name", client.platform);
            found.must(format!("put `{program}` on your `PATH`"), why);
        }
    }
    if health.clients.is_empty() {
        found.must("hipocampus init", "no agent is set up here");
    }
    for agent in
        report.agents.iter().filter(|agent| agent.in_place == Some(true) && agent.last.is_none())
    {
        if let Some(advice) = &agent.advice {
            found.may(advice, format!("the hooks of {} have not run yet", agent.platform));
        }
    }
    for (name, _) in &health.plugins {
        let why = "it does the same work a second time";
        found.must(format!("claude plugin disable {name}"), why);
    }
    if let Some(shadow) = &health.shadow {
        found.may("fix your `PATH`", shadow);
    }
}

fn of_unsaved(report: &Report, found: &mut Findings) {
    of_unreadable(report, found);
    let waiting =
        report.unsaved.iter().filter(|unsaved| unsaved.why == UnsavedReason::NoEvent).count();
    if waiting == 0 {
        return;
    }
    let (command, why) = match waiting {
        1 => ("hipocampus flush", "saves the session that is not saved yet".to_owned()),
        many => ("hipocampus import", format!("saves the {many} sessions that are not saved yet")),
    };
    found.need(report.silence.is_empty(), command, why);
}

/// Sessions that no event brings in. Where a client has been silent because of them, that was said.
fn of_unreadable(report: &Report, found: &mut Findings) {
    for unsaved in &report.unsaved {
        let told = report
            .silence
            .iter()
            .any(|silence| (silence.agent, silence.why) == (unsaved.agent, unsaved.why));
        let agent = unsaved.agent;
        let (wrong, command) = match unsaved.why {
            _ if told => continue,
            UnsavedReason::NoEvent => continue,
            UnsavedReason::Unreadable => (
                format!("a session of {agent} is not saved: its transcript cannot be read"),
                format!("check `{}` and who owns it", unsaved.path.display()),
            ),
            UnsavedReason::Untold => (
                format!(
                    "a session of {agent} is not saved: no record tells in which folder it was held"
                ),
                format!("hipocampus import {}", unsaved.path.display()),
            ),
            UnsavedReason::UnknownForm => (
                format!(
                    "a session of {agent} is not saved: it is in a form that this version does not know"
                ),
                "install the newest hipocampus".to_owned(),
            ),
        };
        let why = unsaved.problem.clone().unwrap_or_else(|| wrong.clone());
        found.must(command, why);
        if !found.wrong.contains(&wrong) {
            found.wrong.push(wrong);
        }
    }
}

/// Sessions from before, which are in the clients' stores only: what to do first in a memory with nothing in it. Later
/// a row of the screen names them.
fn of_past(report: &Report, found: &mut Findings) {
    for gone in &report.gone_folders {
        found.may(gone.command(), gone.why());
    }
    let past = report.past_sessions.as_ref();
    if let Some(past) = past.filter(|_| report.memory.logs.days == 0) {
        let why = format!("brings in {}", counted(past.sessions, "past session"));
        found.may("hipocampus import", why);
    }
}

fn of_files(report: &Report, found: &mut Findings) {
    for note in report.memory.odd.iter().filter(|note| note.problem) {
        found.wrong.push(format!("{note}"));
        let command = format!("check who owns `{}` and its permissions", note.about);
        found.must(command, "it cannot be read");
    }
    for note in report.config.iter().filter(|note| note.problem && note.about != layout::CONFIG) {
        found.wrong.push(format!("{note}"));
    }
}

fn of_tree(report: &Report, found: &mut Findings) {
    let memory = &report.memory;
    if memory.to_do > 0 {
        let files = counted(memory.to_do, "file");
        let why = format!("brings {files} up to date; the next event does it, too");
        found.may("hipocampus compact", why);
    }
    for late in &memory.late {
        let why = format!("the log of {} changed after its week was fixed", late.period);
        found.must(&late.command, why);
    }
    // What somebody edited is for them to replace.
    let waiting = memory.waiting.iter().filter(|node| !node.edited).count();
    let is_at_work = report.background.as_ref().is_some_and(|background| background.allowed);
    if waiting > 0 && !is_at_work {
        of_waiting(report, waiting, found);
    }
    if let Some(root) =
        report.root.as_ref().filter(|root| root.by != WrittenBy::Program && root.standing.over > 0)
    {
        let why = format!(
            "ROOT.md is over its cap by {}: shorten it, or have it made anew",
            counted(root.standing.over, "token")
        );
        found.may("hipocampus compact --rebuild-root", why);
    }
}

/// Words that should not be there.
fn of_words(report: &Report, found: &mut Findings) {
    if report.came_back > 0 {
        let verb = if report.came_back == 1 { "stands" } else { "stand" };
        let what = counted(report.came_back, "part");
        let why = format!("{what} of what was forgotten {verb} in the logs again");
        found.must("hipocampus forget --again", why);
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
        found.may(format!("hipocampus import {}", lost.path), why);
    }
    if report.secrets.in_clear > 0 {
        let (verb, they) = if report.secrets.in_clear == 1 {
            ("stands", "it was")
        } else {
            ("stand", "they were")
        };
        let what = counted(report.secrets.in_clear, "secret");
        found.must("hipocampus scrub", format!("{what} {verb} in the logs as {they} written"));
    }
    if report.unscrubbed {
        let why = "the redaction rules changed since everything was looked through for secrets";
        found.must("hipocampus scrub", why);
    }
}

/// Nodes that wait for a model.
fn of_waiting(report: &Report, many: usize, found: &mut Findings) {
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
    found.need(report.due.is_none(), command, why);
}

/// What may stay as it is, and what a person may decide otherwise.
fn of_choices(report: &Report, found: &mut Findings) {
    for period in report.memory.without_log.iter().filter(|period| period.level() == Level::Daily) {
        let why = format!("day without a log: its node is the last copy and stays ({period})");
        found.may(format!("keep, or `hipocampus forget {period}`"), why);
    }
    if report.background.as_ref().is_some_and(|it| !it.allowed) {
        let why = "summaries are to be written in the background, and nobody allowed their command";
        found.may("hipocampus summarize --allow", why);
    }
    let odd = report.memory.odd.iter().filter(|note| !note.problem).count();
    if odd > 0 {
        let why = format!("{} in the memory that could be better", counted(odd, "thing"));
        found.may("hipocampus status --all", why);
    }
}

pub(super) fn day(at: DateTime<FixedOffset>) -> String {
    at.format("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status_report::unsaved::Unsaved;

    #[test]
    fn what_no_event_brings_in_is_not_healthy() {
        let check = |why: UnsavedReason, expect: ProjectState| {
            let unsaved = Unsaved {
                agent: "claude-code",
                session: "s".to_owned(),
                path: "/s.jsonl".into(),
                begun: false,
                first: None,
                last: None,
                why,
                problem: Some("it is a link".to_owned()),
                written: 0,
            };
            let mut report =
                Report { unsaved: vec![unsaved.clone(), unsaved], ..Report::default() };
            weigh(&mut report, None);
            assert_eq!(report.state, expect, "{:?}", report.wrong);
            assert_eq!(report.wrong.len(), usize::from(expect == ProjectState::NotHealthy));
        };
        check(UnsavedReason::NoEvent, ProjectState::Healthy);
        check(UnsavedReason::Unreadable, ProjectState::NotHealthy);
        check(UnsavedReason::UnknownForm, ProjectState::NotHealthy);
    }
}
