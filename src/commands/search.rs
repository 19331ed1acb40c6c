//! `hipocampus search`: from a question to the places that answer it.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, NaiveDate};
use clap::CommandFactory as _;
use serde::Serialize;

use crate::cli::{Cli, Engine, SearchArgs};
use crate::corpus::{self, Texts};
use crate::disk::Memory;
use crate::error::{Exit, Problem, describe};
use crate::memory::snapshot::Stamp;
use crate::memory::tokens::Cost;
use crate::project::{self, Project};
use crate::qmd;
use crate::search::{self, Near, Place, Query, Search, SearchedText};
use crate::status_report::screen::columns;
use crate::terminal::{Paint, is_harmless, safe};
use crate::text::counted;
use crate::world::World;

/// Places that are shown where nobody says how many: in a pipe, and on a terminal.
const PLACES: usize = 5;
const PLACES_ON_TERMINAL: usize = 3;
/// Lines of a place on a terminal, below the first.
const LINES: usize = 2;
/// What one result may cost with everything around it: five of them 800 tokens.
const PER_PLACE: u32 = 160;

/// `hipocampus search`
pub(crate) fn run(args: &SearchArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let question = args.query.join(" ");
    let project = project::find(&project::start(world, dir, None)?)?;
    if args.engine == Engine::Qmd {
        return with_qmd(&project, &question, args, world);
    }
    let today = world.today()?;
    let range = range(args, today)?;
    let memory = Memory::open(&project.root)?;
    let mut texts = Texts::of(&project.root, memory.as_ref())?;
    let samples = texts.samples();
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    let query = Query::parse(&question, &samples, today);
    if query.has_no_words() && !query.names_days() {
        let problem = Problem::usage("nothing in the question can be looked for");
        return Err(problem
            .hint("give a name, a word or an error message as the text has it")
            .into());
    }
    let is_time = query.is_time();
    let mut query = query;
    let mut found = look(&mut texts, &query, args, &range, world)?;
    if found.is_empty() && query.is_time() && !query.has_no_words() {
        query = query.into_words();
        found = look(&mut texts, &query, args, &range, world)?;
    }
    report(&texts, world)?;
    if query.is_cut() {
        writeln!(
            world.err,
            "hipocampus search: the question is very long; only its beginning was looked for"
        )?;
    }
    if args.json {
        print_json(&found, world)?;
    } else {
        print(&found, &query, world)?;
    }
    if !found.is_empty() {
        return Ok(Exit::Done);
    }
    nothing(&texts, &query, &question, &range, is_time, world)?;
    Ok(Exit::Problem)
}

/// Whether `--NAME` or `--NAME=VALUE` is a flag of a search, written out.
fn is_flag(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    let cli = Cli::command();
    let search = cli.find_subcommand("search").into_iter().flat_map(clap::Command::get_arguments);
    let mut flags = search.chain(cli.get_arguments()).filter_map(clap::Arg::get_long);
    matches!(name, "help" | "version") || flags.any(|flag| flag == name)
}

/// The arguments with every `-word` of a search, and every `--word` that is no flag of it, after all flags, where none
/// is taken for one.
pub(crate) fn words_last(args: &[OsString]) -> Vec<OsString> {
    let mut front: Vec<OsString> = Vec::with_capacity(args.len() + 1);
    let mut back = Vec::new();
    let mut rest = args.iter();
    let mut in_search = false;
    while let Some(arg) = rest.next() {
        let word = arg.to_str().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
        let is_word = match word.strip_prefix('-') {
            Some(long) => !long.is_empty() && !is_flag(long),
            None => word.chars().nth(1).is_some() && word.starts_with(char::is_alphanumeric),
        };
        if arg == "--" {
            back.extend(rest.by_ref().cloned());
        } else if in_search && is_word && !word.starts_with('C') {
            back.push(arg.clone());
        } else {
            front.push(arg.clone());
        }
        // The name of a folder is no command.
        if !in_search && arg == "-C" {
            front.extend(rest.next().cloned());
        } else if !in_search && front.len() > 1 && !arg.as_encoded_bytes().starts_with(b"-") {
            if arg != "search" {
                return args.to_vec();
            }
            in_search = true;
        }
    }
    if !in_search {
        return args.to_vec();
    }
    if !back.is_empty() {
        front.push("--".into());
        front.extend(back);
    }
    front
}

/// The days that `--in`, `--since` and `--until` leave.
fn range(args: &SearchArgs, today: NaiveDate) -> Result<RangeInclusive<NaiveDate>, Problem> {
    let days =
        |text: &Option<String>, flag: &str| match text {
            None => Ok(None),
            Some(text) => match search::days(text, today) {
                Some(days) => Ok(Some(days)),
                None => Err(Problem::usage(format!(
                    "`--{flag} {text}` names no day, week, month or year"
                ))
                .hint("write it like `2026-03-15`, `2026-W11`, `2026-03`, `2026` or `last week`")),
            },
        };
    let within = days(&args.within, "in")?.unwrap_or(NaiveDate::MIN..=NaiveDate::MAX);
    let since = days(&args.since, "since")?.map_or(NaiveDate::MIN, |days| *days.start());
    let until = days(&args.until, "until")?.map_or(NaiveDate::MAX, |days| *days.end());
    Ok((*within.start()).max(since)..=(*within.end()).min(until))
}

