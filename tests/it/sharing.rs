//! A memory that several clones have: through git itself, and without it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hipocampus::Exit;
use tempfile::TempDir;

use crate::support::{Project, scratch};

mod forgotten;

const HIPOCAMPUS: &str = env!("CARGO_BIN_EXE_hipocampus");
const NOON: &str = "2026-03-15T12:00:00+01:00";

/// A user with clones of one repository.
struct Desk {
    dir: TempDir,
}

impl Desk {
    /// A user with nothing but a name.
    fn new() -> Self {
        let desk = Self { dir: scratch() };
        let config = "[user]\n\tname = a\n\temail = a@b\n[init]\n\tdefaultBranch = main\n[pull]\n\trebase = false\n[core]\n\teditor = true\n";
        fs::write(desk.path("gitconfig"), config).unwrap();
        desk
    }

    /// A project that is shared, a log in it, and three clones: `a`, `b`, `c`, all of which can merge.
    fn with_clones() -> Self {
        let desk = Self::new();
        fs::create_dir(desk.path("a")).unwrap();
        assert!(desk.git("a", &["init", "-q"]).status.success());
        desk.set_up("a");
        desk.ok("a", NOON, &["flush", "--topic", "The first", "-m", "decision: share it"]);
        desk.commit("a", "the first");
        assert!(desk.git(".", &["clone", "-q", "--bare", "a", "origin.git"]).status.success());
        assert!(desk.git("a", &["remote", "add", "origin", "../origin.git"]).status.success());
        desk.git("a", &["fetch", "-q", "origin"]);
        desk.git("a", &["branch", "-q", "--set-upstream-to=origin/main"]);
        for clone in ["b", "c"] {
            assert!(desk.git(".", &["clone", "-q", "origin.git", clone]).status.success());
            desk.set_up(clone);
        }
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn command(&self, program: &str, clone: &str, now: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path(clone)).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir.path()).env("GIT_CONFIG_GLOBAL", self.path("gitconfig"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("HIPOCAMPUS_NOW", now).env("QMD_DISABLE", "1");
        command
    }

    fn git(&self, clone: &str, arguments: &[&str]) -> Output {
        self.command("git", clone, NOON).args(arguments).output().unwrap()
    }

    /// git has to do it without a conflict.
    fn merges(&self, clone: &str, arguments: &[&str]) {
        let Output { status, stdout, stderr } = self.git(clone, arguments);
        let said = [stdout, stderr].concat();
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&said));
        let unmerged = self.git(clone, &["ls-files", "--unmerged"]).stdout;
        assert!(unmerged.is_empty(), "{}", String::from_utf8_lossy(&unmerged));
    }

    fn run(&self, clone: &str, now: &str, arguments: &[&str]) -> Output {
        self.command(HIPOCAMPUS, clone, now).args(arguments).output().unwrap()
    }

    fn ok(&self, clone: &str, now: &str, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(clone, now, arguments);
        let said = String::from_utf8_lossy(&stderr).into_owned();
        assert!(status.success(), "{arguments:?}: {said}");
        String::from_utf8(stdout).unwrap() + &said
    }

    fn set_up(&self, clone: &str) -> String {
        let init = ["init", "--share", "--no-search", "--platform", "claude-code"];
        self.ok(clone, NOON, &init)
    }

    fn commit(&self, clone: &str, what: &str) {
        assert!(self.git(clone, &["add", "-A"]).status.success());
        let done = self.git(clone, &["commit", "-q", "--allow-empty", "-m", what]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// An entry that a clone saves at an hour.
    fn says(&self, clone: &str, hour: u32, what: &str) {
        let now = format!("2026-03-15T{hour:02}:00:00+01:00");
        self.ok(clone, &now, &["flush", "--topic", what, "-m", "decision: so it is"]);
        self.commit(clone, what);
    }

    /// The files that git has of a memory, with their bytes.
    fn memory(&self, clone: &str) -> Vec<(String, String)> {
        let names = self.git(clone, &["ls-files", "memory"]).stdout;
        let names = String::from_utf8(names).unwrap();
        names.lines().map(|name| (name.to_owned(), self.text(&format!("{clone}/{name}")))).collect()
    }

    /// Each entry is once, and no mark of a conflict anywhere.
    fn has_once(&self, clone: &str, entries: &[&str]) {
        let log = self.text(&format!("{clone}/memory/2026-03-15.md"));
        for entry in entries {
            assert_eq!(
                log.matches(&format!("## {entry} [project]\n")).count(),
                1,
                "{entry}: {log}"
            );
        }
        for (name, text) in self.memory(clone) {
            assert!(!text.contains("<<<<<<<") && !text.contains(">>>>>>>"), "{name}: {text}");
        }
    }
}

/// Text that reads as a secret, put together here.
fn secret() -> String {
    format!("AKIA{}", "Q3EGRBTJ5YXZ7M2N")
}

#[test]
fn git_gets_the_memory_and_lets_go_of_it() {
    let desk = Desk::new();
    fs::create_dir(desk.path("a")).unwrap();
    desk.git("a", &["init", "-q"]);
    fs::write(desk.path("a/.gitignore"), "target\n").unwrap();
    desk.ok("a", NOON, &["init", "--no-search", "--platform", "claude-code"]);
    desk.ok("a", NOON, &["flush", "-m", "decision: share it"]);
    let before = desk.text("a/.gitignore");
    let dry = desk.ok("a", NOON, &["update", "--share", "--dry-run"]);
    assert!(dry.contains("visible to whoever gets the repository"), "{dry}");
    assert_eq!(desk.text("a/.gitignore"), before);
    let said = desk.ok("a", NOON, &["update", "--share"]);
    assert!(
        said.contains("visible to whoever gets the repository, once you commit it: `memory/`"),
        "{said}"
    );
    assert!(said.contains("logs of 2026-03-15 to 2026-03-15"), "{said}");
    let attribute = |path: &str| {
        let said = desk.git("a", &["check-attr", "merge", "--", path]).stdout;
        String::from_utf8(said).unwrap().trim_end().rsplit(' ').next().unwrap().to_owned()
    };
    let ours = [
        "memory/2026-03-15.md",
        "memory/2026-03-15-0930.md",
        "memory/daily/2026-03-15.md",
        "memory/weekly/2026-W11.md",
        "memory/monthly/2026-03.md",
        "memory/ROOT.md",
        "memory/.compaction-state.json",
        "memory/.hipocampus.forgotten",
        "MEMORY.md",
    ];
    for path in ours {
        assert_eq!(attribute(path), "hipocampus", "{path}");
    }
    for path in
        ["memory/notes.md", "memory/agents/recall/AGENT.md", "README.md", "src/memory/ROOT.md"]
    {
        assert_eq!(attribute(path), "unspecified", "{path}");
    }
    let ignored =
        |path: &str| desk.git("a", &["check-ignore", "-q", "--no-index", path]).status.success();
    for path in [
        "memory/.hipocampus.lock",
        "memory/.hipocampus.lock-held",
        "memory/.hipocampus.cache-root",
        "memory/.hipocampus.log",
        "memory/.hipocampus.proven",
        "memory/.hipocampus.reopen",
        "memory/.session-transcript-2026-03-15.jsonl",
        "memory/daily/.2026-03-15.md.1-0.hipocampus-tmp",
        "memory/.ROOT.md.0-1.hipocampus-was",
        "memory/ROOT.md.0.kept",
        "SCRATCHPAD.md",
        "knowledge/x.md",
        ".hipocampus/installed.json",
    ] {
        assert!(ignored(path), "{path}");
    }
    for path in ours.iter().filter(|path| path.starts_with("memory/")) {
        assert!(!ignored(path), "{path}");
    }
    let driver = || {
        String::from_utf8(desk.git("a", &["config", "--local", "merge.hipocampus.driver"]).stdout)
            .unwrap()
    };
    assert!(driver().ends_with("merge-file %O %A %B %P\n"), "{}", driver());
    assert!(desk.text("a/hipocampus.config.json").contains("\"share\": true"));
    // Nothing is committed by us.
    assert!(!desk.git("a", &["log"]).status.success());
    let again = desk.ok("a", NOON, &["update"]);
    assert!(
        again.starts_with("everything is in place\n") && !again.contains("git config"),
        "{again}"
    );

    desk.ok("a", NOON, &["update", "--no-share"]);
    assert_eq!(desk.text("a/.gitignore"), before);
    assert!(!desk.path("a/.gitattributes").exists());
    assert_eq!(driver(), "");
    assert!(desk.text("a/hipocampus.config.json").contains("\"share\": false"));
}

#[test]
fn lines_of_the_users_in_gitattributes_stay() {
    let desk = Desk::new();
    fs::create_dir(desk.path("a")).unwrap();
    desk.git("a", &["init", "-q"]);
    fs::write(desk.path("a/.gitattributes"), "*.png binary\r\n# mine").unwrap();
    desk.set_up("a");
    let with = desk.text("a/.gitattributes");
    assert!(with.starts_with("*.png binary\r\n# mine\r\n\r\n# hipocampus"), "{with:?}");
    desk.ok("a", NOON, &["uninstall"]);
    assert_eq!(desk.text("a/.gitattributes"), "*.png binary\r\n# mine");
    assert!(desk.git("a", &["config", "--local", "merge.hipocampus.driver"]).stdout.is_empty());
}

#[test]
fn a_secret_is_not_shared() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("a/memory")).unwrap();
    desk.git("a", &["init", "-q"]);
    fs::write(desk.path("a/memory/2026-03-15.md"), format!("## Key\n- {}\n", secret())).unwrap();
    let Output { status, stderr, .. } =
        desk.run("a", NOON, &["init", "--share", "--no-search", "--platform", "codex"]);
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("`memory/2026-03-15.md`: 1 secret"), "{said}");
    assert!(
        said.contains("error: 1 secret would become visible") && !said.contains(&secret()),
        "{said}"
    );
    assert!(
        !desk.path("a/.gitattributes").exists() && !desk.path("a/hipocampus.config.json").exists()
    );
}

