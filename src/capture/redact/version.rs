//! What identifies the rules in force.

use xxhash_rust::xxh3::Xxh3;

use super::config::RedactionConfig;
use super::rules::{self, Anchor, Gate};
use super::{foreign, services, words};

/// Counts up when the code around the table changes what is redacted.
const REVISION: u32 = 6;

/// A hash of everything that decides what is redacted, without compiling any of it.
pub(super) fn version(config: &RedactionConfig) -> u64 {
    let mut hash = Xxh3::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(&[0]);
    };
    add(&REVISION.to_string());
    // Every run asks for this, and many rules have the same terms.
    let mut known: Vec<((Anchor, Gate, usize), String)> = Vec::new();
    for rule in rules::TABLE.iter() {
        add(rule.id);
        add(rule.pattern);
        rule.keywords.iter().copied().for_each(&mut add);
        let terms @ (anchor, gate, window) = (rule.anchor, rule.gate, rule.window);
        if let Some((_, text)) = known.iter().find(|(known, _)| *known == terms) {
            add(text);
        } else {
            let text = format!("{anchor:?} {gate:?} {window}");
            add(&text);
            known.push((terms, text));
        }
    }
    words::ENGLISH.into_iter().chain(services::names()).for_each(&mut add);
    for (word, _) in foreign::WORDS {
        add(word);
    }
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
