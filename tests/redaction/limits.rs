//! Hostile text costs no more than its length.

#[cfg(target_os = "linux")]
use std::process::Command;

use hipocampus::redact::Redactor;
use rustix::time::{ClockId, clock_gettime};

use crate::sample::{ALNUM, Random};

/// Bytes of each sample.
const SIZE: usize = 600_000;

/// Four times the text may be a little over four times the work; where each match looks at all the rest it is sixteen
/// times as much. What counts is the processor's time for this thread, which others on a busy machine do not add to.
fn check(samples: &[&str]) {
    let so_far = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    };
    let work = |size: usize, sample: &str| {
        let text = sample.repeat(size / sample.len());
        let before = so_far();
        Redactor::standard().redact(text.as_bytes());
        so_far() - before
    };
    work(1000, "the rules are made once");
    for sample in samples {
        let (single, fourfold) = (work(SIZE / 4, sample), work(SIZE, sample));
        assert!(fourfold < single * 8 + 10_000_000, "{sample:?}: {single} ns, {fourfold} ns");
    }
}

#[test]
fn one_line_without_end() {
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
