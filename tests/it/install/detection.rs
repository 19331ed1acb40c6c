//! Whom a project is set up for, and by what name the clients call the program.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use hipocampus::internals::ALL;

use crate::desk::{Desk, PROGRAM, diff};

#[test]
fn the_flag_wins_then_the_config_then_what_lies_there() {
    let desk = Desk::new();
    std::fs::create_dir(desk.root().join(".codex")).unwrap();
    std::fs::create_dir(desk.root().join(".opencode")).unwrap();
    let ran = desk.ok("init --no-search");
    assert!(ran.out.starts_with("  ~ platforms: codex, opencode\n"), "{}", ran.out);
    assert!(ran.err.contains("several agents are at home here: codex, opencode"), "{}", ran.err);
    let ran = desk.ok("init --no-search");
    let same = ran.out.starts_with("  ~ platforms: codex, opencode\n");
    assert!(same && ran.err.is_empty(), "{}", ran.err);
    let ran = desk.ok("init --no-search --platform claude-code");
    assert!(ran.out.starts_with("  ~ platforms: codex, opencode, claude-code\n"), "{}", ran.out);
    let config: serde_json::Value =
        serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
    assert_eq!(config["platform"], "codex");
    assert_eq!(config["platforms"], serde_json::json!(["codex", "opencode", "claude-code"]));
    assert_eq!(config["search"]["enabled"], false);
}

#[test]
fn the_flag_takes_several_with_commas_and_one_by_one() {
    let at_once = Desk::new();
    at_once.ok("init --no-search --platform claude-code,codex --platform cursor");
    let one_by_one = Desk::new();
    for id in ["claude-code", "codex", "cursor"] {
        one_by_one.ok(&format!("init --no-search --platform {id}"));
    }
    for desk in [&at_once, &one_by_one] {
        let config: serde_json::Value =
            serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
        assert_eq!(config["platforms"], serde_json::json!(["claude-code", "codex", "cursor"]));
        for path in ["CLAUDE.md", "AGENTS.md", ".claude/settings.local.json", ".codex/hooks.json"] {
            assert!(desk.has(path), "{path}");
        }
    }
    assert_eq!(Desk::new().run("init --platform codex,vim").code, 2);
}

#[test]
fn a_file_that_several_agents_read_has_one_section_until_the_last_of_them_goes() {
    let readers = ["codex", "opencode", "qwen", "droid", "cursor"];
    let desk = crate::stores::desk(&readers.join(","));
    let sections =
        |desk: &Desk| desk.read("AGENTS.md").matches("hipocampus:protocol:start").count();
    assert_eq!(sections(&desk), 1);
    let skills = ".agents/skills/hipocampus-core/SKILL.md";
    // Of Codex and Cursor, which share them.
    assert!(desk.has(skills));
    for (at, id) in readers.iter().enumerate() {
        let status = desk.ok("status --json").out;
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let agents = status["agents"].as_array().unwrap();
        assert_eq!(agents.len(), readers.len() - at, "{status}");
        assert!(agents.iter().all(|agent| agent["in_place"] == true), "{id}: {status}");
        if at + 1 == readers.len() {
            break;
        }
        let mut config: serde_json::Value =
            serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
        config["platforms"] = readers[at + 1..].into();
        desk.write("hipocampus.config.json", config.to_string());
        desk.ok("update");
        assert_eq!(sections(&desk), 1, "{id}");
        assert!(desk.has(skills), "{id}");
        let row = ALL.iter().find(|row| row.id == *id).unwrap();
        for file in row.hooks.iter().map(|hooks| hooks.file).chain(row.files.iter().map(|it| it.0))
        {
            assert!(!desk.has(file), "{id}: {file}");
        }
    }
    desk.ok("uninstall");
    assert!(desk.tree().is_empty(), "{:?}", desk.tree().keys());
}

