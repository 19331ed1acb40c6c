//! What went wrong, in words for a person, and the exit codes.

use std::error::Error;
use std::fmt;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

/// How a run ends. The numbers are part of the command-line contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, or there was nothing to do
    Done = 0,
    /// 1: something went wrong; stderr says what
    Problem = 1,
    /// 2: the command line was not understood
    Usage = 2,
    /// 75: another run holds the lock (`EX_TEMPFAIL`)
    Busy = 75,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// An error with, where there is one, the thing to do about it.
///
/// Travels inside [`anyhow::Error`]; `terminal::report` prints it as `error:`, `caused by:`, `hint:`.
#[derive(Debug, Clone)]
pub struct Problem {
    /// which file, what is wrong with it
    pub what: String,
    /// what to do, starting with a verb
    pub hint: Option<String>,
    /// the exit code it leads to
    pub exit: Exit,
    /// what it comes from
    source: Option<Arc<dyn Error + Send + Sync>>,
    /// where in a file of the user's it is, if that is known
    pub(crate) mistake: Option<Box<Mistake>>,
}

/// A mistake in a file of the user's, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// the file
    pub path: String,
    /// line and column, both from 1
    pub at: Option<(usize, usize)>,
    /// lower-case, no full stop
    pub what: String,
}

impl Mistake {
    /// `file:line:column`, as far as it is known.
    pub(crate) fn place(&self) -> String {
        let at = self.at.map(|(line, column)| format!(":{line}:{column}"));
        format!("{}{}", self.path, at.unwrap_or_default())
    }
}

impl From<Mistake> for Problem {
    fn from(mistake: Mistake) -> Self {
        let what = format!("`{}`: {}", mistake.place(), mistake.what);
        Self { mistake: Some(Box::new(mistake)), ..Self::new(what) }
    }
}

impl Problem {
    /// A problem that ends the run with exit code 1.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None, exit: Exit::Problem, source: None, mistake: None }
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

    /// Adds what it comes from.
    #[must_use]
    pub(crate) fn because(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // What is inside, so that it can be recognised by its type.
        self.source.as_ref().map(|source| &**source as _)
    }
}

/// An I/O error that knows which file it is about, below the project root.
#[derive(Debug, thiserror::Error)]
#[error("`{path}`")]
pub(crate) struct NamedError {
    /// the file
    pub(crate) path: String,
    /// what is the matter with it
    pub(crate) source: io::Error,
}

impl NamedError {
    /// Puts the path into an error that has none yet. Its kind stays.
    pub(crate) fn put(path: &str, error: io::Error) -> io::Error {
        if Self::of(&error).is_some() {
            return error;
        }
        io::Error::new(error.kind(), Self { path: path.to_owned(), source: error })
    }

    /// The path in an error, and what is the matter.
    pub(crate) fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

/// An error in words, one link of the chain: what the system says loses its number.
pub(crate) fn link(error: &(dyn Error + 'static)) -> String {
    let text = error.to_string();
    if !error.is::<io::Error>() {
        return text;
    }
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// An error and all that it comes from in one line, for a note.
pub(crate) fn describe(error: &(dyn Error + 'static)) -> String {
    match error.source() {
        Some(source) => format!("{}: {}", link(error), describe(source)),
        None => link(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_with_what_it_comes_from() {
        let denied = || io::Error::from_raw_os_error(13);
        assert_eq!(describe(&denied()), "permission denied");
        let problem = Problem::new("cannot read `x`").because(denied());
        assert_eq!(problem.to_string(), "cannot read `x`");
        assert_eq!(describe(&problem), "cannot read `x`: permission denied");
    }
}
