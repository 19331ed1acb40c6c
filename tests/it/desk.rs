//! A project in a folder of its own, and a world to run the program in.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::DateTime;
use hipocampus::{World, run};

/// Where the program pretends to be.
pub(crate) const PROGRAM: &str = "/opt/hipo campus/bin/hipocampus";

/// A temporary folder with a project, a home and what was printed.
pub(crate) struct Desk {
    temp: tempfile::TempDir,
    pub(crate) exe: PathBuf,
    pub(crate) stdin: Option<String>,
    pub(crate) path: String,
    /// whether somebody sits at a terminal
    pub(crate) at_terminal: bool,
}

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let temp = crate::support::scratch();
        std::fs::create_dir_all(temp.path().join("p")).unwrap();
        std::fs::create_dir_all(temp.path().join("home")).unwrap();
        Self { temp, exe: PROGRAM.into(), stdin: None, path: String::new(), at_terminal: false }
    }

    /// The project.
    pub(crate) fn root(&self) -> PathBuf {
        self.temp.path().join("p")
    }

    /// What lies beside the project.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8(std::fs::read(self.root().join(path)).unwrap()).unwrap()
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.root().join(path).symlink_metadata().is_ok()
    }

    /// Runs a command line in the project.
    pub(crate) fn run(&self, line: &str) -> Ran {
        let mut args = vec!["hipocampus"];
        args.extend(line.split_whitespace());
        self.run_args(&args)
    }

    pub(crate) fn run_args(&self, args: &[&str]) -> Ran {
        self.run_in(&self.root(), args)
    }

    /// Runs a command line in the project, with more in the environment.
    pub(crate) fn run_with(&self, env: &[(&str, &str)], line: &str) -> Ran {
        let mut args = vec!["hipocampus"];
        args.extend(line.split_whitespace());
        self.run_so(&self.root(), env, &args)
    }

    /// Runs a command line somewhere else.
    pub(crate) fn run_in(&self, cwd: &Path, args: &[&str]) -> Ran {
        self.run_so(cwd, &[], args)
    }

    fn run_so(&self, cwd: &Path, more: &[(&str, &str)], args: &[&str]) -> Ran {
        let (out, err) = (Sink::default(), Sink::default());
        let env = [
            ("HOME", self.beside("home").to_str().unwrap().to_owned()),
            ("PATH", self.path.clone()),
            ("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00".to_owned()),
        ];
        let more = more.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let env = env.into_iter().chain(more);
        let mut world = World {
            cwd: cwd.to_owned(),
            exe: Some(self.exe.clone()),
            env: env.map(|(name, value)| (name.into(), value.into())).collect(),
            clock: DateTime::parse_from_rfc3339("2026-03-15T14:02:11+01:00").unwrap(),
            stdin: self.stdin.clone().map(|text| Box::new(Cursor::new(text)) as _),
            out: Box::new(out.clone()),
            err: Box::new(err.clone()),
            out_is_terminal: false,
            err_is_terminal: self.at_terminal,
            in_is_terminal: self.at_terminal,
            columns: None,
            talk: hipocampus::Talk::Normal,
            patience: std::time::Duration::from_secs(30),
            hook_patience: std::time::Duration::from_secs(30),
        };
        let args: Vec<_> = args.iter().map(Into::into).collect();
        let code = run(&args, &mut world) as u8;
        Ran { code, out: out.text(), err: err.text() }
    }

    /// As [`Desk::run`], for a run that must go well.
    #[track_caller]
    pub(crate) fn ok(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}: {}{}", ran.out, ran.err);
        ran
    }

    /// Everything in the project: kind, mode and bytes by path.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        tree(&self.root())
    }
}

/// What differs between two trees, a few words each.
pub(crate) fn diff(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> Vec<String> {
    let short = |what: Option<&String>| what.map(|what| what.chars().take(700).collect::<String>());
    let paths: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let differs = |path: &&String| before.get(*path) != after.get(*path);
    let say = |path: &String| {
        format!("{path}: {:?} became {:?}", short(before.get(path)), short(after.get(path)))
    };
    paths.into_iter().filter(differs).map(say).collect()
}

/// Everything below a folder.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = path.symlink_metadata().unwrap();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let mode = meta.permissions().mode() & 0o7777;
            if meta.is_symlink() {
                found.insert(name, format!("link to {}", path.read_link().unwrap().display()));
            } else if meta.is_dir() {
                found.insert(name, format!("folder {mode:o}"));
                walk(root, &path, found);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                found.insert(name, format!("file {mode:o} {:?}", String::from_utf8_lossy(&bytes)));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(root, root, &mut found);
    found
}

/// Unpacks one of the projects that the npm tool made.
pub(crate) fn npm_project(desk: &Desk, name: &str) {
    let archive = include_str!("../fixtures/npm-0.5.3.txtar");
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in archive.split_inclusive('\n') {
        match line.strip_prefix("-- ").and_then(|line| line.strip_suffix(" --\n")) {
            Some(path) => files.push((path, String::new())),
            None => files.last_mut().unwrap().1.push_str(line),
        }
    }
    for (path, text) in files {
        let Some(path) = path.strip_prefix(&format!("{name}/")) else { continue };
        if path.ends_with('/') {
            std::fs::create_dir_all(desk.root().join(path)).unwrap();
        } else {
            desk.write(path, text);
        }
    }
}

/// Whether tests run as somebody whom permissions do not stop.
pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}
