//! `hipocampus merge DIR`: brings in a copy of this memory that came without git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use chrono::NaiveDate;

use crate::cli::MergeArgs;
use crate::disk::{self, EntryKind, Folder, Lock, Memory};
use crate::error::{Exit, Problem};
use crate::import::{buried, reopen};
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::memory::period::{Level, Period};
use crate::merge::{self, FileKind};
use crate::plan::{Change, Note, Plan, Step, hash};
use crate::project::{self, Project};
use crate::refresh::{by_hand, carry_out};
use crate::retract::cut::Selection;
use crate::retract::records::{self, GoneTurns};
use crate::retract::{elsewhere, in_merges};
use crate::terminal::safe;
use crate::text::counted;
use crate::user_memory;
use crate::world::World;

pub(crate) fn run(args: &MergeArgs, dir: Option<&Path>, world: &mut World) -> Result<Exit> {
    let project = project::find(&project::start(world, dir, None)?)?;
    user_memory::refuse(world, &project.root, "copies of it may have sessions")?;
    let from = world.cwd.join(&args.from);
    let memory = Memory::make(&project.root, project.config.share)?;
    let pairs = pairs(&from, memory.folder())?;
    let lock = if args.dry_run {
        None
    } else {
        Some(by_hand::take_lock(memory.folder(), world.patience)?)
    };
    let forgotten = forgotten(&memory, &pairs)?;
    let taken = take_out(&project, &memory, &forgotten, lock.as_ref(), world)?;
    let mut work = MergeRun {
        memory: memory.folder(),
        forgotten,
        plan: Plan::default(),
        days: BTreeSet::new(),
        failed: BTreeSet::new(),
    };
    work.all(&pairs, args.dry_run)?;
    let mut plan = work.plan;
    if !project.config.share {
        plan.steps.iter_mut().for_each(|step| step.private = true);
    }
    for note in &plan.notes {
        writeln!(
            world.err,
            "{}: {}",
            if note.problem { "error" } else { "note" },
            safe(&note.to_string())
        )?;
    }
    let failed = plan.notes.iter().any(|note| note.problem);
    // A log out of which something goes first may be merged after that.
    let other = taken.iter().filter(|one| plan.steps.iter().all(|step| step.path != one.path));
    let steps: Vec<&Step> = other.chain(&plan.steps).collect();
    if args.dry_run {
        for step in &steps {
            writeln!(world.out, "{}", safe(&step.to_string()))?;
        }
        say(world, &steps, true)?;
        return Ok(if failed { Exit::Problem } else { Exit::Done });
    }
    let Some(lock) = lock else { return Ok(Exit::Done) };
    let applied = disk::apply(&project.root, &plan);
    for note in &applied.skipped {
        writeln!(world.err, "note: {}", safe(&note.to_string()))?;
    }
    if let Some(failure) = applied.failure {
        return Err(failure.into());
    }
    say(world, &steps, false)?;
    let exit = by_hand::after_capture(&project, &memory, world, &lock)?;
    Ok(if failed { Exit::Problem } else { exit })
}

/// What was forgotten here or in the other memory.
fn forgotten(memory: &Memory, pairs: &[Pair]) -> Result<Forgotten, Problem> {
    let failed = |path: &Path, error: std::io::Error| {
        disk::problem("read", path, error).hint(
            "what was forgotten cannot be told from what was not, so nothing was changed; see who owns that file",
        )
    };
    let path = memory.folder().path().join(layout::FORGOTTEN);
    let mut all = buried::load(memory.folder()).map_err(|error| failed(&path, error))?;
    for Pair { folder, name, .. } in
        pairs.iter().filter(|pair| pair.kind == Some(FileKind::Forgotten))
    {
        let read = Folder::open(folder).and_then(|other| other.read(name));
        let (bytes, _) = read.map_err(|error| failed(&folder.join(name), error))?;
        all.union(&Forgotten::parse(&bytes));
    }
    Ok(all)
}

/// What was forgotten in the other memory goes from this one. Returns the steps, which without a lock are not done.
fn take_out(
    project: &Project,
    memory: &Memory,
    forgotten: &Forgotten,
    lock: Option<&Lock>,
    world: &World,
) -> Result<Vec<Step>, Problem> {
    if forgotten.is_empty() {
        return Ok(Vec::new());
    }
    let first = elsewhere::all_of(project, memory, forgotten)?;
    let steps = [&first.logs, &first.before].map(|plan| plan.steps.as_slice()).concat();
    if let Some(alone) = lock.and_then(Lock::held).filter(|_| !steps.is_empty()) {
        let mut first = Some(first);
        carry_out::retraction(project, memory, alone, world.today()?, || match first.take() {
            Some(planned) => Ok(planned),
            None => elsewhere::all_of(project, memory, forgotten),
        })?;
    }
    Ok(steps)
}

