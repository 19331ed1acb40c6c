//! Showing what goes, and asking for it.

use std::io::Write as _;

use super::retraction::Retraction;
use super::rows::FileRow;
use crate::Problem;
use crate::terminal::{answer, safe};
use crate::text::counted;
use crate::world::World;

/// The beginnings of what goes that are shown of each file.
const SAYS: usize = 6;
/// How much of each is shown, in characters.
const BEGINNING: usize = 70;
/// The lines of a file of others that are named.
const LINES: usize = 10;

/// Says what goes, file by file.
pub(crate) fn rows(world: &mut World, rows: &[FileRow]) -> std::io::Result<()> {
    for FileRow { path, what, says } in rows {
        writeln!(world.out, "  {}: {}", safe(path), safe(what))?;
        for line in says.iter().take(SAYS) {
            writeln!(world.out, "      {}", safe(&beginning(line)))?;
        }
        if says.len() > SAYS {
            writeln!(world.out, "      and {} more", says.len() - SAYS)?;
        }
    }
    Ok(())
}

fn beginning(line: &str) -> String {
    match line.char_indices().nth(BEGINNING) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

/// Names what says it, or may say it, and is left to its owner.
pub(crate) fn left(
    world: &mut World,
    planned: &Retraction,
    beyond: &[String],
) -> std::io::Result<()> {
    for (path, lines) in &planned.named {
        let numbers: Vec<String> = lines.iter().take(LINES).map(ToString::to_string).collect();
        let more = if lines.len() > LINES { ", …" } else { "" };
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let numbers = numbers.join(", ");
        writeln!(world.out, "yours to edit: `{}` says it in {noun} {numbers}{more}", safe(path))?;
    }
    for path in &planned.in_other_words {
        writeln!(
            world.out,
            "yours to look through: `{}` was written by somebody and may say it in other words",
            safe(path)
        )?;
    }
    for what in beyond {
        writeln!(world.out, "out of reach: {}", safe(what))?;
    }
    Ok(())
}

/// Asks for a `yes`, where somebody is there to answer. Fails when nobody is there, or the answer is another one.
pub(crate) fn confirm(world: &mut World, question: &str, files: usize) -> Result<(), Problem> {
    if !world.in_is_terminal {
        return Err(Problem::usage("nobody is there to confirm this; nothing was changed")
            .hint("look at what goes, then run the command again with `--yes`"));
    }
    let files = counted(files, "file");
    if answer(world, &format!("{question} in {files}, for good; type `yes` to go on: ")) == "yes" {
        return Ok(());
    }
    Err(Problem::new("not confirmed; nothing was changed").hint("answer `yes` to go on"))
}
