//! `hipocampus topics`: what ROOT.md groups by, all of it.

use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;
use serde::{Serialize, Serializer};

use crate::cli::TopicsArgs;
use crate::disk::Memory;
use crate::error::Exit;
use crate::meaning::facts::topic_names::fold;
use crate::meaning::page::line::is_doubtful;
use crate::meaning::page::topics::{Topic, topics};
use crate::memory::entry::EntryType;
use crate::memory::tokens::{Cost, cost};
use crate::project;
use crate::refresh::index;
use crate::setup::steps::remark;
use crate::terminal::safe;
use crate::text::counted;
use crate::world::World;

/// Days that are named of a topic; the rest is counted.
const DAYS: usize = 3;
/// Words that are named of a topic.
const WORDS: usize = 3;

/// The most tokens that are printed unless everything is asked for.
const LIMIT: u32 = 2000;

/// One topic, as `--json` prints it.
#[derive(Debug, Serialize)]
struct TopicRow {
    /// its newest spelling
    topic: String,
    /// its newest type
    #[serde(rename = "type")]
    kind: EntryType,
    /// days since something was last said of it
    age: u32,
    /// how many nodes say something of it
    entries: usize,
    /// the days of these, newest first
    #[serde(serialize_with = "as_dates")]
    days: Vec<NaiveDate>,
    /// it says that it is finished
    done: bool,
    /// a project topic that is finished or has not come up for 90 days: it is in the Historical Summary only
    history: bool,
    /// a reference nobody has mentioned for 30 days
    doubtful: bool,
    /// what is known of it, the weightiest first
    known: Option<String>,
    /// up to three of its best words
    keywords: Vec<String>,
}

fn as_dates<S: Serializer>(days: &[NaiveDate], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(days.iter().map(NaiveDate::to_string))
}

impl TopicRow {
    fn of(topic: &Topic<'_>) -> Self {
        let mut days: Vec<NaiveDate> = topic.days.iter().map(|day| day.last_day()).collect();
        days.dedup();
        let mut words: Vec<String> = Vec::new();
        for word in topic.mentions.iter().flat_map(|mention| &mention.subject.words) {
            let is_new = !words.iter().any(|known| fold(known) == fold(word));
            if words.len() < WORDS && is_new && !fold(topic.name).contains(&fold(word)) {
                words.push(word.clone());
            }
        }
        Self {
            topic: topic.name.to_owned(),
            kind: topic.kind,
            age: topic.age,
            entries: topic.mentions.len(),
            days,
            done: topic.done,
            history: topic.is_history(),
            doubtful: is_doubtful(topic.kind, topic.age),
            known: topic.facts.first().map(|(_, fact)| fact.text.clone()),
            keywords: words,
        }
    }
}

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
    let index = index::today(&project, &memory, today)?;
    let topics = topics(&index, today);
    let mut rows: Vec<TopicRow> = topics.iter().map(TopicRow::of).collect();
    rows.retain(|row| (args.all || !row.history) && args.kind.is_none_or(|kind| kind == row.kind));
    if args.json {
        writeln!(world.out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        let hint = "there are no topics to list; `hipocampus search QUESTION` finds what was said";
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
