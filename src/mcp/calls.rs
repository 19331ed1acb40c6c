//! One call: a command in surroundings of its own, whose answer is what it printed.

use std::path::{Path, PathBuf};

use crate::cli::Command;
use crate::error::{Exit, Problem};
use crate::project;
use crate::projects;
use crate::recall::INTRODUCTION;
use crate::terminal;
use crate::world::World;

/// Runs a command: what the command line does with one.
pub(crate) type Dispatch = fn(Option<&Command>, Option<&Path>, &mut World) -> anyhow::Result<Exit>;

/// How the project is named.
const NAME_IT: &str = "name it where the server is started: `hipocampus mcp -C DIR`";
/// Said of an agent whose hooks nobody hears.
const UNHEARD: &str = "no hook saves this session; what follows is about agents with hooks";

/// What a command answered.
pub(super) struct Said {
    pub(super) text: String,
    /// whether it failed, which is not the same as that it found nothing
    pub(super) failed: bool,
}

/// Where a call looks for its project.
#[derive(Clone, Default)]
pub(super) struct Place {
    /// the folders to look in, the first that belongs to a project; none: the working directory
    pub(super) folders: Vec<PathBuf>,
    /// whether they were named by whoever started the server
    pub(super) is_given: bool,
    /// why nobody knows where to look
    pub(super) unknown: Option<&'static str>,
    /// whether other projects of the user may be read
    pub(super) everywhere: bool,
}

impl Place {
    /// The folder to look in.
    pub(super) fn dir(&self, world: &World) -> Option<&Path> {
        let belongs = |folder: &&PathBuf| {
            let start = project::start(world, Some(folder.as_path()), None);
            start.is_ok_and(|start| project::locate(&start).is_some())
        };
        let folder = self.folders.iter().find(belongs).or(self.folders.first());
        folder.map(PathBuf::as_path)
    }
}

/// Runs a command, or tells why there is none.
pub(super) fn run(command: Result<Command, Problem>, place: &Place, dispatch: Dispatch) -> Said {
    let (mut world, out, err) = World::unwatched();
    // What `recall` prints says by itself what it is.
    let quotes = matches!(command, Ok(Command::Search(_) | Command::Show(_)));
    let is_status = matches!(command, Ok(Command::Status(_)));
    let done = answer(command, place, dispatch, &mut world);
    if let Err(problem) = &done {
        terminal::report(&mut world, problem);
    }
    let out = out.text();
    let mut text = String::new();
    if quotes && !out.is_empty() {
        text = format!("{INTRODUCTION}\n");
    }
    if is_status && done.is_ok() {
        text = format!("{UNHEARD}\n\n");
    }
    text += &out;
    text += &err.text();
    Said { text, failed: done.is_err() }
}

fn answer(
    command: Result<Command, Problem>,
    place: &Place,
    dispatch: Dispatch,
    world: &mut World,
) -> anyhow::Result<()> {
    let command = command?;
    if let Some(why) = place.unknown {
        return Err(Problem::new(why).hint(NAME_IT).into());
    }
    let dir = place.dir(world);
    let names_another = match &command {
        Command::Search(args) => args.everywhere,
        Command::Show(args) => projects::named(world, &args.what.concat()).is_some(),
        _ => false,
    };
    if names_another && !place.everywhere {
        return Err(Problem::new("this server reads one project")
            .hint("start it with `hipocampus mcp --everywhere` to read all of the user's")
            .into());
    }
    let start = project::start(world, dir, None)?;
    let is_everywhere = matches!(&command, Command::Search(args) if args.everywhere);
    if !is_everywhere && project::locate(&start).is_none() {
        let problem = project::none_at(&start);
        let hint = format!("run `hipocampus init` in the project's folder, or {NAME_IT}");
        return Err(if place.is_given { problem } else { problem.hint(hint) }.into());
    }
    dispatch(Some(&command), dir, world)?;
    Ok(())
}
