//! Puts, refreshes and removes OUR part of somebody else's file.
//!
//! Each part is one that can be named exactly: a marked [`block`] of Markdown, a hook entry in a JSON
//! file ([`hooks`]), strings of a JSON array ([`strings`]), a few lines of `.gitignore` ([`ignore`]), a
//! section of MEMORY.md ([`mirror`]). Everything else in the file, down to line endings and the
//! spelling of numbers, is carried over as bytes.
//!
//! What a text alone cannot tell, such as whether an empty `"hooks": {}` was there before us, is read
//! off the file as it was before the first edit, where the caller still has it.

pub(crate) mod block;
pub(crate) mod command;
pub(crate) mod hooks;
pub(crate) mod ignore;
pub(crate) mod json;
pub(crate) mod members;
pub(crate) mod mirror;
pub(crate) mod npm_tool;
pub(crate) mod strings;

pub(crate) use json::ParseError;

/// The lines around a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// the line before it
    pub start: &'static str,
    /// the line after it
    pub end: &'static str,
}

/// The marks of the section in CLAUDE.md and AGENTS.md.
pub const PROTOCOL: Marks =
    Marks { start: "<!-- hipocampus:protocol:start -->", end: "<!-- hipocampus:protocol:end -->" };
