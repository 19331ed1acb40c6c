//! The command line as clap types. No behaviour lives here, so that completions and man pages can
//! be made from the same definitions.

mod reading;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, Parser, Subcommand};

use crate::memory::entry::EntryType;
use crate::platform;
use reading::kinds;
pub(crate) use reading::{
    BlameArgs, Engine, ProjectsArgs, RecallArgs, SearchArgs, ShowArgs, TopicsArgs,
};

/// memory for coding agents, in plain Markdown files
#[derive(Debug, Parser)]
#[command(name = "hipocampus", version = env!("HIPOCAMPUS_VERSION"), disable_help_subcommand = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Cli {
    /// start looking for the project in DIR instead of the working directory
    #[arg(short = 'C', value_name = "DIR", global = true, display_order = 900)]
    pub dir: Option<PathBuf>,

    /// print only what was asked for and what went wrong
    #[arg(short, long, global = true, display_order = 901, conflicts_with = "verbose")]
    pub quiet: bool,

    /// name every file that is written
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,

    /// print help
    #[arg(short, long, global = true, display_order = 902, action = ArgAction::Help)]
    pub help: Option<bool>,

    /// print the version
    #[arg(short = 'V', long, display_order = 903, action = ArgAction::Version)]
    pub version: Option<bool>,

    /// what to do
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The subcommands; what each does is in `commands/`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// build or refresh the daily, weekly and monthly nodes
    Compact(CompactArgs),
    /// save an entry, or what is new in the latest session, then compact
    Flush(FlushArgs),
    /// move a rule from this project to your own memory, for every project
    Promote(PromoteArgs),
    /// import past sessions: all of this project that agents still have, or exported ones
    Import(ImportArgs),
    /// find what is known: places in logs, knowledge and plans, best first
    Search(SearchArgs),
    /// print what an agent is told of the memory at a prompt
    Recall(RecallArgs),
    /// print everything that is known about a file, with days
    Blame(BlameArgs),
    /// print a day, a week, a month, a session, or the log around a line
    Show(ShowArgs),
    /// what agents call
    #[command(subcommand, hide = true)]
    Hook(HookCommand),
    /// list every topic of the memory, the latest first
    Topics(TopicsArgs),
    /// list your projects, which `search --everywhere` looks through
    Projects(ProjectsArgs),
    /// print the command by which its own agent goes on with a session, the latest by default
    Resume(ResumeArgs),
    /// show whether all is well, what was saved last, and what needs doing
    Status(StatusArgs),
    /// merge another copy of this memory: from a synced folder, a USB stick, another machine
    Merge(MergeArgs),
    /// merge one file of a memory, called by git
    #[command(hide = true, override_usage = "hipocampus merge-file BASE OURS THEIRS PATH")]
    MergeFile(MergeFileArgs),
    /// remove a day, a session or words from the memory, for good
    Forget(ForgetArgs),
    /// remove secrets from everything that is written already
    Scrub(ScrubArgs),
    /// list what needs a summary by a model, or print the prompt for one
    Pending(PendingArgs),
    /// store a summary, or have a command write those that are missing
    Summarize(SummarizeArgs),
    /// prove that the memory is whole, or list what is not and how to repair it
    Check(CheckArgs),
    /// print FILE without the secrets in it
    Redact(RedactArgs),
    /// set this project up: memory, skills, section in CLAUDE.md, hooks
    Init(InitArgs),
    /// bring skills, section and hooks to this version
    Update(UpdateArgs),
    /// restore the project; what people and agents wrote stays
    Uninstall(UninstallArgs),
    /// serve the memory to an agent over MCP, on stdin and stdout
    Mcp(McpArgs),
    /// print a completion script for a shell
    Completions(CompletionsArgs),
    /// print the manual page
    Man,
}

