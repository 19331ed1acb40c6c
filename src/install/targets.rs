//! Every place an installation may write to, and what belongs there.

use std::collections::BTreeMap;

use super::git_files::{ATTRIBUTES, attributes, ignored};
use super::managed_section::ManagedSection;
use super::{FOLDER, RECORD, RULES, Scan, record};
use crate::layout;
use crate::platform::{
    ALL, Hooks, Loads, MemoryFile, Platform, SEEDS, SKILLS, with_own_files, with_own_skills,
};
use crate::splice::npm_tool;
use crate::templates::{self, TemplateContext};

/// The folders of a memory.
pub(super) const FOLDERS: [&str; 10] = [
    "memory",
    "memory/daily",
    "memory/weekly",
    "memory/monthly",
    "memory/agents",
    "memory/agents/compaction",
    "memory/agents/recall",
    "memory/agents/flush",
    "knowledge",
    "plans",
];

/// Files in `memory/` that only the program itself reads.
pub(crate) const WORK_FILES: [&str; 13] = [
    layout::LOCK,
    layout::CACHE,
    layout::ROOT_CACHE,
    layout::REOPEN,
    layout::LOG,
    layout::FIRED,
    layout::DUE,
    layout::RECALLED,
    layout::TOKENS,
    layout::BACKGROUND,
    layout::QMD,
    layout::PROVEN,
    layout::STATE,
];

/// The client's own long-term memory.
const MEMORY_FILE: &str = "MEMORY.md";

/// A splice and whether the configured clients want it there.
pub(super) struct SpliceTarget {
    pub(super) path: String,
    pub(super) splice: ManagedSection,
    pub(super) wanted: bool,
    /// whether the file is made where it is missing
    pub(super) make: bool,
    /// the file that has it now
    pub(super) moved_to: Option<String>,
}

impl SpliceTarget {
    fn new(path: impl Into<String>, splice: ManagedSection, wanted: bool) -> Self {
        Self { path: path.into(), splice, wanted, make: true, moved_to: None }
    }

    /// One that is not made where it is missing.
    fn in_place(path: impl Into<String>, splice: ManagedSection, wanted: bool) -> Self {
        Self { make: false, ..Self::new(path, splice, wanted) }
    }
}

/// How the memory is kept, as far as git is to know.
#[derive(Clone, Copy, Default)]
pub(super) struct KeptInGit<'a> {
    /// whether git has it
    pub(super) shared: bool,
    /// whether there are tenants
    pub(super) tenants: bool,
    /// what was made, as the plan leaves it
    pub(super) record: Option<&'a record::InstallRecord>,
}

