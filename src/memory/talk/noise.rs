//! Lines that nobody reads twice: frames of stack traces, pasted output, code without a fence.

use crate::memory::topics::is_cjk_letter;

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
        || is_statement_of_code(text)
        || is_field(text)
        || is_mostly_long_words(text)
        || has_few_letters(text)
        || is_escaped(text)
        || is_of_client(text)
        || is_of_journal(text)
        || is_of_device(text)
        || is_row(text)
}

/// Prompts of a shell, stamps of a log, marks of a diff, JSON.
fn begins_like_output(text: &str) -> bool {
    const OUTPUT: [&str; 20] = [
        "$ ",
        "% ",
        "@@ ",
        "diff --git",
        "+++ ",
        "--- ",
        "{",
        "}",
        "[{",
        "(gdb)",
        "#include",
        "<?",
        "</",
        "//",
        "=== RUN",
        "=== SKIP",
        "=== FAIL",
        "=== PAUSE",
        "=== CONT",
        "=== NAME",
    ];
    // These are English, too.
    const CODE: [&str; 10] = [
        "func ", "import ", "package ", "const ", "let ", "var ", "def ", "class ", "return ",
        "from ",
    ];
    // Asked of every line, so the usual answer comes first.
    const FIRST: &[u8] = b"$%#@di+-={}[(fpclvr<\"/0123456789";
    let first = text.as_bytes().first();
    if !first.is_some_and(|byte| FIRST.contains(byte)) {
        return begins_with_stamp(text);
    }
    let begins = |with: &&str| first == with.as_bytes().first() && text.starts_with(with);
    if OUTPUT.iter().any(begins) {
        return true;
    }
    if CODE.iter().any(begins) {
        return text.ends_with([';', '{', '(', ')', ':', '"', '\'']);
    }
    (text.starts_with("index ") && text.contains(".."))
        || (text.starts_with('"') && text.contains("\":"))
        || begins_with_stamp(text)
        || is_numbered(text)
}

/// `Feb 05 14:51:07 pier systemd[1]: stopped`, `time=… level=INFO msg=…`, `DETAIL:  Key (id)=(4) is duplicated.`: what services
/// and databases write down.
fn is_of_journal(text: &str) -> bool {
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    const OF_DATABASES: [&str; 4] = ["DETAIL: ", "HINT: ", "CONTEXT: ", "STATEMENT: "];
    let Some(first) = text.as_bytes().first().filter(|byte| b"JFMASONDHClt".contains(byte)) else {
        return false;
    };
    if first.is_ascii_lowercase() {
        return text.contains(" msg=")
            && ["time=", "level="].iter().any(|name| text.contains(name));
    }
    let is_dated = text.as_bytes().get(..3).is_some_and(|month| MONTHS.contains(&month))
        && text.as_bytes().get(3) == Some(&b' ')
        && begins_with_stamp(text[4..].trim_start());
    is_dated || OF_DATABASES.iter().any(|begins| text.starts_with(begins))
}

/// `I (48211) wifi: connected`, `E/Unity: …`, `W/art ( 412): …`: how small devices and phones write their logs.
pub(crate) fn is_of_device(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['V', 'D', 'I', 'W', 'E', 'F']) else { return false };
    let counted = rest.strip_prefix(" (").is_some_and(|rest| {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < rest.len() && behind.starts_with(") ")
    });
    let tagged = rest.strip_prefix('/').is_some_and(|rest| {
        let tag = rest.find([':', '(']).map(|end| rest[..end].trim_end());
        tag.is_some_and(|tag| {
            tag.len() > 2
                && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        })
    });
    counted || tagged
}

/// `id | name | kind | time`: a row of a table as databases print it, with neither end closed.
fn is_row(text: &str) -> bool {
    /// So many stand between the columns at least.
    const BARS: usize = 3;
    memchr::memchr_iter(b'|', text.as_bytes()).take(BARS).count() == BARS
        && !text.starts_with('|')
        && memchr::memchr(b'`', text.as_bytes()).is_none()
        && text.matches(" | ").count() >= BARS
}

/// `282→let x = 3;`: a line of a file as a program lists it. With a tab it takes several to tell it from a list.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with('→')
}

/// `[07/21/26 11:19`, `2026-03-15 14:02:11`, `14:02:11.003`
#[inline]
fn begins_with_stamp(text: &str) -> bool {
    let text = text.strip_prefix(['[', '(']).unwrap_or(text);
    let (mut digits, mut marks) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b':' | b'/' | b'-' => marks += 1,
            b'.' | b',' | b'T' | b' ' | b'Z' | b'+' => {}
            _ => break,
        }
    }
    digits >= 6 && marks >= 2
}

