//! The plan of `init` and `update`.

mod copies;
mod whole;

use std::collections::BTreeSet;

use super::managed_section::ManagedSection;
use super::record::mark;
use super::targets::{self, FOLDERS, KeptInGit, SpliceTarget};
use super::{
    BACKUP, FOLDER, InstallOptions, InstallPlan, InstallRecord, PathContent, RECORD, Refused, Scan,
    config, parents,
};
use crate::layout::{CONFIG, STATE, TENANTS};
use crate::plan::{Change, Note, Step, hash};
use crate::splice::{self, ParseError};
use crate::templates::TemplateContext;

/// What has to be done so that the project is as wished. Empty if it is.
pub(crate) fn put(scan: &Scan, wish: &InstallOptions<'_>) -> InstallPlan {
    let takeover = scan.record.is_none() && scan.has(CONFIG);
    let fresh = || InstallRecord { since: wish.now.to_owned(), ..InstallRecord::default() };
    let record = scan.record.clone().unwrap_or_else(fresh);
    let mut work = Installation {
        scan,
        wish,
        record,
        outcome: InstallPlan::default(),
        backups: Vec::new(),
        replaced: Vec::new(),
        left: BTreeSet::new(),
        refused: BTreeSet::new(),
        takeover,
    };
    work.outcome.plan.notes.extend(scan.about_ledger());
    work.config("", None);
    for tenant in &wish.tenants {
        work.config(&format!("{TENANTS}/{tenant}/"), Some(tenant));
    }
    let reader = |tenant| TemplateContext {
        platforms: Vec::new(),
        program: wish.program,
        today: wish.today,
        tenant,
        private: None,
    };
    work.home("", &reader(None));
    for tenant in &wish.tenants {
        work.home(&format!("{TENANTS}/{tenant}/"), &reader(Some(tenant)));
    }
    if wish.private {
        return work.finish();
    }
    for (path, text) in targets::owned_files(scan, &wish.platforms, &reader(None)) {
        work.whole(&path, text);
    }
    let shared = wish.share.unwrap_or_else(|| scan.is_shared_by_git());
    let tenants = !wish.tenants.is_empty();
    let record = work.record.clone();
    let kept = KeptInGit { shared, tenants, record: Some(&record) };
    for target in targets::splices(scan, &wish.platforms, &reader(None), &kept) {
        work.splice(&target);
    }
    work.finish()
}

pub(super) use copies::copies_note;

struct Installation<'a> {
    scan: &'a Scan,
    wish: &'a InstallOptions<'a>,
    record: InstallRecord,
    outcome: InstallPlan,
    backups: Vec<(String, Vec<u8>)>,
    /// files of an earlier installation, or of another version, that were replaced
    replaced: Vec<String>,
    /// folders that files of ours left
    left: BTreeSet<String>,
    /// files that were refused
    refused: BTreeSet<String>,
    takeover: bool,
}