/// Every file of the user that any client has us edit.
pub(super) fn splices(
    scan: &Scan,
    platforms: &[&'static Platform],
    reader: &TemplateContext<'_>,
    kept: &KeptInGit<'_>,
) -> Vec<SpliceTarget> {
    let KeptInGit { shared, tenants, record } = *kept;
    let mut targets = Vec::new();
    let own = with_own_files(platforms);
    for (path, readers) in by_place(scan, &own, |row| Some(row.protocol_file)) {
        let reader = TemplateContext { platforms: readers.clone(), ..reader.clone() };
        let body = templates::render("protocol.md", &reader);
        let wanted = !readers.is_empty();
        targets.push(SpliceTarget::new(path, ManagedSection::Protocol(body), wanted));
    }
    targets.extend(hooks(scan, &own, reader.program));
    for row in ALL {
        let Loads::Instructions { files, key, stale } = &row.loads else { continue };
        let home = files.iter().find(|file| scan.has(file)).unwrap_or(&files[0]);
        for file in *files {
            let splice = ManagedSection::Instructions { key, strings: row.hot_files(), stale };
            let wanted = file == home && platforms.contains(row);
            targets.push(SpliceTarget::new(*file, splice, wanted));
        }
    }
    let root = scan.bytes("memory/ROOT.md").unwrap_or_default().to_vec();
    let any = |what| platforms.iter().any(|row| row.memory_file == what);
    let mirrors = any(MemoryFile::Mirrors);
    // Where nothing loads ROOT.md by itself the section stays, if somebody put it there.
    if mirrors || platforms.is_empty() || any(MemoryFile::Loaded) {
        let splice = ManagedSection::Mirror { root };
        targets.push(SpliceTarget::in_place(MEMORY_FILE, splice, mirrors));
    }
    for (path, splice) in [
        (npm_tool::HEARTBEAT_FILE, ManagedSection::Heartbeat),
        (npm_tool::OPENCLAW_FILE, ManagedSection::NpmEntry),
    ] {
        targets.push(SpliceTarget::in_place(path, splice, false));
    }
    let attributes = ManagedSection::Attributes(attributes());
    targets.push(SpliceTarget::new(ATTRIBUTES, attributes, shared && !platforms.is_empty()));
    let has_some = |hooks: &Hooks| own.iter().any(|row| row.hooks.as_ref() == Some(hooks));
    let hides =
        |hooks: &Hooks| has_some(hooks) && (!hooks.may_be_shared || scan.is_ours_alone(hooks.file));
    let is_ours = |path: &str| {
        let is_wanted = path != layout::TENANTS || tenants || scan.has(path);
        is_wanted && record.is_none_or(|record| scan.is_made(path, record))
    };
    let lines = ignored(platforms, shared, is_ours, hides);
    targets.push(SpliceTarget::new(
        super::IGNORE,
        ManagedSection::Ignore(lines),
        !platforms.is_empty(),
    ));
    targets
}

/// The files of hooks, and those that had them before.
fn hooks(scan: &Scan, platforms: &[&'static Platform], program: &str) -> Vec<SpliceTarget> {
    let programs = scan.programs(program);
    let section =
        |entries| ManagedSection::Hooks { entries, programs: programs.clone(), private: false };
    let mut targets = Vec::new();
    for (path, readers) in by_place(scan, platforms, |row| Some(row.hooks.as_ref()?.file)) {
        let program = scan.program_in(&path, program);
        let entries = readers.iter().flat_map(|row| row.entries(program)).collect();
        targets.push(SpliceTarget::new(path, section(entries), !readers.is_empty()));
    }
    for row in ALL {
        let Some(hooks) = &row.hooks else { continue };
        let to = scan.canonical(hooks.file).to_owned();
        let was = hooks.was.iter().map(|was| scan.canonical(was)).filter(|was| *was != to);
        for path in was {
            let moved_to = platforms.contains(row).then(|| to.clone());
            let target = SpliceTarget::in_place(path, section(Vec::new()), false);
            targets.push(SpliceTarget { moved_to, ..target });
        }
    }
    targets
}

/// The configured clients by the place where they look for something; places of other clients with none.
fn by_place(
    scan: &Scan,
    platforms: &[&'static Platform],
    place: impl Fn(&'static Platform) -> Option<&'static str>,
) -> BTreeMap<String, Vec<&'static Platform>> {
    let mut places: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for row in ALL {
        if let Some(path) = place(row) {
            let readers = places.entry(scan.canonical(path).to_owned()).or_default();
            readers.extend(platforms.contains(row).then_some(row));
        }
    }
    places
}

/// Files that are ours as a whole: path, and bytes where the configured clients want them.
pub(super) fn owned_files(
    scan: &Scan,
    platforms: &[&'static Platform],
    reader: &TemplateContext<'_>,
) -> BTreeMap<String, Option<Vec<u8>>> {
    let own = with_own_skills(platforms);
    let mut files = BTreeMap::new();
    for (folder, readers) in by_place(scan, &own, |row| Some(row.skills_dir)) {
        // A client that reads another's folder reads that text too.
        let reads = |row: &&&Platform| {
            readers.contains(row)
                || readers.iter().any(|other| row.reads_skills_of.contains(&other.id))
        };
        let readers: Vec<_> = if readers.is_empty() {
            Vec::new()
        } else {
            platforms.iter().filter(reads).copied().collect()
        };
        for skill in SKILLS {
            let reader = TemplateContext { platforms: readers.clone(), ..reader.clone() };
            let text = templates::render(&format!("skills/{skill}.md"), &reader).into_bytes();
            let path = format!("{folder}/hipocampus-{skill}/SKILL.md");
            files.insert(path, (!readers.is_empty()).then_some(text));
        }
    }
    for row in ALL {
        for (path, template) in row.files {
            let wanted = platforms.contains(row);
            let reader = TemplateContext {
                program: scan.program_in(path, reader.program),
                ..reader.clone()
            };
            let text = wanted.then(|| templates::render(template, &reader).into_bytes());
            files.insert((*path).to_owned(), text);
        }
    }
    files
}

/// The seed files of a project or tenant, ROOT.md included, below `prefix`.
pub(super) fn seeds(
    prefix: &str,
    platforms: &[&'static Platform],
    reader: &TemplateContext<'_>,
) -> Vec<(String, Vec<u8>)> {
    let reader = TemplateContext { platforms: platforms.to_vec(), ..reader.clone() };
    let mut names: Vec<&str> = SEEDS.to_vec();
    for name in platforms.iter().flat_map(|row| row.seeds) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names.push("memory/ROOT.md");
    let template = |name: &str| name.trim_start_matches("memory/").to_owned();
    names
        .iter()
        .map(|name| {
            let text = templates::render(&format!("seeds/{}", template(name)), &reader);
            (format!("{prefix}{name}"), text.into_bytes())
        })
        .collect()
}

/// Every path that a client's part of an installation lies at, and the folders on the way.
pub(super) fn paths_of(row: &Platform) -> Vec<String> {
    let mut paths = vec![row.protocol_file.to_owned(), row.skills_dir.to_owned()];
    let hooks = row.hooks.iter().flat_map(|hooks| hooks.was.iter().chain([&hooks.file]));
    paths.extend(hooks.map(|file| (*file).to_owned()));
    paths.extend(row.files.iter().map(|(path, _)| (*path).to_owned()));
    paths.extend(SKILLS.iter().map(|skill| row.skill_path(skill)));
    paths.extend(row.evidence.iter().map(|path| (*path).to_owned()));
    if let Loads::Instructions { files, .. } = &row.loads {
        paths.extend(files.iter().map(|file| (*file).to_owned()));
    }
    paths.extend(super::parents(paths.clone().iter().map(String::as_str)));
    paths
}

/// Every path an installation may look at or write to, other than copies.
pub(crate) fn every_path(
    tenants: &[String],
    record: Option<&record::InstallRecord>,
) -> Vec<String> {
    let mut paths: Vec<String> = [
        super::IGNORE,
        ATTRIBUTES,
        npm_tool::HEARTBEAT_FILE,
        npm_tool::OPENCLAW_FILE,
        MEMORY_FILE,
        FOLDER,
        super::BACKUP,
        RECORD,
        RULES,
        layout::TENANTS,
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(ALL.iter().flat_map(|row| paths_of(row)));
    let prefixes = tenants.iter().map(|tenant| format!("{}/{tenant}/", layout::TENANTS));
    for prefix in [String::new()].into_iter().chain(prefixes) {
        let seeds = ALL.iter().flat_map(|row| row.seeds).chain(&SEEDS);
        paths.extend(seeds.map(|seed| format!("{prefix}{seed}")));
        paths.extend(FOLDERS.iter().map(|folder| format!("{prefix}{folder}")));
        paths.extend(WORK_FILES.iter().map(|file| format!("{prefix}memory/{file}")));
        paths.push(format!("{prefix}memory/{}", layout::ROOT));
        paths.push(format!("{prefix}{}", layout::CONFIG));
        paths.push(prefix.trim_end_matches('/').to_owned());
    }
    paths.extend(record.iter().flat_map(|record| record.made.iter().cloned()));
    paths.extend(super::parents(paths.clone().iter().map(String::as_str)));
    paths.retain(|path| !path.is_empty());
    paths.sort();
    paths.dedup();
    paths
}

/// Whether a ROOT.md has nothing in it but its frame.
pub(super) fn says_nothing(text: &[u8]) -> bool {
    let body = crate::memory::frontmatter::Document::parse(text).body();
    String::from_utf8_lossy(body).lines().map(str::trim).all(|line| {
        line.is_empty()
            || line.starts_with('#')
            || line.starts_with("<!--") && line.ends_with("-->")
    })
}
