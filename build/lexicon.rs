//! Makes tables of the words of every language, and of what `shape.toml` has.

use std::fmt::{Display, Write as _};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Reads every file of `folder` into `lexicon.rs` in `out`. A list is an array of phrases, or a text of words with blanks
/// between them.
pub(crate) fn generate(out: &Path, folder: &Path) -> io::Result<()> {
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files: Vec<PathBuf> = files.collect::<io::Result<_>>()?;
    files.sort();
    let (mut languages, mut shape) = (String::new(), String::new());
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let lists = lists(&path)?;
        let language = format!("Language {{ name: {name:?}, lists: &[{lists}] }}");
        if name == "shape" {
            shape = language;
        } else {
            languages.push_str(&language);
            languages.push(',');
        }
    }
    let tables = format!(
        "pub(crate) const LANGUAGES: &[Language] = &[{languages}];\npub(crate) const SHAPE: Language = {shape};\n"
    );
    fs::write(out.join("lexicon.rs"), tables)
}

fn lists(path: &Path) -> io::Result<String> {
    let problem = |what: &dyn Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()))
    };
    let text = fs::read_to_string(path)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| problem(&error))?;
    let mut lists = String::new();
    for (list, value) in table {
        let phrases: Option<Vec<&str>> = match &value {
            toml::Value::String(words) => Some(words.split_whitespace().collect()),
            toml::Value::Array(all) => all.iter().map(toml::Value::as_str).collect(),
            _ => None,
        };
        let phrases = phrases.ok_or_else(|| problem(&format!("`{list}` is no list of texts")))?;
        let _ = write!(lists, "({list:?}, &{phrases:?}), ");
    }
    Ok(lists)
}
