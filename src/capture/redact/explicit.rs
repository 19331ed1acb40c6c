//! What follows an explicit name: a word for password, secret or token, a sign, a value.
//!
//! The name is the proof. Every value goes that is no placeholder, reference, type, call, path or word, so the
//! question is no longer whether a value looks like a secret but whether it can be anything else.

use super::address::path;
use super::key_words::SecretKind;
use super::lists::STAND_INS;
use super::shapes::{algorithm, identifier, number};
use super::spelling::{self, Made, camel, in_words, phrase};
use super::{address, shapes, validators};

/// How the value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// `DB_PASSWORD=value`, `--password value`: a shell or a file of settings, where no variable stands bare
    Setting,
    /// `password: "value"`
    Quoted,
    /// a line of its own: `password: value`
    Line,
    /// `--password value`, where the next word may be one of the sentence
    Option,
    /// `define("DB_PASSWORD", "value")`, `setPassword("value")`
    Argument,
    /// the next cell of a table
    Cell,
    /// `password = value` in the middle of something
    Bare,
    /// `the password is value`
    Prose,
}

/// Whether such a value behind such a name is a secret.
pub(super) fn is_secret(kind: SecretKind, tie: Tie, value: &[u8]) -> bool {
    let least = match (kind, tie) {
        (SecretKind::Password, Tie::Setting | Tie::Quoted) => 4,
        (SecretKind::Password, _) => 5,
        _ => 6,
    };
    if value.len() < least || value.len() > 512 || !opens(value) || address::is(value) {
        return false;
    }
    if tie == Tie::Prose && value.len() >= 20 && wild(value) {
        return !validators::filler(value) && !stand_in(value) && !templated(value) && !path(value);
    }
    if value.iter().any(u8::is_ascii_whitespace) {
        return kind == SecretKind::Password
            && matches!(tie, Tie::Quoted | Tie::Setting)
            && phrase(value);
    }
    if matches!(tie, Tie::Setting | Tie::Quoted | Tie::Line) && wild(value) {
        return !validators::filler(value) && !stand_in(value) && !templated(value);
    }
    if bracketed(value) && matches!(tie, Tie::Quoted | Tie::Setting) {
        return kind == SecretKind::Password && !in_words(value) && !validators::filler(value);
    }
    if validators::placeholder(value)
        || stand_in(value)
        || filled(value)
        || templated(value)
        || path(value)
        || algorithm(value)
        || shapes::code(value)
            && (matches!(tie, Tie::Line | Tie::Bare | Tie::Option | Tie::Prose) || code(value))
    {
        return false;
    }
    if number(value) {
        let digits = value.iter().all(u8::is_ascii_digit);
        return kind == SecretKind::Password
            && digits
            && (6..=16).contains(&value.len())
            && matches!(tie, Tie::Setting | Tie::Quoted);
    }
    by_tie(kind, tie, value)
}

/// Whether a person made up the value of words, as far as it cannot be anything else there.
fn made_up(tie: Tie, value: &[u8]) -> bool {
    let name = value.contains(&b'_');
    match spelling::made_up(value) {
        Some(Made::Numbered) => {
            let two = value.iter().filter(|byte| byte.is_ascii_digit()).count() > 1;
            tie != Tie::Bare && (tie != Tie::Line || !name || two)
        }
        Some(Made::Titled) => matches!(tie, Tie::Quoted | Tie::Line | Tie::Argument),
        Some(Made::Joined) => tie == Tie::Quoted && !name,
        None => false,
    }
}

