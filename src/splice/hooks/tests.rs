use super::*;

const COMMAND: &str = "\"/opt/bin/hipocampus\" compact --stdin";

const OURS: Ours<'_> = Ours { programs: &[], private: false };

fn entries() -> Vec<HookEntry> {
    let start = "\"/opt/bin/hipocampus\" hook session-start".to_owned();
    vec![
        HookEntry {
            event: "SessionStart",
            matcher: Some("startup|clear"),
            command: start,
            timeout: 10,
            shape: HookShape::Grouped,
        },
        HookEntry {
            event: "PreCompact",
            matcher: None,
            command: COMMAND.to_owned(),
            timeout: 60,
            shape: HookShape::Grouped,
        },
    ]
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// In, again, out with and without the original at hand.
#[track_caller]
fn round(original: &str) -> String {
    let with = put(original.as_bytes(), &entries(), OURS).unwrap();
    assert_eq!(text(&put(&with, &entries(), OURS).unwrap()), text(&with), "not idempotent");
    let found = find(&with, &[]).unwrap();
    assert_eq!(found.iter().map(|found| found.event.as_str()).collect::<Vec<_>>().len(), 2);
    assert_eq!(text(&take_out(&with, Some(original.as_bytes()), OURS).unwrap()), original);
    text(&with)
}

#[test]
fn entries_go_in_and_come_out_exactly() {
    for original in [
        "{}",
        "{ }",
        "{}\n",
        "{\n}\n",
        "\u{feff}{\r\n\t\"model\": \"opus\"\r\n}\r\n",
        "{\"model\":\"opus\",\"hooks\":{\"Stop\":[]}}",
        "{\"hooks\":{}}",
        "{\n  \"hooks\": { }\n}",
        "{\n  \"hooks\": {\n    \"PreCompact\": []\n  }\n}",
        "{\n  // mine\n  \"n\": 12345678901234567890,\n  \"f\": 1.0, /* c */\n}\n",
        "{\n  \"hooks\": {\n    \"PreCompact\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"/x/hipocampus/mine.sh\"}]} // c\n    ],\n  },\n}",
        "{ // only a comment\n}",
        "{\"hooks\": {\"PreCompact\": [ // c\n]}}",
    ] {
        round(original);
    }
}

#[test]
fn npm_registered_nothing_beside_a_hook_of_the_users() {
    let with = round(
        "{\n  \"hooks\": {\n    \"PreCompact\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n",
    );
    let expect = r#"{
  "hooks": {
    "PreCompact": [
      {
        "hooks": []
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "\"/opt/bin/hipocampus\" compact --stdin",
            "timeout": 60
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "matcher": "startup|clear",
        "hooks": [
          {
            "type": "command",
            "command": "\"/opt/bin/hipocampus\" hook session-start",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
"#;
    assert_eq!(with, expect);
}

#[test]
fn a_stale_entry_is_mended_value_by_value() {
    let script = "/x/node_modules/hipocampus/cli/init.mjs";
    let old = format!(
        "{{\"hooks\":{{\"PreCompact\":[{{\"matcher\":\"\",\"hooks\":[{{\"type\":\"command\",\"command\":\"node \\\"{script}\\\" compact --stdin\",\"timeout\":30000}}]}}],\
         \"TaskCompleted\":[{{\"hooks\":[{{\"type\":\"command\",\"command\":\"node {script} compact\"}},{{\"type\":\"command\",\"command\":\"mine\"}}]}}]}}}}"
    );
    let new = text(&put(old.as_bytes(), &entries()[1..], OURS).unwrap());
    assert_eq!(
        new,
        "{\"hooks\":{\"PreCompact\":[{\"matcher\":\"\",\"hooks\":[{\"type\":\"command\",\"command\":\"\\\"/opt/bin/hipocampus\\\" compact --stdin\",\"timeout\":60}]}],\
         \"TaskCompleted\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]}}"
    );
}

#[test]
fn doubled_entries_become_one() {
    let twice = text(&put(b"{}", &entries()[1..], OURS).unwrap());
    let group = "{\"hooks\": [{\"type\": \"command\", \"command\": \"hipocampus compact\"}]}";
    let twice = twice.replace("\"PreCompact\": [", &format!("\"PreCompact\": [{group}, {group}, "));
    let once = put(twice.as_bytes(), &entries()[1..], OURS).unwrap();
    assert_eq!(find(&once, &[]).unwrap().len(), 1);
}

#[test]
fn npm_wrote_the_hooks_of_codex_as_an_array() {
    let array = r#"[{"type":"command","event":"session_start","command":"node /x/hipocampus/cli/init.mjs compact","timeout":30000}]"#;
    let new = put(array.as_bytes(), &entries(), OURS).unwrap();
    assert_eq!(find(&new, &[]).unwrap().len(), 2);
    assert_eq!(take_out(&new, Some(array.as_bytes()), OURS).unwrap(), b"{}");
    assert_eq!(take_out(array.as_bytes(), None, OURS).unwrap(), b"[]");
    let mixed = r#"[{"event":"session_start","command":"mine"}]"#;
    assert_eq!(
        put(mixed.as_bytes(), &entries(), OURS).unwrap_err().what,
        "the file is not an object"
    );
    assert_eq!(take_out(mixed.as_bytes(), None, OURS).unwrap(), mixed.as_bytes());
}

#[test]
fn something_else_in_the_place_is_an_error() {
    #[track_caller]
    fn check(text: &str, expect: (usize, usize), what: &str) {
        let slip = put(text.as_bytes(), &entries(), OURS).unwrap_err();
        assert_eq!((slip.line, slip.column, slip.what.as_str()), (expect.0, expect.1, what));
    }
    check("{\n  \"hooks\": null\n}", (2, 12), "`hooks` is not an object");
    check("{\"hooks\": {\"PreCompact\": {}}}", (1, 26), "`hooks.PreCompact` is not an array");
    check("7", (1, 1), "the file is not an object");
    assert!(put(b"{\"hooks\": {", &entries(), OURS).is_err());
}

#[test]
fn what_the_user_did_meanwhile_stays() {
    let original = "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    let with = text(&put(original.as_bytes(), &entries(), OURS).unwrap());
    let edited = with.replace("\"a\": 1,", "\"a\": 2.0, // more\n  \"b\": [],");
    let out = text(&take_out(edited.as_bytes(), Some(original.as_bytes()), OURS).unwrap());
    assert_eq!(out, original.replace("\"a\": 1,", "\"a\": 2.0, // more\n  \"b\": [],"));
}

#[test]
fn entries_for_private_projects_and_others_leave_each_other_alone() {
    let mine = Ours { private: true, ..OURS };
    let mut own = entries();
    for entry in &mut own {
        entry.command = format!("{} --private", entry.command);
    }
    let by_hand = put(b"{}", &entries(), OURS).unwrap();
    let both = put(&by_hand, &own, mine).unwrap();
    assert_eq!(find(&both, &[]).unwrap().len(), 4);
    assert_eq!(put(&both, &entries(), OURS).unwrap(), both);
    assert_eq!(text(&take_out(&both, Some(&by_hand), mine).unwrap()), text(&by_hand));
}

/// The same in a file without groups.
fn flat() -> Vec<HookEntry> {
    let flat = |entry: HookEntry| HookEntry { shape: HookShape::Flat, ..entry };
    entries().into_iter().map(flat).collect()
}

#[test]
fn entries_without_groups_go_in_and_come_out_exactly() {
    let put_in = |original: &str| {
        let with = put(original.as_bytes(), &flat(), OURS).unwrap();
        assert_eq!(text(&put(&with, &flat(), OURS).unwrap()), text(&with), "not idempotent");
        assert_eq!(find(&with, &[]).unwrap().len(), 2);
        let json: serde_json::Value = serde_json::from_slice(&with).unwrap();
        assert_eq!(json["version"], 1);
        let start = json["hooks"]["SessionStart"].as_array().unwrap().last().unwrap();
        let expect = json!({"command": "\"/opt/bin/hipocampus\" hook session-start", "timeout": 10,
            "matcher": "startup|clear"});
        assert_eq!(*start, expect);
        let out = take_out(&with, Some(original.as_bytes()), OURS).unwrap();
        assert_eq!(text(&out), original);
        with
    };
    for original in [
        "{}",
        "{\n  \"version\": 1,\n  \"hooks\": {}\n}\n",
        "{\"version\":1,\"hooks\":{\"PreCompact\":[{\"command\":\"./mine.sh\",\"timeout\":5}]}}",
        "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
    ] {
        put_in(original);
    }
    // A file of ours alone goes as a whole; once somebody else is in it, its version stays.
    let whole = put(b"", &flat(), OURS).unwrap();
    assert_eq!(
        text(&take_out(&whole, None, OURS).unwrap()).split_whitespace().collect::<String>(),
        "{}"
    );
    let shared = text(&whole)
        .replace("\"SessionStart\": [", "\"SessionStart\": [{\"command\": \"./mine.sh\"},");
    let left: serde_json::Value =
        serde_json::from_slice(&take_out(shared.as_bytes(), None, OURS).unwrap()).unwrap();
    assert_eq!(left, json!({"version": 1, "hooks": {"SessionStart": [{"command": "./mine.sh"}]}}));
}

#[test]
fn a_stale_entry_without_a_group_is_mended_in_its_place() {
    let stale = "{\"version\":1,\"hooks\":{\"PreCompact\":[{\"timeout\":5,\"command\":\"/old/hipocampus compact --stdin\",\"matcher\":\"x\"},{\"command\":\"./mine.sh\"}],\"stop\":[{\"command\":\"hipocampus compact --stdin\"}]}}";
    let mended: serde_json::Value =
        serde_json::from_slice(&put(stale.as_bytes(), &flat(), OURS).unwrap()).unwrap();
    let expect = json!([{"timeout": 60, "command": COMMAND}, {"command": "./mine.sh"}]);
    assert_eq!(mended["hooks"]["PreCompact"], expect);
    // One for an event that is no longer listened to goes.
    assert!(mended["hooks"]["stop"].as_array().is_none_or(Vec::is_empty), "{mended}");
}
