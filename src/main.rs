//! Turns the process into a [`World`] and the command line into an exit code; everything else is the library.

#![expect(clippy::disallowed_methods, reason = "effects live here")]

use std::process::ExitCode;

use hipocampus::{World, run};

/// Static builds run on musl, whose own allocator makes a cold run take longer than glibc's does.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    run(&args, &mut World::of_process()).into()
}
