//! Gives the program one number for all the sources that decide what a log or a node is read as, so that a cache
//! which another version of them filled is known for what it is. Makes tables of the rules of redaction and of the lexicon.

#![expect(clippy::disallowed_methods, reason = "reads the sources")]

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use xxhash_rust::xxh3::Xxh3;

#[path = "build/lexicon.rs"]
mod lexicon;
#[path = "build/redaction.rs"]
mod redaction;

/// What the number is made of. `tests/it/cache.rs` makes it a second time.
const SOURCES: [&str; 12] = [
    "Cargo.lock",
    "src/capture",
    "src/capture.rs",
    "src/disk/memory",
    "src/disk/memory.rs",
    "src/markdown",
    "src/markdown.rs",
    "src/meaning",
    "src/meaning.rs",
    "src/memory",
    "src/memory.rs",
    "src/text.rs",
];

/// Rules as somebody would paste them, for a test.
const PASTED: &str = "tests/redaction/pasted.toml";

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    let mut out = io::stdout().lock();
    for path in SOURCES {
        writeln!(out, "cargo::rerun-if-changed={path}")?;
        collect(Path::new(path), &mut files)?;
    }
    files.sort();
    writeln!(out, "cargo::rerun-if-changed=build")?;
    writeln!(out, "cargo::rerun-if-changed={PASTED}")?;
    let tables = env::var_os("OUT_DIR").unwrap_or_default();
    redaction::generate(Path::new(&tables), Path::new(PASTED))?;
    lexicon::generate(Path::new(&tables), Path::new("src/meaning/lexicon"))?;
    let version = version(&mut out)?;
    writeln!(out, "cargo::rustc-env=HIPOCAMPUS_VERSION={version}")?;
    let mut hash = Xxh3::new();
    for file in files {
        hash.update(&fs::read(file)?);
    }
    writeln!(out, "cargo::rustc-env=HIPOCAMPUS_SOURCES={:016x}", hash.digest())
}

/// The version, with the commit where it is known: a release says it, a package of cargo's carries it, and a release
/// build in a clone looks it up. A development build does without, or every commit would build it anew.
fn version(out: &mut impl io::Write) -> io::Result<String> {
    let number = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    writeln!(out, "cargo::rerun-if-env-changed=HIPOCAMPUS_COMMIT")?;
    let given = env::var("HIPOCAMPUS_COMMIT").ok();
    let packaged = fs::read_to_string(".cargo_vcs_info.json").ok().and_then(|info| {
        let sha = info.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
        Some(sha.to_owned())
    });
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let mut commit = given.or(packaged).filter(|commit| !commit.is_empty());
    if commit.is_none() && is_release {
        let git = |args: &[&str]| {
            let output = Command::new("git").args(args).output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            output.status.success().then(|| text.trim().to_owned())
        };
        // Where HEAD stands, also in a linked worktree.
        if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
            writeln!(out, "cargo::rerun-if-changed={log}")?;
            commit = git(&["rev-parse", "HEAD"]);
        }
    }
    let short = commit.as_deref().map(|commit| commit.get(..12).unwrap_or(commit));
    Ok(short.map_or(number.clone(), |commit| format!("{number} ({commit})")))
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
