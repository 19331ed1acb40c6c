//! Private keys of several lines, however they were pasted.

use crate::sample::{ALNUM, fake, redacted};

const MARK: &str = "[REDACTED:private-key]";

fn lines() -> Vec<String> {
    let mut lines: Vec<_> =
        (0..6).map(|n| format!("MII{}", fake(ALNUM, 61 - n) + &fake(ALNUM, n))).collect();
    lines.push(fake(ALNUM, 22) + "==");
    lines
}

/// A key of this label; every line after the first starts with `lead`.
fn pem(label: &str, lead: &str) -> String {
    let mut key = vec![format!("-----BEGIN {label}-----")];
    key.extend(lines());
    key.push(format!("-----END {label}-----"));
    key.join(&format!("\n{lead}"))
}

#[test]
fn npm_left_the_body_of_a_private_key() {
    for label in [
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        for lead in ["", "    ", "> ", "# ", "2026-04-26 12:36:01 "] {
            let text = format!("before\n\n{lead}{}\n\nafter", pem(label, lead));
            assert_eq!(
                redacted(&text),
                format!("before\n\n{lead}{MARK}\n\nafter"),
                "{label} {lead:?}"
            );
        }
    }
}

#[test]
fn escaped_keys_stay_inside_their_string() {
    let key = pem("RSA PRIVATE KEY", "");
    for line_end in [r"\n", r"\r\n"] {
        let text =
            format!(r#"{{"a":"x","key":"{}{line_end}","b":1}}"#, key.replace('\n', line_end));
        let expect = format!(r#"{{"a":"x","key":"{MARK}{line_end}","b":1}}"#);
        assert_eq!(redacted(&text), expect);
        let nested = format!("log: {}", text.replace('\\', r"\\").replace('"', r#"\""#));
        let expect = format!("log: {}", expect.replace('\\', r"\\").replace('"', r#"\""#));
        assert_eq!(redacted(&nested), expect);
    }
}

#[test]
fn a_key_cut_off_before_its_end_goes_as_far_as_it_goes() {
    let key = pem("RSA PRIVATE KEY", "");
    for kept in [2, 4, 7] {
        let cut = key.lines().take(kept).collect::<Vec<_>>().join("\n");
        assert_eq!(
            redacted(&format!("a\n{cut}\n\nThen we went on.")),
            format!("a\n{MARK}\n\nThen we went on."),
            "{kept}"
        );
        assert_eq!(redacted(&format!("a\n{cut}")), format!("a\n{MARK}"));
    }
    let half = &key[..key.len() / 2];
    assert_eq!(redacted(half), MARK);
}

#[test]
fn source_code_keeps_its_quotes() {
    let joined = pem("RSA PRIVATE KEY", "").replace('\n', "\" +\n  \"");
    let out = redacted(&format!("key = \"{joined}\";\n"));
    assert!(lines().iter().all(|line| !out.contains(line)), "{out}");
    assert_eq!(out.matches('"').count(), 18, "{out}");
}

#[test]
fn putty_keys_keep_their_head() {
    let text = format!(
        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 7\n{}\nafter it all",
        lines().join("\n")
    );
    let out = redacted(&text);
    assert!(
        out.starts_with("PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 7\n[REDACTED:"),
        "{out}"
    );
    assert!(out.ends_with("\nafter it all") && !out.contains("MII"), "{out}");
}

#[test]
fn public_keys_and_talk_about_keys_stay() {
    for text in [
        pem("PUBLIC KEY", ""),
        pem("CERTIFICATE", ""),
        pem("PGP PUBLIC KEY BLOCK", ""),
        "-----BEGIN PRIVATE KEY-----".to_owned(),
        "-----BEGIN RSA PRIVATE KEY----- ... -----END RSA PRIVATE KEY-----".to_owned(),
        "-----BEGIN RSA PRIVATE KEY-----\nwas in the log, so we rotated it".to_owned(),
        "grep -r \"BEGIN RSA PRIVATE KEY\" .".to_owned(),
    ] {
        assert_eq!(redacted(&text), text);
    }
}
