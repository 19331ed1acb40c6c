//! What a tool call makes: the files it writes, the commits.
//!
//! Read from what the tool was called with, because that says where, and for commits from what git printed.

use super::{Raw, fields, object, string, value};

/// The longest subject of a commit that is kept, in characters.
const SUBJECT: usize = 200;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) files: Vec<String>,
    pub(super) commits: Vec<String>,
}

fields! {
    /// What a tool is called with, as far as it matters here, in the words of all clients.
    struct Input {
        file_path: "file_path",
        camel_path: "filePath",
        notebook_path: "notebook_path",
        path: "path",
        target: "target_file",
        command: "command",
        commands: "commands",
        cmd: "cmd",
        words: "input",
        patch: "patch",
        camel_patch: "patchText",
    }
}

/// What a call makes; `input` is an object, or a string that holds one or the words themselves.
pub(super) fn by_call(tool: &str, input: Option<Raw<'_>>) -> Made {
    let mut made = Made::default();
    let inner = string(input);
    let nested: Option<Raw<'_>> =
        inner.as_deref().and_then(|inner| serde_json::from_str(inner).ok());
    let Some(input) = object::<Input<'_>>(nested.or(input)) else {
        made.text(inner.as_deref().unwrap_or_default());
        return made;
    };
    if writes(tool) {
        let named = [input.file_path, input.camel_path, input.notebook_path, input.path];
        made.files.extend(named.into_iter().chain([input.target]).find_map(string));
    }
    let lines = value::<Vec<String>>(input.commands).map(|lines| lines.join("\n"));
    made.text(&lines.unwrap_or_default());
    let texts = [input.command, input.cmd, input.words, input.patch, input.camel_patch];
    for text in texts {
        // Codex may give a command as its words.
        let words = || value::<Vec<String>>(text).map(|words| words.join(" "));
        made.text(&string(text).or_else(words).unwrap_or_default());
    }
    made
}

/// The subjects of the commits in what git printed: `[main 1a2b3c4] fix the login`.
pub(super) fn printed(output: &str) -> Vec<String> {
    let subject = |line: &str| {
        let (place, subject) = line.strip_prefix('[')?.split_once("] ")?;
        let hash = place.rsplit(' ').next().filter(|hash| *hash != place)?;
        let is_hash = (7..=40).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| one_line(subject)).flatten()
    };
    output.lines().filter_map(subject).collect()
}

/// Whether a tool writes the file it names.
fn writes(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    let words = ["edit", "write", "create", "patch", "replace", "insert"];
    words.iter().any(|word| tool.contains(word)) && !tool.contains("todo") && !tool.contains("task")
}

/// The files that a patch names, in the form that Codex hands to `apply_patch`.
pub(crate) fn of_patch(patch: &str) -> impl Iterator<Item = String> {
    let marks = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    let named = move |line: &str| {
        let name = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
        Some(name.trim().to_owned())
    };
    patch.lines().filter_map(named)
}

impl Made {
    /// Reads a patch or a command line.
    fn text(&mut self, text: &str) {
        if text.contains("*** Begin Patch") {
            self.files.extend(of_patch(text));
        } else if text.contains("commit") {
            self.commits.extend(in_command(text));
        }
    }
}

/// The subjects of the commits that a command line makes with `git commit -m`.
fn in_command(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = command;
    while let Some(at) = rest.find("git ") {
        rest = &rest[at + 4..];
        let Some(commit) = rest.find("commit ").filter(|at| {
            // Only options of git are between: `git -C dir commit`.
            !rest[..*at].contains(['\n', ';', '|', '&'])
        }) else {
            continue;
        };
        let arguments = &rest[commit + 6..];
        let end = arguments.find("\ngit ").unwrap_or(arguments.len());
        found.extend(message(&arguments[..end]).and_then(|subject| one_line(&subject)));
        rest = arguments;
    }
    found
}

