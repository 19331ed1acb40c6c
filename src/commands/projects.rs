//! `hipocampus projects`: which projects this user has, as far as they are noted.

use std::path::PathBuf;

use anyhow::Result;
use chrono::NaiveDate;
use serde::Serialize;

use crate::cli::ProjectsArgs;
use crate::disk;
use crate::error::{Exit, describe};
use crate::projects::{self, OwnProject};
use crate::status_report::screen::columns;
use crate::terminal::{print_value, safe};
use crate::text::counted;
use crate::world::World;

/// A project, as `--json` prints it.
#[derive(Debug, Serialize)]
struct ProjectRow {
    /// what `search --everywhere` calls it
    name: String,
    path: String,
    /// days with a log
    days: usize,
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
}

/// `hipocampus projects`
pub(crate) fn run(args: &ProjectsArgs, world: &mut World) -> Result<Exit> {
    if let Some(given) = &args.forget {
        return forget(given, world);
    }
    let own = projects::all(world, None);
    let mut refused = own.refused;
    let mut rows = Vec::new();
    for OwnProject { name, root, memory } in own.all {
        match memory.names() {
            Ok(names) => {
                let logs = names.sort().logs;
                rows.push(ProjectRow {
                    name: name.to_string(),
                    path: root.to_string_lossy().into_owned(),
                    days: logs.len(),
                    first: logs.keys().next().copied(),
                    last: logs.keys().next_back().copied(),
                });
            }
            Err(why) => refused.push((root, describe(&why))),
        }
    }
    projects::report(world, "projects", &refused);
    rows.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.path.cmp(&b.path)));
    if args.json {
        print_value(world, &rows)?;
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        return Err(projects::none().into());
    }
    let lines: Vec<[String; 3]> = rows.iter().map(line).collect();
    let width = |column: usize| lines.iter().map(|line| columns(&line[column])).max().unwrap_or(0);
    let (names, spans) = (width(0), width(1));
    for [name, span, path] in &lines {
        let pad = |text: &str, to: usize| " ".repeat(to - columns(text) + 2);
        writeln!(world.out, "{name}{}{span}{}{path}", pad(name, names), pad(span, spans))?;
    }
    Ok(Exit::Done)
}

/// `webshop  3 days, 2026-03-01 to 2026-03-09  /home/ada/webshop`
fn line(row: &ProjectRow) -> [String; 3] {
    let days = counted(row.days, "day");
    let span = match (row.first, row.last) {
        (Some(first), Some(last)) if first != last => format!("{days}, {first} to {last}"),
        (Some(day), _) => format!("{days}, {day}"),
        _ => "no log yet".to_owned(),
    };
    [safe(&row.name), span, safe(&row.path)]
}

/// Leaves a project out that is called by its name or its path.
fn forget(given: &str, world: &mut World) -> Result<Exit> {
    let own = projects::all(world, None);
    let root = match own.all.iter().find(|it| *it.name == *given) {
        Some(found) => found.root.clone(),
        None => disk::real_path(&world.cwd.join(PathBuf::from(given))),
    };
    projects::leave_out(world, &root)?;
    let line = format!("`{}` is left out; its memory is as it was", root.display());
    writeln!(world.out, "{}", safe(&line))?;
    Ok(Exit::Done)
}
