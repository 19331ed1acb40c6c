//! The door to everything that differs between a real run and a test: clock, environment, working
//! directory, standard streams.

#![expect(clippy::disallowed_methods, reason = "effects live here")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, Utc};

use crate::Problem;
use crate::disk::describe;

/// A standard stream whose reader may leave, as `head` does: what it did not want to see goes nowhere, and the
/// run does its work.
struct Stream<W> {
    to: W,
    name: &'static str,
}

impl<W> Stream<W> {
    fn unless_left<T>(&self, done: io::Result<T>, in_vain: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(in_vain),
            // Whoever repeats a write that was interrupted has to know it by its kind.
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let why = format!("cannot write to {}: {}", self.name, describe(&error));
                Err(io::Error::new(error.kind(), why))
            }
            done => done,
        }
    }
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        crate::progress::clear();
        let done = self.to.write(bytes);
        self.unless_left(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.to.flush();
        self.unless_left(done, ())
    }
}

/// The system's clock now, which goes on while the machine sleeps.
pub(crate) fn system_time() -> SystemTime {
    SystemTime::now()
}

/// How a moment reads on the user's clock.
pub(crate) type LocalTime = Box<dyn Fn(DateTime<Utc>) -> NaiveDateTime>;

/// How much is said about what a run does. What was asked for and what went wrong is always said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Talk {
    /// nothing else
    Quiet,
    /// what was done, in short
    #[default]
    Normal,
    /// every file that was written
    Verbose,
}

/// The surroundings of one run.
pub struct World {
    /// the working directory, absolute
    pub cwd: PathBuf,
    /// the running program, where the system tells
    pub exe: Option<PathBuf>,
    /// environment variables
    pub env: HashMap<OsString, OsString>,
    /// the system clock in the user's zone, read once
    pub clock: DateTime<FixedOffset>,
    /// standard input; `None` once it was taken
    pub stdin: Option<Box<dyn Read + Send>>,
    /// data
    pub out: Box<dyn Write>,
    /// talk
    pub err: Box<dyn Write>,
    /// whether `out` is a terminal
    pub out_is_terminal: bool,
    /// whether `err` is a terminal
    pub err_is_terminal: bool,
    /// whether somebody at a terminal can answer
    pub in_is_terminal: bool,
    /// the columns of that terminal
    pub columns: Option<usize>,
    /// how much is said
    pub talk: Talk,
    /// how long a command that somebody typed waits for another run that has the memory
    pub patience: Duration,
    /// how long a person who typed a prompt waits for what the memory knows about it
    pub hook_patience: Duration,
}

#[cfg(test)]
impl World {
    /// Surroundings that have nothing of the machine the test runs on: an empty environment, a fixed clock, nobody to
    /// read what is written.
    pub(crate) fn for_tests() -> Self {
        Self {
            cwd: PathBuf::from("/"),
            exe: None,
            env: HashMap::new(),
            clock: DateTime::parse_from_rfc3339("2026-08-20T12:00:00Z").unwrap(),
            stdin: None,
            out: Box::new(io::sink()),
            err: Box::new(io::sink()),
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
            columns: None,
            talk: Talk::Normal,
            patience: Duration::ZERO,
            hook_patience: Duration::from_secs(30),
        }
    }
}

/// What was written to a stream.
#[derive(Clone, Default)]
pub(crate) struct Written(Rc<RefCell<Vec<u8>>>);

impl Written {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl World {
    /// The surroundings of this process.
    pub fn of_process() -> Self {
        Self {
            cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            exe: std::env::current_exe().ok(),
            env: std::env::vars_os().collect(),
            clock: Local::now().fixed_offset(),
            stdin: Some(Box::new(io::stdin())),
            out: Box::new(Stream { to: io::stdout(), name: "stdout" }),
            err: Box::new(Stream { to: io::stderr(), name: "stderr" }),
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            in_is_terminal: io::stdin().is_terminal(),
            columns: rustix::termios::tcgetwinsize(io::stderr())
                .ok()
                .map(|size| usize::from(size.ws_col))
                .filter(|columns| *columns > 0),
            talk: Talk::Normal,
            patience: Duration::from_secs(30),
            hook_patience: Duration::from_millis(1500),
        }
    }

