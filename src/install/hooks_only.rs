//! Hooks without a project around them: in a linked git worktree entries in files of the clients, and plugins; in the
//! user's home, for private projects, skills as well. Nothing else of an installation goes there.

use super::managed_section::ManagedSection;
use super::record::mark;
use super::take::is_ours;
use super::{BACKUP, BY_HAND, FOLDER, InstallPlan, NAME, PathContent, Refused, Scan, parents};
use crate::plan::{Change, Note, Step, hash};
use crate::platform::{ALL, Platform, SKILLS, with_own_skills};
use crate::splice::hooks::{self, Ours};
use crate::splice::members;
use crate::templates::{self, TemplateContext};

/// The files by which a client calls this program from a worktree.
pub(crate) fn hook_files(row: &Platform) -> Vec<&'static str> {
    let hooks = row.hooks.iter().map(|hooks| hooks.file);
    hooks.chain(row.files.iter().map(|(path, _)| *path).filter(|path| is_plugin(path))).collect()
}

/// Where hooks of any client may lie in a worktree, and the folders on the way.
pub(crate) fn hook_paths() -> Vec<String> {
    let files: Vec<_> = ALL.iter().flat_map(|row| hook_files(row)).collect();
    let mut paths = parents(files.iter().copied());
    paths.extend(files.into_iter().map(str::to_owned));
    paths
}

/// Those of a client's files in a worktree that are for this machine alone, so that git is to leave them be: all that
/// it does not track already, and that have nobody else's entries.
pub(crate) fn hidden_hooks(scan: &Scan, row: &Platform) -> Vec<&'static str> {
    let shared = |file: &str| {
        let team = row.hooks.iter().any(|hooks| hooks.may_be_shared && hooks.file == file);
        scan.tracked.contains(file) || team && !scan.is_ours_alone(file)
    };
    hook_files(row).into_iter().filter(|file| !shared(file)).collect()
}

/// OpenClaw's workspaces are no worktrees, and what goes into its own settings lies with the project.
fn is_plugin(path: &str) -> bool {
    path.starts_with(".opencode/")
}

/// The home of a user, as far as a client reads it.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    row: &'static Platform,
    /// where the client's own folder is, below the folder that is looked at
    prefix: String,
}

impl Home {
    /// `None` for a client that reads nothing there.
    pub(crate) fn of(row: &'static Platform, prefix: String) -> Option<Self> {
        row.personal.is_some().then_some(Self { row, prefix })
    }

    fn path(&self, below: &str) -> String {
        format!("{}/{below}", self.prefix)
    }

    /// The file of hooks.
    pub(crate) fn hooks(&self) -> Option<String> {
        Some(self.path(self.row.personal.as_ref()?.hooks?))
    }

    /// The skills, by their names.
    pub(crate) fn skills(&self) -> impl Iterator<Item = (&'static str, String)> {
        let folder = self.row.personal.as_ref().map(|it| self.path(it.skills_dir));
        let path = |folder: &String, skill| format!("{folder}/hipocampus-{skill}/SKILL.md");
        let all = folder.map(|folder| SKILLS.map(|skill| (skill, path(&folder, skill))));
        all.into_iter().flatten()
    }

    /// Files written whole, with their templates.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, &'static str)> {
        let files = self.row.personal.iter().flat_map(|it| it.files);
        files.map(|(path, template)| (self.path(path), *template))
    }

    /// Every path of ours, and the folders on the way.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut files: Vec<String> = self.hooks().into_iter().collect();
        files.extend(self.skills().map(|(_, path)| path));
        files.extend(self.files().map(|(path, _)| path));
        let mut paths = parents(files.iter().map(String::as_str));
        paths.extend(files);
        paths
    }
}