#[test]
fn a_file_that_was_there_empty_stays_when_no_agent_needs_it_any_more() {
    let desk = Desk::new();
    desk.write(".cursor/hooks.json", "{}");
    let before = desk.tree();
    desk.ok("init --no-search --platform cursor");
    desk.ok("init --no-search --platform claude-code");
    assert_eq!(desk.read(".cursor/hooks.json"), "{}");
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn npm_took_any_agents_md_for_openclaws() {
    let desk = Desk::new();
    desk.write("AGENTS.md", "# Agents\n");
    let ran = desk.ok("init --no-search");
    assert!(ran.err.contains("taking claude-code"), "{}", ran.err);
    assert_eq!(desk.read("AGENTS.md"), "# Agents\n");
}

#[test]
fn a_platform_that_there_is_not_is_named() {
    let desk = Desk::new();
    assert_eq!(desk.run("init --platform vim").code, 2);
    desk.write("hipocampus.config.json", "{\"platform\": \"vim\"}");
    let before = desk.tree();
    let ran = desk.run("update");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("claude-code, codex, opencode, openclaw"), "{}", ran.err);
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn every_platform_gets_what_its_row_says() {
    for row in ALL {
        let desk = Desk::new();
        let ran = desk.ok(&format!("init --no-search --platform {}", row.id));
        for path in [
            row.protocol_file,
            "SCRATCHPAD.md",
            "memory/ROOT.md",
            "memory/agents/flush",
            ".gitignore",
        ] {
            assert!(desk.has(path), "{}: {path}", row.id);
        }
        for skill in hipocampus::internals::SKILLS {
            assert!(desk.has(&row.skill_path(skill)), "{}: {skill}", row.id);
        }
        for (path, _) in row.files {
            assert!(desk.has(path), "{}: {path}", row.id);
        }
        assert_eq!(desk.has("MEMORY.md"), row.seeds.contains(&"MEMORY.md"));
        for step in row.next_steps {
            let root = desk.root();
            let plugin = format!("\"{}/.hipocampus/openclaw-plugin\"", root.display());
            let step =
                step.replace("{project}", root.to_str().unwrap()).replace("{plugin}", &plugin);
            assert!(ran.out.contains(&step), "{}", ran.out);
        }
        // Twice is once.
        let before = desk.tree();
        desk.ok("init --no-search");
        desk.ok("update");
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
        assert!(desk.read("memory/ROOT.md").contains("last-updated: 2026-03-15"));
    }
}

#[test]
fn npm_knew_opencode_json_as_strict_json_only() {
    let desk = Desk::new();
    desk.write(".opencode/opencode.jsonc", "{\n  // mine\n  \"model\": \"x\",\n}\n");
    desk.ok("init --no-search");
    assert!(!desk.has("opencode.json"));
    let text = desk.read(".opencode/opencode.jsonc");
    assert!(
        text.starts_with(
            "{\n  // mine\n  \"model\": \"x\",\n  \"instructions\": [\n    \"memory/ROOT.md\",\n"
        ),
        "{text}"
    );
    assert!(!text.contains("plugin"));
    assert!(
        desk.read(".opencode/plugins/hipocampus.js")
            .contains("const PROGRAM = \"/opt/hipo campus/bin/hipocampus\";")
    );
}

#[test]
fn skills_are_not_written_where_another_client_of_the_project_has_them() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    assert!(desk.has(".opencode/skills/hipocampus-core/SKILL.md"));
    desk.ok("init --no-search --platform codex");
    assert!(!desk.has(".opencode/skills"), "{:?}", desk.tree().keys());
    assert!(desk.has(".agents/skills/hipocampus-core/SKILL.md"));
    assert!(desk.has(".opencode/plugins/hipocampus.js"));
    desk.ok("uninstall");
    assert!(desk.tree().is_empty(), "{:?}", desk.tree().keys());
}

#[test]
fn one_file_behind_two_names_gets_one_block() {
    let desk = Desk::new();
    desk.write("AGENTS.md", "# mine\n");
    symlink("AGENTS.md", desk.root().join("CLAUDE.md")).unwrap();
    std::fs::create_dir_all(desk.root().join(".agents/skills")).unwrap();
    std::fs::create_dir_all(desk.root().join(".claude")).unwrap();
    symlink("../.agents/skills", desk.root().join(".claude/skills")).unwrap();
    let before = desk.tree();
    desk.ok("init --no-search --platform claude-code");
    desk.ok("init --no-search --platform codex");
    let text = desk.read("AGENTS.md");
    assert_eq!(text.matches("hipocampus:protocol:start").count(), 1);
    assert!(
        text.contains("@memory/ROOT.md\n") && text.contains("that you do not see in your context")
    );
    assert!(desk.root().join("CLAUDE.md").is_symlink());
    let once = desk.tree();
    desk.ok("update");
    assert_eq!(diff(&once, &desk.tree()), Vec::<String>::new());
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn npm_called_npx_in_every_hook() {
    let mut desk = Desk::new();
    let real = desk.beside("cellar/0.6.0/hipocampus");
    std::fs::create_dir_all(real.parent().unwrap()).unwrap();
    std::fs::write(&real, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o755)).unwrap();
    let [modules, bin, other] = ["node_modules/.bin", "bin", "other"].map(|name| desk.beside(name));
    for folder in [&modules, &bin, &other] {
        std::fs::create_dir_all(folder).unwrap();
    }
    symlink(&real, modules.join("hipocampus")).unwrap();
    symlink(&real, bin.join("hipocampus")).unwrap();
    std::fs::write(other.join("hipocampus"), "#!/bin/sh\n# another program\n").unwrap();
    std::fs::set_permissions(other.join("hipocampus"), std::fs::Permissions::from_mode(0o755))
        .unwrap();
    desk.path = format!("bin:{}:{}:{}", modules.display(), other.display(), bin.display());
    desk.exe = real;
    desk.ok("init --no-search --platform claude-code");
    let expect = format!("\"\\\"{}/hipocampus\\\" compact --stdin\"", bin.display());
    assert!(
        desk.read(".claude/settings.local.json").contains(&expect),
        "{}",
        desk.read(".claude/settings.local.json")
    );
    // It moved: the hooks follow, in place.
    desk.path = String::new();
    desk.exe = PROGRAM.into();
    let before = desk.read(".claude/settings.local.json");
    desk.ok("update");
    let after = desk.read(".claude/settings.local.json");
    assert_eq!(after, before.replace(bin.join("hipocampus").to_str().unwrap(), PROGRAM));
}

