//! Generated values in the many places where people and programs put secrets. What is measured is a share: a value
//! of letters may come out as a word by chance, and then it stays.

use hipocampus::redact::Redactor;

use crate::sample::{ALNUM, BASE36, HEX, Random, redacted};

const URL_SAFE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SYMBOLS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#%^*_+-";

/// Where a password stands. `¤` is the value.
const PASSWORDS: &[&str] = &[
    // settings and data
    "DB_PASSWORD=¤",
    "DB_PASSWORD: ¤",
    "$env:DB_PASSWORD = \"¤\"",
    "ENV DB_PASSWORD ¤",
    "set -x DB_PASSWORD ¤",
    "  POSTGRES_PASSWORD: ¤\n  POSTGRES_DB: app",
    "spring.datasource.password=¤",
    "{\"password\": \"¤\"}",
    "{'password': '¤', 'user': 'x'}",
    "password = \"¤\"",
    ":password => \"¤\"",
    "<password>¤</password>",
    "<Password value=\"¤\"/>",
    "<property name=\"password\" value=\"¤\"/>",
    "password <- \"¤\"",
    "Server=db;Database=x;User Id=sa;Password=¤;",
    "postgres://app:¤@db:5432/x",
    "redis://:¤@cache:6379/0",
    // commands
    "mysql --password=¤ -u root",
    "PGPASSWORD=¤ psql -h db",
    "sshpass -p '¤' ssh root@10.0.0.1",
    "curl -u 'admin:¤' https://x.test/api",
    "docker run -e MYSQL_ROOT_PASSWORD=¤ mysql:8",
    "kubectl create secret generic db --from-literal=password=¤",
    "helm install x --set auth.password=¤",
    "az login --service-principal -u x -p ¤ --tenant t",
    "rabbitmqctl change_password bob ¤",
    "docker login r.test --password-stdin <<< '¤'",
    // code
    "process.env.DB_PASSWORD = '¤'",
    "os.environ.get(\"DB_PASSWORD\") or \"¤\"",
    "getenv(\"DB_PASSWORD\",\"¤\")",
    "HTTPBasicAuth('bob', '¤')",
    "r.SetBasicAuth(\"bob\", \"¤\")",
    "new NetworkCredential(\"bob\", \"¤\")",
    "DriverManager.getConnection(url, \"bob\", \"¤\")",
    "mysqli_connect('localhost', 'root', '¤', 'db')",
    "new PDO($dsn, 'root', '¤')",
    "smtp.login('a@x.test', '¤')",
    ".auth('bob', '¤')",
    "jwt.sign(payload, '¤')",
    "jwt.encode({'sub': 1, 'x': 2}, \"¤\", algorithm=\"HS256\")",
    "createHmac('sha256', '¤')",
    "curl_setopt($ch, CURLOPT_PASSWORD, '¤');",
    "CURLOPT_PROXYUSERPWD, \"u:¤\"",
    "driver.find_element('password').send_keys('¤')",
    "await page.getByLabel('Password').fill('¤')",
    // SQL
    "ALTER USER bob WITH PASSWORD '¤';",
    "SET PASSWORD FOR 'bob'@'%' = '¤';",
    "INSERT INTO users (name, password, age) VALUES ('bob', '¤', 3), ('eve', '¤', 4);",
    "UPDATE config SET value = '¤' WHERE key = 'api_token';",
    // sentences
    "the password is ¤",
    "The password for bob is ¤.",
    "password for the staging db: ¤",
    "Password for `admin`: `¤`",
    "User: bob | Password: ¤",
    "**Password:** ¤",
    "I changed the password to `¤`",
    "password (staging): ¤",
    "password [prod] = ¤",
    "password → ¤",
    "password -> ¤",
    "password - '¤'",
    "Password\n¤\n",
    "| password | ¤ |",
    "password\t¤",
    "password of the service account is '¤'",
    "The secret is `¤`",
    // other languages
    "Das Passwort lautet ¤",
    "Kennwort für bob: ¤",
    "Passwort „¤“",
    "Das Admin-Kennwort wurde auf ¤ gesetzt",
    "WLAN-Schlüssel: ¤",
    "Mot de passe : « ¤ »",
    "le mot de passe de la base est `¤`",
    "mon mdp c'est ¤",
    "La contraseña es ¤",
    "Contraseña de la base: `¤`",
    "la clave es ¤",
    "contraseña => \"¤\"",
    "A senha é ¤",
    "a nova senha é ¤",
    "Пароль от базы: ¤",
    "пароль администратора — ¤",
    "Пароль «¤»",
    "пароль сменил на ¤",
    "비밀번호는 ¤ 입니다",
    "DB 비밀번호 = ¤",
    "パスワードは ¤ です",
    "新しいパスワードは「¤」です",
    "合言葉: ¤",
    "密码是 ¤",
    "新密码是“¤”",
    "用户名 bob 密码 ¤",
    "şifresi ¤",
];

