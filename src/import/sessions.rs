//! Finding a project's sessions where Claude Code and Codex keep them.

use std::path::{Path, PathBuf};

use chrono::Days;

use super::agent_files::{self, SessionFolder, home, session_folders};
use super::opened_folder;
use crate::disk::{self, Worktree};
use crate::hooks::off;
use crate::import;
use crate::layout;
use crate::platform::{self, Store};
use crate::project::{self, Location};
use crate::world::World;

/// How many nanoseconds a session is caught up on that does not lie in a folder of the project: seven days.
const REACH: i64 = 7 * 24 * 3600 * 1_000_000_000;
/// How many days of Codex's folders are looked at: a session is filed under the day it began.
const CODEX_FOLDERS: u64 = 31;
/// The longest folder name Claude Code derives from a path without shortening it.
pub(super) const SLUG_LIMIT: usize = 200;

#[derive(Debug, Clone)]
pub(crate) struct KeptSession {
    pub(crate) path: PathBuf,
    /// its session's id, as the name of the file has it
    pub(crate) id: String,
    /// its size in bytes
    pub(crate) size: u64,
    /// when it was last written to, in nanoseconds since 1970
    pub(crate) written: i64,
    /// the id of the client it was held in
    pub(crate) agent: &'static str,
    /// whether it lies where only this project's do
    pub(crate) exact: bool,
    /// the place it was found in, where that tells more of it
    place: Option<&'static SessionFolder>,
}

/// Whose a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionOwner {
    /// the project's
    Ours,
    /// another one's, or an agent's for another agent
    Others,
    /// it lies where the project's do, and no record tells in which folder it was held, or it cannot be read
    Untold,
}

/// The transcripts of a project written to at or after `since` (nanoseconds since 1970), latest first.
/// Whether they really are this project's is looked up one by one, as far as the caller goes.
pub(crate) fn of_project<'a>(
    root: &'a Path,
    world: &World,
    since: i64,
) -> impl Iterator<Item = KeptSession> + use<'a> {
    recent(root, world, since)
        .into_iter()
        .filter(|session| session.whose(root) == SessionOwner::Ours)
}

/// The transcripts that may be a project's, by their names and times alone, latest first.
pub(crate) fn recent(root: &Path, world: &World, since: i64) -> Vec<KeptSession> {
    let mut found = claude_code(root, world);
    found.extend(codex(world));
    let mut by_file = by_file(world, since);
    if by_file.iter().any(|session| session.agent == platform::id_of(Store::Cursor)) {
        let folders = folders(root);
        // To look for the folder of each takes long where there are many of other projects.
        let may_be_ours = |session: &KeptSession| opened_folder::may_be_in(&session.path, &folders);
        by_file.retain(|it| it.agent != platform::id_of(Store::Cursor) || may_be_ours(it));
    }
    found.extend(by_file);
    let off = off::of_project(root);
    found.retain(|session| session.written >= since && !off.contains(&session.id));
    found.sort_by_key(|session| std::cmp::Reverse(session.written));
    found
}

/// The folders that may hold transcripts of a project and cannot be listed, each with the reason.
pub(crate) fn unlisted(root: &Path, world: &World) -> Vec<String> {
    let claude = claude_projects(world);
    let below = claude.iter().flat_map(|projects| claude_folders(root, &[], projects));
    let codex = codex_folders(world).unwrap_or_default();
    let folders = claude.iter().cloned().chain(below.map(|(folder, _)| folder)).chain(codex);
    let unlisted = folders.filter_map(|folder| disk::list(&folder).err());
    let by_file =
        session_folders(None).flat_map(|place| place.files(world)).filter_map(Result::err);
    let by_file = by_file.map(|problem| disk::describe(&problem));
    unlisted.map(|problem| disk::describe(&problem)).chain(by_file).collect()
}

/// When the project was set up, in nanoseconds since 1970: transcripts from before are not imported.
pub(crate) fn set_up(root: &Path) -> i64 {
    [layout::CONFIG, ".hipocampus/installed.json"]
        .iter()
        .filter_map(|name| Some(disk::stamp(&root.join(name))?.mtime))
        .min()
        .unwrap_or(i64::MAX)
}

impl KeptSession {
    /// Whose it is: looked up in the transcript.
    pub(crate) fn whose(&self, root: &Path) -> SessionOwner {
        let untold = if self.exact { SessionOwner::Untold } else { SessionOwner::Others };
        let Ok(origin) = import::origin(&self.path) else { return untold };
        let cwd = match self.place {
            Some(place) => place.held_in(&self.path, origin.cwd.as_deref()),
            None => origin.cwd.map(PathBuf::from),
        };
        match cwd {
            _ if origin.delegated => SessionOwner::Others,
            Some(cwd) if is_project_of(root, &cwd) => SessionOwner::Ours,
            Some(_) => SessionOwner::Others,
            None => untold,
        }
    }

