//! hipocampus: memory for coding agents, in plain Markdown files.
//!
//! Raw daily logs are compacted into daily, weekly and monthly nodes. `ARCHITECTURE.md` has the map and
//! the invariants, `spec/` the normative text.
//!
//! [`run`] is the whole program: it takes the command line and a [`World`] and may be called from a
//! test as often as one likes.

pub mod capture;
mod check;
pub mod cli;
mod commands;
pub mod config;
mod corpus;
mod diff;
pub mod disk;
mod error;
pub mod git;
mod git_program;
mod hooks;
mod import;
pub mod install;
mod interrupt;
pub mod layout;
mod manual;
pub mod markdown;
pub mod memory;
pub mod merge;
mod order;
mod pager;
pub mod plan;
pub mod platform;
mod progress;
pub mod project;
pub mod qmd;
mod refresh;
pub mod retract;
pub mod search;
mod setup;
pub mod splice;
pub mod sqlite;
mod standing;
pub mod state;
mod summaries;
mod summarizer;
pub mod templates;
mod terminal;
mod text;
mod world;

pub use commands::run;
pub use error::{Exit, Problem};
pub use world::{Talk, World};
