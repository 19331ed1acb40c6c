//! Which agents a project is set up for.

use std::fmt::Write as _;
use std::path::Path;

use super::program;
use super::steps::{configured, remark};
use crate::cli::InitArgs;
use crate::config::Config;
use crate::import::past::{self, PastFilter, PastSessions};
use crate::platform::{self, ALL, Platform};
use crate::terminal::{read_line, safe};
use crate::{Problem, World, disk};

/// Which agents a project is set up for.
#[derive(Debug, Default)]
pub(crate) struct ChosenAgents {
    pub(crate) platforms: Vec<&'static Platform>,
    /// the past sessions of the project, where they were looked for
    pub(crate) past: Option<PastSessions>,
}

/// The flag, else the config, else what lies in the project; a flag is added to what the config has. Fails when the
/// config or the flag names a client that there is not, or nobody answers which one it is.
pub(crate) fn platforms(
    world: &mut World,
    root: &Path,
    config: &Config,
    args: &InitArgs,
) -> Result<ChosenAgents, Problem> {
    let mut rows = configured(&config.platforms())?;
    for id in &args.platform {
        let row =
            platform::by_id(id).ok_or_else(|| Problem::usage(format!("`{id}` is no platform")))?;
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return detected(world, root);
    }
    Ok(ChosenAgents { platforms: rows, past: None })
}

/// What lies in the project; where only hints do, what somebody at a terminal says, else the agents that had sessions
/// here, else Claude Code.
fn detected(world: &mut World, root: &Path) -> Result<ChosenAgents, Problem> {
    let folder = root.to_string_lossy().replace('\\', "/");
    let found = platform::detect(|path| disk::is_there(&root.join(path)), &folder);
    if found.is_empty() {
        let past = past::find(root, world, &PastFilter::default());
        let platforms = guess(world, root, &past)?;
        return Ok(ChosenAgents { platforms, past: Some(past) });
    }
    if found.len() > 1 {
        let text = format!("several agents are at home here: {}; {LEAVE_OUT}", ids(&found));
        remark(world, &text);
    }
    Ok(ChosenAgents { platforms: found, past: None })
}

/// How to have fewer agents than were found.
const LEAVE_OUT: &str = "to leave one out, take it from `platforms` in `hipocampus.config.json` and run `hipocampus update`";

fn ids(rows: &[&'static Platform]) -> String {
    rows.iter().map(|row| row.id).collect::<Vec<_>>().join(", ")
}

/// A client and what hints at it.
type Hinted = (&'static Platform, Vec<String>);

/// Every client with what hints at it: sessions of this project, a text that several clients read, its program on the
/// `PATH`. Most sessions first, then most hints.
fn hints(world: &World, root: &Path, past: &PastSessions) -> Vec<Hinted> {
    let sessions =
        |row: &Platform| past.sessions.iter().filter(|session| session.agent == row.id).count();
    let of = |row: &'static Platform| {
        let texts = row.hints.iter().filter(|path| disk::is_there(&root.join(path)));
        let mut hints: Vec<_> = texts.map(|path| format!("`{path}`")).collect();
        if !program::on_path(world, row.program).is_empty() {
            hints.push(format!("`{}` on your PATH", row.program));
        }
        if sessions(row) > 0 {
            // How many is said once, after what was set up.
            hints.push("sessions of this project".to_owned());
        }
        (row, hints)
    };
    let mut all: Vec<_> = ALL.iter().copied().map(of).collect();
    all.sort_by_key(|(row, hints)| std::cmp::Reverse((sessions(row), hints.len())));
    all
}

fn guess(
    world: &mut World,
    root: &Path,
    past: &PastSessions,
) -> Result<Vec<&'static Platform>, Problem> {
    let all = hints(world, root, past);
    let hinted = all.iter().filter(|(_, hints)| !hints.is_empty());
    let hinted: Vec<_> =
        hinted.map(|(row, hints)| format!("{} ({})", row.id, hints.join(", "))).collect();
    if !hinted.is_empty() && world.in_is_terminal && world.err_is_terminal {
        return ask(world, &all);
    }
    let used = |row: &&Platform| past.sessions.iter().any(|session| session.agent == row.id);
    let used: Vec<_> = all.iter().map(|(row, _)| *row).filter(used).collect();
    if !used.is_empty() {
        let rest = if used.len() > 1 { format!("; {LEAVE_OUT}") } else { String::new() };
        remark(world, &format!("taking {}, which had sessions here{rest}", ids(&used)));
        return Ok(used);
    }
    let default = ALL[0];
    let what = if hinted.is_empty() {
        "nothing here tells which agent is used".to_owned()
    } else {
        format!(
            "nothing here belongs to one agent alone, though there are hints: {}",
            hinted.join(", ")
        )
    };
    remark(world, &format!("{what}; taking {}, use `--platform` for another", default.id));
    Ok(vec![default])
}

/// Asks until the answer is one of them, or several, three times at most.
fn ask(world: &mut World, all: &[Hinted]) -> Result<Vec<&'static Platform>, Problem> {
    let mut text = "which agents are used here?\n".to_owned();
    for (number, (row, hints)) in (1..).zip(all) {
        let row = format!("  {number:>2}  {:<16}{}", row.name, hints.join(", "));
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let _ = world.err.write_all(safe(&text).as_bytes());
    for _ in 0..3 {
        let _ = write!(world.err, "numbers or names, with commas [1]: ");
        let _ = world.err.flush();
        let Some(answer) = read_line(world) else { break };
        if let Some(rows) = answered(answer.trim(), all) {
            return Ok(rows);
        }
        let _ = writeln!(world.err, "{}", safe(&format!("not one of these: {}", answer.trim())));
    }
    Err(Problem::usage("nobody said which agent is used here")
        .hint(format!("name it with `--platform`: {}; nothing was changed", platform::ids())))
}

fn answered(answer: &str, all: &[Hinted]) -> Option<Vec<&'static Platform>> {
    if answer.is_empty() {
        return all.first().map(|(row, _)| vec![*row]);
    }
    answer.split(',').map(|one| one_of(one.trim(), all)).collect()
}

fn one_of(answer: &str, all: &[Hinted]) -> Option<&'static Platform> {
    if let Ok(number) = answer.parse::<usize>() {
        return all.get(number.checked_sub(1)?).map(|(row, _)| *row);
    }
    let is = |name: &str| name.eq_ignore_ascii_case(answer);
    all.iter().map(|(row, _)| *row).find(|row| is(row.id) || is(row.name) || is(row.program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_number_a_name_or_nothing() {
        #[track_caller]
        fn check(all: &[Hinted], answer: &str, expect: Option<&str>) {
            assert_eq!(answered(answer, all).as_deref().map(ids).as_deref(), expect, "{answer}");
        }
        let all: Vec<Hinted> = ALL.iter().map(|row| (*row, Vec::new())).collect();
        check(&all, "", Some("claude-code"));
        check(&all, "2", Some("codex"));
        check(&all, "Claude Code", Some("claude-code"));
        check(&all, "claude", Some("claude-code"));
        check(&all, "opencode", Some("opencode"));
        check(&all, "2, Claude Code", Some("codex, claude-code"));
        check(&all, "1,vim", None);
        check(&all, "0", None);
        check(&all, "99", None);
        check(&all, "vim", None);
    }
}
