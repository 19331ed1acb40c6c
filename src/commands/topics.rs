//! `hipocampus topics`: the full index that ROOT.md's last line points to.

use std::path::Path;

use anyhow::Result;

use crate::cli::TopicsArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::memory::compaction;
use crate::memory::root::{TopicRow, all_topics};
use crate::memory::snapshot::Snapshot;
use crate::memory::tokens::{Cost, cost};
use crate::project;
use crate::refresh::index;
use crate::setup::steps::remark;
use crate::terminal::safe;
use crate::text::counted;
use crate::world::World;

/// Days that are named of a topic; the rest is counted.
const DAYS: usize = 3;

/// The most tokens that are printed unless everything is asked for.
const LIMIT: u32 = 2000;

/// Topics of the Topics Index, the latest first, or with `--all` also those that have moved to the Historical Summary.
pub(crate) fn run(args: &TopicsArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let today = world.today()?;
    let Some(memory) = Memory::open(&project.root)? else {
        if args.json {
            writeln!(world.out, "[]")?;
        }
        return Ok(Exit::Done);
    };
    let redactor = project.redactor()?;
    let redact = |text| redactor.redact_owned(text);
    let rules = project.rules(today, redactor.version(), &redact);
    let mut library = Snapshot::new(memory.names()?.sort(), memory.facts(), &memory);
    let index = compaction::index(&mut library, &rules, index::open(&memory, false));
    let mut rows = all_topics(&index.cache, today);
    rows.retain(|row| (args.all || !row.history) && args.kind.is_none_or(|kind| kind == row.kind));
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        let hint = "only entries have topics, and there are none to list; `hipocampus search QUESTION` finds what was said";
        remark(world, &format!("hint: {hint}"));
    }
    let mut room =
        if args.all { Cost(u32::MAX) } else { Cost::tokens(LIMIT) - cost(&more(usize::MAX)) };
    let mut rows = rows.iter().peekable();
    while let Some(row) = rows.peek() {
        let line = safe(&line(row)) + "\n";
        let Some(left) = room.0.checked_sub(cost(&line).0) else { break };
        room = Cost(left);
        write!(world.out, "{line}")?;
        rows.next();
    }
    let left = rows.count();
    if left > 0 {
        writeln!(world.out, "{}", more(left))?;
    }
    Ok(Exit::Done)
}

/// How to go on.
fn more(topics: usize) -> String {
    let topics = counted(topics, "more topic");
    format!("({topics}: `hipocampus topics --all`, or `--type` for one kind of them)")
}

/// `- topic [type, Nd]: words → 2026-03-01, 02-27, 3 more`
fn line(row: &TopicRow) -> String {
    let doubt = if row.doubtful { ", ?" } else { "" };
    let words = if row.keywords.is_empty() {
        String::new()
    } else {
        format!(": {}", row.keywords.join(", "))
    };
    let mut days: Vec<String> = row.days.iter().take(DAYS).map(ToString::to_string).collect();
    if row.days.len() > DAYS {
        days.push(format!("{} more", row.days.len() - DAYS));
    }
    format!("- {} [{}, {}d{doubt}]{words} → {}", row.topic, row.kind, row.age, days.join(", "))
}
