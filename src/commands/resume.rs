//! `hipocampus resume`: the command by which its own agent goes on with a session.

#![expect(
    clippy::disallowed_methods,
    reason = "this module starts an agent in place of this program"
)]

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::capture::block;
use crate::cli::ResumeArgs;
use crate::disk::{self, Memory};
use crate::error::{Exit, Problem};
use crate::import;
use crate::import::past::{self, LeftOut, Past, PastFilter};
use crate::platform::{self, Platform};
use crate::terminal::safe;
use crate::text::counted;
use crate::world::World;
use crate::{project, qmd};

pub(crate) fn run(args: &ResumeArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let found = past::find(&project.root, world, &PastFilter::default());
    // What is kept out of the memory can be gone on with all the same.
    let off = found.left_out.into_iter().filter(|(_, why)| *why == LeftOut::Off);
    let all: Vec<Past> = found.sessions.into_iter().chain(off.map(|(past, _)| past)).collect();
    let memory = Memory::open(&project.root)?;
    let is_known = |wanted: &str| {
        let reached = memory.as_ref().and_then(|memory| import::reached(memory.folder()).ok());
        reached.is_some_and(|(all, _)| all.keys().any(|name| name.starts_with(wanted)))
    };
    let past = chosen(&all, args.session.as_deref(), is_known)?;
    let resumed = Resumed::of(past, &project.root)?;
    if args.exec {
        return Err(resumed.run(world, &project.root).into());
    }
    let line = safe(&resumed.line(&world.cwd));
    writeln!(world.out, "{line}")?;
    Ok(Exit::Done)
}

/// The session that is meant: by its id or the beginning of it, else the one with words that was written to last.
/// `is_known` says whether the memory has a session whose name begins so.
fn chosen<'p>(
    all: &'p [Past],
    wanted: Option<&str>,
    is_known: impl Fn(&str) -> bool,
) -> Result<&'p Past, Problem> {
    let Some(wanted) = wanted else {
        // One that was opened and left again is not the one that is meant.
        let mut latest: Vec<&Past> = all.iter().collect();
        latest.sort_by_key(|past| std::cmp::Reverse(past.written));
        return latest.into_iter().find(|past| past.says_something()).ok_or_else(|| {
            Problem::new("no agent on this machine has a session of this project")
                .hint("start your agent here first")
        });
    };
    let names = |past: &Past| {
        [past.id.clone(), block::session_name(&past.id), block::hidden_name(&past.id)]
    };
    if let Some(past) = all.iter().find(|past| names(past).iter().any(|name| name == wanted)) {
        return Ok(past);
    }
    if wanted.len() < 4 {
        return Err(Problem::usage(format!("`{wanted}` is too short to name a session"))
            .hint("give at least four characters of its id, as `hipocampus search` prints it"));
    }
    let is_it = |past: &&Past| names(past).iter().any(|name| name.starts_with(wanted));
    let those: Vec<&Past> = all.iter().filter(is_it).collect();
    match those[..] {
        [past] => Ok(past),
        [] => {
            let what = "no agent on this machine has a session";
            let hint = if is_known(wanted) {
                format!("read it with `hipocampus show {wanted}`; its agent may have deleted it")
            } else {
                "find its id with `hipocampus search QUESTION`".to_owned()
            };
            Err(Problem::new(format!("{what} `{wanted}` of this project")).hint(hint))
        }
        [one, other, ..] => {
            let sessions = counted(those.len(), "session");
            Err(Problem::usage(format!("`{wanted}` begins {sessions}"))
                .hint(format!("write more of it: `{}`, `{}`", one.id, other.id)))
        }
    }
}

/// What goes on with a session.
struct Resumed {
    row: &'static Platform,
    words: Vec<String>,
    /// where it was held: agents look for a session by its folder
    folder: PathBuf,
}

impl Resumed {
    fn of(past: &Past, root: &Path) -> Result<Self, Problem> {
        let id = &past.id;
        if past.path().to_string_lossy().contains("/workspaceStorage/") {
            return Err(Problem::new(format!(
                "session `{id}` was held in VS Code, which has no command that goes on with it"
            ))
            .hint("open the project in VS Code and choose the session in its chat"));
        }
        let row = platform::by_id(past.agent)
            .ok_or_else(|| Problem::new(format!("no agent goes on with `{id}`")))?;
        let held_in = past.held_in.clone().filter(|folder| disk::is_dir(folder));
        let words = row.resume.iter().map(|word| word.replace("{session}", id)).collect();
        Ok(Self { row, words, folder: held_in.unwrap_or_else(|| root.to_owned()) })
    }

    /// The command for a shell in `cwd`.
    fn line(&self, cwd: &Path) -> String {
        let words = shell_words::join(&self.words);
        if disk::real_path(&self.folder) == disk::real_path(cwd) {
            return words;
        }
        format!("cd {} && {words}", shell_words::quote(&self.folder.to_string_lossy()))
    }

    /// Becomes the agent. Returns only where that fails.
    fn run(&self, world: &World, root: &Path) -> Problem {
        let (name, program) = (self.row.name, &self.words[0]);
        let Some(found) = qmd::program(world, root, program) else {
            return Problem::new(format!("`{program}`, which starts {name}, is not on `PATH`"))
                .hint(format!("install it, or run by hand: {}", self.line(&world.cwd)));
        };
        let mut command = Command::new(found);
        command.args(&self.words[1..]).current_dir(&self.folder).env_clear().envs(&world.env);
        Problem::new(format!("`{program}` cannot be started")).because(command.exec())
    }
}
