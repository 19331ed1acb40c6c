//! The plan of `uninstall`.

mod folders;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use super::put::copies_note;
use super::record::backup_of;
use super::targets::{self, KeptInGit, SpliceTarget, WORK_FILES, says_nothing};
use super::{BACKUP, BY_HAND, FOLDER, InstallPlan, PathContent, RECORD, RULES, Refused, Scan};
use crate::layout::{CONFIG, STATE, TENANTS};
use crate::memory::frontmatter::Document;
use crate::plan::{Change, Note, Step, hash};
use crate::platform::{ALL, Platform, SEEDS};
use crate::splice::npm_tool;
use crate::splice::{mirror, strings};
use crate::templates::{self, TemplateContext};

pub(super) use whole::is_ours;

#[derive(Debug, Clone, Copy)]
pub(crate) struct UninstallOptions<'a> {
    /// only this tenant
    pub tenant: Option<&'a str>,
    /// the memory as well, where the record says that we made it
    pub purge: bool,
    /// `YYYY-MM-DD`
    pub today: &'a str,
    /// the configured clients
    pub platforms: &'a [&'static Platform],
    /// the absolute path of the program in hooks and plugins
    pub program: &'a str,
}

/// What has to be done so that the project is as it was without us.
pub(crate) fn take_out(scan: &Scan, leave: &UninstallOptions<'_>) -> InstallPlan {
    let mut work = Removal {
        scan,
        leave,
        outcome: InstallPlan::default(),
        gone: BTreeSet::new(),
        copied: BTreeMap::new(),
        kept: BTreeSet::new(),
    };
    if let Some(tenant) = leave.tenant {
        let prefix = format!("{TENANTS}/{tenant}/");
        let own = format!("{prefix}{CONFIG}");
        work.outcome.plan.notes.extend(scan.about_ledger());
        if scan.record.is_none() && !scan.has(CONFIG) && !scan.has(&own) {
            return work.outcome;
        }
        work.home(&prefix);
        work.out_of_config(tenant);
        work.config(&own);
        work.folders(&prefix);
        work.remove_folder(prefix.trim_end_matches('/'));
        work.remove_folder(TENANTS);
        return work.finish();
    }
    work.outcome.plan.notes.extend(scan.about_ledger());
    let UninstallOptions { program, today, .. } = *leave;
    let reader = TemplateContext { program, today, ..TemplateContext::default() };
    for target in targets::splices(scan, &[], &reader, &KeptInGit::default()) {
        work.splice(&target);
    }
    // What is marked as ours is ours anywhere; the rest asks for a sign that this was set up.
    if scan.record.is_none() && !scan.has(CONFIG) {
        return work.outcome;
    }
    for (path, text) in targets::owned_files(scan, leave.platforms, &reader) {
        work.whole(&path, text.as_deref());
    }
    work.home("");
    work.unreadable();
    work.folders("");
    if work.outcome.refused.is_empty() {
        // Nearly last, so that a run that was cut short finds the project again.
        work.config(CONFIG);
        work.copies();
        work.record();
    } else {
        work.stays(CONFIG, "something is left to be taken out, run this again");
    }
    work.finish()
}

struct Removal<'a> {
    scan: &'a Scan,
    leave: &'a UninstallOptions<'a>,
    outcome: InstallPlan,
    gone: BTreeSet<String>,
    /// copies to be made first: of which file, by name
    copied: BTreeMap<String, String>,
    /// copies that still are the only ones
    kept: BTreeSet<String>,
}

