//! Taking words out of a memory: what `forget` and `scrub` have in common.
//!
//! Planned first, as a value; what a dry run shows is what a run does. The order in which it is carried out keeps every
//! state in between right, and lets the same command finish what was cut short: see `carry`.

pub(crate) mod after;
pub(crate) mod again;
pub(crate) mod carry;
pub(crate) mod cut;
pub(crate) mod forget;
pub(crate) mod nodes;
pub(crate) mod records;
pub(crate) mod rows;
pub(crate) mod scene;
pub(crate) mod scrub;
pub(crate) mod settle;
pub(crate) mod shared;
pub(crate) mod show;
pub(crate) mod telling;
pub(crate) mod words;

pub(crate) use cut::came_back;
