//! What all our readers count as structure in a Markdown text: a heading, a code fence, a marker, a turn's
//! label, a line about a session, a conflict of a merge.
//!
//! One definition for readers and writer. A reader asks what a line is; [`escape`] asks the same functions of each line
//! of somebody's words, whatever is before it, and puts a `\` in front of what would be read as structure.
//! Works on single lines and plain text. What is done with the structure is up to `memory` and `capture`.

pub(crate) mod block;
pub(crate) mod conflict;
pub(crate) mod escape;
pub(crate) mod fence;
pub(crate) mod form;
pub(crate) mod heading;
pub(crate) mod label;
pub(crate) mod lead;
pub(crate) mod lines;
pub(crate) mod marker;
pub(crate) mod page;
#[cfg(test)]
mod tests;
