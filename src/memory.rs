//! The pure core: what the tree should be. No file, clock, environment or terminal in here.

pub(crate) mod body;
pub(crate) mod cache_bytes;
pub(crate) mod check;
pub(crate) mod compaction;
pub(crate) mod due;
pub(crate) mod entry;
pub(crate) mod forgotten;
pub(crate) mod frontmatter;
pub(crate) mod hashed;
pub(crate) mod heal;
pub(crate) mod last_copy;
pub(crate) mod node;
pub(crate) mod period;
pub(crate) mod quoted;
pub(crate) mod sessions_of_log;
pub(crate) mod snapshot;
pub(crate) mod survey;
pub mod tokens;
