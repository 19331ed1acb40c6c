//! What git prints, pasted into a prompt or put there by a command of a client: diffs, the status of a working tree.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// What some lines in a row are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Output {
    Diff,
    Status,
}

/// Whether output of git begins with a line, or at its end.
pub(super) fn begins(line: &str) -> bool {
    output(line).is_some()
}

fn output(line: &str) -> Option<Output> {
    static DIFF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --git a/"));
    // Of a merge, which has two sides.
    static MERGED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --cc "));
    static STATUS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("On branch "));
    let found = |finder: &Finder<'_>| finder.find(line.as_bytes());
    if line.starts_with("@@ -")
        || line.starts_with("@@@ -")
        || found(&DIFF).is_some()
        || found(&MERGED).is_some_and(|at| stands_alone(&line[..at]))
    {
        return Some(Output::Diff);
    }
    let at = found(&STATUS).filter(|at| stands_alone(&line[..*at]))?;
    let branch = line[at..].strip_prefix("On branch ").unwrap_or_default().trim();
    (!branch.is_empty() && !branch.contains(' ')).then_some(Output::Status)
}

/// Whether nothing stands before what a program prints but a name for it: `- Current git status: `.
fn stands_alone(before: &str) -> bool {
    let before = before.trim();
    before.is_empty() || before.ends_with(':')
}

/// Which of some lines are output of git, whatever they look like by themselves.
pub(super) fn of_git<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<bool> {
    let mut inside = None;
    lines
        .map(|line| {
            inside = output(line).or(inside.filter(|output| goes_on(*output, line)));
            inside.is_some()
        })
        .collect()
}

fn goes_on(output: Output, line: &str) -> bool {
    const OF_DIFF: [&str; 9] = [
        "index ",
        "mode ",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
        "similarity index ",
        "rename ",
        "Binary files ",
    ];
    const OF_STATUS: [&str; 12] = [
        "Your branch is ",
        "Your branch and '",
        "and have ",
        "You have unmerged paths",
        "All conflicts fixed but you are still merging",
        "Changes to be committed:",
        "Changes not staged for commit:",
        "Unmerged paths:",
        "Untracked files:",
        "no changes added to commit",
        "nothing to commit",
        "nothing added to commit",
    ];
    if line.trim().is_empty() || line.starts_with([' ', '\t']) {
        return true;
    }
    match output {
        Output::Diff => {
            line.starts_with(['+', '-', '@', '\\'])
                || OF_DIFF.iter().any(|head| line.starts_with(head))
        }
        Output::Status => OF_STATUS.iter().any(|head| line.starts_with(head)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_ends_where_something_else_begins() {
        fn check(text: &str, prose: &[&str]) {
            let found = of_git(text.lines());
            let left = text.lines().zip(found).filter(|(_, git)| !git).map(|(line, _)| line);
            assert_eq!(left.collect::<Vec<_>>(), prose, "{text}");
        }
        let diff = "- the diff: diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@ fn x\n context\n\n-old\n+new";
        check(&format!("{diff}\nReview it.\n- a bullet"), &["Review it.", "- a bullet"]);
        let merged = "diff --cc x\nindex 1,2..0\nmode 100644,100644..100755\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++<<<<<<< HEAD\n +old\n++=======\n+ new";
        check(&format!("{merged}\nExplain it."), &["Explain it."]);
        let status = "- Current git status: On branch dev\nYour branch is up to date with 'origin/dev'.\n\nUnmerged paths:\n  (use \"git add <file>...\" to mark resolution)\n\tboth modified:   gate.rs\n\nno changes added to commit (use \"git add\")";
        check(
            &format!("{status}\n- Current branch: dev\n\n{merged}\nMend it."),
            &["- Current branch: dev", "", "Mend it."],
        );
    }

    #[test]
    fn a_sentence_about_git_is_prose() {
        for line in [
            "On branch dev the gate stays open",
            "It happens On branch dev",
            "What does diff --cc show?",
            "Your branch is the one with the gate",
            "You have unmerged paths",
        ] {
            assert!(!begins(line), "{line}");
        }
    }
}
