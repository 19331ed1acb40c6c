//! `init`, `update` and `uninstall`.

mod commands;
mod detection;
mod health;
mod leaving;
mod links;
mod npm;
mod refusal;
mod round_trip;
mod tenants;
