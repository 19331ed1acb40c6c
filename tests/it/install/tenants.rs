//! Tenants: a memory of their own below one project.

use crate::desk::{Desk, diff};

#[test]
fn a_tenant_has_its_own_memory_and_config() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let before = desk.tree();
    desk.ok("init --no-search --tenant acme");
    for path in [
        "WORKING.md",
        "memory/ROOT.md",
        "memory/daily",
        "knowledge",
        "plans",
        "hipocampus.config.json",
    ] {
        assert!(desk.has(&format!("tenants/acme/{path}")), "{path}");
    }
    assert!(!desk.has("tenants/acme/.claude") && !desk.has("tenants/acme/CLAUDE.md"));
    let config: serde_json::Value =
        serde_json::from_str(&desk.read("tenants/acme/hipocampus.config.json")).unwrap();
    assert_eq!((&config["tenant"], &config["platform"]), (&"acme".into(), &"claude-code".into()));
    let config: serde_json::Value =
        serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
    assert_eq!(config["tenants"], serde_json::json!(["acme"]));
    assert!(desk.read("tenants/acme/memory/ROOT.md").contains("\ntenant: acme\n---\n"));
    let with = desk.tree();
    desk.ok("init --no-search --tenant acme");
    desk.ok("update");
    assert_eq!(diff(&with, &desk.tree()), Vec::<String>::new());
    desk.ok("uninstall --tenant acme");
    // Where words of a tenant are left git is not to see them; the next update looks.
    desk.ok("update");
    let mut after = desk.tree();
    after.remove(".hipocampus/installed.json");
    let mut before = before;
    before.remove(".hipocampus/installed.json");
    assert_eq!(diff(&before, &after), Vec::<String>::new());
}

#[test]
fn a_tenants_words_stay_unless_purged() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform codex --tenant a");
    desk.write("tenants/a/memory/2026-03-15.md", "## A\n- b\n");
    desk.ok("uninstall --tenant a");
    assert!(desk.has("tenants/a/memory/2026-03-15.md") && !desk.has("tenants/a/WORKING.md"));
    desk.ok("init --no-search --tenant a");
    desk.ok("uninstall");
    assert!(
        desk.has("tenants/a/memory/2026-03-15.md") && desk.has("tenants/a/hipocampus.config.json")
    );
    desk.ok("init --no-search --platform codex --tenant b");
    desk.stdin = Some("yes\n".to_owned());
    desk.ok("uninstall --purge --tenant b");
    assert!(!desk.has("tenants/b") && desk.has("tenants/a/memory/2026-03-15.md"));
}

#[test]
fn ids_that_are_no_folder_names_are_refused() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let before = desk.tree();
    let long = "a".repeat(65);
    for id in ["..", "../x", "", "-x", "$(x)", "a/b", ".", "a b", "ä", "a\n", &long] {
        for command in ["init", "uninstall"] {
            let ran = desk.run_args(&["hipocampus", command, "--tenant", id]);
            assert_eq!(ran.code, 2, "{command} {id:?}: {}", ran.err);
            assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
        }
    }
    let ran = desk.run("uninstall --tenant nobody");
    assert_eq!(ran.code, 1);
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    desk.ok(&format!("init --no-search --tenant {}", "a".repeat(64)));
}

#[test]
fn a_tenant_in_the_config_that_is_no_id_is_left_out() {
    let desk = Desk::new();
    desk.write(
        "hipocampus.config.json",
        "{\"platform\": \"codex\", \"tenants\": [\"../evil\", \"fine\"]}",
    );
    desk.ok("update");
    assert!(!desk.beside("evil").exists() && desk.has("tenants/fine"));
}

#[test]
fn a_tenants_folder_is_no_place_to_set_up() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code --tenant acme");
    let before = desk.tree();
    let ran = desk.run("-C tenants/acme init --no-search");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("is a tenant's folder"), "{}", ran.err);
    // The hooks live in the project, and so does their upkeep.
    desk.ok("-C tenants/acme update");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn below_a_tenant_only_the_tenant_leaves() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let before = desk.tree();
    desk.ok("init --no-search --tenant acme");
    let with = desk.tree();
    desk.stdin = Some("no\n".to_owned());
    for (dir, home) in [("tenants/acme/memory", "p/tenants/acme`"), (".", "p`")] {
        let asked = desk.run(&format!("-C {dir} uninstall --purge"));
        assert_eq!(asked.code, 1);
        let home = format!("{}/{home}", desk.beside("").canonicalize().unwrap().display());
        assert!(asked.err.contains(&home), "{home}: {}", asked.err);
    }
    assert_eq!(diff(&with, &desk.tree()), Vec::<String>::new());
    desk.ok("-C tenants/acme/memory uninstall");
    desk.ok("update");
    let ledger = ".hipocampus/installed.json";
    let bare = |mut tree: std::collections::BTreeMap<String, String>| {
        tree.remove(ledger);
        tree
    };
    assert_eq!(diff(&bare(before), &bare(desk.tree())), Vec::<String>::new());
}

#[test]
fn ids_that_one_folder_could_have_both_are_refused() {
    let desk = Desk::new();
    desk.ok("init --no-search --tenant acme");
    let before = desk.tree();
    let ran = desk.run("init --no-search --tenant Acme");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("there is a tenant `acme`"), "{}", ran.err);
    assert_eq!(desk.tree(), before);
}