/// `hipocampus compact`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct CompactArgs {
    /// first import the session that an agent's hook names on stdin
    #[arg(long)]
    pub stdin: bool,
    /// only in a private project
    #[arg(long, requires = "stdin", hide = true)]
    pub private: bool,
    /// show what would be written, write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// print the plan as JSON
    #[arg(long)]
    pub json: bool,
    /// read every file again instead of trusting sizes and times
    #[arg(long)]
    pub full: bool,
    /// rebuild the day, week and month of DATE although they are fixed
    #[arg(long, value_name = "DATE")]
    pub reopen: Option<String>,
    /// write ROOT.md anew; a page edited by hand is kept as a copy
    #[arg(long)]
    pub rebuild_root: bool,
}

/// `hipocampus flush`
#[derive(Debug, Default, Args)]
pub struct FlushArgs {
    /// the text of the entry
    #[arg(short, long, value_name = "TEXT", conflicts_with = "stdin", allow_hyphen_values = true)]
    pub message: Option<String>,
    /// read the entry from stdin, keeping its headings
    #[arg(value_name = "-")]
    pub stdin: Option<String>,
    /// what the entry is about; by default its first words
    #[arg(long, value_name = "T")]
    pub topic: Option<String>,
    /// project, feedback, user or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds(), ignore_case = true)]
    pub kind: Option<EntryType>,
    /// in your own memory, for every project: `user` and `feedback` entries alone
    #[arg(long, conflicts_with = "dir")]
    pub user: bool,
    /// whoever calls has no skill to write a summary, and is asked for none
    #[arg(skip)]
    pub has_no_skill: bool,
}

/// `hipocampus promote`
#[derive(Debug, Default, Args)]
pub struct PromoteArgs {
    /// the topic of a `user` or `feedback` entry, or words that only one of them has
    #[arg(value_name = "RULE", required = true)]
    pub rule: Vec<String>,
    /// show the entry, change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `hipocampus import`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ImportArgs {
    /// exported transcripts instead of the agents' stores: JSONL of agents, Markdown of SpecStory,
    /// folders of them
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// what you typed in sessions that Claude Code or Codex has deleted since
    #[arg(long, conflicts_with_all = ["paths", "from"])]
    pub deleted: bool,
    /// list what there is, import nothing
    #[arg(long)]
    pub dry_run: bool,
    /// print the list as JSON, import nothing
    #[arg(long, conflicts_with = "yes")]
    pub json: bool,
    /// only sessions in which something was said on DATE or later
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// only sessions of this agent
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(platform::ALL.iter().map(|row| row.id)))]
    pub agent: Option<String>,
    /// also sessions of DIR, a folder the project had before
    #[arg(long, value_name = "DIR")]
    pub from: Vec<PathBuf>,
    /// do not ask
    #[arg(short, long)]
    pub yes: bool,
}

/// `hipocampus pending`
#[derive(Debug, Default, Args)]
pub struct PendingArgs {
    /// a day, week or month by name, whether it needs one or not, or `root`: prints the prompt for a model
    pub node: Option<String>,
    /// print an array of `{node, reason, added, sources, lines, tokens, edited, claimed}`
    #[arg(long)]
    pub json: bool,
    /// at most N nodes; by default all in a list, 1 when handed out
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// print the complete prompt for a model
    #[arg(long)]
    pub prompt: bool,
    /// keep others from writing the same for 30 minutes, and start the cooldown
    #[arg(long)]
    pub claim: bool,
}

