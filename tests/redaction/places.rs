//! Secrets known by their place: assignments, headers, addresses, command lines, phrases in six languages.

use crate::sample::{ALNUM, BASE36, HEX, fake, redacted, rules};

/// The `#` in the text becomes a generated value, which must go; everything else must stay.
fn gone(text: &str, value: &str) {
    let full = text.replace('#', value);
    let (out, ids) = rules(&full);
    assert!(!out.contains(value), "{full} stayed {out}");
    let (before, after) = text.split_once('#').unwrap();
    assert!(out.starts_with(before) && out.ends_with(after), "{full} became {out}");
    assert_eq!(ids.len(), 1, "{full} became {out}");
}

/// Nothing in the text is a secret.
fn stays(text: &str) {
    assert_eq!(redacted(text), text);
}

#[test]
fn assignments_in_many_spellings() {
    let value = fake(ALNUM, 32);
    for text in [
        "API_TOKEN=#",
        "export API_TOKEN=\"#\"",
        "api_token: #",
        "api_token: '#'",
        "\"apiToken\": \"#\",",
        "{\"config\": \"API_TOKEN=#\\nLEVEL=debug\"}",
        "$apiToken .= \"#\"",
        "apiToken := `#`",
        "api_token ?= \"#\"",
        "\"apiToken\" => \"#\"",
        "var apiToken string = \"#\"",
        "const API_SECRET: &str = \"#\";",
        "System.setProperty(\"API_TOKEN\", \"#\")",
        "os.environ.get(\"API_KEY\", \"#\")",
        "<apiToken>\n    #\n</apiToken>",
        "<add key=\"api_key\" value=\"#\" />",
        "ENV ACCESS_TOKEN #",
        "--auth-token #",
        "--auth-token=#",
        "GET /callback?code=4&access_token=#&state=9",
        "client_secret:\n  '#'",
        "X-Api-Key: #",
        "\"x-auth-token\": \"#\"",
        "**Token:** `#`",
        "the api key is # for now",
        "if (secret === \"#\") {",
        "| api-key | `#` | active |",
        r##"{\"api_key\": \"#\"}"##,
        r##"{\\\"api_key\\\": \\\"#\\\"}"##,
    ] {
        gone(text, &value);
    }
}

#[test]
fn a_name_may_be_a_value_itself() {
    let value = fake(ALNUM, 32);
    for text in [
        "env:\n  - name: API_TOKEN\n    value: #\n  - name: LEVEL\n    value: debug",
        "name = \"API_TOKEN\"\nvalue = \"#\"",
        "{ name: 'API_TOKEN', value: '#' },",
        "<key>ApiToken</key>\n  <string>#</string>",
        "<setting name=\"ApiToken\"><value>#</value></setting>",
        "<meta name=\"api-key\" content=\"#\">",
        "variable \"x_token\" {\n  type    = string\n  default = \"#\"\n}",
        "```json\n{\"name\":\"API_TOKEN\",\"value\":\"#\"}\n```",
        "log: {\\\"name\\\":\\\"API_TOKEN\\\",\\\"value\\\":\\\"#\\\"}",
        "args:\n  - --api-token\n  - #\n",
        "{\"apiKey\":{\"default\":\"#\"}}",
        "{\"secrets\":{\"PROD\":\"#\"},\"next\":[\"words\"]}",
        "[\"--token\", \"#\", \"--host\", \"x\"]",
        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"#\"}]}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"#\"}",
        "api_key: Some(\"#\"),",
        "buildConfigField(\"String\", \"API_TOKEN\", \"\\\"#\\\"\")",
    ] {
        gone(text, &value);
    }
    for text in [
        "- name: API_TOKEN\n  description: the value is set by the operator",
        "- name: API_TOKEN\n- name: BUILD\n  value: #",
        "{\"tokens\":{\"input\":{\"value\":120}}}",
        "[\"--token-file\", \"/run/secrets/token-1\"]",
    ] {
        stays(&text.replace('#', &value));
    }
}

#[test]
fn words_between_a_name_and_its_value() {
    let value = fake(ALNUM, 32);
    for text in [
        "Client secret (prod): #",
        "Created token \"ci\": #",
        "AWS Secret Access Key [None]: #",
        "Unseal Key 1: #",
        "Your new API key:\n\n```\n#\n```\n",
        "token: |\n  #\n",
        "token: >-\n  #\n",
        "Password:\n#\n",
        "Password for bob: #",
        "The password for bob is #",
        "Your temporary password is: #",
        "api_token → #",
    ] {
        gone(text, &value);
    }
    let sha1 = fake(HEX, 40);
    for text in ["API key: #", "My api key is #", "secret key : #", "API 키: #", "APIキー：#"] {
        gone(text, &sha1);
    }
    for text in [
        "Password for the new account: ask bob",
        "Token 2: see above",
        "Password:\nrequired\n",
        "token: |\n  many words of text1\n",
        "the key (sha256): #",
        "the secret (see below) is documented",
    ] {
        stays(&text.replace('#', &sha1));
    }
}

