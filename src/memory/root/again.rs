//! Whether a text says again what another one says.

/// Whether another text begins with all that a text says, word for word but for case, marks of code and the marks of
/// sentences: then nothing is lost without it.
pub(super) fn says_again(text: &str, other: &str) -> bool {
    let mut others = words(other);
    words(text).all(|word| others.next() == Some(word))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    const MARKS: [char; 6] = ['`', '"', '\'', '“', '”', '*'];
    const ENDS: [char; 6] = [',', '.', ';', ':', '!', '?'];
    let bare = |word: &str| {
        word.trim_matches(MARKS).trim_end_matches(ENDS).trim_matches(MARKS).to_lowercase()
    };
    text.split_whitespace().map(bare).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_differs_is_said_again() {
        fn check(text: &str, other: &str, expect: bool) {
            assert_eq!(says_again(text, other), expect, "{text} / {other}");
        }
        check("The `gate` lock sticks", "the gate lock sticks at low tide.", true);
        check("the gate never sticks.", "The gate never sticks, says Ada", true);
        check("the gate sticks", "Ada denies that the gate sticks", false);
        check("the gate sticks", "the gate never sticks", false);
        check("the gate never sticks", "the gate sticks", false);
        check("the lock is enabled", "the lock was enabled", false);
        check("it starts when `gateOpen` holds", "it starts when `!gateOpen` holds", false);
        check("keep it at 5", "keep it at -5 degrees", false);
        check("keep it at 5", "keep it at .5 degrees", false);
        check("write it in C++", "write it in C#", false);
        check("修复登录重定向", "不修复登录重定向", false);
        check("the gate sticks at low tide", "the gate sticks", false);
    }
}
