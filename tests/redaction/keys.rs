//! Private keys of several lines, however they were pasted.

use crate::sample::{ALNUM, HEX, fake, redacted};

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

/// The key with what `lead` makes of the number of a line before each line but the first.
fn led(lead: impl Fn(usize) -> String) -> String {
    let key = pem("RSA PRIVATE KEY", "");
    let mut lines = key.lines();
    let first = lines.next().unwrap().to_owned();
    lines.enumerate().fold(first, |text, (n, line)| text + &lead(n + 2) + line)
}

#[test]
fn lines_may_stand_behind_numbers_stamps_names_and_cells() {
    type Lead = fn(usize) -> String;
    let leads: [Lead; 14] = [
        |n| format!("\n{n:6}\t"),
        |n| format!("\n{n:6}→"),
        |n| format!("\\n{n:6}→"),
        |n| format!("\ncerts/site.pem:{n}:"),
        |n| format!("\n{n}. "),
        |n| format!("\nJan 02 03:04:{n:02} web-1 app[77]: "),
        |n| format!("\n2026-01-01T00:00:{n:02}Z INFO "),
        |n| format!("\n[2026-01-01 00:00:{n:02},123] [main] DEBUG a.B - "),
        |n| format!("\nweb_{n}  | "),
        |n| format!("\n2026-01-01T00:00:{n:02}.123456789Z stdout F "),
        |n| format!("\n2026-01-01T00:00:{n:02}.1234567Z ##[debug]"),
        |n| format!(" |\n| {n} | "),
        |_| "<br>\n".to_owned(),
        |_| "&#10;".to_owned(),
    ];
    for lead in leads {
        let text = format!("before\n{}\nwords after it", led(lead));
        assert_eq!(redacted(&text), format!("before\n{MARK}\nwords after it"), "{:?}", lead(7));
    }
}

#[test]
fn words_behind_a_cut_key_stay() {
    let hash = fake(HEX, 40);
    for text in [
        format!("-----BEGIN RSA PRIVATE KEY-----\nwas in commit {hash}\nand went"),
        "-----BEGIN RSA PRIVATE KEY-----\nsee docs/handbook/keys/rotation/of/signing/keys\n"
            .to_owned(),
        format!("{hash}\n{hash}\n-----END RSA PRIVATE KEY-----"),
        "Look for\n-----END RSA PRIVATE KEY-----\n".to_owned(),
    ] {
        assert_eq!(redacted(&text), text);
    }
}

#[test]
fn a_key_cut_off_before_its_begin_goes_up_to_its_end() {
    let key = pem("RSA PRIVATE KEY", "");
    let kept = |text: &str, from: usize| text.lines().skip(from).collect::<Vec<_>>().join("\n");
    let text = format!("and so on\n{}\nafter", kept(&key, 1));
    assert_eq!(redacted(&text), format!("and so on\n{MARK}\nafter"));
    let escaped = kept(&key, 2).replace('\n', r"\n");
    assert_eq!(redacted(&format!("…\\n{escaped}\\nafter")), format!("…\\n{MARK}\\nafter"));
    let numbered = kept(&led(|n| format!("\n{n:6}\t")), 2);
    let out = redacted(&format!("x\n{numbered}\nafter"));
    assert_eq!(out, format!("x\n     3\t{MARK}\nafter"));
}

#[test]
fn numbers_between_the_lines_of_a_key_stay() {
    let line = &lines()[0];
    for (text, expect) in [
        (
            format!("see: [\"{line}\",1000000000000000,\"-----END RSA PRIVATE KEY-----\"]"),
            "see: [\"{line}\",1000000000000000,\"-----END RSA PRIVATE KEY-----\"]",
        ),
        (
            format!(
                "see: [[\"-----BEGIN RSA PRIVATE KEY-----{line}\"],1.878152396948745e+37,\"\"]"
            ),
            "see: [[\"[REDACTED:private-key]\"],1.878152396948745e+37,\"\"]",
        ),
    ] {
        assert_eq!(redacted(&text), expect.replace("{line}", line));
    }
}

#[test]
fn keys_of_ssh2_go_too() {
    let text = format!(
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\nafter",
        lines().join("\n")
    );
    assert_eq!(redacted(&text), format!("{MARK}\nafter"));
}

#[test]
fn a_key_may_be_one_string_a_line() {
    let key = pem("RSA PRIVATE KEY", "");
    let array: Vec<_> = key.lines().map(|line| format!("\"{line}\"")).collect();
    let array = format!("{{\"v\":[{}],\"next\":\"words\"}}", array.join(",\n "));
    let log: Vec<_> = key
        .lines()
        .enumerate()
        .map(|(n, line)| format!("{{\"t\":{n},\"level\":\"INFO\",\"msg\":\"{line}\"}}"))
        .collect();
    let log = format!("{}\n{{\"t\":99,\"msg\":\"went on\"}}\n", log.join("\n"));
    for text in [array, log] {
        let out = redacted(&text);
        assert!(lines().iter().all(|line| !out.contains(line)), "{out}");
        assert_eq!(out.matches(MARK).count(), 9, "{out}");
        assert_eq!(out.replace(MARK, "").matches('"').count(), text.matches('"').count());
        assert_eq!(redacted(&out), out);
    }
    let other =
        format!("{{\"msg\":\"-----BEGIN RSA PRIVATE KEY-----\"}}\n{{\"id\":\"{}\"}}", lines()[0]);
    assert_eq!(redacted(&other), other);
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