#[test]
fn without_a_repository_there_is_nothing_to_share_with() {
    let desk = Desk::new();
    fs::create_dir(desk.path("a")).unwrap();
    let said = desk.run("a", NOON, &["init", "--share", "--no-search", "--platform", "codex"]);
    assert_eq!(said.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&said.stderr).contains("there is no git repository"),
        "{said:?}"
    );
}

#[test]
fn a_clone_that_cannot_merge_is_told_by_every_command() {
    let desk = Desk::with_clones();
    desk.git(".", &["clone", "-q", "origin.git", "d"]);
    for command in [
        &["compact"][..],
        &["status"],
        &["topics"],
        &["search", "first"],
        &["show", "2026-03-15"],
        &["flush", "-m", "x"],
    ] {
        let said = desk.run("d", NOON, command);
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(
            said.matches("this clone does not know how to merge").count(),
            1,
            "{command:?}: {said}"
        );
        let told = desk.run("a", NOON, command);
        assert!(
            !String::from_utf8_lossy(&told.stderr).contains("how to merge"),
            "{command:?}: {told:?}"
        );
    }
    let hook = desk.ok("d", NOON, &["hook", "session-start"]);
    assert!(hook.contains("this clone does not know how to merge"), "{hook}");
    desk.set_up("d");
    assert!(!desk.ok("d", NOON, &["status"]).contains("how to merge"));
}

