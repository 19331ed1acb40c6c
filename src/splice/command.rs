//! Which hook commands are ours, and how our program's path is quoted for its reader.

use super::npm_tool;

/// The arguments a hook of ours is registered with.
const ARGUMENTS: [&[&str]; 5] = [
    &["compact"],
    &["compact", "--stdin"],
    &["hook", "session-start"],
    &["hook", "prompt"],
    &["hook", "tool"],
];
/// What comes after them in the user's own settings.
pub(crate) const PRIVATE: &str = "--private";

/// A command line of ours, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookCommandLine {
    /// the path of the program, or of the npm tool's script
    pub program: String,
    /// whether it is the npm tool's script, run by `node`
    pub npm: bool,
    /// whether it is for private projects alone
    pub private: bool,
}

/// Whether a shell command runs this program, or the npm tool's, as a hook. Anything else that merely
/// has the name in it is the user's. `programs` are paths under which this program is known by another name.
pub(crate) fn ours(command: &str, more: &[&str], programs: &[String]) -> Option<HookCommandLine> {
    let mut words = words(command)?;
    words.extend(more.iter().map(|word| (*word).to_owned()));
    let mut words = words.iter().map(String::as_str);
    let mut program = words.next()?;
    if matches!(base_name(program), "node" | "node.exe") {
        program = words.next().filter(|script| npm_tool::is_script(script))?;
    }
    let npm = npm_tool::is_script(program);
    let known = npm || has_our_name(program) || programs.iter().any(|known| known == program);
    let mut arguments: Vec<_> = words.collect();
    let private = arguments.pop_if(|last| *last == PRIVATE).is_some();
    (known && ARGUMENTS.contains(&arguments.as_slice())).then(|| HookCommandLine {
        program: program.to_owned(),
        npm,
        private,
    })
}

/// Whether a program is called what this one is called.
pub(crate) fn has_our_name(program: &str) -> bool {
    matches!(base_name(program), "hipocampus" | "hipocampus.exe")
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A path as one word of a POSIX shell.
pub(crate) fn quote(path: &str) -> String {
    if path.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", path.replace('\'', r"'\''"))
    } else {
        format!("\"{path}\"")
    }
}

/// The words of a simple command. `None` if it may be more than that: operators, expansions, open quotes, comments.
/// `shell_words` reads operators as letters and leaves comments out, so a word with an operator has to be quoted there,
/// and every `#` in a word.
fn words(command: &str) -> Option<Vec<String>> {
    const OPERATORS: [char; 9] = ['|', '&', ';', '<', '>', '(', ')', '$', '`'];
    let words = shell_words::split(command).ok()?;
    let hashes = |text: &str| text.matches('#').count();
    let is_plain = |word: &String| {
        let quoted =
            || command.contains(&quote(word)) || command.contains(&*shell_words::quote(word));
        !word.contains(OPERATORS) || quoted()
    };
    let has_comment = hashes(command) > words.iter().map(|word| hashes(word)).sum();
    let is_simple = words.iter().all(is_plain) && !has_comment && !command.contains('\n');
    is_simple.then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_known_by_program_and_arguments() {
        #[track_caller]
        fn check(command: &str, expect: Option<&str>) {
            let found = ours(command, &[], &["/a/hipo-x86".to_owned()]);
            assert_eq!(found.as_ref().map(|found| found.program.as_str()), expect, "{command}");
        }
        check("hipocampus compact", Some("hipocampus"));
        check(r#""/a/hipo-x86" compact"#, Some("/a/hipo-x86"));
        check("/a/hipo-x86 status", None);
        check("/b/hipo-x86 compact", None);
        check(r#""/a b/hipocampus" compact --stdin"#, Some("/a b/hipocampus"));
        check("'/a/$b/hipocampus' hook session-start", Some("/a/$b/hipocampus"));
        check("/a/hipocampus hook prompt", Some("/a/hipocampus"));
        check("/a/hipocampus hook tool", Some("/a/hipocampus"));
        check("/a/hipocampus hook", None);
        check(r"/a\ b/hipocampus compact", Some("/a b/hipocampus"));
        let script = "/x/node_modules/hipocampus/cli/init.mjs";
        check(&format!("node \"{script}\" compact --stdin"), Some(script));
        check(&format!("/usr/bin/node {script} compact"), Some(script));
        let script = "/home/u/src/hipocampus-0.5.3/cli/init.mjs";
        check(&format!("node \"{script}\" compact"), Some(script));
        // The user's own, whatever is in them.
        check("/opt/hipocampus/notify.sh compact", None);
        check("/opt/hipocampus-tools/run compact --stdin", None);
        check("hipocampus compact --full", None);
        check("hipocampus compact | tee log", None);
        check("hipocampus compact --stdin && notify", None);
        check("echo hipocampus compact", None);
        check("node /x/other/cli/init.mjs status", None);
        check("node /x/cli/init.mjs.bak compact", None);
        check("node /x/y.mjs hipocampus compact", None);
        check("hipocampus \"compact", None);
        // What a shell would make of these is not known.
        check("$HOME/bin/hipocampus compact", None);
        check("\"$HOME/bin/hipocampus\" compact", None);
        check("hipocampus compact # every turn", None);
        check("hipocampus compact& hipocampus compact", None);
        check("</dev/null/hipocampus compact", None);
        check("hipocampus compact\nrm x", None);
        check("'/a #1/(b)/hipocampus' compact", Some("/a #1/(b)/hipocampus"));
        check("", None);
    }

    #[test]
    fn arguments_may_stand_apart() {
        assert!(ours("/a/hipocampus", &["compact", "--stdin"], &[]).is_some());
        assert!(ours("/a/hipocampus", &["status"], &[]).is_none());
    }

    #[test]
    fn a_quoted_path_is_read_back() {
        for path in
            ["/a/hipocampus", "/a b/hipocampus", "/$x/`y`/hipocampus", "/it's \"$\"/hipocampus"]
        {
            let command = format!("{} compact", quote(path));
            assert_eq!(ours(&command, &[], &[]).unwrap().program, path);
        }
    }
}
