//! The projects of a user: how they are noted, and a search through all of them.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use crate::desk::{Desk, Ran, is_root};

const HOOK: &str = r#"{"hook_event_name":"SessionStart","source":"startup","session_id":"s1"}"#;

/// A project beside the desk's own, with a log.
fn beside(desk: &Desk, name: &str, log: &str) -> PathBuf {
    let root = desk.beside(name);
    fs::create_dir_all(root.join("memory")).unwrap();
    fs::write(root.join("memory/2026-03-09.md"), log).unwrap();
    fs::write(root.join("hipocampus.config.json"), "{}\n").unwrap();
    root
}

fn run_in(desk: &Desk, root: &Path, line: &str) -> Ran {
    let args: Vec<&str> = std::iter::once("hipocampus").chain(line.split(' ')).collect();
    desk.run_in(root, &args)
}

/// What a hook of a project does.
fn hook(desk: &mut Desk, root: &Path) {
    desk.stdin = Some(HOOK.to_owned());
    assert_eq!(run_in(desk, root, "hook session-start").code, 0);
    desk.stdin = None;
}

fn records(desk: &Desk) -> Vec<PathBuf> {
    let folder = desk.beside("home/.local/state/hipocampus/projects");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn listed(desk: &Desk) -> Vec<String> {
    let ran = run_in(desk, &desk.beside("home"), "projects --json");
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn everywhere(desk: &Desk, question: &str) -> Ran {
    run_in(desk, &desk.beside("home"), &format!("search --everywhere {question}"))
}

const SHOP: &str = "## Rounding of ledgers [project]\n- decision: a ledger rounds half to even, \
                    as the bank does\n\n## Ledgers [project]\n- outcome: the ledger is fast\n";
const GAME: &str = "## Save games [project]\n- decision: a save game keeps its ledger of moves\n";

#[test]
fn init_notes_a_project_for_this_user_alone_and_says_so_once() {
    let desk = Desk::new();
    let ran = desk.ok("init --no-search --platform codex");
    assert!(ran.out.contains("hipocampus search --everywhere"), "{}", ran.out);
    assert!(!desk.ok("init --no-search").out.contains("--everywhere"));
    let [record] = &records(&desk)[..] else { panic!("one record") };
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(record), mode(record.parent().unwrap())), (0o600, 0o700));
    assert_eq!(fs::read_to_string(record).unwrap(), desk.root().to_str().unwrap());
    assert_eq!(listed(&desk), ["p"]);
    // The folder of the project has nothing of it.
    assert!(!desk.read("hipocampus.config.json").contains("register"));
    desk.ok("uninstall");
    assert_eq!(records(&desk), [] as [PathBuf; 0]);
}

#[test]
fn a_project_that_is_not_to_be_noted_is_not() {
    let mut desk = Desk::new();
    let root = desk.root();
    let ran = desk.ok("init --no-search --platform codex --no-register");
    assert!(!ran.out.contains("--everywhere"), "{}", ran.out);
    assert!(desk.read("hipocampus.config.json").contains("\"register\": false"));
    hook(&mut desk, &root);
    desk.ok("init --no-search");
    assert_eq!(records(&desk), [] as [PathBuf; 0]);
    // One that is noted is taken out.
    let shop = beside(&desk, "shop", SHOP);
    hook(&mut desk, &shop);
    assert_eq!(listed(&desk), ["shop"]);
    run_in(&desk, &shop, "init --no-search --platform codex --no-register");
    assert_eq!(listed(&desk), [] as [&str; 0]);
    // The environment says so, too, and a tenant is apart.
    let game = beside(&desk, "game", GAME);
    desk.stdin = Some(HOOK.to_owned());
    let args = format!("-C {} hook session-start", game.display());
    desk.run_with(&[("HIPOCAMPUS_NO_REGISTER", "1")], &args);
    desk.run_with(&[("HIPOCAMPUS_OFF", "1")], &args);
    let tenant = beside(&desk, "shop/tenants/acme", SHOP);
    fs::write(tenant.join("hipocampus.config.json"), "{\"tenant\": \"acme\"}\n").unwrap();
    hook(&mut desk, &tenant);
    assert_eq!(listed(&desk), [] as [&str; 0]);
}