#[test]
fn npm_left_clones_in_conflict() {
    let desk = Desk::with_clones();
    desk.says("a", 13, "Said in a");
    desk.says("b", 14, "Said in b");
    fs::write(
        desk.path("b/memory/2026-03-15.md"),
        desk.text("b/memory/2026-03-15.md") + "\n## By hand in b [project]\n- x\n",
    )
    .unwrap();
    desk.commit("b", "by hand");
    desk.says("c", 15, "Said in c");
    let heads = ["a", "b", "c"];
    for clone in heads {
        for other in heads.iter().filter(|other| **other != clone) {
            let there = desk.path(other);
            desk.merges(
                clone,
                &["fetch", "-q", there.to_str().unwrap(), &format!("main:of-{other}")],
            );
        }
    }
    for (clone, order) in [("a", ["b", "c"]), ("b", ["c", "a"]), ("c", ["b", "a"])] {
        for other in order {
            desk.merges(clone, &["merge", "-q", "--no-edit", &format!("of-{other}")]);
        }
        desk.ok(clone, "2026-03-15T18:00:00+01:00", &["compact"]);
        desk.commit(clone, "together");
        desk.has_once(clone, &["The first", "Said in a", "Said in b", "By hand in b", "Said in c"]);
    }
    let a = desk.memory("a");
    assert!(a.iter().any(|(name, _)| name == "memory/ROOT.md") && a.len() > 5, "{a:?}");
    assert_eq!(a, desk.memory("b"));
    assert_eq!(a, desk.memory("c"));
    assert!(desk.ok("a", "2026-03-15T18:00:00+01:00", &["compact"]).contains("nothing to do"));
}