impl Removal<'_> {
    fn push(&mut self, path: &str, change: Change, reason: &'static str) {
        self.outcome.plan.steps.push(Step::to_users_file(path, change, reason));
    }

    fn delete(&mut self, path: &str, reason: &'static str) {
        let Some(bytes) = self.scan.bytes(path) else { return };
        // What a link leads to may be anybody's.
        if self.scan.links.contains(path) {
            return;
        }
        let was = hash(bytes);
        if self.gone.insert(path.to_owned()) {
            self.push(path, Change::Delete { was }, reason);
        }
    }

    fn stays(&mut self, path: &str, why: &str) {
        self.outcome.plan.notes.push(Note::remark(path, format!("stays: {why}")));
    }

    fn made(&self, path: &str) -> bool {
        self.scan.record.as_ref().is_some_and(|record| record.made.contains(path))
    }

    /// Whether a file or folder is part of the installation.
    fn ours(&self, path: &str) -> bool {
        match &self.scan.record {
            Some(record) => record.made.contains(path) || record.adopted.contains(path),
            None => !self.scan.leads_away(path),
        }
    }

    fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.scan.record.as_ref().is_some_and(|record| record.wrote(path, bytes))
    }

    /// Takes our part out of a user's file, or gives back the file as it was.
    fn splice(&mut self, target: &SpliceTarget) {
        let SpliceTarget { path, splice, .. } = target;
        let (bytes, link) = match self.scan.found.get(path) {
            Some(PathContent::File { bytes, link }) => (bytes.as_slice(), *link),
            _ => return,
        };
        if self.ours(path) && self.is_seed(path, bytes) {
            return;
        }
        let bare = splice.unrecorded();
        let splice = if self.scan.has_record(path) { splice } else { &bare };
        let record = self.scan.record.as_ref().and_then(|record| record.originals.get(path));
        // Without its copy the file would not come back as it was; what is refused says so below.
        if record.is_some_and(|record| self.cannot_be_read(&record.backup)) {
            return;
        }
        let original = self.scan.original(path);
        // An original with the npm tool's part in it is no state to go back to.
        let clean = original.filter(|original| {
            bare.take_out(original, None).is_ok_and(|without| without == *original)
        });
        let untouched = record.is_some_and(|record| !record.touched) && self.wrote(path, bytes);
        let new = match (clean, splice.take_out(bytes, original)) {
            (Some(original), _) if untouched => original.to_vec(),
            (_, Ok(new)) => new,
            (_, Err(_)) if !self.scan.has_record(path) && !mentions_us(bytes) => return,
            (_, Err(slip)) => {
                return self.outcome.refused.push(Refused::at(path, &slip, BY_HAND));
            }
        };
        if new == bytes && !self.made(path) {
            return;
        }
        let leaves = !link && (self.made(path) || !self.scan.outside.contains(path));
        if clean.is_none() && leaves && splice.is_effectively_empty(&new) {
            self.delete(path, splice.label());
        } else if new != bytes {
            self.push(path, Change::Replace { was: hash(bytes), with: new }, splice.label());
        }
    }

    /// A file that could not be read may contain a part of ours, if this was ever installed.
    fn unreadable(&mut self) {
        let of = |rows: &[&'static Platform]| -> BTreeSet<String> {
            rows.iter().flat_map(|row| targets::paths_of(row)).collect()
        };
        let (here, anywhere) = (of(self.leave.platforms), of(ALL));
        // Where we found an earlier installation, more may be ours than we put there.
        let complete = self.scan.record.as_ref().is_some_and(|record| record.adopted.is_empty());
        let is_ours = |path: &str| {
            path == RECORD
                || WORK_FILES.iter().any(|name| path.ends_with(&format!("memory/{name}")))
        };
        let matters = |path: &String| {
            self.scan.has_record(path)
                || is_ours(path)
                || !complete && (here.contains(path) || !anywhere.contains(path))
        };
        let needed =
            |path: &String| self.scan.record.as_ref().is_some_and(|record| record.lists(path));
        for (path, found) in &self.scan.found {
            let is_copy = path.starts_with(&format!("{BACKUP}/"));
            if let PathContent::Unreadable(why) = found
                && (if is_copy { needed(path) } else { matters(path) })
            {
                self.outcome.refused.push(Refused::new(path, why, ""));
            }
        }
    }

    fn cannot_be_read(&self, path: &str) -> bool {
        matches!(self.scan.found.get(path), Some(PathContent::Unreadable(_)))
    }

    /// Keeps a copy of a file that is about to go, beside those that are there.
    fn keep(&mut self, path: &str, bytes: &[u8]) {
        let record = self.scan.record.as_ref();
        let copy = backup_of(path, |name| match self.scan.found.get(name) {
            // What the record lists may go with it.
            Some(PathContent::File { bytes: there, .. }) => {
                there == bytes && !record.is_some_and(|record| record.lists(name))
            }
            Some(_) => false,
            None => !self.copied.contains_key(name),
        });
        self.copied.insert(copy, path.to_owned());
    }

    /// Seeds and working files of the project or a tenant.
    fn home(&mut self, prefix: &str) {
        let names: BTreeSet<_> = ALL.iter().flat_map(|row| row.seeds).chain(&SEEDS).collect();
        for name in names {
            let path = format!("{prefix}{name}");
            let Some(bytes) = self.scan.bytes(&path) else { continue };
            if self.ours(&path) && self.is_seed(&path, bytes)
                || self.leave.purge && self.made(&path)
            {
                self.delete(&path, "never filled in");
            } else if self.made(&path) {
                self.stays(&path, "it has your text in it");
            }
        }
        let root = format!("{prefix}memory/ROOT.md");
        let text = self.scan.bytes(&root).filter(|_| self.ours(&root));
        // Somebody's own headings are a text.
        if text.is_some_and(|text| says_nothing(text) && (self.made(&root) || is_root(text))) {
            self.delete(&root, "never filled in");
        }
        for name in WORK_FILES {
            let path = format!("{prefix}memory/{name}");
            if name != STATE || self.made(&path) {
                self.delete(&path, "working file");
            }
        }
    }

    /// Whether a file still is the template it started as.
    fn is_seed(&self, path: &str, bytes: &[u8]) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let section = |bytes: &[u8]| {
            let root = self.scan.bytes("memory/ROOT.md").unwrap_or_default();
            mirror::take_out(bytes, root, false).unwrap_or_else(|_| bytes.to_vec())
        };
        let template = format!("seeds/{name}");
        if !templates::FILES.iter().any(|(file, _)| *file == template) || name == "ROOT.md" {
            return false;
        }
        let ours = templates::render(&template, &TemplateContext::default()).into_bytes();
        let bare = section(bytes);
        self.made(path) && self.wrote(path, bytes)
            || npm_tool::SEEDS.contains(&hash(&bare))
            || bare.trim_ascii_end() == ours.trim_ascii_end()
    }

    /// Copies that are no longer the only ones.
    fn copies(&mut self) {
        let Some(record) = &self.scan.record else { return };
        for original in record.originals.values() {
            if !self.kept.contains(&original.backup) {
                self.delete(&original.backup, "copy");
            }
        }
        for (copy, of) in &record.copies {
            if self.leave.purge {
                self.delete(copy, "copy");
            } else if self.scan.has(copy) {
                self.stays(copy, &format!("a copy of what was at `{of}`"));
            }
        }
        self.remove_folder(BACKUP);
    }

    /// The record goes when all it lists is gone for good: an interrupted run that found none would
    /// mistake files that the user edited for the npm tool's.
    fn record(&mut self) {
        if self.scan.record.is_none() {
            return;
        }
        if let Some(bytes) = self.scan.bytes(RECORD) {
            let change = Change::Delete { was: hash(bytes) };
            self.outcome.plan.steps.push(Step::new(RECORD, change, "what was installed").synced());
        }
        self.delete(RULES, "the rules last in force");
        self.remove_folder(".hipocampus/openclaw-plugin");
        self.remove_folder(FOLDER);
    }

    /// Puts the copies in front.
    fn finish(mut self) -> InstallPlan {
        let mut steps = Vec::new();
        for (copy, of) in self.copied.iter().filter(|(copy, _)| !self.scan.has(copy)) {
            let Some(bytes) = self.scan.bytes(of) else { continue };
            let change = Change::Create(bytes.to_vec());
            steps.push(Step::new(copy, change, "copy").synced().private(true));
        }
        if !steps.is_empty() {
            let folders = [FOLDER, BACKUP].into_iter().filter(|folder| !self.scan.has(folder));
            let folder = |path| Step::to_users_file(path, Change::EnsureDir, "folder");
            steps.splice(0..0, folders.map(folder));
        }
        self.outcome.plan.steps.splice(0..0, steps);
        if !self.copied.is_empty() {
            let paths: Vec<_> = self.copied.into_values().collect();
            self.outcome.plan.notes.push(copies_note(&paths));
        }
        self.outcome
    }

    fn out_of_config(&mut self, tenant: &str) {
        let Some(bytes) = self.scan.bytes(CONFIG) else { return };
        match strings::take_out(bytes, "tenants", &[tenant], None) {
            Ok(new) if new != bytes => {
                let change = Change::Replace { was: hash(bytes), with: new };
                self.push(CONFIG, change, "configuration");
            }
            Ok(_) => {}
            Err(slip) => self.outcome.refused.push(Refused::at(CONFIG, &slip, "")),
        }
    }
}

/// Whether a file that cannot be taken apart may have a part of ours in it.
fn mentions_us(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"hipocampus").is_some()
}

/// Whether a ROOT.md says that it is one, as ours and the npm tool's do.
fn is_root(text: &[u8]) -> bool {
    Document::parse(text).value("type").is_some_and(|kind| kind == "root")
}
