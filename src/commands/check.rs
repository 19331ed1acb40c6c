//! `hipocampus check`: proves from the files alone that the memory is whole, or says what is not and how to repair it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::Problem;
use crate::check::{self, Checked, mend::mend, mendable};
use crate::cli::CheckArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::hooks::in_force;
use crate::memory::check::CheckFinding;
use crate::project::{self, Project};
use crate::refresh::by_hand::take_lock;
use crate::terminal::{Paint, safe};
use crate::text::counted;
use crate::world::{Talk, World};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    checked: &'a Checked,
    /// what `--fix` has repaired
    mended: &'a [CheckFinding],
}

pub(crate) fn run(args: &CheckArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let start = project::start(world, dir, None)?;
    let now = world.now()?;
    let place = project::place(&start).ok_or_else(|| project::none_at(&start))?;
    let (project, broken) = in_force::or_bare(place);
    let before = check::look(world, &project, broken.as_ref(), now)?;
    let (checked, mended) = match (args.fix && mendable(&before.findings) > 0, broken) {
        (true, None) => fixed(world, &project, before, now)?,
        // Without the configuration nobody knows whose modes and which secrets are meant.
        _ => (before, Vec::new()),
    };
    if args.json {
        let report = Report { checked: &checked, mended: &mended };
        writeln!(world.out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        let text = render(&checked, &mended, Paint::of(world), world.talk);
        world.out.write_all(text.as_bytes())?;
    }
    Ok(if checked.findings.is_empty() { Exit::Done } else { Exit::Problem })
}

/// Repairs under the lock and looks once more. What is found then and was not before came from somebody else.
fn fixed(
    world: &mut World,
    project: &Project,
    before: Checked,
    now: DateTime<FixedOffset>,
) -> Result<(Checked, Vec<CheckFinding>)> {
    let Some(memory) = Memory::open(&project.root)? else { return Ok((before, Vec::new())) };
    let lock = take_lock(memory.folder(), world.patience)?;
    let Some(alone) = lock.held() else {
        let what = "the memory cannot be locked here, so nothing was mended";
        return Err(Problem::new(what).hint("repair by hand what `hipocampus check` lists").into());
    };
    mend(world, project, &memory, alone, now)?;
    let after = check::look(world, project, None, now)?;
    let gone = |finding: &CheckFinding| {
        !after.findings.iter().any(|left| (&left.path, left.kind) == (&finding.path, finding.kind))
    };
    let mended = before.findings.into_iter().filter(gone).collect();
    Ok((after, mended))
}

fn render(checked: &Checked, mended: &[CheckFinding], paint: Paint, talk: Talk) -> String {
    let mut text = String::new();
    for CheckFinding { path, text: what, .. } in mended {
        let _ = writeln!(text, "mended: {}", safe(&format!("{path}: {what}")));
    }
    for CheckFinding { path, text: what, mend, .. } in &checked.findings {
        let _ = writeln!(text, "{}: {}", paint.bold(&safe(path)), safe(what));
        let _ = writeln!(text, "    {}", paint.warn(&safe(mend)));
    }
    let Checked { days, nodes, sessions, findings } = checked;
    let looked = format!(
        "{}, {} and {} looked at",
        counted(*days, "day"),
        counted(*nodes, "node"),
        counted(*sessions, "session")
    );
    match (findings.len(), mendable(findings)) {
        (0, _) if talk == Talk::Quiet => {}
        (0, _) => {
            let _ = writeln!(text, "{}: {looked}", paint.bold("all is whole"));
        }
        (all, 0) => {
            let _ = writeln!(text, "{} wrong: {looked}", counted(all, "thing"));
        }
        (all, many) => {
            let them =
                if many == all { "all of them".to_owned() } else { format!("{many} of them") };
            let _ = writeln!(
                text,
                "{} wrong: {looked}; `hipocampus check --fix` repairs {them} and loses nothing",
                counted(all, "thing")
            );
        }
    }
    text
}
