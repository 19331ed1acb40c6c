//! What git prints, pasted into a prompt or put there by a command of a client: diffs, the status of a working tree.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::turns::unescaped;
use crate::memory::entry::EntryLine;

/// What a line is in, if it is in output of git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// what stands before the lines that changed
    Heads,
    /// lines of which so many are left of the old file and of the new one
    Hunk(usize, usize),
    /// lines of a merge, which has two old files
    Merge,
    Status,
}

/// Lines without those that git printed, whatever they look like by themselves. What stands before the first of them on its
/// line stays, unless it is an item of a list that only names it: `- Current git diff: diff --git a/…`.
pub(super) fn without_git<'l, 'a>(lines: &'l [EntryLine<'a>]) -> Cow<'l, [EntryLine<'a>]> {
    if !lines.iter().any(|line| begin(&unescaped(line.text)).is_some()) {
        return Cow::Borrowed(lines);
    }
    let mut kept = Vec::with_capacity(lines.len());
    let mut inside = None;
    for (at, line) in lines.iter().enumerate() {
        let plain = unescaped(line.text);
        let skipped = line.text.len() - plain.len();
        if let Some((from, new)) = begin(&plain) {
            inside = Some(new);
            let before = line.text[..from + skipped].trim_end();
            if !(before.is_empty() || before.starts_with("- ") && before.ends_with(':')) {
                kept.push(EntryLine { text: before, code: line.code });
            }
            continue;
        }
        let next = lines.get(at + 1).map_or("", |next| next.text);
        inside = inside.and_then(|inside| goes_on(inside, &plain, next));
        if inside.is_none() {
            kept.push(*line);
        }
    }
    Cow::Owned(kept)
}

/// Where in a line output of git begins, and what it is.
fn begin(line: &str) -> Option<(usize, Inside)> {
    static DIFF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --git a/"));
    static MERGED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --cc "));
    static STATUS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("On branch "));
    let found = |finder: &Finder<'_>| finder.find(line.as_bytes());
    match line.as_bytes().first()? {
        b'@' if line.starts_with("@@ -") => return Some((0, hunk(line))),
        b'@' if line.starts_with("@@@ -") => return Some((0, Inside::Merge)),
        b'\t' | b' ' if is_of_status(line) => return Some((0, Inside::Status)),
        _ => {}
    }
    // Nothing but a name for it stands before what a sentence may say, too.
    let named = |at: &usize| line[..*at].trim().is_empty() || line[..*at].trim().ends_with(':');
    if let Some(at) = found(&DIFF).or_else(|| found(&MERGED).filter(named)) {
        return Some((at, Inside::Heads));
    }
    let at = found(&STATUS).filter(named)?;
    let branch = line[at..].strip_prefix("On branch ").unwrap_or_default().trim();
    (!branch.is_empty() && !branch.contains(' ')).then_some((at, Inside::Status))
}

/// `@@ -12,3 +12,4 @@ fn x`: how many lines are of each file, which is one where it is not said.
fn hunk(line: &str) -> Inside {
    let count = |mark: char| {
        let range = line.split(' ').find_map(|word| word.strip_prefix(mark))?;
        range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
    };
    match (count('-'), count('+')) {
        (Some(old), Some(new)) => Inside::Hunk(old, new),
        _ => Inside::Merge,
    }
}

/// `\tmodified:   gate.rs`, `  (use "git add <file>..." to mark resolution)`
fn is_of_status(line: &str) -> bool {
    const STATES: [&str; 8] = [
        "modified:  ",
        "new file:  ",
        "deleted:  ",
        "renamed:  ",
        "copied:  ",
        "typechange:  ",
        "both modified:  ",
        "both added:  ",
    ];
    let text = line.trim();
    line.starts_with('\t') && STATES.iter().any(|state| text.starts_with(state))
        || line.starts_with("  (use \"git ") && text.ends_with(')')
}

fn goes_on(inside: Inside, line: &str, next: &str) -> Option<Inside> {
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
    let is_blank = line.trim().is_empty();
    let of_files = |line: &str| line.starts_with([' ', '\t', '+', '-']);
    match inside {
        Inside::Hunk(0, 0) | Inside::Heads => is_head(line).then_some(Inside::Heads),
        Inside::Hunk(old, new) => match line.as_bytes().first() {
            Some(b'-') => Some(Inside::Hunk(old.saturating_sub(1), new)),
            Some(b'+') => Some(Inside::Hunk(old, new.saturating_sub(1))),
            Some(b'\\') => Some(inside),
            // The blank before a line that did not change may have been taken off one that is empty.
            None | Some(b' ' | b'\t') => {
                Some(Inside::Hunk(old.saturating_sub(1), new.saturating_sub(1)))
            }
            Some(_) => None,
        },
        Inside::Merge => {
            let goes_on = if is_blank { of_files(next) } else { of_files(line) || is_head(line) };
            goes_on.then_some(inside)
        }
        Inside::Status => {
            let own = line.starts_with('\t') || OF_STATUS.iter().any(|head| line.starts_with(head));
            (is_blank || own).then_some(inside)
        }
    }
}

fn is_head(line: &str) -> bool {
    const HEADS: [&str; 12] = [
        "index ",
        "mode ",
        "--- ",
        "+++ ",
        "\\ No newline",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
        "similarity index ",
        "rename ",
        "Binary files ",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let lines: Vec<EntryLine<'_>> =
            text.lines().map(|text| EntryLine { text, code: false }).collect();
        let left = without_git(&lines);
        assert_eq!(left.iter().map(|line| line.text).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn output_ends_where_something_else_begins() {
        let diff = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn x\n context\n\n-old\n+new\n\\ No newline at end of file";
        let merged = "diff --cc x\nindex 1,2..0\nmode 100644,100644..100755\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++<<<<<<< HEAD\n +old\n\n++=======\n+ new";
        let status = "On branch dev\nYour branch is up to date with 'origin/dev'.\n\nUnmerged paths:\n  (use \"git add <file>...\" to mark resolution)\n\tboth modified:   gate.rs\n\nno changes added to commit (use \"git add\")";
        for output in [diff, merged, status] {
            check(output, &[]);
            check(&format!("- the output: {output}\nMend it."), &["Mend it."]);
            check(
                &format!("Never push this. See: {output}\nMend it."),
                &["Never push this. See:", "Mend it."],
            );
            check(&format!("{output}\n{diff}\nMend it.\n- now"), &["Mend it.", "- now"]);
        }
        check(&format!("{diff}\n- keep the winch as it is"), &["- keep the winch as it is"]);
        check(
            &format!("{status}\n- keep the winch\n  and its rope"),
            &["- keep the winch", "  and its rope"],
        );
        check("\tmodified:   gate.rs\nMend it.", &["Mend it."]);
    }

    #[test]
    fn a_sentence_about_git_is_prose() {
        for line in [
            "On branch dev the gate stays open",
            "It happens On branch dev",
            "What does diff --cc show?",
            "Your branch is the one with the gate",
            "modified:  the gate, by Ada",
            "(use \"git switch\" and never \"git checkout\" in the scripts)",
        ] {
            check(line, &[line]);
        }
    }
}
