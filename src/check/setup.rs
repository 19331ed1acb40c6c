//! The configuration, and what `init` put in place for the clients. Programs of hooks are compared, never run.

use crate::Problem;
use crate::error::describe;
use crate::install::Refused;
use crate::layout;
use crate::memory::check::CheckFinding;
use crate::project::Project;
use crate::setup::health::{self, ClientHealth, Freshness, Health};
use crate::world::World;

/// What is wrong. A project that no client is set up for has nothing to be wrong.
pub(super) fn look(
    world: &World,
    project: &Project,
    broken: Option<&Problem>,
) -> Vec<CheckFinding> {
    let by_hand = || format!("repair {} in an editor", layout::CONFIG);
    let wrong =
        |what: String, mend: String| CheckFinding::new(layout::CONFIG, "configuration", what, mend);
    if let Some(problem) = broken {
        return vec![wrong(describe(problem), by_hand())];
    }
    let notes = project.notes.iter().map(|note| wrong(note.text.clone(), by_hand()));
    let mut found: Vec<CheckFinding> = notes.collect();
    if project.config.platforms().is_empty() {
        return found;
    }
    match health::look(world, project) {
        Ok(health) => found.extend(of(&health)),
        Err(problem) => {
            let mend = problem.hint.clone().unwrap_or_else(by_hand);
            found.push(wrong(describe(&problem), mend));
        }
    }
    found
}

fn of(health: &Health) -> Vec<CheckFinding> {
    let mut found: Vec<CheckFinding> = health.clients.iter().flat_map(of_client).collect();
    for (path, why) in &health.changes {
        let covered = found.iter().any(|known| known.path == *path);
        if !covered {
            let text = format!("is not as this version writes it ({why})");
            found.push(CheckFinding::new(path, "installation", text, UPDATE));
        }
    }
    found.extend(health.unreadable.iter().map(|Refused { path, what, .. }| {
        CheckFinding::new(
            path,
            "unreadable",
            what,
            "fix that file in an editor, then hipocampus update",
        )
    }));
    found.extend(health.worktrees.iter().map(|(folder, clients)| {
        let text = format!("this worktree has no hooks for {}", clients.join(", "));
        CheckFinding::new(folder, "worktree", text, UPDATE)
    }));
    found.extend(health.plugins.iter().map(|(name, file)| {
        let text = format!("the plugin `{name}` does the same work a second time");
        CheckFinding::new(file, "doubled hooks", text, format!("claude plugin disable {name}"))
    }));
    found
}

const UPDATE: &str = "hipocampus update";

fn of_client(client: &ClientHealth) -> Vec<CheckFinding> {
    let ClientHealth { platform, hooks_file, protocol_file, skills_dir, .. } = client;
    let parts = [
        (client.hooks, hooks_file, "hooks", "the hooks"),
        (client.protocol, protocol_file, "section", "the section"),
        (client.skills, skills_dir, "skills", "the skills"),
    ];
    let mut found = Vec::new();
    for (state, path, kind, what) in parts {
        let text = match state {
            Freshness::Missing => format!("{what} of {platform} are not there"),
            Freshness::Stale => format!("{what} of {platform} are not as this version writes them"),
            Freshness::Current | Freshness::None => continue,
        };
        found.push(CheckFinding::new(path, kind, text, UPDATE));
    }
    let dead = client.registered.iter().filter(|hook| !hook.alive);
    found.extend(dead.map(|hook| {
        let text =
            format!("{} of {platform} runs `{}`, which is not there", hook.event, hook.program);
        let mend = if hook.lacks_path() {
            format!("put `{}` on your PATH", hook.program)
        } else {
            UPDATE.to_owned()
        };
        CheckFinding::new(hooks_file, "dead hook", text, mend)
    }));
    found
}