/// What a value must not be where it is tied so to its name, once it is known to be no placeholder, path or number.
fn by_tie(kind: SecretKind, tie: Tie, value: &[u8]) -> bool {
    if kind == SecretKind::Password && made_up(tie, value) {
        return true;
    }
    match tie {
        Tie::Setting if kind == SecretKind::Password => true,
        Tie::Setting => {
            // A key or a token is no word, but letters in any order may look like one.
            let joined = value.iter().any(|byte| !byte.is_ascii_alphanumeric());
            !worded(value) || !joined && value.iter().any(u8::is_ascii_uppercase)
        }
        Tie::Quoted if kind == SecretKind::Secret => {
            let plain = value
                .iter()
                .all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b':' | b'/'));
            !(worded(value) || plain && identifier(value))
        }
        Tie::Quoted => !worded(value) || numbered(value, kind),
        Tie::Argument => {
            kind == SecretKind::Password
                && !worded(value)
                && !identifier(value)
                && !value.contains(&b'\\')
        }
        Tie::Cell => {
            let digits = value.iter().any(u8::is_ascii_digit);
            !worded(value)
                && (!identifier(value) || unspoken(value) && (digits || !camel(value)))
                && !value.contains(&b'/')
        }
        Tie::Option => {
            let joined = value.iter().any(|byte| !byte.is_ascii_alphanumeric());
            !(worded(value) || joined && identifier(value)) || numbered(value, kind)
        }
        Tie::Prose => {
            !shapes::names_algorithm(value)
                && (unspoken(value)
                    || kind == SecretKind::Password && validators::password(value, true))
        }
        Tie::Line | Tie::Bare => (!worded(value) || numbered(value, kind)) && !variable(value, tie),
    }
}

/// `x:1000:1000`: what `/etc/passwd` has in the place of a password.
pub(super) fn account(value: &[u8]) -> bool {
    let rest = value.strip_prefix(b"x:").or_else(|| value.strip_prefix(b"*:"));
    rest.and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit)
}

/// Letters and digits that no sentence has: capitals where no word begins, digits between letters.
fn unspoken(value: &[u8]) -> bool {
    let classes = validators::Classes::of(value);
    let mixed = classes.lower > 0 && classes.upper > 0;
    let plain = value.iter().all(|b| b.is_ascii_alphanumeric() || b"!@#$%^&*?~+_.=-".contains(b));
    value.len() >= 8
        && plain
        && classes.other <= 3
        && !worded(value)
        && (mixed || classes.digits > 0 && classes.digits + classes.other < value.len())
        && !shapes::hexadecimal(value)
        && !shapes::uuid(value)
}

/// Words, joined as people and programs join them: capitals begin one or are in all of it.
fn worded(value: &[u8]) -> bool {
    // Of more letters the words decide: a name of a program is longer, and has short forms that nobody can list.
    let letters = value.len() < 10 && value.iter().all(u8::is_ascii_alphabetic);
    let inner = letters
        && value[1..].iter().any(u8::is_ascii_uppercase)
        && value.iter().any(u8::is_ascii_lowercase);
    in_words(value) && (!inner || camel(value))
}

/// A password of words with a number of three digits or more, or a sign: `tiger-harbor-4821`, `Tiger!`.
fn numbered(value: &[u8], kind: SecretKind) -> bool {
    let sign =
        |b: &u8| matches!(b, b'!' | b'#' | b'%' | b'^' | b'&' | b'*' | b'?' | b'@' | b'~' | b'$');
    let signs = value.iter().skip(1).any(sign);
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let plain = value.iter().all(u8::is_ascii_alphanumeric) && value[0].is_ascii_uppercase();
    kind == SecretKind::Password
        && value.len() >= 6
        && (signs || digits >= 3 || digits == 2 && plain && value.len() >= 8)
}

/// Letters, digits and signs in no order: no source text and no path, though signs of both may come up in it.
pub(super) fn wild(value: &[u8]) -> bool {
    let classes = validators::Classes::of(value);
    let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
    if value.len() < 10
        || kinds.iter().filter(|count| **count > 0).count() < 3
        || classes.digits + classes.other < 3
        || !value.is_ascii()
        || memchr::memmem::find(value, b"://").is_some()
        || validators::distinct(value) < 8
        || number(value)
        || identifier(value)
        || called(value)
    {
        return false;
    }
    let patterns =
        [&b"[^"[..], b"[a-z", b"[A-Z", b"[0-9", b"\\w", b"\\d", b"\\s", b"(?", b"]{", b"]+", b"]*"];
    let spelled: usize = value
        .chunk_by(|a, b| a.is_ascii_alphabetic() && b.is_ascii_alphabetic())
        .filter(|run| run.len() >= 4 && run[0].is_ascii_alphabetic() && in_words(run))
        .map(<[u8]>::len)
        .sum();
    spelled * 2 < value.len()
        && !patterns.iter().any(|pattern| memchr::memmem::find(value, pattern).is_some())
}

