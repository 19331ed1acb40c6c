//! Everything that needs a project on disk, in one crate. Runs the program in-process.

#![expect(clippy::disallowed_methods, reason = "tests lay out projects and look at them")]

mod desk;
mod install;
