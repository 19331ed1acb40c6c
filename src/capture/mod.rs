//! What enters the memory: transcripts, turns, and the removal of secrets on the way.

pub mod redact;
