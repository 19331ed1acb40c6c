//! What holds for every text: no panic, twice is once, JSON stays JSON, clean text stays.

use hipocampus::redact::Redactor;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::sample::{ALNUM, CAPITALS, HEX, fake};

/// Pieces that rules react to; joined at random they meet most edges.
#[rustfmt::skip]
const PIECES: [&str; 84] = [
    "password", "passwd", "pw", "api_key", "apiKey", "TOKEN", "secret", "auth", "private",
    "비밀번호", "密码", "キー", "=", ": ", ":=", " => ", " ", "  ", "\n", "\\n", "\\\\n", "\"", "\\\"",
    "\\\\\\\"", "'", "`", "|", " | ", ",", ";", "(", ")", "{", "}", "[", "]", "<", ">", "&", "?",
    "://", "@", "/", "\\", "-", "_", ".", "is ", "Bearer ", "Authorization: ", "curl -u ",
    "mysql -p", "IDENTIFIED BY '", "Cookie: a=", "[REDACTED", "[REDACTED:jwt]", "[REDACTED: x]",
    "]", "xxxx", "${VAR}", "{{ v }}", "fastly", "bugsnag", "-----BEGIN RSA PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----",
    "Private-Lines: 3\n", "> ", "    ", "# 2026-03-02", "## Topic [project]", "monkey123",
    "hunter2A!", "12345678", "value=", "eyJ", "eyJhbGciOi", "sk-", "ghp_", "AKIA", "Q~", ":AA",
    "-us1", "\u{fe0f}",
];

/// One of them, a token, or anything.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let mut pieces = PIECES.map(str::to_owned).to_vec();
    pieces.push(format!("AKIA{}", fake(CAPITALS, 16)));
    pieces.push(format!("ghp_{}", fake(ALNUM, 36)));
    pieces.push(format!("eyJ{}.eyJ{}.{}", fake(ALNUM, 30), fake(ALNUM, 40), fake(ALNUM, 43)));
    pieces.extend([
        fake(ALNUM, 16),
        fake(ALNUM, 32),
        fake(ALNUM, 64),
        fake(HEX, 32),
        fake(HEX, 40),
        fake(HEX, 64),
    ]);
    prop_oneof![
        8 => proptest::sample::select(pieces).prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..6),
        1 => "[a-zA-Z0-9 ]{0,12}".prop_map(String::into_bytes),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let string = || text().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let leaf = prop_oneof![
        6 => string().prop_map(Value::String),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f32>().prop_map(|number| Value::from(f64::from(number))),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let name = prop_oneof![
        proptest::sample::select(vec![
            "password",
            "api_key",
            "token",
            "name",
            "value",
            "private_key",
            "n"
        ])
        .prop_map(str::to_owned),
        string(),
    ]
    .boxed();
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((name.clone(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The value with every string emptied: what redaction may not touch.
fn skeleton(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(items) => items.iter().map(skeleton).collect(),
        Value::Object(members) => members.values().map(skeleton).collect(),
        other => other.clone(),
    }
}

fn redact(text: &[u8]) -> Vec<u8> {
    Redactor::standard().redact(text).bytes.into_owned()
}

fn redact_jsonl(text: &[u8]) -> Vec<u8> {
    Redactor::standard().redact_jsonl(text).bytes.into_owned()
}

/// Text as a failure prints it; bytes that are no text show as themselves, too.
fn shown(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| format!("{:?}", error.into_bytes()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once(text in text()) {
        let once = redact(&text);
        prop_assert_eq!(shown(redact(&once)), shown(once));
        let lines = redact_jsonl(&text);
        prop_assert_eq!(shown(redact_jsonl(&lines)), shown(lines));
    }

    #[test]
    fn what_is_put_together_from_redacted_parts_stays(parts in vec(text(), 2..4)) {
        for heading in ["\n\n# 2026-03-02\n\n", "\n\n# 2026-W09\n\n", "\n\n## Topic [project]\n\n"] {
            let whole = parts.iter().map(|part| redact(part)).collect::<Vec<_>>().join(heading.as_bytes());
            prop_assert_eq!(shown(redact(&whole)), shown(whole));
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in vec(any::<u8>(), 0..400)) {
        let once = redact(&bytes);
        prop_assert_eq!(redact(&once), once);
    }

    #[test]
    fn json_stays_json(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        for out in [redact(text.as_bytes()), redact_jsonl(text.as_bytes())] {
            let read: Result<Value, _> = serde_json::from_slice(&out);
            prop_assert!(read.is_ok(), "{} became {}", text, String::from_utf8_lossy(&out));
            let read = read.unwrap_or_default();
            // Numbers may read back in their last digit: compared is what the text says, not what made it.
            let before: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(skeleton(&read), skeleton(&before));
        }
    }

    #[test]
    fn json_inside_other_text_stays_json(value in json()) {
        let line = serde_json::to_string(&value).unwrap();
        let before: Value = serde_json::from_str(&line).unwrap();
        let text = format!("The call was:\n\n```json\n{line}\n```\n");
        let out = String::from_utf8(redact(text.as_bytes())).unwrap();
        let after = out.lines().nth(3).unwrap();
        let read: Result<Value, _> = serde_json::from_str(after);
        prop_assert!(read.is_ok(), "{} became {}", line, after);
        let read = read.unwrap_or_default();
        prop_assert_eq!(skeleton(&read), skeleton(&before));
    }

    #[test]
    fn a_json_value_that_is_no_string_stays(
        key in proptest::sample::select(vec!["password", "비밀번호", "密码", "пароль", "mot de passe", "api_key", "トークン"]),
        numbers in vec(any::<f64>(), 0..3),
        nested in any::<bool>(),
    ) {
        let list = Value::from(numbers);
        let value = if nested { serde_json::json!({ key: { "n": list } }) } else { serde_json::json!({ key: list }) };
        let text = format!("```json\n{value}\n```\n");
        prop_assert_eq!(shown(redact(text.as_bytes())), text);
    }

    #[test]
    fn bytes_outside_a_mark_are_those_of_the_text(text in text()) {
        let out = redact(&text);
        let mut rest: &[u8] = &text;
        for kept in split_marks(&out) {
            let at = rest.windows(kept.len().max(1)).position(|part| part.starts_with(kept));
            prop_assert!(kept.is_empty() || at.is_some(), "{:?} is not in {:?}", kept, rest);
            rest = &rest[at.map_or(0, |at| at + kept.len()).min(rest.len())..];
        }
    }

    #[test]
    fn plain_words_stay(words in vec("[a-z]{1,9}|[A-Z][a-z]{2,8}|[0-9]{1,4}|`[a-z_]{3,9}`|[.,:;]", 0..60)) {
        // After a name of a password anything is one, and these are short enough to come up by chance.
        let names = ["psk", "mdp", "pw", "pwd"];
        let is_plain = |word: &&String| {
            let word = word.trim_matches('`').to_lowercase();
            !names.iter().any(|name| word.ends_with(name))
        };
        let words: Vec<&str> = words.iter().filter(is_plain).map(String::as_str).collect();
        let text = words.join(" ");
        let redactor = Redactor::standard();
        let redacted = redactor.redact(text.as_bytes());
        prop_assert!(matches!(redacted.bytes, std::borrow::Cow::Borrowed(_)), "{}", text);
        prop_assert!(redacted.counts.is_empty());
    }
}

/// What is between the marks.
fn split_marks(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(10).position(|part| part == b"[REDACTED:") {
        let Some(end) = rest[at..].iter().position(|byte| *byte == b']') else { break };
        parts.push(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    parts.push(rest);
    parts
}
