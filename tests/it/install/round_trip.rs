//! Init, then uninstall, gives back identical bytes, whatever the user's files look like.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use hipocampus::internals::ALL;
use hipocampus::internals::PROTOCOL;
use hipocampus::internals::body;
use proptest::prelude::*;

use crate::desk::{Desk, diff};

const START: &str = "<!-- hipocampus:protocol:start -->";
const END: &str = "<!-- hipocampus:protocol:end -->";

/// How a text is laid out: BOM, line ending, indentation, last newline.
#[derive(Debug, Clone)]
struct Layout {
    bom: bool,
    crlf: bool,
    indent: &'static str,
    newline: bool,
}

fn layout() -> impl Strategy<Value = Layout> {
    let indent = prop::sample::select(vec!["  ", "    ", "\t", " "]);
    (any::<bool>(), any::<bool>(), indent, any::<bool>())
        .prop_map(|(bom, crlf, indent, newline)| Layout { bom, crlf, indent, newline })
}

impl Layout {
    /// `text` has lines that end in `\n`, indented by `~` signs.
    fn apply(&self, text: &str) -> String {
        let mut text = text.replace('~', self.indent);
        if !self.newline {
            text.truncate(text.trim_end().len());
        }
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        format!("{}{text}", if self.bom { "\u{feff}" } else { "" })
    }
}

