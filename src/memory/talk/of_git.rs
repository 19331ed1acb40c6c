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
    /// lines of a merge, which has two old files; so many are left of the new one
    Merge(usize),
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
        // First, since what changed may be a diff itself.
        inside = inside.and_then(|inside| goes_on(inside, &plain));
        if inside.is_some() {
            continue;
        }
        let next =
            || lines[at + 1..].iter().map(|line| line.text).find(|text| !text.trim().is_empty());
        let Some((from, new)) = begin(&plain).filter(|(_, new)| is_followed(*new, &plain, next))
        else {
            kept.push(*line);
            continue;
        };
        inside = Some(new);
        let skipped = line.text.len() - plain.len();
        let before = if from == 0 { "" } else { line.text[..from + skipped].trim_end() };
        if !(before.is_empty() || before.starts_with("- ") && before.ends_with(':')) {
            kept.push(EntryLine { text: before, code: line.code });
        }
    }
    Cow::Owned(kept)
}

/// Where in a line output of git may begin, and what it is.
fn begin(line: &str) -> Option<(usize, Inside)> {
    static ANY_DIFF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --"));
    static DIFF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --git a/"));
    static MERGED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("diff --cc "));
    static STATUS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("On branch "));
    match line.as_bytes().first()? {
        b'@' if line.starts_with("@@ -") || line.starts_with("@@@ -") => {
            return Some((0, hunk(line)));
        }
        b'\t' | b' ' if is_of_status(line) => return Some((0, Inside::Status)),
        b'H' if line.starts_with("HEAD detached at ") => return Some((0, Inside::Status)),
        _ => {}
    }
    let found = |finder: &Finder<'_>, kind: Inside, is_name: fn(&str) -> bool| {
        let at = finder.find(line.as_bytes())?;
        is_name(line[at + finder.needle().len()..].trim_end()).then_some((at, kind))
    };
    // `x b/x`
    let are_paths = |paths: &str| {
        paths.split_once(' ').is_some_and(|(a, b)| is_word(a) && is_word(b) && b.starts_with("b/"))
    };
    // One search instead of two for nearly all lines.
    let diff = ANY_DIFF.find(line.as_bytes()).and_then(|_| {
        found(&DIFF, Inside::Heads, are_paths).or_else(|| found(&MERGED, Inside::Heads, is_word))
    });
    diff.or_else(|| found(&STATUS, Inside::Status, |name| is_word(name) && name.is_ascii()))
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.contains([' ', '`', '\''])
        && !text.ends_with(['.', ',', ':', '?', '!'])
}

/// Whether what stands below a line makes sure that it is git's: a sentence may end with the name of a branch.
fn is_followed<'a>(inside: Inside, line: &str, next: impl Fn() -> Option<&'a str>) -> bool {
    match inside {
        Inside::Heads if line.contains("diff --cc ") => {
            next().is_some_and(|next| is_head(next) || next.starts_with("@@@ -"))
        }
        Inside::Status if !is_of_status(line) => {
            next().is_some_and(|next| is_of_status(next) || is_heading_of_status(next))
        }
        _ => true,
    }
}

/// `@@ -12,3 +12,4 @@ fn x`: how many lines are of each file, which is one where it is not said.
fn hunk(line: &str) -> Inside {
    let count = |mark: char| {
        let range = line.split(' ').find_map(|word| word.strip_prefix(mark))?;
        range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
    };
    let (old, new) = (count('-').unwrap_or(0), count('+').unwrap_or(0));
    if line.starts_with("@@@") { Inside::Merge(new) } else { Inside::Hunk(old, new) }
}

