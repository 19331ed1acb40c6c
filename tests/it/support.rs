//! A project in a temporary folder, and runs in it whose unexpected output fails the test.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use hipocampus::{Exit, World, run};
use tempfile::TempDir;

/// Every file below `memory/` by path, apart from what `spec/file-formats.md` keeps out of byte comparisons.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// A project of its own. Files are named relative to its folder.
pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    /// A project with a configuration and an empty memory.
    pub(crate) fn new() -> Self {
        let project = Self { dir: scratch() };
        fs::create_dir(project.path("memory")).unwrap();
        project.write("hipocampus.config.json", "{}\n");
        project
    }

    /// A project with these logs, by the name of their file without `.md`.
    pub(crate) fn with_logs<N: AsRef<str>, T: AsRef<[u8]>>(
        logs: impl IntoIterator<Item = (N, T)>,
    ) -> Self {
        let project = Self::new();
        for (name, text) in logs {
            project.write(&format!("memory/{}.md", name.as_ref()), text);
        }
        project
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Writes a file, and the folders it needs.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn append(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let mut file =
            fs::OpenOptions::new().append(true).create(true).open(self.path(path)).unwrap();
        file.write_all(bytes.as_ref()).unwrap();
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// A node's text below its head.
    pub(crate) fn body(&self, path: &str) -> String {
        body(&self.text(path)).to_owned()
    }

    /// The value of a key in a node's head.
    pub(crate) fn head(&self, path: &str, key: &str) -> Option<String> {
        head(&self.text(path), key).map(str::to_owned)
    }

    pub(crate) fn status(&self, path: &str) -> String {
        self.head(path, "status").unwrap_or_else(|| panic!("{path} has no status"))
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        fs::symlink_metadata(self.path(path)).is_ok()
    }

    pub(crate) fn remove(&self, path: &str) {
        let path = self.path(path);
        let is_dir = fs::symlink_metadata(&path).unwrap().is_dir();
        if is_dir { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }

    /// Copies a folder's files below `path`.
    pub(crate) fn copy_from(&self, source: &Path, path: &str) {
        for entry in fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            let below = format!("{path}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                self.copy_from(&entry.path(), &below);
            } else {
                self.write(&below, fs::read(entry.path()).unwrap());
            }
        }
    }

    /// Every file of the memory but the cache, the lock and the log of hooks.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        collect(&self.path("memory"), "", &mut tree);
        tree.retain(|name, _| !name.starts_with(".hipocampus."));
        tree
    }

    /// The nodes.
    pub(crate) fn nodes(&self) -> Tree {
        let mut tree = self.nodes_and_root();
        tree.remove("ROOT.md");
        tree
    }

    /// The nodes and ROOT.md.
    pub(crate) fn nodes_and_root(&self) -> Tree {
        let mut tree = self.tree();
        tree.retain(|name, _| name.contains('/') || name == "ROOT.md");
        tree
    }

    /// A run of any command.
    pub(crate) fn run<const N: usize>(&self, args: [&str; N]) -> Run {
        Run::new(self.root(), args.iter().map(OsString::from).collect())
    }

    /// `compact` on a date: has to succeed, to say what it did in one line and nothing on stderr.
    pub(crate) fn compact(&self, today: &str) -> String {
        let output = self.run(["compact"]).today(today).quiet();
        assert!(output == "nothing to do" || output.ends_with(" updated"), "what is `{output}`?");
        output
    }

    /// `compact` on a date that has to find nothing to do, but for ROOT.md where the date is another one.
    pub(crate) fn idle(&self, today: &str) {
        let mut before = self.tree();
        let said = self.compact(today);
        let mut after = self.tree();
        let date = |tree: &Tree| {
            let root = tree.get("ROOT.md").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            root.and_then(|root| head(&root, "last-updated").map(str::to_owned))
        };
        let another_day = date(&before) != date(&after);
        assert_eq!(said, if another_day { "ROOT.md updated" } else { "nothing to do" });
        if another_day {
            before.remove("ROOT.md");
            after.remove("ROOT.md");
        }
        assert_same(&before, &after);
    }

    /// A node of a day, week or month by its label.
    pub(crate) fn node(label: &str) -> String {
        let level = match label.len() {
            10 => "daily",
            8 => "weekly",
            _ => "monthly",
        };
        format!("memory/{level}/{label}.md")
    }
}

/// One run. Output that was not announced is a failure.
pub(crate) struct Run {
    args: Vec<OsString>,
    cwd: PathBuf,
    env: HashMap<OsString, OsString>,
    stdin: Vec<u8>,
    patience: Duration,
    hook_patience: Duration,
    columns: Option<usize>,
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    fn new(cwd: &Path, args: Vec<OsString>) -> Self {
        let args = std::iter::once("hipocampus".into()).chain(args).collect();
        Self {
            args,
            cwd: cwd.to_path_buf(),
            env: HashMap::new(),
            stdin: Vec::new(),
            patience: Duration::from_secs(30),
            hook_patience: Duration::from_secs(30),
            columns: None,
        }
    }

    /// Prints to a terminal of so many columns.
    pub(crate) fn on_terminal(mut self, columns: usize) -> Self {
        self.columns = Some(columns);
        self.env("NO_COLOR", "1")
    }

