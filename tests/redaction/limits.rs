//! Hostile text costs no more than its length. The limit is loose: quadratic behaviour takes minutes here.

use std::time::{Duration, Instant};

use hipocampus::capture::redact::Redactor;

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
        "eyJ-", "eyJ", "sk-", "glpat-", "ghp_", "AKIA", "8Q~", "1:AA", "0-us1", "x://a:b",
        "$2b$12$", "MTAw",
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
