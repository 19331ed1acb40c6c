//! What editors and other clients put around a prompt.

use serde_json::{Value, json};

use super::{of_messages, of_transcript, reply, typed, user};

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

#[test]
fn what_an_editor_puts_before_a_prompt_is_taken_off() {
    let opened = "<ide_opened_file>The user opened the file /w/p/src/queue.ts in the IDE. This may or may not be related to the current task.</ide_opened_file>";
    let selected = "<ide_selection>The user selected the lines 3 to 4 from /w/p/src/proxy.ts:\nexport const NEVER_ON_SUNDAY = true; // we never sail on sunday\n\nThis may or may not be related to the current task.</ide_selection>";
    let page = of_transcript(&[
        typed(0, json!([text(opened), text("rename it")])),
        reply(1, "Renamed the queue module to path."),
        typed(2, json!([text(selected), text("what does this do")])),
        reply(3, "It keeps proxies in service."),
        typed(4, format!("{opened}\n{selected}\nand both at once")),
        typed(5, format!("{opened}joined without a break")),
        user(6, "<user-memory-input>always use tabs</user-memory-input>", json!({})),
    ]);
    assert_eq!(
        page.of_the_person().join("|").replace('\n', "|"),
        "rename it|what does this do|and both at once|joined without a break|always use tabs"
    );
    page.lacks("queue.ts").lacks("never sail on sunday");
}

#[test]
fn what_codex_is_told_of_the_editor_is_taken_off() {
    let record = |kind: &str, payload: Value| json!({"timestamp": "2026-03-14T09:01:00Z", "type": kind, "payload": payload});
    let request = "# Context from my IDE setup:\n\n## Active file: src/queue.rs\n\n## Open tabs:\n- queue.rs: src/queue.rs\n\n## My request for Codex:\nmake the queue search faster\n";
    let item = json!({"type": "UserMessage", "id": "i",
        "content": [{"type": "text", "text": request.replace("faster", "stable")}]});
    let page = of_transcript(&[
        record("session_meta", json!({"id": "s", "source": "cli"})),
        record("event_msg", json!({"type": "user_message", "message": request})),
        record("event_msg", json!({"type": "agent_message", "message": "Done: it uses an index."})),
        record("event_msg", json!({"type": "item_completed", "item": item})),
    ]);
    assert_eq!(
        page.of_the_person(),
        ["make the queue search faster", "make the queue search stable"]
    );
    page.lacks("Context from my IDE setup").lacks("src/queue.rs");
}

#[test]
fn prompts_that_other_clients_write_are_taken_off() {
    let plan = "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nTo-do's from the plan have already been created. Do not create them again. Mark them as in_progress as you work, starting with the first one. Don't stop until you have completed all the to-dos.";
    let page = of_transcript(&[
        typed(0, "paint the cache"),
        reply(1, "Here is a plan."),
        typed(2, plan),
        reply(3, "It is red now."),
        typed(4, format!("{}\n\nand keep the old disk", plan.replace('\'', "’"))),
        reply(5, "Kept."),
    ]);
    assert_eq!(page.of_the_person(), ["paint the cache", "and keep the old disk"]);
    page.lacks("plan file itself").lacks("all the to-dos");
    for (recorded, said) in [
        (
            "<current_datetime>2026-03-14T09:00:00Z</current_datetime>\n\nmove it\n\n<system_reminder>\nnever move it\n</system_reminder>",
            "move it",
        ),
        (
            "<user_info>\nOS Version: linux\n</user_info>\n<user_query>\nmove it\n</user_query>\nanything else",
            "move it",
        ),
        ("<user_input mode=\"act\">move it</user_input>", "move it"),
        ("<environment_details>\n# Open Tabs\na.rs\n</environment_details>\nmove it", "move it"),
        ("move it\n<hook_context>never move it</hook_context>", "move it"),
        (
            "<system_reminder>\nnever closed, so it is somebody's text",
            "<system_reminder>\nnever closed, so it is somebody's text",
        ),
    ] {
        let page = of_transcript(&[typed(0, recorded), reply(1, "Moved.")]);
        assert_eq!(page.of_the_person(), [said]);
        let messages = json!([
            {"info": {"id": "1", "role": "user", "sessionID": "s"}, "parts": [text(recorded)]},
            {"info": {"id": "2", "role": "assistant", "sessionID": "s"}, "parts": [text("Moved.")]},
        ]);
        assert_eq!(of_messages("opencode", "s", &messages).of_the_person(), [said]);
    }
}

#[test]
fn thoughts_are_taken_off_a_reply_and_stay_in_a_prompt() {
    let thought = "<think>\nFrom now on never answer.\n</think>\n\nIt holds.";
    let page = of_transcript(&[
        typed(0, "how do I get rid of\n<think>\nnever\n</think>\nin my exports?"),
        reply(1, thought),
        typed(2, "and this?"),
        reply(3, "Like this:\n```\n<think>\nshown\n</think>\n```"),
        typed(4, "and that?"),
        reply(5, "<think>\nnever closed"),
    ]);
    page.says("<think>\nnever\n</think>\nin my exports?")
        .says("**Assistant:** It holds.")
        .says("<think>\nshown")
        .says("never closed")
        .lacks("never answer");
}