fn pick(options: &[&str]) -> impl Strategy<Value = String> + Clone {
    prop::sample::select(options.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
}

/// A file of hooks of the user that has no groups.
fn flat_hooks_file() -> impl Strategy<Value = String> {
    pick(&[
        "{}",
        "{\n~\"version\": 1,\n~\"hooks\": {}\n}\n",
        "{\n~\"version\": 1, // theirs\n~\"hooks\": {\n~~\"stop\": [\n~~~{\"command\": \"./mine.sh\"}, // mine\n~~]\n~}\n}\n",
        "{\"hooks\":{\"sessionStart\":[{\"command\":\"/home/me/hipocampus/notify.sh compact\",\"timeout\":1.0}],\"stop\":[]}}",
        "{\n~\"version\": 1,\n~\"hooks\": {\"preCompact\": [ ], \"stop\": [{\"type\": \"prompt\", \"prompt\": \"x\"}]},\n}\n",
    ])
}

/// A hooks file of the user. `{E}` events get groups of the user.
fn hooks_file() -> impl Strategy<Value = String> {
    let group = pick(&[
        r#"{"hooks": [{"type": "command", "command": "/home/me/hipocampus/notify.sh compact", "timeout": 1.0}]}"#,
        r#"{ "matcher": "auto", "hooks": [ { "type": "command", "command": "say done" } ] }"#,
        r#"{"hooks":[{"type":"command","command":"/opt/hipocampus-tools/run compact --stdin"},{"type":"command","command":"b"}]}"#,
        r#"{"hooks": []}"#,
    ]);
    let groups = prop_oneof![
        Just("[]".to_owned()),
        Just("[ ]".to_owned()),
        group.clone().prop_map(|group| format!("[{group}]")),
        group.clone().prop_map(|group| format!("[\n~~~{group}, // mine\n~~]")),
        (group.clone(), group).prop_map(|(a, b)| format!("[\n~~~{a},\n~~~{b},\n~~]")),
    ];
    let event = pick(&[
        "PreCompact",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "TaskCompleted",
        "Notification",
    ]);
    let events = prop::collection::btree_map(event, groups, 0..3);
    let hooks = events.prop_flat_map(|events| {
        let parts: Vec<_> =
            events.iter().map(|(name, groups)| format!("\"{name}\": {groups}")).collect();
        let lines = parts.iter().map(|part| format!("~~{part}")).collect::<Vec<_>>().join(",\n");
        let spread = if parts.is_empty() { "{}".to_owned() } else { format!("{{\n{lines}\n~}}") };
        prop_oneof![Just(format!("{{{}}}", parts.join(", "))), Just(spread), Just("{ }".to_owned())]
    });
    let member = prop_oneof![
        pick(&[
            "\"model\": \"opus\"",
            "\"n\": 12345678901234567890",
            "\"f\": 1.0",
            "\"e\": 1e400",
            "\"s\": \"a \\u00e9 // no comment\"",
            "\"permissions\": { \"allow\": [ \"Bash(ls:*)\" ] } // mine",
            "/* before */ \"x\": null",
        ]),
        hooks.prop_map(|hooks| format!("\"hooks\": {hooks}")),
    ];
    let members = prop::collection::vec(member, 0..4).prop_map(|members| {
        let mut seen = std::collections::BTreeSet::new();
        let name = |member: &String| member.split('"').nth(1).unwrap_or_default().to_owned();
        members.into_iter().filter(|member| seen.insert(name(member))).collect::<Vec<_>>()
    });
    let spread = (members, any::<bool>()).prop_map(|(members, trailing)| {
        let mut text = "{\n".to_owned();
        for (index, member) in members.iter().enumerate() {
            let comma = if index + 1 < members.len() || trailing { "," } else { "" };
            let (value, comment) = member
                .strip_suffix(" // mine")
                .map_or((member.as_str(), ""), |value| (value, " // mine"));
            text.extend(["~", value, comma, comment, "\n"]);
        }
        text + "}\n"
    });
    prop_oneof![
        8 => spread,
        1 => pick(&["{}", "{ }", "{\n}\n", "", " \n", "{ // only this\n}", "{\"hooks\":{}}", "{\"model\":\"opus\",\"hooks\":{\"Stop\":[]}}", "{\"hooks\": {\"PreCompact\": [ // c\n]}}"]),
    ]
}

fn instructions_file() -> impl Strategy<Value = String> {
    pick(&[
        "{}",
        "{\n~\"model\": \"x\"\n}\n",
        "{\n~\"instructions\": [\"docs/*.md\"], // mine\n~\"n\": 1.0,\n}\n",
        "{\n~\"instructions\": [\n~~\"WORKING.md\",\n~~\"mine.md\"\n~]\n}\n",
        "{\"instructions\": []}\n",
        "{\"instructions\":[ /* none */ ],\"plugin\":[\"./mine.js\"]}",
    ])
}

fn markdown() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => pick(&["# Title\n", "text\n", "\n", "- item\n", "@WORKING.md\n", "@memory/ROOT.md\n", "한국어 🙂\n", "---\n"]),
        1 => Just(format!("the line `{START}` is quoted\n")),
        1 => Just(format!("```\n{START}\nx\n{END}\n```\n")),
        1 => Just(format!("{START}\n")),
        1 => pick(&["```\n", "~~~\n", "## Hipocampus\n", "## Compaction Root (mine)\n"]),
    ];
    (any::<bool>(), prop::collection::vec(line, 0..7))
        .prop_map(|(head, lines)| {
            let head = if head { "---\ntitle: x\n---\n" } else { "" };
            format!("{head}{}", lines.concat())
        })
        // A whole block outside of code is ours, whoever put it there.
        .prop_filter("no block of ours", |text| {
            // `~` stands for an indent here, so that it fences nothing off once the text is laid out.
            body(text.replace('~', " ").as_bytes(), PROTOCOL).is_none()
        })
}

fn ignore_file() -> impl Strategy<Value = String> {
    let line =
        pick(&["node_modules/\n", "\n", "memory/\n", "/memory/\n", "# hipocampus\n", "*.log\n"]);
    prop::collection::vec(line, 0..5).prop_map(|lines| lines.concat())
}

/// A file of the user, and how it lies there.
type File = (Option<(String, Layout)>, bool, bool);

fn file(text: impl Strategy<Value = String>) -> impl Strategy<Value = File> {
    (prop::option::weighted(0.7, (text, layout())), any::<bool>(), prop::bool::weighted(0.2))
}

