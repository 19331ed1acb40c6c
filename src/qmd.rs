//! qmd, the optional search engine, as a child process. Whatever goes wrong here is a warning.
//!
//! Programs are taken from `PATH` only, never from inside the project: its `node_modules/.bin` may have
//! come with a cloned repository. They run in the user's home for the same reason. `QMD_DISABLE=1`
//! switches all of it off.

#![expect(clippy::disallowed_methods, reason = "this module runs qmd, node and npm")]

use std::ffi::OsStr;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::config::Search;
use crate::layout::MEMORY;
use crate::{World, disk};

/// The package.
const PACKAGE: &str = "@tobilu/qmd";
/// The first version of Node it runs on.
const NODE: u32 = 22;

/// The program, if it is there.
pub fn find(world: &World, root: &Path) -> Option<PathBuf> {
    if world.var("QMD_DISABLE").is_some() {
        return None;
    }
    program(world, root, "qmd")
}

/// The collections of a project: a name that no other project has, and the folder.
pub fn collections(root: &Path) -> Vec<(String, PathBuf)> {
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

/// Finds or installs qmd and registers the project's collections. Says what it did, or why not.
pub fn set_up(world: &mut World, root: &Path) -> Vec<String> {
    if world.var("QMD_DISABLE").is_some() {
        return vec!["qmd: left alone, `QMD_DISABLE` is set".to_owned()];
    }
    let mut lines = Vec::new();
    let found = match find(world, root) {
        Some(found) => Ok(found),
        None => install(world, root).inspect(|_| lines.push(format!("qmd: installed `{PACKAGE}`"))),
    };
    let program = match found {
        Ok(program) => program,
        Err(why) => {
            lines.push(format!(
                "qmd: not installed, {why}; search works without it, see hipocampus-search"
            ));
            return lines;
        }
    };
    let known = output(world, &program, &["collection", "list"], Duration::from_secs(20))
        .unwrap_or_default();
    for (name, folder) in collections(root) {
        let is_known =
            known.split(|letter: char| letter.is_whitespace() || "()/:,".contains(letter));
        if !disk::is_dir(&folder) || is_known.into_iter().any(|word| word == name) {
            continue;
        }
        let folder = folder.display().to_string();
        let arguments = ["collection", "add", &folder, "--name", &name, "--mask", "**/*.md"];
        match output(world, &program, &arguments, Duration::from_secs(60)) {
            Ok(_) => lines.push(format!("qmd: collection `{name}`")),
            Err(why) => lines.push(format!("qmd: collection `{name}` could not be added, {why}")),
        }
    }
    lines
}

/// Brings the index up to date after the memory changed: by hand with a limit, in a hook behind its back.
/// Says what went wrong.
pub fn refresh(world: &World, root: &Path, search: &Search, in_hook: bool) -> Option<String> {
    let program = search.enabled.then(|| find(world, root)).flatten()?;
    let update = spawn(world, &program, &["update"]);
    let trouble = match update {
        Err(error) => return Some(format!("qmd: {}", disk::describe(&error))),
        Ok(_) if in_hook => None,
        Ok(mut child) => match wait(&mut child, Duration::from_secs(5)) {
            Some(true) => None,
            Some(false) => Some("qmd: `qmd update` failed".to_owned()),
            None => Some("qmd: still indexing, in the background".to_owned()),
        },
    };
    if search.vector {
        let _ = spawn(world, &program, &["embed"]);
    }
    trouble
}

/// What qmd finds in the project's collections, as it prints it.
///
/// # Errors
/// In words, when it is not there or fails.
pub fn search(
    world: &World,
    root: &Path,
    config: &Search,
    question: &str,
    limit: usize,
) -> Result<String, String> {
    let program = find(world, root).ok_or("it is not installed, or switched off")?;
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

fn install(world: &World, root: &Path) -> Result<PathBuf, String> {
    let node = program(world, root, "node").ok_or("there is no node")?;
    let version = output(world, &node, &["--version"], Duration::from_secs(10))?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|text| text.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        return Err(format!("it needs Node {NODE} or newer and this is {}", version.trim()));
    }
    let npm = program(world, root, "npm").ok_or("there is no npm")?;
    output(
        world,
        &npm,
        &["install", "--global", "--fetch-retries=1", PACKAGE],
        Duration::from_secs(300),
    )?;
    find(world, root).ok_or_else(|| "npm put it where PATH does not lead".to_owned())
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

fn spawn(world: &World, program: &Path, arguments: &[&str]) -> std::io::Result<Child> {
    command(world, program, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// What a program printed; in words why there is nothing.
fn output(
    world: &World,
    program: &Path,
    arguments: &[&str],
    limit: Duration,
) -> Result<String, String> {
    let mut child = command(world, program, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| disk::describe(&error))?;
    let pipe = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.map(|mut pipe| std::io::Read::read_to_end(&mut pipe, &mut text));
        text
    });
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    match wait(&mut child, limit) {
        Some(true) => {
            let text = reader.join().unwrap_or_default();
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        Some(false) => Err(format!("`{name} {}` failed", arguments.join(" "))),
        None => {
            let _ = child.kill();
            let _ = child.wait();
            Err(format!("`{name} {}` took longer than {} s", arguments.join(" "), limit.as_secs()))
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
