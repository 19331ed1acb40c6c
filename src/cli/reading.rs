//! The arguments of the commands that read the memory: `search`, `recall`, `show` and `topics`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::memory::entry::EntryType;
use crate::search::By;

/// `hipocampus search`
#[derive(Debug, Default, Args)]
pub struct SearchArgs {
    /// words, a question, `"an exact phrase"`, `-word` to leave out; dates such as `last week` are understood
    #[arg(value_name = "QUERY", required = true)]
    pub query: Vec<String>,
    /// in all your projects: those that `hipocampus projects` lists
    #[arg(long)]
    pub everywhere: bool,
    /// at most N places, 1 to 50; 5 unless given, 3 on a terminal
    #[arg(long, value_name = "N", value_parser = limit)]
    pub limit: Option<usize>,
    /// only PERIOD: a day, week, month or year, or words such as `last week`
    #[arg(long = "in", value_name = "PERIOD")]
    pub within: Option<String>,
    /// only from D on
    #[arg(long, value_name = "D")]
    pub since: Option<String>,
    /// only up to D
    #[arg(long, value_name = "D")]
    pub until: Option<String>,
    /// only entries of this type: project, feedback, user or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds())]
    pub kind: Option<EntryType>,
    /// only what the user, or the agent, said
    #[arg(long, value_name = "WHO", value_parser = by)]
    pub by: Option<By>,
    /// only what was said on this branch, as `[branch: …]` in a session says
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// print an array of `{date, path, line, title, session, excerpt, score}`
    #[arg(long)]
    pub json: bool,
    /// who searches: builtin, or qmd where it is installed
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t)]
    pub engine: Engine,
}

/// Who searches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// this program
    #[default]
    Builtin,
    /// qmd
    Qmd,
}

/// What an argument has to be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Expected(&'static str);

fn limit(text: &str) -> Result<usize, Expected> {
    let limit = text.parse().ok().filter(|limit| (1..=50).contains(limit));
    limit.ok_or(Expected("a number from 1 to 50"))
}

/// `hipocampus projects`
#[derive(Debug, Default, Args)]
pub struct ProjectsArgs {
    /// leave out this project, whatever its hooks note later; `init` in it takes that back
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    pub forget: Option<String>,
    /// print JSON: an array of projects
    #[arg(long)]
    pub json: bool,
}

/// `hipocampus show`
#[derive(Debug, Default, Args)]
pub struct ShowArgs {
    /// `today`, `yesterday`, `week`, `month`, `2026-03-15`, `2026-W11`, `2026-03`, a session's id, `PATH:LINE` as
    /// search prints it (in `memory/`, `knowledge/` or `plans/`), `PATH:LINE-` from there on, `root`, or `last`: the
    /// latest session
    #[arg(value_name = "WHAT")]
    pub what: Vec<String>,
    /// the logs themselves, unchanged
    #[arg(long)]
    pub raw: bool,
    /// at most N lines
    #[arg(long, value_name = "N")]
    pub lines: Option<usize>,
    /// of `PATH:LINE` in ROOT.md or a node: print where the line comes from as JSON, an array of sources
    #[arg(long)]
    pub json: bool,
}

fn by(word: &str) -> Result<By, Expected> {
    match word {
        "user" => Ok(By::User),
        "agent" => Ok(By::Agent),
        _ => Err(Expected("one of user, agent")),
    }
}

pub(super) fn kinds() -> impl TypedValueParser<Value = EntryType> {
    PossibleValuesParser::new(["project", "feedback", "user", "reference"]).try_map(|word| {
        EntryType::parse(&word).ok_or(Expected("one of project, feedback, user, reference"))
    })
}

/// `hipocampus blame`
#[derive(Debug, Default, Args)]
pub struct BlameArgs {
    /// a file of the project
    #[arg(value_name = "PATH")]
    pub path: String,
    /// print JSON: an array of facts
    #[arg(long)]
    pub json: bool,
}

/// `hipocampus recall`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag, or what a caller lacks")]
pub struct RecallArgs {
    /// what a person could type to an agent
    #[arg(value_name = "TEXT", required_unless_present = "file")]
    pub text: Vec<String>,
    /// what is told when this file is read or changed, in place of a prompt
    #[arg(long, value_name = "PATH", conflicts_with_all = ["text", "why", "json"])]
    pub file: Option<String>,
    /// ask every project of yours, each by itself, the one that knows most first
    #[arg(long, conflicts_with_all = ["file", "why", "json"])]
    pub everywhere: bool,
    /// print everything that was found, with its scores and what became of it
    #[arg(long)]
    pub why: bool,
    /// print JSON: `{told, found}`
    #[arg(long)]
    pub json: bool,
    /// whoever asks has not read ROOT.md, and is told also what it says
    #[arg(skip)]
    pub has_no_root: bool,
}

/// `hipocampus topics`
#[derive(Debug, Default, Args)]
pub struct TopicsArgs {
    /// all of them, also those that are finished or older than 90 days
    #[arg(long)]
    pub all: bool,
    /// only topics of this type: project, feedback, user or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds(), ignore_case = true)]
    pub kind: Option<EntryType>,
    /// print JSON: an array of topics
    #[arg(long)]
    pub json: bool,
}
