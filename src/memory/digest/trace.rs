//! Lines that nobody reads twice: the frames of stack traces.

/// Whether a line is a frame of a stack trace rather than its first line.
pub(super) fn is_frame(line: &str) -> bool {
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
