//! A memory that git has: what becomes visible by it, and whether this clone knows how to merge it.

use std::path::Path;

use super::steps::remark;
use crate::cli::InitArgs;
use crate::disk::{self, EntryKind, Folder, Repository};
use crate::merge;
use crate::plan::Note;
use crate::project::{self, Project};
use crate::qmd::ProgramError;
use crate::splice::command;
use crate::terminal::safe;
use crate::text::counted;
use crate::{Problem, World, git_program, install, layout};

/// How deep folders in a memory are looked through.
const DEEPEST: usize = 4;
/// Files with secrets that are named; the rest is counted.
const NAMED: usize = 8;

/// Says what becomes visible, before anything is changed, and refuses while there is a secret in it. Fails when there
/// is no repository, or a file holds a secret or cannot be read.
pub(crate) fn check(world: &mut World, root: &Path, project: &Project) -> Result<(), Problem> {
    if Repository::around(root).is_none() {
        return Err(Problem::new(format!("there is no git repository around `{}`", root.display()))
            .hint("run `git init` first, or bring copies together with `hipocampus merge DIR`; nothing was changed"));
    }
    let redactor = project.redactor()?;
    let mut files = Vec::new();
    if let Ok(memory) = Folder::open(&root.join(layout::MEMORY)) {
        visible(&memory, layout::MEMORY, 0, &mut files)?;
    }
    let mut secrets: Vec<(String, usize)> = Vec::new();
    let mut logs = Vec::new();
    let mut bytes = 0;
    for (path, text) in &files {
        crate::progress::tick(|| format!("looking for secrets in `{path}`"));
        bytes += text.len();
        let found = redactor.redact(text).total();
        if found > 0 {
            secrets.push((path.clone(), found));
        }
        logs.extend(
            layout::day_of_log(layout::name(path)).filter(|_| path.matches('/').count() == 1),
        );
    }
    logs.sort();
    let range = match (logs.first(), logs.last()) {
        (Some(first), Some(last)) => format!(", logs of {first} to {last} among them"),
        _ => String::new(),
    };
    remark(
        world,
        &format!(
            "visible to whoever gets the repository, once you commit it: `{}/`, {} with {} KiB{range}, and all that is added to it from now on, sessions included",
            layout::MEMORY,
            counted(files.len(), "file"),
            bytes.div_ceil(1024),
        ),
    );
    if secrets.is_empty() {
        return Ok(());
    }
    for (path, count) in secrets.iter().take(NAMED) {
        remark(world, &format!("  `{path}`: {}", counted(*count, "secret")));
    }
    if secrets.len() > NAMED {
        remark(world, &format!("  and {}", counted(secrets.len() - NAMED, "more file")));
    }
    let all: usize = secrets.iter().map(|(_, count)| count).sum();
    let what = format!(
        "{} would become visible, in {}",
        counted(all, "secret"),
        counted(secrets.len(), "file")
    );
    Err(Problem::new(what).hint("take them out, or allow them under `redaction.allow`, and run the command again; nothing was changed"))
}

