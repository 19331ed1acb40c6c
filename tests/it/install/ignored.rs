//! `.gitignore`: what `init` made and nothing else.

use super::git::git;
use crate::desk::Desk;

fn lines(desk: &Desk) -> Vec<String> {
    desk.read(".gitignore").lines().map(str::to_owned).collect()
}

/// What git would add.
fn seen(desk: &Desk) -> Vec<String> {
    let all = git(desk, "ls-files --others --exclude-standard");
    all.lines().map(str::to_owned).collect()
}

#[test]
fn folders_of_the_users_code_stay_in_the_sight_of_git() {
    for commit in [true, false] {
        let desk = Desk::new();
        git(&desk, "init -q");
        for path in
            ["plans/a.rs", "tenants/a.py", "knowledge/a.txt", "memory/alloc.rs", "WORKING_HERE.md"]
        {
            desk.write(path, "code\n");
        }
        if commit {
            git(&desk, "add -A");
            git(&desk, "commit -qm x");
        }
        desk.ok("init --no-search --platform claude-code");
        let new = [
            "plans/b.rs",
            "tenants/b.py",
            "knowledge/b.txt",
            "memory/pool.rs",
            "memory/arena/mod.rs",
            "WORKING_TOGETHER.md",
        ];
        for path in new {
            desk.write(path, "code\n");
        }
        let seen = seen(&desk);
        for path in new {
            assert!(seen.iter().any(|found| found == path), "{commit} {path}: {seen:?}");
        }
        // What is said is still not for git.
        desk.ok("flush -m words");
        desk.write("memory/.session-transcript-2026-03-15.jsonl", "{}\n");
        let seen = self::seen(&desk);
        let ours = |path: &&String| path.starts_with("memory/") && !new.contains(&path.as_str());
        let ours: Vec<_> =
            seen.iter().filter(ours).filter(|path| *path != "memory/alloc.rs").collect();
        assert_eq!(ours, Vec::<&String>::new());
        assert!(
            !seen.iter().any(|path| path == "WORKING.md" || path == "SCRATCHPAD.md"),
            "{seen:?}"
        );
    }
}

#[test]
fn tenants_are_ignored_where_there_are_some() {
    let desk = Desk::new();
    git(&desk, "init -q");
    desk.ok("init --no-search --platform claude-code");
    assert!(!desk.read(".gitignore").contains("tenants"));
    let ran = desk.ok("init --no-search --tenant acme");
    assert!(ran.out.contains("      + /tenants/\n"), "{}", ran.out);
    assert!(lines(&desk).contains(&"/tenants/".to_owned()));
    assert!(!seen(&desk).iter().any(|path| path.starts_with("tenants/")));
}

#[test]
fn each_line_is_printed() {
    let desk = Desk::new();
    let ran = desk.ok("init --no-search --platform claude-code");
    let ours: Vec<String> = lines(&desk).into_iter().filter(|line| line.starts_with('/')).collect();
    assert!(ours.contains(&"/memory/".to_owned()) && ours.contains(&"/plans/".to_owned()));
    for line in &ours {
        assert!(ran.out.contains(&format!("      + {line}\n")), "{line}: {}", ran.out);
    }
    assert_eq!(ran.out.matches("      + /").count(), ours.len());
}

#[test]
fn an_older_installation_lets_go_of_the_users_code() {
    let desk = Desk::new();
    git(&desk, "init -q");
    desk.write("plans/a.rs", "code\n");
    git(&desk, "add -A");
    desk.write(".gitignore", "target/\n");
    desk.ok("init --no-search --platform claude-code");
    // As versions before wrote it, with lines of the user's below.
    let part = desk.read(".gitignore");
    let old =
        part.replace("/WORKING.md\n", "/WORKING*.md\n/plans/\n/tenants/\n") + "/plans/drafts/\n";
    desk.write(".gitignore", &old);
    let ran = desk.ok("update");
    assert!(ran.out.contains("      - /plans/\n"), "{}", ran.out);
    let after = lines(&desk);
    for gone in ["/plans/", "/tenants/", "/WORKING*.md"] {
        assert!(!after.iter().any(|line| line == gone), "{gone}: {after:?}");
    }
    for stays in ["target/", "/memory/", "/knowledge/", "/WORKING.md", "/plans/drafts/"] {
        assert!(after.iter().any(|line| line == stays), "{stays}: {after:?}");
    }
    desk.ok("uninstall");
    assert_eq!(desk.read(".gitignore"), "target/\n/plans/drafts/\n");
}
