//! The words that somebody wants to have forgotten, taken literally.

use crate::memory::forgotten::plain;

/// A text to look for. Letters count as they are; how the words are laid out in lines does not, since extracts wrap
/// them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LiteralWords {
    plain: String,
    /// its longest run of ASCII letters and digits: what lacks that, lacks all of it
    part: Option<String>,
}

impl LiteralWords {
    /// `None` where there is nothing to look for.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let plain = plain(text);
        let runs = plain.split(|c: char| !c.is_ascii_alphanumeric());
        let part = runs.max_by_key(|run| run.len()).filter(|run| run.len() > 2);
        let part = part.map(str::to_owned);
        (!plain.is_empty()).then_some(Self { plain, part })
    }

    /// Whether a text says it.
    pub(crate) fn stand_in(&self, text: &str) -> bool {
        self.may_stand_in(text.as_bytes()) && plain(text).contains(&self.plain)
    }

    /// Whether a text, as a log or a JSON string writes it, may say it: a quick look.
    pub(crate) fn may_stand_in(&self, text: &[u8]) -> bool {
        self.part().is_none_or(|part| memchr::memmem::find(text, part.as_bytes()).is_some())
    }

    /// A part of it that any text with it has.
    pub(crate) fn part(&self) -> Option<&str> {
        self.part.as_deref()
    }

    /// The words as they are compared.
    pub(crate) fn as_str(&self) -> &str {
        &self.plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_literal_and_layout_is_not() {
        fn check(words: &str, text: &str, expect: bool) {
            assert_eq!(
                LiteralWords::of(words).unwrap().stand_in(text),
                expect,
                "{words} in {text}"
            );
        }
        check("a.c", "abc", false);
        check("a.c", "x a.c y", true);
        check("the secret plan", "- the secret\n  plan", true);
        check("Secret", "secret", false);
        check("## x", "\\## x", true);
        check("한국 어", "x 한국\n어", true);
        check("cafe\u{301} con", "café  con", true);
        assert_eq!(LiteralWords::of(" \n"), None);
        assert_eq!(LiteralWords::of("ab c_defg!").unwrap().part(), Some("defg"));
    }
}
