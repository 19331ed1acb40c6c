//! Words for password and token in other languages, and what stands between them and a value.
//!
//! `le mot de passe du serveur est ...`, `la contraseña: ...`, `пароль от базы — ...`, 비밀번호는 ....

use std::ops::Range;

use super::assignment::{Glue, Link, blanks, opening, value_span};
use super::explicit::{self, Tie};
use super::text::is_word;
use super::words::Kind;
use super::{gates, shapes};

/// Key words in Korean, Japanese, Chinese and other languages.
#[rustfmt::skip]
pub(super) const WORDS: &[(&str, Kind)] = &[
    ("contraseña", Kind::Password), ("contrasena", Kind::Password), ("mot de passe", Kind::Password),
    ("пароль", Kind::Password), ("Пароль", Kind::Password), ("senha", Kind::Password), ("hasło", Kind::Password),
    ("wachtwoord", Kind::Password), ("şifre", Kind::Password), ("mật khẩu", Kind::Password),
    ("비밀번호", Kind::Password), ("암호", Kind::Password), ("패스워드", Kind::Password),
    ("비번", Kind::Password), ("토큰", Kind::Secret), ("시크릿", Kind::Secret), ("비밀키", Kind::Secret),
    ("비밀 키", Kind::Secret), ("인증키", Kind::Secret), ("인증 키", Kind::Secret), ("개인키", Kind::Secret),
    ("액세스 키", Kind::Secret), ("접근 키", Kind::Secret), ("자격 증명", Kind::Secret), ("키", Kind::Key),
    ("パスワード", Kind::Password), ("パスフレーズ", Kind::Password), ("暗証番号", Kind::Password),
    ("トークン", Kind::Secret), ("シークレット", Kind::Secret), ("秘密鍵", Kind::Secret),
    ("アクセスキー", Kind::Secret), ("認証情報", Kind::Secret), ("キー", Kind::Key), ("密码", Kind::Password),
    ("密碼", Kind::Password), ("口令", Kind::Password), ("暗号", Kind::Password), ("令牌", Kind::Secret),
    ("权杖", Kind::Secret), ("權杖", Kind::Secret), ("密钥", Kind::Secret), ("密鑰", Kind::Secret),
    ("金鑰", Kind::Secret), ("秘钥", Kind::Secret), ("私钥", Kind::Secret), ("凭证", Kind::Secret),
    ("凭据", Kind::Secret), ("憑證", Kind::Secret),
    ("Şifre", Kind::Password), ("kennwort", Kind::Password), ("zugangscode", Kind::Password), ("losungswort", Kind::Password),
    ("geheimnis", Kind::Secret), ("schlüssel", Kind::Key), ("mdp", Kind::Password), ("phrase secrète", Kind::Password),
    ("code secret", Kind::Password), ("clé", Kind::Key), ("jeton", Kind::Secret), ("clave", Kind::Password),
    ("contrasenya", Kind::Password), ("palavra-passe", Kind::Password), ("palavra passe", Kind::Password), ("chave", Kind::Key),
    ("ключ", Kind::Key), ("Ключ", Kind::Key), ("токен", Kind::Secret), ("Токен", Kind::Secret), ("секрет", Kind::Secret),
    ("Секрет", Kind::Secret), ("пасс", Kind::Password), ("гасло", Kind::Password), ("parola", Kind::Password), ("parola d'ordine", Kind::Password), ("lösenord", Kind::Password),
    ("adgangskode", Kind::Password), ("passord", Kind::Password), ("salasana", Kind::Password), ("heslo", Kind::Password),
    ("jelszó", Kind::Password), ("kata sandi", Kind::Password), ("κωδικός", Kind::Password), ("كلمة المرور", Kind::Password),
    ("كلمة السر", Kind::Password), ("पासवर्ड", Kind::Password), ("รหัสผ่าน", Kind::Password), ("סיסמה", Kind::Password),
];

/// Words that say what a value is.
const SAYS: &[&str] = &[
    "est", "es", "é", "è", "ist", "lautet", "war", "is", "to", "là", "era", "était", "sera",
    "seria", "är", "adalah", "это", "было",
];

/// Words that belong to the name.
const QUALITIES: &[&str] = &[
    "API",
    "api",
    "secreta",
    "secrète",
    "secreto",
    "segreta",
    "privada",
    "privée",
    "privata",
    "d'acceso",
    "maestra",
    "principal",
    "admin",
    "root",
];

