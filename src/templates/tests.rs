#![expect(
    clippy::disallowed_methods,
    reason = "reads the folder of templates, runs `node --check`"
)]

use std::collections::BTreeSet;
use std::process::Command;

use super::*;
use crate::memory::tokens::count;
use crate::platform::{ALL, SKILLS, real};

/// Each agent alone, every two of them, and all.
fn sets() -> Vec<Vec<&'static Platform>> {
    let of_two = |at: usize| ALL[at + 1..].iter().map(move |row| vec![ALL[at], *row]);
    let alone = ALL.iter().map(|row| vec![*row]);
    alone.chain((0..ALL.len()).flat_map(of_two)).chain([ALL.to_vec()]).collect()
}

fn render(name: &str, platforms: &[&'static Platform]) -> String {
    let program = "/opt/a \"b\"/hipocampus";
    let reader = TemplateContext {
        platforms: platforms.to_vec(),
        program,
        today: "2026-03-15",
        tenant: None,
        private: None,
    };
    super::render(name, &reader)
}

/// The templates with an ending.
fn files(ending: &'static str) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let has = move |name: &str| name.rsplit('.').next() == Some(ending);
    FILES.iter().filter(move |(name, _)| has(name))
}

#[test]
fn the_protocol_and_every_skill_stay_small() {
    for set in sets() {
        let ids: Vec<_> = set.iter().map(|row| row.id).collect();
        let protocol = count(&render("protocol.md", &set));
        assert!(protocol <= 350, "protocol for {ids:?}: {protocol}");
        let size = |skill: &str| count(&render(&format!("skills/{skill}.md"), &set));
        for skill in SKILLS {
            assert!(size(skill) < 900, "{skill} for {ids:?}: {}", size(skill));
        }
        let finding = size("recall") + size("search");
        assert!(finding <= 600, "recall and search for {ids:?}: {finding}");
        let all: u32 = SKILLS.iter().map(|skill| size(skill)).sum();
        assert!(all <= 2400, "all skills for {ids:?}: {all}");
    }
}

#[test]
fn the_sizes_in_the_spec_are_true() {
    let spec = include_str!("../../spec/checkpoint.md");
    let table = spec.split("## Size of what is loaded").nth(1).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows[0][1], "section");
    assert_eq!(rows[0][2..], SKILLS);
    let rows = &rows[1..];
    assert_eq!(rows.len(), real().count());
    for (row, platform) in rows.iter().zip(real()) {
        assert_eq!(row[0], platform.name);
        let mut sizes = vec![count(&render("protocol.md", &[platform]))];
        for skill in SKILLS {
            sizes.push(count(&render(&format!("skills/{skill}.md"), &[platform])));
        }
        let told: Vec<u32> = row[1..].iter().map(|size| size.parse().unwrap()).collect();
        assert_eq!(told, sizes, "{}", platform.name);
    }
}

#[test]
fn every_file_in_the_folder_is_embedded() {
    fn walk(folder: &std::path::Path, names: &mut BTreeSet<String>, root: &std::path::Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, names, root);
            } else {
                names.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut there = BTreeSet::new();
    walk(&root, &mut there, &root);
    let embedded: BTreeSet<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, embedded);
    let used = real().flat_map(|row| row.files).map(|(_, template)| *template);
    assert!(used.clone().all(|name| embedded.contains(name)), "{:?}", used.collect::<Vec<_>>());
}

#[test]
fn nothing_is_left_unrendered() {
    for set in sets() {
        for (name, _) in FILES {
            let text = render(name, &set);
            assert!(!text.contains("{%") && !text.contains("{{"), "{name}: {text}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}: {text:?}");
            assert!(!text.contains("\n\n\n"), "{name}: {text}");
        }
    }
}

/// A name without a value would count as false in an `if`, and only there.
#[test]
fn every_name_in_a_template_has_a_value() {
    let values = serde_json::to_value(Values::of(&TemplateContext::default())).unwrap();
    for (name, _) in FILES {
        for used in TEMPLATES.get_template_variables(name).unwrap() {
            assert!(values.get(used).is_some(), "{name}: {used}");
        }
    }
}

