//! qmd, the optional search engine, as a child process. Whatever goes wrong here is a warning.
//!
//! Programs are taken from `PATH` only, never from inside the project: its `node_modules/.bin` may have
//! come with a cloned repository. They run in the user's home for the same reason. `QMD_DISABLE=1`
//! switches all of it off.

#![expect(clippy::disallowed_methods, reason = "this module runs qmd, node and npm")]

use std::ffi::OsStr;
use std::fs::TryLockError;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::config::SearchConfig;
use crate::layout::MEMORY;
use crate::{World, disk, layout};

const PACKAGE: &str = "@tobilu/qmd";
/// The first version of Node it runs on.
const NODE: u32 = 22;

/// Why a program gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramError {
    /// it cannot be found
    #[error("`{0}` is not on the `PATH`")]
    Missing(&'static str),
    /// qmd
    #[error("it is not installed, or switched off")]
    Off,
    #[error("it needs Node {NODE} or newer and this is {0}")]
    Old(String),
    /// after npm has put it somewhere
    #[error("npm put it where PATH does not lead")]
    Elsewhere,
    /// the call, which failed
    #[error("`{0}` failed")]
    Failed(String),
    /// the call, and how long it had
    #[error("`{0}` took longer than {1} s")]
    Late(String, u64),
    /// what it says is wrong
    #[error("{0}")]
    Said(String),
    #[error("it could not be run")]
    Start(#[from] std::io::Error),
}

pub(crate) fn find(world: &World, root: &Path) -> Option<PathBuf> {
    if world.var("QMD_DISABLE").is_some() {
        return None;
    }
    program(world, root, "qmd")
}

/// The collections of a project: a name that no other project has, and the folder.
pub(crate) fn collections(root: &Path) -> Vec<(String, PathBuf)> {
    let hash = crate::plan::hash(root.as_os_str().as_encoded_bytes());
    let name = root.file_name().and_then(OsStr::to_str).unwrap_or("project");
    let name: String = name
        .chars()
        .map(
            |letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' },
        )
        .collect();
    let name = format!("{}-{:08x}", name.trim_matches('-'), hash >> 32);
    [MEMORY, "knowledge", "plans"]
        .map(|folder| (format!("{name}-{folder}"), root.join(folder)))
        .to_vec()
}

/// What is asked of [`set_up`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SetUp {
    /// to install qmd where it is missing; nobody gets a program they did not ask for
    pub install: bool,
    /// to say what would be done
    pub dry_run: bool,
}

/// Finds qmd, or installs it where that is asked for, and registers the project's collections. Says what it did, or
/// why not; nothing if it is missing and nobody asked for it.
pub(crate) fn set_up(world: &mut World, root: &Path, ask: SetUp) -> Vec<String> {
    if world.var("QMD_DISABLE").is_some() {
        return vec!["qmd: left alone, `QMD_DISABLE` is set".to_owned()];
    }
    let mut lines = Vec::new();
    let program = match find(world, root) {
        Some(found) => Ok(found),
        None if !ask.install => return lines,
        None => npm(world, root).and_then(|npm| {
            if ask.dry_run {
                lines.push(format!("qmd: would be installed, `npm {}`", INSTALL.join(" ")));
                return Ok(PathBuf::new());
            }
            let program = install(world, root, &npm)?;
            lines.push(format!("qmd: installed `{PACKAGE}`"));
            Ok(program)
        }),
    };
    let program = match program {
        Ok(program) => program,
        Err(why) => {
            lines.push(format!(
                "qmd: not installed, {}; search works without it, see hipocampus-search",
                disk::describe(&why)
            ));
            return lines;
        }
    };
    let is_there = !program.as_os_str().is_empty();
    let list = || output(world, &program, &["collection", "list"], Duration::from_secs(20));
    let known = is_there.then(list).and_then(Result::ok).unwrap_or_default();
    for (name, folder) in collections(root) {
        let is_known =
            known.split(|letter: char| letter.is_whitespace() || "()/:,".contains(letter));
        // What a run makes first is not there yet when it is only planned.
        let has_folder = disk::is_dir(&folder) || ask.dry_run;
        if !has_folder || is_known.into_iter().any(|word| word == name) {
            continue;
        }
        if ask.dry_run {
            lines.push(format!("qmd: collection `{name}` would be added"));
            continue;
        }
        let folder = folder.display().to_string();
        let arguments = ["collection", "add", &folder, "--name", &name, "--mask", "**/*.md"];
        match output(world, &program, &arguments, Duration::from_secs(60)) {
            Ok(_) => lines.push(format!("qmd: collection `{name}`")),
            Err(why) => lines.push(format!(
                "qmd: collection `{name}` could not be added, {}",
                disk::describe(&why)
            )),
        }
    }
    lines
}

/// What a shell does in the background: index, then make vectors (`$2`), one after the other, and once more where
/// somebody asked meanwhile, by writing into the file `$3`. Its stdin is that file, locked: the lock lasts as long as
/// the last process that has it. The first line it prints is how the first indexing ended.
const REFRESH: &str = r#"
trap '' PIPE
while :; do
  "$1" update >/dev/null
  code=$?
  echo "$code"
  exec >/dev/null
  [ "$code" = 0 ] && [ -n "$2" ] && "$1" embed
  [ -s "$3" ] || exit 0
  : > "$3"