struct Hit {
    source: SearchedText,
    place: Place,
}

/// Reads every text once, and the best again.
fn look(
    texts: &mut Texts<'_>,
    query: &Query,
    args: &SearchArgs,
    range: &RangeInclusive<NaiveDate>,
    world: &mut World,
) -> Result<Vec<Hit>> {
    let local = world.local()?;
    let day = |stamp: Stamp| Some(local(DateTime::from_timestamp_nanos(stamp.mtime)).date());
    let mut search = Search::new(query, args.kind, args.by, args.branch.clone());
    let nodes = texts.foreign_nodes();
    let logs = texts.logs();
    let of_nodes: Vec<_> = nodes.iter().map(corpus::days).collect();
    let own = if args.by == Some(search::By::User) { Vec::new() } else { texts.own(&day) };
    for source in logs.into_iter().chain(nodes).chain(own) {
        let days = corpus::days(&source);
        let compared = source.is_log && of_nodes.iter().any(|node| node.contains(&source.date));
        let wanted = days.start() <= range.end()
            && range.start() <= days.end()
            && (!query.is_time() || query.names(source.date));
        if !wanted && !compared {
            continue;
        }
        match texts.read(&source) {
            Ok(text) => {
                if compared {
                    texts.compare(&text);
                }
                if wanted {
                    search.add(source, &text);
                }
            }
            Err(why) => texts.trouble.push((source.path, why)),
        }
    }
    let usual = if world.out_is_terminal { PLACES_ON_TERMINAL } else { PLACES };
    let limit = args.limit.unwrap_or(usual);
    let budget = Cost::tokens(PER_PLACE.saturating_mul(u32::try_from(limit).unwrap_or(u32::MAX)));
    let answer = search.finish(limit, budget, &mut |source| texts.read(source).ok());
    if answer.loose && !answer.places.is_empty() {
        writeln!(
            world.err,
            "hipocampus search: no place has the quoted text as it stands; these are the nearest"
        )?;
    }
    let sources = search.into_sources();
    Ok(answer
        .places
        .into_iter()
        .map(|place| Hit { source: sources[place.source].clone(), place })
        .collect())
}

/// Says what could not be read.
fn report(texts: &Texts<'_>, world: &mut World) -> Result<()> {
    for (path, why) in texts.trouble.iter().take(3) {
        writeln!(
            world.err,
            "hipocampus search: `{}` was not searched: {}",
            safe(path),
            safe(&describe(why))
        )?;
    }
    if texts.trouble.len() > 3 {
        let more = counted(texts.trouble.len() - 3, "more text");
        writeln!(world.err, "hipocampus search: {more} could not be read")?;
    }
    Ok(())
}

/// Results for a person or an agent: the place, which has the date, and the title on one line, each sentence below.
fn print(found: &[Hit], query: &Query, world: &mut World) -> Result<()> {
    let paint = Paint::of(world);
    let width = world.out_is_terminal.then(|| world.columns.unwrap_or(80));
    // Where a terminal ends, the best one stands last.
    let found: Vec<&Hit> =
        if width.is_some() { found.iter().rev().collect() } else { found.iter().collect() };
    for Hit { source, place } in found {
        let path = format!("{}:{}", safe(&source.path), place.line);
        let date = source.date_beside_path().map(|date| format!("{date}  ")).unwrap_or_default();
        let name = safe(if place.title.is_empty() { &place.time } else { &place.title });
        let taken = columns(&date) + columns(&path) + 2;
        let name = match width {
            Some(width) => wrapped(&name, width.saturating_sub(taken).max(8)).into_iter().next(),
            None => Some(name),
        };
        let mut head = format!("{date}{}", paint.dim(&path));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let _ = write!(head, "  {}", paint.bold(&name));
        }
        writeln!(world.out, "{head}")?;
        let excerpt = safe(&place.excerpt.replace('\n', width.map_or("\n", |_| " ")));
        let mut rows = match width {
            Some(width) => wrapped(&excerpt, width.saturating_sub(3)),
            None => excerpt.lines().map(str::to_owned).collect(),
        };
        if width.is_some() && rows.len() > LINES {
            rows.truncate(LINES);
            rows.last_mut().into_iter().for_each(|row| row.push('…'));
        }
        for row in rows {
            writeln!(world.out, "  {}", highlighted(&row, query, paint))?;
        }
    }
    Ok(())
}

/// A text in rows of at most `width` columns, cut between words; a word that is longer, where it has to be.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut left = width;
    for word in text.split_whitespace() {
        let room = columns(word);
        if room + 1 > left && left < width {
            rows.push(String::new());
            left = width;
        }
        for letter in word.chars().chain([' ']) {
            let room = columns(letter.encode_utf8(&mut [0; 4]));
            if room > left {
                rows.push(String::new());
                left = width;
            }
            left -= room.min(left);
            rows.last_mut().into_iter().for_each(|row| row.push(letter));
        }
    }
    rows.iter().map(|row| row.trim_end().to_owned()).filter(|row| !row.is_empty()).collect()
}

