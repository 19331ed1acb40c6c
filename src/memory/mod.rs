//! The pure core: what the tree should be. No file, clock, environment or terminal in here.

pub mod due;
pub mod entry;
pub mod fence;
pub mod frontmatter;
pub mod period;
pub mod root;
pub mod tokens;
pub mod topics;
