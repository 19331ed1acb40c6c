//! The plan of `uninstall`.

use std::collections::BTreeSet;

use super::targets::{self, FOLDERS, NPM_SEEDS, Target, WORK_FILES, says_nothing};
use super::{BACKUP, FOLDER, Found, LEDGER, Outcome, Refused, Scene, parents};
use crate::layout::{CONFIG, TENANTS};
use crate::plan::{Change, Note, Step, hash};
use crate::platform::{ALL, SEEDS};
use crate::splice::{mirror, strings};
use crate::templates::{Reader, Templates};

/// What is to leave.
#[derive(Debug, Clone, Copy)]
pub struct Leave<'a> {
    /// only this tenant
    pub tenant: Option<&'a str>,
    /// the memory as well, where the ledger says that we made it
    pub purge: bool,
    /// `YYYY-MM-DD`
    pub today: &'a str,
}

/// What has to be done so that the project is as it was without us.
pub fn take_out(scene: &Scene, leave: &Leave<'_>) -> Outcome {
    let templates = Templates::load();
    let mut work = Work {
        scene,
        leave,
        templates: &templates,
        outcome: Outcome::default(),
        gone: BTreeSet::new(),
    };
    if let Some(tenant) = leave.tenant {
        let prefix = format!("{TENANTS}/{tenant}/");
        work.home(&prefix);
        work.out_of_config(tenant);
        work.delete(&format!("{prefix}{CONFIG}"), "configuration");
        work.folders(&prefix);
        work.remove_folder(prefix.trim_end_matches('/'));
        work.remove_folder(TENANTS);
        return work.outcome;
    }
    let reader = Reader { today: leave.today, ..Reader::default() };
    for target in targets::splices(scene, &[], &templates, &reader) {
        work.splice(&target);
    }
    for (path, _) in targets::wholes(scene, &[], &templates, &reader) {
        work.whole(&path);
    }
    work.home("");
    work.unreadable();
    work.folders("");
    if work.outcome.refused.is_empty() {
        work.copies();
        // Nearly last, so that a run that was cut short finds the project again.
        work.delete(CONFIG, "configuration");
        work.ledger();
    } else {
        work.stays(CONFIG, "something is left to be taken out, run this again");
    }
    work.outcome
}

struct Work<'a> {
    scene: &'a Scene,
    leave: &'a Leave<'a>,
    templates: &'a Templates,
    outcome: Outcome,
    gone: BTreeSet<String>,
}

