//! Passwords among the arguments of calls that have a place for them, and typed into a form by a test.

use super::{Gate, Rule};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    // The second of two strings
    Rule::after("password", &["basicauth(", "digestauth(", "basic_auth(", "networkcredential(", "usernamepasswordcredentials(", "basiccredentials(", "passwordcredential("], Gate::Chosen, r#"[A-Za-z_]{4,32}\(\s*\\*["'][^"'\n\\]{0,80}\\*["']\s*,\s*\\*["']([^"'\s\\]{4,})\\*["']"#),
    Rule::after("password", &[".login(", ".auth(", ".authenticate(", ".connect_as(", ".sign_in("], Gate::Chosen, r#"\.[a-z_]{4,16}\(\s*\\*["'][^"'\n\\]{1,80}\\*["']\s*,\s*\\*["']([^"'\s\\]{4,})\\*["']\s*[,)]"#),
    // The last of several arguments
    Rule::after("password", &["getconnection(", "new pdo(", "plainauth("], Gate::Chosen, r#"(?i:getconnection|new pdo|plainauth)\(\s*[^,\n]{1,200},\s*\\*["'][^"'\n\\]{1,64}\\*["']\s*,\s*\\*["']([^"'\s\\]{4,})\\*["']"#),
    Rule::after("password", &["mysqli_connect(", "new mysqli(", "mysql_connect(", "mysql_real_connect(", "ftp_login("], Gate::Chosen, r#"(?i:mysqli_connect|new mysqli|mysql_connect|mysql_real_connect|ftp_login)\(\s*[^,\n]{1,120},\s*\\*["'][^"'\n\\]{1,64}\\*["']\s*,\s*\\*["']([^"'\s\\]{4,})\\*["']"#),
    // Keys that sign and encrypt
    Rule::after("secret", &["jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode("], Gate::Chosen, r#"(?i:jwt)\.(?:sign|verify|encode|decode)\(\s*(?:\{[^}\n]{0,200}\}|[^,\n]{1,120}),\s*\\*["']([^"'\s\\]{6,})\\*["']"#),
    Rule::after("secret", &["createhmac(", "hash_hmac(", "hmac.new(", "fernet(", "createcipheriv("], Gate::Chosen, r#"(?i:createhmac\(\s*\\*["'][\w-]{2,16}\\*["'],|hash_hmac\([^,\n]{1,40},[^,\n]{1,80},|hmac\.new\(|fernet\(|createcipheriv\(\s*\\*["'][\w-]{2,24}\\*["'],)\s*b?\\*["']([^"'\s\\]{8,})\\*["']"#),
    // What a test types into a field
    Rule::after("password", &["send_keys(", "sendkeys(", ".fill(", ".type(", "setvalue(", "typetext(", "fill_in "], Gate::Chosen, r#"[.A-Za-z_]{4,12}\(\s*(?:\\*["'][^"'\n]{0,60}\\*["'],\s*)?\\*["']([^"'\s\\]{4,})\\*["']\s*\)"#).behind("assword", 64),
    // SQL
    Rule::after("sql-password", &["set password "], Gate::Chosen, r#"(?i:set password for)\s+[^\n=;]{1,80}?=\s*[\\]{0,3}["']([^"'\s\\]{4,})[\\]{0,3}["']"#),
];
