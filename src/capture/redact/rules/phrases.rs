//! A name and a password side by side, as people hand them on: `creds: bob / value`, `log in as bob with value`.

use super::{Gate, Rule};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule::after("password", &["creds", "credential", "logins", "login:", "login with ", "login ", "log in with ", "sign in with ", "account:", "user is ", "zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "credenciais", "credenziali", "wifi", "wi-fi", "wlan", "계정", "아이디", "アカウント", "账号", "帐号", "帳號", "доступ"], Gate::Pair, r#"(?i:creds?|credentials?|logins?|(?:log|sign) in|account|user is|zugangsdaten|anmeldedaten|identifiants|credenciales|credenciais|credenziali|wi-?fi|wlan|\xea\xb3\x84\xec\xa0\x95|\xec\x95\x84\xec\x9d\xb4\xeb\x94\x94|\xe3\x82\xa2\xe3\x82\xab\xe3\x82\xa6\xe3\x83\xb3\xe3\x83\x88|\xe8\xb4\xa6\xe5\x8f\xb7|\xe5\xb8\x90\xe5\x8f\xb7|\xe5\xb8\xb3\xe8\x99\x9f|\xd0\xb4\xd0\xbe\xd1\x81\xd1\x82\xd1\x83\xd0\xbf\w{0,4})(?: (?:are|is|sind|with|mit|for|f\xc3\xbcr) ?[\w.-]{0,24})?\s{0,3}(?::|\xef\xbc\x9a)?\s{0,3}[`"']?[\w.@+-]{2,48}[`"']?(?: / |:|/)[`"']?([^\s`"'\\,<>|]{6,64})"#),
    Rule::after("password", &["admin/", "administrator/", "root/", "sysadmin/", "guest/", "postgres/"], Gate::Pair, r#"(?i:admin|administrator|root|sysadmin|guest|postgres)/([^\s`"'\\,<>|/]{8,64})(?:[\s`"',.;)]|\z)"#).start(),
    // WordPress shows its application passwords in six groups.
    Rule::after("password", &["application password", "app password", "application_password", "app_password"], Gate::Format, r#"(?i:app(?:lication)?[ _]password)s?(?: is)?[\\"'`*]{0,3}\s?[:=]?\s?[\\"'`]{0,2}([A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5})\b"#),
    // The words of a wallet, twelve to twenty-four
    Rule::after("wallet-key", &["mnemonic", "seed phrase", "recovery phrase", "seed_phrase", "secret phrase"], Gate::Format, r#"(?i:mnemonic|(?:seed|recovery|secret)[ _]phrase)(?: is)?[\\"'`*]{0,3}\s?[:=]?\s?[\\"'`]{0,2}([a-z]{3,8}(?: [a-z]{3,8}){11,23})[\\"'`]{0,2}(?:[\s,;.]|\z)"#),
    Rule::after("password", &["log in as ", "login as ", "sign in as ", "authenticate as ", "connect as ", "logged in as "], Gate::Pair, r#"(?i:log ?in|sign in|authenticate|connect|logged in) as [`"']?[\w.@+-]{2,48}[`"']? (?:with|using|/) (?:the )?(?:pw |password )?[`"']?([^\s`"'\\,<>|]{6,64})"#),
];