/// The words that were looked for in bold.
fn highlighted(text: &str, query: &Query, paint: Paint) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in query.places_in(text) {
        out.push_str(&text[at..place.start]);
        out.push_str(&paint.bold(&text[place.clone()]));
        at = place.end;
    }
    out.push_str(&text[at..]);
    out
}

#[derive(Serialize)]
struct JsonHit<'a> {
    date: String,
    path: &'a str,
    line: usize,
    title: &'a str,
    excerpt: &'a str,
    score: f64,
}

fn print_json(found: &[Hit], world: &mut World) -> Result<()> {
    let rows: Vec<JsonHit<'_>> = found
        .iter()
        .map(|Hit { source, place }| JsonHit {
            date: source.date.to_string(),
            path: &source.path,
            line: place.line,
            title: &place.title,
            excerpt: &place.excerpt,
            score: (f64::from(place.score) * 1000.0).round() / 1000.0,
        })
        .collect();
    // What may drive a terminal is in strings only, where it can be escaped.
    for c in serde_json::to_string_pretty(&rows)?.chars() {
        if is_harmless(c) {
            write!(world.out, "{c}")?;
        } else {
            write!(world.out, "\\u{:04x}", u32::from(c))?;
        }
    }
    writeln!(world.out)?;
    Ok(())
}

/// Says that nothing was found, and what is near.
fn nothing(
    texts: &Texts<'_>,
    query: &Query,
    question: &str,
    range: &RangeInclusive<NaiveDate>,
    is_time: bool,
    world: &mut World,
) -> Result<()> {
    let mut short: String = question.chars().take(80).collect();
    if short.len() < question.len() {
        short.push('…');
    }
    writeln!(world.err, "nothing found for `{}`", safe(&short))?;
    if texts.listing.logs.is_empty() {
        writeln!(world.err, "hint: there are no logs yet; `hipocampus flush` writes the first")?;
        return Ok(());
    }
    if is_time {
        let ends = |days: &RangeInclusive<NaiveDate>| (*days.start(), *days.end());
        let asked = query.days().map(ends).min().unwrap_or_default();
        if let Some(day) = texts.listing.nearest_log(asked) {
            writeln!(world.err, "hint: the nearest day with a log is {day}")?;
        }
        return Ok(());
    }
    let mut near = Near::to(query.words());
    let mut seen = HashSet::new();
    for source in texts.logs() {
        if range.contains(&source.date)
            && seen.insert(source.path.clone())
            && let Ok(text) = texts.read(&source)
        {
            near.add(&text);
        }
    }
    let words = near.words();
    if words.is_empty() {
        writeln!(
            world.err,
            "hint: try fewer or other words, or the other language of the project"
        )?;
    } else {
        writeln!(world.err, "hint: near in spelling: {}", safe(&words.join(", ")))?;
    }
    Ok(())
}

/// The same question to the optional engine.
fn with_qmd(
    project: &Project,
    question: &str,
    args: &SearchArgs,
    world: &mut World,
) -> Result<Exit> {
    if args.json
        || args.within.is_some()
        || args.since.is_some()
        || args.until.is_some()
        || args.kind.is_some()
        || args.by.is_some()
    {
        let problem = Problem::usage("with `--engine qmd` only `--limit` can be given");
        return Err(problem.hint("leave the other flags out, or `--engine qmd`").into());
    }
    let text = qmd::search(
        world,
        &project.root,
        &project.config.search,
        question,
        args.limit.unwrap_or(PLACES),
    )
    .map_err(|why| {
        Problem::new("qmd was not searched").hint("search without `--engine qmd`").because(why)
    })?;
    world.out.write_all(safe(&text).as_bytes())?;
    Ok(if text.trim().is_empty() { Exit::Problem } else { Exit::Done })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_to_leave_out_are_no_flags() {
        #[track_caller]
        fn check(line: &str, expect: &str) {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let expect: Vec<OsString> = expect.split(' ').map(OsString::from).collect();
            assert_eq!(words_last(&args), expect, "{line}");
        }
        check("h search a -bc --in 2026", "h search a --in 2026 -- -bc");
        check("h search -bc a --limit 3", "h search a --limit 3 -- -bc");
        check("h search a -b", "h search a -b");
        check("h -C dir search x -yz -- -w", "h -C dir search x -- -yz -w");
        check("h -C search compact -xy", "h -C search compact -xy");
        check("h compact -xy search", "h compact -xy search");
        check("h search a -h", "h search a -h");
        check("h search -가나 a", "h search a -- -가나");
        check("h search a - b --json", "h search a - b --json");
        check("h search --providers and sync", "h search and sync -- --providers");
        check("h search a --limit=3 --in 2026 --x-y", "h search a --limit=3 --in 2026 -- --x-y");
    }
}
