//! Heads of nodes that `compact` leaves alone, because the body is as the fingerprint says.

use std::collections::BTreeSet;

use super::logs::conflict_in;
use super::{CheckFinding, Fix};
use crate::layout;
use crate::memory::entry::{self, Entry};
use crate::memory::frontmatter::Document;
use crate::memory::node::KEYS;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Snapshot;
use crate::text::lossy;

/// What is wrong with the head of a node, and with what of its sources its text names. `late` are days that it need not
/// know of.
pub(super) fn of(library: &mut Snapshot<'_>, period: Period, late: &[Period]) -> Vec<CheckFinding> {
    let (Ok(bytes), Ok(Some(facts))) = (library.node(period), library.node_facts(period)) else {
        return Vec::new();
    };
    let document = Document::parse(&bytes);
    let path = layout::node_path(period);
    let mut found = Vec::new();
    // What the program wrote it can write again, as long as what it was made from is there.
    let mut say = |kind: &'static str, text: String| {
        let again = facts.is_as_written() && !facts.kept;
        let mend = "repair the head in an editor";
        found.push(if again {
            CheckFinding::fixed(&path, kind, text, Fix::Remake(period, facts.file))
        } else {
            CheckFinding::new(&path, kind, text, mend)
        });
    };
    if let Some(value) = document.value("fingerprint").filter(|_| facts.fingerprint.is_none()) {
        say("fingerprint", format!("its fingerprint cannot be read: {value}"));
    }
    let named = sources_named(&document, period.level());
    let there = sources_there(library, period);
    if !facts.is_as_written() {
        let gone = named.iter().find(|name| is_gone(library, name, period));
        if let Some(gone) = gone {
            say("reference", format!("its head names `{gone}`, which is not there"));
        }
        return found;
    }
    for text in of_keys(&document, period) {
        say("head", text);
    }
    if late.contains(&period) {
        return found;
    }
    let is_late =
        |name: &String| node_at(name).is_some_and(|node| late.iter().any(|day| day.lies_in(node)));
    if let Some(gone) =
        named.iter().find(|name| is_gone(library, name, period) && !there.is_empty())
    {
        say("reference", format!("its head names `{gone}`, which is not there"));
    } else if let Some(missing) = there.iter().find(|name| !named.contains(*name) && !is_late(name))
    {
        say("source", format!("its head does not name `{missing}`, which it is made from"));
    }
    if let Some(topic) = missing_topic(library, period, &lossy(document.body())) {
        say("topic", format!("does not name the topic \"{topic}\" of its log"));
    }
    let lines = document.value("lines").and_then(|lines| lines.parse().ok());
    found.extend(not_carried(library, period, lines, document.body()));
    found
}

/// The lines of a merge that was not finished, in the head of a node or in a text of somebody's. What the program wrote
/// may well be about such lines.
pub(super) fn conflict(library: &mut Snapshot<'_>, period: Period) -> Option<CheckFinding> {
    let (Ok(bytes), Ok(Some(facts))) = (library.node(period), library.node_facts(period)) else {
        return None;
    };
    let path = layout::node_path(period);
    let document = Document::parse(&bytes);
    let is_machines = facts.is_as_written();
    let text = if is_machines { document.above_body() } else { &bytes[..] };
    let found = conflict_in(&path, text)?;
    Some(if is_machines && !facts.kept {
        CheckFinding::fixed(&path, found.kind, found.text, Fix::Remake(period, facts.file))
    } else {
        found
    })
}

/// What is wrong with the keys of a head that the program wrote.
fn of_keys(document: &Document<'_>, period: Period) -> Vec<String> {
    let wanted = KEYS.iter().filter(|key| belongs(key, period.level()));
    let missing = wanted.filter(|key| document.line(key).is_none());
    let mut found: Vec<_> = missing.map(|key| format!("its head lacks `{key}`")).collect();
    if document.line("lines").is_some()
        && document.value("lines").is_none_or(|lines| lines.parse::<u64>().is_err())
    {
        found.push("`lines` in its head is no number".to_owned());
    }
    if let Period::Week(week) = period
        && let Some(dates) = document.value("dates")
        && dates != format!("{} to {}", Period::Day(week.first_day()), Period::Day(week.last_day()))
    {
        found.push(format!("its head says `dates: {dates}`, which is not its week"));
    }
    found
}

/// A node below that a week or month no longer holds word for word, where the program wrote both and put the text of
/// its sources, of so many `lines`, in as it is.
fn not_carried(
    library: &mut Snapshot<'_>,
    period: Period,
    lines: Option<u64>,
    body: &[u8],
) -> Option<CheckFinding> {
    let level = period.level();
    if level == Level::Daily || lines.is_none_or(|lines| lines > level.threshold()) {
        return None;
    }
    for node in library.listing.nodes_below(period) {
        let facts = library.node_facts(node).ok()??;
        let bytes = library.node(node).ok()?;
        let text = Document::parse(&bytes).body().trim_ascii();
        if facts.is_as_written() && memchr::memmem::find(body, text).is_none() {
            let (first, _) = node.days().into_inner();
            let day = library.listing.logs.range(node.days()).next().map_or(first, |(day, _)| *day);
            let what = format!("does not hold what `{}` says by now", layout::node_path(node));
            let mend = format!("hipocampus compact --reopen {day}");
            return Some(CheckFinding::new(layout::node_path(period), "stale node", what, mend));
        }
    }
    None
}

