//! Subjects of commits as statements: nobody tells in fewer words what came of a sitting than who commits it.

use bumpalo::Bump;

use super::cues::Cue;
use super::passage::{Passage, Role};
use super::statement::stands_alone;

/// The most subjects of a sitting that are looked at, its last ones.
const MOST: usize = 12;
/// How those begin that git or a machine makes, or that say of themselves that they are none.
const DULL: [&str; 12] = [
    "Merge branch ",
    "Merge pull request ",
    "Merge remote-tracking ",
    "Merge tag ",
    "Merge commit ",
    "merge branch ",
    "fixup!",
    "squash!",
    "amend!",
    "bump ",
    "Bump ",
    "revert",
];
/// Those of them that are whole words, or stand before a version.
const DULL_WORDS: [&str; 2] = ["wip", "wip:"];
const OF_VERSIONS: [&str; 2] = ["release ", "version "];
/// What takes another subject back that stands in quotes behind it.
const REVERT: &str = "Revert \"";
/// What kind of change a subject says it is, not of what, in front of a colon or a scope in brackets.
const KINDS: [&str; 14] = [
    "build", "chore", "ci", "deps", "doc", "docs", "feat", "fix", "perf", "refactor", "style",
    "test", "tests", "misc",
];

/// Adds what the subjects of commits tell, in their order.
pub(crate) fn add_commits<'a>(found: &mut Vec<Passage<'a>>, commits: &[&'a str], arena: &'a Bump) {
    let last = &commits[commits.len().saturating_sub(MOST)..];
    let is_reverted = |subject: &str| {
        let reverted = last.iter().filter_map(|other| other.strip_prefix(REVERT));
        reverted.map(|quoted| quoted.trim_end_matches('"')).any(|quoted| quoted == subject)
    };
    let told = last.iter().filter(|subject| !is_reverted(subject));
    let told = told.filter_map(|subject| told_by(subject, arena));
    found.extend(told.filter(|text| stands_alone(text)).map(|text| {
        let passage = Passage::again(text, Role::Committed, arena);
        Passage { cue: passage.cue.or(Some(Cue::Change)), factor: 16, ..passage }
    }));
}

/// A subject without the kind of change it says it is: `auth: take expired tokens` of `fix(auth): take expired tokens`. `None` of one
/// that tells nothing.
fn told_by<'a>(subject: &'a str, arena: &'a Bump) -> Option<&'a str> {
    if is_dull(subject) {
        return None;
    }
    let Some((kind, text)) = subject.split_once(": ") else { return Some(subject) };
    let kind = kind.trim_end_matches('!');
    let (kind, scope) = match kind.split_once('(') {
        Some((kind, scope)) => (kind, scope.trim_end_matches(')')),
        None => (kind, ""),
    };
    if !is_kind_of_change(kind) {
        return Some(subject);
    }
    let told = if scope.is_empty() { text } else { arena.alloc_str(&[scope, ": ", text].concat()) };
    (!is_dull(text)).then_some(told)
}

/// Whether a subject says with a word only what kind of change it is: `fix`, `chore`.
pub(crate) fn is_kind_of_change(word: &str) -> bool {
    KINDS.contains(&word)
}

fn is_dull(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let is_version =
        |rest: &str| rest.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    DULL.iter().any(|dull| subject.starts_with(dull))
        || subject.starts_with(REVERT)
        || lower.split(' ').next().is_some_and(|first| DULL_WORDS.contains(&first))
        || OF_VERSIONS.iter().filter_map(|word| lower.strip_prefix(word)).any(is_version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_tells_what_was_changed() {
        fn check(subject: &str, expect: &[&str]) {
            let arena = Bump::new();
            let mut found = Vec::new();
            add_commits(&mut found, &[subject], &arena);
            let told: Vec<&str> = found.iter().map(|passage| passage.text).collect();
            assert_eq!(told, expect, "{subject}");
        }
        let crane = "take the crane off the north quay";
        check(crane, &[crane]);
        check(&format!("feat: {crane}"), &[crane]);
        check(&format!("fix(yard)!: {crane}"), &[&format!("yard: {crane}")]);
        check(&format!("yard: {crane}"), &[&format!("yard: {crane}")]);
        check("Merge branch 'crane' into main of the harbour", &[]);
        check("fixup! take the crane off the quay", &[]);
        check("fix crane", &[]);
        check("revert: take the crane off the north quay", &[]);
        check("chore(deps): bump crane from 1.0.1 to 1.0.2", &[]);
        check("wip: take the crane off the quay", &[]);
        check("release v1.2 of the harbour tool", &[]);
        for told in [
            "wipe the berths before the tide comes in",
            "release the rope when the crane is down",
            "Merge the two berths of the pier",
        ] {
            check(told, &[told]);
        }
    }

    #[test]
    fn what_was_taken_back_is_not_told() {
        let arena = Bump::new();
        let crane = "take the crane off the north quay";
        let mut found = Vec::new();
        let reverted = format!("Revert \"{crane}\"");
        add_commits(&mut found, &[crane, &reverted], &arena);
        assert!(found.is_empty());
    }

    #[test]
    fn of_many_subjects_the_last_ones_are_told() {
        let all: Vec<String> = (0..20).map(|at| format!("move the berth to pier {at}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let arena = Bump::new();
        let mut found = Vec::new();
        add_commits(&mut found, &all, &arena);
        assert_eq!((found.len(), found[0].text), (MOST, "move the berth to pier 8"));
    }
}
