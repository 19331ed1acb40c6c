//! hipocampus: memory for coding agents, in plain Markdown files.
//!
//! Raw daily logs are compacted into daily, weekly and monthly nodes. `ARCHITECTURE.md` has the map and
//! the invariants, `spec/` the normative text.
//!
//! [`run`] is the whole program: it takes the command line and a [`World`] and may be called from a
//! test as often as one likes.

mod capture;
mod check;
mod cli;
mod commands;
mod config;
mod corpus;
mod detached;
mod disk;
mod error;
mod git;
mod git_program;
mod hooks;
mod import;
mod install;
mod interrupt;
mod layout;
mod manual;
mod markdown;
mod mcp;
mod meaning;
mod memory;
mod merge;
mod origin;
mod pager;
mod plan;
mod platform;
mod progress;
mod project;
mod projects;
mod qmd;
mod recall;
mod recollection;
mod refresh;
mod retract;
mod save_entry;
mod search;
mod setup;
mod side_by_side;
mod splice;
mod sqlite;
mod state;
mod status_report;
mod summaries;
mod summarizer;
mod templates;
mod terminal;
mod text;
mod user_memory;
mod world;

pub use capture::redact;
pub use commands::run;
pub use error::{Exit, Problem};
pub use world::{Talk, World};

/// What benches and integration tests look into. Nothing to build on: it changes with the program.
#[doc(hidden)]
pub mod internals {
    pub use crate::cli::Cli;
    pub use crate::meaning::extract::extract;
    pub use crate::meaning::facts::FactCache;
    pub use crate::meaning::head::{head_topics, in_one_line};
    pub use crate::meaning::page::plan_root;
    pub use crate::memory::compaction::{Rules, plan};
    pub use crate::memory::entry::parse as parse_entries;
    pub use crate::memory::frontmatter::Document;
    pub use crate::memory::period::{Level, Period};
    pub use crate::memory::snapshot::{Facts, Listing, LogFile, MemoryReader, Snapshot, Stamp};
    pub use crate::memory::tokens;
    pub use crate::plan::hash;
    pub use crate::platform::{ALL, SKILLS, by_id};
    pub use crate::splice::PROTOCOL;
    pub use crate::splice::block::body;
    pub use crate::templates::{FILES, TemplateContext, render};
}