/// What has to be done so that a client has in the user's home what it needs for private projects of these clients.
pub(crate) fn put_personal(
    scan: &Scan,
    home: &Home,
    platforms: &[&'static Platform],
    program: &str,
) -> InstallPlan {
    let mut work = HookChanges { private: true, ..HookChanges::new(scan) };
    if let Some(path) = home.hooks() {
        let entries = home.row.private_entries(program);
        let programs = scan.programs(program);
        work.entries(&path, &ManagedSection::Hooks { entries, programs, private: true });
    }
    let reader =
        TemplateContext { program, platforms: platforms.to_vec(), ..TemplateContext::default() };
    if with_own_skills(platforms).contains(&home.row) {
        for (skill, path) in home.skills() {
            let text = templates::render(&format!("skills/{skill}.md"), &reader);
            work.plugin(&path, text.into_bytes());
        }
    }
    for (path, template) in home.files() {
        let reader = TemplateContext { private: Some(""), ..reader.clone() };
        work.plugin(&path, templates::render(template, &reader).into_bytes());
    }
    work.finish()
}

/// What has to be done so that nothing of ours for private projects is in the user's home.
pub(crate) fn take_out_personal(scan: &Scan, home: &Home, program: &str) -> InstallPlan {
    let mut work = HookChanges { private: true, ..HookChanges::new(scan) };
    for path in home.paths().iter().filter(|path| scan.bytes(path).is_some()) {
        work.leave(path, &scan.programs(program));
    }
    work.outcome
}

/// Whether a path of such a plan is a record of ours, which lies with the project.
pub(crate) fn is_record(path: &str) -> bool {
    path == FOLDER || path.starts_with(BACKUP)
}

/// What has to be done so that these clients have their hooks in a worktree.
pub(crate) fn put_hooks(
    scan: &Scan,
    platforms: &[&'static Platform],
    program: &str,
) -> InstallPlan {
    let mut work = HookChanges::new(scan);
    for row in platforms {
        if let Some(hooks) = &row.hooks {
            let named = scan.program_in(hooks.file, program);
            let splice = ManagedSection::Hooks {
                entries: row.entries(named),
                programs: scan.programs(program),
                private: false,
            };
            work.entries(hooks.file, &splice);
        }
        for (path, template) in row.files.iter().filter(|(path, _)| is_plugin(path)) {
            let reader = TemplateContext {
                program: scan.program_in(path, program),
                ..TemplateContext::default()
            };
            work.plugin(path, templates::render(template, &reader).into_bytes());
        }
    }
    work.finish()
}

/// What has to be done so that a worktree has none of our hooks.
pub(crate) fn take_out_hooks(scan: &Scan, program: &str) -> InstallPlan {
    let mut work = HookChanges::new(scan);
    for row in ALL {
        for path in hook_files(row) {
            work.leave(path, &scan.programs(program));
        }
    }
    work.outcome
}

struct HookChanges<'a> {
    scan: &'a Scan,
    outcome: InstallPlan,
    copies: Vec<(String, Vec<u8>)>,
    /// whether it is the user's home, for private projects
    private: bool,
}

impl<'a> HookChanges<'a> {
    fn new(scan: &'a Scan) -> Self {
        Self { scan, outcome: InstallPlan::default(), copies: Vec::new(), private: false }
    }

    fn push(&mut self, path: &str, change: Change) {
        self.outcome.plan.steps.push(Step::to_users_file(path, change, "hooks"));
    }

    /// The name of the copy of a file of this worktree or home.
    fn copy_of(&self, path: &str) -> String {
        let kind = if self.private { "home" } else { "worktree" };
        format!("{BACKUP}/{kind}-{}__{}", self.scan.here, path.replace('/', "__"))
    }

    /// The bytes of a file; `Err` if something else has its name.
    fn bytes(
        &mut self,
        path: &str,
        paste: impl FnOnce() -> String,
    ) -> Result<Option<&'a [u8]>, ()> {
        let what = match self.scan.found.get(path) {
            None => return Ok(None),
            // What a link of a worktree leads to may be anything: the branch brought it.
            Some(_) if self.scan.leads_away(path) => format!("`{path}` leads through a link"),
            Some(PathContent::File { bytes, .. }) => return Ok(Some(bytes)),
            Some(PathContent::Folder) => format!("`{path}` is a folder"),
            Some(PathContent::Unreadable(why)) => why.clone(),
        };
        self.outcome.refused.push(Refused::new(path, what, paste()));
        Err(())
    }

    fn entries(&mut self, path: &str, splice: &ManagedSection) {
        let Ok(old) = self.bytes(path, || splice.paste()) else { return };
        let Some(old) = old else { return self.push(path, Change::Create(splice.whole())) };
        match splice.put(old) {
            Ok(new) if new != old => {
                self.replace(path, old, new);
            }
            Ok(_) => {}
            Err(slip) => self.outcome.refused.push(Refused::at(path, &slip, splice.paste())),
        }
    }

    fn plugin(&mut self, path: &str, new: Vec<u8>) {
        let Ok(old) = self.bytes(path, String::new) else { return };
        match old {
            None => self.push(path, Change::Create(new)),
            Some(old) if old == new => {}
            Some(old) if is_ours(path, old) => {
                self.push(path, Change::Replace { was: hash(old), with: new });
            }
            Some(old) => self.replace(path, old, new),
        }
    }

    /// Keeps the file as it was before our first edit.
    fn replace(&mut self, path: &str, old: &[u8], new: Vec<u8>) {
        let copy = self.copy_of(path);
        if !self.scan.has(&copy) && !self.is_ours_alone(path, old) {
            self.copies.push((copy, old.to_vec()));
        }
        self.push(path, Change::Replace { was: hash(old), with: new });
    }

    fn is_ours_alone(&self, path: &str, bytes: &[u8]) -> bool {
        let programs = self.scan.programs("");
        is_ours(path, bytes)
            || hooks::take_out(bytes, None, Ours { programs: &programs, private: self.private })
                .is_ok_and(|rest| rest != bytes && members::is_effectively_empty(&rest))
    }

    fn leave(&mut self, path: &str, programs: &[String]) {
        let Ok(Some(bytes)) = self.bytes(path, String::new) else { return };
        let copy = self.copy_of(path);
        let before = self.scan.bytes(&copy);
        let is_json = std::path::Path::new(path).extension().is_some_and(|end| end == "json");
        let new = if is_json {
            match hooks::take_out(bytes, before, Ours { programs, private: self.private }) {
                Ok(new) => new,
                Err(_) if memchr::memmem::find(bytes, NAME.as_bytes()).is_none() => return,
                Err(slip) => return self.outcome.refused.push(Refused::at(path, &slip, BY_HAND)),
            }
        } else if is_ours(path, bytes) {
            before.unwrap_or_default().to_vec()
        } else {
            bytes.to_vec()
        };
        if new == bytes {
            return;
        }
        let void = if is_json { members::is_effectively_empty(&new) } else { new.is_empty() };
        if before.is_none() && void {
            self.push(path, Change::Delete { was: hash(bytes) });
            for folder in parents([path]).iter().rev() {
                self.push(folder, Change::RemoveDir);
            }
        } else {
            self.push(path, Change::Replace { was: hash(bytes), with: new.clone() });
        }
        match before {
            Some(before) if mark(before) == mark(&new) => {
                let change = Change::Delete { was: hash(before) };
                self.outcome.plan.steps.push(Step::new(copy, change, "copy").synced());
            }
            Some(_) => {
                let text =
                    format!("you had changed it; as it was before our hooks it is in `{copy}`");
                self.outcome.plan.notes.push(Note::remark(path, text));
            }
            None => {}
        }
    }

    /// Copies first, and folders before what goes into them.
    fn finish(mut self) -> InstallPlan {
        let files = std::mem::take(&mut self.outcome.plan.steps);
        let mut steps = Vec::new();
        let mut folder = |path: &str, scan: &Scan| {
            if !scan.has(path) {
                steps.push(Step::to_users_file(path, Change::EnsureDir, "folder"));
            }
        };
        if !self.copies.is_empty() {
            folder(FOLDER, self.scan);
            folder(BACKUP, self.scan);
        }
        for path in parents(files.iter().map(|step| step.path.as_str())) {
            folder(&path, self.scan);
        }
        for (copy, bytes) in self.copies {
            let change = Change::Create(bytes);
            steps.push(Step::new(copy, change, "copy").synced().private(true));
        }
        steps.extend(files);
        self.outcome.plan.steps = steps;
        self.outcome
    }
}
