//! `hipocampus search`: from a question to the places that answer it.

use std::path::Path;

use anyhow::Result;

use crate::cli::SearchArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::memory::library::Shelf as _;
use crate::memory::tokens::Cost;
use crate::project;
use crate::search::{Query, Search, Source};
use crate::terminal::safe;
use crate::text::lossy;
use crate::world::World;

pub(crate) fn run(args: &SearchArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let today = world.today()?;
    let Some(memory) = Memory::open(&project.root)? else { return Ok(Exit::Problem) };
    let listing = memory.names()?.sort();
    let query = Query::parse(&args.query.join(" "), &[], today);
    let mut search = Search::new(&query, args.kind, args.by);
    for (day, files) in &listing.logs {
        for file in files.iter() {
            let Ok((bytes, _)) = memory.log(&file.name) else { continue };
            let source = Source { path: format!("memory/{}", file.name), date: *day, is_log: true };
            search.add(source, &lossy(&bytes));
        }
    }
    let limit = args.limit;
    let budget = Cost::tokens(u32::try_from(limit * 160).unwrap_or(u32::MAX));
    let mut read = |source: &Source| {
        let name = source.path.strip_prefix("memory/")?;
        memory.log(name).ok().map(|(bytes, _)| lossy(&bytes).into_owned())
    };
    let places = search.finish(limit, budget, &mut read);
    for place in &places {
        let source = &search.sources()[place.source];
        writeln!(world.out, "{} {}:{} {}\n{}", source.date, source.path, place.line, safe(&place.title), safe(&place.excerpt))?;
    }
    Ok(if places.is_empty() { Exit::Problem } else { Exit::Done })
}
