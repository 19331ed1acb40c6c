//! Formats that tell by themselves what a value is: public keys, packages, the heads of JSON Web Tokens.

use super::shapes::{digest, identifier};

/// A public key: what begins like the DER of one, or like a line of OpenSSH.
pub(super) fn public(value: &[u8]) -> bool {
    /// `SubjectPublicKeyInfo` of elliptic curves and Ed25519, and OpenSSH's names of algorithms
    const HEADS: [&[u8]; 7] = [
        b"MFkwEwYHKoZIzj0",
        b"MHYwEAYHKoZIzj0",
        b"MIGbMBAGByqGSM49",
        b"MCowBQYDK2V",
        b"AAAAB3NzaC1",
        b"AAAAC3NzaC1",
        b"AAAAE2VjZHNh",
    ];
    let near = &value[..value.len().min(56)];
    HEADS.iter().any(|head| value.starts_with(head))
        // RSA: the algorithm, and the bit string that only public keys have after it
        || value.starts_with(b"MI") && memchr::memmem::find(near, b"BAQEFAAO").is_some()
}

/// `name@1.2.3`, `@scope/name@^2`: a package and its version.
pub(super) fn package(value: &[u8]) -> bool {
    memchr::memrchr(b'@', value).is_some_and(|at| {
        let version = &value[at + 1..];
        let version = version.strip_prefix(b"npm:").unwrap_or(version);
        let version =
            &version[version.iter().take_while(|b| matches!(b, b'^' | b'~' | b'v')).count()..];
        at > 0
            && version.first().is_some_and(u8::is_ascii_digit)
            && version.contains(&b'.')
            && identifier(&value[..at])
    })
}

/// Words and a digest: `v1-deps-<sha1>`, the key of a cache.
pub(super) fn named_digest(value: &[u8]) -> bool {
    let last = value.rsplit(|byte| matches!(byte, b'-' | b'_' | b':' | b'/')).next();
    last.is_some_and(|last| {
        last.len() < value.len()
            && digest(last)
            && identifier(&value[..value.len() - last.len() - 1])
    })
}

/// The bytes that a text in Base64 stands for, of either alphabet, up to the first other byte.
pub(super) fn from_base64(text: &[u8]) -> impl Iterator<Item = u8> {
    let six = |byte: &u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        })
    };
    let (mut bits, mut left) = (0u32, 0);
    text.iter().map_while(six).filter_map(move |six| {
        bits = bits << 6 | u32::from(six);
        left += 6;
        (left >= 8).then(|| {
            left -= 8;
            (bits >> left & 0xff) as u8
        })
    })
}

/// Whether the first part of a token is the head of a JWT or JWE, and not a cursor or another object in Base64.
pub(super) fn jose(token: &[u8]) -> bool {
    let head = token.split(|byte| *byte == b'.').next().unwrap_or_default();
    let bytes: Vec<u8> = from_base64(&head[..head.len().min(512)]).collect();
    ["\"alg\"", "\"enc\"", "\"typ\"", "\"kid\""]
        .iter()
        .any(|name| memchr::memmem::find(&bytes, name.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_keys_packages_and_tokens_are_known() {
        assert!(public(b"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"));
        assert!(public(b"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA"));
        assert!(!public(b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ"));
        assert!(package(b"js-tokens@4.0.0") && package(b"@babel/core@^7.1.0"));
        assert!(!package(b"user@example") && !package(b"P@55w0rd"));
        assert!(jose(b"eyJhbGciOiJIUzI1NiJ9.x"));
        assert!(!jose(b"eyJpZCI6MTIzNDU2fQ.eyJ"));
    }
}