/// What is outside of tags arrives byte for byte: no entities, no line end more or less.
#[test]
fn a_template_without_tags_is_its_own_rendering() {
    let mut seen = 0;
    for (name, text) in
        FILES.iter().filter(|(_, text)| !text.contains("{%") && !text.contains("{{"))
    {
        for set in sets() {
            assert_eq!(render(name, &set), *text, "{name}");
        }
        seen += 1;
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn tags_leave_no_line_of_their_own() {
    #[track_caller]
    fn check(ids: &[&str], name: &str, expect: &str) {
        let rows: Vec<_> = ids.iter().map(|id| crate::platform::by_id(id).unwrap()).collect();
        let text = render(name, &rows);
        assert!(text.contains(expect), "{name} for {ids:?}: {text}");
    }
    check(&["claude-code"], "protocol.md", "this section.\n\n@memory/ROOT.md\n");
    check(&["claude-code"], "seeds/ROOT.md", "\nlast-updated: 2026-03-15\n---\n");
    check(&["codex"], "skills/core.md", "\n## Tasks\n\n- Note a task you start");
    check(&["codex"], "skills/core.md", "decisions to SCRATCHPAD.md.\n\n## Checkpoint\n");
    check(&["openclaw"], "skills/core.md", "TASK-QUEUE.md, MEMORY.md, USER.md | in context");
    check(&["openclaw"], "skills/core.md", "at once.\n- Lasting facts: append to MEMORY.md");
    check(&["openclaw"], "skills/core.md", "the user: USER.md.\n\n## Checkpoint\n");
    let program = r#"const PROGRAM = "/opt/a \"b\"/hipocampus";"#;
    for name in ["opencode/hipocampus.js", "openclaw/hook/handler.js", "openclaw/plugin/index.js"] {
        check(&["openclaw", "opencode"], name, program);
    }
    let tenant =
        TemplateContext { tenant: Some("acme"), today: "2026-03-15", ..Default::default() };
    let root = super::render("seeds/ROOT.md", &tenant);
    assert!(root.contains("\nlast-updated: 2026-03-15\ntenant: acme\n---\n"), "{root}");
}

#[test]
fn the_protocol_says_how_the_hot_files_arrive() {
    #[track_caller]
    fn check(ids: &[&str], imports: bool) {
        let rows: Vec<_> = ids.iter().map(|id| crate::platform::by_id(id).unwrap()).collect();
        let text = render("protocol.md", &rows);
        assert_eq!(
            text.contains("\n@memory/ROOT.md\n@SCRATCHPAD.md\n@WORKING.md\n@TASK-QUEUE.md\n"),
            imports
        );
        // Clients that load them do not everywhere: Claude Code drops imports below the project.
        assert!(text.contains("read those of the four that you do not see"), "{text}");
        assert!(!text.contains("```"), "a fence could pair with one of the user's");
    }
    check(&["claude-code"], true);
    check(&["opencode"], false);
    check(&["codex"], false);
    check(&["codex", "opencode"], false);
    check(&["claude-code", "codex"], true);
}

#[test]
fn skills_have_the_head_that_every_client_wants() {
    for skill in SKILLS {
        let text = render(&format!("skills/{skill}.md"), ALL);
        let head = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
        let head: serde_yaml::Value = serde_yaml::from_str(head).unwrap();
        assert_eq!(head["name"].as_str().unwrap(), format!("hipocampus-{skill}"));
        let description = head["description"].as_str().unwrap();
        assert!((40..500).contains(&description.len()), "{skill}");
    }
}

#[test]
fn each_file_is_valid_in_its_own_language() {
    for (name, _) in files("json") {
        let value: serde_json::Value = serde_json::from_str(&render(name, ALL)).unwrap();
        assert_eq!(value["version"], env!("CARGO_PKG_VERSION"), "{name}");
    }
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, _) in files("js") {
        // As a module: `.js` alone would be judged by the nearest package.json.
        let path = folder.path().join("x.mjs");
        std::fs::write(&path, render(name, ALL)).unwrap();
        let checked = Command::new("node").arg("--check").arg(&path).output().unwrap();
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}