/// Where a token stands.
const TOKENS: &[&str] = &[
    "API_KEY: ¤",
    "the api key is ¤",
    "token (prod): ¤",
    "SERVICE token - '¤'",
    "sendgrid = \"¤\"",
    "Authorization: Bearer ¤",
    "Authorization: NTLM ¤",
    "curl --oauth2-bearer ¤ https://x.test",
    "?access_token=¤",
    "signing secret is ¤",
    "X-Vault-Token: ¤",
    "vault login ¤",
    "gh auth login --with-token <<< ¤",
    "vercel env add API_TOKEN production <<< '¤'",
    "Der API-Schlüssel lautet ¤",
    "la clé API est ¤",
    "jeton d'accès : ¤",
    "el token es ¤",
    "token de acceso: ¤",
    "o token é ¤",
    "chave de API: ¤",
    "API-ключ: ¤",
    "токен доступа — ¤",
    "API 키는 ¤ 입니다",
    "시크릿 키: ¤",
    "トークン：¤",
    "密钥：¤",
];

/// A password a person makes of a word.
fn human(random: &mut Random, index: usize) -> String {
    let word = ["Marmelade", "Sommer", "Tiger", "Hunter", "Berlin", "Karotte"][index % 6];
    format!("{word}{}!{}", random.text("0123456789", 2), random.text(BASE36, 1))
}

/// How many of the places leave some of their values, in percent, and some that do.
fn leaks(places: &[&str], values: impl Fn(&mut Random, usize) -> String) -> (usize, Vec<String>) {
    const EACH: usize = 10;
    let mut random = Random::new(4711);
    let mut left = Vec::new();
    for place in places {
        for index in 0..EACH {
            let value = values(&mut random, index);
            let out = redacted(&place.replace('¤', &value));
            if out.contains(&value) {
                left.push(out);
            }
        }
    }
    (left.len() * 1000 / (places.len() * EACH), left)
}

#[test]
fn generated_passwords_in_every_place() {
    for (length, permille) in [(8, 45), (12, 20), (16, 10), (20, 10)] {
        let (share, left) = leaks(PASSWORDS, |random, _| random.text(ALNUM, length));
        assert!(share <= permille, "{length}: {share} of 1000 stay: {left:#?}");
    }
    let (share, left) = leaks(PASSWORDS, |random, _| random.text(SYMBOLS, 16));
    assert!(share <= 25, "{share} of 1000 stay: {left:#?}");
}

#[test]
fn passwords_of_people_in_every_place() {
    let (share, left) = leaks(PASSWORDS, human);
    assert!(share <= 30, "{share} of 1000 stay: {left:#?}");
}

#[test]
fn tokens_in_every_place() {
    for (alphabet, length) in
        [(ALNUM, 24), (ALNUM, 40), (HEX, 32), (HEX, 64), (URL_SAFE, 43), (BASE36, 24)]
    {
        let (share, left) = leaks(TOKENS, |random, _| random.text(alphabet, length));
        assert!(share <= 15, "{length}: {share} of 1000 stay: {left:#?}");
    }
}