#[test]
fn rebase_cherry_pick_and_stash_merge_alike() {
    let desk = Desk::with_clones();
    desk.git("a", &["switch", "-q", "-c", "feat/x"]);
    desk.says("a", 13, "On the branch");
    desk.says("a", 14, "On the branch too");
    desk.git("a", &["switch", "-q", "main"]);
    desk.ok("a", NOON, &["compact"]);
    desk.says("a", 15, "On main");
    desk.git("a", &["switch", "-q", "-c", "picked"]);
    desk.merges("a", &["cherry-pick", "feat/x~1"]);
    desk.has_once("a", &["The first", "On main", "On the branch"]);
    desk.git("a", &["switch", "-q", "feat/x"]);
    desk.merges("a", &["rebase", "-q", "main"]);
    desk.has_once("a", &["The first", "On main", "On the branch", "On the branch too"]);
    // What was not committed yet.
    desk.git("a", &["switch", "-q", "main"]);
    desk.ok("a", "2026-03-15T16:00:00+01:00", &["flush", "--topic", "Not committed", "-m", "x"]);
    assert!(desk.git("a", &["stash", "-q"]).status.success());
    desk.says("a", 17, "Meanwhile");
    desk.merges("a", &["stash", "pop", "-q"]);
    desk.has_once("a", &["The first", "On main", "Meanwhile", "Not committed"]);
    desk.commit("a", "all");
    desk.ok("a", NOON, &["compact"]);
    desk.commit("a", "compacted");
    desk.merges("a", &["merge", "-q", "--no-edit", "picked"]);
    desk.merges("a", &["merge", "-q", "--no-edit", "feat/x"]);
    desk.has_once(
        "a",
        &[
            "The first",
            "On main",
            "Meanwhile",
            "Not committed",
            "On the branch",
            "On the branch too",
        ],
    );
}

#[test]
fn status_names_what_stands_only_on_a_branch() {
    let desk = Desk::with_clones();
    desk.git("a", &["switch", "-q", "-c", "feat/x"]);
    desk.says("a", 13, "On the branch");
    desk.says("a", 14, "On the branch too");
    assert!(!desk.ok("a", NOON, &["status", "--all"]).contains("only on this branch"));
    desk.git("a", &["switch", "-q", "main"]);
    let status = desk.ok("a", NOON, &["status", "--all"]);
    assert!(
        status.contains("`feat/x`: 2 entries and sessions of 1 day are only on this branch"),
        "{status}"
    );
    desk.merges("a", &["merge", "-q", "--no-edit", "feat/x"]);
    assert!(!desk.ok("a", NOON, &["status", "--all"]).contains("only on this branch"));
}