#[test]
fn a_plugin_that_does_the_same_work_is_named() {
    let desk = Desk::new();
    desk.write(
        ".claude/settings.json",
        "{\"enabledPlugins\": {\"hipocampus@some-market\": true, \"other@x\": true}}",
    );
    let ran = desk.ok("init --no-search");
    assert!(
        ran.out.contains("remove it with `claude plugin uninstall hipocampus@some-market`"),
        "{}",
        ran.out
    );
}

/// A folder of programs for the `PATH`.
fn programs(desk: &Desk, names: &[&str]) -> String {
    let folder = desk.beside("programs");
    std::fs::create_dir_all(&folder).unwrap();
    for name in names {
        std::fs::write(folder.join(name), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    folder.display().to_string()
}

#[test]
fn hints_are_asked_about_at_a_terminal_and_named_elsewhere() {
    let hinted = || {
        let mut desk = Desk::new();
        desk.write("AGENTS.md", "# Agents\n");
        desk.path = programs(&desk, &["codex"]);
        desk
    };
    let desk = hinted();
    let ran = desk.ok("init --no-search");
    let told = "there are hints: codex (`AGENTS.md`, `codex` on your PATH), opencode (`AGENTS.md`); taking claude-code, use `--platform` for another";
    assert!(ran.err.contains(told), "{}", ran.err);
    for (answer, id) in [
        ("\n", ": codex"),
        ("opencode\n", ": opencode"),
        ("99\n2\n", ": opencode"),
        ("2, codex\n", "s: opencode, codex"),
    ] {
        let mut desk = hinted();
        (desk.at_terminal, desk.stdin) = (true, Some(answer.to_owned()));
        let ran = desk.ok("init --no-search");
        let first = ran.err.lines().find(|line| line.starts_with("   1  Codex "));
        let hints = first.map(|line| line.trim_start_matches("   1  Codex").trim_start());
        assert_eq!(hints, Some("`AGENTS.md`, `codex` on your PATH"), "{}", ran.err);
        assert!(ran.out.starts_with(&format!("  ~ platform{id}\n")), "{answer:?}: {}", ran.out);
        assert_eq!(ran.err.contains("not one of these: 99"), answer.starts_with("99"));
    }
    // Nobody answers, or nothing that is an answer: nothing is taken for granted.
    for answer in ["", "x\ny\nz\n"] {
        let mut desk = hinted();
        (desk.at_terminal, desk.stdin) = (true, Some(answer.to_owned()));
        let before = desk.tree();
        let ran = desk.run("init --no-search");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("name it with `--platform`"), "{}", ran.err);
        assert_eq!(desk.tree(), before);
    }
    // What the project itself says is asked nobody about.
    let mut desk = hinted();
    std::fs::create_dir(desk.root().join(".claude")).unwrap();
    desk.at_terminal = true;
    assert!(desk.ok("init --no-search").out.starts_with("  ~ platform: claude-code\n"));
}

#[test]
fn agents_that_had_sessions_here_are_taken_where_nothing_else_tells() {
    let desk = Desk::new();
    let root = desk.root().canonicalize().unwrap();
    let said = [crate::stores::prompt("s", &root, "09:00", "say the zone")];
    crate::stores::write(&crate::stores::claude(&desk, &root, "s"), &crate::stores::lines(&said));
    crate::stores::codex_rollout(&desk, &root, "7e35df48-662c-4f0b-982a-a4d15b73fc63", &[]);
    let ran = desk.ok("init --no-search");
    assert!(ran.out.starts_with("  ~ platforms: claude-code, codex\n"), "{}", ran.out);
    assert!(ran.err.contains("taking claude-code, codex, which had sessions here"), "{}", ran.err);
}
