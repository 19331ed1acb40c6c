//! An explicit name is proof: generated values behind names in the syntax of many files and languages, and the words,
//! references and pieces of code that are in the same places and stay.

use crate::sample::{ALNUM, CAPITALS, HEX, LETTERS, Random, redacted};

/// Django's alphabet for `SECRET_KEY`.
const DJANGO: &str = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)";

const NAMES: [&str; 8] = [
    "password",
    "db_password",
    "DB_PASSWORD",
    "client_secret",
    "JWT_SECRET",
    "api_token",
    "userPassword",
    "AUTH_TOKEN",
];

/// `N` is the name in capitals, `n` as it is, `#` the value.
const PLACES: [&str; 26] = [
    "{N}=#",
    "{N}=\"#\"",
    "export {N}=# && make",
    "      - {N}=#",
    "docker run -e {N}=# postgres:16",
    "ENV {N} #",
    "  {n}: #\n  port: 5432",
    "  {n}: '#'",
    "{n} = \"#\"",
    "user=app\n{n}=#\n",
    "user = app\n{n} = #\n",
    "{\"user\":\"app\",\"{n}\":\"#\"}",
    "<config><{n}>#</{n}></config>",
    "<add name=\"x\" {n}=\"#\" />",
    "connect(host=\"h\", {n}='#')",
    "const {n} = '#';",
    "new Client({ user: \"app\", {n}: '#' })",
    "private readonly {n}: string = '#';",
    "{n} := \"#\"",
    "let {n} = String::from(\"#\");",
    "public string {n} { get; set; } = \"#\";",
    "define('{N}', '#');",
    "    '{n}' => '#',",
    "#define {N} \"#\"",
    "./run --{n}=# --verbose",
    "- **{n}**: `#`",
];

/// How many of `count` values stay, and one of them.
fn left(
    random: &mut Random,
    alphabet: &str,
    length: usize,
    count: usize,
    text: impl Fn(usize, &str) -> String,
) -> (usize, String) {
    let mut left = (0, String::new());
    for index in 0..count {
        let value = random.text(alphabet, length);
        let text = text(index, &value);
        if redacted(&text).contains(&value) {
            left = (left.0 + 1, text);
        }
    }
    left
}

#[test]
fn generated_values_behind_a_name_in_a_file_of_settings() {
    for length in [8, 12, 16, 20] {
        let mut random = Random::new(length as u64);
        let (left, sample) =
            left(&mut random, ALNUM, length, 3000, |_, value| format!("DB_PASSWORD={value}\n"));
        assert!(left * 100 <= 3000, "{length}: {left} stayed, one is {sample}");
    }
}

#[test]
fn generated_values_behind_names_in_many_places() {
    for (length, percent) in [(8, 2), (12, 1), (16, 1), (20, 1)] {
        let mut random = Random::new(90 + length as u64);
        let place = |index: usize, value: &str| {
            let name = NAMES[index % NAMES.len()];
            PLACES[index / NAMES.len() % PLACES.len()]
                .replace("#define", "§")
                .replace('#', value)
                .replace('§', "#define")
                .replace("{n}", name)
                .replace("{N}", &name.to_uppercase())
        };
        let (left, sample) = left(&mut random, ALNUM, length, 3000, place);
        assert!(left * 100 <= 3000 * percent, "{length}: {left} stayed, one is {sample}");
    }
}

#[test]
fn the_secret_keys_of_django() {
    for text in
        ["SECRET_KEY=#\n", "SECRET_KEY = '#'\n", "SECRET_KEY=\"#\"\n", "{\"SECRET_KEY\": \"#\"}"]
    {
        let mut random = Random::new(50);
        let (left, sample) =
            left(&mut random, DJANGO, 50, 500, |_, value| text.replace('#', value));
        assert!(left * 100 <= 500 * 2, "{left} stayed, one is {sample}");
    }
}

#[test]
fn what_people_make_of_words() {
    for value in [
        "Marmelade-99x",
        "Sommer-2024",
        "tiger-harbor-48-21",
        "Flamingo!-07",
        "c0ff33-harb0r-9",
        "hpgd-XlIB",
    ] {
        // Put together here, so that no file holds one.
        let value = value.replacen('-', "", 1);
        for text in ["DB_PASSWORD=#", "password: '#'", "\"password\": \"#\"", "smtp_password = #\n"]
        {
            let text = text.replace('#', &value);
            assert!(!redacted(&text).contains(&value), "{text}");
        }
    }
}

#[test]
fn blanks_and_brackets_inside_quotes() {
    let four = ["correct", "horse", "battery", "staple"].join(" ");
    let mut random = Random::new(4);
    let bracket =
        format!("{}({}]{}", random.text(LETTERS, 5), random.text(ALNUM, 3), random.text(ALNUM, 4));
    let opens = format!("[{}>!", random.text(ALNUM, 9));
    for value in
        [four, format!("{} {}", random.text(ALNUM, 6), random.text(ALNUM, 5)), bracket, opens]
    {
        for text in ["DB_PASSWORD=\"#\"", "password: \"#\"", "passphrase = '#'"] {
            let text = text.replace('#', &value);
            assert!(!redacted(&text).contains(&value), "{text}");
        }
    }
}

