//! Words for password and token in other languages, and what stands between them and a value.
//!
//! `le mot de passe du serveur est ...`, `la contraseña: ...`, `пароль от базы — ...`, 비밀번호는 ....

use std::ops::Range;

use super::explicit::{self, Tie};
use super::separator::{Link, Separator, blanks, opened, opening, value_span};
use super::text::{is_word, run_of, sign_of};
use super::words::SecretKind;
use super::{shapes, validators};

/// Key words in Korean, Japanese, Chinese and other languages.
#[rustfmt::skip]
pub(super) const WORDS: &[(&str, SecretKind)] = &[
    ("contraseña", SecretKind::Password), ("contrasena", SecretKind::Password), ("mot de passe", SecretKind::Password),
    ("пароль", SecretKind::Password), ("Пароль", SecretKind::Password), ("senha", SecretKind::Password), ("hasło", SecretKind::Password),
    ("wachtwoord", SecretKind::Password), ("şifre", SecretKind::Password), ("mật khẩu", SecretKind::Password),
    ("비밀번호", SecretKind::Password), ("암호", SecretKind::Password), ("패스워드", SecretKind::Password),
    ("비번", SecretKind::Password), ("토큰", SecretKind::Secret), ("시크릿", SecretKind::Secret), ("비밀키", SecretKind::Secret),
    ("비밀 키", SecretKind::Secret), ("인증키", SecretKind::Secret), ("인증 키", SecretKind::Secret), ("개인키", SecretKind::Secret),
    ("액세스 키", SecretKind::Secret), ("접근 키", SecretKind::Secret), ("자격 증명", SecretKind::Secret), ("키", SecretKind::Key),
    ("パスワード", SecretKind::Password), ("パスは", SecretKind::Password), ("パスフレーズ", SecretKind::Password), ("暗証番号", SecretKind::Password),
    ("トークン", SecretKind::Secret), ("シークレット", SecretKind::Secret), ("秘密鍵", SecretKind::Secret),
    ("アクセスキー", SecretKind::Secret), ("認証情報", SecretKind::Secret), ("キー", SecretKind::Key), ("密码", SecretKind::Password),
    ("密碼", SecretKind::Password), ("口令", SecretKind::Password), ("暗号", SecretKind::Password), ("令牌", SecretKind::Secret),
    ("权杖", SecretKind::Secret), ("權杖", SecretKind::Secret), ("密钥", SecretKind::Secret), ("密鑰", SecretKind::Secret),
    ("金鑰", SecretKind::Secret), ("秘钥", SecretKind::Secret), ("私钥", SecretKind::Secret), ("凭证", SecretKind::Secret),
    ("凭据", SecretKind::Secret), ("憑證", SecretKind::Secret),
    ("Şifre", SecretKind::Password), ("kennwort", SecretKind::Password), ("zugangscode", SecretKind::Password), ("losungswort", SecretKind::Password),
    ("geheimnis", SecretKind::Secret), ("schlüssel", SecretKind::Key), ("mdp", SecretKind::Password), ("phrase secrète", SecretKind::Password),
    ("code secret", SecretKind::Password), ("clé", SecretKind::Key), ("jeton", SecretKind::Secret), ("clave", SecretKind::Password),
    ("contrasenya", SecretKind::Password), ("palavra-passe", SecretKind::Password), ("palavra passe", SecretKind::Password), ("chave", SecretKind::Key),
    ("ключ", SecretKind::Key), ("Ключ", SecretKind::Key), ("токен", SecretKind::Secret), ("Токен", SecretKind::Secret), ("секрет", SecretKind::Secret),
    ("Секрет", SecretKind::Secret), ("пасс", SecretKind::Password), ("гасло", SecretKind::Password), ("parola", SecretKind::Password), ("parola d'ordine", SecretKind::Password), ("lösenord", SecretKind::Password),
    ("adgangskode", SecretKind::Password), ("passord", SecretKind::Password), ("salasana", SecretKind::Password), ("heslo", SecretKind::Password),
    ("geheimwort", SecretKind::Password), ("кодовое слово", SecretKind::Password), ("Кодовое слово", SecretKind::Password), ("合言葉", SecretKind::Password),
    ("şifresi", SecretKind::Password), ("parolası", SecretKind::Password), ("시크릿 키", SecretKind::Secret), ("시크릿키", SecretKind::Secret),
    ("wlan-schlüssel", SecretKind::Password), ("WLAN-Schlüssel", SecretKind::Password), ("clé secrète", SecretKind::Secret), ("clé wifi", SecretKind::Password), ("schluessel", SecretKind::Key), ("秘密键", SecretKind::Secret), ("访问密钥", SecretKind::Secret), ("암호키", SecretKind::Secret), ("passwort", SecretKind::Password),
    ("jelszó", SecretKind::Password), ("kata sandi", SecretKind::Password), ("κωδικός", SecretKind::Password), ("كلمة المرور", SecretKind::Password),
    ("كلمة السر", SecretKind::Password), ("पासवर्ड", SecretKind::Password), ("รหัสผ่าน", SecretKind::Password), ("סיסמה", SecretKind::Password),
];

