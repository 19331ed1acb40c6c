//! What an extract says of the lines of a session: only what is plain is marked as more than a reply.

use crate::support::Project;

/// The extract of a long day that has these turns in it, the user's and the assistant's in turn.
fn extract(turns: &[(&str, &str)]) -> String {
    let mut log = String::from("## Session — 2026-03-09 10:00:00 — the harbour gate\n\n");
    for (user, assistant) in turns {
        log.push_str(&["**User:** ", user, "\n\n**Assistant:** ", assistant, "\n\n"].concat());
    }
    log.push_str(&"Reading the next file of the tree now.\n".repeat(300));
    let project = Project::with_logs([("2026-03-09", &*log)]);
    project.compact("2026-03-11");
    let node = project.text("memory/daily/2026-03-09.md");
    assert!(node.contains("it is an extract"), "{node}");
    node
}

#[test]
fn a_proposal_is_turned_down_by_a_plain_no_alone() {
    let node = extract(&[
        ("Where do drafts go?", "I'd suggest a second store for drafts on the same disk."),
        ("no, one file is enough", "Drafts stay in the one file then."),
        (
            "How do I clean the hinge?",
            "Brush it, then oil it. That keeps the hinge quiet for years.",
        ),
        ("No, that's all. Thanks for the tips!", "The hinge list is in the readme."),
        ("Who paints it?", "I'd suggest that the harbour paints the gate. The boats wait outside."),
        ("No. \"The boats wait outside\" is not what I said", "They wait inside, then."),
        ("Which gate next?", "The north gate has three hinges, and the south gate has two hinges."),
        (
            "I don't think I oiled the three hinges of the north gate",
            "Then the north gate comes next.",
        ),
    ]);
    let refused = "- turned down: I'd suggest a second store for drafts on the same disk. \
                   (user: \"no, one file is enough\")\n";
    assert!(node.contains(refused), "{node}");
    assert_eq!(node.matches("turned down:").count(), 1, "{node}");
}

#[test]
fn a_cause_is_a_reply_that_begins_with_it() {
    let node = extract(&[
        ("Why does the gate creak?", "The root cause is the dry hinge: it was oiled once in 2019."),
        ("And the lock?", "Wet soap can cause rust on a lock, which is why people use graphite."),
        ("Anything else?", "The lamp had to be replaced due to the storm of last March."),
    ]);
    assert!(node.contains("- cause: The root cause is the dry hinge"), "{node}");
    assert_eq!(node.matches("- cause:").count(), 1, "{node}");
    assert!(node.contains("Wet soap can cause rust") && node.contains("The lamp had"), "{node}");
}