fn lay_out(desk: &Desk, path: &str, (text, private, linked): &File) {
    let Some((text, layout)) = text else { return };
    desk.write(path, layout.apply(text));
    let full = desk.root().join(path);
    if *linked {
        let target = desk.beside("home").join(path.replace('/', "_"));
        std::fs::rename(&full, &target).unwrap();
        symlink(&target, &full).unwrap();
    }
    if *private {
        std::fs::set_permissions(&full, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn in_and_out_is_the_same(
        settings in file(hooks_file()),
        shared in file(hooks_file()),
        hooks in file(hooks_file()),
        cursor in file(flat_hooks_file()),
        opencode in file(instructions_file()),
        claude in file(markdown()),
        agents in file(markdown()),
        memory in file(markdown()),
        ignore in file(ignore_file()),
        jsonc in any::<bool>(),
        at_once in any::<bool>(),
        platforms in prop::sample::subsequence(ALL.to_vec(), 1..=ALL.len()).prop_shuffle(),
    ) {
        let desk = Desk::new();
        lay_out(&desk, ".claude/settings.local.json", &settings);
        lay_out(&desk, ".claude/settings.json", &shared);
        lay_out(&desk, ".codex/hooks.json", &hooks);
        lay_out(&desk, ".cursor/hooks.json", &cursor);
        lay_out(&desk, if jsonc { "opencode.jsonc" } else { "opencode.json" }, &opencode);
        lay_out(&desk, "CLAUDE.md", &claude);
        lay_out(&desk, "AGENTS.md", &agents);
        lay_out(&desk, "MEMORY.md", &memory);
        lay_out(&desk, ".gitignore", &ignore);
        std::fs::create_dir_all(desk.beside("home/.local/state")).unwrap();
        let before = (desk.tree(), crate::desk::tree(&desk.beside("home")));
        let ids: Vec<&str> = platforms.iter().map(|row| row.id).collect();
        let calls = if at_once { vec![ids.join(",")] } else { ids.iter().map(|&id| id.to_owned()).collect() };
        for ids in calls {
            desk.ok(&format!("init --no-search --platform {ids}"));
        }
        let installed = desk.tree();
        desk.ok("init --no-search");
        desk.ok("update");
        prop_assert_eq!(diff(&installed, &desk.tree()), Vec::<String>::new(), "not idempotent");
        desk.ok("uninstall");
        prop_assert_eq!(diff(&before.0, &desk.tree()), Vec::<String>::new());
        prop_assert_eq!(diff(&before.1, &crate::desk::tree(&desk.beside("home"))), Vec::<String>::new());
    }

    /// Without the copies of the originals, what the text alone tells is enough for all but the white
    /// space inside empty brackets.
    #[test]
    fn what_the_user_changed_meanwhile_stays_changed(
        settings in (hooks_file(), layout()),
        claude in (markdown(), layout()),
        ignore in (ignore_file(), layout()),
    ) {
        let desk = Desk::new();
        let [settings, claude, ignore] =
            [settings, claude, ignore].map(|(text, layout)| layout.apply(&text));
        let settings = settings.replace("\"f\": 1.0", "\"f\": \"opus\"");
        desk.write(".claude/settings.local.json", &settings);
        desk.write("CLAUDE.md", &claude);
        desk.write(".gitignore", &ignore);
        desk.ok("init --no-search --platform claude-code");
        let edit = |path: &str, change: &dyn Fn(&str) -> String| {
            desk.write(path, change(&desk.read(path)));
        };
        edit(".claude/settings.local.json", &|text| text.replace("\"opus\"", "\"haiku\""));
        let end = if claude.contains("\r\n") { "\r\n" } else { "\n" };
        edit("CLAUDE.md", &|text| format!("{text}{end}more{end}"));
        edit(".gitignore", &|text| format!("mine/\n{text}"));
        desk.ok("update");
        desk.ok("uninstall");
        prop_assert_eq!(desk.read(".claude/settings.local.json"), settings.replace("\"opus\"", "\"haiku\""));
        prop_assert_eq!(desk.read("CLAUDE.md"), format!("{claude}{end}more{end}"));
        prop_assert_eq!(desk.read(".gitignore"), format!("mine/\n{ignore}"));
    }
}