/// `self.input.at(1)`, `fp.read(1)[0]`: names, and something in brackets after them.
fn called(value: &[u8]) -> bool {
    let name =
        value.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')).count();
    name >= 3
        && value[0].is_ascii_alphabetic()
        && matches!(value.get(name), Some(b'(' | b'['))
        && matches!(value.last(), Some(b')' | b']' | b';' | b'('))
        && identifier(&value[..name])
}

/// `[k3J9fQ2m]!`, `<x7Kq2>z`: a bracket at its start makes no reference of a value whose inside is no name.
fn bracketed(value: &[u8]) -> bool {
    let opens = matches!(value[0], b'[' | b'<' | b'(' | b'{');
    let list = value.iter().any(|b| matches!(b, b',' | b'=' | b':' | b'/' | b'\\'));
    let digits = value.iter().any(u8::is_ascii_digit);
    let mixed =
        value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase);
    let plain = value[1..].starts_with(b"<")
        || value.starts_with(b"{{")
        || value.starts_with(b"[0")
        || value.starts_with(b"[a-");
    opens && !list && !plain && value.len() >= 8 && (digits || mixed)
}

/// What a value never begins with; `$`, `%` and brackets are decided later.
fn opens(value: &[u8]) -> bool {
    !matches!(value, [b'"' | b'\'' | b'`' | b',' | b';', ..])
}

/// `${X}`, `{{ x }}`, `$(x)`, `<x>`, `%{x}`: filled in later, whatever else is there.
fn templated(value: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(value, part).is_some();
    [&b"${"[..], b"{{", b"<%", b"%{", b"#{"].into_iter().any(has)
        || value.starts_with(b"$(")
        || value.starts_with(b"<") && value.ends_with(b">") && in_words(value)
        || value.strip_prefix(b"$").is_some_and(|name| {
            name.iter().take_while(|b| b.is_ascii_uppercase() || **b == b'_').count() >= 3
        })
}

/// Written to be filled in or read: `#d8dee9`, `syt_xxx`, `abc123`, `abcdefghij`.
fn filled(value: &[u8]) -> bool {
    let parts =
        || value.split(|byte| !byte.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let same = |part: &[u8]| {
        part.len() >= 3 && part.iter().all(|byte| byte.eq_ignore_ascii_case(&part[0]))
    };
    let colour = value
        .strip_prefix(b"#")
        .is_some_and(|digits| matches!(digits.len(), 3 | 4 | 6 | 8) && shapes::hexadecimal(digits));
    let next = |pair: &[u8]| pair[1] == pair[0].wrapping_add(1);
    let longest = value.chunk_by(|a, b| next(&[*a, *b])).map(<[u8]>::len).max().unwrap_or(0);
    let counting = longest >= 8
        || value.len() <= 12
            && value
                .chunk_by(|a, b| next(&[*a, *b]))
                .filter(|run| run.len() < 3)
                .map(<[u8]>::len)
                .sum::<usize>()
                <= 1;
    colour || parts().any(same) || counting || memchr::memmem::find(value, b"***").is_some()
}

/// Words of a form and nothing else: `my-secret`, `changeme`, `your_token_here`, `password`.
pub(super) fn stand_in(value: &[u8]) -> bool {
    let parts = || {
        value
            .split(|byte| !byte.is_ascii_alphabetic())
            .flat_map(|part| {
                part.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()))
            })
            .filter(|part| !part.is_empty())
    };
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let stands =
        |part: &[u8]| STAND_INS.iter().any(|word| part.eq_ignore_ascii_case(word.as_bytes()));
    parts().next().is_some() && digits <= 2 && parts().all(stands)
}