#[test]
fn what_is_taken_where_a_variable_is_not_set() {
    for text in [
        "password = os.environ.get(\"DB_PASSWORD\") or \"#\"",
        "token = os.getenv('API_TOKEN', '#')",
        "getenv(\"DB_PASSWORD\",\"#\")",
        "const token = process.env.API_TOKEN || \"#\"",
        "const pw = process.env.DB_PASSWORD ?? '#';",
        "DB_PASSWORD=${DB_PASSWORD:-#}",
        "secret: ${JWT_SECRET:#}",
        "std::env::var(\"API_TOKEN\").unwrap_or(\"#\".into())",
    ] {
        let value = Random::new(7).text(ALNUM, 14);
        let out = redacted(&text.replace('#', &value));
        assert!(!out.contains(&value), "{text} became {out}");
    }
}

#[test]
fn columns_under_a_head() {
    let mut random = Random::new(11);
    for text in [
        "| user | password |\n|---|---|\n| alice | #1 |\n| bob | #2 |\n",
        "user,password,role\nalice,#1,admin\nbob,#2,dev\n",
        "name   password\nalice  #1\nbob    #2\n",
        "id | email | api_key\n---+---+---\n1 | a@b.c | #1\n2 | b@b.c | #2\n",
        "USERNAME\tPASSWORD\nalice\t#1\nbob\t#2\n",
    ] {
        let (one, two) = (random.text(ALNUM, 12), random.text(ALNUM, 12));
        let out = redacted(&text.replace("#1", &one).replace("#2", &two));
        assert!(!out.contains(&one) && !out.contains(&two), "{out}");
        assert!(out.contains("bob") || out.contains("b@b.c"), "{out}");
    }
    let plain = "| field | password |\n|---|---|\n| type | string |\n| label | required |\n";
    assert_eq!(redacted(plain), plain);
}