/// `\tmodified:   gate.rs`, `  (use "git add <file>..." to mark resolution)`
fn is_of_status(line: &str) -> bool {
    const STATES: [&str; 14] = [
        "modified:  ",
        "new file:  ",
        "deleted:  ",
        "renamed:  ",
        "copied:  ",
        "typechange:  ",
        "both modified:  ",
        "both added:  ",
        "both deleted:  ",
        "added by us:  ",
        "added by them:  ",
        "deleted by us:  ",
        "deleted by them:  ",
        "unmerged:  ",
    ];
    let text = line.trim();
    line.starts_with('\t') && STATES.iter().any(|state| text.starts_with(state))
        || line.starts_with("  (") && text.contains("\"git ") && text.ends_with(')')
}

fn is_heading_of_status(line: &str) -> bool {
    const HEADINGS: [&str; 18] = [
        "Your branch is up to date with '",
        "Your branch is ahead of '",
        "Your branch is behind '",
        "Your branch and '",
        "You have unmerged paths.",
        "You are currently ",
        "All conflicts fixed but you are still merging.",
        "interactive rebase in progress",
        "Last command done",
        "No commands remaining",
        "Changes to be committed:",
        "Changes not staged for commit:",
        "Unmerged paths:",
        "Untracked files:",
        "no changes added to commit (",
        "nothing to commit, ",
        "nothing to commit (",
        "nothing added to commit but ",
    ];
    let numbered = line.strip_prefix("and have ");
    HEADINGS.iter().any(|heading| line.starts_with(heading))
        || numbered.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn goes_on(inside: Inside, line: &str) -> Option<Inside> {
    let columns = |line: &str| {
        let mut columns = line.bytes().chain([b' ', b' ']);
        (columns.next(), columns.next())
    };
    match inside {
        Inside::Heads => is_head(line).then_some(inside),
        Inside::Hunk(0, 0) => line.starts_with("\\ No newline").then_some(inside),
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
        Inside::Merge(new) => match columns(line) {
            (Some(b'-' | b' '), Some(b'-')) => Some(inside),
            (Some(b'-'), Some(b' ')) => (new > 0).then_some(inside),
            (Some(b' ' | b'+' | b'\t'), Some(b' ' | b'+' | b'\t')) if new > 0 => {
                Some(Inside::Merge(new - 1))
            }
            _ => None,
        },
        Inside::Status => {
            // A file that is not known yet stands there by its path alone.
            let path = line.strip_prefix('\t').is_some_and(|path| !path.trim().contains(' '));
            let own = path || is_of_status(line) || is_heading_of_status(line);
            (own || line.trim().is_empty()).then_some(inside)
        }
    }
}

fn is_head(line: &str) -> bool {
    const HEADS: [&str; 16] = [
        "--- ",
        "+++ ",
        "\\ No newline",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
        "similarity index ",
        "dissimilarity index ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
        "Binary files ",
        "GIT binary patch",
        "mode 1",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
        || line.strip_prefix("index ").is_some_and(|rest| rest.contains(".."))
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
        let merged = "diff --cc x\nindex 1,2..0\nmode 100644,100644..100755\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n +old\n\n++=======\n+ new";
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
        for prose in ["mode must stay read only", "rename the winch", "\n- never paint it"] {
            let lines: Vec<&str> = prose.lines().collect();
            check(&format!("{diff}\n{prose}"), &lines);
            check(&format!("{merged}\n{prose}"), &lines);
        }
    }

    #[test]
    fn a_diff_of_a_diff_is_one() {
        let inner =
            "+- the diff: diff --git a/x b/x\n+--- a/x\n++++ b/x\n+@@ -1 +1 @@\n+-old\n++new";
        check(
            &format!("diff --git a/log.md b/log.md\n@@ -0,0 +1,6 @@\n{inner}\nMend it."),
            &["Mend it."],
        );
    }

    #[test]
    fn a_sentence_about_git_is_prose() {
        for text in [
            "On branch dev\nYour branch is the wrong one, move it",
            "On branch dev\n\nnothing to commit yet because it is open",
            "On branch main，绝对不要推送",
            "On branch dev",
            "Mind: diff --cc hides it when both sides agree",
            "Use `diff --git a/x b/x` as the marker",
        ] {
            check(text, &text.lines().collect::<Vec<_>>());
        }
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