#[test]
fn conversations_of_a_deleted_branch_come_back_from_the_backup() {
    let desk = Desk::with_clones();
    let import = |session: &str, words: &str| {
        let path = transcript(desk.dir.path(), session, words);
        let mut command = desk.command(HIPOCAMPUS, "a", NOON);
        assert!(command.env("TRANSCRIPT_PATH", &path).arg("compact").status().unwrap().success());
        fs::remove_file(path).unwrap();
    };
    desk.git("a", &["switch", "-q", "-c", "feat/x"]);
    import("the-first", "Why does the service light blink twice");
    import("the-other", "Why does the proxy leave late");
    desk.commit("a", "on the branch");
    desk.git("a", &["switch", "-q", "main"]);
    desk.git("a", &["branch", "-q", "-D", "feat/x"]);
    let log = || desk.text("a/memory/2026-03-15.md");
    assert!(!log().contains("service"));
    let found = desk.run("a", NOON, &["check"]);
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let backup = "memory/.session-transcript-2026-03-15.jsonl";
    assert!(found.contains(&format!("hipocampus import {backup}")), "{found}");
    let records = desk.text(&format!("a/{backup}"));
    let (screen, json) =
        (desk.ok("a", NOON, &["status"]), desk.ok("a", NOON, &["status", "--json"]));
    assert!(screen.lines().count() <= 24, "{screen}");
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("hipocampus import {backup}")), "{screen}");
    let turns = records.lines().count();
    assert!(json.contains(&format!("\"turns\": {turns},")), "{json}");
    desk.ok("a", NOON, &["import", backup, "--yes"]);
    assert_eq!(desk.text(&format!("a/{backup}")), records);
    assert!(!desk.ok("a", NOON, &["status"]).contains("session-transcript"));
    for words in [
        "**User:** Why does the service light blink twice\n",
        "**User:** Why does the proxy leave late\n",
    ] {
        assert_eq!(log().matches(words).count(), 1, "{}", log());
    }
    for session in ["the-first", "the-other"] {
        let begin = format!("<!-- hipocampus:session {session} ");
        assert_eq!(log().matches(&begin).count(), 1, "{}", log());
    }
    desk.has_once("a", &["The first"]);
    // Once only, and nothing of it is doubled anywhere.
    let (once, records) = (log(), desk.text(&format!("a/{backup}")));
    desk.ok("a", NOON, &["import", backup, "--yes"]);
    assert_eq!((log(), desk.text(&format!("a/{backup}"))), (once, records));
    assert!(desk.run("a", NOON, &["check"]).status.success());
    let shown = desk.ok("a", NOON, &["show", "the-other"]);
    assert!(shown.contains("proxy"), "{shown}");
}

#[test]
fn an_octopus_has_an_arm_for_each_branch() {
    let desk = Desk::with_clones();
    for (hour, branch) in [(13, "one"), (14, "two")] {
        desk.git("a", &["switch", "-q", "-c", branch, "origin/main"]);
        let now = format!("2026-03-15T{hour}:00:00+01:00");
        // The strategy wants merges of single files that are clean by themselves, so that ours have to be.
        desk.ok("a", &now, &["flush", "--topic", &format!("Said on {branch}"), "-m", "x"]);
        desk.commit("a", branch);
    }
    desk.git("a", &["switch", "-q", "main"]);
    let octopus = desk.git("a", &["merge", "-q", "--no-edit", "one", "two"]);
    if !octopus.status.success() {
        // git's octopus takes no drivers. It gives up before it changes anything, and one after the other does it.
        desk.git("a", &["merge", "--abort"]);
        desk.git("a", &["reset", "-q", "--hard"]);
        desk.merges("a", &["merge", "-q", "--no-edit", "one"]);
        desk.merges("a", &["merge", "-q", "--no-edit", "two"]);
    }
    desk.has_once("a", &["The first", "Said on one", "Said on two"]);
    desk.ok("a", NOON, &["compact"]);
    desk.has_once("a", &["The first", "Said on one", "Said on two"]);
}

/// Calls the driver as git does, and tells its exit code and what is in the second file.
fn driver(base: &[u8], ours: &[u8], theirs: &[u8], path: &str) -> (Exit, Vec<u8>, String) {
    let project = Project::new();
    for (name, bytes) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        project.write(name, bytes);
    }
    let output = project.run(["merge-file", "base", "ours", "theirs", path]).output();
    assert!(output.out.is_empty(), "{}", output.out);
    (output.exit, project.bytes("ours"), output.err)
}

