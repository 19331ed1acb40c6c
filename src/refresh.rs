//! Brings what is made from the logs up to date: the tree of nodes, ROOT.md with its copy in MEMORY.md, the counters.

mod after_nodes;
pub(crate) mod by_hand;
pub(crate) mod due;
pub(crate) mod index;
pub(crate) mod tree;
