//! Puts right what a killed run left in folders outside the memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};

use super::{Folder, TEMP_SUFFIX, real_path};
use crate::plan::Note;

/// Finishes exchanges and removes temporary files in every folder that holds one of these files, or what
/// it links to. Files of a run that is still going are left alone.
pub(crate) fn tidy<'a>(root: &Path, paths: impl IntoIterator<Item = &'a str>) -> Vec<Note> {
    let folders: BTreeSet<PathBuf> = paths
        .into_iter()
        .map(|path| root.join(path))
        .flat_map(|path| [real_path(&path), path])
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .collect();
    let mut notes = Vec::new();
    for folder in folders {
        let Ok(folder) = Folder::open(&folder) else { continue };
        let Ok(left) = folder.list(|name| name.starts_with('.') && name.contains(".hipocampus-"))
        else {
            continue;
        };
        if left.is_empty() {
            continue;
        }
        notes.extend(folder.recover().unwrap_or_default());
        for entry in left.iter().filter(|entry| is_abandoned(&entry.name)) {
            let _ = folder.remove(&entry.name);
        }
    }
    notes
}

/// Whether a name is that of a temporary file whose process is gone.
pub(crate) fn is_abandoned(name: &str) -> bool {
    let pid = name
        .strip_suffix(TEMP_SUFFIX)
        .and_then(|name| name.rsplit_once('.'))
        .and_then(|(_, number)| number.split_once('-'))
        .and_then(|(pid, _)| pid.parse().ok())
        .and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Write;

    #[test]
    fn only_what_nobody_is_writing_goes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let names = [
            format!(".A.md.{}-0{TEMP_SUFFIX}", std::process::id()),
            format!(".A.md.{}-0{TEMP_SUFFIX}", i32::MAX),
            format!(".mine{TEMP_SUFFIX}"),
            "A.md".to_owned(),
        ];
        for name in &names {
            folder.replace(name, b"x", Write::default()).unwrap();
        }
        assert!(tidy(dir.path(), ["A.md", "none/B.md"]).is_empty());
        let mut left: Vec<_> =
            folder.list(|_| true).unwrap().into_iter().map(|entry| entry.name).collect();
        left.sort();
        assert_eq!(left, [names[0].clone(), names[2].clone(), names[3].clone()]);
    }
}
