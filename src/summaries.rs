//! Summaries by a model: which nodes wait for one, what the model is asked, what of its answer is stored, what it
//! costs.
//!
//! A model only writes language. What to write, in which order, whether it will do and where it goes is decided here,
//! and nothing is spent that nobody asked for. `spec/summaries.md` has the rules.

pub(crate) mod background;
mod bookkeeping;
pub(crate) mod by_model;
pub(crate) mod claim;
pub(crate) mod estimate;
pub(crate) mod handed;
mod invented;
pub(crate) mod output;
pub(crate) mod permission;
pub(crate) mod prompt;
pub(crate) mod root_md;
pub(crate) mod run;
pub(crate) mod sections;
pub(crate) mod spend;
pub(crate) mod store;
pub(crate) mod verdict;
pub(crate) mod waiting;