done
"#;

/// Brings the index up to date after the memory changed: by hand with a limit, in a hook detached. One
/// refresh at a time: where one is under way it goes round once more. Says what went wrong.
pub(crate) fn refresh(
    world: &World,
    root: &Path,
    search: &SearchConfig,
    in_hook: bool,
) -> Option<String> {
    let program = search.enabled.then(|| find(world, root)).flatten()?;
    let path = root.join(MEMORY).join(layout::QMD);
    let opened = disk::Folder::open(&root.join(MEMORY))
        .and_then(|memory| memory.open_work_file(layout::QMD));
    let mut file = match opened {
        Ok(file) => file,
        Err(error) => {
            return Some(format!("qmd: `{}`: {}", path.display(), disk::describe(&error)));
        }
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let _ = file.write_all(b"again\n");
            return None;
        }
        // Without locks there may be two at a time, which wastes work and breaks nothing.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    // What was asked for before now is about to be done.
    let _ = file.set_len(0);
    let vectors = if search.vector { "vectors" } else { "" };
    let mut shell = command(world, Path::new("/bin/sh"), &["-c", REFRESH, "sh"]);
    shell.arg(&program).arg(vectors).arg(&path).stdin(file).stderr(Stdio::null());
    shell.stdout(if in_hook { Stdio::null() } else { Stdio::piped() });
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => return Some(format!("qmd: {}", disk::describe(&error))),
    };
    let said = child.stdout.take()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(said).read_line(&mut line);
        let _ = sender.send(line);
    });
    match receiver.recv_timeout(Duration::from_secs(5)) {
        Ok(code) if code.trim() == "0" => None,
        Ok(_) => Some("qmd: `qmd update` failed".to_owned()),
        Err(_) => Some("qmd: still indexing, in the background".to_owned()),
    }
}

/// What qmd finds in the project's collections, as it prints it.
pub(crate) fn search(
    world: &World,
    root: &Path,
    config: &SearchConfig,
    question: &str,
    limit: usize,
) -> Result<String, ProgramError> {
    let program = find(world, root).ok_or(ProgramError::Off)?;
    let how = if config.vector { "query" } else { "search" };
    let limit = limit.to_string();
    // A question is no flag.
    let question = question.trim_start_matches(['-', ' ']);
    let mut text = String::new();
    for (name, folder) in collections(root) {
        if disk::is_dir(&folder) {
            let arguments = [how, question, "-c", &name, "-n", &limit];
            text += &output(world, &program, &arguments, Duration::from_secs(120))?;
        }
    }
    Ok(text)
}

const INSTALL: [&str; 4] = ["install", "--global", "--fetch-retries=1", PACKAGE];

/// npm, where Node is new enough for qmd; else why not.
fn npm(world: &World, root: &Path) -> Result<PathBuf, ProgramError> {
    let node = program(world, root, "node").ok_or(ProgramError::Missing("node"))?;
    let version = output(world, &node, &["--version"], Duration::from_secs(10))?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|text| text.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        return Err(ProgramError::Old(version.trim().to_owned()));
    }
    program(world, root, "npm").ok_or(ProgramError::Missing("npm"))
}

fn install(world: &World, root: &Path, npm: &Path) -> Result<PathBuf, ProgramError> {
    output(world, npm, &INSTALL, Duration::from_secs(300))?;
    find(world, root).ok_or(ProgramError::Elsewhere)
}

/// A program on `PATH` that does not come out of the project.
pub(crate) fn program(world: &World, root: &Path, name: &str) -> Option<PathBuf> {
    let path = world.env.get(OsStr::new("PATH"))?;
    let root = disk::real_path(root);
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| {
            disk::is_program(file)
                && !disk::real_path(file).starts_with(&root)
                && !file.starts_with(&root)
        })
}

fn command(world: &World, program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    let home = world.var("HOME").map(PathBuf::from).filter(|home| disk::is_dir(home));
    command
        .args(arguments)
        .current_dir(home.unwrap_or_else(|| PathBuf::from("/")))
        .env_clear()
        .envs(&world.env)
        .stdin(Stdio::null())
        // Out of reach of a client that ends the hook's process group.
        .process_group(0);
    command
}

fn output(
    world: &World,
    program: &Path,
    arguments: &[&str],
    limit: Duration,
) -> Result<String, ProgramError> {
    let mut child =
        command(world, program, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let pipe = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.map(|mut pipe| std::io::Read::read_to_end(&mut pipe, &mut text));
        text
    });
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let call = format!("{name} {}", arguments.join(" "));
    match wait(&mut child, limit) {
        Some(true) => {
            let text = reader.join().unwrap_or_default();
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        Some(false) => Err(ProgramError::Failed(call)),
        None => {
            let _ = child.kill();
            let _ = child.wait();
            Err(ProgramError::Late(call, limit.as_secs()))
        }
    }
}

/// Whether it ended well; `None` if it is still running.
fn wait(child: &mut Child, limit: Duration) -> Option<bool> {
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if Instant::now() < deadline => sleep(Duration::from_millis(10)),
            Ok(None) => return None,
            Err(_) => return Some(false),
        }
    }
}

#[cfg(test)]
mod tests;
