//! Each turn once, whatever times and ids the records carry, or do not carry.

use chrono::TimeDelta;

use super::*;

/// Where the log says "turn N end", by how often.
fn times(project: &Project, turns: Range<usize>) -> Vec<usize> {
    let log = project.log();
    turns.map(|turn| log.matches(&format!("turn {turn} end")).count()).collect()
}

fn turn(number: usize, time: &str) -> String {
    let record = json!({"type": "user", "uuid": format!("00000000-0000-4000-8000-{number:012}"),
        "sessionId": "s", "timestamp": time,
        "message": {"role": "user", "content": format!("turn {number} end")}});
    format!("{record}\n")
}

const SET_BACK: [&str; 6] = [
    "2024-03-10T01:00:00Z",
    "2024-03-12T01:00:00Z",
    "2024-03-10T02:00:00Z",
    "2024-03-11T01:00:00Z",
    "2024-03-11T02:00:00Z",
    "2024-03-12T08:00:00Z",
];

#[test]
fn a_clock_that_was_set_back_doubles_nothing() {
    let lines: Vec<String> = (0..).zip(SET_BACK).map(|(n, time)| turn(n, time)).collect();
    for step in 1..=lines.len() {
        let project = Project::new(NOW);
        for end in (step..=lines.len()).step_by(step).chain([lines.len(); 3]) {
            project.import_file(&project.transcript("s.jsonl", lines[..end].concat().as_bytes()));
        }
        assert_eq!(times(&project, 0..6), [1; 6], "{step} at a time");
        let files: Vec<_> = project.files(".md").into_iter().map(|(name, _)| name).collect();
        assert_eq!(files, ["2024-03-10.md", "2024-03-12.md"], "{step} at a time");
        assert_eq!(project.log().matches("## Session").count(), 3, "{step} at a time");
    }
    let messages: Vec<Value> = (0..)
        .zip(SET_BACK)
        .map(|(n, time): (usize, _)| {
            json!({"role": "user", "content": format!("turn {n} end"), "timestamp": time})
        })
        .collect();
    let project = Project::new(NOW);
    for end in (1..=messages.len()).chain([messages.len(); 3]) {
        project.import(&json!({"session_id": "s", "messages": messages[..end]}));
    }
    assert_eq!(times(&project, 0..6), [1; 6]);
}

#[test]
fn reading_goes_on_where_a_session_reaches_furthest_not_where_its_log_is_the_latest() {
    let lines: Vec<String> = (0..).zip(SET_BACK).map(|(n, time)| turn(n, time)).collect();
    let project = Project::new(NOW);
    let end = |count: usize| lines[..count].concat().len();
    for (day, turns) in [("10", 0..1), ("12", 1..3), ("11", 3..5)] {
        let (from, to) = (end(turns.start), end(turns.end));
        let said: Vec<String> = turns.map(|n| format!("\n**User:** turn {n} end\n")).collect();
        let log = block::start("s", from as u64, to as u64)
            + "## Session — 2024-03-10 01:00:00\n"
            + &said.concat()
            + &block::end("s", to as u64);
        fs::write(project.memory(&format!("2024-03-{day}.md")), log).unwrap();
    }
    for _ in 0..3 {
        project.import_file(&project.transcript("s.jsonl", lines.concat().as_bytes()));
    }
    assert_eq!(times(&project, 0..6), [1; 6]);
}

#[test]
fn words_that_are_said_again_without_time_and_id_are_turns_of_their_own() {
    let talk = [
        ("user", "yes please"),
        ("assistant", "done"),
        ("user", "yes please"),
        ("assistant", "done"),
        ("user", "continue"),
        ("user", "continue"),
        ("user", "yes please"),
        ("assistant", "done"),
    ];
    let said = |from: usize, to: usize| -> String {
        talk[from..to]
            .iter()
            .map(|(role, words)| match *role {
                "user" => format!("**User:** {words}\n"),
                _ => format!("**Assistant:** {words}\n"),
            })
            .collect()
    };
    let message = |(role, words): &(&str, &str)| json!({"role": role, "content": words});
    let record = |(role, words): &(&str, &str)| {
        let record = json!({"type": role, "message": {"role": role, "content": [{"type": "text", "text": words}]}});
        format!("{record}\n")
    };
    for as_file in [false, true] {
        for step in 1..=talk.len() {
            let project = Project::new(NOW);
            let import = |session: &str, part: &[(&str, &str)]| {
                if as_file {
                    let content: String = part.iter().map(record).collect();
                    let name = format!("{session}.jsonl");
                    project.import_file(&project.transcript(&name, content.as_bytes()));
                } else {
                    let messages: Vec<Value> = part.iter().map(message).collect();
                    project.import(&json!({"session_id": session, "messages": messages}));
                }
            };
            for end in (step..=talk.len()).step_by(step).chain([talk.len(); 2]) {
                import("one", &talk[..end]);
            }
            assert_eq!(project.turns(), said(0, talk.len()), "{step} at a time, file: {as_file}");
            // The beginning is forgotten, then the talk goes on.
            import("one", &talk[4..]);
            assert_eq!(project.turns(), said(0, talk.len()), "{step} at a time, file: {as_file}");
            for _ in 0..2 {
                import("two", &talk[2..]);
            }
            let both = said(0, talk.len()) + &said(2, talk.len());
            assert_eq!(project.turns(), both, "{step} at a time, file: {as_file}");
        }
    }
}