/// `hipocampus summarize`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct SummarizeArgs {
    /// what FILE is the summary of: `2026-03-15`, `2026-W11`, `2026-03`, or `root`
    #[arg(value_name = "NODE", conflicts_with_all = ["exec", "allow"])]
    pub node: Option<String>,
    /// the summary; stdin if it is `-` or left out
    pub file: Option<String>,
    /// a command that reads a prompt on stdin and prints a summary
    #[arg(long, value_name = "CMD")]
    pub exec: Option<String>,
    /// write at most N nodes
    #[arg(long, value_name = "N", conflicts_with = "node")]
    pub limit: Option<usize>,
    /// spend at most N tokens a day, in and out, over all runs
    #[arg(long, value_name = "N", conflicts_with = "node")]
    pub max_tokens_per_day: Option<u64>,
    /// also write what ended on DATE or later, from now on
    #[arg(long, value_name = "DATE", conflicts_with_all = ["node", "allow"])]
    pub since: Option<String>,
    /// do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// let the command in the configuration run for this folder
    #[arg(long, conflicts_with = "exec")]
    pub allow: bool,
    /// also replace a text that was edited by hand
    #[arg(long, requires = "node")]
    pub replace: bool,
    /// by the command of the configuration, detached from whoever calls; hooks start it
    #[arg(long, conflicts_with_all = ["node", "exec", "allow"])]
    pub background: bool,
}

/// `hipocampus hook`
#[derive(Debug, Subcommand)]
pub enum HookCommand {
    /// import missed sessions, compact, print context as JSON
    SessionStart(HookArgs),
    /// print what the memory knows about a prompt as JSON
    Prompt(HookArgs),
    /// print what the memory knows about a file that a tool read or changed as JSON
    Tool(HookArgs),
}

/// What every hook takes.
#[derive(Debug, Default, Args)]
pub struct HookArgs {
    /// only in a private project
    #[arg(long)]
    pub private: bool,
}

/// `hipocampus status`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct StatusArgs {
    /// print JSON: everything there is to know
    #[arg(long)]
    pub json: bool,
    /// answer only whether a model should summarise now: `due: …` or `not due: …`
    #[arg(long, conflicts_with = "all")]
    pub due: bool,
    /// compare every turn in the agents' stores with the memory; exit code 1 if one is missing
    #[arg(long, conflicts_with_all = ["due", "all"])]
    pub receipt: bool,
    /// also details: nodes by status, missing summaries, odd files, every hook
    #[arg(long, conflicts_with = "json")]
    pub all: bool,
}

/// `hipocampus resume`
#[derive(Debug, Default, Args)]
pub struct ResumeArgs {
    /// its id, or the first four or more characters of it
    pub session: Option<String>,
    /// run the command instead of printing it
    #[arg(long)]
    pub exec: bool,
}

/// `hipocampus merge`
#[derive(Debug, Default, Args)]
pub struct MergeArgs {
    /// a project or memory folder, or a conflict copy of one file
    #[arg(value_name = "DIR")]
    pub from: PathBuf,
    /// show what would be written, write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `hipocampus merge-file`
#[derive(Debug, Default, Args)]
pub struct MergeFileArgs {
    /// the common version
    pub base: PathBuf,
    /// our version, which is replaced by the result
    pub ours: PathBuf,
    /// their version
    pub theirs: PathBuf,
    /// where the file lies in the repository
    pub path: PathBuf,
}

/// `hipocampus forget`
#[derive(Debug, Default, Args)]
#[command(group = clap::ArgGroup::new("which").required(true))]
#[command(override_usage = "hipocampus forget DATE | SESSION | --match TEXT")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ForgetArgs {
    /// a day like `2026-03-15`, `today` or `yesterday`; or a session, by its id or the start of it
    #[arg(value_name = "DATE | SESSION", group = "which")]
    pub what: Option<String>,
    /// every turn and entry that contains exactly TEXT, each as a whole
    #[arg(long = "match", value_name = "TEXT", group = "which", allow_hyphen_values = true)]
    pub words: Option<String>,
    /// what was forgotten before and is there again, as after a merge
    #[arg(long, group = "which")]
    pub again: bool,
    /// from your own memory
    #[arg(long, conflicts_with = "dir")]
    pub user: bool,
    /// show what would go, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// do not ask
    #[arg(long)]
    pub yes: bool,
}

/// `hipocampus scrub`
#[derive(Debug, Default, Args)]
pub struct ScrubArgs {
    /// count the secrets that would go, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// do not ask
    #[arg(long)]
    pub yes: bool,
}