#[test]
fn what_cannot_be_merged_is_left_to_git() {
    let check = |theirs: &[u8], path: &str, why: &str| {
        for (ours, theirs) in
            [(b"## A\n- x\n".as_slice(), theirs), (theirs, b"## A\n- x\n".as_slice())]
        {
            let (exit, left, said) = driver(b"", ours, theirs, path);
            assert_eq!((exit, left.as_slice()), (Exit::Problem, ours), "{path}: {said}");
            assert!(said.contains(why) && said.contains("nothing was changed"), "{path}: {said}");
        }
    };
    check(b"## B\n\0\x01\x02", "memory/2026-03-15.md", "it is not a text");
    check(b"\xff\xfe#\0", "memory/ROOT.md", "it is not a text");
    check(b"{\"a\":", "memory/.compaction-state.json", "it is not a JSON object");
    check(&vec![b'x'; 64 * 1024 * 1024 + 1], "memory/2026-03-15.md", "larger than 64 MiB");
    let block =
        |n| format!("<!-- hipocampus:session s {n}-{n} -->\n<!-- hipocampus:end s {n} -->\n");
    let many = (0..20_002).map(block).collect::<Vec<_>>().concat();
    check(many.as_bytes(), "memory/2026-03-15.md", "too many blocks of one session");
    let (exit, left, _) = driver(b"a\n", b"a\nb\n", b"a\nc\n", "memory/notes.md");
    assert_eq!((exit, left), (Exit::Problem, b"a\nb\n".to_vec()));
    let (exit, left, _) = driver(b"a\nb\nc\n", b"x\na\nb\nc\n", b"a\nb\nc\nd\n", "memory/notes.md");
    assert_eq!((exit, left), (Exit::Done, b"x\na\nb\nc\nd\n".to_vec()));
}

#[test]
fn no_link_and_no_pipe_is_merged() {
    let project = Project::new();
    project.write("elsewhere", "## Mine\n");
    project.write("base", "");
    project.write("ours", "## A\n");
    std::os::unix::fs::symlink(project.path("elsewhere"), project.path("link")).unwrap();
    assert!(Command::new("mkfifo").arg(project.path("pipe")).status().unwrap().success());
    for theirs in ["link", "pipe", "missing", "memory"] {
        let output =
            project.run(["merge-file", "base", "ours", theirs, "memory/2026-03-15.md"]).output();
        assert_eq!(output.exit, Exit::Problem, "{theirs}: {}", output.err);
        assert_eq!(project.text("ours"), "## A\n");
    }
    let output =
        project.run(["merge-file", "base", "link", "ours", "memory/2026-03-15.md"]).output();
    assert_eq!((output.exit, project.text("elsewhere")), (Exit::Problem, "## Mine\n".to_owned()));
}

#[test]
fn without_the_tombstones_nothing_is_merged() {
    let project = Project::new();
    project.write("memory/.hipocampus.forgotten/in the way", "x");
    let (ours, theirs) = ("## A\n- x\n", "## B\n- y\n");
    for (name, words) in [("base", ""), ("ours", ours), ("theirs", theirs)] {
        project.write(name, words);
    }
    let run = project.run(["merge-file", "base", "ours", "theirs", "memory/2026-03-15.md"]);
    let output = run.output();
    assert_eq!((output.exit, project.text("ours")), (Exit::Problem, ours.to_owned()));
    assert!(output.err.contains(".hipocampus.forgotten`: not a regular file"), "{}", output.err);
    // A node holds no words that only a tombstone keeps out.
    let run = project.run(["merge-file", "base", "ours", "theirs", "memory/daily/2026-03-15.md"]);
    assert_eq!(run.output().exit, Exit::Done);
}

const FIRST: &str = "# 2026-03-15\n\n## The first [project]\n- x\n";

