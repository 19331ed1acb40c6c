//! What went wrong, in words for a person, and the exit codes.

use std::fmt;
use std::process::ExitCode;

/// How a run ends. The numbers are part of the command-line contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, or there was nothing to do
    Done,
    /// 1: something went wrong; stderr says what
    Problem,
    /// 2: the command line was not understood
    Usage,
    /// 75: another run holds the lock (`EX_TEMPFAIL`)
    Busy,
}

impl Exit {
    /// The number the process exits with.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Problem => 1,
            Exit::Usage => 2,
            Exit::Busy => 75,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// An error with, where there is one, the thing to do about it.
///
/// Travels inside [`anyhow::Error`]; `terminal::report` prints it as `error:`, `caused by:`, `hint:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// which file, what is wrong with it
    pub what: String,
    /// what to do, starting with a verb
    pub hint: Option<String>,
    /// the exit code it leads to
    pub exit: Exit,
}

impl Problem {
    /// A problem that ends the run with exit code 1.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None, exit: Exit::Problem }
    }

    /// A command line that makes no sense: exit code 2.
    pub fn usage(what: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, ..Self::new(what) }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Changes the exit code.
    #[must_use]
    pub fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Problem {}
