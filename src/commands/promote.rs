//! `hipocampus promote`: moves a rule from a project to the user's own memory.

use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;

use crate::cli::PromoteArgs;
use crate::disk::Memory;
use crate::error::{Exit, Problem};
use crate::meaning::facts::topic_names::fold;
use crate::memory::entry;
use crate::project::{self, Project};
use crate::refresh::{by_hand, carry_out, tree};
use crate::retract::contents::Contents;
use crate::retract::forget::{ForgetTarget, plan};
use crate::retract::literal_words::LiteralWords;
use crate::save_entry::save_entry;
use crate::terminal::safe;
use crate::text::lossy;
use crate::user_memory;
use crate::world::World;

/// An entry about the user, as its log has it.
struct Rule {
    day: NaiveDate,
    topic: String,
    /// with its heading
    text: String,
}

/// `hipocampus promote`
pub(crate) fn run(args: &PromoteArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    user_memory::refuse(world, &project.root, "its rules hold everywhere already")?;
    let wanted = args.rule.join(" ");
    let memory = Memory::open(&project.root)?.ok_or_else(|| none(&wanted))?;
    let rules = named(&project, &memory, &wanted)?;
    let Some(newest) = rules.last() else { return Err(none(&wanted).into()) };
    if args.dry_run {
        for rule in &rules {
            writeln!(world.out, "would move, from {}:\n{}", rule.day, safe(&rule.text))?;
        }
        return Ok(Exit::Done);
    }
    // There first: what is cut short has it twice, and never not at all.
    for rule in &rules {
        save(rule, world)?;
    }
    let alone = carry_out::begin(&project, &memory, world)?;
    let today = world.today()?;
    let mut last = None;
    for rule in &rules {
        let Some(words) = LiteralWords::of(&rule.text) else { continue };
        let target = ForgetTarget::Words(words);
        let done = carry_out::retraction(&project, &memory, &alone, today, || {
            let known = carry_out::tombstones(&memory)?;
            let salt = carry_out::salt()?;
            plan(&Contents::look(&project, &memory)?, &target, &[], known.under(salt))
        })?;
        by_hand::search(&project, world, &done, false);
        last = Some(done);
    }
    let exit = match &mut last {
        Some(done) => carry_out::report(done, world)?,
        None => Exit::Done,
    };
    if named(&project, &memory, &newest.topic).is_ok() {
        let what = format!("`{}` is saved in your memory, and still in the project", newest.topic);
        return Err(Problem::new(what).hint("`hipocampus forget` takes it out there").into());
    }
    writeln!(world.out, "moved: `{}` holds in every project now", safe(&newest.topic))?;
    Ok(exit)
}

/// Saves a rule in the user's memory.
fn save(rule: &Rule, world: &mut World) -> Result<()> {
    let folder = user_memory::or_user(true, None, world)?.unwrap_or_default();
    let project = project::open(&folder)?;
    let redactor = project.redactor()?;
    let memory = Memory::make(&project.root, false)?;
    tree::begin_clean(&memory, redactor.version());
    let entry = format!("{}\n", rule.text.trim_end());
    user_memory::check_types(entry.as_bytes())?;
    let lock = save_entry(&project, memory.folder(), entry.as_bytes(), world, &redactor)?;
    by_hand::after_capture(&project, &memory, world, &lock)?;
    Ok(())
}

/// The entries of a topic, the oldest first; else of the one topic whose entries have these words.
fn named(project: &Project, memory: &Memory, wanted: &str) -> Result<Vec<Rule>, Problem> {
    let contents = Contents::look(project, memory)?;
    let mut all: Vec<Rule> = Vec::new();
    for (day, path) in &contents.logs {
        let log = contents.read(path)?;
        let log = lossy(&log);
        for entry in entry::parse(&log).entries().filter(|entry| entry.kind.is_about_user()) {
            let lines: Vec<&str> = entry.lines.iter().map(|line| line.text).collect();
            let heading = format!("## {} [{}]", entry.topic, entry.kind.word());
            let text = format!("{heading}\n{}", lines.join("\n")).trim_end().to_owned();
            all.push(Rule { day: *day, topic: entry.topic.to_owned(), text });
        }
    }
    let of_topic = |topic: &str| {
        let topic = fold(topic);
        move |rule: &Rule| fold(&rule.topic) == topic
    };
    if all.iter().any(of_topic(wanted)) {
        all.retain(of_topic(wanted));
        return Ok(all);
    }
    let words = LiteralWords::of(wanted).ok_or_else(|| none(wanted))?;
    let mut topics: Vec<&str> =
        all.iter().filter(|rule| words.stand_in(&rule.text)).map(|rule| &*rule.topic).collect();
    topics.dedup_by_key(|topic| fold(topic));
    let topic = match topics[..] {
        [] => return Err(none(wanted)),
        [topic] => topic.to_owned(),
        [one, other, ..] => {
            let what = format!("`{wanted}` stands in several rules");
            let hint = format!("name one by its topic: `{one}`, `{other}`; nothing was changed");
            return Err(Problem::usage(what).hint(hint));
        }
    };
    all.retain(of_topic(&topic));
    Ok(all)
}

fn none(wanted: &str) -> Problem {
    Problem::new(format!("no `user` or `feedback` entry is called `{wanted}`"))
        .hint("`hipocampus topics --type feedback` lists them; nothing was changed")
}
