//! `scrub` puts everything that is written already through the redaction of today.

use std::fs;

use crate::desk::{Desk, diff};

/// Put together here, so that no file holds one.
fn key() -> String {
    format!("AKIA{}", "Q7WVTB2XNK4RZ5PD")
}

fn password() -> String {
    ["Marmelade", "99x"].concat()
}

/// A memory as an older version or an agent wrote it: logs, a backup, a summary, hot files.
fn memory() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{\"platform\": \"openclaw\"}\n");
    let (key, password) = (key(), password());
    desk.write(
        "memory/2026-02-10.md",
        format!("## Early [project]\n- we tried {password} first\n- caf\u{e9}\r\n- raw \u{0}\n"),
    );
    desk.write(
        "memory/2026-03-09.md",
        format!(
            "<!-- hipocampus:session s 0-90 -->\n## Session — 2026-03-09 10:00:00\n\n**User:** my key is {key}\n\
             <!-- hipocampus:end s 90 -->\n\n## Access [reference]\n- DB_PASSWORD={password}\n"
        ),
    );
    desk.write("memory/2026-03-10.md", "## Tea [user]\n- likes it green\n");
    desk.write(
        "memory/.session-transcript-2026-03-09.jsonl",
        format!("{{\"uuid\":\"a\",\"n\":1.0,\"text\":\"my key is {key}\"}}\n{{\"uuid\":\"b\"}}\n"),
    );
    desk.write("memory/daily/2026-03-09.md", format!("---\ntype: daily\nstatus: tentative\nperiod: 2026-03-09\n---\n\n## Topics\nAccess [reference]\n\n- the key {key} was rotated\n"));
    desk.write("SCRATCHPAD.md", format!("- use {key}\n- buy disk\n"));
    desk.write("knowledge/access.md", format!("{key}\n"));
    desk.ok("compact");
    desk
}

fn saying(desk: &Desk, words: &str) -> Vec<String> {
    let all = desk.tree().into_iter();
    all.filter(|(_, bytes)| bytes.contains(words)).map(|(name, _)| name).collect()
}

#[test]
fn npm_left_secrets_that_were_written_already() {
    let desk = memory();
    let (key, password) = (key(), password());
    assert!(desk.run("status").out.contains("hipocampus scrub"));
    let before = desk.tree();
    let dry = desk.ok("scrub --dry-run").out;
    assert!(dry.starts_with("would scrub 6: aws-access-key 4, password 2\n"), "{dry}");
    assert!(!dry.contains(&key) && !dry.contains(&password));
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    let refused = desk.run("scrub");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("nobody is there to confirm this"), "{}", refused.err);
    let said = desk.ok("scrub --yes").out;
    assert!(said.ends_with("scrubbed 6: aws-access-key 4, password 2\n"), "{said}");
    assert_eq!(saying(&desk, &key), ["knowledge/access.md"]);
    assert!(saying(&desk, &password).is_empty(), "{:?}", saying(&desk, &password));
    assert_eq!(
        desk.read("memory/2026-02-10.md"),
        "## Early [project]\n- we tried [REDACTED:password] first\n- caf\u{e9}\r\n- raw \u{0}\n"
    );
    let log = desk.read("memory/2026-03-09.md");
    assert!(
        log.contains("<!-- hipocampus:session s 0-90 -->\n")
            && log.contains("**User:** my key is [REDACTED:aws-access-key]\n"),
        "{log}"
    );
    assert_eq!(
        desk.read("memory/.session-transcript-2026-03-09.jsonl"),
        "{\"uuid\":\"a\",\"n\":1.0,\"text\":\"my key is [REDACTED:aws-access-key]\"}\n{\"uuid\":\"b\"}\n"
    );
    assert!(
        desk.read("memory/daily/2026-03-09.md")
            .ends_with("- the key [REDACTED:aws-access-key] was rotated\n")
    );
    assert_eq!(desk.read("SCRATCHPAD.md"), "- use [REDACTED:aws-access-key]\n- buy disk\n");
    assert_eq!(before["memory/2026-03-10.md"], desk.tree()["memory/2026-03-10.md"]);
    // It is done once.
    assert_eq!(desk.ok("compact").out, "hipocampus compact: nothing to do\n");
    assert_eq!(desk.ok("scrub --yes").out, "nothing to scrub: no secret was found\n");
    assert!(!desk.run("status").out.contains("hipocampus scrub"));
    // Rules that changed since are told.
    let rule = "{\"redaction\": {\"rules\": [{\"id\": \"badge\", \"regex\": \"likes it\"}]}}\n";
    desk.write("hipocampus.config.json", rule);
    assert!(desk.run("status").out.contains("hipocampus scrub"));
    assert!(desk.ok("scrub --yes").out.ends_with("scrubbed 1: badge 1\n"));
    assert!(!desk.run("status").out.contains("hipocampus scrub"));
}

#[test]
fn a_memory_that_was_always_redacted_has_nothing_to_scrub() {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{}\n");
    desk.ok("flush -m first");
    assert!(!desk.run("status").out.contains("hipocampus scrub"));
    assert_eq!(desk.ok("scrub --dry-run").out, "nothing to scrub: no secret was found\n");
    assert_eq!(desk.ok("scrub").out, "nothing to scrub: no secret was found\n");
    fs::remove_dir_all(desk.root().join("memory")).unwrap();
    assert_eq!(desk.ok("scrub").out, "nothing to scrub: there is no memory yet\n");
}
