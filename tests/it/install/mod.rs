//! `init`, `update` and `uninstall`.

mod abuse;
mod claude_plugin;
mod commands;
mod copies;
mod detection;
mod flags;
mod git;
mod health;
mod home;
mod ignored;
mod leaving;
mod links;
mod npm;
mod openclaw;
mod private;
mod protocol_place;
mod refusal;
mod round_trip;
mod tenants;
mod worktrees;
