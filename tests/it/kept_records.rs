//! The backup of a day keeps of each record what an import needs, and no more; what was forgotten is looked for in
//! words.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::desk::Desk;

const SESSION: &str = "4e1d7f0a-1111-2222-3333-444455556666";
const BACKUP: &str = "memory/.session-transcript-2026-03-14.jsonl";

fn uuid(number: usize) -> String {
    format!("{number:08x}-0123-4567-89ab-cccccccccccc")
}

fn record(number: usize, session: &str, role: &str, content: &Value) -> Value {
    json!({
        "type": role, "sessionId": session, "uuid": uuid(number), "parentUuid": uuid(number - 1),
        "cwd": "/home/zebra/service", "gitBranch": "main", "version": "2.1.0",
        "timestamp": format!("2026-03-14T10:00:{number:02}Z"),
        "message": {"role": role, "id": format!("msg_{number}"), "content": content,
            "usage": {"input_tokens": 12}},
    })
}

fn conversation(session: &str) -> Vec<Value> {
    vec![
        record(1, session, "user", &json!("why does the page gauge drift")),
        record(
            2,
            session,
            "assistant",
            &json!([
                {"type": "thinking", "thinking": "let me ponder quietly", "signature": "c2ln"},
                {"type": "text", "text": "I look at the readings."},
                {"type": "tool_use", "id": "toolu_1", "name": "Bash",
                    "input": {"command": "psql -c 'select iban from queue_owners'"}},
                {"type": "tool_use", "id": "toolu_2", "name": "Edit",
                    "input": {"file_path": "/home/zebra/service/src/gauge.rs", "old_string": "warm", "new_string": "cold"}},
            ]),
        ),
        record(
            3,
            session,
            "user",
            &json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "DE89 3704 0044\n[main 1a2b3c4] correct the gauge\n 1 file changed"}]),
        ),
        record(4, session, "assistant", &json!([{"type": "text", "text": "The cable was warm."}])),
        record(5, session, "user", &json!("thanks, that is all")),
    ]
}

fn jsonl(records: &[Value]) -> String {
    records.iter().fold(String::new(), |mut text, record| {
        let _ = writeln!(text, "{record}");
        text
    })
}

fn import(desk: &Desk, name: &str, records: &[Value]) {
    let path = desk.beside(name);
    fs::write(&path, jsonl(records)).unwrap();
    let ran = desk.run_args(&["hipocampus", "import", "--yes", &path.display().to_string()]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    import(&desk, "s.jsonl", &conversation(SESSION));
    desk
}

#[test]
fn inputs_and_outputs_of_tools_stay_in_the_agents_own_file() {
    let desk = desk();
    let backup = desk.read(BACKUP);
    for gone in ["psql", "iban", "DE89", "warm\"", "ponder", "c2ln", "usage", "gitBranch"] {
        assert!(!backup.contains(gone), "{gone}: {backup}");
    }
    for stays in ["page gauge drift", "Bash", "src/gauge.rs", &uuid(2), "2026-03-14T10:00:02Z"] {
        assert!(backup.contains(stays), "{stays}: {backup}");
    }
    assert!(backup.len() * 4 < jsonl(&conversation(SESSION)).len() * 3);
    let log = desk.read("memory/2026-03-14.md");
    for said in ["[tools: Bash, Edit]", "[commit: correct the gauge]", "The cable was warm."] {
        assert!(log.contains(said), "{said}: {log}");
    }
    let checked = desk.run("check").out;
    assert!(!checked.contains("memory/"), "{checked}");
}

#[test]
fn what_comes_again_is_still_known() {
    let desk = desk();
    let log = desk.read("memory/2026-03-14.md");
    // A fork with the same ids, the same file once more, one that was rewritten with other offsets.
    import(&desk, "fork.jsonl", &conversation("99999999-1111-2222-3333-444455556666"));
    import(&desk, "s.jsonl", &conversation(SESSION));
    let mut rewritten = conversation(SESSION);
    rewritten.remove(2);
    rewritten[0]["extra"] = json!("x".repeat(200));
    import(&desk, "s.jsonl", &rewritten);
    assert_eq!(desk.read("memory/2026-03-14.md"), log);
    // And what a fork adds comes in alone.
    let mut longer = conversation("88888888-1111-2222-3333-444455556666");
    longer.push(record(
        6,
        "88888888-1111-2222-3333-444455556666",
        "user",
        &json!("one thing more"),
    ));
    import(&desk, "longer.jsonl", &longer);
    let log = desk.read("memory/2026-03-14.md");
    assert_eq!(
        (log.matches("one thing more").count(), log.matches("page gauge drift").count()),
        (1, 1 + log.matches("— why does the page gauge drift").count()),
        "{log}"
    );
}

#[test]
fn scrub_narrows_what_older_versions_kept() {
    let desk = desk();
    let narrow = desk.read(BACKUP);
    let whole: Vec<Value> = conversation(SESSION);
    desk.write(BACKUP, jsonl(&whole));
    let ran = desk.ok("scrub --yes");
    assert!(ran.out.contains(BACKUP), "{}{}", ran.out, ran.err);
    let after = desk.read(BACKUP);
    assert!(!after.contains("psql") && !after.contains("ponder"), "{after}");
    for line in narrow.lines() {
        assert!(after.contains(line), "{line}: {after}");
    }
    let log = desk.read("memory/2026-03-14.md");
    import(&desk, "fork.jsonl", &conversation("99999999-1111-2222-3333-444455556666"));
    assert_eq!(desk.read("memory/2026-03-14.md"), log);
    assert!(!desk.ok("scrub --yes").out.contains(BACKUP));
}

#[test]
fn forget_looks_at_words_and_not_at_ids_hashes_or_paths_of_records() {
    let desk = desk();
    desk.write(BACKUP, jsonl(&conversation(SESSION)));
    let before = desk.tree();
    for word in [
        "4e1d7f0a",
        "00000002-0123",
        "zebra",
        "msg_2",
        "toolu_1",
        "assistant",
        "parentUuid",
        "2.1.0",
    ] {
        let ran = desk.run(&format!("forget --match {word} --yes"));
        assert_eq!((ran.code, &*ran.out), (1, ""), "{word}: {}", ran.err);
    }
    let is_memory =
        |(path, _): &(&String, &String)| path.contains("memory/") && !path.contains(".hipocampus");
    let kept = |tree: &std::collections::BTreeMap<String, String>| -> Vec<(String, String)> {
        tree.iter().filter(is_memory).map(|(a, b)| (a.clone(), b.clone())).collect()
    };
    assert_eq!(kept(&before), kept(&desk.tree()));
    // Words go, wherever they stand.
    desk.ok("forget --match iban --yes");
    assert!(!desk.read(BACKUP).contains("iban"));
    desk.ok("forget --match drift --yes");
    assert!(
        !desk.read(BACKUP).contains("drift")
            && !desk.read("memory/2026-03-14.md").contains("drift")
    );
}