/// Says how much came in.
fn say(world: &mut World, steps: &[&Step], dry_run: bool) -> Result<()> {
    let files = steps.iter().filter(|step| step.change != Change::EnsureDir).count();
    let what = match (files, dry_run) {
        (0, _) => "nothing new".to_owned(),
        (_, true) => format!("{} would change", counted(files, "file")),
        (_, false) => format!("{} changed", counted(files, "file")),
    };
    writeln!(world.out, "hipocampus merge: {what}")?;
    Ok(())
}

/// A file of the other memory.
struct Pair {
    folder: PathBuf,
    name: String,
    /// where it belongs, below the project
    path: String,
    kind: Option<FileKind>,
}

/// What there is to merge: the known files of a memory, or one conflict copy.
fn pairs(from: &Path, ours: &Folder) -> Result<Vec<Pair>, Problem> {
    let nothing = |what: &str| {
        Problem::new(format!("`{}` is {what}", from.display()))
            .hint("name a project's folder, its `memory`, or a conflict copy of one of its files; nothing was changed")
    };
    if !disk::is_dir(from) {
        let folder = from.parent().map(Path::to_path_buf).unwrap_or_default();
        let name = from.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let below = disk::real_path(&folder);
        let below = below.strip_prefix(disk::real_path(ours.path())).ok().and_then(Path::to_str);
        let of = merge::copy_of(&name).ok_or_else(|| nothing("no folder and no conflict copy"))?;
        let below = below.filter(|below| !below.is_empty()).map(|below| format!("{below}/"));
        let path = format!("{}/{}{of}", layout::MEMORY, below.unwrap_or_default());
        let kind = merge::kind(&path);
        if kind.is_none() || !disk::is_there(from) {
            return Err(nothing("no conflict copy of a file of a memory"));
        }
        return Ok(vec![Pair { folder, name, path, kind }]);
    }
    let inside = from.join(layout::MEMORY);
    let top = if disk::is_dir(&inside) { inside } else { from.to_path_buf() };
    if disk::real_path(&top) == disk::real_path(ours.path()) {
        return Err(nothing("this memory itself"));
    }
    let mut found = Vec::new();
    for level in [None].into_iter().chain(Level::ALL.map(Some)) {
        let below = level.map(layout::level_dir);
        let folder = below.map_or_else(|| top.clone(), |below| top.join(below));
        let mut names = disk::list(&folder)?;
        names.sort();
        for name in names {
            let path = match below {
                Some(below) => format!("{}/{below}/{name}", layout::MEMORY),
                None => format!("{}/{name}", layout::MEMORY),
            };
            let kind = merge::kind(&path);
            if kind.is_some() || is_backup(&name) {
                found.push(Pair { folder: folder.clone(), name, path, kind });
            }
        }
    }
    if found.is_empty() {
        return Err(nothing("no memory"));
    }
    Ok(found)
}

fn is_backup(name: &str) -> bool {
    let day =
        name.strip_prefix(".session-transcript-").and_then(|name| name.strip_suffix(".jsonl"));
    day.is_some_and(|day| day.parse::<NaiveDate>().is_ok())
}

struct MergeRun<'a> {
    memory: &'a Folder,
    forgotten: Forgotten,
    plan: Plan,
    /// the days whose logs change
    days: BTreeSet<NaiveDate>,
    /// the days whose logs could not be merged
    failed: BTreeSet<NaiveDate>,
}

