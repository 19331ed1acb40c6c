//! `hipocampus hook session-start`: catches up on conversations whose end was missed, compacts, and tells the
//! agent what it should know.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::import;
use super::sessions::{self, Client, Session};
use crate::capture::Redact;
use crate::capture::hook_input::HookInput;
use crate::disk::{Folder, Lock, Wait};
use crate::layout;
use crate::memory::frontmatter::Document;
use crate::world::World;

/// How long catching up may take: clients wait ten seconds for this hook.
const CATCH_UP: Duration = Duration::from_secs(5);
/// The most characters a client takes as context without cutting it, less some room.
const CONTEXT_LIMIT: usize = 9_500;
/// The most problems that are told.
const PROBLEMS: usize = 3;

/// What a compaction leaves to say at the start of a session.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// why a summary is due, if it is
    pub(crate) due: Option<String>,
    /// what went wrong lately, one line each
    pub(crate) problems: Vec<String>,
}

/// Runs the hook. `then_compact` is given the lock, so that nothing comes between.
///
/// # Errors
/// When the memory cannot be opened, or compaction fails.
pub(crate) fn session_start(
    root: &Path,
    hook: &HookInput,
    world: &mut World,
    redact: &dyn Redact,
    problems: &mut Vec<String>,
    then_compact: impl FnOnce(&mut World, Lock, &mut Vec<String>) -> anyhow::Result<Standing>,
) -> anyhow::Result<()> {
    let memory = Folder::open(&root.join(layout::MEMORY))?;
    let lock = memory.lock(layout::LOCK, Wait::Hook);
    if !matches!(lock, Lock::Busy) {
        catch_up(root, &memory, world, redact, problems)?;
    }
    let standing = then_compact(world, lock, problems)?;
    let root_md = match client(hook, world) {
        Client::Codex => memory.read_if_there(layout::ROOT).ok().flatten(),
        Client::ClaudeCode => None,
    };
    let root_md = root_md
        .map(|(bytes, _)| String::from_utf8_lossy(Document::parse(&bytes).body()).into_owned());
    if let Some(context) = context(&standing, root_md.as_deref()) {
        let output = serde_json::json!({
            "hookSpecificOutput": {
                "hookEventName": "SessionStart",
                "additionalContext": context,
            }
        });
        writeln!(world.out, "{output}")?;
    }
    Ok(())
}

/// Imports what is new from this project's conversations since it was set up, latest first.
fn catch_up(
    root: &Path,
    memory: &Folder,
    world: &World,
    redact: &dyn Redact,
    problems: &mut Vec<String>,
) -> anyhow::Result<()> {
    let deadline = Instant::now() + CATCH_UP;
    let since = sessions::set_up(root);
    let reached: HashMap<String, u64> = import::reached(memory)?;
    let candidates: Vec<Session> = sessions::of_project(root, world, since).collect();
    for session in candidates {
        let done = reached.get(&session.id).is_some_and(|reached| {
            *reached == session.size || import::is_silent(&session.path, *reached..session.size)
        });
        if done || Instant::now() >= deadline {
            continue;
        }
        let hook = HookInput {
            transcript_path: Some(session.path.to_string_lossy().into_owned()),
            ..HookInput::default()
        };
        let outcome = import::import(root, &hook, world, redact, Some(deadline))?;
        problems.extend(outcome.notes.iter().map(ToString::to_string));
    }
    Ok(())
}

/// Which client calls: told by where it keeps its transcript, else by what Claude Code sets for its hooks.
fn client(hook: &HookInput, world: &World) -> Client {
    let name = hook.transcript_path.as_deref().map(Path::new).and_then(Path::file_name);
    let is_codex = match name.and_then(|name| name.to_str()) {
        Some(name) => name.starts_with("rollout-"),
        None => world.var("CLAUDE_PROJECT_DIR").is_none() && world.var("CODEX_HOME").is_some(),
    };
    if is_codex { Client::Codex } else { Client::ClaudeCode }
}

/// The few lines an agent should know, and on Codex the index of the memory; `None` if there is nothing to
/// say. Begins with our name, by which the import knows it again.
fn context(standing: &Standing, root_md: Option<&str>) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(reason) = &standing.due {
        lines.push(format!(
            "hipocampus: a summary is due ({reason}); run the `hipocampus-compaction` skill when convenient"
        ));
    }
    for problem in standing.problems.iter().take(PROBLEMS) {
        let problem: String = problem.chars().take(300).collect();
        lines.push(format!("hipocampus: {problem}"));
    }
    if standing.problems.len() > PROBLEMS {
        let more = standing.problems.len() - PROBLEMS;
        lines.push(format!("hipocampus: {more} more problems, see `hipocampus status`"));
    }
    if let Some(body) = root_md.map(str::trim).filter(|body| !body.is_empty()) {
        lines
            .push("hipocampus: the index of this project's memory, `memory/ROOT.md`:\n".to_owned());
        let rest = "\n(more in `memory/ROOT.md`)";
        let used: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
        let room = CONTEXT_LIMIT.saturating_sub(used + rest.len());
        if body.chars().count() <= room {
            lines.push(body.to_owned());
        } else {
            let mut kept = String::new();
            let mut count = 0;
            for line in body.split_inclusive('\n') {
                count += line.chars().count();
                if count > room {
                    break;
                }
                kept.push_str(line);
            }
            lines.push(kept.trim_end().to_owned() + rest);
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_unless_something_matters() {
        assert_eq!(context(&Standing::default(), None), None);
        let standing =
            Standing { due: Some("more than 300 raw lines".into()), problems: vec!["x".into(); 5] };
        let text = context(&standing, None).unwrap();
        assert_eq!(text.lines().count(), 5);
        assert!(text.lines().all(|line| line.starts_with("hipocampus: ")));
        assert!(text.ends_with("2 more problems, see `hipocampus status`"));
    }

    #[test]
    fn the_index_is_cut_at_a_line() {
        let body = "## Active Context\n- 한글 line\n".repeat(800);
        let text = context(&Standing::default(), Some(&body)).unwrap();
        assert!(text.chars().count() <= CONTEXT_LIMIT);
        assert!(text.chars().count() > CONTEXT_LIMIT - 60);
        assert!(text.ends_with("\n(more in `memory/ROOT.md`)"));
        let short = context(&Standing::default(), Some("- a\n")).unwrap();
        assert!(short.ends_with("\n- a"));
    }

    #[test]
    fn the_client_is_told_by_its_transcript() {
        let mut world = World::of_process();
        world.env.remove(std::ffi::OsStr::new("CLAUDE_PROJECT_DIR"));
        world.env.remove(std::ffi::OsStr::new("CODEX_HOME"));
        let hook = |path: &str| HookInput {
            transcript_path: (!path.is_empty()).then(|| path.to_owned()),
            ..HookInput::default()
        };
        assert_eq!(client(&hook("/h/rollout-2026-x.jsonl"), &world), Client::Codex);
        assert_eq!(client(&hook("/h/.claude/projects/x/s.jsonl"), &world), Client::ClaudeCode);
        assert_eq!(client(&hook(""), &world), Client::ClaudeCode);
    }
}
