//! What the memory means: facts read from its nodes, and ROOT.md made of them.

pub(crate) mod facts;
pub(crate) mod page;