#[test]
fn a_session_of_many_days_is_known_again() {
    let begin = DateTime::parse_from_rfc3339("2024-03-10T01:00:00Z").unwrap();
    let stamp = |n: usize| {
        let hours = TimeDelta::hours(5 * i64::try_from(n).unwrap());
        (begin + hours).format("%Y-%m-%dT%H:%M:%SZ").to_string()
    };
    let message = |n: usize| json!({"role": "user", "content": format!("turn {n} end"), "timestamp": stamp(n)});
    let messages: Vec<Value> = (0..24).map(message).collect();
    let project = Project::new(NOW);
    project.import(&json!({"session_id": "main", "messages": messages[..20]}));
    for part in [14..20, 14..22, 18..24, 18..24] {
        project.import(&json!({"session_id": "main", "messages": messages[part]}));
    }
    assert_eq!(times(&project, 0..24), [1; 24], "pruned messages");

    let lines: Vec<String> = (0..24).map(|n| turn(n, &stamp(n))).collect();
    for (name, what) in [("s.jsonl", "rewritten"), ("fork.jsonl", "forked")] {
        let project = Project::new(NOW);
        project.import_file(&project.transcript("s.jsonl", lines[..20].concat().as_bytes()));
        let content =
            lines[14..].concat().replace("\"s\"", &format!("{:?}", &name[..name.len() - 6]));
        for _ in 0..2 {
            project.import_file(&project.transcript(name, content.as_bytes()));
        }
        assert_eq!(times(&project, 0..24), [1; 24], "{what}");
    }
}

#[test]
fn a_user_who_travels_through_all_zones_is_told_once() {
    let lines = [turn(0, "2024-03-11T10:30:00Z"), turn(1, "2024-03-11T13:00:00Z")];
    for (first, second) in [("-11:00", "+14:00"), ("+14:00", "-11:00")] {
        let mut project = Project::new(&format!("2024-03-12T00:00:00{first}"));
        project.import_file(&project.transcript("s.jsonl", lines[0].as_bytes()));
        let now = format!("2024-03-13T00:00:00{second}");
        project.world.env.insert("HIPOCAMPUS_NOW".into(), now.into());
        for _ in 0..2 {
            project.import_file(&project.transcript("s.jsonl", lines.concat().as_bytes()));
        }
        assert_eq!(times(&project, 0..2), [1, 1], "{first} to {second}");
    }
}

#[test]
fn ids_that_every_session_has_tell_no_fork() {
    let project = Project::new(NOW);
    let session = |hour: usize| {
        let time = format!("2024-03-15T{hour:02}:00:00Z");
        let event = |payload: Value| {
            json!({"timestamp": time, "type": "event_msg", "payload": payload}).to_string() + "\n"
        };
        let item = |kind: &str, id: &str, text: &str| {
            event(json!({"type": "item_completed", "item": {"type": kind, "id": id,
                "content": [{"type": "text", "text": text}]}}))
        };
        item("UserMessage", "item_0", "continue") + &item("AgentMessage", "msg_1", "done")
    };
    for name in ["one", "two"] {
        let path = format!("{name}.jsonl");
        let content = session(if name == "one" { 1 } else { 2 });
        for _ in 0..2 {
            project.import_file(&project.transcript(&path, content.as_bytes()));
        }
    }
    // A fork has the times of its parent.
    project.import_file(&project.transcript("fork.jsonl", session(2).as_bytes()));
    let said = "**User:** continue\n**Assistant:** done\n";
    assert_eq!(project.turns(), said.repeat(2));
}

#[test]
fn a_reply_that_is_still_being_written_is_left_until_it_is_whole() {
    let message = |id: usize, role: &str, text: &str, completed: bool| {
        let begun = DateTime::parse_from_rfc3339(NOW).unwrap().timestamp_millis() - 60_000;
        let begun = begun + i64::try_from(id).unwrap() * 1000;
        let mut time = json!({"created": begun});
        if completed {
            time["completed"] = json!(begun + 500);
        }
        json!({"info": {"id": format!("msg_{id}"), "role": role, "time": time},
            "parts": [{"type": "text", "text": text}]})
    };
    let ask = message(0, "user", "ask", false);
    let more = message(2, "user", "more", false);
    let half = message(1, "assistant", "part1", false);
    let whole = message(1, "assistant", "part1 part2", true);
    for event in ["session.idle", "session.compacting"] {
        let mut project = Project::new(NOW);
        let import = |project: &Project, messages: &[&Value]| {
            project.import(
                &json!({"session_id": "s", "hook_event_name": event, "messages": messages}),
            );
            project.turns()
        };
        assert_eq!(import(&project, &[&ask, &half]), "**User:** ask\n");
        assert_eq!(import(&project, &[&ask, &half, &more]), "**User:** ask\n");
        let all = "**User:** ask\n**Assistant:** part1 part2\n**User:** more\n";
        assert_eq!(import(&project, &[&ask, &whole, &more]), all);
        // Broken off: another reply came, or nothing for long.
        let last = message(3, "assistant", "bye", true);
        let broken = message(1, "assistant", "part1", false);
        project = Project::new(NOW);
        let all = "**User:** ask\n**Assistant:** part1\n**User:** more\n**Assistant:** bye\n";
        assert_eq!(import(&project, &[&ask, &broken, &more, &last]), all);
        project = Project::new("2026-11-21T09:00:00Z");
        assert_eq!(import(&project, &[&ask, &broken]), "**User:** ask\n**Assistant:** part1\n");
    }
}