    /// The surroundings of a call in this process, which nobody watches: it has a clock of its own, and what it writes to
    /// `out` and `err` is kept.
    pub(crate) fn unwatched() -> (Self, Written, Written) {
        let (out, err) = (Written::default(), Written::default());
        let world = Self {
            stdin: None,
            out: Box::new(out.clone()),
            err: Box::new(err.clone()),
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
            columns: None,
            patience: Duration::from_secs(5),
            ..Self::of_process()
        };
        (world, out, err)
    }

    /// The terminal, for words that are taken away again; `None` if there is none or nothing is to be said.
    pub(crate) fn terminal(&self) -> Option<Box<dyn Write>> {
        let dumb = self.var("TERM").is_some_and(|term| term == "dumb");
        (self.err_is_terminal && !dumb && self.talk > Talk::Quiet)
            .then(|| Box::new(io::stderr()) as Box<dyn Write>)
    }

    /// An environment variable that is set, not empty and valid UTF-8.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.env.get(OsString::from(name).as_os_str())?.to_str().filter(|value| !value.is_empty())
    }

    /// Whether an environment variable switches something on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.var(name).is_some_and(|value| !matches!(value, "0" | "false" | "no"))
    }

    /// A folder of the user's for this program: where the variable says, if that is an absolute path, else `below` the
    /// home folder.
    pub(crate) fn own_folder(&self, variable: &str, below: &str) -> Option<PathBuf> {
        let given = self.var(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || Some(PathBuf::from(self.var("HOME")?).join(below));
        Some(given.or_else(home)?.join("hipocampus"))
    }

    /// This user's own records, where no clone and no pull reaches.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        self.own_folder("XDG_STATE_HOME", ".local/state")
    }

    /// The moment of this run: `HIPOCAMPUS_NOW` (RFC 3339) where it is set, else the clock.
    ///
    /// # Errors
    /// When `HIPOCAMPUS_NOW` is no RFC 3339 date and time.
    pub fn now(&self) -> Result<DateTime<FixedOffset>, Problem> {
        let Some(text) = self.var("HIPOCAMPUS_NOW") else { return Ok(self.clock) };
        DateTime::parse_from_rfc3339(text).map_err(|error| {
            Problem::usage(format!("`HIPOCAMPUS_NOW={text}` is no date and time: {error}"))
                .hint("write it like `2026-03-15T14:02:11+01:00`, or unset it")
        })
    }

    /// The user's calendar date of this run.
    ///
    /// # Errors
    /// As [`World::now`].
    pub fn today(&self) -> Result<NaiveDate, Problem> {
        Ok(self.now()?.date_naive())
    }

    /// How a moment reads in the user's zone, which is the offset of `HIPOCAMPUS_NOW` where that is set.
    ///
    /// # Errors
    /// As [`World::now`].
    pub(crate) fn local(&self) -> Result<LocalTime, Problem> {
        let offset = *self.now()?.offset();
        Ok(match self.var("HIPOCAMPUS_NOW") {
            Some(_) => Box::new(move |time| time.with_timezone(&offset).naive_local()),
            None => Box::new(|time| time.with_timezone(&Local).naive_local()),
        })
    }

    /// Whether colour may be used on `out`.
    pub fn colour(&self) -> bool {
        self.may_colour(self.out_is_terminal)
    }

    /// Whether colour may be used on `err`.
    pub fn colour_of_talk(&self) -> bool {
        self.may_colour(self.err_is_terminal)
    }

    /// <https://no-color.org> and <https://bixense.com/clicolors>: the first wins.
    fn may_colour(&self, is_terminal: bool) -> bool {
        let is = |name: &str, value: &str| self.var(name).is_some_and(|given| given == value);
        let forced = self.var("CLICOLOR_FORCE").is_some_and(|given| given != "0");
        self.var("NO_COLOR").is_none()
            && (forced || is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"))
    }
}
