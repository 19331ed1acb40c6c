//! The whole program, run in-process: one module per promise of the contract.

#![expect(clippy::disallowed_methods, reason = "tests build the trees they look at")]

mod calendar;
mod compact_cli;
mod heal;
mod hostile;
mod idle;
mod nothing_missing;
mod ownership;
mod regression;
mod replay;
mod support;