    fn at(path: PathBuf, id: String, exact: bool, store: Store) -> Option<Self> {
        let stamp = disk::stamp(&path)?;
        let agent = platform::id_of(store);
        Some(Self { path, id, size: stamp.size, written: stamp.mtime, agent, exact, place: None })
    }
}

/// The folders of a project, by all their names: its own, and those that stand for it.
fn folders(root: &Path) -> Vec<PathBuf> {
    let own = [root.to_path_buf(), disk::real_path(root)];
    own.into_iter().chain(project::folders(root)).collect()
}

/// Whether `root` is the nearest project at or above `cwd`.
pub(super) fn is_project_of(root: &Path, cwd: &Path) -> bool {
    let (real, mut here) = (disk::real_path(root), disk::real_path(cwd));
    if disk::is_private(root) {
        return is_private_to(&real, &here);
    }
    // Below a linked worktree, what the folder stands for in the main one.
    if let Some(worktree) = Worktree::around(&here)
        && project::worktrees(root).iter().any(|folder| here.starts_with(folder))
    {
        here = worktree.of_main(&here).unwrap_or(here);
    }
    // A folder that is gone by now cannot be resolved.
    let base: &Path = if here.starts_with(&real) { &real } else { root };
    let has_config = |folder: &Path| disk::is_there(&folder.join(layout::CONFIG));
    here.starts_with(base)
        && !here.ancestors().take_while(|folder| *folder != base).any(has_config)
        && nearest(&here).is_none_or(|place| place.private_to().is_none())
}

/// The nearest project at or above a folder, which may be gone.
fn nearest(here: &Path) -> Option<Location> {
    here.ancestors().find(|folder| disk::is_dir(folder)).and_then(project::place_of)
}

/// Whether the private project at `root` is the nearest one at or above `here`.
fn is_private_to(root: &Path, here: &Path) -> bool {
    nearest(here).is_some_and(|place| {
        place.root == root && place.worktree.is_some_and(|folder| here.starts_with(folder))
    })
}

/// Where Claude Code keeps the transcripts of all projects.
fn claude_projects(world: &World) -> Option<PathBuf> {
    Some(home(world, "CLAUDE_CONFIG_DIR", ".claude")?.join("projects"))
}

/// The folders in which it may keep those of this project, also of the folders it had before, and whether nobody else's
/// are in there.
pub(super) fn claude_folders(
    root: &Path,
    from: &[PathBuf],
    projects: &Path,
) -> Vec<(PathBuf, bool)> {
    let mut roots = folders(root);
    roots.extend(from.iter().flat_map(|from| [from.clone(), disk::real_path(from)]));
    let mut slugs: Vec<String> = roots.iter().map(|root| slug(root)).collect();
    slugs.dedup();
    let mut found = Vec::new();
    for folder in disk::names(projects) {
        let exact = slugs.contains(&folder);
        // Started in a folder of the project: `SLUG-sub`. The record's `cwd` decides. A long path ends in a hash, which
        // is not ours to make.
        if exact || slugs.iter().any(|slug| folder.starts_with(&format!("{slug}-"))) {
            found.push((projects.join(folder), exact));
        }
    }
    found
}

/// The transcript of this id, whatever folder of Claude Code's it lies in; the one written to last, where several do.
pub(super) fn claude_by_id(id: &str, world: &World) -> Option<PathBuf> {
    let is_name =
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let projects = claude_projects(world).filter(|_| is_name)?;
    let name = format!("{id}.jsonl");
    let paths = disk::names(&projects).into_iter().map(|folder| projects.join(folder).join(&name));
    let found = paths.filter_map(|path| Some((disk::stamp(&path)?.mtime, path)));
    found.max().map(|(_, path)| path)
}

fn claude_code(root: &Path, world: &World) -> Vec<KeptSession> {
    let Some(projects) = claude_projects(world) else { return Vec::new() };
    let mut found = Vec::new();
    for (folder, exact) in claude_folders(root, &[], &projects) {
        for name in disk::names(&folder) {
            if let Some(id) = name.strip_suffix(".jsonl") {
                let path = folder.join(&name);
                found.extend(KeptSession::at(path, id.to_owned(), exact, Store::ClaudeCode));
            }
        }
    }
    found
}

/// The folders in which Codex keeps the sessions of the last days.
fn codex_folders(world: &World) -> Option<Vec<PathBuf>> {
    let sessions = home(world, "CODEX_HOME", ".codex")?.join("sessions");
    let today = world.clock.date_naive();
    let days = (0..CODEX_FOLDERS).map_while(|back| today.checked_sub_days(Days::new(back)));
    Some(days.map(|day| sessions.join(day.format("%Y/%m/%d").to_string())).collect())
}

