//! `init` and `update` out of a package manager's cache: the hooks get a copy that stays.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::desk::Desk;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const SETTINGS: &str = ".claude/settings.local.json";

/// A desk whose program lies where npx unpacks.
fn in_cache() -> Desk {
    let mut desk = Desk::new();
    let program = desk.beside("home/.npm/_npx/3f1/node_modules/h-linux-x64/bin/hipocampus");
    put_program(&program, "this build");
    desk.exe = program;
    desk
}

fn put_program(path: &PathBuf, bytes: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn copies(desk: &Desk) -> PathBuf {
    let data =
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    desk.beside("home").join(data).join("hipocampus/bin")
}

#[test]
fn the_hooks_run_a_copy_and_init_says_so() {
    let desk = in_cache();
    let copy = copies(&desk).join(VERSION).join("hipocampus");
    let would = desk.ok("init --no-search --dry-run").out;
    assert!(would.contains(&format!("+ {} (a copy", copy.display())), "{would}");
    assert!(!copies(&desk).exists());
    let did = desk.ok("init --no-search").out;
    assert!(did.contains(&format!("+ {} (a copy", copy.display())), "{did}");
    assert!(did.contains("`ln -sf "), "{did}");
    assert_eq!(fs::read_to_string(&copy).unwrap(), "this build");
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o755);
    let hooks = desk.read(SETTINGS);
    assert!(hooks.contains(copy.to_str().unwrap()) && !hooks.contains("node_modules"), "{hooks}");
    // Once is enough to say it.
    let again = desk.ok("update").out;
    assert!(!again.contains("a copy") && again.contains("everything is in place"), "{again}");
    let status = desk.ok("status --all").out;
    assert!(status.contains("hooks current"), "{status}");
}

#[test]
fn a_copy_that_was_lost_or_torn_comes_back() {
    let desk = in_cache();
    desk.ok("init --no-search");
    let copy = copies(&desk).join(VERSION).join("hipocampus");
    for left in [None, Some("this b")] {
        fs::remove_file(&copy).unwrap();
        if let Some(bytes) = left {
            fs::write(&copy, bytes).unwrap();
        }
        assert!(desk.ok("update").out.contains("(a copy"));
        assert_eq!(fs::read_to_string(&copy).unwrap(), "this build");
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o755);
    }
}

#[test]
fn updating_one_project_leaves_the_program_of_another() {
    let desk = in_cache();
    let old = copies(&desk).join("0.5.9/hipocampus");
    put_program(&old, "an older build");
    // Another project was set up by that one.
    let other = desk.beside("other");
    fs::create_dir(&other).unwrap();
    let mut older = Desk::new();
    older.exe.clone_from(&old);
    assert_eq!(older.run_in(&other, &["hipocampus", "init", "--no-search"]).code, 0);
    let hooks = fs::read_to_string(other.join(SETTINGS)).unwrap();
    assert!(hooks.contains(old.to_str().unwrap()), "{hooks}");
    desk.ok("init --no-search");
    desk.ok("update");
    assert_eq!(fs::read_to_string(other.join(SETTINGS)).unwrap(), hooks);
    assert_eq!(fs::read_to_string(&old).unwrap(), "an older build");
    let said = desk.ok("uninstall").out;
    let folder = copies(&desk);
    let told =
        format!("next: `{}` has copies of this program (0.5.9, {VERSION});", folder.display());
    assert!(said.contains(&told), "{said}");
    assert!(old.exists() && folder.join(VERSION).join("hipocampus").exists());
}

#[test]
fn an_older_copy_in_the_hooks_is_replaced_not_doubled() {
    let mut desk = in_cache();
    let old = copies(&desk).join("0.5.9/hipocampus");
    let new = std::mem::replace(&mut desk.exe, old);
    put_program(&desk.exe, "an older build");
    desk.ok("init --no-search");
    desk.exe = new;
    desk.ok("update");
    let hooks = desk.read(SETTINGS);
    assert!(!hooks.contains("0.5.9"), "{hooks}");
    assert_eq!(hooks.matches("PreCompact").count(), 1, "{hooks}");
}

#[test]
fn where_no_copy_can_be_kept_nothing_is_changed() {
    let desk = in_cache();
    let before = desk.tree();
    let ran = desk.run_with(&[("HOME", "")], "init --no-search");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("hint: set `HOME` or `XDG_DATA_HOME`"), "{}", ran.err);
    assert_eq!(desk.tree(), before);
    fs::write(desk.beside("full"), "no folder").unwrap();
    let full = desk.beside("full").display().to_string();
    let ran = desk.run_with(&[("XDG_DATA_HOME", &full)], "init --no-search");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("cannot copy this program to"), "{}", ran.err);
    assert!(!desk.has(SETTINGS) && !desk.has("hipocampus.config.json"));
}

#[test]
fn a_wrapper_of_this_version_on_the_path_is_this_program() {
    let mut desk = in_cache();
    let package = desk.beside("lib/node_modules/h");
    put_program(&package.join("bin/hipocampus.js"), "#!/usr/bin/env node\n");
    let bin = desk.beside("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(package.join("bin/hipocampus.js"), bin.join("hipocampus")).unwrap();
    desk.path = bin.display().to_string();
    for (version, ours) in [(VERSION, true), ("0.5.9", false)] {
        let manifest =
            format!(r#"{{"version":"{version}","bin":{{"hipocampus":"bin/hipocampus.js"}}}}"#);
        fs::write(package.join("package.json"), manifest).unwrap();
        let said = desk.ok("init --no-search").out;
        assert_eq!(!said.contains("on your PATH"), ours, "{said}");
    }
    // What npx puts in front is gone with its run.
    let cache = desk.beside("home/.npm/_npx/3f1/node_modules/.bin");
    put_program(&cache.join("hipocampus"), "#!/usr/bin/env node\n");
    desk.path = cache.display().to_string();
    let said = desk.ok("init --no-search").out;
    assert!(said.contains("is not on your PATH"), "{said}");
}
