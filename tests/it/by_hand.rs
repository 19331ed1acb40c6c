//! What a person saves with `flush` is there as it was said, once.

use crate::desk::Desk;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    desk
}

fn save(desk: &Desk, words: &str) -> String {
    let ran = desk.run_args(&["hipocampus", "flush", "-m", words]);
    assert_eq!(ran.code, 0, "{words}: {}", ran.err);
    ran.out
}

#[test]
fn only_the_labels_of_the_specification_are_labels() {
    for words in [
        "API port: 8123",
        "budget: 4000 EUR",
        "staging server: 10.0.0.7, user deploy",
        "배포 서버: 10.0.0.7",
        "Kontakt: Frau Peters ruft dienstags an",
    ] {
        let desk = desk();
        save(&desk, words);
        let log = desk.read("memory/2026-03-15.md");
        assert_eq!(log, format!("## {words} [project]\n\n{words}\n"));
        let root = desk.read("memory/ROOT.md");
        let value = words.split(": ").nth(1).unwrap();
        assert!(root.contains(value), "{words}: {root}");
    }
    let desk = desk();
    save(&desk, "decision: SQLite: it is small");
    let log = desk.read("memory/2026-03-15.md");
    assert_eq!(log, "## SQLite: it is small [project]\n\n- decision: SQLite: it is small\n");
}

#[test]
fn a_point_within_a_number_or_a_name_ends_no_topic() {
    let desk = desk();
    save(&desk, "The gauge at 10.0.0.1 runs v1.2. Restart it with care");
    let log = desk.read("memory/2026-03-15.md");
    assert!(log.starts_with("## The gauge at 10.0.0.1 runs v1.2 [project]\n"), "{log}");
    assert!(log.ends_with("\n\nThe gauge at 10.0.0.1 runs v1.2. Restart it with care\n"), "{log}");
}

#[test]
fn saved_twice_it_stands_there_once() {
    let desk = desk();
    let first = save(&desk, "API port: 8123");
    assert!(first.contains("saved to `memory/2026-03-15.md`"), "{first}");
    save(&desk, "budget: 4000 EUR");
    let again = save(&desk, "API port: 8123");
    assert!(again.contains("is in `memory/2026-03-15.md` already"), "{again}");
    let log = desk.read("memory/2026-03-15.md");
    assert_eq!(log.matches("## API port: 8123 [project]").count(), 1, "{log}");
    // The beginning of a longer entry is another entry, and so is the same text of another type.
    save(&desk, "API port: 8123\nand 8124 for metrics");
    let ran =
        desk.run_args(&["hipocampus", "flush", "--type", "reference", "-m", "API port: 8123"]);
    assert_eq!(ran.code, 0);
    let log = desk.read("memory/2026-03-15.md");
    assert_eq!(log.matches("\nAPI port: 8123\n").count(), 3, "{log}");
}
