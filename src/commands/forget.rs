//! `hipocampus forget`: takes a day, a session or words out of the memory, and keeps them from coming back.

use std::path::Path;

use anyhow::Result;

use crate::cli::ForgetArgs;
use crate::disk::{self, Memory};
use crate::error::{Exit, Problem};
use crate::import::buried;
use crate::import::kept_by_agents::{self, FoundConversation, Searched, Sought};
use crate::project::{self, Project};
use crate::qmd;
use crate::refresh::by_hand::search;
use crate::refresh::carry_out;
use crate::retract::contents::Contents;
use crate::retract::cut;
use crate::retract::forget::{ForgetTarget, plan};
use crate::retract::literal_words::LiteralWords;
use crate::retract::retraction::Retraction;
use crate::retract::show;
use crate::search as words_of_time;
use crate::terminal::safe;
use crate::text::counted;
use crate::user_memory;
use crate::world::World;

/// The shortest beginning of a session's name that is understood.
const NAME: usize = 4;

pub(crate) fn run(args: &ForgetArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let dir = user_memory::or_user(args.user, dir, world)?;
    let project = project::find(&project::start(world, dir.as_deref(), None)?)?;
    let memory = Memory::open(&project.root)?;
    let memory = memory.ok_or_else(|| nothing("there is no memory yet"))?;
    let what = what(args, &project, &memory, world)?;
    let asked = Asked { project: &project, memory: &memory, what, salt: carry_out::salt()? };
    if args.dry_run || !args.yes {
        let (planned, searched) = asked.plan(world)?;
        tell(world, &asked, &planned, &searched, args.dry_run)?;
        if args.dry_run {
            return Ok(after(Exit::Done, &searched));
        }
        show::confirm(world, "this takes it out", planned.rows.len())?;
    }
    let alone = carry_out::begin(&project, &memory, world)?;
    let today = world.today()?;
    let (first, searched) = match asked.plan(world) {
        Ok(planned) => planned,
        Err(error) => {
            // A run that was cut short may have begun to take it out: that is finished first.
            carry_out::finish_pending(&project, &memory, &alone, today)?;
            return Err(error);
        }
    };
    if args.yes {
        tell(world, &asked, &first, &searched, false)?;
    }
    let mut first = Some(first);
    let mut done =
        carry_out::retraction(&project, &memory, &alone, today, || match first.take() {
            Some(planned) => Ok(planned),
            None => asked.among(&searched.found),
        })?;
    let left = asked.among(&[])?;
    search(&project, world, &done, false);
    let exit = carry_out::report(&mut done, world)?;
    if !left.is_empty() {
        let names: Vec<_> = left.rows.iter().map(|row| format!("`{}`", row.path)).collect();
        let what = format!("it came back meanwhile in {}", names.join(", "));
        return Err(Problem::new(what).hint("run the command again").into());
    }
    let but = if searched.passed_over.is_empty() { "" } else { ", except from what was not read" };
    writeln!(world.out, "forgotten: it will not be imported again{but}")?;
    Ok(after(exit, &searched))
}

/// The exit code of a run that may have passed over something.
fn after(exit: Exit, searched: &Searched) -> Exit {
    if searched.passed_over.is_empty() { exit } else { Exit::Problem }
}

/// What was asked for, of which memory.
struct Asked<'a> {
    project: &'a Project,
    memory: &'a Memory,
    what: ForgetTarget,
    salt: u128,
}

impl Asked<'_> {
    /// What goes, and the sessions of clients that have some of it. Fails when nothing goes, or something cannot
    /// be read.
    fn plan(&self, world: &World) -> Result<(Retraction, Searched)> {
        let redactor = self.project.redactor()?;
        let names = match &self.what {
            ForgetTarget::Session(name) => vec![name.clone()],
            _ => Vec::new(),
        };
        let says = |text: &str| match &self.what {
            ForgetTarget::Words(words) => words.stand_in(text),
            _ => false,
        };
        let sought = match &self.what {
            ForgetTarget::Day(day) => Sought::Day(*day),
            ForgetTarget::Session(_) => Sought::Sessions(&names),
            ForgetTarget::Words(words) => Sought::Words(&says, words.part()),
            ForgetTarget::Again(_) => Sought::Nothing,
        };
        let folder = self.memory.folder();
        let searched = kept_by_agents::search(self.project, folder, world, &redactor, &sought)?;
        let planned = self.among(&searched.found)?;
        if planned.is_empty() {
            return Err(nothing(&self.what.nowhere()).into());
        }
        Ok((planned, searched))
    }

    /// What goes, where these sessions are known to have some of it. Fails when something cannot be read.
    fn among(&self, found: &[FoundConversation]) -> Result<Retraction, Problem> {
        let known = carry_out::tombstones(self.memory)?;
        let contents = Contents::look(self.project, self.memory)?;
        plan(&contents, &self.what, found, known.under(self.salt))
    }
}