#[test]
fn a_copy_of_a_memory_is_brought_in() {
    let here =
        Project::with_logs([("2026-03-15", format!("{FIRST}\n## Said here [project]\n- x\n"))]);
    let there = Project::with_logs([
        ("2026-03-15", format!("{FIRST}\n## Said there [project]\n- y\n")),
        ("2026-03-14", "## The day before [user]\n- z\n".to_owned()),
    ]);
    there.write("memory/.session-transcript-2026-03-15.jsonl", "{\"a\":1}\n");
    there.write("memory/.hipocampus.proven", "hipocampus-proven 1 x\n");
    for project in [&here, &there] {
        project.compact("2026-03-15");
    }
    let before = here.tree();
    let merge = |dry: &str| {
        let run = here.run(["merge"]).arg(there.root()).today("2026-03-15");
        let output = if dry.is_empty() { run.output() } else { run.arg(dry).output() };
        assert_eq!(output.exit, Exit::Done, "{}", output.err);
        output.out
    };
    let dry = merge("--dry-run");
    assert!(
        dry.contains("  ~ memory/2026-03-15.md") && dry.contains("  + memory/2026-03-14.md"),
        "{dry}"
    );
    assert_eq!(here.tree(), before);
    merge("");
    let log = here.text("memory/2026-03-15.md");
    for entry in ["# 2026-03-15\n", "## The first", "## Said here", "## Said there"] {
        assert_eq!(log.matches(entry).count(), 1, "{log}");
    }
    assert!(here.text("memory/daily/2026-03-15.md").contains("## Said there"));
    assert!(here.text("memory/ROOT.md").contains("The day before"));
    assert_eq!(here.text("memory/.session-transcript-2026-03-15.jsonl"), "{\"a\":1}\n");
    assert!(!here.has("memory/.hipocampus.proven"));
    let after = here.tree();
    assert!(merge("").contains("nothing new"));
    assert_eq!(here.tree(), after);
    // The other way round it is the same memory.
    let back = there.run(["merge"]).arg(here.path("memory")).today("2026-03-15").output();
    assert_eq!(back.exit, Exit::Done, "{}", back.err);
    assert_eq!(there.text("memory/2026-03-15.md"), log);
}

#[test]
fn what_comes_into_a_fixed_week_reaches_its_nodes() {
    let here = Project::with_logs([("2026-01-06", "## Here [project]\n- decision: a\n")]);
    let there = Project::with_logs([("2026-01-06", "## There [project]\n- decision: b\n")]);
    here.compact("2026-03-15");
    assert_eq!(here.status("memory/weekly/2026-W02.md"), "fixed");
    let output = here.run(["merge"]).arg(there.root()).today("2026-03-15").output();
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    for node in ["daily/2026-01-06", "weekly/2026-W02", "monthly/2026-01"] {
        let node = format!("memory/{node}.md");
        assert!(here.text(&node).contains("## There") && here.status(&node) == "fixed", "{node}");
    }
}

#[test]
fn a_conflict_copy_is_named_and_brought_in() {
    let project =
        Project::with_logs([("2026-03-15", format!("{FIRST}\n## Said here [project]\n- x\n"))]);
    let copy = "2026-03-15.sync-conflict-20260315-101112-ABCDEFG";
    project.write(&format!("memory/{copy}.md"), format!("{FIRST}\n## Said there [project]\n- y\n"));
    let status = project.run(["status", "--all"]).today("2026-03-15").output();
    assert!(status.out.contains("a conflict copy of `2026-03-15.md`"), "{}", status.out);
    let merge =
        || project.run(["merge"]).arg(format!("memory/{copy}.md")).today("2026-03-15").output();
    let output = merge();
    assert!(output.out.contains("1 file changed"), "{}{}", output.out, output.err);
    let log = project.text("memory/2026-03-15.md");
    assert!(log.contains("## Said here") && log.contains("## Said there"), "{log}");
    assert!(project.has(&format!("memory/{copy}.md")), "it is the user's to delete");
    assert!(merge().out.contains("nothing new"));
}