fn belongs(key: &str, level: Level) -> bool {
    match key {
        "dates" => level == Level::Weekly,
        "weeks" => level == Level::Monthly,
        _ => true,
    }
}

fn node_at(path: &str) -> Option<Period> {
    let period = Period::read(layout::name(path).strip_suffix(".md")?)?;
    (layout::node_path(period) == path).then_some(period)
}

/// The paths in `source-files`.
fn sources_named(document: &Document<'_>, level: Level) -> BTreeSet<String> {
    let line = document.line("source-files").unwrap_or_default();
    let list = line.split_once('[').map_or("", |(_, list)| list.trim_end().trim_end_matches(']'));
    let names = list.split(',').map(|name| name.trim().trim_matches(['"', '\'']));
    let below = |name: &&str| {
        let folder = match level {
            Level::Daily => layout::MEMORY.to_owned(),
            Level::Weekly => layout::level_path(Level::Daily),
            Level::Monthly => layout::level_path(Level::Weekly),
        };
        name.starts_with(&folder)
    };
    names.filter(|name| !name.is_empty()).filter(below).map(str::to_owned).collect()
}

/// The paths of what a node is made from, as they are there.
fn sources_there(library: &mut Snapshot<'_>, period: Period) -> BTreeSet<String> {
    match period {
        Period::Day(day) => {
            let files = library.listing.logs_of(day);
            let full = files.iter().filter(|file| file.stamp.size > 0);
            full.map(|file| layout::in_memory(&file.name)).collect()
        }
        Period::Week(_) | Period::Month(_) => {
            library.listing.nodes_below(period).into_iter().map(layout::node_path).collect()
        }
    }
}

/// Whether a source that a head names is not there. A day whose log is gone is its own last copy.
fn is_gone(library: &Snapshot<'_>, name: &str, period: Period) -> bool {
    let listing = &library.listing;
    match period {
        Period::Day(day) => {
            let logs = listing.logs.get(&day);
            logs.is_some_and(|files| files.iter().all(|file| layout::in_memory(&file.name) != name))
        }
        Period::Week(_) | Period::Month(_) => {
            node_at(name).is_none_or(|node| !listing.nodes.contains_key(&node))
        }
    }
}

/// The first topic of a day's logs that a generated node of it does not name. Of a name, the words count.
fn missing_topic(library: &mut Snapshot<'_>, period: Period, body: &str) -> Option<String> {
    let Period::Day(day) = period else { return None };
    let files = library.listing.logs_of(day);
    let body = body.to_lowercase();
    for file in files.iter() {
        let bytes = library.take_log(file).ok()?;
        let log = lossy(&bytes);
        let parsed = entry::parse(&log);
        for entry in parsed.entries().filter(Entry::has_topic) {
            let topic = entry.topic.to_lowercase();
            // Names are cut and secrets taken from them; what is left of those tells nothing.
            if topic.chars().count() > 80 || topic.contains("[redacted") {
                continue;
            }
            let words = topic.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
            if words.clone().count() > 0 && !words.clone().any(|word| body.contains(word)) {
                return Some(entry.topic.to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_of_a_head_are_read() {
        let head = |line: &str| format!("---\ntype: weekly\n{line}\n---\n\nx\n");
        let check = |line: &str, expect: &[&str]| {
            let text = head(line);
            let found = sources_named(&Document::parse(text.as_bytes()), Level::Weekly);
            assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expect, "{line}");
        };
        check(
            "source-files: [memory/daily/2026-03-09.md, memory/daily/2026-03-11.md]",
            &["memory/daily/2026-03-09.md", "memory/daily/2026-03-11.md"],
        );
        check("source-files: [\"memory/daily/2026-03-09.md\"]", &["memory/daily/2026-03-09.md"]);
        check("source-files: [elsewhere.md]", &[]);
        check("mood: good", &[]);
    }

    #[test]
    fn a_day_lies_in_its_week_and_month() {
        let day = Period::parse(Level::Daily, "2026-03-15").unwrap();
        for (path, expect) in [
            ("memory/daily/2026-03-15.md", true),
            ("memory/weekly/2026-W11.md", true),
            ("memory/monthly/2026-03.md", true),
            ("memory/weekly/2026-W12.md", false),
        ] {
            assert_eq!(node_at(path).is_some_and(|node| day.lies_in(node)), expect, "{path}");
        }
    }
}
