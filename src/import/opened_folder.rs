//! The folder of a project that Cursor names its own folder for it after: the path, in which each run of other
//! characters than letters and digits of ASCII is a `-`.

use std::path::{Path, PathBuf};

use crate::disk;
use crate::project;

/// What the agent notes down in its folder once the person trusts the project: `{"workspacePath": "/home/me/project"}`.
const NOTED: &str = ".workspace-trusted";

/// The folder in which the session of this transcript was held: the one that is noted down, else the only one there is
/// whose path has this name.
pub(super) fn of(transcript: &Path) -> Option<PathBuf> {
    let kept = kept(transcript)?;
    let name = kept.file_name()?.to_str()?;
    let noted = || {
        let noted = disk::read_stored(&kept.join(NOTED), 64 * 1024).ok()?;
        let noted: serde_json::Value = serde_json::from_slice(&noted).ok()?;
        let path = PathBuf::from(noted.get("workspacePath")?.as_str()?);
        (slug(&path) == name).then_some(path)
    };
    noted().or_else(|| {
        let mut found = Vec::new();
        look(Path::new("/"), name, &mut found);
        // Two folders of one project, and two names of one folder, by a link, make no difference.
        found.sort();
        found.dedup_by_key(|path| match project::place_of(path) {
            Some(place) => place.root,
            None => disk::real_path(path),
        });
        found.pop().filter(|_| found.is_empty())
    })
}

/// Whether a transcript lies where those do that were held in this folder; in another one of the same name, too.
pub(super) fn is_named_after(transcript: &Path, folder: &Path) -> bool {
    let name = kept(transcript).and_then(Path::file_name).and_then(|name| name.to_str());
    name.is_some_and(|name| name == slug(folder) || name == slug(&disk::real_path(folder)))
}

/// Whether a transcript may be of a session that was held in one of these folders or below, as its place tells.
pub(super) fn may_be_in(transcript: &Path, folders: &[PathBuf]) -> bool {
    let name = kept(transcript).and_then(Path::file_name).and_then(|name| name.to_str());
    name.is_some_and(|name| folders.iter().any(|folder| name.starts_with(&slug(folder))))
}

/// The agent's folder for a project.
fn kept(transcript: &Path) -> Option<&Path> {
    let is_it = |folder: &&Path| folder.file_name().is_some_and(|name| name == "agent-transcripts");
    transcript.ancestors().find(is_it)?.parent()
}

/// Adds the folders below this one whose path from there has this name. Of a folder in another script than Latin, nothing
/// is in the name.
fn look(folder: &Path, name: &str, found: &mut Vec<PathBuf>) {
    for entry in disk::names(folder) {
        let here = slug(Path::new(&entry));
        let path = folder.join(entry);
        if here.is_empty() {
            if !disk::is_link(&path) && disk::is_dir(&path) {
                look(&path, name, found);
                found.extend(name.is_empty().then_some(path));
            }
            continue;
        }
        let Some(rest) = name.strip_prefix(&here).filter(|_| !name.is_empty()) else { continue };
        if rest.is_empty() && disk::is_dir(&path) {
            look(&path, "", found);
            found.push(path);
        } else if let Some(rest) = rest.strip_prefix('-') {
            look(&path, rest, found);
        }
    }
}

fn slug(path: &Path) -> String {
    let path = path.to_string_lossy();
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::fs;

    use super::*;

    #[test]
    fn the_folder_is_found_by_its_name_unless_two_have_it() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let transcript = |folder: &Path| {
            base.join("home/.cursor/projects")
                .join(slug(folder))
                .join("agent-transcripts/i/i.jsonl")
        };
        let plain = base.join("some_where/my-project.v2");
        fs::create_dir_all(&plain).unwrap();
        assert_eq!(of(&transcript(&plain)), Some(plain.clone()));
        assert!(is_named_after(&transcript(&plain), &plain));
        assert_eq!(of(&transcript(&base.join("not-there"))), None);
        // A link to it is the same folder.
        std::os::unix::fs::symlink(&plain, base.join("some-where")).unwrap();
        assert_eq!(of(&transcript(&plain)), Some(plain.clone()));
        // A folder of the same project has the name, and one that is a project of its own.
        let inner = plain.join("문서");
        fs::create_dir_all(&inner).unwrap();
        assert_eq!(slug(&inner), slug(&plain));
        assert_eq!(of(&transcript(&plain)), None);
        fs::write(plain.join("hipocampus.config.json"), "{}").unwrap();
        assert_eq!(of(&transcript(&plain)), Some(plain.clone()));
        fs::write(inner.join("hipocampus.config.json"), "{}").unwrap();
        assert_eq!(of(&transcript(&plain)), None);
        fs::remove_dir_all(&inner).unwrap();
        let twin = base.join("some_where/my/project/v2");
        fs::create_dir_all(&twin).unwrap();
        assert_eq!(of(&transcript(&plain)), None);
        let noted = transcript(&twin).ancestors().nth(3).unwrap().join(NOTED);
        fs::create_dir_all(noted.parent().unwrap()).unwrap();
        fs::write(&noted, format!("{{\"workspacePath\": \"{}\"}}", twin.display())).unwrap();
        assert_eq!(of(&transcript(&plain)), Some(twin));
    }
}
