//! How a hook was called, and for which projects that is meant.

use std::path::{Path, PathBuf};

use crate::Problem;
use crate::capture::hook_input::HookInput;
use crate::project::{self, Location, StartFolder};
use crate::setup::plugin;
use crate::user_memory::{self, is_same_place};
use crate::world::World;

/// How a hook was called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HookCall<'a> {
    /// `-C`
    pub(crate) dir: Option<&'a Path>,
    /// `--private`: it stands in the user's own settings, which the agent reads in every folder, and is for private
    /// projects alone
    pub(crate) private: bool,
}

/// For which projects a call is meant: of hooks of the user's own settings and of the project's, only one kind answers.
#[derive(Debug, Clone)]
pub(crate) struct Meant {
    private: bool,
    /// those of the plugin are for every project
    by_plugin: bool,
    /// where the memory of the user lies, which answers no hook
    of_user: Option<PathBuf>,
}

impl HookCall<'_> {
    /// Where to look for the project, by what the agent says: of the folders of a workspace the one that has it. Fails
    /// as [`project::start`] does.
    pub(crate) fn start(&self, world: &World, input: &HookInput) -> Result<StartFolder, Problem> {
        let begin = project::start(world, self.dir, input.cwd.as_deref().map(Path::new))?;
        if self.dir.is_some() || input.roots.is_empty() || project::place(&begin).is_some() {
            return Ok(begin);
        }
        let mut roots = input.roots.iter().map(|root| begin.at(PathBuf::from(root)));
        let has_project = roots.find(|root| root.is_absolute() && project::place(root).is_some());
        Ok(has_project.unwrap_or(begin))
    }

    /// For which projects it is.
    pub(crate) fn meant(&self, world: &World) -> Meant {
        let of_user = user_memory::folder(world).ok();
        Meant { private: self.private, by_plugin: plugin::calls(world), of_user }
    }

    /// Whether it is for the project that it is made in. Where there is none, those of projects say so.
    pub(crate) fn is_meant(&self, world: &World, input: &HookInput) -> bool {
        let meant = self.meant(world);
        match self.start(world, input).ok().and_then(|start| project::place(&start)) {
            Some(place) => meant.in_project(&place),
            None => !self.private,
        }
    }
}

impl Meant {
    /// Whether a call is for this project.
    pub(crate) fn in_project(&self, place: &Location) -> bool {
        let is_users = self.of_user.as_deref().is_some_and(|own| is_same_place(own, &place.root));
        !is_users && (self.by_plugin || self.private == place.private_to().is_some())
    }
}
