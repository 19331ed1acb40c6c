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
        if name == "shape" {
            for (list, phrases) in lists {
                let constant = list.to_uppercase();
                let _ = write!(
                    shape,
                    "/// `{list}`\npub(crate) const {constant}: &[&str] = &{phrases};\n"
                );
            }
        } else {
            let _ = write!(languages, "Language {{ name: {name:?}, lists: &[");
            for (list, phrases) in lists {
                let _ = write!(languages, "({list:?}, &{phrases}), ");
            }
            languages.push_str("] },");
        }
    }
    let tables = format!(
        "pub(crate) const LANGUAGES: &[Language] = &[{languages}];\n/// What `shape.toml` has.\npub(crate) mod shape {{\n{shape}}}\n"
    );
    fs::write(out.join("lexicon.rs"), tables)
}

/// The name of each list, and its phrases as Rust has them.
fn lists(path: &Path) -> io::Result<Vec<(String, String)>> {
    let problem = |what: &dyn Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()))
    };
    let text = fs::read_to_string(path)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| problem(&error))?;
    let mut lists = Vec::new();
    for (list, value) in table {
        let phrases: Option<Vec<&str>> = match &value {
            toml::Value::String(words) => Some(words.split_whitespace().collect()),
            toml::Value::Array(all) => all.iter().map(toml::Value::as_str).collect(),
            _ => None,
        };
        let phrases = phrases.ok_or_else(|| problem(&format!("`{list}` is no list of texts")))?;
        lists.push((list, format!("{phrases:?}")));
    }
    Ok(lists)
}