/// Words that tell what the password is for; one more word follows them.
const OF: &[&str] = &[
    "de", "del", "du", "der", "des", "für", "den", "die", "das", "do", "da", "dos", "pour", "le",
    "la", "el", "para", "o", "a", "van", "voor", "per", "il", "for", "от", "для", "к", "на", "до",
    "cho", "till", "untuk",
];

/// The value that a word at `from` leads to.
pub(super) fn value(text: &[u8], from: usize, kind: Kind) -> Option<Range<usize>> {
    sentence(text, from, kind).or_else(|| cjk(text, from, kind))
}

fn sentence(text: &[u8], from: usize, kind: Kind) -> Option<Range<usize>> {
    let mut at = blanks(text, closed(text, from), 0);
    let mut says = false;
    for _ in 0..4 {
        let length = text[at..]
            .iter()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii() || **byte == b'\'')
            .count();
        let word = std::str::from_utf8(&text[at..at + length]).unwrap_or_default();
        let next = blanks(text, at + length, 0);
        if length == 0 || next == at + length && !matches!(text.get(next), Some(b':' | b'=')) {
            break;
        }
        if SAYS.contains(&word) {
            says = true;
            at = next;
            break;
        }
        if QUALITIES.contains(&word) {
            at = next;
            continue;
        }
        if !OF.contains(&word) {
            break;
        }
        let named = |byte: &&u8| {
            byte.is_ascii_alphanumeric()
                || !byte.is_ascii()
                || matches!(byte, b'-' | b'_' | b'.' | b'\'')
        };
        let name = text[next..].iter().take(32).take_while(named).count();
        at = blanks(text, next + name, 0);
    }
    let signs = [":", "：", "=", "—", "–", "- ", "→"];
    let sign = signs.iter().find(|sign| text[at..].starts_with(sign.as_bytes()));
    let told = sign.is_some();
    at = blanks(text, at + sign.map_or(0, |sign| sign.len()), 0);
    let quote = opening(text, &mut at)?;
    if !told && !says && quote.is_none() && kind != Kind::Password || at == from {
        return None;
    }
    let link = if told { Link::Colon } else { Link::Says };
    let span = value_span(text, &Glue { at, quote, link })?;
    let value = &text[span.clone()];
    if !value.is_ascii() {
        return None;
    }
    let tie = if quote.is_some() { Tie::Quoted } else { Tie::Line };
    let fits = match kind {
        Kind::Password if told || quote.is_some() => {
            gates::password(value, false) || explicit::is_secret(kind, tie, value)
        }
        Kind::Password => {
            gates::password(value, true) || says && explicit::is_secret(kind, Tie::Option, value)
        }
        Kind::Secret => {
            gates::random(value, 10)
                || shapes::uuid(value)
                || told && explicit::is_secret(kind, tie, value)
        }
        Kind::Key => gates::random(value, 16) && !shapes::digest(value),
    };
    fits.then_some(span)
}

/// Behind the signs that close a word: `**Passwort**`, `"contraseña"`.
fn closed(text: &[u8], from: usize) -> usize {
    from + text[from..]
        .iter()
        .take(4)
        .take_while(|b| matches!(b, b'*' | b'"' | b'\'' | b'`' | b')' | b']'))
        .count()
}

/// After a Korean, Japanese or Chinese word: particles and signs, then a value in ASCII.
pub(super) fn cjk(text: &[u8], from: usize, kind: Kind) -> Option<Range<usize>> {
    let foreign = text[from..].iter().take(36).take_while(|byte| !byte.is_ascii()).count();
    let mut at = from + foreign;
    let signs = text[at..]
        .iter()
        .take(8)
        .take_while(|b| {
            matches!(b, b' ' | b'\t' | b':' | b'=' | b'*' | b'(' | b'`' | b'"' | b'\'' | b'\\')
        })
        .count();
    let explicit = foreign > 0
        || text[at..at + signs].iter().any(|b| matches!(b, b':' | b'=' | b'(' | b'`' | b'"'));
    at += signs;
    if signs > 0 && text[at - 1] == b'\\' {
        return None;
    }
    // A closing bracket of the text's own script may follow the spaces: `= 「value」`.
    at += text[at..].iter().take(6).take_while(|byte| !byte.is_ascii()).count();
    if at == from {
        return None;
    }
    let span = value_span(text, &Glue { at, quote: None, link: Link::Colon })?;
    let value = &text[span.clone()];
    let fits = match kind {
        Kind::Password => gates::password(value, !explicit),
        Kind::Secret => gates::random(value, 10) || shapes::uuid(value),
        Kind::Key => gates::random(value, 16) && !shapes::digest(value),
    };
    (fits && !is_word(text[span.start - 1])).then_some(span)
}
