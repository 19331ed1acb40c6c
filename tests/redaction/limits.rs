//! Hostile text costs no more than its length. The limit is loose: quadratic behaviour takes minutes here.

#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::{Duration, Instant};

use hipocampus::redact::Redactor;

use crate::sample::{ALNUM, Random};

/// Bytes of each sample.
const SIZE: usize = 5_000_000;
const LIMIT: Duration = Duration::from_secs(30);

fn check(samples: &[&str]) {
    for sample in samples {
        let text = sample.repeat(SIZE / sample.len());
        let start = Instant::now();
        Redactor::standard().redact(text.as_bytes());
        assert!(start.elapsed() < LIMIT, "{sample:?} repeated took {:?}", start.elapsed());
    }
}

#[test]
fn one_line_of_five_megabytes() {
    check(&["a", "lorem ipsum ", "\\", "\\n", "\"", "{", "[", "x=1,", "한"]);
}

#[test]
fn keywords_without_end() {
    check(&[
        "token=",
        "password: ",
        "secret\"",
        "key ",
        "algolia=",
        "비밀번호",
        "cookie:",
        "curl -u ",
        "bearer ",
        "пароль для ",
        "PIN: 1",
        "recovery code 1",
        "password,user\n",
        "| password |\n",
        "totp secret ",
        "API_TOKEN=${API_TOKEN:-",
    ]);
}

#[test]
fn prefixes_without_end() {
    check(&[
        "eyJ-",
        "eyJ",
        "sk-",
        "glpat-",
        "ghp_",
        "AKIA",
        "8Q~",
        "1:AA",
        "0-us1",
        "x://a:b",
        "$2b$12$",
        "MTAw",
        "K2a9",
        "sk0aZ",
        "5f4dcc3b:",
        "0.a1b2c3d4-",
    ]);
}

#[test]
fn keys_without_end() {
    check(&[
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----\n> \n",
        "private-lines: 4\n",
    ]);
}

#[test]
fn marks_and_json_without_end() {
    check(&["[REDACTED", "[REDACTED:jwt]", "{\"password\":\"x\"}\n", "{\"a\":", "[\"token\","]);
}

#[cfg(target_os = "linux")]
/// A log with one line of `size` bytes, a secret in every few kilobytes of words.
fn one_line(size: usize) -> String {
    let mut text = "## a day [project]\n\n- ".to_owned();
    let words =
        "we went on with the next part of the page and looked at what was there, ".repeat(60);
    let mut random = Random::new(70);
    while text.len() < size {
        text.push_str(&words);
        text.extend(["DB_PASSWORD=", &random.text(ALNUM, 12), " and then "]);
    }
    text
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_line_takes_little_memory_beside_itself() {
    const LOG: usize = 40 << 20;
    /// what the rules allow, and the program, its libraries and its stack, which count as well
    const BESIDE: usize = (64 + 32) << 20;
    let home = tempfile::tempdir().unwrap();
    let memory = home.path().join("memory");
    std::fs::create_dir(&memory).unwrap();
    std::fs::write(home.path().join("hipocampus.config.json"), "{}\n").unwrap();
    std::fs::write(memory.join("2026-03-10.md"), one_line(LOG)).unwrap();
    let limit = (LOG + BESIDE) / 1024;
    let run = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {limit} && exec \"$0\" compact"),
            env!("CARGO_BIN_EXE_hipocampus"),
        ])
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("HIPOCAMPUS_NOW", "2026-03-10T12:00:00Z")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let read = |name: &str| std::fs::read_to_string(memory.join(name)).unwrap();
    let [day, week, month] =
        ["daily/2026-03-10.md", "weekly/2026-W11.md", "monthly/2026-03.md"].map(read);
    let body = |node: &str| node.split_once("---\n\n").unwrap().1.to_owned();
    assert!(!day.contains("DB_PASSWORD=") || day.contains("DB_PASSWORD=[REDACTED:password] and"));
    assert!(day.len() > LOG);
    assert!(body(&week) == format!("# 2026-03-10\n\n{}\n", body(&day)));
    assert!(body(&month) == format!("# 2026-W11\n\n{}", body(&week)));
}
