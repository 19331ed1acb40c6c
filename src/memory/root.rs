//! ROOT.md: an index of the whole memory, in every session.
//!
//! A function of the logs, today's date and ROOT.md as it stands: [`RootCache`] holds what the logs say, [`plan_root`]
//! says what the file should be, [`mirror()`] copies it into MEMORY.md. Nothing here reads nodes or files.
//!
//! ```
//! use hipocampus::memory::root::{Depth, RootCache, plan_root};
//!
//! let mut cache = RootCache::default();
//! let (yesterday, today) = ("2026-03-14".parse().unwrap(), "2026-03-15".parse().unwrap());
//! cache.insert(yesterday, 0, "## auth [project]\n- decision: cookies\n", Depth::of(yesterday, today));
//! let plan = plan_root(None, &cache, today, 3000);
//! let text = String::from_utf8(plan.bytes).unwrap();
//! assert!(text.contains("- auth [project, 1d]: cookies → 2026-03-14"));
//! ```

mod active;
mod all;
mod board;
mod build;
mod facts;
mod far;
mod gaps;
mod gist;
mod heaviest;
mod history;
mod index;
mod items;
mod kept;
mod lines;
mod mentions;
mod merge;
mod mirror;
mod names;
mod ours;
mod page;
mod patterns;
mod plan;
mod room;
mod said;
mod spoken;
mod stated;
mod subjects;
mod tags;
mod themes;
mod weights;

pub(crate) use all::{TopicRow, all_topics};
pub use facts::{Depth, RootCache};
pub(crate) use mirror::{END, HEADING, Ours, copy, mirror, section};
pub(crate) use ours::{KEY as LINES_OF_MACHINE, written_by_others};
pub use plan::plan_root;
pub(crate) use plan::{RootPlan, Standing, is_machines};

#[cfg(test)]
mod tests;
