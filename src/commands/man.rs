//! `hipocampus man`: the manual page on stdout, subcommands included.

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::{Exit, World};

pub(super) fn run(world: &mut World) -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    let mut command = Cli::command().mut_arg("help", |flag| flag.hide(true));
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let whole = Man::new(command);
    let _ = whole.render(&mut page);
    for subcommand in subcommands {
        let name = subcommand.get_name().to_uppercase();
        let man = Man::new(subcommand);
        page.extend(format!(".SH \"COMMAND {name}\"\n").bytes());
        let mut parts = Vec::new();
        let _ = man.render_description_section(&mut parts);
        let _ = man.render_options_section(&mut parts);
        // Sections of a section are subsections.
        page.extend(String::from_utf8_lossy(&parts).replace(".SH ", ".SS ").bytes());
    }
    world.out.write_all(&page)?;
    Ok(Exit::Done)
}
