//! Turns the process into a [`World`] and the command line into an exit code; everything else is the library.

#![expect(clippy::disallowed_methods, reason = "effects live here")]

use std::process::ExitCode;

use hipocampus::{World, run};

/// Static builds run on musl, whose own allocator makes a cold run take longer than glibc's does. It is asked for 16
/// MiB at a time, so that what a file is read into is not given back and asked for again with each one.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: talc::TalcLock<
    spinning_top::RawSpinlock,
    talc::source::GlobalAllocSource<std::alloc::System>,
> = talc::TalcLock::new(talc::source::GlobalAllocSource::with_block_size(
    std::alloc::System,
    16 * 1024 * 1024,
));

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    run(&args, &mut World::of_process()).into()
}
