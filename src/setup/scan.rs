//! Looks at a project for `init`, `update` and `uninstall`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Problem;
use crate::disk;
use crate::install::{BACKUP, InstallRecord, PathContent, RECORD, Scan, every_path, hook_paths};
use crate::plan::Note;
use crate::platform::ALL;

/// Everything an installation may have to do with. What cannot be read is carried as that. Fails when the record is
/// there and cannot be read: without it too little would be taken out.
pub(crate) fn look(root: &Path, tenants: &[String]) -> Result<Scan, Problem> {
    let record = match found(root, RECORD) {
        Some(PathContent::File { bytes, .. }) => Some(InstallRecord::parse(&bytes)),
        Some(PathContent::Unreadable(why)) => {
            return Err(
                Problem::new(why).hint("see to it that it can be read; nothing was changed")
            );
        }
        Some(PathContent::Folder) | None => None,
    };
    let mut scan = Scan { here: disk::mark_of(root), ..Scan::default() };
    match record {
        None => {}
        Some(None) => scan.broken = Some("it does not parse".to_owned()),
        Some(Some(record)) => {
            let known = every_path(tenants, None).into_iter().collect();
            let is_link = |path: &str| disk::is_link(&root.join(path));
            match record.stray(is_link, &scan.here, &known) {
                Some((path, why)) => scan.broken = Some(format!("it names `{path}`, which {why}")),
                None => scan.record = Some(record),
            }
        }
    }
    let copies = disk::list(&root.join(BACKUP))
        .map_err(|problem| problem.hint("see to it that it can be read; nothing was changed"))?;
    let copies = copies.into_iter().map(|name| format!("{BACKUP}/{name}"));
    let paths = every_path(tenants, scan.record.as_ref());
    find(&mut scan, root, paths.into_iter().chain(copies));
    scan.aliases = aliases(root, &scan.found);
    let paths: Vec<_> = scan.found.keys().cloned().collect();
    if let Some(tracked) = disk::tracked(root, &paths) {
        scan.in_git = true;
        scan.tracked = tracked.into_iter().collect();
    }
    Ok(scan)
}

/// What lies in a worktree of a project where hooks go. Copies and the record are the project's.
pub(crate) fn look_for_hooks(root: &Path, folder: &Path) -> Result<Scan, Problem> {
    let mut scan = copies_in(root)?;
    let paths = hook_paths();
    find(&mut scan, folder, paths.iter().cloned());
    if let Some(tracked) = disk::tracked(folder, &paths) {
        scan.in_git = true;
        scan.tracked = tracked.into_iter().collect();
    }
    Ok(scan)
}

/// What lies at these paths of the user's home. Copies are in `store`; a link in the home is the user's own.
pub(crate) fn look_at_home(store: &Path, base: &Path, paths: &[String]) -> Result<Scan, Problem> {
    let mut scan = copies_in(store)?;
    find(&mut scan, base, paths.iter().cloned());
    (scan.links, scan.outside) = Default::default();
    scan.here = disk::mark_of(base);
    Ok(scan)
}

/// The record and the copies that lie in a folder, as the beginning of a look elsewhere.
fn copies_in(root: &Path) -> Result<Scan, Problem> {
    let there = look(root, &[])?;
    let mut scan = Scan { record: there.record, ..Scan::default() };
    let is_record = |path: &String| crate::install::is_record(path);
    scan.found = there.found.into_iter().filter(|(path, _)| is_record(path)).collect();
    Ok(scan)
}

/// Takes down what lies at these paths below a folder.
fn find(scan: &mut Scan, folder: &Path, paths: impl Iterator<Item = String>) {
    let real = disk::real_path(folder);
    for path in paths {
        let full = folder.join(&path);
        if disk::is_link(&full) {
            scan.links.insert(path.clone());
        }
        if let Some(found) = found(folder, &path) {
            if !disk::real_path(&full).starts_with(&real) {
                scan.outside.insert(path.clone());
            }
            scan.found.insert(path, found);
        }
    }
}

/// Puts right what a killed run left.
pub(crate) fn tidy(root: &Path, tenants: &[String]) -> Vec<Note> {
    let mut paths = every_path(tenants, None);
    // Any name will do: it is the folder of the copies that is looked through.
    paths.push(format!("{BACKUP}/copy"));
    disk::tidy(root, paths.iter().map(String::as_str))
}

fn found(root: &Path, path: &str) -> Option<PathContent> {
    let full = root.join(path);
    if disk::is_dir(&full) {
        return Some(PathContent::Folder);
    }
    match disk::read_users_file(&full) {
        Ok(Some(bytes)) => Some(PathContent::File { bytes, link: disk::is_link(&full) }),
        Ok(None) => disk::is_link(&full)
            .then(|| PathContent::Unreadable(format!("`{path}` is a link that leads nowhere"))),
        // The first look at it may have failed for a moment.
        Err(_) if disk::is_dir(&full) => Some(PathContent::Folder),
        Err(problem) => Some(PathContent::Unreadable(disk::describe(&problem))),
    }
}

/// CLAUDE.md may be a link to AGENTS.md, one skills folder a link to another.
fn aliases(root: &Path, found: &BTreeMap<String, PathContent>) -> BTreeMap<String, String> {
    let mut places = BTreeMap::new();
    let mut aliases = BTreeMap::new();
    let paths = ALL.iter().flat_map(|row| [row.protocol_file, row.skills_dir]);
    for path in paths.filter(|path| found.contains_key(*path)) {
        let real = disk::real_path(&root.join(path));
        let first = places.entry(real).or_insert(path);
        if *first != path {
            aliases.insert(path.to_owned(), (*first).to_owned());
        }
    }
    aliases
}
