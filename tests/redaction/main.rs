//! Redaction through its public interface: families, places, properties, clean text, limits, the spec.

#![expect(clippy::disallowed_methods, reason = "tests read the project's own files")]

mod clean;
mod command;
mod families;
mod grammar;
mod keys;
mod kinds;
mod limits;
mod named;
mod places;
mod properties;
mod sample;
mod spec;
mod vendors;
mod wrapped;
mod written;
