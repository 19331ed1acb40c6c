//! Sentences as they are shown: without markup, and with long names shortened to what tells them apart.

/// A path of more parts than this is shortened to its last ones.
const PARTS: usize = 4;
/// The last parts of a long path that are shown.
const SHOWN: usize = 3;
/// A run of hexadecimal digits that is longer is shortened.
const HEX: usize = 20;
/// The digits of it that are shown.
const DIGITS: usize = 8;

/// A sentence without the marks of its markup, which cost a token each and say nothing here.
pub(super) fn plain(text: &str) -> String {
    let text = text
        .trim()
        .trim_start_matches(['\\', '#', '-', '*', '>', '|', '+', ' '])
        .trim_end_matches(['|', ' ', '*']);
    let text = unnumbered(text.strip_prefix("// ").unwrap_or(text));
    // What is left of `[files: a, b]` when its beginning is not shown.
    let text = text.strip_suffix(']').filter(|rest| !rest.contains('[')).unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c == '|') {
        let word = word.replace("**", "").replace('`', "");
        if word.is_empty() || is_rule(&word) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        match shortened(&word) {
            Some(short) => out.push_str(&short),
            None => out.push_str(&word),
        }
    }
    out
}

/// An item of a list without its number.
fn unnumbered(text: &str) -> &str {
    let number = text.trim_start_matches('(');
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    match number[digits..].strip_prefix(['.', ')']) {
        Some(rest) if (1..3).contains(&digits) && rest.starts_with(' ') => {
            rest.trim_start_matches([' ', '*'])
        }
        _ => text,
    }
}

/// Whether a word is a line of a table or box.
fn is_rule(word: &str) -> bool {
    word.chars().nth(2).is_some()
        && word.chars().all(|c| matches!(c, '-' | '=' | '_' | ':' | '─' | '━' | '═'))
}

/// A long path by its last parts, a long key by its first digits.
fn shortened(word: &str) -> Option<String> {
    if word.len() <= HEX {
        return None;
    }
    let begin = word.find(|c: char| c.is_alphanumeric() || matches!(c, '/' | '~' | '.'))?;
    let (lead, rest) = word.split_at(begin);
    let is_address = rest.contains("://");
    let parts: Vec<&str> = rest.split('/').collect();
    let named = parts.iter().filter(|part| !part.is_empty()).count();
    if !is_address && named > PARTS && parts.iter().all(|part| !part.contains(['(', '{', ','])) {
        let tail: Vec<String> = parts[parts.len() - SHOWN..]
            .iter()
            .map(|part| key(part).unwrap_or_else(|| (*part).to_owned()))
            .collect();
        return Some(format!("{lead}…/{}", tail.join("/")));
    }
    let keys: Vec<Option<String>> = parts.iter().map(|part| key(part)).collect();
    keys.iter().any(Option::is_some).then(|| {
        let parts = parts.iter().zip(keys).map(|(part, key)| key.unwrap_or((*part).to_owned()));
        format!("{lead}{}", parts.collect::<Vec<_>>().join("/"))
    })
}

/// A hash or the id of a session, cut after its first digits.
fn key(part: &str) -> Option<String> {
    let end = part.find(|c: char| !(c.is_ascii_hexdigit() || c == '-')).unwrap_or(part.len());
    let (key, rest) = part.split_at(end);
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    (key.len() > HEX && digits > 3).then(|| format!("{}…{rest}", &key[..DIGITS]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_left_out() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            assert_eq!(plain(text), expect);
        }
        check("- **Root cause**: `a`  b", "Root cause: a b");
        check("| a | b |", "a b");
        check("|---|:---:|", "");
        check("> 2 * 3", "2 * 3");
        check("\\## What changed", "What changed");
        check("src/a.rs]", "src/a.rs");
        check("// why it is so", "why it is so");
        check("/etc/hosts is read", "/etc/hosts is read");
        check("2. **Replaced** it", "Replaced it");
        check("(18) off-white", "off-white");
        check("1.5 seconds", "1.5 seconds");
        check("2026. It was late", "2026. It was late");
    }

    #[test]
    fn long_names_are_cut_to_what_tells_them_apart() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            assert_eq!(plain(text), expect);
        }
        check(
            "see /home/ada/work/pages/gate/src/lock.rs:12 there",
            "see …/gate/src/lock.rs:12 there",
        );
        check("~/.config/pages/gate.toml", "~/.config/pages/gate.toml");
        check("https://pages.example/a/b/c/d/e/f", "https://pages.example/a/b/c/d/e/f");
        check("session 24ce82c4-4776-4fc0-a825-1899261be48d ended", "session 24ce82c4… ended");
        check("0123456789abcdef0123456789abcdef01234567.", "01234567….");
        check("deadbeefdeadbeefdeadbeef", "deadbeefdeadbeefdeadbeef");
        check("and/or/nor/yet/so/for(x)", "and/or/nor/yet/so/for(x)");
        check("кто-то/что-то/как-то/где-то/куда-то", "…/как-то/где-то/куда-то");
    }
}
