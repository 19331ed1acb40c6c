//! `hipocampus show`: a day, a week, a month, a session, or the log around a line.

use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use anyhow::Result;
use chrono::NaiveDate;

use crate::cli::ShowArgs;
use crate::corpus;
use crate::disk::Memory;
use crate::error::{Exit, Problem};
use crate::markdown::marker::{self, Marker};
use crate::markdown::{form, heading, label};
use crate::memory::frontmatter::Document;
use crate::memory::period::{Month, Period, Week};
use crate::memory::snapshot::Listing;
use crate::memory::tokens::{Cost, cost};
use crate::origin::{self, Origin};
use crate::refresh::index;
use crate::search::{self, Section};
use crate::terminal::{Paint, safe};
use crate::text::{counted, lines};
use crate::world::World;
use crate::{layout, pager};
use crate::{project, projects};

/// Lines that are printed where nobody asked for more, unless a person looks at them.
const LINES: usize = 80;
/// What they may cost.
const BUDGET: Cost = Cost::tokens(1500);
/// The same around a line.
const AROUND: Cost = Cost::tokens(700);
/// Lines shown before the one that was asked for.
const BEFORE: usize = 3;
/// A longer line is cut where it would use up what there is room for. In characters.
const LONG: usize = 1200;

/// `hipocampus show`
pub(crate) fn run(args: &ShowArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let what = args.what.join(" ");
    let what = what.trim();
    let (project, what) = match projects::named(world, what) {
        Some((root, rest)) => (project::open(&root)?, rest),
        None => (project::find(&project::start(world, dir, None)?)?, what),
    };
    let today = world.today()?;
    let memory = Memory::open(&project.root)?;
    let listing = match &memory {
        Some(memory) => memory.names()?.sort(),
        None => Listing::default(),
    };
    let desk = Viewer { root: &project.root, listing, today, raw: args.raw };
    let view = desk.find(what)?;
    let sources = match (&memory, &view.line) {
        (Some(memory), Some((path, line))) => {
            let facts = index::open(memory, false);
            let listing = &desk.listing;
            let memory = origin::Memory { root: &project.root, listing, facts: &facts };
            memory.of_line(path, &corpus::shown(&project.root, path)?, *line)
        }
        _ => Vec::new(),
    };
    if args.json {
        if view.line.is_none() {
            let what = "`--json` prints where a line comes from, and no line was asked for";
            return Err(Problem::usage(what)
                .hint("`hipocampus show ROOT.md:17 --json`, or a line of a node")
                .into());
        }
        writeln!(world.out, "{}", serde_json::to_string_pretty(&sources)?)?;
        return Ok(Exit::Done);
    }
    let people = world.out_is_terminal;
    let paint = Paint::of(world);
    let mut text = view.render(args, people, paint);
    if !sources.is_empty() {
        let _ = writeln!(text, "\n{}", paint.bold("comes from"));
    }
    for Origin { file, line, day, who, kind, text: said } in &sources {
        let kind = kind.map(|kind| format!(", {}", kind.word())).unwrap_or_default();
        let _ =
            writeln!(text, "{}", paint.dim(&safe(&format!("{file}:{line}  {day}, {who}{kind}"))));
        let _ = writeln!(text, "  {}", shortened(&safe(said), !people));
    }
    if !(people && pager::page(world, &project.root, &text)) {
        world.out.write_all(text.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// What may be shown.
struct Viewer<'a> {
    root: &'a Path,
    listing: Listing,
    today: NaiveDate,
    raw: bool,
}

struct ShownLine {
    path: String,
    number: usize,
    text: String,
}

#[derive(Clone, Copy)]
struct LineReference {
    line: usize,
    /// the last one, where more than one is wanted and nothing before them
    last: Option<usize>,
}

impl LineReference {
    /// `12`, `12-` for that line and what follows it, or `12-20`.
    fn parse(text: &str) -> Option<Self> {
        let (line, last) = match text.split_once('-') {
            None => (text, None),
            Some((line, "")) => (line, Some(usize::MAX)),
            Some((line, last)) => (line, Some(last.parse().ok()?)),
        };
        Some(Self { line: line.parse().ok()?, last })
    }
}

struct View {
    lines: Vec<ShownLine>,
    /// which of them was asked for
    around: Option<usize>,
    /// the file and the line, where a single one of ROOT.md or of a node was asked for
    line: Option<(String, usize)>,
}

impl Viewer<'_> {
    fn find(&self, what: &str) -> Result<View, Problem> {
        match what {
            "" | "last" => return self.last(),
            "root" => return self.file(&layout::root_path(), None),
            "week" => return self.period(Period::Week(Week::of(self.today))),
            "month" => return self.period(Period::Month(Month::of(self.today))),
            _ => {}
        }
        let (path, line) = match what.rsplit_once(':') {
            Some((path, line)) => match LineReference::parse(line) {
                Some(wanted) => (path, Some(wanted)),
                None => (what, None),
            },
            None => (what, None),
        };
        if let Some(path) = self.inside(path) {
            // As it is called everywhere.
            let path = if path == layout::ROOT { layout::root_path() } else { path };
            let mut view = self.file(&path, line)?;
            let is_made = path == layout::root_path()
                || self.listing.nodes.keys().any(|node| layout::node_path(*node) == path);
            let line = line.filter(|line| is_made && line.last.is_none());
            view.line = line.map(|line| (path, line.line));
            return Ok(view);
        }
        if let Some(days) = search::days(what, self.today) {
            return self.days(&days);
        }
        self.session(what)
    }

    /// A path below the root, if the argument is a path at all.
    fn inside(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let below = Path::new(path).strip_prefix(self.root).ok().and_then(Path::to_str);
        let is_path = path.contains('/') || has_ending(path);
        is_path.then(|| below.unwrap_or(path).to_owned())
    }

    fn file(&self, path: &str, wanted: Option<LineReference>) -> Result<View, Problem> {
        let text = corpus::shown(self.root, path)?;
        let mut view = View { lines: self.lines_of(path, &text), around: None, line: None };
        let Some(LineReference { line, last: until }) = wanted else { return Ok(view) };
        let all = lines(&text).count();
        if line == 0 || line > all {
            let problem = Problem::new(format!("`{path}` has {}", counted(all, "line")));
            return Err(problem.hint("give a line as `hipocampus search` prints it"));
        }
        // Only the entry or session that the line belongs to.
        let is_log = path.starts_with(layout::MEMORY);
        let sections = search::sections(&text, is_log);
        let own = sections.iter().rfind(|section| section.first <= line);
        let (first, last) = own.map_or((1, all), |section| (section.first, section.last));
        let (first, last) = match until {
            None => (first, last),
            Some(usize::MAX) => (line, last),
            Some(until) => (line, until),
        };
        view.lines.retain(|shown| (first..=last).contains(&shown.number));
        if until.is_none() {
            view.around = view.lines.iter().position(|shown| shown.number >= line);
        }
        Ok(view)
    }

    /// The lines of a text: without `--raw` neither a head nor markers.
    fn lines_of(&self, path: &str, text: &str) -> Vec<ShownLine> {
        let body = Document::parse(text.as_bytes()).body().len();
        let head = if self.raw { 0 } else { lines(&text[..text.len() - body]).count() };
        lines(text)
            .enumerate()
            .filter(|(number, line)| {
                *number >= head && (self.raw || !line.starts_with(marker::MARKER))
            })
            .map(|(number, line)| ShownLine {
                path: path.to_owned(),
                number: number + 1,
                text: line.to_owned(),
            })
            .collect()
    }

    /// The day, week or month of these days; the logs of all of them where they are not one.
    fn days(&self, days: &RangeInclusive<NaiveDate>) -> Result<View, Problem> {
        let (first, last) = (*days.start(), *days.end());
        let period =
            [Period::Day(first), Period::Week(Week::of(first)), Period::Month(Month::of(first))]
                .into_iter()
                .find(|period| period.days() == (first..=last));
        match period {
            Some(period) => self.period(period),
            None => self.logs(days),
        }
    }

    fn period(&self, period: Period) -> Result<View, Problem> {
        // Today's node is only as new as the last compaction.
        let node = !self.raw && period != Period::Day(self.today);
        if node && self.listing.nodes.contains_key(&period) {
            return self.file(&layout::node_path(period), None);
        }
        self.logs(&period.days())
    }

    fn logs(&self, days: &RangeInclusive<NaiveDate>) -> Result<View, Problem> {
        let mut view = View { lines: Vec::new(), around: None, line: None };
        for (_, files) in self.listing.logs.range(days.clone()) {
            for file in files.iter() {
                let path = layout::in_memory(&file.name);
                let text = corpus::shown(self.root, &path)?;
                view.lines.extend(self.lines_of(&path, &text));
            }
        }
        if !view.lines.is_empty() {
            return Ok(view);
        }
        let (first, last) = (days.start(), days.end());
        let span = if first == last { first.to_string() } else { format!("{first} to {last}") };
        let problem = Problem::new(format!("nothing is known of {span}"));
        Err(match self.listing.nearest_log((*first, *last)) {
            Some(day) => problem.hint(format!("the nearest day with a log is {day}")),
            None => problem.hint("there are no logs yet; `hipocampus flush` writes the first"),
        })
    }

    /// The latest session; the last entry where no session was imported.
    fn last(&self) -> Result<View, Problem> {
        let Some((_, files)) = self.listing.logs.last_key_value() else {
            return Err(
                Problem::new("there are no logs yet").hint("`hipocampus flush` writes the first")
            );
        };
        let mut latest: Option<(String, View)> = None;
        for file in files.iter() {
            let path = layout::in_memory(&file.name);
            let text = corpus::shown(self.root, &path)?;
            let time = |section: &Section<'_>| {
                heading::session_heading(section.heading).map_or("", |it| it.time).to_owned()
            };
            // A session that another one interrupted has several sections; what counts is its last.
            let sessions = search::sessions(&text).into_iter();
            let last = sessions
                .max_by_key(|parts| parts.iter().map(|part| (time(part), part.first)).max());
            let Some(parts) = last else { continue };
            let time = parts.iter().map(time).max().unwrap_or_default();
            if latest.as_ref().is_none_or(|(known, _)| *known <= time) {
                let mut view =
                    View { lines: self.lines_of(&path, &text), around: None, line: None };
                let told =
                    |line: usize| parts.iter().any(|it| (it.first..=it.last).contains(&line));
                view.lines.retain(|line| told(line.number));
                latest = Some((time, view));
            }
        }
        match latest {
            Some((_, view)) => Ok(view),
            None => self.file(&layout::in_memory(&files[0].name), None),
        }
    }

    /// Everything of a session that was imported, by its id or the beginning of it.
    fn session(&self, id: &str) -> Result<View, Problem> {
        let mut view = View { lines: Vec::new(), around: None, line: None };
        let mut names: Vec<String> = Vec::new();
        let plausible = id.len() >= 4 && !id.contains(char::is_whitespace);
        for file in self.listing.logs.values().flat_map(|files| files.iter()).filter(|_| plausible)
        {
            let path = layout::in_memory(&file.name);
            let Ok(text) = corpus::shown(self.root, &path) else { continue };
            let mut shown = self.lines_of(&path, &text).into_iter().peekable();
            let mut inside = false;
            for (number, line) in lines(&text).enumerate() {
                match marker::marker(line) {
                    Some(Marker::Start { session, .. }) => {
                        inside = session.starts_with(id);
                        if inside && !names.iter().any(|name| name == session) {
                            names.push(session.to_owned());
                        }
                    }
                    Some(Marker::End { .. }) => inside = false,
                    None => {}
                }
                let shown = shown.next_if(|shown| shown.number == number + 1);
                view.lines.extend(shown.filter(|_| inside));
            }
        }
        if let [one, other, ..] = &names[..] {
            let problem =
                Problem::usage(format!("`{id}` begins {}", counted(names.len(), "session")));
            return Err(problem.hint(format!("write more of it: `{one}`, `{other}`")));
        }
        if view.lines.is_empty() {
            let problem = Problem::new(format!(
                "`{id}` is no day, week, month, session or path in the memory, `knowledge/` or `plans/`"
            ));
            return Err(problem.hint(format!("to look for words: `hipocampus search {id}`")));
        }
        Ok(view)
    }
}

