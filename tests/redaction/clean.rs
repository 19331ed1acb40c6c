//! Text without secrets stays: our own sample, our own sources. The budget is one changed line in ten thousand,
//! which for texts of this size is none.

use std::path::{Path, PathBuf};

use crate::sample::redacted;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines redaction changes.
fn changed(text: &str) -> Vec<String> {
    let after = redacted(text);
    let pairs = text.lines().zip(after.lines());
    pairs.filter(|(before, after)| before != after).map(|(_, after)| after.to_owned()).collect()
}

#[test]
fn the_sample_stays() {
    let text = std::fs::read_to_string(root().join("tests/fixtures/clean-text.md")).unwrap();
    assert!(text.lines().count() > 150, "the sample is large enough to mean something");
    assert_eq!(changed(&text), [""; 0]);
}

#[test]
fn this_projects_own_text_stays() {
    let mut files: Vec<PathBuf> = vec![root().join("Cargo.lock"), root().join("Cargo.toml")];
    for folder in ["src", "spec"] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 30);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // Unit tests hold values on purpose.
        let text = text.split("#[cfg(test)]").next().unwrap();
        // The module's own documentation shows what a secret looks like.
        let expected: &[&str] = if file.ends_with("capture/redact.rs") { &["AKIA"] } else { &[] };
        let changed: Vec<_> = changed(text)
            .into_iter()
            .filter(|line| !expected.iter().any(|word| line.contains(word)))
            .collect();
        assert_eq!(changed, [""; 0], "{}", file.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            files.push(path);
        }
    }
}