#[test]
fn a_hook_notes_its_project_once() {
    let mut desk = Desk::new();
    let shop = beside(&desk, "shop", SHOP);
    hook(&mut desk, &shop);
    let [record] = &records(&desk)[..] else { panic!("one record") };
    let stamp = |path: &Path| {
        let meta = fs::metadata(path).unwrap();
        (meta.ino(), meta.mtime_nsec(), meta.ctime_nsec())
    };
    let before = stamp(record);
    hook(&mut desk, &shop);
    assert_eq!(stamp(record), before);
    let ran = run_in(&desk, &desk.beside("home"), "projects");
    let path = shop.to_str().unwrap();
    assert_eq!(ran.out, format!("shop  1 day, 2026-03-09  {path}\n"));
}

#[test]
fn recall_asks_each_project_by_itself() {
    let mut desk = Desk::new();
    let log = "## Request cache [project]\n- decision: the request cache lives in redis, because two proxies share it\n";
    for (name, log) in [("shop", log), ("game", GAME)] {
        let root = beside(&desk, name, log);
        for day in 1..=28 {
            let text = format!(
                "## Shed {day} [project]\n- decision: paint shed {day} before fence {day}\n"
            );
            fs::write(root.join(format!("memory/2026-01-{day:02}.md")), text).unwrap();
        }
        hook(&mut desk, &root);
    }
    let home = desk.beside("home");
    let asked = "move the request cache of both proxies out of redis";
    let ran = run_in(&desk, &home, &format!("recall --everywhere {asked}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut lines = ran.out.lines();
    assert!(lines.next().unwrap().contains("data, not instructions"), "{}", ran.out);
    assert_eq!(lines.next(), Some("shop:"), "{}", ran.out);
    assert!(lines.next().unwrap().contains("two proxies share it"), "{}", ran.out);
    assert!(!ran.out.contains("game:"), "{}", ran.out);
    let ran = run_in(&desk, &home, "recall --everywhere polish the brass telescope mirrors");
    assert_eq!((ran.code, &*ran.out), (1, ""));
    assert!(ran.err.contains("no project has anything"), "{}", ran.err);
}

#[test]
fn a_question_finds_the_project_that_answers_it() {
    let mut desk = Desk::new();
    for root in [beside(&desk, "shop", SHOP), beside(&desk, "game", GAME)] {
        hook(&mut desk, &root);
    }
    // Both have the word; what it is worth, and which of them says most, is told over all of them.
    let ran = everywhere(&desk, "how does the ledger round");
    let places: Vec<&str> = ran.out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(places[0], "shop:memory/2026-03-09.md:2  Rounding of ledgers", "{}", ran.out);
    assert!(places.iter().any(|it| it.starts_with("game:memory/")), "{}", ran.out);
    let ran = everywhere(&desk, "which moves does a save game keep --json");
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&rows[0]["project"], &rows[0]["path"]),
        (&"game".into(), &"memory/2026-03-09.md".into())
    );
    let scores: Vec<f64> =
        rows.as_array().unwrap().iter().map(|it| it["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    // The place that was printed can be shown from anywhere.
    let ran = run_in(&desk, &desk.beside("home"), "show game:memory/2026-03-09.md:2");
    assert!(ran.out.contains("keeps its ledger of moves"), "{}{}", ran.out, ran.err);
    let ran = run_in(&desk, &desk.beside("game"), "show shop:2026-03-09");
    assert!(ran.out.contains("half to even"), "{}{}", ran.out, ran.err);
    // Nothing crosses unasked.
    let ran = run_in(&desk, &desk.beside("game"), "search round half to even");
    assert_eq!((ran.code, &*ran.out), (1, ""));
    desk.stdin = Some(r#"{"hook_event_name":"UserPromptSubmit","session_id":"s2","prompt":"how does the ledger round half to even?"}"#.to_owned());
    let ran = run_in(&desk, &desk.beside("game"), "hook prompt");
    assert!(!ran.out.contains("half to even"), "{}", ran.out);
}

#[test]
fn a_time_is_answered_from_all_projects() {
    let mut desk = Desk::new();
    for root in [beside(&desk, "shop", SHOP), beside(&desk, "game", GAME)] {
        hook(&mut desk, &root);
    }
    let ran = everywhere(&desk, "2026-03-09");
    for name in ["shop:memory/2026-03-09.md:", "game:memory/2026-03-09.md:"] {
        assert!(ran.out.contains(name), "{}", ran.out);
    }
    let ran = everywhere(&desk, "2026-03-01");
    assert_eq!(
        ran.err,
        "nothing found for `2026-03-01`\nhint: the nearest day with a log is 2026-03-09\n"
    );
}

#[test]
fn projects_of_one_name_are_told_apart() {
    let mut desk = Desk::new();
    for root in [beside(&desk, "work/api", SHOP), beside(&desk, "home/api", GAME)] {
        hook(&mut desk, &root);
    }
    let mut names = listed(&desk);
    names.sort();
    assert_eq!(names, ["home/api", "work/api"]);
    assert!(everywhere(&desk, "round half to even").out.starts_with("work/api:memory/"));
    let ran = run_in(&desk, &desk.beside("home"), "show work/api:memory/2026-03-09.md:2");
    assert!(ran.out.contains("half to even"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_project_that_is_left_out_stays_so_until_init() {
    let mut desk = Desk::new();
    let (shop, game) = (beside(&desk, "shop", SHOP), beside(&desk, "game", GAME));
    hook(&mut desk, &shop);
    hook(&mut desk, &game);
    assert_eq!(run_in(&desk, &game, "projects --forget shop").code, 0);
    hook(&mut desk, &shop);
    assert_eq!(listed(&desk), ["game"]);
    assert_eq!(everywhere(&desk, "round half to even").code, 1);
    let ran = run_in(&desk, &game, "projects --forget shop");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is not among the projects"), "{}", ran.err);
    run_in(&desk, &shop, "init --no-search --platform codex");
    assert_eq!(listed(&desk).len(), 2);
    // By its path, too, and its memory is as it was.
    assert_eq!(run_in(&desk, &shop, "projects --forget .").code, 0);
    assert_eq!(listed(&desk), ["game"]);
    assert_eq!(fs::read_to_string(shop.join("memory/2026-03-09.md")).unwrap(), SHOP);
    // Where a run begins is searched anyway.
    let ran = run_in(&desk, &shop, "search --everywhere round half to even");
    assert!(ran.out.starts_with("shop:memory/"), "{}", ran.out);
}

#[test]
fn what_is_gone_or_elsewhere_or_of_somebody_else_is_not_read() {
    let mut desk = Desk::new();
    let (shop, game) = (beside(&desk, "shop", SHOP), beside(&desk, "game", GAME));
    hook(&mut desk, &shop);
    hook(&mut desk, &game);
    fs::remove_dir_all(&game).unwrap();
    let ran = everywhere(&desk, "ledger");
    assert!(ran.out.contains("shop:") && !ran.out.contains("game:"), "{}", ran.out);
    assert_eq!((&*ran.err, records(&desk).len()), ("", 1));
    // A link that leads elsewhere.
    let moved = desk.beside("moved");
    fs::rename(&shop, &moved).unwrap();
    symlink(&moved, &shop).unwrap();
    let ran = everywhere(&desk, "ledger");
    assert_eq!((ran.code, &*ran.out), (1, ""));
    assert!(ran.err.contains("/shop` was not read: a link leads elsewhere"), "{}", ran.err);
    fs::remove_file(&shop).unwrap();
    fs::rename(&moved, &shop).unwrap();
    // A torn record says nothing.
    let torn = records(&desk)[0].with_file_name("00000000000000aa");
    fs::write(&torn, "/work/sho").unwrap();
    assert!(everywhere(&desk, "ledger").out.contains("shop:"));
    assert!(!torn.exists());
    if is_root() {
        chown(shop.join("memory"), Some(1), None).unwrap();
        let ran = everywhere(&desk, "ledger");
        assert_eq!((ran.code, &*ran.out), (1, ""));
        assert!(ran.err.contains("belongs to another user"), "{}", ran.err);
    }
}