#[test]
fn passwords_of_commands() {
    let value = format!("Ri{}ver!{}", "", 4711);
    for text in [
        "htpasswd -nb admin '#'",
        "htpasswd -b -c /etc/web/users admin #",
        "7z a -p# out.7z docs",
        "ldapsearch -x -D cn=admin -w # -b dc=acme",
        "az login --service-principal -u app -p # --tenant t",
        "echo 'bob:#' | sudo chpasswd",
        "echo '#' | sudo -S apt update",
        "wpa_passphrase \"Home Net\" #",
        "requirepass #",
        "db.host:5432:shop:app:#",
        "requests.get(url, auth=(\"bob\", \"#\"))",
        "jdbc:oracle:thin:app/#@//db:1521/x",
        "mot de passe : #",
        "contraseña: #",
        "пароль: #",
        "Das Passwort lautet #",
        "PW：#",
    ] {
        gone(text, &value);
    }
    let token = fake(ALNUM, 32);
    gone("git clone https://#@github.com/acme/repo.git", &token);
    gone("origin https://x-access-token:#@github.com/acme/repo.git (fetch)", &token);
    gone("curl -b 'sid=#; a=b' https://acme.dev", &token);
    gone("gh secret set DEPLOY_TOKEN --body \"#\"", &token);
    gone("tool --password #", &format!("coffee{}", 713));
    gone("gmail app password: #", &["mwvz", "tvdj", "noes", "xjdv"].join(" "));
    stays("echo done | sudo -S true");
    stays("https://registry.acme.dev/@scope/pkg and git@github.com:acme/repo.git");
}

#[test]
fn ids_and_lookups_stay() {
    let sha1 = fake(HEX, 40);
    let long = fake(ALNUM, 40);
    for text in [
        "      - uses: codecov/codecov-action@#",
        "\"sentry\": \"#\"",
        "netlify deploy id: #",
        "Cache restored from key: v1-deps-#",
        "cache key: node-cache-linux-#",
    ] {
        stays(&text.replace('#', &sha1));
    }
    for text in [
        "\"nextToken\": \"#\"",
        "{\"pageToken\":\"#\"}",
        "cursor_token=#",
        "Sec-WebSocket-Key: #",
        "token_accessor #",
        "vapidKey: \"#\"",
    ] {
        stays(&text.replace('#', &long));
    }
    for text in [
        "redis_key: \"sess:user:1234567\"",
        "password: !vault |",
        "password: !secret db_pass2",
        "seedPhraseSecret: '{__relative_name__}'",
        "#define CKA_NSS_PASSWORD_CHECK 0xce534356UL",
        "暗号化方式：AES-256-GCM",
    ] {
        stays(text);
    }
}

#[test]
fn passwords_in_many_spellings() {
    let value = format!("Ri{}ver!{}", "", 4711);
    for text in [
        "password: #",
        "DB_PASSWORD=#",
        "db_pass := \"#\"",
        "user:master pw:#",
        "ID:master/PASS:#",
        "(pw:#)",
        "The root password is # and expires",
        "mysql -u root --password #",
        "password = '#'",
        "val password: String = \"#\"",
        "CREATE USER app IDENTIFIED BY '#';",
        "ALTER ROLE app WITH PASSWORD '#';",
        "machine a.test login me password #",
        "비밀번호는 # 입니다",
        "관리자 암호 = # 로 변경함",
        "パスワード：#",
        "DBのパスワードは「#」です",
        "数据库密码是 #",
        "密碼：#",
        "口令: #",
        "Server=db;User ID=sa;Password=#;Encrypt=True;",
        "sshpass -p '#' ssh host",
        "docker login -u me -p # registry",
    ] {
        gone(text, &value);
    }
}

#[test]
fn key_words_of_other_scripts_lead_to_tokens() {
    let value = fake(ALNUM, 32);
    for text in [
        "토큰(#)을 등록",
        "API 키: #",
        "시크릿 키는 `#` 로 설정",
        "アクセストークン: #",
        "APIキー：#",
        "令牌：#",
        "API密钥：#",
    ] {
        gone(text, &value);
    }
    for text in [
        "비밀번호 재설정 링크를 다시 보냈음",
        "토큰 사용량을 3500개 이하로",
        "パスワードは環境変数から",
        "令牌数量：3500",
        "암호화 AES256 사용",
    ] {
        stays(text);
    }
}

