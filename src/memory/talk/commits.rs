//! Subjects of commits as statements: nobody tells in fewer words what came of a sitting than who commits it.

use bumpalo::Bump;

use super::cues::Cue;
use super::passage::{Passage, Role};
use super::statement::stands_alone;

/// The most subjects of a sitting that are looked at, its last ones.
const MOST: usize = 12;
/// How those begin that git or a machine makes, or that say of themselves that they are none.
const DULL: [&str; 12] = [
    "Merge ",
    "merge ",
    "Revert \"",
    "fixup!",
    "squash!",
    "amend!",
    "wip",
    "WIP",
    "Bump version",
    "bump version",
    "Release ",
    "release ",
];
/// What kind of change a subject says it is, in front of a colon or a scope in brackets.
const KINDS: [&str; 15] = [
    "build", "chore", "ci", "deps", "doc", "docs", "feat", "fix", "perf", "refactor", "revert",
    "style", "test", "tests", "misc",
];

/// Adds what the subjects of commits tell, in their order.
pub(crate) fn add_commits<'a>(found: &mut Vec<Passage<'a>>, commits: &[&'a str], arena: &'a Bump) {
    let last = commits.len().saturating_sub(MOST);
    let told = commits[last..].iter().filter_map(|subject| told(subject, arena));
    found.extend(told.filter(|text| stands_alone(text)).map(|text| {
        let passage = Passage::again(text, Role::Committed, arena);
        Passage { cue: passage.cue.or(Some(Cue::Change)), factor: 16, ..passage }
    }));
}

/// A subject without the kind of change it says it is: `auth: take expired tokens` of `fix(auth): take expired tokens`.
fn told<'a>(subject: &'a str, arena: &'a Bump) -> Option<&'a str> {
    if DULL.iter().any(|dull| subject.starts_with(dull)) {
        return None;
    }
    let Some((kind, text)) = subject.split_once(": ") else { return Some(subject) };
    let kind = kind.trim_end_matches('!');
    let (kind, scope) = match kind.split_once('(') {
        Some((kind, scope)) => (kind, scope.trim_end_matches(')')),
        None => (kind, ""),
    };
    Some(match KINDS.contains(&kind) {
        false => subject,
        true if scope.is_empty() => text,
        true => arena.alloc_str(&[scope, ": ", text].concat()),
    })
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