impl View {
    /// The text that is printed: bounded for an agent, whole for a person.
    fn render(&self, args: &ShowArgs, people: bool, paint: Paint) -> String {
        let most = args.lines.unwrap_or(if people { usize::MAX } else { LINES });
        let budget = match (args.lines, people, self.around) {
            (None, false, Some(_)) => AROUND,
            (None, false, None) => BUDGET,
            _ => Cost(u32::MAX),
        };
        let first = self.around.map_or(0, |line| {
            let before = if line <= 2 * BEFORE { line } else { BEFORE };
            let cut = !people && args.lines.is_none();
            if cut { self.before(line, before) } else { line - before }
        });
        let mut out = String::new();
        let exchange = self.around.filter(|_| !people && args.lines.is_none());
        let exchange = exchange.and_then(|line| self.exchange(line));
        let parts = exchange.unwrap_or_else(|| std::iter::once(first..self.lines.len()).collect());
        let mut left = budget;
        let mut path = "";
        let mut end = first;
        'parts: for part in parts {
            if part.start > end && !out.is_empty() {
                let _ = writeln!(out, "[{}]", counted(part.start - end, "line"));
            }
            end = part.start;
            for line in self.lines[part].iter().take(most) {
                let text = shortened(&safe(&line.text), !people && args.lines.is_none());
                let price = price(&text);
                if price > left && !out.is_empty() {
                    break 'parts;
                }
                left = left - price;
                if line.path != path {
                    path = &line.path;
                    let place = format!("{}:{}", safe(path), line.number);
                    let _ = writeln!(out, "{}", paint.dim(&place));
                }
                let _ = writeln!(out, "{}", coloured(&text, paint));
                end += 1;
            }
        }
        if let Some(next) = self.lines.get(end) {
            let more = counted(self.lines.len() - end, "more line");
            let (path, number) = (safe(&next.path), next.number);
            let _ = writeln!(out, "[{more}: `hipocampus show {path}:{number}-`, or `--lines N`]");
        }
        out
    }

    /// The exchange that a line stands in, and what the person says next: as far as there is room around the line. `None`
    /// where nobody speaks, or nothing follows.
    fn exchange(&self, line: usize) -> Option<Vec<Range<usize>>> {
        let speaker = |at: &usize| label::written(&self.lines[*at].text).map(|(who, _)| who);
        let is_person = |at: &usize| speaker(at) == Some(label::Speaker::User);
        let all = self.lines.len();
        let begin = (0..=line).rev().find(is_person)?;
        let next = (line + 1..all).find(is_person)?;
        let after = (next + 1..all).find(|at| speaker(at).is_some()).unwrap_or(all);
        let price = |at: usize| price(&shortened(&self.lines[at].text, true));
        let mut left = AROUND;
        let mut fits = |at: usize, room: Cost| {
            let fits = price(at) + room <= left;
            left = if fits { left - price(at) } else { left };
            fits
        };
        // The line itself, the next turn, what was asked, then what stands between.
        fits(line, Cost(0));
        let mut told = next;
        while told < after && fits(told, AROUND.share(55)) {
            told += 1;
        }
        let asked = if begin < line && fits(begin, AROUND.share(20)) { begin + 1 } else { begin };
        let (mut from, mut to) = (line, line + 1);
        while from > asked && fits(from - 1, AROUND.share(10)) {
            from -= 1;
        }
        while to < next && fits(to, Cost(0)) {
            to += 1;
        }
        Some(
            [begin..asked, from..to, next..told]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect(),
        )
    }

    /// The first line shown for the sake of `line`: at least so many before it, and as many more as half the room has, or
    /// what is left of all of it where little follows.
    fn before(&self, line: usize, least: usize) -> usize {
        let half = AROUND.share(50);
        let price = |at: usize| price(&shortened(&self.lines[at].text, true));
        let mut ahead = Cost(0);
        for at in line..self.lines.len() {
            ahead += price(at);
            if ahead > half {
                break;
            }
        }
        let mut room = AROUND - ahead.min(half);
        let mut first = line;
        while let Some(above) = first.checked_sub(1) {
            let price = price(above);
            if line - above > least && price > room {
                break;
            }
            room = room - price.min(room);
            first = above;
        }
        first
    }
}

/// What a printed line takes of the room.
fn price(text: &str) -> Cost {
    cost(text) + Cost(10)
}

fn has_ending(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| matches!(ending, "md" | "txt" | "markdown"))
}

fn shortened(text: &str, cut: bool) -> String {
    match text.char_indices().nth(LONG).filter(|_| cut) {
        Some((at, _)) => {
            let more = counted(text[at..].chars().count(), "more character");
            format!("{}… [{more}]", &text[..at])
        }
        None => text.to_owned(),
    }
}

/// Headings and speakers in bold, what was noted in grey.
fn coloured(line: &str, paint: Paint) -> String {
    if heading::heading(line).is_some() {
        return paint.bold(line);
    }
    if let Some((_, words)) = label::written(line) {
        let (label, words) = line.split_at(line.len() - words.len());
        return format!("{}{words}", paint.bold(label));
    }
    if form::form(line).is_some() || line.starts_with(marker::MARKER) {
        return paint.dim(line);
    }
    line.to_owned()
}
