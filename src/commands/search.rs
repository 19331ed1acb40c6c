//! `hipocampus search`: from a question to the places that answer it, in this project or in all of this user's.

mod output;

use std::collections::HashSet;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, NaiveDate};
use clap::CommandFactory as _;
use output::{Hit, print, print_json};

use crate::cli::{Cli, Engine, SearchArgs};
use crate::corpus::{self, Texts};
use crate::disk::Memory;
use crate::error::{Exit, Problem, describe};
use crate::memory::snapshot::Stamp;
use crate::memory::tokens::Cost;
use crate::project::{self, Project};
use crate::projects::{self, OwnProject};
use crate::qmd;
use crate::recall::user::OfProject;
use crate::refresh::index;
use crate::search::{self, Near, Query, Searcher};
use crate::terminal::safe;
use crate::text::counted;
use crate::user_memory;
use crate::world::World;

/// Places that are shown where nobody says how many: in a pipe, and on a terminal.
const PLACES: usize = 5;
const PLACES_ON_TERMINAL: usize = 3;
/// Places of the user's own memory, after those of the project.
const OF_USER: usize = 2;
/// What one result may cost with everything around it: five of them 800 tokens.
const PER_PLACE: u32 = 160;

/// `hipocampus search`
pub(crate) fn run(args: &SearchArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let question = args.query.join(" ");
    if args.engine == Engine::Qmd {
        let project = project::find(&project::start(world, dir, None)?)?;
        return with_qmd(&project, &question, args, world);
    }
    let today = world.today()?;
    let range = range(args, today)?;
    let mut texts = if args.everywhere { everywhere(dir, world)? } else { vec![here(dir, world)?] };
    let samples: Vec<String> = texts.iter().flat_map(Texts::samples).collect();
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
    if !args.everywhere {
        found.extend(of_user(dir, &question, args, &range, world)?);
    }
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

/// The texts of the project a run is about.
fn here(dir: Option<&Path>, world: &World) -> Result<Texts, Problem> {
    let project = project::find(&project::start(world, dir, None)?)?;
    let memory = Memory::open(&project.root)?;
    Texts::of(project.root, memory)
}

/// Those of every project of this user's, and of the one a run is about, if there is one. Fails when there is none.
fn everywhere(dir: Option<&Path>, world: &mut World) -> Result<Vec<Texts>, Problem> {
    let own = projects::all(world, project::locate(&project::start(world, dir, None)?).as_deref());
    let mut refused = own.refused;
    let mut texts = Vec::new();
    for OwnProject { name, root, memory } in own.all {
        match Texts::of(root.clone(), Some(memory)) {
            Ok(mut own) => {
                own.project = Some(name);
                texts.push(own);
            }
            Err(why) => refused.push((root, describe(&why))),
        }
    }
    texts.extend(users_own(world)?);
    projects::report(world, "search", &refused);
    if texts.is_empty() {
        return Err(projects::none());
    }
    Ok(texts)
}

/// Those of the user's own memory, if there is one.
fn users_own(world: &World) -> Result<Option<Texts>, Problem> {
    let Some(own) = user_memory::open(world) else { return Ok(None) };
    let mut texts = Texts::of(own.project.root, Some(own.memory))?;
    texts.project = Some(user_memory::NAME.into());
    Ok(Some(texts))
}

/// What the user's own memory has about it, a few places, without what the project has a rule about.
fn of_user(
    dir: Option<&Path>,
    question: &str,
    args: &SearchArgs,
    range: &RangeInclusive<NaiveDate>,
    world: &mut World,
) -> Result<Vec<Hit>> {
    let root = project::find(&project::start(world, dir, None)?)?.root;
    let (Some(own), Some(memory)) = (users_own(world)?, Memory::open(&root)?) else {
        return Ok(Vec::new());
    };
    let today = world.today()?;
    let samples = own.samples();
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    let query = Query::parse(question, &samples, today);
    if query.has_no_words() || user_memory::is_at(world, &root) {
        return Ok(Vec::new());
    }
    let mut found = look(&mut [own], &query, args, range, world)?;
    let project = OfProject::of(&index::open(&memory, false), today);
    found.retain(|hit| !project.speaks_of(&hit.place.title, &hit.place.excerpt));
    found.truncate(OF_USER);
    Ok(found)
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

/// Reads every text once, and the best again.
fn look(
    texts: &mut [Texts],
    query: &Query,
    args: &SearchArgs,
    range: &RangeInclusive<NaiveDate>,
    world: &mut World,
) -> Result<Vec<Hit>> {
    let local = world.local()?;
    let day = |stamp: Stamp| Some(local(DateTime::from_timestamp_nanos(stamp.mtime)).date());
    let mut search = Searcher::new(query, args.kind, args.by, args.branch.clone());
    for texts in &mut *texts {
        take_in(texts, &mut search, args, range, &day);
    }
    let usual = if world.out_is_terminal { PLACES_ON_TERMINAL } else { PLACES };
    let limit = args.limit.unwrap_or(usual);
    let budget = Cost::tokens(PER_PLACE.saturating_mul(u32::try_from(limit).unwrap_or(u32::MAX)));
    let answer = search.finish(limit, budget, &mut |source| {
        let own = texts.iter().find(|texts| texts.project == source.project)?;
        own.read(source).ok()
    });
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

/// Hands every text of a project to a search that may answer.
fn take_in(
    texts: &mut Texts,
    search: &mut Searcher<'_>,
    args: &SearchArgs,
    range: &RangeInclusive<NaiveDate>,
    day: &dyn Fn(Stamp) -> Option<NaiveDate>,
) {
    let query = search.query();
    let nodes = texts.foreign_nodes();
    let logs = texts.logs();
    let of_nodes: Vec<_> = nodes.iter().map(corpus::days).collect();
    let own = if args.by == Some(search::By::User) { Vec::new() } else { texts.own(day) };
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
}

/// Says what could not be read.
fn report(texts: &[Texts], world: &mut World) -> Result<()> {
    let place = |texts: &Texts, path: &str| match &texts.project {
        Some(project) => format!("{project}:{path}"),
        None => path.to_owned(),
    };
    let trouble: Vec<(String, &std::io::Error)> = texts
        .iter()
        .flat_map(|it| it.trouble.iter().map(move |(path, why)| (place(it, path), why)))
        .collect();
    for (path, why) in trouble.iter().take(3) {
        writeln!(
            world.err,
            "hipocampus search: `{}` was not searched: {}",
            safe(path),
            safe(&describe(*why))
        )?;
    }
    if trouble.len() > 3 {
        let more = counted(trouble.len() - 3, "more text");
        writeln!(world.err, "hipocampus search: {more} could not be read")?;
    }
    Ok(())
}

/// Says that nothing was found, and what is near.
fn nothing(
    texts: &[Texts],
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
    if texts.iter().all(|texts| texts.listing.logs.is_empty()) {
        writeln!(world.err, "hint: there are no logs yet; `hipocampus flush` writes the first")?;
        return Ok(());
    }
    if is_time {
        let ends = |days: &RangeInclusive<NaiveDate>| (*days.start(), *days.end());
        let (first, last) = query.days().map(ends).min().unwrap_or_default();
        let days = texts.iter().filter_map(|texts| texts.listing.nearest_log((first, last)));
        if let Some(day) = days.min_by_key(|day| (first - *day).max(*day - last)) {
            writeln!(world.err, "hint: the nearest day with a log is {day}")?;
        }
        return Ok(());
    }
    let mut near = Near::to(query.words());
    let mut seen = HashSet::new();
    for (texts, source) in
        texts.iter().flat_map(|texts| texts.logs().into_iter().map(move |it| (texts, it)))
    {
        if range.contains(&source.date)
            && seen.insert(source.place().into_owned())
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
        || args.everywhere
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
