//! How many secrets were replaced in the logs, and how many are there as somebody wrote them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::capture::redact::Redactor;
use crate::memory::snapshot::Snapshot;

/// Counts of secrets in the logs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Secrets {
    pub(crate) replaced: usize,
    /// by the rule that took them; those of the npm tool, which named none, under `secret detected`
    pub(crate) by_rule: BTreeMap<String, usize>,
    /// those that an agent or a person wrote into a log, where they stay until `scrub`
    pub(crate) in_clear: usize,
    /// by the rule that would take them
    pub(crate) in_clear_by_rule: BTreeMap<String, usize>,
}

/// What is in front of a rule's name.
const MARK: &[u8] = b"[REDACTED:";

/// Counts what is in the logs in the place of secrets, and what the rules in force would take.
pub(crate) fn count(library: &mut Snapshot<'_>, redactor: &Redactor) -> Secrets {
    let mut secrets = Secrets::default();
    let days: Vec<_> = library.listing.logs.values().cloned().collect();
    for file in days.iter().flat_map(|files| files.iter()) {
        if let Ok(bytes) = library.take_log(file) {
            add(&bytes, &mut secrets);
            for (rule, count) in redactor.redact(&bytes).counts {
                secrets.in_clear += count;
                *secrets.in_clear_by_rule.entry(rule.to_string()).or_default() += count;
            }
        }
        library.forget_bytes();
    }
    secrets
}

fn add(log: &[u8], secrets: &mut Secrets) {
    for at in memchr::memmem::find_iter(log, MARK) {
        let rest = &log[at + MARK.len()..];
        let Some(end) = memchr::memchr2(b']', b'\n', rest).filter(|end| rest[*end] == b']') else {
            continue;
        };
        // In the title of a session the brackets are after a `\`.
        let name = rest[..end].strip_suffix(b"\\").unwrap_or(&rest[..end]);
        let rule = String::from_utf8_lossy(name).trim().to_owned();
        secrets.replaced += 1;
        *secrets.by_rule.entry(rule).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_by_rule() {
        let mut secrets = Secrets::default();
        add(
            b"a [REDACTED:password] b [REDACTED:password]\n[REDACTED: secret detected]\n[REDACTED:\n\
              ## Session \xe2\x80\x94 2026-03-15 14:02:11 \xe2\x80\x94 use \\[REDACTED:password\\] here\n",
            &mut secrets,
        );
        let by_rule = [("password", 3), ("secret detected", 1)];
        let by_rule = by_rule.map(|(rule, count)| (rule.to_owned(), count)).into();
        assert_eq!(secrets, Secrets { replaced: 4, by_rule, ..Secrets::default() });
    }
}
