//! Lines that are no records: after a kill, a power cut, a tool that rewrote the transcript.

use super::*;

const TIME: &str = "2026-11-20T10:00:00Z";

/// A result of a tool and a record beside the session, which are passed over without a closer look.
fn silent() -> [String; 2] {
    let result = json!({"isSidechain": false, "type": "user", "message": {"role": "user", "content":
        [{"type": "tool_result", "content": "out, \"put\""}]}, "uuid": "r", "timestamp": TIME,
        "sessionId": "s", "toolUseResult": {"stdout": "{\"a\": [1, "}});
    let beside = json!({"isSidechain": true, "type": "assistant", "message": {"role": "assistant",
        "content": [{"type": "text", "text": "aside"}]}, "uuid": "b", "timestamp": TIME});
    // In the order in which Claude Code writes the fields.
    let order = |record: Value| {
        let names =
            ["isSidechain", "type", "message", "uuid", "timestamp", "sessionId", "toolUseResult"];
        let fields = names.iter().filter_map(|name| Some((name, record.get(name)?)));
        let fields: Vec<String> =
            fields.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}\n", fields.join(","))
    };
    [order(result), order(beside)]
}

/// What is reported about a transcript of these bytes, and what its log says then.
fn told(content: &[u8]) -> (Vec<String>, String) {
    let project = Project::new(NOW);
    let path = project.transcript("t.jsonl", content);
    let told = |outcome: ImportOutcome| {
        let notes = outcome.notes.iter().map(|note| note.text.clone());
        notes.collect::<Vec<_>>()
    };
    let notes = told(project.import(&json!({ "transcript_path": path })));
    let turns = project.turns();
    assert_eq!(told(project.import(&json!({ "transcript_path": path }))), [""; 0]);
    assert_eq!(project.turns(), turns);
    for record in project.backup().lines() {
        serde_json::from_str::<Value>(record).unwrap();
    }
    (notes, turns)
}

#[test]
fn words_behind_a_record_that_a_kill_cut_short_are_saved() {
    let [result, beside] = silent();
    let torn = reply(0, "m", TIME, "half, \"a\" {\\", &["Bash"]);
    for torn in [torn, result, beside] {
        for end in (1..torn.len() - 1).step_by(3) {
            let glued = torn[..end].to_owned() + &user(1, TIME, "after");
            let content = user(0, TIME, "before") + &glued + &user(2, TIME, "and on");
            let (notes, turns) = told(content.as_bytes());
            assert_eq!(turns, "**User:** before\n**User:** after\n**User:** and on\n", "{glued}");
            let told = "1 line of it is no record: what cannot be read of it was passed over";
            assert_eq!(notes, [told], "{glued}");
        }
    }
    // Nothing but the end of the line is missing.
    let glued = user(0, TIME, "one").trim_end().to_owned() + &reply(1, "m", TIME, "two", &[]);
    let both = "**User:** one\n**Assistant:** two\n";
    assert_eq!(told(glued.as_bytes()), (vec![], both.to_owned()));
}

#[test]
fn what_no_record_has_around_it_or_in_it_costs_no_words() {
    let [one, two] = [user(0, TIME, "one"), user(1, TIME, "two")];
    let both = (vec![], "**User:** one\n**User:** two\n".to_owned());
    for filling in ["\u{feff}", "\0", &"\0".repeat(5000)] {
        assert_eq!(told([filling, &one, &two].concat().as_bytes()), both);
        assert_eq!(told([&one, filling, &two].concat().as_bytes()), both);
        // The last line has no end yet.
        assert_eq!(told([&one, filling, two.trim_end()].concat().as_bytes()), both);
    }
    assert_eq!(told((one.clone() + &two).replace('\n', "\r\n").as_bytes()), both);
    let at = memchr::memmem::find(one.as_bytes(), b"ne\"").unwrap();
    let odd = [&one.as_bytes()[..at], b"\xc3", &one.as_bytes()[at..]];
    let (notes, turns) = told(&odd.concat());
    assert_eq!((notes, turns), (vec![], "**User:** o\u{fffd}ne\n".to_owned()));
}

#[test]
fn lines_that_nobody_can_read_are_named_once_something_follows_them() {
    let [one, two] = [user(0, TIME, "one"), user(1, TIME, "two")];
    let project = Project::new(NOW);
    let import = |content: &str| {
        let path = project.transcript("t.jsonl", content.as_bytes());
        let outcome = project.import(&json!({ "transcript_path": path }));
        outcome.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>()
    };
    let cut = &two[..two.len() - 9];
    // The last line may still be written to.
    assert_eq!(import(&(one.clone() + cut)), [""; 0]);
    let told = "1 line of it is no record: what cannot be read of it was passed over";
    let content = one.clone() + cut + "\n" + &two;
    assert_eq!(import(&content), [told]);
    let named = format!("[skipped: a line of {} bytes that is no record]", cut.len());
    assert_eq!(project.turns(), format!("**User:** one\n{named}\n**User:** two\n"));
    let content = content + "noise\n\n\r\nand more\n\0\0\n[]\n" + &user(3, TIME, "three");
    let told = "3 lines of it are no records: what cannot be read of them was passed over";
    assert_eq!(import(&content), [told]);
    assert_eq!(import(&content), [""; 0]);
    let rest = "[skipped: 3 lines of 15 bytes that are no records]\n**User:** three\n";
    assert!(project.turns().ends_with(&format!("**User:** two\n{rest}")), "{}", project.turns());
    let project = Project::new(NOW);
    let path = project.transcript("noise.jsonl", b"noise\nand more\n");
    assert_eq!(project.import(&json!({ "transcript_path": path })).notes.len(), 1);
    assert_eq!(project.log(), "");
}