impl ForgetTarget {
    /// That there is nothing of it.
    fn nowhere(&self) -> String {
        match self {
            ForgetTarget::Day(day) => format!("nothing of {day} is remembered"),
            ForgetTarget::Session(name) => format!("nothing of the session `{name}` is remembered"),
            ForgetTarget::Words(words) => {
                format!("nothing in the memory says `{}`", words.as_str())
            }
            ForgetTarget::Again(_) => "nothing that was forgotten is there again".to_owned(),
        }
    }

    fn name(&self) -> String {
        match self {
            ForgetTarget::Day(day) => day.to_string(),
            ForgetTarget::Session(name) => format!("session {name}"),
            ForgetTarget::Words(words) => format!("what says `{}`", words.as_str()),
            ForgetTarget::Again(_) => "what was forgotten before".to_owned(),
        }
    }
}

fn nothing(what: &str) -> Problem {
    Problem::new(what).hint("`hipocampus search` finds what is remembered; nothing was changed")
}

fn what(
    args: &ForgetArgs,
    project: &Project,
    memory: &Memory,
    world: &World,
) -> Result<ForgetTarget> {
    if args.again {
        return Ok(ForgetTarget::Again(buried::load(memory.folder())?));
    }
    if let Some(text) = &args.words {
        let words = LiteralWords::of(text);
        return Ok(ForgetTarget::Words(
            words.ok_or_else(|| Problem::usage("there are no words in it"))?,
        ));
    }
    let asked = args.what.as_deref().unwrap_or_default().trim();
    if let Some(days) = words_of_time::days(asked, world.today()?) {
        return match days.into_inner() {
            (first, last) if first == last => Ok(ForgetTarget::Day(first)),
            _ => Err(Problem::usage(format!("`{asked}` is more than a day"))
                .hint("forget one day at a time, like `hipocampus forget 2026-03-15`")
                .into()),
        };
    }
    session(asked, project, memory).map(ForgetTarget::Session)
}

/// The session whose name begins like this.
fn session(asked: &str, project: &Project, memory: &Memory) -> Result<String> {
    let contents = Contents::look(project, memory)?;
    let mut names = std::collections::BTreeSet::new();
    for (_, path) in &contents.logs {
        names.extend(cut::sessions(&contents.read(path)?));
    }
    for (_, path) in &contents.backups {
        names.extend(crate::retract::records::sessions(&contents.read(path)?));
    }
    names.extend(buried::load(memory.folder())?.sessions().map(str::to_owned));
    if names.contains(asked) {
        return Ok(asked.to_owned());
    }
    let begins: Vec<_> = names.iter().filter(|name| name.starts_with(asked)).collect();
    match begins[..] {
        [one] if asked.len() >= NAME => Ok(one.clone()),
        [one, other, ..] if asked.len() >= NAME => {
            let what = format!("`{asked}` begins {}", counted(begins.len(), "session"));
            let hint = format!("write more of it: `{one}`, `{other}`; nothing was changed");
            Err(Problem::usage(what).hint(hint).into())
        }
        _ => Err(Problem::new(format!("`{asked}` is no day and no session in the memory"))
            .hint("words are forgotten with `--match TEXT`; nothing was changed")
            .into()),
    }
}

/// Says what goes, what stays out of reach, and what could not be looked through.
fn tell(
    world: &mut World,
    asked: &Asked<'_>,
    planned: &Retraction,
    searched: &Searched,
    dry_run: bool,
) -> Result<()> {
    let verb = if dry_run { "would forget" } else { "forget" };
    writeln!(world.out, "{verb} {}:", safe(&asked.what.name()))?;
    show::rows(world, &planned.rows)?;
    let beyond = beyond(world, asked, planned, &searched.found);
    show::left(world, planned, &beyond)?;
    for what in &searched.passed_over {
        let then = "what it says of this can be imported once it is read";
        writeln!(world.err, "error: {}; {then}", safe(what))?;
    }
    Ok(())
}

/// What has it too and cannot be reached from here.
fn beyond(
    world: &World,
    asked: &Asked<'_>,
    planned: &Retraction,
    found: &[FoundConversation],
) -> Vec<String> {
    let mut beyond: Vec<String> = found
        .iter()
        .map(|found| format!("the agent's own record `{}`", found.path.display()))
        .collect();
    if beyond.is_empty() {
        beyond.push("what the agents keep of their sessions".to_owned());
    }
    let paths: Vec<String> = planned.rows.iter().map(|row| row.path.clone()).collect();
    let tracked = disk::tracked(&asked.project.root, &paths).unwrap_or_default();
    if let Some(first) = tracked.first() {
        beyond.push(format!(
            "git's history of `{first}`{} and every clone of it",
            if tracked.len() > 1 { " and others" } else { "" }
        ));
    }
    if asked.project.config.search.enabled && qmd::find(world, &asked.project.root).is_some() {
        beyond.push("the index of qmd, until `qmd update` has run".to_owned());
    }
    beyond
}