    /// The date of the run, at noon.
    pub(crate) fn today(self, date: &str) -> Self {
        let now =
            if date.contains('T') { date.to_owned() } else { format!("{date}T12:00:00+02:00") };
        self.env("HIPOCAMPUS_NOW", now)
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    pub(crate) fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// How long another run is waited for.
    pub(crate) fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// How long a person waits for what a hook tells.
    pub(crate) fn hook_patience(mut self, patience: Duration) -> Self {
        self.hook_patience = patience;
        self
    }

    /// What is on stdin.
    pub(crate) fn stdin(mut self, text: impl AsRef<[u8]>) -> Self {
        self.stdin = text.as_ref().to_vec();
        self
    }

    pub(crate) fn cwd(mut self, cwd: PathBuf) -> Self {
        self.cwd = cwd;
        self
    }

    /// Runs it and hands back whatever came.
    pub(crate) fn output(self) -> Output {
        let (out, err) = (Shared::default(), Shared::default());
        let mut world = World {
            cwd: self.cwd,
            exe: None,
            env: self.env,
            clock: "2026-08-20T12:00:00Z".parse().unwrap(),
            stdin: Some(Box::new(io::Cursor::new(self.stdin))),
            out: Box::new(out.clone()),
            err: Box::new(err.clone()),
            out_is_terminal: self.columns.is_some(),
            err_is_terminal: false,
            in_is_terminal: false,
            columns: self.columns,
            talk: hipocampus::Talk::Normal,
            patience: self.patience,
            hook_patience: self.hook_patience,
        };
        let exit = run(&self.args, &mut world);
        Output { exit, out: out.text(), err: err.text() }
    }

    /// Has to succeed with one line on stdout, nothing on stderr; returns the line without the name of the
    /// command.
    pub(crate) fn quiet(self) -> String {
        let Output { exit, out, err } = self.output();
        assert_eq!((exit, &*err), (Exit::Done, ""), "stdout: {out}");
        let line = out.strip_suffix('\n').filter(|line| !line.contains('\n'));
        let line = line.unwrap_or_else(|| panic!("more or less than one line: {out:?}"));
        line.split_once(": ").map_or(line, |(_, rest)| rest).to_owned()
    }

    /// Has to end with this exit code, and this stdout and stderr.
    pub(crate) fn gives(self, exit: Exit, out: &str, err: &str) {
        let output = self.output();
        assert_eq!((output.exit, &*output.out, &*output.err), (exit, out, err));
    }
}

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a test can go on that needs something of the system. Where CI runs it has to be there; elsewhere the test is
/// left out, and says so.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub(crate) fn required(is_there: bool, what: &str) -> bool {
    assert!(is_there || std::env::var_os("CI").is_none(), "CI needs {what}");
    if !is_there {
        eprintln!("left out: this needs {what}");
    }
    is_there
}

/// Whether there is `strace`; see [`required`].
pub(crate) fn has_strace() -> bool {
    let is_there = std::process::Command::new("strace").arg("-V").output();
    required(is_there.is_ok_and(|output| output.status.success()), "strace")
}

/// A temporary folder, in memory where the system has such a place: a thousand synced writes are then free.
pub(crate) fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("hipocampus-it-").tempdir_in(place).unwrap()
}

fn collect(folder: &Path, below: &str, tree: &mut Tree) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), tree);
        } else if kind.is_file() {
            tree.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// What is below a head.
pub(crate) fn body(file: &str) -> &str {
    let rest = file.strip_prefix("---\n").unwrap_or_else(|| panic!("no head: {file:?}"));
    rest.split_once("\n---\n\n").unwrap_or_else(|| panic!("open head: {file:?}")).1
}

/// The value of a key of a head.
pub(crate) fn head<'a>(file: &'a str, key: &str) -> Option<&'a str> {
    let head = file.strip_prefix("---\n")?.split_once("\n---\n")?.0;
    head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// Two trees hold the same names and bytes.
pub(crate) fn assert_same(expect: &Tree, found: &Tree) {
    let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expect), names(found));
    for (name, bytes) in expect {
        let (a, b) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&found[name]));
        if bytes != &found[name] {
            let line = a.lines().zip(b.lines()).position(|(a, b)| a != b);
            let at = line.unwrap_or(a.lines().count().min(b.lines().count()));
            panic!(
                "{name} differs in line {}:\n  {:?}\n  {:?}\n({} and {} bytes)",
                at + 1,
                a.lines().nth(at),
                b.lines().nth(at),
                bytes.len(),
                found[name].len()
            );
        }
    }
}

/// What one compact makes of these logs on a date: the yardstick for everything that took another way.
pub(crate) fn fresh(logs: &BTreeMap<String, Vec<u8>>, today: &str) -> Tree {
    let project = Project::with_logs(logs);
    project.compact(today);
    project.nodes()
}

/// The logs of a project, by name without `.md`.
pub(crate) fn logs_of(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let logs =
        project.tree().into_iter().filter(|(name, _)| !name.contains('/') && name != "ROOT.md");
    logs.filter_map(|(name, bytes)| Some((name.strip_suffix(".md")?.to_owned(), bytes))).collect()
}

/// A folder of the fixtures.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// `n` lines of a project entry.
pub(crate) fn entry(topic: &str, n: usize) -> String {
    let mut text = format!("## {topic} [project]\n");
    for line in 1..n {
        let _ = writeln!(text, "- analysis: {topic}, point {line}");
    }
    text
}