/// `hipocampus check`
#[derive(Debug, Default, Args)]
pub struct CheckArgs {
    /// repair what can be repaired without losing anything
    #[arg(long)]
    pub fix: bool,
    /// print JSON: what was checked, what is wrong, what was repaired
    #[arg(long)]
    pub json: bool,
}

/// `hipocampus redact`
#[derive(Debug, Default, Args)]
pub struct RedactArgs {
    /// read JSONL and redact inside its strings only
    #[arg(long)]
    pub json: bool,
    /// what to read; `-` or nothing: stdin
    pub file: Option<PathBuf>,
}

/// `hipocampus init`
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct InitArgs {
    /// the agent to set up, or several, with commas; added to those that are set up already
    #[arg(long, value_name = "PLATFORM", value_delimiter = ',', value_parser = PossibleValuesParser::new(platform::ALL.iter().map(|row| row.id)))]
    pub platform: Vec<String>,
    /// search without vectors: no model is downloaded
    #[arg(long)]
    pub no_vector: bool,
    /// do not use the search engine
    #[arg(long)]
    pub no_search: bool,
    /// tell the agent nothing of the memory at prompts and files
    #[arg(long)]
    pub no_recall: bool,
    /// do not note this project for `search --everywhere`
    #[arg(long)]
    pub no_register: bool,
    /// make a tenant: a memory of its own below `tenants/ID`
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub tenant: Option<String>,
    /// show what would be done, with the lines that change; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// also import the past sessions of this project, without asking
    #[arg(long)]
    pub import: bool,
    /// let git have the memory, and tell this clone how to merge it
    #[arg(long)]
    pub share: bool,
    /// leave no trace in the repository: the memory in git's own folder, hooks and skills in your home folder
    #[arg(long, conflicts_with_all = ["share", "tenant", "force"])]
    pub private: bool,
    /// make your own memory instead, whose rules hold in every project
    #[arg(long, exclusive = true)]
    pub user: bool,
    /// install the search engine qmd with npm, where it is missing
    #[arg(long, conflicts_with = "no_search")]
    pub qmd: bool,
    /// also in the home folder, for every folder below it
    #[arg(long)]
    pub force: bool,
    /// who writes summaries: the agent in its session, a command in the background, or nobody
    #[arg(long, value_name = "WHO", value_parser = PossibleValuesParser::new(["agent", "background", "off"]))]
    pub summaries: Option<String>,
    /// the command that writes them in the background, and allow it: `claude`, `codex`, `opencode`, `gemini`, `ollama:MODEL`, or any
    #[arg(long, value_name = "CMD")]
    pub summarizer: Option<String>,
}

/// `hipocampus update`
#[derive(Debug, Default, Args)]
pub struct UpdateArgs {
    /// what `init` takes
    #[command(flatten)]
    pub init: InitArgs,
    /// remove the memory from git again; what was committed stays committed
    #[arg(long, conflicts_with = "share")]
    pub no_share: bool,
}

/// `hipocampus uninstall`
#[derive(Debug, Default, Args)]
pub struct UninstallArgs {
    /// remove the memory as well, where `init` made it; asks first
    #[arg(long)]
    pub purge: bool,
    /// remove only this tenant
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub tenant: Option<String>,
    /// remove your own memory instead: its rules are told no more, its entries stay
    #[arg(long, conflicts_with_all = ["tenant", "dir"])]
    pub user: bool,
    /// show what would be done, with the lines that change; write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `hipocampus mcp`
#[derive(Debug, Default, Args)]
pub struct McpArgs {
    /// let the agent save entries
    #[arg(long)]
    pub write: bool,
    /// let the agent read your other projects, too
    #[arg(long)]
    pub everywhere: bool,
}

/// `hipocampus completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// the shell
    pub shell: clap_complete::Shell,
}
