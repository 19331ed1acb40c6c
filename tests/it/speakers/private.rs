//! What is marked as private, and sessions that are not saved.

use serde_json::{Value, json};

use super::{hook, of_messages, of_transcript, page, project, reply, transcript, typed};

fn blocks(texts: &[&str]) -> Value {
    texts.iter().map(|text| json!({"type": "text", "text": text})).collect()
}

#[test]
fn what_is_private_enters_nothing() {
    for content in [
        json!("move the cache <private>to anchor-7</private> at noon"),
        json!("move the cache at noon\n<private>\nto anchor-7\n\nand anchor-7 again\n</private>"),
        json!("move the cache at noon <private>to anchor-7"),
        json!("move the cache at noon <PRIVATE reason=\"x\">to anchor-7</PRIVATE>"),
        blocks(&[
            "move the cache at noon <private>to",
            "anchor-7",
            "or anchor-7</private> and back",
        ]),
        blocks(&["move the cache at noon <private>to", "anchor-7"]),
    ] {
        let records = [typed(0, content.clone()), reply(1, "Moved."), typed(2, "and the file?")];
        let page = of_transcript(&records);
        page.says("**User:** move the cache").says("and the file?").lacks("anchor-7");
        assert!(page.backup.contains("move the cache") && !page.backup.contains("anchor-7"));
        let item = |content: &Value| {
            let content = content.as_str().map_or_else(|| content.clone(), |text| blocks(&[text]));
            json!({"timestamp": "2026-03-14T09:01:00Z", "type": "event_msg", "payload":
                {"type": "item_completed", "item": {"type": "UserMessage", "id": "i", "content": content}}})
        };
        let page = of_transcript(&[item(&content)]);
        assert!(page.says("move the cache").lacks("anchor-7").backup.contains("move the cache"));
        assert!(!page.backup.contains("anchor-7"), "{}", page.backup);
        let message = |content: &Value| json!({"role": "user", "content": content, "timestamp": 1_773_478_920_000_u64});
        let page = of_messages("openclaw", "s", &json!([message(&content)]));
        assert!(!page.says("move the cache").lacks("anchor-7").backup.contains("anchor-7"));
        let parts = content.as_str().map_or_else(|| content.clone(), |text| blocks(&[text]));
        let page = of_messages(
            "opencode",
            "s",
            &json!([{"info": {"id": "1", "role": "user"}, "parts": parts}]),
        );
        assert!(!page.says("move the cache").lacks("anchor-7").backup.contains("anchor-7"));
    }
    let page = of_transcript(&[typed(0, "what does `<private>` do?"), reply(1, "It hides.")]);
    page.says("what does `<private>` do?");
    let page = of_transcript(&[typed(0, "<private>anchor-7</private>"), reply(1, "Moved it.")]);
    page.lacks("anchor-7").says("Moved it.");
}

#[test]
fn what_is_private_is_not_saved_by_hand_either() {
    let mut desk = project();
    let args = ["hipocampus", "flush", "-m", "the cache <private>of anchor-7</private> is red"];
    assert_eq!(desk.run_args(&args).code, 0);
    desk.stdin = Some("## File [project]\n- red\n<private>\n- anchor-7\n</private>\n".to_owned());
    desk.ok("flush -");
    let page = page(&desk);
    page.says("the cache  is red").says("- red").lacks("anchor-7");
}

#[test]
fn a_session_that_is_off_is_not_saved_and_status_says_so() {
    let mut desk = project();
    let path = transcript(&desk, &[typed(0, "move the cache"), reply(1, "Moved.")]);
    let before = desk.tree();
    let input =
        json!({"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": path});
    desk.stdin = Some(input.to_string());
    for command in ["hook session-start", "compact --stdin"] {
        let ran = desk.run_with(&[("HIPOCAMPUS_OFF", "1")], command);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    }
    let news: Vec<String> = crate::desk::diff(&before, &desk.tree());
    assert!(news.iter().all(|line| line.starts_with("memory")), "{news:?}");
    desk.stdin = None;
    let said = desk.run("status");
    assert!(said.out.contains("1 session was off"), "{}", said.out);
    // What was off stays off, whatever finds it later.
    hook(&mut desk, &input);
    assert_eq!(page(&desk).log, "");
    let told: Value = serde_json::from_str(&desk.run("status --json").out).unwrap();
    assert_eq!(told["off"]["sessions"], 1);
    // Another session of the project is saved as always.
    let other =
        json!({"session_id": "t", "hook_event_name": "SessionEnd", "transcript_path": path});
    hook(&mut desk, &other);
    page(&desk).says("move the cache");
}
