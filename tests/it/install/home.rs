//! A project in the home folder is for that folder alone, unless somebody means it for all that is below.

use crate::desk::Desk;

fn at_home(desk: &Desk, line: &str) -> crate::desk::Ran {
    let mut args = vec!["hipocampus"];
    args.extend(line.split(' '));
    desk.run_in(&desk.beside("home"), &args)
}

#[test]
fn init_in_the_home_folder_has_to_be_meant() {
    let desk = Desk::new();
    let ran = at_home(&desk, "init --no-search --platform claude-code");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("is your home folder") && ran.err.contains("`--force`"),
        "{}",
        ran.err
    );
    assert_eq!(crate::desk::tree(&desk.beside("home")), std::collections::BTreeMap::new());
    let work = desk.beside("home/work/deep");
    std::fs::create_dir_all(&work).unwrap();
    let ran = at_home(&desk, "init --force --no-search --platform claude-code");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = desk.run_in(&work, &["hipocampus", "flush", "-m", "meant"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(desk.beside("home/memory/2026-03-15.md").exists());
    assert_eq!(at_home(&desk, "uninstall").code, 0);
}

#[test]
fn a_project_that_came_to_be_at_home_does_not_take_what_is_below() {
    let desk = Desk::new();
    let home = desk.beside("home");
    std::fs::create_dir_all(home.join("memory/daily")).unwrap();
    std::fs::create_dir_all(home.join("work")).unwrap();
    std::fs::write(home.join("hipocampus.config.json"), "{\"platform\": \"claude-code\"}\n")
        .unwrap();
    let ran = desk.run_in(&home.join("work"), &["hipocampus", "flush", "-m", "elsewhere"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("the project in your home folder is for that folder alone"),
        "{}",
        ran.err
    );
    assert!(!home.join("memory/2026-03-15.md").exists());
    // A hook of any client does nothing there, too.
    let ran = desk.run_in(&home.join("work"), &["hipocampus", "compact", "--stdin"]);
    assert_eq!(ran.code, 0);
    // Its own folders are its own.
    for folder in ["", "memory", "memory/daily"] {
        let ran = desk.run_in(&home.join(folder), &["hipocampus", "flush", "-m", "here"]);
        assert_eq!(ran.code, 0, "{folder}: {}", ran.err);
    }
    assert_eq!(at_home(&desk, "update").code, 0);
}
