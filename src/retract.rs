//! Taking words out of a memory: what `forget` and `scrub` have in common.
//!
//! Planned first, as a value; what a dry run shows is what a run does. The order in which it is carried out keeps every
//! state in between right, and lets the same command finish what was cut short: see `carry_out`.

pub(crate) mod carry_out;
pub(crate) mod contents;
pub(crate) mod cut;
pub(crate) mod elsewhere;
pub(crate) mod forget;
pub(crate) mod in_merges;
pub(crate) mod literal_words;
pub(crate) mod nodes;
pub(crate) mod records;
pub(crate) mod remake;
pub(crate) mod retraction;
pub(crate) mod rows;
pub(crate) mod saved_again;
pub(crate) mod scrub;
pub(crate) mod show;
pub(crate) mod traces;

pub(crate) use cut::came_back;
