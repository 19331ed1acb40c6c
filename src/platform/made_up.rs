//! A client that does not exist: this row and the templates in `tests/fixtures/made-up` are all that `init`, `status`,
//! `update` and `uninstall` need of a fifth one. To read its sessions takes a [`Store`](super::Store), too.

use super::{ContextField, HookEvent, HookShape, Hooks, Loads, MemoryFile, Platform, Signs};

pub(super) const ROW: Platform = Platform {
    id: "made-up",
    name: "Made Up",
    evidence: &[".madeup"],
    hints: &["MADEUP.md"],
    program: "madeup",
    resume: &["madeup", "--again", "{session}"],
    home: None,
    protocol_file: "MADEUP.md",
    loads: Loads::OnRequest,
    memory_file: MemoryFile::Unknown,
    start_brings_root: false,
    asks_on_compact: false,
    has_plugins: false,
    store: None,
    transcripts: Some("madeup-"),
    sets: Some("MADEUP_PROJECT"),
    moved_by: None,
    signs: Signs::NONE,
    context: ContextField::Nested,
    reads_files_of: None,
    lends_hooks: None,
    skills_dir: ".madeup/skills",
    reads_skills_of: &[],
    seeds: &[],
    hooks: Some(Hooks {
        file: ".madeup/hooks.json",
        shape: HookShape::Grouped,
        may_be_shared: false,
        was: &[],
        milliseconds: false,
        events: &[HookEvent::save("BeforeMadeUpEnd", 20)],
    }),
    files: &[(".madeup/plugin.js", "made-up/plugin.js"), (".madeup/notes.md", "made-up/notes.md")],
    personal: None,
    next_steps: &["Made Up: restart it"],
    steps_beside: &[],
    skill_sign: None,
    calls_after: "restart it",
    tenants_lack: None,
    last_steps: &[],
};

mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use crate::capture::hook_input::HookInput;
    use crate::error::Exit;
    use crate::hooks::caller::caller;
    use crate::world::{World, Written};

    /// What a run in a folder printed.
    fn hipocampus<const N: usize>(root: &Path, args: [&str; N]) -> String {
        let (out, err) = (Written::default(), Written::default());
        let mut world = World {
            cwd: root.to_owned(),
            exe: Some(root.join("bin/hipocampus")),
            out: Box::new(out.clone()),
            err: Box::new(err.clone()),
            ..World::for_tests()
        };
        world.env.insert("HOME".into(), root.join("home").into_os_string());
        let args: Vec<_> = ["hipocampus"].iter().chain(&args).map(OsString::from).collect();
        let exit = crate::run(&args, &mut world);
        assert_eq!(exit, Exit::Done, "{args:?}: {}", err.text());
        out.text()
    }

    fn files(folder: &Path) -> BTreeMap<String, String> {
        let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        let named = |entry: walkdir::DirEntry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(entry.path()).unwrap())
        };
        files.map(named).collect()
    }

    #[test]
    fn a_row_and_a_folder_of_templates_are_a_whole_client() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join(".madeup")).unwrap();
        fs::write(root.join("MADEUP.md"), "My own words.\n").unwrap();
        fs::create_dir(root.join("bin")).unwrap();
        fs::write(root.join("bin/hipocampus"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(root.join("bin/hipocampus"), fs::Permissions::from_mode(0o755))
            .unwrap();
        let before = files(&root);

        let said = hipocampus(&root, ["init"]);
        assert!(said.contains("Made Up") && said.contains("next: Made Up: restart it"), "{said}");
        let there = files(&root);
        assert!(there["hipocampus.config.json"].contains("\"made-up\""));
        assert!(there["MADEUP.md"].contains("My own words.\n"));
        assert!(there["MADEUP.md"].contains("memory/ROOT.md"));
        assert!(there[".madeup/hooks.json"].contains("BeforeMadeUpEnd"));
        assert!(there[".madeup/plugin.js"].contains("const program = \""));
        assert!(there[".madeup/notes.md"].contains("before you answer"));
        for skill in crate::platform::SKILLS {
            assert!(there.contains_key(&format!(".madeup/skills/hipocampus-{skill}/SKILL.md")));
        }

        let said = hipocampus(&root, ["status", "--json"]);
        let status: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(
            (&status["agents"][0]["platform"], &status["agents"][0]["in_place"]),
            (&"made-up".into(), &true.into()),
            "{said}"
        );

        fs::write(root.join(".madeup/plugin.js"), "// old\n").unwrap();
        hipocampus(&root, ["update"]);
        assert_eq!(files(&root)[".madeup/plugin.js"], there[".madeup/plugin.js"]);

        hipocampus(&root, ["uninstall"]);
        let mut after = files(&root);
        // The memory stays, and so does the copy of what was edited.
        after.retain(|name, _| before.contains_key(name) || name.starts_with(".madeup/skills"));
        assert_eq!(after, before);
    }

    #[test]
    fn its_calls_are_told_apart_from_others() {
        let mut world = World::for_tests();
        let check = |world: &World, event: &str, path: Option<&str>, expect: Option<&str>| {
            let hook = HookInput {
                event: event.to_owned(),
                transcript_path: path.map(str::to_owned),
                ..HookInput::default()
            };
            assert_eq!(caller(&hook, world, &[]).id(), expect);
        };
        check(&world, "BeforeMadeUpEnd", None, Some("made-up"));
        check(&world, "Stop", Some("/h/madeup-1.jsonl"), Some("made-up"));
        check(&world, "Stop", Some("/h/other.jsonl"), Some("claude-code"));
        world.env.insert("MADEUP_PROJECT".into(), "/p".into());
        check(&world, "PreCompact", None, Some("made-up"));
    }
}
