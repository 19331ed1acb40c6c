//! ROOT.md: an index of the whole memory, in every session.
//!
//! A function of the logs, today's date and ROOT.md as it stands: [`RootCache`] holds what the logs say, [`plan_root`]
//! says what the file should be, [`mirror()`] copies it into MEMORY.md. Nothing here reads nodes or files.

mod active;
mod again;
mod all;
mod board;
mod build;
mod cover;
mod entry_reading;
mod facts;
mod gaps;
mod heaviest;
mod history;
mod history_lines;
mod index;
mod items;
mod lines;
mod mentions;
mod merge;
mod mirror;
mod names;
mod ours;
mod patterns;
mod plan;
mod replaced;
mod review;
mod room;
mod short_title;
mod shortened_topic;
mod statements;
mod subjects;
mod tags;
mod themes;
mod told;
mod user_topics;
mod weights;

pub(crate) use all::{TopicRow, all_topics};
pub use facts::{Depth, RootCache};
pub(crate) use mirror::{
    END, Found, HEADING, MirrorError, Ours, copy, find, is_end, mirror, section,
};
pub(crate) use ours::{KEY as LINES_OF_MACHINE, written_by_others};
pub use plan::plan_root;
pub(crate) use plan::{RootPlan, Standing, is_machines, is_stub};

#[cfg(test)]
mod tests;
