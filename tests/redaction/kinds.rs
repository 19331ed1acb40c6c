//! Secrets that no prefix gives away: words that a person made up, what a command prints or stores, and the names,
//! signs and forms of many languages and programs.

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
fn words_in_small_letters_where_a_call_or_a_person_says_that_they_are_the_password() {
    for text in [
        "props.put(\"mail.password\", \"#\");",
        "System.setProperty(\"javax.net.ssl.keyStorePassword\", \"#\");",
        "config.set('password', '#')",
        "localStorage.setItem(\"password\", \"#\")",
        "Map.of(\"user\", \"bob\", \"password\", \"#\")",
        "viper.SetDefault(\"db.password\", \"#\")",
        "env.put(Context.SECURITY_CREDENTIALS, \"#\");",
        "hash.put(:password, \"#\")",
        "ds.setPassword(\"#\");",
        "client.withPassword(\"#\")",
        "builder.password(\"#\")",
        "my sudo password is #",
        "The root password is #, use it",
        "our wifi password is #.\n",
        "gh secret set DB_PASSWORD <<< #",
    ] {
        gone(text, "quiet-harbour");
    }
    gone("My password is #", "tangerine");
    for text in [
        "map.get(\"password\", \"quiet-harbour\")",
        "t(\"password\", \"forgot-link\")",
        "register(\"password\", \"new-password\")",
        "my password is required",
        "the admin password is wrong.",
        "my root password is unknown, sorry",
        "the db password is rotated",
        "the sudo password is tangerine-coloured in the mock",
    ] {
        stays(text);
    }
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
    let mut random = Random::new(10);
    for file in [
        "cat /etc/acme/secrets/db",
        "sudo cat /root/db_password",
        "cat ~/.vault-token",
        "cat ~/.erlang.cookie",
        "head -1 /etc/acme/api-token",
        "cat config/master.key",
        "cat ~/.config/acme/credentials",
        "cat /etc/openvpn/auth.txt\nbob",
    ] {
        gone(&format!("$ {file}\n#\n"), &random.text(HEX, 40));
        stays(&format!("$ {file}\ncat: no such file\n"));
    }
    stays("$ cat src/secrets/mod.rs\nuse_std_path_x7\n");
    stays("$ cat keys.md\nsee_a7f3d2k9q1x8\n");
}

#[test]
fn what_a_file_of_several_secrets_holds_goes() {
    for text in [
        "$ cat ~/.pgpass\ndb.example.com:5432:app:bob:#\n",
        "$ cat ~/.pgpass\nlocalhost:7777:app:bob:#\n",
        "*:*:*:bob:#\n",
        "$ cat ~/.netrc\nmachine api.example.com\n  login bob\n  password #\n",
        "$ sudo cat /etc/ppp/chap-secrets\nbob * # *\n",
        "$ cat ~/.git-credentials\nhttps://bob:#@git.example.com\n",
    ] {
        gone(text, "quiet-harbour-7");
    }
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
        "cat <<< # | fly secrets import",
        "cat <<< \"API=#\" | fly secrets import",
        "fly secrets import <<< \"API=#\"",
        "gh secret set KEY <<< #",
        "pass insert -e db/prod <<< '#'",
        "docker secret create db - <<< \"#\"",
        "gh secret set KEY <<EOF\n#\nEOF",
        "cat <<EOF | gh secret set KEY\n#\nEOF",
        "az keyvault secret set --vault-name v --name n --value #",
    ] {
        gone(text, &value);
    }
    stays("echo done | gh secret set KEY");
    stays("echo $TOKEN | gh secret set KEY");
    stays("cat notes.md | fly secrets import");
    stays("cat <<< done | fly secrets import");
}

#[test]
fn where_something_lies_stays_behind_the_name_of_a_key() {
    let mut random = Random::new(8);
    for name in [
        "secret: ",
        "api_key: ",
        "SECRET_KEY=",
        "\"token\": \"",
        "the secret is ",
        "--token ",
        "access key: ",
    ] {
        for place in [
            "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-x7K2pQ",
            "s3.eu-west-1.amazonaws.com/bucket-7f3a9c/x/y2k",
            "vault.example.com/v1/kv/prod-7f3a9cQ2/db",
            "https://api.example.com/v1/tokens/7f3a9cQ2kLm/rotate",
            "projects/my-app-1234/secrets/db-pass-x7K2/versions/3",
            "/srv/keys/prod-x7K2pQ9z/api.key",
            "git@github.com:acme/repo-7f3a9cQ2.git",
            "10.0.0.12:8200/v1/auth/x7K2pQ9z",
            "db-7f3a9c2e.internal:5432/orders",
        ] {
            let end = if name.ends_with('"') { "\"" } else { "" };
            stays(&format!("{name}{place}{end}\n"));
        }
        let end = if name.ends_with('"') { "\"" } else { "" };
        gone(&format!("{name}#{end}\n"), &random.text(ALNUM, 40));
    }
    stays("| secret | arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-x7K2pQ |");
    // With the signs of Base64
    for secret in
        ["Zk3/9fQ2m+x8WvB/nR4tLs7pYq1cHd0gJwEu6aXo", "/wJalrXUtnF/K7MDENG/bPxRfiCYQ7kLmZ2p"]
    {
        gone("aws_secret_access_key = #", secret);
        gone("secret: #", secret);
    }
    let host = format!("key-{}.eu.example.com", random.text(HEX, 32));
    stays(&format!("ping {host}"));
    stays(&format!("https://sentry-{host}/x"));
    let key = format!("key-{}", random.text(HEX, 32));
    gone("mail #. Done", &key);
}

#[test]
fn an_address_keeps_what_stands_behind_the_secret_in_it() {
    let value = Random::new(9).text(ALNUM, 24);
    for text in [
        "curl https://h.example.com/p?x=1/secret=#/list",
        "curl https://h.example.com/p/token=#/a/b?x=1",
        "curl https://h.example.com/p/token=#?x=1",
        "see https://h.example.com/p;token=#;v=1/x",
        "see https://h.example.com/p?api_key=#/items/list",
        "https://h.example.com/cb?a=1&access_token=#&state=1",
    ] {
        gone(text, &value);
    }
}

#[test]
fn what_only_resembles_an_address_goes_as_a_whole() {
    let random = Random::new(11).text(ALNUM, 36);
    for (text, value) in [
        ("jdbc:sqlserver://db:1433;user=sa;password=#", "Ab/9x#Q2kd?Lm4"),
        ("jdbc:postgresql://db.example.com/app?user=u&password=#", "Tr0#ub4dor/3x"),
        ("saved as #.tar.gz", &format!("ghp_{random}")),
    ] {
        gone(text, value);
    }
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