/// The first line of the message after the first `-m`, `-am` or `--message`.
fn message(arguments: &str) -> Option<String> {
    let options = [" -m ", " -am ", " -m", " --message ", " --message="];
    let found = options.iter().filter_map(|option| Some((arguments.find(option)?, option.len())));
    let (at, length) = found.min_by_key(|(at, length)| (*at, usize::MAX - length))?;
    let before = &arguments[..at];
    if before.contains(['\n', ';', '|']) || before.contains("&&") {
        return None;
    }
    let words = arguments[at + length..].trim_start();
    let quote = words.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let words = &words[1..];
    // `"$(cat <<'EOF'` and its like: the message is the text of the here-document.
    let words = match words.strip_prefix("$(cat <<") {
        Some(document) => document.split_once('\n')?.1,
        None => words,
    };
    let line = words.lines().find(|line| !line.trim().is_empty())?;
    let mut subject = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quote == '"' => subject.extend(chars.next()),
            c if c == quote => break,
            c => subject.push(c),
        }
    }
    Some(subject)
}

/// A subject on one line. What the shell would put in is not known here, so a subject with such a part does not count.
fn one_line(subject: &str) -> Option<String> {
    let subject = subject.trim();
    let known = !subject.is_empty() && !subject.starts_with('$') && subject != "EOF";
    known.then(|| subject.chars().filter(|c| !c.is_control()).take(SUBJECT).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, input: &serde_json::Value) -> Made {
        let raw = serde_json::value::to_raw_value(input).unwrap();
        by_call(tool, Some(Raw::of(&raw)))
    }

    #[test]
    fn files_are_those_that_a_tool_writes() {
        fn check(tool: &str, input: &serde_json::Value, expect: &[&str]) {
            assert_eq!(call(tool, input).files, expect, "{tool} {input}");
        }
        use serde_json::json;
        check("Edit", &json!({"file_path": "/p/a.rs", "old_string": "x"}), &["/p/a.rs"]);
        check("NotebookEdit", &json!({"notebook_path": "/p/a.ipynb"}), &["/p/a.ipynb"]);
        check("write", &json!({"filePath": "/p/b.rs"}), &["/p/b.rs"]);
        check("Read", &json!({"file_path": "/p/a.rs"}), &[]);
        check("TodoWrite", &json!({"path": "x"}), &[]);
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@\n*** Add File: b.rs\n*** End Patch";
        check("apply_patch", &json!(patch), &["a.rs", "b.rs"]);
        check("apply_patch", &json!({"input": patch}), &["a.rs", "b.rs"]);
        check(
            "exec_command",
            &json!(json!({"cmd": format!("apply_patch <<'E'\n{patch}\nE")}).to_string()),
            &["a.rs", "b.rs"],
        );
        check("shell", &json!({"command": ["bash", "-lc", patch]}), &["a.rs", "b.rs"]);
        for odd in [json!(null), json!(3), json!({"file_path": 3}), json!([])] {
            check("Edit", &odd, &[]);
        }
    }

    #[test]
    fn subjects_are_those_of_commits() {
        fn check(command: &str, expect: &[&str]) {
            let input = serde_json::json!({"command": command});
            assert_eq!(call("Bash", &input).commits, expect, "{command}");
        }
        check("git commit -m \"fix: the \\\"login\\\"\"", &["fix: the \"login\""]);
        check("git add -A && git commit -q -m 'one' && git push", &["one"]);
        check("git -C ../w commit -am 'two [user]'", &["two [user]"]);
        check("git commit -m \"$(cat <<'EOF'\nthree\n\nbody\nEOF\n)\"", &["three"]);
        check("git commit -m \"$(date)\"", &[]);
        check("git commit --amend --no-edit", &[]);
        check("git log --grep commit && echo -m 'no'", &[]);
        check("git commit -m 'a'\ngit commit -m 'b'", &["a", "b"]);
        let output = "[main 1a2b3c4] four\n 1 file changed\n[main (root-commit) 1a2b3c4d] five\n[x] no\n[a b] no";
        assert_eq!(printed(output), ["four", "five"]);
    }
}
