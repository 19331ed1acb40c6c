//! Whether the value that a rule found is one that its gate lets through.

use super::explicit::{self, Tie};
use super::key_words::SecretKind;
use super::rules::{self, Gate, Rule};
use super::{address, formats, shapes, validators};

/// Whether the value passes the gate of its rule.
pub(super) fn fits(rule: &Rule, value: &[u8]) -> bool {
    match rule.gate {
        Gate::Format if rule.id == rules::JWT => {
            !validators::placeholder(value) && formats::jose(value)
        }
        Gate::Format => !validators::placeholder(value),
        Gate::Random => made(value) || shapes::uuid(value),
        Gate::Password => {
            validators::password(value, false)
                || explicit::is_secret(SecretKind::Password, Tie::Prose, value)
        }
        Gate::Pair => validators::password(value, true) && !address::path(value) && !address(value),
        // The name of another call, in a list of them
        Gate::Chosen => {
            !value.ends_with(b"(") && explicit::is_secret(SecretKind::Password, Tie::Quoted, value)
        }
        Gate::Literal => !validators::placeholder(value) && !shapes::code(value),
        Gate::Opaque => {
            !validators::placeholder(value)
                && !shapes::code(value)
                && (!shapes::identifier(value) || validators::password(value, true))
        }
    }
}

/// `host:8080/path`, `name@2.0.1`, `10:30`: what follows a name without being a password.
fn address(value: &[u8]) -> bool {
    shapes::number(value)
        || shapes::hexadecimal(value)
        || value.contains(&b'/')
        || value.contains(&b'(')
        || memchr::memchr(b'.', value).is_some_and(|dot| shapes::identifier(&value[..dot]))
}

/// Random in its last part at least: a prefix of words (`polar_pat_`) is no argument against a token.
fn made(value: &[u8]) -> bool {
    let address =
        [&b"://"[..], b".com/"].iter().any(|part| memchr::memmem::find(value, part).is_some());
    if validators::placeholder(value) || address {
        return false;
    }
    let body = value
        .iter()
        .enumerate()
        .filter(|(at, byte)| *at < 24 && matches!(byte, b'_' | b'-' | b'.' | b'+'))
        .map(|(at, _)| &value[at + 1..])
        .filter(|body| body.len() >= 8);
    std::iter::once(value)
        .chain(body)
        .any(|body| validators::random(body, 8) && !address::path(body))
}
