//! `hipocampus blame`: everything that is known about a file.

use std::path::Path;

use anyhow::Result;

use crate::cli::BlameArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::hooks::telling::of_file;
use crate::meaning::facts::FactCache;
use crate::project;
use crate::refresh::index;
use crate::terminal::{Paint, safe};
use crate::world::World;

/// `hipocampus blame`
pub(crate) fn run(args: &BlameArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let facts = match Memory::open(&project.root)? {
        Some(memory) => index::today(&project, &memory, world.today()?)?,
        None => FactCache::default(),
    };
    let path = project.below(&world.cwd, &args.path).unwrap_or_else(|| args.path.clone());
    let found = of_file(&project, &facts, &path);
    if args.json {
        let rows: Vec<serde_json::Value> = found
            .iter()
            .map(|it| serde_json::json!({"day": it.day, "kind": it.kind, "from": it.from, "topic": it.topic, "text": it.text}))
            .collect();
        writeln!(world.out, "{}", serde_json::to_string_pretty(&rows)?)?;
    } else {
        let paint = Paint::of(world);
        for it in &found {
            let head = format!("{} {}", it.day, it.kind);
            let text = safe(&format!("{}: {}", it.topic, it.text));
            writeln!(world.out, "{}  {text}", paint.dim(&head))?;
        }
    }
    if found.is_empty() {
        writeln!(world.err, "hipocampus blame: the memory names `{}` nowhere", safe(&path))?;
        return Ok(Exit::Problem);
    }
    Ok(Exit::Done)
}
