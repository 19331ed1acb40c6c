//! What any reader of ours takes for structure in a Markdown text: a heading, a code fence, a marker, a turn's
//! label, a line about a session, a conflict of a merge.
//!
//! One definition for readers and writer. A reader asks what a line is; [`escape`] asks the same functions of each line
//! of somebody's words, whatever stands before it, and puts a `\` in front of what would be read as structure.
//! Works on single lines and plain text. What is done with the structure is up to `memory` and `capture`.

pub mod block;
pub mod conflict;
pub mod escape;
pub mod fence;
pub mod form;
pub mod heading;
pub mod label;
pub mod lead;
pub mod marker;