/// Where the days end that are caught up on, in nanoseconds since 1970.
pub(super) fn oldest(world: &World) -> i64 {
    world.clock.timestamp_nanos_opt().unwrap_or(0).saturating_sub(REACH)
}

fn codex(world: &World) -> Vec<KeptSession> {
    let oldest = oldest(world);
    let mut found = Vec::new();
    for folder in codex_folders(world).unwrap_or_default() {
        for name in disk::names(&folder) {
            let Some(stem) = name.strip_prefix("rollout-").and_then(|n| n.strip_suffix(".jsonl"))
            else {
                continue;
            };
            let id = stem.len().checked_sub(36).and_then(|at| stem.get(at..)).unwrap_or(stem);
            found.extend(KeptSession::at(folder.join(&name), id.to_owned(), false, Store::Codex));
        }
    }
    found.retain(|session| session.written >= oldest);
    found
}

/// Those of the agents that keep each session in a file of its own.
fn by_file(world: &World, since: i64) -> Vec<KeptSession> {
    let oldest = oldest(world);
    let mut found = Vec::new();
    for place in session_folders(None) {
        for stored in place.files(world).into_iter().flatten() {
            let is_new = stored.stamp.mtime >= since.max(oldest) && stored.refused.is_none();
            let id = || {
                import::origin(&stored.path).ok()?.session.or_else(|| agent_files::id(&stored.path))
            };
            let Some(id) = is_new.then(id).flatten() else { continue };
            let session = KeptSession::at(stored.path.clone(), id, false, place.store);
            found.extend(session.map(|session| KeptSession { place: Some(place), ..session }));
        }
    }
    found
}

/// Claude Code's folder name for a path: every character that is no ASCII letter or digit becomes `-`.
pub(super) fn slug(path: &Path) -> String {
    let path = path.to_string_lossy();
    // JavaScript counts UTF-16 units, and replaces each.
    let slug = path.encode_utf16().map(|unit| match char::from_u32(u32::from(unit)) {
        Some(c) if c.is_ascii_alphanumeric() => c,
        _ => '-',
    });
    slug.take(SLUG_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;
    use std::fs;

    #[test]
    fn slugs_are_those_of_claude_code() {
        assert_eq!(slug(Path::new("/home/a_b/x.y")), "-home-a-b-x-y");
        assert_eq!(slug(Path::new("/홈/😀")), "-----");
        assert_eq!(slug(Path::new(&format!("/{}", "a".repeat(300)))).len(), SLUG_LIMIT);
    }

    #[test]
    fn only_the_conversations_of_the_project_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let root = base.join("p");
        let nested = root.join("tenants/t");
        fs::create_dir_all(&nested).unwrap();
        fs::create_dir_all(root.join("sub")).unwrap();
        for project in [&root, &nested] {
            fs::write(project.join(layout::CONFIG), "{}").unwrap();
        }
        let claude = base.join("claude");
        let write = |cwd: &Path, name: &str| {
            let folder = claude.join("projects").join(slug(cwd));
            fs::create_dir_all(&folder).unwrap();
            let cwd = cwd.to_string_lossy();
            let line = format!(
                "{{\"type\":\"user\",\"sessionId\":\"s\",\"cwd\":\"{cwd}\",\"message\":{{\"role\":\"user\",\"content\":\"x\"}}}}\n"
            );
            fs::write(folder.join(name), line).unwrap();
        };
        write(&root, "here.jsonl");
        write(&root.join("sub"), "below.jsonl");
        write(&nested, "tenant.jsonl");
        write(&base.join("p-sub"), "sibling.jsonl");
        let mut world = World::for_tests();
        world.env.insert("CLAUDE_CONFIG_DIR".into(), claude.clone().into_os_string());
        world.env.insert("CODEX_HOME".into(), base.join("codex").into_os_string());
        let day = world.clock.date_naive().format("%Y/%m/%d").to_string();
        let sessions = base.join("codex/sessions").join(day);
        fs::create_dir_all(&sessions).unwrap();
        for (name, cwd, source) in [
            ("mine", &root, "\"exec\""),
            ("other", &base, "\"exec\""),
            ("delegated", &root, "{\"subagent\":1}"),
        ] {
            let cwd = cwd.to_string_lossy();
            let line = format!(
                "{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{name}\",\"cwd\":\"{cwd}\",\"source\":{source}}}}}\n"
            );
            fs::write(sessions.join(format!("rollout-{name}.jsonl")), line).unwrap();
        }
        let find = |root: &Path, since: i64| {
            let mut ids: Vec<_> = of_project(root, &world, since).map(|found| found.id).collect();
            ids.sort();
            ids
        };
        assert_eq!(find(&root, 0), ["below", "here", "mine"]);
        assert_eq!(find(&nested, 0), ["tenant"]);
        assert_eq!(find(&root, i64::MAX), Vec::<String>::new());
    }
}
