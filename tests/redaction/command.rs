//! `hipocampus redact`: text on stdout, counts on stderr, never a value there.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::sample::{ALNUM, CAPITALS, fake};

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(args: &[&str], stdin: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hipocampus"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn text_goes_out_and_counts_go_to_stderr() {
    let (first, second) = (fake(CAPITALS, 16), fake(ALNUM, 36));
    let text = format!("id AKIA{first}, again AKIA{first}\ntoken ghp_{second}\n");
    for args in [&["redact"][..], &["redact", "-"]] {
        let ran = run(args, &text);
        assert_eq!(ran.code, Some(0));
        let mark = "[REDACTED:aws-access-key]";
        assert_eq!(ran.out, format!("id {mark}, again {mark}\ntoken [REDACTED:github-token]\n"));
        assert_eq!(ran.err, "redacted 3: aws-access-key 2, github-token 1\n");
    }
}

#[test]
fn nothing_found_is_nothing_said() {
    let ran = run(&["redact"], "plain words\r\nand no secret");
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "plain words\r\nand no secret", "")
    );
}

#[test]
fn json_lines_are_redacted_inside_their_strings() {
    let secret = fake(ALNUM, 36);
    let text = format!(
        "{{ \"n\": 1.50, \"a\": \"x\\u0067hp_{secret}\",\"b\":\"\\u0020ghp_{secret}\" }}\nno json ghp_{secret}\n"
    );
    let ran = run(&["redact", "--json", "-"], &text);
    let expect = format!(
        "{{ \"n\": 1.50, \"a\": \"x\\u0067hp_{secret}\",\"b\":\"\\u0020[REDACTED:github-token]\" }}\nno json [REDACTED:github-token]\n"
    );
    assert_eq!(ran.out, expect);
}

#[test]
fn a_file_is_read_and_a_missing_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.md");
    std::fs::write(&path, format!("AKIA{}", fake(CAPITALS, 16))).unwrap();
    let ran = run(&["redact", path.to_str().unwrap()], "");
    assert_eq!(ran.out, "[REDACTED:aws-access-key]");
    let ran = run(&["redact", "no-such-file"], "");
    assert_eq!(ran.code, Some(1));
    let told = "error: cannot read `no-such-file`\n  caused by: no such file or directory\nhint: ";
    assert!(ran.err.starts_with(told), "{}", ran.err);
}