impl Installation<'_> {
    fn push(&mut self, path: &str, change: Change, reason: &'static str) {
        let new = match &change {
            Change::Create(bytes) | Change::Replace { with: bytes, .. } => Some(mark(bytes)),
            _ => None,
        };
        match new {
            Some(new) => self.record.written.insert(path.to_owned(), new),
            None => self.record.written.remove(path),
        };
        self.outcome.plan.steps.push(Step::to_users_file(path, change, reason));
    }

    fn create(&mut self, path: &str, bytes: Vec<u8>, reason: &'static str) {
        self.record.made.insert(path.to_owned());
        self.push(path, Change::Create(bytes), reason);
    }

    /// Whether nothing lies at a path; what is there but cannot be read is refused.
    fn is_free(&mut self, path: &str, paste: impl FnOnce() -> String) -> bool {
        match self.scan.found.get(path) {
            None => true,
            Some(PathContent::File { .. }) => false,
            Some(PathContent::Folder) => {
                self.is_refused(path, format!("`{path}` is a folder"), paste())
            }
            Some(PathContent::Unreadable(why)) => self.is_refused(path, why.clone(), paste()),
        }
    }

    fn is_refused(&mut self, path: &str, what: String, paste: String) -> bool {
        self.refused.insert(path.to_owned());
        self.outcome.refused.push(Refused::new(path, what, paste));
        false
    }

    /// The configuration of the project or of a tenant.
    fn config(&mut self, prefix: &str, tenant: Option<&str>) {
        let path = format!("{prefix}{CONFIG}");
        let Some(old) = self.scan.bytes(&path) else {
            let bytes = match tenant {
                Some(tenant) => config::of_tenant(&self.configuration(), tenant),
                None => config::new(self.wish),
            };
            if self.is_free(&path, || String::from_utf8_lossy(&bytes).into_owned()) {
                self.create(&path, bytes, "configuration");
            }
            return;
        };
        match config::edited(old, self.wish, tenant) {
            Ok(new) if new != old => {
                if self.scan.leads_away(&path) && !self.record.made.contains(&path) {
                    self.remember(&path, old);
                }
                let change = Change::Replace { was: hash(old), with: new };
                self.push(&path, change, "configuration");
            }
            Ok(_) => {}
            Err(slip) => self.refuse(&path, &slip, String::new()),
        }
    }

    /// The project's configuration as this plan leaves it.
    fn configuration(&self) -> Vec<u8> {
        let planned = self.outcome.plan.steps.iter().find(|step| step.path == CONFIG);
        match planned.map(|step| &step.change) {
            Some(Change::Create(bytes) | Change::Replace { with: bytes, .. }) => bytes.clone(),
            _ => self.scan.bytes(CONFIG).unwrap_or_default().to_vec(),
        }
    }

    /// Folders and seed files of the project or of a tenant.
    fn home(&mut self, prefix: &str, reader: &TemplateContext<'_>) {
        for folder in FOLDERS {
            // A tenant's agents share what the project's have learnt.
            if prefix.is_empty() || !folder.starts_with("memory/agents") {
                self.folder(&format!("{prefix}{folder}"));
            }
        }
        for (path, bytes) in targets::seeds(prefix, &self.wish.platforms, reader) {
            let paste = || String::from_utf8_lossy(&bytes).into_owned();
            if self.is_free(&path, paste) {
                self.create(&path, bytes, "new file");
            } else if self.takeover && self.scan.bytes(&path).is_some() {
                self.record.adopted.insert(path);
            }
        }
        // Made by the first run that compacts.
        let state = format!("{prefix}memory/{STATE}");
        if !self.scan.has(&state) {
            self.record.made.insert(state);
        }
    }

    fn folder(&mut self, path: &str) {
        match self.scan.found.get(path) {
            Some(PathContent::Folder) if self.takeover => {
                self.record.adopted.insert(path.to_owned());
            }
            Some(PathContent::Folder) => {}
            Some(_) => {
                let what = format!("`{path}` is in the way of a folder of that name");
                self.outcome.refused.push(Refused::new(path, what, ""));
            }
            None => {
                self.record.made.insert(path.to_owned());
                self.outcome.plan.steps.push(Step::to_users_file(
                    path,
                    Change::EnsureDir,
                    "folder",
                ));
            }
        }
    }

    /// Our part of a user's file.
    fn splice(&mut self, target: &SpliceTarget) {
        let SpliceTarget { path, splice, wanted, make, moved_to } = target;
        if !wanted {
            // Where they could not be put in the new place they stay in the old one.
            if moved_to.as_ref().is_none_or(|to| !self.refused.contains(to)) {
                self.withdraw(path, splice);
            }
            return;
        }
        let Some(old) = self.scan.bytes(path) else {
            if *make && self.is_free(path, || splice.paste()) {
                self.note_block(path, &splice.whole());
                self.note_ignored(splice, b"", &splice.whole());
                self.create(path, splice.whole(), splice.label());
            }
            return;
        };
        if self.takeover && splice.take_out(old, None).is_ok_and(|without| without != old) {
            self.record.adopted.extend(parents([path.as_str()]));
            if old == splice.whole() {
                self.record.made.insert(path.clone());
                self.record.written.insert(path.clone(), mark(old));
            }
        }
        if let ManagedSection::Protocol(_) = splice {
            self.block(path, old, splice);
        }
        if let ManagedSection::Hooks { .. } = splice
            && self.scan.is_shared(path)
        {
            self.outcome.plan.notes.push(Note::remark(path, SHARED));
        }
        // The user's own section: what `compact` will do to it is an edit of ours.
        if let ManagedSection::Mirror { root } = splice
            && splice::mirror::is_anothers(old, root)
            && !self.record.made.contains(path)
        {
            self.remember(path, old);
        }
        match splice.put(old) {
            Ok(new) if new != old => {
                self.note_ignored(splice, old, &new);
                self.edit(path, old, new, splice.label(), |_| false);
            }
            Ok(_) => {}
            Err(slip) => self.refuse(path, &slip, splice.paste()),
        }
        for line in orphans(splice, old) {
            let text = format!(
                "line {line} is a hipocampus marker without its partner; left alone, check what is below it"
            );
            self.outcome.plan.notes.push(Note::remark(path, text));
        }
    }

    /// Notes which lines of a `.gitignore` come and go.
    fn note_ignored(&mut self, splice: &ManagedSection, old: &[u8], new: &[u8]) {
        let ManagedSection::Ignore(_) = splice else { return };
        let paths = |text: &[u8]| -> BTreeSet<String> {
            let text = String::from_utf8_lossy(text);
            text.lines().filter(|line| line.starts_with('/')).map(str::to_owned).collect()
        };
        let (old, new) = (paths(old), paths(new));
        let lines = new.difference(&old).map(|line| format!("+ {line}"));
        self.outcome.ignored =
            lines.chain(old.difference(&new).map(|line| format!("- {line}"))).collect();
    }

    /// Takes our part out of a file that no configured client has it in.
    fn withdraw(&mut self, path: &str, splice: &ManagedSection) {
        let Some(old) = self.scan.bytes(path) else { return };
        let before = self.scan.original(path);
        let bare = splice.unrecorded();
        let splice = if self.scan.has_record(path) { splice } else { &bare };
        // Not our business unless we are in it.
        let Ok(new) = splice.take_out(old, before) else { return };
        if new != old {
            self.edit(path, old, new, splice.label(), |bytes| splice.is_effectively_empty(bytes));
        }
    }

    fn edit(
        &mut self,
        path: &str,
        old: &[u8],
        new: Vec<u8>,
        reason: &'static str,
        is_void: impl Fn(&[u8]) -> bool,
    ) {
        let link = matches!(self.scan.found.get(path), Some(PathContent::File { link: true, .. }));
        if !self.record.made.contains(path) {
            self.remember(path, old);
        }
        // One that was there empty is the user's.
        let was_void = self.scan.original(path).is_some_and(&is_void);
        if is_void(&new) && !link && !was_void {
            self.push(path, Change::Delete { was: hash(old) }, reason);
            self.record.made.remove(path);
        } else {
            self.push(path, Change::Replace { was: hash(old), with: new }, reason);
        }
    }

    fn refuse(&mut self, path: &str, slip: &ParseError, paste: String) {
        self.refused.insert(path.to_owned());
        self.outcome.refused.push(Refused::at(path, slip, paste));
    }

    /// Puts what has to be on disk before everything else in front: what will be made, and copies.
    fn finish(mut self) -> InstallPlan {
        let rest = std::mem::take(&mut self.outcome.plan.steps);
        let missing = self.missing_folders(&rest);
        self.record.made.extend(missing.iter().cloned());
        let mut steps = self.records();
        steps.extend(
            missing.iter().map(|folder| Step::to_users_file(folder, Change::EnsureDir, "folder")),
        );
        // A folder has to be made before what goes into it, and files leave before their folder.
        let (mut folders, files): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|step| step.change == Change::EnsureDir);
        let (config, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|step| step.path == CONFIG);
        folders.sort_by_key(|step| step.path.matches('/').count());
        steps.extend(config.into_iter().chain(folders).chain(files));
        let mut left: Vec<_> = self.left.into_iter().collect();
        left.sort_by_key(|path| std::cmp::Reverse(path.matches('/').count()));
        steps.extend(left.into_iter().map(|folder| {
            Step::to_users_file(folder, Change::RemoveDir, "no configured agent reads it")
        }));
        self.outcome.plan.steps = steps;
        if !self.replaced.is_empty() {
            let note = copies_note(&self.replaced);
            self.outcome.plan.notes.push(note);
        }
        self.outcome
    }

    /// The folders of files in a plan that are not there and that it does not make, other than that of our records.
    fn missing_folders(&self, steps: &[Step]) -> Vec<String> {
        let files = steps
            .iter()
            .filter(|step| !matches!(step.change, Change::Delete { .. } | Change::RemoveDir));
        let is_made = |folder: &String| {
            steps.iter().any(|step| step.path == *folder && step.change == Change::EnsureDir)
        };
        parents(files.map(|step| step.path.as_str()))
            .into_iter()
            .filter(|folder| !self.scan.has(folder) && !is_made(folder) && folder != FOLDER)
            .collect()
    }

    /// The record as this run leaves it, and the copies, with the folders they lie in.
    fn records(&mut self) -> Vec<Step> {
        if !splice::command::has_our_name(self.wish.program) {
            self.record.programs.insert(self.wish.program.to_owned());
        }
        self.record.version = self.wish.version.to_owned();
        self.record.here.clone_from(&self.scan.here);
        let record = self.record.to_bytes();
        let changed = self.scan.record.as_ref() != Some(&self.record);
        let mut steps = Vec::new();
        let mut folder = |path: &str| {
            if !self.scan.has(path) {
                steps.push(Step::to_users_file(path, Change::EnsureDir, "folder"));
            }
        };
        if changed {
            folder(FOLDER);
        }
        if !self.backups.is_empty() {
            folder(BACKUP);
        }
        // Before the copies, so that a run that was cut short knows them for its own.
        if changed {
            let change = match self.scan.bytes(RECORD) {
                Some(there) => Change::Replace { was: hash(there), with: record },
                None => Change::Create(record),
            };
            steps.push(Step::new(RECORD, change, "what was installed").synced().private(true));
        }
        for (path, bytes) in &self.backups {
            if self.scan.bytes(path) != Some(bytes) {
                let change = Change::Create(bytes.clone());
                steps.push(Step::new(path, change, "copy").synced().private(true));
            }
        }
        steps
    }
}

/// What everybody should know who shares a file of hooks.
const SHARED: &str = "others get it through git, because it is tracked or has entries of yours: our hooks in it call `hipocampus` by its name, and a colleague who has no such program sees them fail";

fn orphans(splice: &ManagedSection, bytes: &[u8]) -> Vec<usize> {
    match splice {
        ManagedSection::Protocol(_) => splice::block::orphans(bytes, splice::PROTOCOL),
        _ => Vec::new(),
    }
}
