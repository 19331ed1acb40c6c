//! Secrets that no prefix gives away: words that a person made up, what a command prints or stores, and the names, signs and
//! forms of many languages and programs.

use crate::sample::{ALNUM, HEX, Random, redacted, rules};

/// The `#` in the text goes, and nothing else.
fn gone(text: &str, value: &str) {
    let (out, ids) = rules(&text.replace('#', value));
    let (before, after) = text.split_once('#').unwrap();
    let mark = out.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let mark = mark.and_then(|mark| mark.strip_prefix("[REDACTED:")?.strip_suffix(']'));
    assert!(mark.is_some_and(|id| ids == [id]), "{text} with {value} became {out}");
}

/// Nothing in the text is a secret.
fn stays(text: &str) {
    assert_eq!(redacted(text), text);
}

#[test]
fn words_and_a_digit_or_two_behind_a_word_for_password() {
    for value in [
        "marmalade7",
        "Lighthouse42",
        "Copper-Ladle-3",
        "harbour-gate12",
        "Maple.Bridge.8",
        "PelicanOrchard5",
    ] {
        for text in [
            "db:\n  host: x\n  password: #\n",
            "admin_password: #",
            "password: \"#\"",
            "{\"user\":\"bob\",\"password\":\"#\"}",
            r##"{"c": "{\"password\": \"#\"}"}"##,
            "<password>#</password>",
            "ds.setPassword(\"#\");",
            "cfg{Pass: \"#\"}",
            "props.put(\"mail.password\", \"#\");",
            "requests.get(u, auth=('bob', '#'))",
            "page.getByLabel('Password').fill('#')",
            "host=db user=bob password=# dbname=x",
            "vault kv put secret/a password=#",
            "gh secret set DB_PASS --body '#'",
            "dotnet user-secrets set \"Db:Password\" \"#\"",
            "- name: DB_ADMIN_PASSWORD\n  value: #",
            "INSERT INTO users (name, password) VALUES ('bob', '#');",
            "pw: #",
            "the password is #, keep it",
            "パスワード: #",
            "- creds for staging: `app_rw` / `#`",
        ] {
            gone(text, value);
        }
    }
}

#[test]
fn words_without_a_digit_where_only_a_password_stands() {
    for text in
        ["password: \"#\"", "<password>#</password>", "{\"password\":\"#\"}", "password: #\n"]
    {
        gone(text, "Copper-Kettle");
    }
    gone("{\"password\":\"#\"}", "quiet-harbour");
    gone("wifi:\n  password: \"#\"", "seven brown otters");
}

#[test]
fn words_that_are_no_password_stay() {
    for text in [
        "password: string2",
        "password: String!",
        "password: UserPassword2",
        "password: new_password2",
        "password = input2",
        "login(user=user1, password=secret2)",
        "{\"password\": \"new-password\"}",
        "{\"password\": \"Required\"}",
        "{\"password\": \"current-password\"}",
        "password: \"enter your password\"",
        "password: Base64",
        "password: db-secret-1",
        "password: user.address2",
        "the password is required",
        "pass: step 2",
        "| password | required |",
        "const password = getSecret2();",
        "password: { type: String2 }",
    ] {
        stays(text);
    }
}

#[test]
fn what_a_command_prints_goes() {
    let mut random = Random::new(5);
    for command in [
        "kubectl get secret pg -o jsonpath='{.data.password}' | base64 -d",
        "kubectl -n prod get secret pg -o jsonpath='{.data.token}'",
        "aws ssm get-parameter --name /p/token --with-decryption --query Parameter.Value --output text",
        "gcloud secrets versions access latest --secret=stripe",
        "argocd admin initial-password -n argocd",
        "op read op://Prod/Stripe/credential",
        "vault kv get -field=password secret/db",
        "pass show db/prod",
        "heroku config:get SECRET_KEY",
        "cat /run/secrets/db_password",
        "echo $API_TOKEN",
        "printenv DB_PASSWORD",
        "gh auth token",
        "terraform output -raw db_password",
        "security find-generic-password -w -s mail",
        "openssl rand -base64 32",
    ] {
        for end in ["", "\n", "\n\n$ ls -la\n"] {
            gone(&format!("$ {command}\n#{end}"), &random.text(ALNUM, 24));
        }
        stays(&format!("$ {command}\nError: no such entry\n"));
        stays(&format!("$ {command}\n$ kubectl rollout status deploy/web-7c9f\n"));
        stays(&format!("I ran `{command}` and it worked.\n"));
    }
    stays("echo $HOME_DIR\n/home/bob/a7f3d2k9q1x8\n");
}

#[test]
fn what_is_piped_into_a_store_goes() {
    let value = Random::new(6).text(ALNUM, 40);
    for text in [
        "echo '#' | npx wrangler secret put KEY",
        "echo # | gh secret set KEY",
        "echo \"#\" | az acr login -n x --password-stdin",
        "echo # | cargo login",
        "printf '#' | vercel env add SECRET production",
        "printf '%s' '#' | docker secret create db -",
        "echo -n \"#\" | gcloud secrets create db --data-file=-",
    ] {
        gone(text, &value);
    }
    stays("echo done | gh secret set KEY");
    stays("echo $TOKEN | gh secret set KEY");
}

#[test]
fn other_forms_that_name_a_secret() {
    let mut random = Random::new(7);
    let password = "Vk4!mw7#Tz";
    let parts: Vec<String> = [8, 4, 4, 4, 12].map(|length| random.text(HEX, length)).to_vec();
    let uuid = parts.join("-");
    let token = random.text(ALNUM, 48);
    let hex = random.text(HEX, 40);
    for (text, value) in [
        ("{\"set-cookie\":\"sid=#; Path=/\"}", token.as_str()),
        ("{\"name\":\"cookie\",\"value\":\"a=1; session=#\"}", &token),
        ("Authorization: Bearer #", &format!("12|{token}")),
        ("Bearer # was sent", &format!("12|{token}")),
        ("deepgram = createClient('#')", &hex),
        ("vapi private key #", &uuid),
        ("smtp_address: smtp.postmarkapp.com\nsmtp_username: #\n", &uuid),
        ("Here is the api key, #. Keep it safe", &hex),
        ("Kennwort vom Router: @", password),
        ("Зайди под root с паролем @", password),
        ("账号root，密码@", password),
        ("[redis]\nhost = cache\nauth = @\n", password),
        ("curl \"https://s3.x/a?X-Amz-Signature=\n#\"", &random.text(HEX, 64)),
        ("rclone config create b2 b2 account 0051239a80674c key #", &format!("+{token}")),
    ] {
        gone(&text.replace('@', "#"), value);
    }
    let salt = "q7%Gd Pz!(x}R;2 vN8^ aL$e@ Wk3~ u=Zt+ 9Hc? mB{f: Y6|r< Xs1& pJ0_ Do5";
    gone("define('AUTH_KEY', '#');", salt);
    stays("define('AUTH_KEY', 'put your unique phrase here and here and here');");
}

#[test]
fn an_id_in_a_paragraph_of_its_own_and_a_file_at_the_head_of_a_table_stay() {
    stays("Let me see all usages of GetCloudToken:\n\n041616a2-34d0-50e7-8e9b-284949c6e497\n");
    stays(
        "a\t5\tall-provider-specific-token.md\n62b5ce77-96fb-4003-bdae-a44ccd2118b0\t10\tuse-gh-7f3a9c2e.md\n",
    );
}
