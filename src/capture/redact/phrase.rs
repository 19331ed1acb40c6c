//! Several words in quotes behind a name: a passphrase, or a sentence of a form.

/// Several words in quotes: a passphrase, or a password with a blank in it, and not a sentence of a form.
pub(super) fn phrase(value: &[u8]) -> bool {
    const TALK: &[&[u8]] = &[
        b"a",
        b"an",
        b"the",
        b"is",
        b"are",
        b"was",
        b"be",
        b"to",
        b"of",
        b"in",
        b"for",
        b"or",
        b"and",
        b"not",
        b"no",
        b"must",
        b"should",
        b"please",
        b"enter",
        b"your",
        b"you",
        b"new",
        b"this",
        b"with",
        b"invalid",
        b"password",
        b"passphrase",
        b"pass",
        b"secret",
        b"token",
        b"key",
        b"from",
        b"has",
        b"if",
        b"at",
        b"by",
        b"on",
        b"confirm",
        b"repeat",
        b"mot",
        b"use",
        b"at",
        b"least",
        b"minimum",
        b"maximum",
        b"min",
        b"max",
        b"characters",
        b"chars",
        b"length",
        b"digits",
        b"than",
        b"more",
        b"less",
        b"only",
        b"can",
        b"cannot",
        b"can't",
        b"do",
        b"don't",
        b"does",
        b"wrong",
        b"incorrect",
        b"required",
        b"optional",
        b"field",
        b"value",
        b"mandatory",
    ];
    let mut count = 0;
    let mut told = false;
    for part in value.split(u8::is_ascii_whitespace) {
        let word = part.trim_ascii();
        let plain = word.iter().all(u8::is_ascii_alphabetic);
        let fits = (1..=24).contains(&word.len())
            && word.iter().all(|b| b.is_ascii_alphanumeric() || b"!@#$%^&*-_.?+~'".contains(b));
        if !fits
            || matches!(word.last(), Some(b'.' | b',' | b'?'))
            || TALK.iter().any(|talk| word.eq_ignore_ascii_case(talk))
        {
            return false;
        }
        count += 1;
        told |= !plain;
    }
    let lower = value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ');
    told && count <= 6 || lower && (4..=8).contains(&count)
}
