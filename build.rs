//! Gives the program one number for all the sources that decide what a log or a node is read as, so that a cache
//! which another version of them filled is known for what it is.

#![expect(clippy::disallowed_methods, reason = "reads the sources")]

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

/// What the number is made of. `tests/it/cache.rs` makes it a second time.
const SOURCES: [&str; 7] = [
    "Cargo.lock",
    "src/capture",
    "src/disk/memory.rs",
    "src/markdown",
    "src/markdown.rs",
    "src/memory",
    "src/text.rs",
];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    let mut out = io::stdout().lock();
    for path in SOURCES {
        writeln!(out, "cargo::rerun-if-changed={path}")?;
        collect(Path::new(path), &mut files)?;
    }
    files.sort();
    let mut hash = Xxh3::new();
    for file in files {
        hash.update(&fs::read(file)?);
    }
    writeln!(out, "cargo::rustc-env=HIPOCAMPUS_SOURCES={:016x}", hash.digest())
}

/// Puts a file, or every file of a folder, on the list. One that a package leaves out counts for nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}