impl MergeRun<'_> {
    fn all(&mut self, pairs: &[Pair], dry_run: bool) -> Result<(), Problem> {
        // Logs first: a node that is the last copy of one is marked before anybody looks at it.
        let is_log = |pair: &&Pair| pair.kind == Some(FileKind::Log);
        pairs.iter().filter(is_log).for_each(|pair| self.pair(pair));
        for day in self.days.iter().filter(|_| !dry_run) {
            reopen::announce(self.memory, *day).map_err(|error| {
                Problem::new(disk::describe(&error)).hint("solve this first; nothing was merged")
            })?;
        }
        pairs.iter().filter(|pair| !is_log(pair)).for_each(|pair| self.pair(pair));
        self.folders();
        Ok(())
    }

    fn pair(&mut self, pair: &Pair) {
        crate::progress::tick(|| format!("merging `{}`", pair.path));
        if let Err(why) = self.try_pair(pair) {
            let is_log = pair.kind == Some(FileKind::Log);
            self.failed.extend(layout::day_of_log(&pair.name).filter(|_| is_log));
            let text = format!("not merged: {}; it was not changed", disk::describe(&*why));
            self.plan.notes.push(Note::problem(&pair.path, text));
        }
    }

    fn try_pair(&mut self, Pair { folder, name, path, kind }: &Pair) -> Result<()> {
        // Without the log the node would count as its last copy.
        if let Some(FileKind::Node(level)) = kind
            && let Some(period) = name.strip_suffix(".md").and_then(|it| Period::parse(*level, it))
            && let Some(day) = self.failed.range(period.days()).next()
        {
            bail!("the log of {day} was not");
        }
        let other = Folder::open(folder)?;
        let Some(entry) = other.entry(name)? else { return Ok(()) };
        if entry.kind != EntryKind::File {
            bail!("the other one is not a regular file");
        }
        if entry.stamp.size > merge::LIMIT && kind.is_some() {
            bail!("the other one is larger than 64 MiB");
        }
        let mut theirs = other.read(name)?.0;
        let ours = self.ours(path)?;
        let day = layout::day_of_log(layout::name(path)).filter(|_| *kind == Some(FileKind::Log));
        if let (Some(day), None) = (day, &ours) {
            merge::merge(FileKind::Log, None, &theirs, &theirs, &|_| false)?;
            let goes = Selection::Buried(&self.forgotten);
            theirs = in_merges::cut(&theirs, day, goes).map_or(theirs, |cut| cut.bytes);
        }
        if kind.is_none() {
            let goes = Selection::Buried(&self.forgotten);
            let left = records::cut(&theirs, goes, &GoneTurns::default());
            theirs = left.map_or(theirs, |cut| cut.bytes);
        }
        let why = "from the other memory";
        let step = match (ours, kind) {
            (Some(ours), _) if ours == theirs => return Ok(()),
            (None, _) if theirs.is_empty() => return Ok(()),
            (None, kind) => {
                if let Some(kind) = kind {
                    merge::merge(*kind, None, &theirs, &theirs, &|_| false)?;
                }
                Step::new(path, Change::Create(theirs), why).synced()
            }
            (Some(ours), Some(kind)) => {
                let with = in_merges::merged((*kind, day), None, &ours, &theirs, &self.forgotten)?;
                if with == ours {
                    return Ok(());
                }
                Step::to_users_file(path, Change::Replace { was: hash(&ours), with }, why)
            }
            (Some(ours), None) => {
                let missing = missing_lines(&ours, &theirs);
                if missing.is_empty() {
                    return Ok(());
                }
                Step::new(path, Change::Append(missing), why).synced()
            }
        };
        self.days.extend(day);
        self.plan.steps.push(step);
        Ok(())
    }

    /// Our file of that name, if there is one; through no link.
    fn ours(&self, path: &str) -> std::io::Result<Option<Vec<u8>>> {
        let below = path.split_once('/').map_or(path, |(_, below)| below);
        let read = match below.split_once('/') {
            Some((folder, name)) => match self.memory.folder(folder)? {
                Some(folder) => folder.read_if_there(name)?,
                None => None,
            },
            None => self.memory.read_if_there(below)?,
        };
        Ok(read.map(|(bytes, _)| bytes))
    }

    /// Puts the folders in front that nodes come into.
    fn folders(&mut self) {
        let missing = Level::ALL.map(layout::level_path).into_iter().filter(|folder| {
            let inside = format!("{folder}/");
            self.plan.steps.iter().any(|step| step.path.starts_with(&inside))
                && !disk::is_dir(&self.memory.path().join(layout::name(folder)))
        });
        let missing: Vec<_> =
            missing.map(|folder| Step::new(folder, Change::EnsureDir, "for its nodes")).collect();
        self.plan.steps.splice(0..0, missing);
    }
}

/// The lines of one backup that another lacks.
fn missing_lines(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let known: BTreeSet<&[u8]> = ours.split(|byte| *byte == b'\n').collect();
    let new = theirs
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty() && !known.contains(line));
    let mut missing = Vec::new();
    for line in new {
        missing.extend_from_slice(line);
        missing.push(b'\n');
    }
    if !missing.is_empty() && !ours.is_empty() && !ours.ends_with(b"\n") {
        missing.insert(0, b'\n');
    }
    missing
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_backup_gets_the_lines_it_lacks() {
        let missing = super::missing_lines(b"a\nb", b"b\nc\n");
        assert_eq!(missing, b"\nc\n");
        assert!(super::missing_lines(b"a\nb\n", b"b\n").is_empty());
    }
}
