//! A record of what was installed may have come with a clone. What it says about anything but this project is not
//! believed.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::desk::{Desk, diff, tree};

const LEDGER: &str = ".hipocampus/installed.json";

/// A project that was set up, with something beside it that is nobody's business here.
fn set_up() -> Desk {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "# mine\n");
    desk.ok("init --no-search --platform claude-code");
    std::fs::create_dir(desk.beside("outside")).unwrap();
    std::fs::write(desk.beside("outside/keep.txt"), "keep\n").unwrap();
    std::fs::write(desk.beside("keep.txt"), "keep\n").unwrap();
    desk
}

fn ledger(desk: &Desk) -> Value {
    serde_json::from_str(&desk.read(LEDGER)).unwrap()
}

fn mark(bytes: &[u8]) -> String {
    format!("{:016x}", hipocampus::internals::hash(bytes))
}

#[track_caller]
fn check(name: &str, edit: impl Fn(&Desk, &mut Value)) {
    for purge in [false, true] {
        let mut desk = set_up();
        let mut record = ledger(&desk);
        edit(&desk, &mut record);
        desk.write(LEDGER, record.to_string());
        let outside =
            (tree(&desk.beside("outside")), std::fs::read(desk.beside("keep.txt")).unwrap());
        desk.stdin = Some("yes\n".to_owned());
        let shown = desk.run("uninstall --dry-run");
        assert!(shown.err.contains("installed.json`: it names"), "{name}: {}", shown.err);
        let ran = desk.run(if purge { "uninstall --purge" } else { "uninstall" });
        assert!(ran.err.contains("going on as if it were not there"), "{name}: {}", ran.err);
        assert_eq!(
            diff(&outside.0, &tree(&desk.beside("outside"))),
            Vec::<String>::new(),
            "{name}"
        );
        assert_eq!(std::fs::read(desk.beside("keep.txt")).unwrap(), outside.1, "{name}");
        // It still goes, as an installation of which there is no record.
        assert_eq!(desk.read("CLAUDE.md"), "# mine\n", "{name}");
        assert!(!desk.has("hipocampus.config.json") && !desk.has(".claude/skills"), "{name}");
    }
}

#[test]
fn a_record_that_points_elsewhere_is_no_record() {
    check("made above", |_, record| {
        record["made"].as_array_mut().unwrap().push(json!("../keep.txt"));
        record["originals"]["X"] = json!({"backup": "../keep.txt", "hash": "0"});
    });
    check("an absolute path", |desk, record| {
        let path = desk.beside("keep.txt");
        record["made"].as_array_mut().unwrap().push(json!(path));
        record["originals"]["X"] = json!({"backup": path, "hash": "0"});
    });
    check("a copy among the user's files", |desk, record| {
        desk.write("notes.md", "mine\n");
        record["made"].as_array_mut().unwrap().push(json!("notes.md"));
        record["originals"]["X"] = json!({"backup": "notes.md", "hash": "0"});
    });
    check("through a link", |desk, record| {
        symlink(desk.beside("outside"), desk.root().join("link")).unwrap();
        record["made"].as_array_mut().unwrap().extend([json!("link/keep.txt"), json!("link")]);
        record["copies"][".hipocampus/backup/x"] = json!("link/keep.txt");
    });
    check("a copy behind a link", |desk, record| {
        std::fs::create_dir_all(desk.root().join(".hipocampus/backup")).unwrap();
        symlink(desk.beside("keep.txt"), desk.root().join(".hipocampus/backup/x")).unwrap();
        record["originals"]["X"] = json!({"backup": ".hipocampus/backup/x", "hash": "0"});
    });
}

#[test]
fn a_link_that_came_with_a_record_is_not_written_through() {
    // A clone knows what is in a file of the user, as everybody does: the one that systems put there.
    let desk = Desk::new();
    let victim = desk.beside("home/.profile");
    std::fs::write(&victim, "# the system's\n").unwrap();
    desk.write("hipocampus.config.json", "{\"platform\": \"claude-code\"}\n");
    symlink("../home/.profile", desk.root().join("AGENTS.md")).unwrap();
    desk.write(".hipocampus/backup/AGENTS.md", "evil\n");
    let record = json!({
        "made": [], "written": {"AGENTS.md": mark(b"# the system's\n")},
        "originals": {"AGENTS.md": {"backup": ".hipocampus/backup/AGENTS.md", "hash": mark(b"evil\n")}},
    });
    desk.write(LEDGER, record.to_string());
    let ran = desk.run("uninstall");
    assert!(ran.err.contains("`AGENTS.md`, which leads through a link"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "# the system's\n");
}

#[test]
fn update_makes_a_new_record() {
    let desk = set_up();
    let mut record = ledger(&desk);
    record["made"].as_array_mut().unwrap().push(json!("../keep.txt"));
    desk.write(LEDGER, record.to_string());
    let said = desk.ok("update").err;
    assert!(said.contains("it names `../keep.txt`, which is outside of this project"), "{said}");
    assert!(!desk.read(LEDGER).contains("keep.txt"));
    assert!(!desk.ok("update").err.contains("it names"));
    desk.write(LEDGER, "{");
    assert!(desk.run("uninstall --dry-run").err.contains("it does not parse"));
}

/// A pipe cannot be read like a file, whoever asks.
fn put_pipe(desk: &Desk, path: &str) {
    let path = desk.root().join(path);
    std::fs::remove_file(&path).unwrap_or_default();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
}

#[test]
fn a_file_of_ours_that_cannot_be_read_is_named() {
    let desk = set_up();
    put_pipe(&desk, "memory/.hipocampus.cache");
    let ran = desk.run("uninstall");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("memory/.hipocampus.cache` is not a regular file"), "{}", ran.err);
    assert!(desk.has(LEDGER));
    std::fs::remove_file(desk.root().join("memory/.hipocampus.cache")).unwrap();
    desk.ok("uninstall");
    assert_eq!(desk.tree().into_keys().collect::<Vec<_>>(), ["CLAUDE.md"]);
}

#[test]
fn a_copy_that_cannot_be_read_keeps_the_record_of_it() {
    let desk = set_up();
    put_pipe(&desk, ".hipocampus/backup/CLAUDE.md");
    let ran = desk.run("uninstall");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("backup/CLAUDE.md` is not a regular file"), "{}", ran.err);
    assert!(desk.has(LEDGER) && desk.has("hipocampus.config.json"));
    assert!(desk.read("CLAUDE.md").contains("hipocampus:protocol:start"), "not without its copy");
}
