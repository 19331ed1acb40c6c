//! Where our section is in CLAUDE.md and AGENTS.md, and what it says to whom the program is missing.

use crate::desk::Desk;

const START: &str = "<!-- hipocampus:protocol:start -->";

#[test]
fn it_goes_below_what_the_user_wrote() {
    let mine = "# Our rules\n\nAlways run the tests.\n";
    for (platform, file) in [("claude-code", "CLAUDE.md"), ("codex", "AGENTS.md")] {
        let desk = Desk::new();
        desk.write(file, mine);
        desk.ok(&format!("init --no-search --platform {platform}"));
        let text = desk.read(file);
        assert!(text.starts_with(&format!("{mine}\n{START}\n")), "{text}");
        assert!(text.contains("No `hipocampus` here? Skip this section."));
        desk.ok("update");
        assert_eq!(desk.read(file), text);
        desk.ok("uninstall");
        assert_eq!(desk.read(file), mine);
    }
}

#[test]
fn one_that_stands_at_the_top_is_refreshed_there() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "# Our rules\n");
    desk.ok("init --no-search --platform claude-code");
    let block = desk.read("CLAUDE.md")["# Our rules\n\n".len()..].to_owned();
    let old = block.replace("This project remembers.", "This project remembered.");
    desk.write("CLAUDE.md", format!("{old}\n# Our rules\n"));
    desk.ok("update");
    assert_eq!(desk.read("CLAUDE.md"), format!("{block}\n# Our rules\n"));
    desk.ok("uninstall");
    assert_eq!(desk.read("CLAUDE.md"), "# Our rules\n");
}

#[test]
fn what_is_added_below_it_stays() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "above");
    desk.ok("init --no-search --platform claude-code");
    let text = desk.read("CLAUDE.md");
    desk.write("CLAUDE.md", format!("{text}\n\nbelow\n"));
    desk.ok("update");
    desk.ok("uninstall");
    let left = desk.read("CLAUDE.md");
    assert!(left.starts_with("above\n") && left.ends_with("below\n"), "{left:?}");
    assert!(!left.contains("hipocampus"), "{left}");
}
