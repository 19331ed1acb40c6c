use crate::{cli::StatusArgs, error::Exit, world::World};
use anyhow::Result;
use std::path::Path;
pub(crate) fn run(_args: &StatusArgs, _dir: Option<&Path>, _world: &mut World) -> Result<Exit> {
    Ok(Exit::Done)
}
