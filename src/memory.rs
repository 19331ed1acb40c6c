//! The pure core: what the tree should be. No file, clock, environment or terminal in here.

pub(crate) mod body;
pub mod check;
pub mod compaction;
pub mod digest;
pub mod due;
pub mod entry;
pub mod forgotten;
pub mod frontmatter;
pub(crate) mod hashed;
pub mod heal;
pub(crate) mod last_copy;
pub mod node;
pub mod period;
pub mod root;
pub mod snapshot;
pub mod survey;
pub(crate) mod talk;
pub mod title;
pub mod tokens;
pub mod topics;