/// `get_token(x)`, `env["X"]`, `a.b.c`, `Some::Path`: source text in the place of a value.
fn code(value: &[u8]) -> bool {
    let name = |part: &[u8]| {
        part.len() >= 2
            && in_words(part)
            && part.iter().all(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'$' | b'!' | b'-')
            })
    };
    let call = value
        .iter()
        .position(|byte| matches!(byte, b'(' | b'['))
        .is_some_and(|at| name(&value[..at]));
    let chain = memchr::memchr(b'.', value).is_some_and(|dot| dot > 0)
        && value.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
        && value
            .split(|byte| *byte == b'.')
            .all(|part| part.first().is_some_and(|byte| !byte.is_ascii_digit()) && in_words(part));
    let operators = [&b"::"[..], b"=>", b"->", b"?.", b"()"];
    let patterns = [&b".*"[..], b".+", b"[^", b"a-z", b"(?", b"\\w", b"\\d", b"\\s"];
    let has = |sign: &&[u8]| memchr::memmem::find(value, sign).is_some();
    call || chain || operators.iter().chain(&patterns).any(has)
}

/// What names a variable or a type: letters, digits and `_`, as a program spells them.
fn variable(value: &[u8], tie: Tie) -> bool {
    let name = value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
        && !value[0].is_ascii_digit();
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let joined = value.contains(&b'_') && identifier(value);
    // `OAuth2Token`, `X509Options`: a word goes on after the number.
    let runs = || value.chunk_by(|a, b| a.is_ascii_alphabetic() == b.is_ascii_alphabetic());
    let typed = runs().count() == 3
        && runs().last().is_some_and(|last| {
            let begins = last[0].is_ascii_uppercase() || value[2].is_ascii_alphabetic();
            last.len() >= 3 && begins && camel(last)
        })
        && digits <= 4
        && runs().all(in_words);
    // Signs of an expression between names.
    let signs = value
        .iter()
        .any(|b| matches!(b, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'!' | b'&' | b'*' | b'?'));
    let short = digits == 0 && value.len() < 12 || digits == 1 && value.len() < 9;
    let chain = value.contains(&b'.')
        && digits <= 2
        && value.split(|byte| *byte == b'.').all(|part| {
            !part.is_empty()
                && !part[0].is_ascii_digit()
                && part.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
                && (digits == 0 || identifier(part))
        });
    signs && tie == Tie::Bare
        || chain
        || name
            && (joined && digits <= 3
                || typed
                || short
                    && tie == Tie::Bare
                    && (!unspoken(value) || digits == 0 && identifier(value) && camel(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_name_everything_goes_that_cannot_be_something_else() {
        let check = |tie: Tie, value: &str, expect: bool| {
            assert_eq!(
                is_secret(SecretKind::Password, tie, value.as_bytes()),
                expect,
                "{tie:?} {value}"
            );
        };
        for value in
            ["Marmelade99x", "hpgdXlIB", "OO8oMb%fZlYkV8tM", "Sommer2024", "k3(x]fQ2m[Zx8W"]
        {
            for tie in [Tie::Setting, Tie::Quoted, Tie::Line] {
                check(tie, value, true);
            }
        }
        check(Tie::Setting, "marmelade", true);
        check(Tie::Quoted, "correct horse battery staple", true);
        for value in [
            "required",
            "changeme",
            "my-secret",
            "String",
            "getenv(\"X\")",
            "${DB_PASSWORD}",
            "$PASSWORD",
            "./pw.txt",
            "user.password",
            "request.form[x]",
            "<password>",
            "Enter your password",
            "sha256",
        ] {
            for tie in [Tie::Quoted, Tie::Line, Tie::Bare] {
                check(tie, value, false);
            }
        }
        for value in
            ["changeme", "true", "${DB_PASSWORD}", "$PASSWORD", "/run/secrets/db", "password"]
        {
            check(Tie::Setting, value, false);
        }
        for value in ["new_password2", "pw1", "!state.ok", "tokenB", "i?n.token"] {
            check(Tie::Bare, value, false);
        }
    }
}
