//! What an `allow` lets through that the built-in rules take. `status` tells: a clone may bring the configuration.

use std::collections::BTreeSet;

use super::{RedactionConfig, Redactor};

/// An entry of `redaction.allow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetThrough {
    /// which one, from 0
    pub index: usize,
    /// the ids of the built-in rules that no longer take all they would
    pub rules: BTreeSet<String>,
}

/// The entries of `redaction.allow` that let through what built-in rules take, tried on what such secrets look like
/// and on the entry itself. An entry that is wrong lets nothing through.
pub fn let_through(config: &RedactionConfig) -> Vec<LetThrough> {
    let standard = Redactor::standard();
    let entries = config.allow.iter().enumerate();
    let found = entries.filter_map(|(index, entry)| {
        let alone = RedactionConfig { allow: vec![entry.clone()], ..RedactionConfig::default() };
        let lax = Redactor::from_config(&alone).ok()?;
        let mut rules = BTreeSet::new();
        for text in samples(entry) {
            let left = lax.redact(text.as_bytes()).counts;
            for (id, count) in standard.redact(text.as_bytes()).counts {
                if left.get(&id).is_none_or(|left| *left < count) {
                    rules.insert(id.into_owned());
                }
            }
        }
        (!rules.is_empty()).then_some(LetThrough { index, rules })
    });
    found.collect()
}

/// Texts with one secret each, made up on the spot so that none is in a file of this program.
fn samples(entry: &str) -> Vec<String> {
    const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const ALNUM: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const HEX: &[u8] = b"0123456789abcdef";
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut fake = |alphabet: &[u8], length: usize| -> String {
        let mut letter = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % alphabet.len()
        };
        (0..length).map(|_| char::from(alphabet[letter()])).collect()
    };
    vec![
        format!("AKIA{}", fake(UPPER, 16)),
        format!("ghp_{}", fake(ALNUM, 36)),
        format!("sk-ant-api03-{}AA", fake(ALNUM, 93)),
        format!("xoxb-{}-{}-{}", fake(b"123456789", 12), fake(b"123456789", 12), fake(ALNUM, 24)),
        format!("client_secret: {}", fake(HEX, 64)),
        format!("Authorization: Bearer {}", fake(ALNUM, 40)),
        format!("postgres://app:{}@db.test/x", fake(ALNUM, 14)),
        format!("DB_PASSWORD={}", fake(ALNUM, 12)),
        format!("password: {}&{}", fake(ALNUM, 8), fake(ALNUM, 4)),
        format!("-----BEGIN {0}-----\n{1}\n-----END {0}-----", "PRIVATE KEY", fake(ALNUM, 64)),
        entry.to_owned(),
        format!("password: {entry}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_secrets_through_is_named_by_rule() {
        fn check(allow: &[&str], expect: &[(usize, usize)]) {
            let allow = allow.iter().map(|entry| (*entry).to_owned()).collect();
            let found = let_through(&RedactionConfig { allow, ..RedactionConfig::default() });
            let least = |found: &LetThrough| {
                expect.iter().any(|(at, rules)| *at == found.index && found.rules.len() >= *rules)
            };
            assert!(found.len() == expect.len() && found.iter().all(least), "{found:?}");
        }
        check(&["[^ ]+"], &[(0, 6)]);
        check(&[".*"], &[(0, 6)]);
        check(&["(?s).*"], &[(0, 7)]);
        check(&["demo", "ghp_.*", "("], &[(1, 1)]);
        check(&["Tr0ub4dor&3x"], &[(0, 1)]);
        check(&[], &[]);
    }

    #[test]
    fn each_text_has_something_for_a_rule() {
        let standard = Redactor::standard();
        for text in samples("").into_iter().filter(|text| text.len() > 12) {
            assert_eq!(standard.redact(text.as_bytes()).total(), 1, "{text:.12}");
        }
    }
}
