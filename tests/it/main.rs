//! Everything that needs a project on disk, in one crate. Runs the program in-process; one module per promise of
//! `spec/`.

#![expect(clippy::disallowed_methods, reason = "tests lay out projects and look at them")]

mod by_hand;
mod cache;
mod calendar;
mod check;
mod check_merges;
mod compact_cli;
mod conflict;
mod desk;
mod forget;
mod heal;
mod hostile;
mod idle;
mod import;
mod install;
mod installer;
mod kept_records;
mod last_copy;
mod manners;
mod nobody;
mod nothing_missing;
mod offered;
mod ownership;
mod package;
mod plugin;
mod power;
mod proven;
mod questions;
mod regression;
mod replay;
mod root_owner;
mod saving;
mod scrub;
mod search;
mod sharing;
mod show;
mod status;
mod summaries;
mod summarize;
mod summarizers;
mod support;
mod terminal;
mod unreadable;