/// Words that say what a value is.
const SAYS: &[&str] = &[
    "est", "es", "é", "è", "ist", "lautet", "war", "is", "to", "là", "era", "était", "sera",
    "seria", "är", "adalah", "это", "было", "c'est", "jest", "هي", "هو", "er",
];

/// Words behind which the new value stands: `wurde auf ... gesetzt`, `сменил на ...`, `changée en ...`.
const TURNS: &[&str] =
    &["auf", "на", "en", "à", "a", "para", "por", "to", "til", "till", "naar", "إلى", "in"];

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
pub(super) fn value(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    sentence(text, from, kind)
        .or_else(|| spoken(text, from, kind))
        .or_else(|| cjk(text, from, kind))
}

/// Reads the words that belong to the name: where the next begins, whether a word for `is` came, and the kind of the whole.
fn rest_of_name(text: &[u8], from: usize, mut kind: SecretKind) -> (usize, bool, SecretKind) {
    let mut at = blanks(text, closed(text, from), 0);
    for _ in 0..5 {
        let length = run_of(&text[at..], 24, |byte| {
            byte.is_ascii_alphabetic() || !byte.is_ascii() || *byte == b'\''
        });
        let word = std::str::from_utf8(&text[at..at + length]).unwrap_or_default();
        let next = blanks(text, at + length, 0);
        if length == 0 || next == at + length && !matches!(text.get(next), Some(b':' | b'=')) {
            break;
        }
        if SAYS.contains(&word) {
            return (next, true, kind);
        }
        // The article goes with the name: `d'accès`, `dell'utente`.
        let joined = word
            .split_once('\'')
            .is_some_and(|(of, name)| matches!(of, "d" | "l" | "dell" | "all") && !name.is_empty());
        if QUALITIES.contains(&word) || joined {
            if kind == SecretKind::Key && word.eq_ignore_ascii_case("api") {
                kind = SecretKind::Secret;
            }
            at = next;
        } else if OF.contains(&word) {
            let name = name_after(text, next);
            if kind == SecretKind::Key && text[next..next + name].eq_ignore_ascii_case(b"api") {
                kind = SecretKind::Secret;
            }
            at = blanks(text, next + name, 0);
        } else {
            break;
        }
    }
    (at, false, kind)
}

/// How long the name behind `of` is; nothing where an article comes first: `de la base`.
fn name_after(text: &[u8], at: usize) -> usize {
    let article = run_of(&text[at..], 8, u8::is_ascii_lowercase);
    let word = std::str::from_utf8(&text[at..at + article]).unwrap_or_default();
    if OF.contains(&word) && text.get(at + article) == Some(&b' ') {
        return 0;
    }
    let named = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'-' | b'_' | b'.' | b'\'')
    };
    run_of(&text[at..], 32, named)
}