#[test]
fn headers_addresses_and_command_lines() {
    let value = fake(ALNUM, 32);
    for text in [
        "Authorization: Bearer #",
        "-H 'authorization: token #'",
        "{\"Authorization\":\"Basic #\"}",
        "postgres://app:#@db.test:5432/x",
        "mongodb+srv://app:#@db.test/x?w=1",
        "https://admin:#@host.test/path",
        "redis://:#@cache:6379",
        "mysql -u root -p# shop",
        "https://hooks.slack.com/services/#",
        "AccountName=x;AccountKey=#==;EndpointSuffix=y",
        "Cookie: theme=dark; sid=#; lang=en",
        "//npm.acme.dev/:_authToken=#",
        "redis-cli -h host -a # ping",
    ] {
        let text = text.replace("#==", "#");
        gone(&text, &value);
    }
    let pair = format!("curl -u admin:{value} https://host.test");
    assert_eq!(redacted(&pair), "curl -u [REDACTED:basic-auth-option] https://host.test");
}

#[test]
fn a_service_name_is_evidence() {
    gone("fastly: \"#\"", &fake(BASE36, 32));
    gone("OPENWEATHER = #", &fake(HEX, 32));
    gone("bugsnag secret #", &fake(HEX, 32));
    gone("blazemeter #", &format!("{}-1f3a-4b5c-8d7e-{}", fake(HEX, 8), fake(HEX, 12)));
    stays("we moved from fastly to our own cache in 2024");
}

#[test]
fn a_proven_value_goes_everywhere() {
    let value = fake(ALNUM, 40);
    let text =
        format!("first seen: {value}\napi_token = \"{value}\"\nthen ({value}), twice{value}\n");
    let out = redacted(&text);
    let mark = "[REDACTED:secret]";
    let expect =
        format!("first seen: {mark}\napi_token = \"{mark}\"\nthen ({mark}), twice{value}\n");
    assert_eq!(out, expect);
}

#[test]
fn placeholders_references_and_code_stay() {
    for text in [
        "token: <token>",
        "password: ********",
        "[REDACTED: secret detected]",
        "api_key = \"YOUR_API_KEY_1234\"",
        "mysql://USER:PASS@HOST/DB",
        "postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/app",
        "secret: \"insert-secret-here\"",
        "api_key: {{ .Values.apiKey }}",
        "password: %(db_password)s",
        "password=getpass.getpass()",
        "self.password = password",
        "password: String,",
        "const token = await getToken2();",
        "apiKey: process.env.API_KEY_2",
        "secret_key = var.secret_key1",
        "DB_PASSWORD=$(aws ssm get-parameter --name /prod/db2)",
        "token_type: bearer2",
        "max_tokens: 200000",
        "passwordless: true",
        "TOKEN_EXPIRY=2026-11-20T00:00:00Z",
        "keyboard_shortcut_key: \"ctrl+shift+p\"",
        "password: required, 8 characters",
        "the password is incorrect",
        "pub const KEY: u32 = 0x8000_0001u32;",
        "signed with hmac key sha256",
        "f\"{token}\" and f\"{key:>10}\"",
    ] {
        stays(text);
    }
}

#[test]
fn hashes_and_identifiers_stay() {
    let sha1 = fake(HEX, 40);
    let sha256 = fake(HEX, 64);
    let base64 = fake(ALNUM, 86);
    let uuid = format!("{}-1f3a-4b5c-8d7e-{}", fake(HEX, 8), fake(HEX, 12));
    for text in [
        format!("commit {sha1}"),
        format!("HEAD is now at {sha1} fix: token refresh"),
        format!("checksum = \"{sha256}\""),
        format!("    resolution: {{integrity: sha512-{base64}==}}"),
        format!("sha256:{sha256}"),
        format!("\"sessionId\":\"{uuid}\""),
        format!("request_id={uuid} status=200"),
        format!("cache key {sha1}"),
        format!("\"call_id\":\"call_{}\"", fake(ALNUM, 22)),
        format!("![logo](data:image/png;base64,{base64})"),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{} me@host", fake(ALNUM, 44)),
        format!("public_key = \"{}=\"", fake(ALNUM, 43)),
        format!("/nix/store/{}-openssl-3.0", fake(BASE36, 32)),
        format!("https://docs.test/document/d/{}/edit", fake(ALNUM, 44)),
    ] {
        stays(&text);
    }
}
