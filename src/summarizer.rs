//! A command that reads a prompt and prints a summary, as a child process: any model a user has.
//!
//! It runs in an empty temporary folder, so that no project's memory and no configuration is its own, in a process
//! group of its own, with pipes and nothing else of this run's. It has three minutes.

#![expect(clippy::disallowed_methods, reason = "this module runs the summarizer")]

use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::disk::{self, EmptyFolder};
use crate::error::NamedError;
use crate::interrupt;
use crate::layout;
use crate::project;
use crate::summaries::verdict::is_out_of_service;
use crate::world::World;

/// Set for the command: under it hooks of ours do nothing.
pub(crate) const SIGN: &str = "HIPOCAMPUS_SUMMARIZING";
/// How long a call may take.
pub(crate) const LIMIT: Duration = Duration::from_secs(180);
/// How long what the command started may go on printing once it has ended.
const LINGER: Duration = Duration::from_secs(2);
/// How often is looked whether it has ended.
const PACE: Duration = Duration::from_millis(10);
/// The most bytes of its complaints that are read.
const COMPLAINTS: u64 = 16 * 1024;

/// What clients set for whatever they start, and what would tie the command to this project.
const NOT_PASSED_ON: &str = "CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SSE_PORT \
    CLAUDE_PROJECT_DIR CLAUDE_ENV_FILE CODEX_THREAD_ID CODEX_SANDBOX TRANSCRIPT_PATH \
    OLDPWD GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE HIPOCAMPUS_NOW";

#[derive(Debug)]
pub(crate) enum CallEnd {
    /// with this text, which may be the beginning of a longer one
    Said(String),
    /// without one, and why
    Failed {
        why: String,
        /// what it had printed by then
        said: String,
    },
    /// because somebody asked this run to end
    Stopped,
}

/// What a command is called with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    /// for `sh -c`
    pub(crate) command: &'a str,
    /// what it reads
    pub(crate) prompt: &'a str,
    /// the most bytes of an answer; a longer one ends the call
    pub(crate) most: u64,
    /// how long it may take
    pub(crate) limit: Duration,
    /// what a person who waits is told
    pub(crate) told: &'a str,
}

/// Runs a command on a prompt.
pub(crate) fn ask(world: &World, call: &Call<'_>) -> CallEnd {
    let failed = |why: String| CallEnd::Failed { why, said: String::new() };
    let folder = match place(world) {
        Ok(folder) => folder,
        Err(why) => return failed(disk::describe(&why)),
    };
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(call.command).current_dir(folder.path()).env_clear().envs(&world.env);
    for name in NOT_PASSED_ON.split(' ') {
        shell.env_remove(name);
    }
    shell.env(SIGN, "1").env("PWD", folder.path()).process_group(0);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("`/bin/sh`: {}", disk::describe(&error))),
    };
    let input = child.stdin.take();
    let bytes = call.prompt.as_bytes().to_vec();
    // Whoever does not read the prompt leaves this thread waiting until the pipe is closed.
    std::thread::spawn(move || {
        let _ = input.map(|mut input| input.write_all(&bytes));
    });
    let answer = read(child.stdout.take(), call.most.saturating_add(1));
    let complaints = read(child.stderr.take(), COMPLAINTS);
    let (how, said) = wait(&mut child, &answer, call);
    // Whatever the command has started ends with it.
    end_group(&child);
    let _ = child.wait();
    let text = String::from_utf8_lossy(&said).into_owned();
    let complaint = complaints.recv_timeout(LINGER).unwrap_or_default();
    match how {
        How::Stopped => CallEnd::Stopped,
        How::Late => CallEnd::Failed {
            why: format!("it took longer than {} s", call.limit.as_secs()),
            said: text,
        },
        How::TooMuch => {
            CallEnd::Failed { why: format!("it printed more than {} bytes", call.most), said: text }
        }
        How::Done(true) => CallEnd::Said(text),
        How::Done(false) => {
            // The line that says why, else the last one.
            let last = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes).into_owned();
                let why = text.lines().rev().find(|line| is_out_of_service(line));
                let why = why.or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()));
                why.map(str::to_owned)
            };
            let words = last(&complaint).or_else(|| last(&said)).unwrap_or_default();
            let words: String = words.trim().chars().take(400).collect();
            let why = if words.is_empty() {
                "it failed".to_owned()
            } else {
                format!("it failed: {words}")
            };
            CallEnd::Failed { why, said: text }
        }
    }
}

enum How {
    Done(bool),
    Late,
    TooMuch,
    Stopped,
}

/// Waits for a child to end and for its answer, as long as it may take.
fn wait(child: &mut Child, answer: &Receiver<Vec<u8>>, call: &Call<'_>) -> (How, Vec<u8>) {
    let until = Instant::now() + call.limit;
    let mut said = None;
    let mut lingers = None;
    loop {
        if said.is_none() {
            said = answer.try_recv().ok();
        }
        let over = |how, said: Option<Vec<u8>>| (how, said.unwrap_or_default());
        if interrupt::asked() {
            return over(How::Stopped, said);
        }
        if said.as_ref().is_some_and(|said| said.len() as u64 > call.most) {
            return over(How::TooMuch, said);
        }
        match child.try_wait() {
            Ok(Some(status)) if said.is_some() => return over(How::Done(status.success()), said),
            Ok(Some(status)) => {
                // Something that it started still has the pipe.
                let since = *lingers.get_or_insert_with(Instant::now);
                if since.elapsed() > LINGER {
                    end_group(child);
                    said = answer.recv_timeout(LINGER).ok();
                    return over(How::Done(status.success()), said);
                }
            }
            Ok(None) => {}
            Err(_) => return over(How::Done(false), said),
        }
        if Instant::now() >= until {
            end_group(child);
            let said = said.or_else(|| answer.recv_timeout(LINGER).ok());
            return over(How::Late, said);
        }
        crate::progress::tick(|| call.told.to_owned());
        sleep(PACE);
    }
}

fn read(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(most).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

fn end_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// An empty folder that belongs to no project.
fn place(world: &World) -> io::Result<EmptyFolder> {
    let given = world.var("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let mut failure = io::Error::other("there is no folder for temporary files");
    for place in given.into_iter().chain([PathBuf::from("/tmp"), PathBuf::from("/var/tmp")]) {
        if is_in_project(&place, world) {
            continue;
        }
        EmptyFolder::sweep(&place, layout::SUMMARIZING);
        match EmptyFolder::make(&place, layout::SUMMARIZING) {
            Ok(folder) => return Ok(folder),
            Err(error) => failure = NamedError::put(&place.to_string_lossy(), error),
        }
    }
    Err(failure)
}

fn is_in_project(place: &Path, world: &World) -> bool {
    let start = project::start(world, Some(place), None);
    start.is_ok_and(|start| project::locate(&start).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_ended_with_all_that_it_started() {
        let temp = tempfile::tempdir().unwrap();
        let mark = temp.path().join("lived on");
        let mut world = World::for_tests();
        world.env.insert("PATH".into(), "/usr/bin:/bin".into());
        let command = format!("echo half; (sleep 3; touch '{}') & sleep 600", mark.display());
        let limit = Duration::from_secs(1);
        let call = Call { command: &command, prompt: "p", most: 100, limit, told: "" };
        let CallEnd::Failed { why, said } = ask(&world, &call) else {
            panic!("it was to fail");
        };
        assert_eq!((&*why, &*said), ("it took longer than 1 s", "half\n"));
        sleep(Duration::from_secs(4));
        assert!(!mark.exists());
    }
}