/// Every file that git would have, with its bytes.
fn visible(
    folder: &Folder,
    path: &str,
    depth: usize,
    files: &mut Vec<(String, Vec<u8>)>,
) -> Result<(), Problem> {
    let failed = |path: &str, error: std::io::Error| disk::problem("read", Path::new(path), error);
    let mut entries = folder.list(|_| true).map_err(|error| failed(path, error))?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let below = format!("{path}/{}", entry.name);
        match entry.kind {
            EntryKind::Folder if depth < DEEPEST => {
                if let Some(inner) =
                    folder.folder(&entry.name).map_err(|error| failed(&below, error))?
                {
                    visible(&inner, &below, depth + 1, files)?;
                }
            }
            EntryKind::File if !is_ignored(&entry.name) => {
                let read = folder.read(&entry.name).map_err(|error| failed(&below, error))?;
                files.push((below, read.0));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether our lines of `.gitignore` keep a file of the memory from git.
fn is_ignored(name: &str) -> bool {
    (name.starts_with(".hipocampus.") && name != layout::FORGOTTEN)
        || name.starts_with(".session-transcript-")
        || (name.starts_with('.') && name.contains(".hipocampus-"))
        || name.ends_with(layout::KEPT)
        || name.ends_with(".recovered")
}

/// Sees to it that git calls this program to merge the files that `.gitattributes` names, in this clone only; or that
/// it no longer does.
pub(crate) fn driver(world: &mut World, root: &Path, program: &str, args: &InitArgs, shared: bool) {
    let Some(repository) = Repository::around(root) else { return };
    let known = repository.driver();
    let wanted = format!("{} merge-file %O %A %B %P", command::quote(program));
    let (what, done) = match known {
        Some(known) if shared && known == wanted => return,
        None if !shared => return,
        _ if args.dry_run && shared => ("git would merge the memory with this program", Ok(())),
        _ if args.dry_run => ("git would no longer merge the memory with this program", Ok(())),
        _ if shared => {
            ("git merges the memory with this program, in this clone", set(world, root, &wanted))
        }
        Some(_) => {
            let section = ["config", "--local", "--remove-section", "merge.hipocampus"];
            let done = git_program::output(world, root, &section).map(|_| ());
            ("git no longer merges the memory with this program", done)
        }
        None => return,
    };
    match done {
        Ok(()) => {
            let _ = writeln!(world.out, "  ~ git config merge.hipocampus ({what})");
        }
        Err(why) => remark(
            world,
            &format!(
                "git's configuration of this clone was not changed: {}; run `git config merge.hipocampus.driver {}` there",
                safe(&disk::describe(&why)),
                command::quote(&wanted),
            ),
        ),
    }
}

fn set(world: &World, root: &Path, wanted: &str) -> Result<(), ProgramError> {
    for (key, value) in [("name", "hipocampus memory"), ("driver", wanted)] {
        let key = format!("merge.hipocampus.{key}");
        git_program::output(world, root, &["config", "--local", &key, value])?;
    }
    Ok(())
}

/// Whether git has the memory of a project.
fn is_shared(root: &Path) -> bool {
    let attributes = disk::read_users_file(&root.join(".gitattributes")).ok().flatten();
    attributes.is_some_and(|text| install::is_shared(&text))
}

/// Whether git has the memory of a project, and this clone does not know how to merge it.
pub(crate) fn lacks_driver(root: &Path) -> bool {
    is_shared(root)
        && Repository::around(root).is_some_and(|repository| repository.driver().is_none())
}

/// The most branches that are looked at, and the most logs of each.
const BRANCHES: usize = 20;
const LOGS: usize = 200;

/// What is only on branches that are not merged, of a memory that git has. Nothing where git cannot be asked.
pub(crate) fn elsewhere(world: &World, root: &Path) -> Vec<Note> {
    if !is_shared(root) {
        return Vec::new();
    }
    let ask = |arguments: &[&str]| git_program::output(world, root, arguments).unwrap_or_default();
    let branches =
        ask(&["for-each-ref", "--no-merged", "HEAD", "--format=%(refname:short)", "refs/heads"]);
    let branches = String::from_utf8_lossy(&branches).into_owned();
    let mut notes = Vec::new();
    for branch in branches.lines().take(BRANCHES) {
        let range = format!("HEAD...{branch}");
        let diff = ["diff", "--relative", "--name-only", "-z", "--diff-filter=AM"];
        let changed = ask(&[&diff[..], &[&range, "--", layout::MEMORY]].concat());
        let changed = String::from_utf8_lossy(&changed).into_owned();
        let logs =
            changed.split('\0').filter(|path| merge::kind(path) == Some(merge::FileKind::Log));
        let (mut entries, mut days) = (0, 0);
        for path in logs.take(LOGS) {
            let theirs = ask(&["show", &format!("{branch}:./{path}")]);
            let ours = disk::read_users_file(&root.join(path)).ok().flatten().unwrap_or_default();
            let only = merge::log::count_missing(&theirs, &ours);
            entries += only;
            days += usize::from(only > 0);
        }
        if entries > 0 {
            let what = match entries {
                1 => "1 entry or session".to_owned(),
                many => format!("{many} entries and sessions"),
            };
            let days = counted(days, "day");
            let text = format!("{what} of {days} are only on this branch, which is not merged");
            notes.push(Note::remark(branch, text));
        }
    }
    notes
}

/// What is to be done about that.
pub(crate) const LACKS: &str = "this clone does not know how to merge the memory it shares; run `hipocampus init --share` here";

/// Says so, for a command that somebody typed.
pub(crate) fn remind(world: &mut World, dir: Option<&Path>) {
    let Ok(start) = project::start(world, dir, None) else { return };
    if project::locate(&start).is_some_and(|root| lacks_driver(&root)) {
        remark(world, &format!("note: {LACKS}"));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_ignored_is_what_our_lines_say() {
        for name in [
            ".hipocampus.lock",
            ".hipocampus.proven",
            ".session-transcript-2026-03-15.jsonl",
            ".2026-03-15.md.12-0.hipocampus-tmp",
            "ROOT.md.0123456789abcdef.kept",
            "ROOT.md.0123456789abcdef.recovered",
        ] {
            assert!(super::is_ignored(name), "{name}");
        }
        for name in [
            "2026-03-15.md",
            "ROOT.md",
            ".compaction-state.json",
            ".hipocampus.forgotten",
            "notes.md",
        ] {
            assert!(!super::is_ignored(name), "{name}");
        }
    }
}