#[test]
fn a_user_and_a_password_side_by_side() {
    for place in [
        "creds: bob / ¤",
        "credentials: bob:¤",
        "login with bob / ¤",
        "Zugangsdaten: bob / ¤",
        "Identifiants : bob / ¤",
        "WiFi: HomeNet / ¤",
        "authenticate as bob with ¤",
        "계정: bob / ¤",
        "账号：bob / ¤",
    ] {
        let mut random = Random::new(8);
        let value = format!("{}7Q!{}", random.text(BASE36, 5), random.text(ALNUM, 4));
        let out = redacted(&place.replace('¤', &value));
        assert!(!out.contains(&value) && out != place, "{out}");
    }
    for text in [
        "login: src/auth/session.rs",
        "credentials: config/master.key",
        "login with bob / alice",
        "creds: repo/name@v1.2.3",
        "connect as root with sudo",
        "login: 10:30",
        "wifi: on/off",
        "login with github / gitlab",
        "계정 a/b",
        "log in as admin with the browser",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn source_text_in_the_same_places_stays() {
    for text in [
        "HTTPBasicAuth('bob', password)",
        "r.SetBasicAuth(\"bob\", \"password\")",
        "client.login('bob', 'github')",
        "jwt.sign(payload, 'secret')",
        "jwt.verify(token, 'your-secret-key')",
        "createHmac('sha256', 'key')",
        "page.getByLabel('Password').fill('password')",
        "INSERT INTO users (name, password) VALUES (?, ?)",
        "INSERT INTO users (name, password_hash) VALUES ('bob', 'x')",
        "UPDATE t SET state = 'done' WHERE key = 'api_token'",
        "fn password(&self) -> SecretString",
        "fn token() -> Result<String>",
        "def token(self) -> TokenResponse:",
        "token <- readLines",
        "the token is JavaScript",
        "the password is bcrypt",
        "the secret is SealedSecret",
        "Password\nForgot your password?\n",
        "token\tTokenKind",
        "docker run <<< 'hello world'",
        "the key is UTF8String",
        "credentials?: JWTInput | ExternalAccountClientOptions",
        "\"match gateway.auth.password\" : isControlUi || isWebchat",
        "das Kennwort wurde auf Wunsch geändert",
        "пароль можно сменить на сайте",
        "le mot de passe est à changer",
        "the secret is OAuth2ClientSecret",
        "password is PBKDF2-HMAC-SHA256",
        "パスワードは必須です",
        "비밀번호는 필수입니다",
        "密码是必填项",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn keys_known_by_their_format() {
    let mut random = Random::new(21);
    let base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let groups: Vec<String> = (0..6).map(|_| format!("{}4x", random.text(ALNUM, 2))).collect();
    let values = [
        format!("AQAAABAAAAAQ{}==", random.text(ALNUM, 42)),
        format!("sk-kimi-{}", random.text(ALNUM, 60)),
        format!("ctx7sk-{0}{0}-{0}-{0}-{0}-{0}{0}{0}", random.text(HEX, 4)),
        format!("dtn_{}", random.text(HEX, 64)),
        format!("secret-live-{}=", random.text(URL_SAFE, 36)),
        format!("xprv{}", random.text(base58, 107)),
        groups.join(" "),
    ];
    let places =
        ["<secret>{¤}</secret>", "¤", "uses ¤.", "¤", "'¤'", "¤", "application password: ¤"];
    for (value, place) in values.iter().zip(places) {
        let out = redacted(&place.replace('¤', value));
        assert!(!out.contains(value.as_str()), "{out}");
    }
    let words = ["wagon", "tomato", "river"].repeat(4).join(" ");
    assert!(!redacted(&format!("seed phrase: {words}\n")).contains("tomato river"));
    let key = random.text(HEX, 32);
    assert!(!redacted(&format!("https://mainnet.infura.io/v3/{key}")).contains(&key));
}

#[test]
fn each_place_is_idempotent_and_json_stays_json() {
    let rules = Redactor::standard();
    let mut random = Random::new(31);
    for place in PASSWORDS.iter().chain(TOKENS) {
        let text = place.replace('¤', &random.text(SYMBOLS, 18));
        let once = rules.redact(text.as_bytes()).bytes.into_owned();
        assert_eq!(*rules.redact(&once).bytes, *once, "{text}");
        let json = serde_json::json!({ "text": text, "n": 1 }).to_string();
        let out = redacted(&json);
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{out}");
        assert_eq!(redacted(&out), out);
    }
}

#[test]
fn behind_the_escape_of_a_line_end_in_json_that_is_cut_short() {
    let value = Random::new(41).text(ALNUM, 24);
    for place in ["pw: ¤", "pwd: ¤", "sendgrid = '¤'", "user bob password ¤", "DB_PASSWORD=¤"]
    {
        let out = redacted(&format!("{{\"text\": \"one\\n{}\\ntwo", place.replace('¤', &value)));
        assert!(!out.contains(&value) && out.ends_with("\\ntwo"), "{out}");
    }
}