impl Work<'_> {
    fn push(&mut self, path: &str, change: Change, reason: &'static str) {
        self.outcome.plan.steps.push(Step::to_users_file(path, change, reason));
    }

    fn delete(&mut self, path: &str, reason: &'static str) {
        let Some(bytes) = self.scene.bytes(path) else { return };
        let was = hash(bytes);
        if self.gone.insert(path.to_owned()) {
            self.push(path, Change::Delete { was }, reason);
        }
    }

    fn stays(&mut self, path: &str, why: &str) {
        self.outcome.plan.notes.push(Note::remark(path, format!("stays: {why}")));
    }

    fn made(&self, path: &str) -> bool {
        self.scene.ledger.as_ref().is_some_and(|ledger| ledger.made.contains(path))
    }

    fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.scene.ledger.as_ref().is_some_and(|ledger| ledger.wrote(path, bytes))
    }

    /// Takes our part out of a user's file, or gives back the file as it was.
    fn splice(&mut self, target: &Target) {
        let Target { path, splice, .. } = target;
        let (bytes, link) = match self.scene.found.get(path) {
            Some(Found::File { bytes, link }) => (bytes.as_slice(), *link),
            _ => return,
        };
        if self.is_seed(path, bytes) {
            return;
        }
        let bare = splice.unrecorded();
        let splice = if self.scene.has_record(path) { splice } else { &bare };
        let record = self.scene.ledger.as_ref().and_then(|ledger| ledger.originals.get(path));
        let original = self.scene.original(path);
        // An original with the npm tool's part in it is no state to go back to.
        let clean = original.filter(|original| {
            bare.take_out(original, None).is_ok_and(|without| without == *original)
        });
        let untouched = record.is_some_and(|record| !record.touched) && self.wrote(path, bytes);
        let new = match (clean, splice.take_out(bytes, original)) {
            (Some(original), _) if untouched => original.to_vec(),
            (_, Ok(new)) => new,
            (_, Err(_)) if !self.scene.has_record(path) && !mentions_us(bytes) => return,
            (_, Err(slip)) => {
                let what = format!("`{path}:{}:{}`: {}", slip.line, slip.column, slip.what);
                let paste = "take the hipocampus part out by hand".to_owned();
                self.outcome.refused.push(Refused { what, paste });
                return;
            }
        };
        if new == bytes && !self.made(path) {
            return;
        }
        if clean.is_none() && !link && splice.is_void(&new) {
            self.delete(path, splice.label());
        } else if new != bytes {
            self.push(path, Change::Replace { was: hash(bytes), with: new }, splice.label());
        }
    }

    /// What could not be read may have a part of ours in it.
    fn unreadable(&mut self) {
        for found in self.scene.found.values() {
            if let Found::Unreadable(why) = found {
                let refused = Refused { what: why.clone(), paste: String::new() };
                self.outcome.refused.push(refused);
            }
        }
    }

    /// A file that is ours as a whole, unless the user changed it.
    fn whole(&mut self, path: &str) {
        let Some(bytes) = self.scene.bytes(path) else { return };
        let made = self.made(path);
        // Without a configuration the npm tool is not at home here, and the file may be what an earlier
        // run left because the user had changed it.
        let npm = !made && self.scene.has(CONFIG) && is_npm_file(path, bytes);
        if self.wrote(path, bytes) || npm || made && self.leave.purge {
            self.delete(path, "written whole");
        } else {
            self.stays(path, "you changed it");
        }
    }

    /// Seeds and working files of the project or a tenant.
    fn home(&mut self, prefix: &str) {
        let names: BTreeSet<_> = ALL.iter().flat_map(|row| row.seeds).chain(&SEEDS).collect();
        for name in names {
            let path = format!("{prefix}{name}");
            let Some(bytes) = self.scene.bytes(&path) else { continue };
            if self.is_seed(&path, bytes) || self.leave.purge && self.made(&path) {
                self.delete(&path, "never filled in");
            } else if self.made(&path) {
                self.stays(&path, "it has your text in it");
            }
        }
        let root = format!("{prefix}memory/ROOT.md");
        if self.scene.bytes(&root).is_some_and(says_nothing) {
            self.delete(&root, "never filled in");
        }
        for name in WORK_FILES {
            self.delete(&format!("{prefix}memory/{name}"), "working file");
        }
    }

    /// Whether a file still is the template it started as.
    fn is_seed(&self, path: &str, bytes: &[u8]) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let section = |bytes: &[u8]| {
            let root = self.scene.bytes("memory/ROOT.md").unwrap_or_default();
            mirror::take_out(bytes, root).unwrap_or_else(|_| bytes.to_vec())
        };
        let template = format!("seeds/{name}");
        if !crate::templates::FILES.iter().any(|(file, _)| *file == template) || name == "ROOT.md" {
            return false;
        }
        let ours = self.templates.render(&template, &Reader::default()).into_bytes();
        let bare = section(bytes);
        self.made(path) && self.wrote(path, bytes)
            || NPM_SEEDS.contains(&hash(&bare))
            || bare.trim_ascii_end() == ours.trim_ascii_end()
    }

    /// The folders, those inside others first; whole trees where they are to be purged.
    fn folders(&mut self, prefix: &str) {
        let Some(ledger) = &self.scene.ledger else {
            let mut known: Vec<String> =
                FOLDERS.iter().map(|folder| format!("{prefix}{folder}")).collect();
            if prefix.is_empty() {
                known.extend(ALL.iter().flat_map(|row| own_folders(row)));
            }
            known.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
            for path in &known {
                self.remove_folder(path);
            }
            return;
        };
        let inside =
            |path: &&String| path.starts_with(prefix) || prefix.trim_end_matches('/') == **path;
        let mut ours: Vec<_> = ledger
            .made
            .iter()
            .chain(&ledger.adopted)
            .filter(inside)
            .filter(|path| self.scene.found.get(*path) == Some(&Found::Folder))
            .filter(|path| !path.starts_with(FOLDER))
            .cloned()
            .collect();
        if self.leave.purge {
            let trees: Vec<_> = ours
                .iter()
                .filter(|path| ledger.made.contains(*path) && is_memory(path))
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

    fn remove_folder(&mut self, path: &str) {
        if self.scene.found.get(path) == Some(&Found::Folder) && self.gone.insert(path.to_owned()) {
            self.push(path, Change::RemoveDir, "if it is empty");
        }
    }

    /// Copies that are no longer the only ones.
    fn copies(&mut self) {
        let Some(ledger) = &self.scene.ledger else { return };
        if self.leave.purge {
            self.push(BACKUP, Change::RemoveTree, "copies");
            return;
        }
        for original in ledger.originals.values() {
            self.delete(&original.backup, "copy");
        }
        for (path, backup) in &ledger.replaced {
            if self.scene.has(backup) {
                self.stays(backup, &format!("your version of `{path}`"));
            }
        }
        self.remove_folder(BACKUP);
    }

    /// The ledger goes when all it tells of is gone for good: a run that was cut short and found none would
    /// take files that the user edited for the npm tool's.
    fn ledger(&mut self) {
        if self.scene.ledger.is_none() {
            return;
        }
        if let Some(bytes) = self.scene.bytes(LEDGER) {
            let change = Change::Delete { was: hash(bytes) };
            self.outcome.plan.steps.push(Step::new(LEDGER, change, "what was installed").synced());
        }
        self.remove_folder(".hipocampus/openclaw-plugin");
        if self.leave.purge {
            self.push(FOLDER, Change::RemoveTree, "what was installed");
        } else {
            self.remove_folder(FOLDER);
        }
    }

    fn out_of_config(&mut self, tenant: &str) {
        let Some(bytes) = self.scene.bytes(CONFIG) else { return };
        match strings::take_out(bytes, "tenants", &[tenant], None) {
            Ok(new) if new != bytes => {
                let change = Change::Replace { was: hash(bytes), with: new };
                self.push(CONFIG, change, "configuration");
            }
            Ok(_) => {}
            Err(slip) => {
                let what = format!("`{CONFIG}:{}:{}`: {}", slip.line, slip.column, slip.what);
                self.outcome.refused.push(Refused { what, paste: String::new() });
            }
        }
    }
}

/// Whether a file that cannot be taken apart may have a part of ours in it.
fn mentions_us(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"hipocampus").is_some()
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

/// The folders a client's files live in, which the npm tool may have made.
fn own_folders(row: &crate::platform::Platform) -> Vec<String> {
    let skills = crate::platform::SKILLS.map(|skill| row.skill_path(skill));
    let hooks = row.hooks.iter().map(|hooks| hooks.file);
    let files = row.files.iter().map(|(path, _)| *path);
    parents(skills.iter().map(String::as_str).chain(hooks).chain(files))
}

/// Whether a file written whole is the npm tool's.
pub(super) fn is_npm_file(path: &str, bytes: &[u8]) -> bool {
    if path.ends_with("/SKILL.md") {
        let folder = path.rsplit('/').nth(1).unwrap_or_default();
        let head = crate::memory::frontmatter::Document::parse(bytes);
        return head
            .value("name")
            .is_some_and(|name| name == folder || name == folder.replacen('-', ":", 1));
    }
    path.ends_with("/plugins/hipocampus.js")
        && String::from_utf8_lossy(bytes).contains("HipocampusPlugin")
}
