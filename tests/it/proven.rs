//! What is proven to be a secret once is taken from everything that enters the memory after it.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::desk::Desk;

const FILE: &str = "memory/.hipocampus.proven";

/// Put together here, so that no file holds one.
fn value() -> String {
    ["Marmelade", "99x"].concat()
}

fn project() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{}\n");
    desk
}

/// Hands over a transcript of these turns, one a minute.
fn import(desk: &mut Desk, session: &str, turns: &[String]) {
    let records = turns.iter().enumerate().map(|(index, text)| {
        let id = format!("{session}-0000-0000-{:016x}", hipocampus::internals::hash(text.as_bytes()));
        let record = json!({"type": "user", "uuid": id, "sessionId": session,
            "timestamp": format!("2026-03-15T10:{index:02}:00.000Z"), "message": {"role": "user", "content": text}});
        format!("{record}\n")
    });
    let path = desk.beside(&format!("{session}.jsonl"));
    std::fs::write(&path, records.collect::<String>()).unwrap();
    hook(desk, &json!({"session_id": session, "hook_event_name": "Stop", "transcript_path": path}));
}

fn hook(desk: &mut Desk, input: &Value) {
    desk.stdin = Some(input.to_string());
    assert_eq!(desk.ok("compact --stdin").err, "");
}

/// Every file of the memory, one after the other.
fn memory(desk: &Desk) -> String {
    let names = desk.tree().into_keys().filter(|name| name.starts_with("memory/"));
    let read = |name: String| std::fs::read(desk.root().join(name)).unwrap_or_default();
    names.map(read).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

fn count(desk: &Desk, words: &str) -> usize {
    desk.read("memory/2026-03-15.md").matches(words).count()
}

#[test]
fn a_value_is_taken_from_later_turns_of_the_same_import_and_of_the_next() {
    let mut desk = project();
    let value = value();
    let turns = [
        format!("DB_PASSWORD={value}"),
        "thanks".to_owned(),
        format!("I logged in with {value} and it works"),
    ];
    import(&mut desk, "one", &turns);
    assert!(!memory(&desk).contains(&value), "{}", memory(&desk));
    assert_eq!(count(&desk, "I logged in with [REDACTED:password] and it works"), 1);
    assert_eq!(
        std::fs::metadata(desk.root().join(FILE)).unwrap().permissions().mode() & 0o777,
        0o600
    );
    // Another session, and text by hand.
    import(&mut desk, "two", &[format!("try {value} on staging")]);
    let flushed =
        desk.run_args(&["hipocampus", "flush", "-m", &format!("the old one was {value}")]);
    assert_eq!((flushed.code, &*flushed.err), (0, ""));
    assert!(!memory(&desk).contains(&value), "{}", memory(&desk));
    assert_eq!(count(&desk, "try [REDACTED:password] on staging"), 1);
}

#[test]
fn what_was_written_before_the_proof_is_not_written_again() {
    let value = value();
    let early = format!("does {value} ring a bell");
    let turns = [early.clone(), format!("DB_PASSWORD={value}"), format!("so {value} it is")];
    for messages in [false, true] {
        let mut desk = project();
        for end in 1..=turns.len() {
            if messages {
                let said: Vec<Value> = turns[..end]
                    .iter()
                    .map(|text| json!({"role": "user", "content": text}))
                    .collect();
                hook(&mut desk, &json!({"session_id": "s", "messages": said}));
            } else {
                import(&mut desk, "s", &turns[..end]);
            }
        }
        // The logs of messages without a time are those of today.
        let log = memory(&desk);
        let log = log.split("<!-- hipocampus:end").collect::<String>();
        assert_eq!(
            log.matches("**User:** does ").count(),
            1 + log.matches("# 20").count(),
            "{log}"
        );
        assert!(!log.contains(&format!("so {value}")), "{log}");
    }
}

#[test]
fn a_rewritten_transcript_finds_its_turns_in_the_log() {
    let mut desk = project();
    let value = value();
    let turns: Vec<String> = [
        format!("does {value} ring a bell"),
        "second words".to_owned(),
        format!("DB_PASSWORD={value}"),
        format!("so {value} it is"),
    ]
    .into();
    import(&mut desk, "s", &turns[..2]);
    import(&mut desk, "s", &turns);
    // A client that prunes: the first turn is gone, the others are elsewhere.
    let mut pruned = turns[1..].to_vec();
    pruned.push("and more".to_owned());
    import(&mut desk, "s", &pruned);
    assert_eq!(count(&desk, "second words"), 1, "{}", desk.read("memory/2026-03-15.md"));
    let log = desk.read("memory/2026-03-15.md");
    assert_eq!(count(&desk, "DB_PASSWORD=[REDACTED:password]"), 1, "{log}");
    assert_eq!(count(&desk, "and more"), 1);
}

#[test]
fn without_the_file_everything_goes_on() {
    for broken in [None, Some(""), Some("not ours\n")] {
        let mut desk = project();
        let value = value();
        import(&mut desk, "one", &[format!("DB_PASSWORD={value}")]);
        match broken {
            None => std::fs::remove_file(desk.root().join(FILE)).unwrap(),
            Some(text) => desk.write(FILE, text),
        }
        import(
            &mut desk,
            "two",
            &["hello".to_owned(), format!("DB_PASSWORD={value}"), format!("again {value}")],
        );
        assert!(!memory(&desk).contains(&value));
        assert_eq!(count(&desk, "hello"), 1);
    }
}

#[test]
fn an_allowed_value_stays() {
    let mut desk = project();
    let value = value();
    import(&mut desk, "one", &[format!("DB_PASSWORD={value}")]);
    desk.write("hipocampus.config.json", json!({"redaction": {"allow": [value]}}).to_string());
    import(&mut desk, "two", &[format!("try {value}")]);
    assert_eq!(count(&desk, &format!("try {value}")), 1);
}

#[test]
fn a_secret_in_the_name_of_a_session_or_a_file_is_never_written_or_printed() {
    let mut desk = project();
    let token = ["ghp_", "Q7wVtB2xNk4Rz5pD", "a1B2c3D4e5F6g7H8i9J0"].concat();
    let turns = [["one".to_owned()].to_vec(), ["one".to_owned(), "two".to_owned()].to_vec()];
    for turns in turns {
        import(&mut desk, &token, &turns);
    }
    assert!(!memory(&desk).contains(&token), "{}", memory(&desk));
    assert_eq!(count(&desk, "**User:** one"), 1);
    assert_eq!(count(&desk, "**User:** two"), 1);
    // A transcript that is not there, named by a hook without a session.
    desk.stdin = Some(json!({"transcript_path": format!("/nowhere/{token}.jsonl")}).to_string());
    let ran = desk.ok("compact --stdin");
    assert!(ran.err.contains("/nowhere/") && !ran.err.contains(&token), "{}", ran.err);
    assert!(!memory(&desk).contains(&token));
    // A secret in the wrong place of the configuration.
    let config = json!({"redaction": {"disable": [token, "jwtt"]}});
    desk.write("hipocampus.config.json", config.to_string());
    let err = desk.run("compact").err;
    assert!(err.contains("redaction.disable[0]") && err.contains("`jwtt`"), "{err}");
    assert!(!err.contains(&token), "{err}");
}
