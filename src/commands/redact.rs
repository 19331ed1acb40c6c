//! `hipocampus redact [--json] [FILE | -]`: the redacted text on stdout, counts by rule on stderr.

#![expect(clippy::disallowed_methods, reason = "effects live here")]

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::Path;

use anyhow::Context as _;

use crate::capture::redact::{Redacted, Redactor};
use crate::cli::RedactArgs;
use crate::error::{Exit, Problem};
use crate::project;
use crate::world::World;

/// Redacts FILE, or stdin for `-` and for no FILE.
pub(crate) fn run(
    args: &RedactArgs,
    dir: Option<&Path>,
    world: &mut World,
) -> anyhow::Result<Exit> {
    let redactor = redactor(world, dir)?;
    let text = match args.file.as_deref() {
        None => from_stdin(world)?,
        Some(path) if path == Path::new("-") => from_stdin(world)?,
        Some(path) => std::fs::read(world.cwd.join(path)).with_context(|| {
            Problem::new(format!("cannot read `{}`", path.display()))
                .hint("name a file that can be read, or `-` for stdin")
        })?,
    };
    let redacted = if args.json { redactor.redact_jsonl(&text) } else { redactor.redact(&text) };
    world.out.write_all(&redacted.bytes).and_then(|()| world.out.flush())?;
    if let Some(line) = summary(&redacted) {
        let _ = writeln!(world.err, "{line}");
    }
    Ok(Exit::Done)
}

/// The rules in force here: the project's, and outside of any project the built-in ones.
fn redactor(world: &World, dir: Option<&Path>) -> Result<Redactor, Problem> {
    match project::locate(&project::start(world, dir, None)?) {
        Some(root) => project::open(&root)?.redactor(),
        None => Ok(Redactor::standard()),
    }
}

fn from_stdin(world: &mut World) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    let stdin = world.stdin.as_mut().ok_or_else(|| Problem::usage("stdin was read already"))?;
    stdin.read_to_end(&mut text).context("cannot read stdin")?;
    Ok(text)
}

/// `redacted 3: aws-access-key 2, jwt 1`; never a value.
fn summary(redacted: &Redacted) -> Option<String> {
    let total = redacted.total();
    if total == 0 {
        return None;
    }
    let mut counts: Vec<_> = redacted.counts.iter().collect();
    counts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let mut line = format!("redacted {total}:");
    for (index, (id, count)) in counts.into_iter().enumerate() {
        let _ = write!(line, "{} {id} {count}", if index == 0 { "" } else { "," });
    }
    Some(line)
}