fn ends_like_code(text: &str) -> bool {
    const ENDINGS: [&str; 9] = [";", "{", "});", "},", "};", "=>", "\\", "&&", "||"];
    if !text.as_bytes().last().is_some_and(|byte| b";{,>\\&|".contains(byte)) {
        return false;
    }
    ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// `client.Flags().String("name")`, `count := 3`, `var cloudURL string // hidden`
fn is_statement_of_code(text: &str) -> bool {
    const DECLARES: [&str; 5] = ["var ", "const ", "let ", "func ", "type "];
    // Nothing is called, and nothing gets a value or a remark.
    if memchr::memchr3(b'(', b'=', b'/', text.as_bytes()).is_none()
        || memchr::memchr(b'`', text.as_bytes()).is_some()
    {
        return false;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    let called = first.split_once('(').is_some_and(|(name, _)| {
        let part = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        name.contains('.') && name.split('.').all(part)
    });
    let declared = DECLARES.iter().any(|word| text.starts_with(word))
        && (text.contains(" // ") || text.contains(" = "));
    called || declared || text.contains(" := ")
}

/// `author:\tada`: a name, a tab and a value, as programs print what they know.
pub(super) fn is_field(text: &str) -> bool {
    let tab = memchr::memchr(b'\t', text.as_bytes());
    let Some((name, _)) = tab.and_then(|_| text.split_once(":\t")) else { return false };
    let name = name.rsplit(' ').next().unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Text as JSON has it, with `\n` for the end of each line.
fn is_escaped(text: &str) -> bool {
    /// So many may stand in a sentence about them.
    const ENDS: usize = 3;
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return false;
    }
    // A word in lower case behind it may be the rest of a path (`C:\new`) or of a name in TeX (`\nu`), unless it is a
    // paragraph's first.
    let ends = |part: &str| {
        let pieces: Vec<&str> = part.split("\\n").collect();
        let is_end =
            |pair: &&[&str]| pair[0].is_empty() || !pair[1].starts_with(char::is_lowercase);
        pieces.windows(2).filter(is_end).count()
    };
    text.split('`').step_by(2).map(ends).sum::<usize>() > ENDS
}

/// What clients put into prompts that they make, and around output that they cut.
fn is_of_client(text: &str) -> bool {
    let Some(first) = text.as_bytes().first().filter(|byte| b"<OPI".contains(byte)) else {
        return false;
    };
    match first {
        b'<' => text == "<persisted-output>",
        b'O' => text.starts_with("Output too large (") && text.contains("). Full output saved to:"),
        b'P' => text.starts_with("Preview (first ") && text.ends_with("B):"),
        _ => {
            text.starts_with("If you need specific details from before exiting plan mode")
                && text.contains("read the full transcript at")
        }
    }
}

/// Paths, addresses or keys with little beside them: one that is more than half of the line, or several with few other words.
fn is_mostly_long_words(text: &str) -> bool {
    /// The longest that a word may be.
    const WORD: usize = 48;
    /// So many other words say something of them.
    const OTHERS: usize = 5;
    if text.len() <= WORD || !text.is_ascii() {
        return false;
    }
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let bytes = text.as_bytes();
    let (mut from, mut long) = (0, 0);
    // A word that long reaches over every place so far behind its beginning: most are done with after a few bytes.
    while from + WORD < bytes.len() {
        let back = bytes[from..=from + WORD].iter().rposition(is_space);
        let Some(space) = back else {
            let behind = &bytes[from + WORD..];
            let length = WORD + behind.iter().position(is_space).unwrap_or(behind.len());
            if length * 2 > bytes.len() {
                return true;
            }
            long += length;
            from += length;
            continue;
        };
        from += space + 1;
    }
    let others = || text.split_whitespace().filter(|word| word.len() <= WORD).count();
    long * 2 > bytes.len() && others() < OTHERS
}

fn has_few_letters(text: &str) -> bool {
    /// A letter of a script that writes a word in one or two: as much as this many of others, and no blanks between them.
    const WIDE: usize = 3;
    let (letters, all) = if text.is_ascii() {
        (ascii_letters(text.as_bytes()), text.len())
    } else {
        text.chars().fold((0, 0), |(letters, all), c| match c {
            'a'..='z' | 'A'..='Z' | ' ' => (letters + 1, all + 1),
            _ if c.is_ascii() => (letters, all + 1),
            _ if is_cjk_letter(c) => (letters + WIDE, all + WIDE),
            _ => (letters + usize::from(c.is_alphabetic()), all + 1),
        })
    };
    all >= 8 && letters * 100 < all * 65
}

/// How many letters and blanks there are. Counted in bytes, which the processor takes many of at a time.
fn ascii_letters(text: &[u8]) -> usize {
    let count = |part: &[u8]| {
        let letters: u8 = part
            .iter()
            .map(|byte| u8::from(byte.is_ascii_alphabetic()) + u8::from(*byte == b' '))
            .fold(0, u8::wrapping_add);
        usize::from(letters)
    };
    text.chunks(usize::from(u8::MAX)).map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_output_are_told_from_prose() {
        for pasted in [
            "syncCmd.Flags().StringVar(&url, \"cloud-url\", \"\", \"the address\")",
            "fmt.Println() // a gap",
            "count := len(rows)",
            "282→the tide gate opens",
            "var cloudURL string // hidden",
            "author:\tada",
            "- status: title:\tDry dock",
            r#""text": "The gate\n\nMend it\n\nToday""#,
            "<persisted-output>",
            "Output too large (32.8KB). Full output saved to: /tmp/x.txt",
            r"\n\nMend the gate\n\nat low tide",
            "Preview (first 2KB):",
            "=== RUN   TestGates",
            "12 340 7.1 0x88 円 4.2",
            "Feb 05 14:51:07 pier systemd[1]: crane@1.service: Main process exited",
            "I (48211) radio: conn open handle=1",
            "E/CraneView: lost the surface",
            "W/art     ( 412): suspending all threads",
            "Mar  5 04:01:00 pier kernel: the crane fell asleep",
            "time=2026-03-18T06:30:12.024-04:00 level=DEBUG msg=\"the crane watches the pier\"",
            "level=info msg=\"the crane watches the pier\"",
            "DETAIL: Key (crane_id, seq)=(4, 1) is duplicated.",
            "crane_id | keeper | kind | time of the tide",
        ] {
            assert!(is_pasted(pasted), "{pasted}");
        }
        for line in [
            "`count := 3` stood outside the loop",
            "Let the crane = the tall one, please",
            "Author: Ada, and nobody else",
            "from now on never commit the gate file",
            "index the tide table by day, the scan was slow",
            r"Write `\r\n` as `\n`, and no `\n` at the end",
            "If you need specific details from before exiting plan mode, ask Ada",
            "Preview (first page) must never show the name of the harbour master.",
            "Output too large (more than 30 KB) must be cut at its head",
            "<persisted-output> tags must never reach the log",
            r"Install it from C:\nvm\nodejs\node_modules\npm and never from the store",
            r"Write `a\nB\nC\nD\nE` as the fixture",
            r"$\nu \nabla^2 u$ with $\nu$ and not $\nu_t$",
            r"目录是 C:\new\node\nginx\nas，决定以后不再使用旧目录",
            "3\tthe tide gate is never left open",
            "modified: the gate, by Ada",
            "e.g. (as before) the tide gate",
            "`fmt.Println()` was missing before the summary",
            "Mar 5 is the day of the spring tide",
            "I/O errors: three since the spring tide",
            "I (the keeper) leave the gate open",
            "March 05 14:51 is when the crane fell asleep",
            "level= is what the log of the crane begins with",
            "Detail: the crane is never left open",
            "Run `tides | sort | uniq | head` before the spring tide",
            "The crane takes high | middle | low",
            "月額は4,900円です。",
            "期限は7/15です。",
            "公開30、管理10です。",
            "じゃあ3.0.3で",
            "TTL를 10초에서 60초로",
        ] {
            assert!(!is_pasted(line), "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn long_words_are_found_wherever_they_stand(text in "([a-z]{0,70}[ \t\u{b}]{0,2}){0,4}") {
            let words: Vec<&str> =
                text.split_ascii_whitespace().flat_map(|word| word.split('\u{b}')).filter(|word| !word.is_empty()).collect();
            let (long, others): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.len() > 48);
            let longest = long.iter().map(|word| word.len()).max().unwrap_or(0);
            let all: usize = long.iter().map(|word| word.len()).sum();
            let expect = longest * 2 > text.len() || (all * 2 > text.len() && others.len() < 5);
            proptest::prop_assert_eq!(is_mostly_long_words(&text), expect, "{:?}", text);
        }
    }

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
