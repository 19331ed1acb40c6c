//! Lines that nobody reads twice: frames of stack traces, pasted output, code without a fence.

/// Whether a line is a frame of a stack trace rather than its first line.
pub(crate) fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let located = || text.contains('(') || text.contains(':');
    (indented && text.starts_with("at ") && located())
        || (text.starts_with("File \"") && text.contains(", line "))
        || (text.starts_with("... ") && text.ends_with(" more"))
        || (indented && numbered_frame(text))
}

/// `  12: crate::module::function` and `  #3 0x… in main`.
fn numbered_frame(text: &str) -> bool {
    let digits = text.trim_start_matches('#').trim_start_matches(|c: char| c.is_ascii_digit());
    digits.len() < text.len()
        && (digits.strip_prefix(": ").is_some_and(|rest| rest.contains("::"))
            || digits.trim_start().starts_with("0x"))
}

/// Whether a line looks as if a program wrote it, or as if it were one.
pub(crate) fn is_pasted(line: &str) -> bool {
    let text = line.trim();
    is_frame(line)
        || begins_like_output(text)
        || ends_like_code(text)
        || is_mostly_one_token(text)
        || has_few_letters(text)
}

/// Prompts of a shell, stamps of a log, marks of a diff, JSON.
fn begins_like_output(text: &str) -> bool {
    const BEGINNINGS: [&str; 26] = [
        "$ ",
        "% ",
        "# ",
        "@@ ",
        "diff --git",
        "index ",
        "+++ ",
        "--- ",
        "{",
        "}",
        "[{",
        "(gdb)",
        "func ",
        "import ",
        "package ",
        "const ",
        "let ",
        "var ",
        "def ",
        "class ",
        "return ",
        "#include",
        "from ",
        "<?",
        "</",
        "//",
    ];
    let code = BEGINNINGS.iter().position(|beginning| text.starts_with(beginning));
    match code {
        // These are English, too.
        Some(12..=21 | 23) => text.ends_with([';', '{', '(', ')', ':', '"', '\'']),
        // A heading, or a comment.
        Some(2) => false,
        Some(_) => true,
        None => text.starts_with('"') && text.contains("\":") || begins_with_stamp(text),
    }
}

/// `[07/21/26 11:19`, `2026-03-15 14:02:11`, `14:02:11.003`
fn begins_with_stamp(text: &str) -> bool {
    let text = text.strip_prefix(['[', '(']).unwrap_or(text);
    let digit = |byte: &u8| byte.is_ascii_digit();
    let stamp: Vec<u8> = text
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || b"-:/.,T Z+".contains(byte))
        .collect();
    let marks = stamp.iter().filter(|byte| matches!(byte, b':' | b'/' | b'-')).count();
    stamp.iter().filter(|byte| digit(byte)).count() >= 6 && marks >= 2
}

fn ends_like_code(text: &str) -> bool {
    const ENDINGS: [&str; 9] = [";", "{", "});", "},", "};", "=>", "\\", "&&", "||"];
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// A path, an address or a key with little beside it.
fn is_mostly_one_token(text: &str) -> bool {
    let longest = text.split_whitespace().map(str::len).max().unwrap_or(0);
    longest > 48 && longest * 2 > text.len() && text.is_ascii()
}

fn has_few_letters(text: &str) -> bool {
    let (mut letters, mut all) = (0, 0);
    for c in text.chars() {
        all += 1;
        letters += usize::from(c.is_alphabetic() || c == ' ');
    }
    all >= 8 && letters * 100 < all * 65
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_from_prose() {
        for frame in [
            "    at frame_0 (src/pool.rs:120)",
            "\tat com.example.Main.run(Main.java:5)",
            "  File \"/app/x.py\", line 3, in main",
            "   4: core::panicking::panic_fmt",
            "  #2 0x0000 in main",
            "        ... 12 more",
        ] {
            assert!(is_frame(frame), "{frame}");
        }
        for line in ["- at noon: lunch", "Error: ECONNRESET at pool.rs", "  - 3: three", "at last"]
        {
            assert!(!is_frame(line), "{line}");
        }
    }
}
