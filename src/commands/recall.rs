//! `hipocampus recall`: what the hooks would tell an agent at this prompt.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use crate::cli::RecallArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::hooks::telling::{AT_A_FILE, of_file};
use crate::layout;
use crate::meaning::facts::FactCache;
use crate::memory::tokens::{Cost, cost};
use crate::project;
use crate::projects::{self, OwnProject};
use crate::recall::choose::{Chosen, Fate};
use crate::recall::user::Rules;
use crate::recall::{INTRODUCTION, files};
use crate::recollection::{self, Ask, recall};
use crate::refresh::index;
use crate::terminal::safe;
use crate::user_memory;
use crate::world::World;

/// `hipocampus recall`
pub(crate) fn run(args: &RecallArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    if args.everywhere {
        return everywhere(&args.text.join(" "), dir, world);
    }
    let project = project::find(&project::start(world, dir, None)?)?;
    let today = world.today()?;
    let memory = Memory::open(&project.root)?;
    let facts = match &memory {
        Some(memory) => index::today(&project, memory, today)?,
        None => FactCache::default(),
    };
    let has_root = memory.as_ref().filter(|_| !args.has_no_root);
    let page = has_root.map(|memory| memory.folder().text(layout::ROOT));
    let mut of_user = Rules::default();
    let chosen = match (&memory, &args.file) {
        (None, _) => Chosen::default(),
        (Some(_), Some(file)) => {
            let path = project.below(&world.cwd, file);
            let found = of_file(&project, &facts, path.as_ref().unwrap_or(file));
            let (lines, _) = files::lines(&found, AT_A_FILE - cost(INTRODUCTION));
            Chosen { lines, ..Chosen::default() }
        }
        (Some(memory), None) => {
            let ask = Ask {
                prompt: &args.text.join(" "),
                today,
                // As at the first prompt of a session.
                budget: Cost::tokens(project.config.recall.at_first()),
                session: None,
                before: &[],
                page: page.as_deref().unwrap_or_default(),
            };
            let chosen = recall(memory, &facts, &ask);
            of_user = recollection::of_user(user_memory::open(world), memory, &ask, &chosen);
            chosen
        }
    };
    if args.json {
        let rows: Vec<serde_json::Value> = chosen
            .fates
            .iter()
            .filter(|(_, fate)| args.why || *fate == Fate::Told)
            .filter_map(|(found, fate)| {
                let mut row = serde_json::to_value(found).ok()?;
                row["fate"] = serde_json::to_value(fate).ok()?;
                Some(row)
            })
            .collect();
        let told = serde_json::json!({
            "told": chosen.text(), "found": rows, "user": of_user.lines.join("\n"),
        });
        writeln!(world.out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else if args.why {
        for (found, fate) in &chosen.fates {
            let fate = serde_json::to_value(fate)?;
            let text: String = found.shown.chars().take(100).collect();
            let line = format!(
                "{:.2} {:.2} {} {} {}: {}: {text}",
                found.score,
                found.about,
                fate.as_str().unwrap_or_default(),
                found.day,
                found.kind,
                found.topic
            );
            writeln!(world.out, "{}", safe(&line))?;
        }
    } else {
        let known = Some(chosen.text()).filter(|text| !text.is_empty());
        for text in known.iter().chain(&of_user.lines) {
            writeln!(world.out, "{}", safe(text))?;
        }
    }
    if chosen.lines.is_empty() && of_user.lines.is_empty() {
        writeln!(world.err, "hipocampus recall: the memory has nothing that is about this")?;
        return Ok(Exit::Problem);
    }
    Ok(Exit::Done)
}

/// What every project of this user's would tell, below its name. Each is asked by itself, with its own limit; the one
/// whose best answer scores highest goes first.
fn everywhere(prompt: &str, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let today = world.today()?;
    let own = projects::all(world, project::locate(&project::start(world, dir, None)?).as_deref());
    projects::report(world, "recall", &own.refused);
    if own.all.is_empty() {
        return Err(projects::none().into());
    }
    let mut told: Vec<(f32, Arc<str>, Vec<String>)> = Vec::new();
    for OwnProject { name, root, memory } in own.all {
        let asked = project::open(&root).map_err(anyhow::Error::from).and_then(|project| {
            let facts = index::today(&project, &memory, today)?;
            let budget = Cost::tokens(project.config.recall.at_first());
            let ask = Ask { prompt, today, budget, session: None, before: &[], page: "" };
            Ok(recall(&memory, &facts, &ask))
        });
        match asked {
            Ok(chosen) if chosen.lines.is_empty() => {}
            Ok(chosen) => {
                let of_told = chosen.fates.iter().filter(|(_, fate)| *fate == Fate::Told);
                let best = of_told.map(|(found, _)| found.score).fold(0.0, f32::max);
                told.push((best, name, chosen.lines));
            }
            Err(why) => projects::report(world, "recall", &[(root, format!("{why:#}"))]),
        }
    }
    told.sort_by(|(one, _, _), (other, _, _)| other.total_cmp(one));
    if told.is_empty() {
        writeln!(world.err, "hipocampus recall: no project has anything that is about this")?;
        return Ok(Exit::Problem);
    }
    writeln!(world.out, "{INTRODUCTION}")?;
    for (_, name, lines) in told {
        writeln!(world.out, "{}", safe(&format!("{name}:\n{}", lines.join("\n"))))?;
    }
    Ok(Exit::Done)
}