#[test]
fn codes_that_people_type() {
    let mut random = Random::new(12);
    let digits = random.text("0123456789", 6);
    for text in
        ["PIN: #", "the PIN is # for the safe", "DEVICE_PIN=#", "\"pin\": \"#\"", "pin code is #"]
    {
        let out = redacted(&text.replace('#', &digits));
        assert!(!out.contains(&digits), "{out}");
    }
    let codes: Vec<String> =
        (0..3).map(|_| format!("{}-{}4", random.text(HEX, 5), random.text(HEX, 4))).collect();
    let out = redacted(&format!(
        "Recovery codes:\n{}\n{}\n- {}\n\nKeep them safe.",
        codes[0], codes[1], codes[2]
    ));
    assert!(
        codes.iter().all(|code| !out.contains(code)) && out.ends_with("Keep them safe."),
        "{out}"
    );
    let seed = random.text(CAPITALS, 32);
    for text in
        ["TOTP secret: #", "otpauth://totp/Acme:bob?secret=#&issuer=Acme", "pyotp.TOTP(\"#\")"]
    {
        let out = redacted(&text.replace('#', &seed));
        assert!(!out.contains(&seed), "{out}");
    }
    for text in [
        "pin to 1.2.3",
        "GPIO pin 17",
        "pinned 2024-11-02",
        "shipping: 1200",
        "the backup codes are in the safe",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn a_mark_is_no_shield() {
    let token = format!("ghp_{}", Random::new(14).text(ALNUM, 36));
    for text in [
        "[REDACTED\n#",
        "[REDACTED by ops, key #",
        "[REDACTED #]",
        "[REDACTED:#]",
        "[REDACTED: #",
        "[REDACTED:jwt] #",
    ] {
        let out = redacted(&text.replace('#', &token));
        assert!(!out.contains(&token), "{out}");
        assert_eq!(redacted(&out), out);
    }
    for text in ["[REDACTED", "[REDACTED:", "[REDACTED:jwt", "token: [REDACTED:"] {
        assert_eq!(redacted(text), text);
    }
    // However much the key looks like a word.
    let key = format!("AKIA{}", ["MANA", "GERT", "OKEN", "NAME"].concat());
    assert!(!redacted(&format!("[REDACTED:{key}]")).contains(&key));
    for text in ["token: [REDACTED:some-old-rule]", "password: [REDACTED: secret detected]"] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn names_in_other_languages() {
    let value = Random::new(15).text(ALNUM, 12);
    for text in [
        "das Kennwort ist #",
        "Passwort für den Server: #",
        "le mot de passe du serveur est #",
        "mdp : #",
        "la contraseña es #",
        "contraseña del servidor: #",
        "clave: #",
        "a senha é #",
        "palavra-passe: #",
        "Пароль от сервера: #",
        "пароль — #",
        "la password è #",
        "lösenord: #",
        "mật khẩu là #",
        "비밀번호는 # 입니다",
        "パスワードは#です",
        "密码是#",
        "كلمة المرور: #",
    ] {
        let out = redacted(&text.replace('#', &value));
        assert!(!out.contains(&value), "{out}");
    }
    for text in [
        "das Kennwort ist falsch",
        "le mot de passe est obligatoire",
        "la contraseña es incorrecta",
        "a senha é opcional",
        "пароль: обязательно",
        "clave: valor",
        "la clave es entender el problema",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn words_code_and_lists_stay() {
    for text in [
        "    --- PASS: TestComputeProject/worktree_(.git_file)_resolves_to_2 (0.00s)",
        "\"js-tokens\": [\"js-tokens@4.0.0\", \"\", {}]",
        "S3 bucket key: releases/2024/app-1a2b3c4d5e.tar.gz",
        "pass: !state.ok",
        "pass: \"bg-emerald-400\"",
        "${DB_PASSWORD:?DB_PASSWORD must be set}",
        "passphrase 5.186s",
        "token: Token.Name.Builtin",
        "credential: X509Credential | undefined;",
        "csrf_token = generate_csrf_token_for_session(request)",
        "password = request.form[\"password\"]",
        "password: this.options.password,",
        "Pass `--token` or `--password` explicitly, or the command errors.",
        "use `--gateway-auth password` or `--gateway-password <value>` to choose",
        "JWT_SECRET=my-super-secret-key",
        "Token: \"#d8dee9\"",
        "fused into one token (`poem.txt` → `poemtxt`)",
        "\"password\": \"Please enter your password\"",
        "token = self._input.at(1)",
        "\"Resource\":\"arn:aws:secretsmanager:*:*:secret:A4BNetworkProfile*\"",
    ] {
        assert_eq!(redacted(text), text);
    }
    let public =
        format!("key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE{}==", Random::new(16).text(ALNUM, 84));
    assert_eq!(redacted(&public), public);
    // Base64 of `{"id":`, not the head of a JWT
    let cursor = format!(
        "cursor=eyJpZCI6{}.eyJ{}",
        Random::new(17).text(ALNUM, 24),
        Random::new(18).text(ALNUM, 24)
    );
    assert_eq!(redacted(&cursor), cursor);
}

#[test]
fn a_user_and_a_password_side_by_side_go_in_more_places() {
    for (seed, (before, behind)) in (30..).zip([
        ("admin/", " works"),
        ("log in with root/", "."),
        ("login bob:", ""),
        ("account: bob:", ""),
        ("user is bob:", " for now"),
        ("Password? ", ""),
        ("what is the password? `", "`"),
        ("パスは ", " です"),
        ("新しいパスは「", "」"),
    ]) {
        let value = format!("{}7Kx", Random::new(seed).text(ALNUM, 9));
        let text = format!("{before}{value}{behind}");
        assert_eq!(redacted(&text), format!("{before}[REDACTED:password]{behind}"));
    }
    let stripe = Random::new(50).text(ALNUM, 32);
    assert_eq!(redacted(&format!("stripe = '{stripe}'")), "stripe = '[REDACTED:service-key]'");
    for text in [
        "src/admin/Users2 works",
        "admin/dashboard2 works",
        "root/bin works",
        "account: ref:12345",
        "password? yes",
        "パスは /usr/local/bin です",
        "パスは src/main.rs です",
        "stripe = 'price_1MotwRLkdIwHu7ixYcPLm5uZ'",
        "passwd: x:1000:1000",
        "passwd: x:1000:1000:Bob,,,:/home/bob:/bin/zsh",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn eight_letters_behind_a_name_go_in_every_form() {
    const EACH: usize = 60;
    let mut random = Random::new(60);
    let (mut left, mut all) = (0, 0);
    for form in [
        "N=V",
        "N: V",
        "N: \"V\"",
        "x; N: V, y",
        "foo N=V bar",
        "| N | V |",
        "my N: V (new)",
        "the N is `V`",
    ] {
        for name in ["password", "DB_PASSWORD", "passphrase", "JWT_SECRET", "api_key"] {
            for _ in 0..EACH {
                let value = random.text(ALNUM, 8);
                let text = form.replace('N', name).replace('V', &value);
                left += usize::from(redacted(&text).contains(&value));
                all += 1;
            }
        }
    }
    assert!(left * 100 <= all, "{left} of {all} stay");
}

#[test]
fn npm_let_passwords_stay_that_had_a_name() {
    for value in ["Marmelade99x".to_owned(), Random::new(80).text(LETTERS, 8)] {
        assert_eq!(redacted(&format!("DB_PASSWORD={value}")), "DB_PASSWORD=[REDACTED:password]");
    }
}

#[test]
fn npm_let_a_secret_stay_where_it_was_said_again() {
    let value = Random::new(81).text(ALNUM, 14);
    let text = format!("DB_PASSWORD={value}\n\nthen psql asked, I typed {value}, and it worked\n");
    assert!(!redacted(&text).contains(&value));
}
