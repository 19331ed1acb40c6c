//! What identifies the rules in force.

use xxhash_rust::xxh3::Xxh3;

use super::config::RedactionConfig;
use super::rules;

/// Counts up when the code around the rules changes what is redacted.
const REVISION: u32 = 7;

/// A hash of everything that decides what is redacted, without compiling any of it.
pub(super) fn version(config: &RedactionConfig) -> u64 {
    let mut hash = Xxh3::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(&[0]);
    };
    add(&REVISION.to_string());
    add(rules::SOURCE);
    for list in [&config.allow, &config.disable] {
        add(&list.len().to_string());
        for entry in list {
            add(entry);
        }
    }
    for rule in &config.rules {
        add(&rule.id);
        add(&rule.regex);
        for word in &rule.keywords {
            add(word);
        }
    }
    hash.digest()
}
