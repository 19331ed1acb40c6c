//! How large a record is decides nothing: whose session it is, and what is said beside an image.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::stores::{claude, codex_rollout, desk, hook, lines, reply, write};

/// What an image of this many bytes is in a record.
fn image(bytes: usize) -> Value {
    let data = "iVBORw0KGgoAAAANSUhEUgAA/+8B".repeat(bytes / 28 + 1);
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
}

/// A session whose first prompt has an image and says where it was held, but for `cwd: None`.
fn with_screenshot(cwd: Option<&Path>, bytes: usize, words: &str) -> String {
    let content = json!([image(bytes), {"type": "text", "text": words}]);
    let mut prompt = json!({"type": "user", "uuid": "prompt-0123456789abcdef", "sessionId": "shot",
        "timestamp": "2026-03-15T09:00:00Z", "message": {"role": "user", "content": content}});
    let mut answer = reply("shot", cwd.unwrap_or(Path::new("")), "09:01", "Understood.");
    match cwd {
        // The first record ends in its folder, as those of Claude Code do.
        Some(cwd) => prompt["cwd"] = json!(cwd),
        None => drop(answer.as_object_mut().unwrap().remove("cwd")),
    }
    lines(&[prompt, answer])
}

/// Two projects whose paths have one folder name at Claude Code, and a file in it.
fn two(desk: &Desk) -> (PathBuf, PathBuf) {
    let (ours, other) = (desk.beside("a_b"), desk.beside("a-b"));
    for folder in [&ours, &other] {
        std::fs::create_dir_all(folder).unwrap();
        let ran = desk
            .run_in(folder, &["hipocampus", "init", "--no-search", "--platform", "claude-code"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    (ours, other)
}

#[test]
fn another_projects_session_stays_out_however_large_its_first_record_is() {
    for bytes in [1_000, 530_000, 3_000_000] {
        let mut desk = Desk::new();
        let (ours, other) = two(&desk);
        write(&claude(&desk, &other, "shot"), &with_screenshot(Some(&other), bytes, "other words"));
        desk.stdin =
            Some(json!({"hook_event_name": "SessionStart", "session_id": "n"}).to_string());
        for line in
            [&["hipocampus", "hook", "session-start"][..], &["hipocampus", "import", "--yes"]]
        {
            let ran = desk.run_in(&ours, line);
            assert_eq!((ran.code, &*ran.err), (0, ""), "{bytes}");
            assert!(!ours.join("memory/2026-03-15.md").exists(), "{bytes}");
        }
        let ran = desk.run_in(&other, &["hipocampus", "import", "--yes"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let log = std::fs::read_to_string(other.join("memory/2026-03-15.md")).unwrap();
        assert!(log.contains("**User:** [image]\n\nother words"), "{log}");
    }
}

#[test]
fn a_session_that_begins_below_the_project_with_a_large_image_is_found() {
    let desk = desk("claude-code");
    let below = desk.root().canonicalize().unwrap().join("sub");
    write(&claude(&desk, &below, "shot"), &with_screenshot(Some(&below), 2_000_000, "from below"));
    let ran = desk.ok("import --yes");
    assert!(desk.read("memory/2026-03-15.md").contains("from below"), "{}", ran.out);
}

#[test]
fn a_session_that_tells_no_folder_is_left_out_and_named() {
    let desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let path = claude(&desk, &root, "shot");
    write(&path, &with_screenshot(None, 600_000, "whose words"));
    let ran = desk.run("import --yes");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        ran.err.contains("tells in which folder") && ran.err.contains("shot.jsonl"),
        "{}",
        ran.err
    );
    assert!(!desk.has("memory/2026-03-15.md"));
    let ran = desk.run("status");
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("NOT HEALTHY") && ran.out.contains("hipocampus import"),
        "{}",
        ran.out
    );
    // Who knows whose it is names it.
    desk.ok(&format!("import --yes {}", path.display()));
    assert!(desk.read("memory/2026-03-15.md").contains("whose words"));
    assert_eq!(desk.run("status").code, 0, "{}", desk.run("status").out);
    assert_eq!(desk.run("import --yes").code, 0);
}

#[test]
fn words_beside_a_large_image_are_read() {
    for (bytes, agent) in
        [(800_000, "claude-code"), (6_000_000, "claude-code"), (2_000_000, "codex")]
    {
        let mut desk = desk(agent);
        let root = desk.root().canonicalize().unwrap();
        let words = "From now on the cache limit is 9 blocks";
        let path = if agent == "codex" {
            let url = format!(
                "data:image/png;base64,{}",
                image(bytes)["source"]["data"].as_str().unwrap()
            );
            let content =
                json!([{"type": "image", "image_url": url}, {"type": "text", "text": words}]);
            let item = json!({"type": "UserMessage", "id": "i1", "content": content});
            codex_rollout(
                &desk,
                &root,
                "shot",
                &[
                    json!({"timestamp": "2026-03-15T09:00:00Z", "type": "event_msg", "payload": {"type": "item_completed", "item": item}}),
                ],
            )
        } else {
            let path = claude(&desk, &root, "shot");
            write(&path, &with_screenshot(Some(&root), bytes, words));
            path
        };
        desk.stdin = Some(hook("SessionEnd", "shot", &path, &root));
        let ran = desk.run("compact --stdin");
        assert_eq!(ran.err, "", "{agent}");
        let log = desk.read("memory/2026-03-15.md");
        assert!(log.contains(words) && !log.contains("[skipped"), "{log}");
        assert!(log.contains("## Session — 2026-03-15 10:00:00"), "{log}");
        let backup =
            std::fs::metadata(desk.root().join("memory/.session-transcript-2026-03-15.jsonl"));
        assert!(bytes < 1_000_000 || backup.unwrap().len() < 10_000, "the image is in the backup");
        desk.stdin = None;
        let ran = desk.run("status");
        assert!(ran.code == 0 && ran.out.contains("not saved  nothing"), "{}", ran.out);
        assert!(desk.ok("import --yes").out.contains("nothing new"));
    }
}

#[test]
fn a_pasted_text_larger_than_a_record_is_cut_and_says_by_how_much() {
    let mut desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let words = format!("Read this log. {}", "a line of it\n".repeat(200_000));
    let prompt = json!({"type": "user", "uuid": "prompt-0123456789abcdef", "sessionId": "long", "cwd": root,
        "timestamp": "2026-03-15T09:00:00Z", "message": {"role": "user", "content": words}});
    let path = claude(&desk, &root, "long");
    write(&path, &lines(&[prompt, reply("long", &root, "09:01", "It is the zone.")]));
    desk.stdin = Some(hook("SessionEnd", "long", &path, &root));
    assert_eq!(desk.run("compact --stdin").err, "");
    let log = desk.read("memory/2026-03-15.md");
    assert!(log.contains("**User:** Read this log.") && log.contains("It is the zone."));
    let cut = log.lines().find_map(|line| line.strip_prefix("(cut: ")).expect("no note");
    let cut: usize = cut.split(' ').next().unwrap().parse().unwrap();
    assert!((2_500_000..2_900_000).contains(&cut), "{cut}");
}

#[test]
fn what_is_no_record_however_it_is_read_is_named_and_counted() {
    let mut desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let path = claude(&desk, &root, "odd");
    let said = reply("odd", &root, "09:01", "It is the zone.");
    write(&path, &format!("{}\n{}", "x".repeat(1_500_000), lines(&[said])));
    desk.stdin = Some(hook("SessionEnd", "odd", &path, &root));
    let ran = desk.run("compact --stdin");
    assert!(ran.err.contains("1 line of it is no record"), "{}", ran.err);
    let log = desk.read("memory/2026-03-15.md");
    assert!(log.contains("[skipped: a record of 1500000 bytes]"), "{log}");
}
