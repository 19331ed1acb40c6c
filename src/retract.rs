//! Taking words out of a memory: what `forget` and `scrub` have in common.
//!
//! Plans alone, as values; what a dry run shows is what a run does. `refresh::carry_out` carries them out.

pub(crate) mod contents;
pub(crate) mod cut;
pub(crate) mod elsewhere;
pub(crate) mod forget;
pub(crate) mod in_merges;
pub(crate) mod literal_words;
pub(crate) mod nodes;
pub(crate) mod records;
pub(crate) mod retraction;
pub(crate) mod rows;
pub(crate) mod saved_again;
pub(crate) mod scrub;
pub(crate) mod show;
pub(crate) mod traces;

pub(crate) use cut::came_back;