#[test]
fn a_bad_copy_changes_nothing() {
    let project = Project::with_logs([("2026-03-15", FIRST)]);
    project.compact("2026-03-15");
    let before = project.tree();
    let check = |from: OsString, why: &str| {
        let output = project.run(["merge"]).arg(from).today("2026-03-15").output();
        assert_eq!(output.exit, Exit::Problem, "{}", output.out);
        assert!(output.err.contains(why), "{}", output.err);
        assert_eq!(project.tree(), before);
    };
    check("nowhere".into(), "no folder and no conflict copy");
    check("memory".into(), "this memory itself");
    project.write("empty/x", "");
    check("empty".into(), "no memory");
    project.write("other/memory/2026-03-15.md", b"## B\n\0");
    check("other".into(), "it is not a text");
    std::fs::remove_file(project.path("other/memory/2026-03-15.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.path("other/memory/2026-03-15.md")).unwrap();
    check("other".into(), "not a regular file");
}

#[test]
fn a_node_does_not_come_without_its_log() {
    let here = Project::with_logs([("2026-03-15", FIRST)]);
    let there = Project::with_logs([("2026-03-14", "## Pages [project]\n- x\n")]);
    for project in [&here, &there] {
        project.compact("2026-03-15");
    }
    let log = there.path("memory/2026-03-14.md");
    fs::rename(&log, there.path("aside")).unwrap();
    std::os::unix::fs::symlink(there.path("aside"), &log).unwrap();
    let merge = || here.run(["merge"]).arg(there.root()).today("2026-03-15").output();
    let output = merge();
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.contains("the log of 2026-03-14 was not"), "{}", output.err);
    assert!(!here.has("memory/daily/2026-03-14.md"));
    // Once it can be read, all of it is as if it had come at once.
    fs::remove_file(&log).unwrap();
    fs::rename(there.path("aside"), &log).unwrap();
    assert_eq!(merge().exit, Exit::Done);
    assert_eq!(here.text("memory/daily/2026-03-14.md").matches("## Pages").count(), 1);
    assert!(!here.text("memory/daily/2026-03-14.md").contains("kept"));
}

/// A transcript of one exchange.
fn transcript(folder: &Path, session: &str, words: &str) -> PathBuf {
    let record = |role: &str, words: &str, uuid: &str| {
        format!(
            "{{\"type\":\"{role}\",\"sessionId\":\"{session}\",\"uuid\":\"{uuid}\",\"timestamp\":\"2026-03-15T10:00:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{words}\"}}}}\n"
        )
    };
    let path = folder.join(format!("{session}.jsonl"));
    fs::write(&path, record("user", words, "u") + &record("assistant", "Done so.", "v")).unwrap();
    path
}

#[test]
fn a_block_says_on_which_branch_it_was_written() {
    let desk = Desk::with_clones();
    let import = |clone: &str, session: &str, words: &str| {
        let path = transcript(desk.dir.path(), session, words);
        let mut command = desk.command(HIPOCAMPUS, clone, NOON);
        assert!(command.env("TRANSCRIPT_PATH", path).arg("compact").status().unwrap().success());
    };
    import("a", "on-main", "Why does the service light blink twice");
    desk.git("a", &["switch", "-q", "-c", "feat/x"]);
    import("a", "on-branch", "Why does the service light blink thrice");
    let log = desk.text("a/memory/2026-03-15.md");
    assert_eq!(log.matches("[branch: feat/x]\n<!-- hipocampus:end on-branch").count(), 1, "{log}");
    assert_eq!(log.matches("[branch:").count(), 1, "{log}");
    let found = desk.ok("a", NOON, &["search", "--branch", "feat/x", "service light"]);
    assert!(found.contains("thrice") && !found.contains("twice"), "{found}");
    let node = desk.text("a/memory/daily/2026-03-15.md");
    assert!(node.contains("[branch: feat/x]"), "{node}");
    assert!(desk.ok("a", NOON, &["show", "on-branch"]).contains("[branch: feat/x]"));
    assert_eq!(
        desk.run("a", NOON, &["search", "--branch", "feat/y", "service light"]).status.code(),
        Some(1)
    );
}