fn sentence(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let (mut at, says, kind) = rest_of_name(text, from, kind);
    let signs = ["=>", "->", ":", "：", "=", "—", "–", "- ", "→", ">", "| "];
    let sign = sign_of(&text[at..], &signs);
    let told = sign.is_some();
    at = blanks(text, at + sign.map_or(0, str::len), 0);
    let quoted = at;
    at = behind_mark(text, at);
    let marks = at > quoted;
    let quote = opening(text, &mut at)?;
    if !told && !says && quote.is_none() && kind != SecretKind::Password || at == from {
        return None;
    }
    let told = told || marks;
    let link = if told { Link::Colon } else { Link::Says };
    let span = value_span(text, &Separator { at, quote, link })?;
    let value = &text[span.clone()];
    if !value.is_ascii() {
        return None;
    }
    let tie = if quote.is_some() { Tie::Quoted } else { Tie::Line };
    let fits = match kind {
        SecretKind::Password if told || quote.is_some() => {
            validators::password(value, false) || explicit::is_secret(kind, tie, value)
        }
        SecretKind::Password => {
            validators::password(value, true)
                || says && explicit::is_secret(kind, Tie::Option, value)
        }
        SecretKind::Secret => {
            validators::random(value, 10)
                || shapes::uuid(value)
                || told && explicit::is_secret(kind, tie, value)
        }
        SecretKind::Key => validators::random(value, 16) && !shapes::digest(value),
    };
    fits.then_some(span)
}

/// Words of a sentence between the name and its value, which no list can hold: `пароль администратора — ...`,
/// `das Kennwort wurde auf ... gesetzt`. The value has to look like one.
fn spoken(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let mut at = closed(text, from);
    for count in 0..5 {
        at = blanks(text, at, 0);
        let signs = [": ", "：", "= ", "— ", "– ", "- ", "→"];
        let sign = sign_of(&text[at..], &signs);
        let word = run_of(&text[at..], 32, |b| {
            b.is_ascii_alphabetic() || !b.is_ascii() || matches!(b, b'-' | b'\'')
        });
        let turns = std::str::from_utf8(&text[at..at + word])
            .is_ok_and(|word| TURNS.contains(&word) || SAYS.contains(&word));
        if let Some(length) = sign.map(str::len).or(turns.then_some(word))
            && count > 0
        {
            let at = behind_mark(text, blanks(text, at + length, 0));
            let span = value_span(text, &opened(text, at, Link::Says)?)?;
            let value = &text[span.clone()];
            let fits = match kind {
                SecretKind::Password => {
                    validators::password(value, true)
                        || explicit::is_secret(kind, Tie::Prose, value)
                }
                SecretKind::Secret => validators::random(value, 14),
                SecretKind::Key => validators::random(value, 16) && !shapes::hexadecimal(value),
            };
            return (fits && value.is_ascii()).then_some(span);
        }
        if word == 0 || text.get(at + word) != Some(&b' ') {
            return None;
        }
        at += word;
    }
    None
}

/// Behind an opening quote of print: `„`, `«`, `“`, `「`, and blanks inside of it.
fn behind_mark(text: &[u8], from: usize) -> usize {
    let marks = ["„", "«", "“", "”", "‘", "‚", "「", "『", "‹", "《"];
    let Some(mark) = sign_of(&text[from..], &marks) else { return from };
    let at = from + mark.len();
    at + sign_of(&text[at..], &[" ", "\u{a0}", "\u{202f}"]).map_or(0, str::len)
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
pub(super) fn cjk(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let foreign = run_of(&text[from..], 36, |byte| !byte.is_ascii());
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
    at += run_of(&text[at..], 6, |byte| !byte.is_ascii());
    if at == from {
        return None;
    }
    let span = value_span(text, &Separator { at, quote: None, link: Link::Colon })?;
    let value = &text[span.clone()];
    let fits = match kind {
        SecretKind::Password => {
            validators::password(value, !explicit) || explicit::is_secret(kind, Tie::Prose, value)
        }
        SecretKind::Secret => validators::random(value, 10) || shapes::uuid(value),
        SecretKind::Key => validators::random(value, 16) && !shapes::digest(value),
    };
    (fits && !is_word(text[span.start - 1])).then_some(span)
}
