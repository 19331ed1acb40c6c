//! The table of rules in `spec/redaction.md` is the table of the code.

use std::collections::BTreeSet;

use hipocampus::redact::rule_ids;

#[test]
fn the_spec_lists_every_rule_once() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/spec/redaction.md");
    let spec = std::fs::read_to_string(path).unwrap();
    let (_, rules) = spec.split_once("## Built-in rules").unwrap();
    let listed: Vec<&str> = rules
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| family |"))
        .filter_map(|line| line.split('|').nth(2))
        .flat_map(|cell| cell.split(','))
        .map(|id| id.trim().trim_matches('`'))
        .collect();
    let unique: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), unique.len(), "a rule is listed twice");
    assert_eq!(unique, rule_ids().into_iter().collect(), "left: the spec, right: the code");
}
