//! The folders of an installation, on their way out.

use super::Removal;
use crate::install::targets::FOLDERS;
use crate::install::{FOLDER, PathContent, parents};
use crate::layout::TENANTS;
use crate::plan::Change;

impl Removal<'_> {
    /// The folders, those inside others first; whole trees where they are to be purged.
    pub(super) fn folders(&mut self, prefix: &str) {
        let Some(record) = &self.scan.record else {
            let mut known: Vec<String> =
                FOLDERS.iter().map(|folder| format!("{prefix}{folder}")).collect();
            known.extend(parents(self.gone.iter().map(String::as_str)));
            known.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
            for path in &known {
                self.remove_folder(path);
            }
            return;
        };
        let inside =
            |path: &&String| path.starts_with(prefix) || prefix.trim_end_matches('/') == **path;
        let mut ours: Vec<_> = record
            .made
            .iter()
            .chain(&record.adopted)
            .filter(inside)
            .filter(|path| self.scan.found.get(*path) == Some(&PathContent::Folder))
            .filter(|path| !path.starts_with(FOLDER) && !self.scan.links.contains(*path))
            .cloned()
            .collect();
        if self.leave.purge {
            let trees: Vec<_> = ours
                .iter()
                .filter(|path| record.made.contains(*path) && is_memory(path))
                // Everything in a tree goes, so it has to be this project's for certain.
                .filter(|path| !self.passes_link(path))
                .cloned()
                .collect();
            let nested =
                |path: &&String| trees.iter().any(|tree| path.starts_with(&format!("{tree}/")));
            for tree in trees.iter().filter(|tree| !nested(tree)) {
                self.outcome.plan.steps.retain(|step| !step.path.starts_with(&format!("{tree}/")));
                self.push(tree, Change::RemoveTree, "the memory");
            }
            ours.retain(|path| !trees.contains(path) && !nested(&path));
        }
        ours.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
        for path in &ours {
            self.remove_folder(path);
        }
    }

    fn passes_link(&self, path: &str) -> bool {
        self.scan.outside.contains(path)
            || parents([path]).iter().any(|folder| self.scan.links.contains(folder))
    }

    pub(super) fn remove_folder(&mut self, path: &str) {
        let there = self.scan.found.get(path) == Some(&PathContent::Folder);
        if there && !self.scan.links.contains(path) && self.gone.insert(path.to_owned()) {
            self.push(path, Change::RemoveDir, "if it is empty");
        }
    }
}

/// Folders that hold memory, and so may be purged as a whole.
fn is_memory(path: &str) -> bool {
    let inner = path.strip_prefix(TENANTS).map_or(path, |rest| {
        rest.strip_prefix('/')
            .and_then(|rest| rest.split_once('/'))
            .map_or("memory", |(_, rest)| rest)
    });
    FOLDERS.contains(&inner)
}
