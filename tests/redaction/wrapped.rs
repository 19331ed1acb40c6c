//! Tokens that a terminal, a shell or a list of strings wraps, and the lines below a long key that belong to nobody.

use crate::sample::{ALNUM, HEX, Random, redacted};

#[test]
fn tokens_wrapped_over_two_lines() {
    let mut random = Random::new(13);
    for text in [
        "export API_TOKEN=#1\\\n#2\n",
        "API_KEY=\"#1\\\n#2\"\n",
        "secret = (\"#1\"\n          \"#2\")",
        "the token it printed on the terminal was token: #1\n  #2\n",
    ] {
        let (one, two) = (random.text(ALNUM, 60), random.text(ALNUM, 40));
        let out = redacted(&text.replace("#1", &one).replace("#2", &two));
        assert!(!out.contains(&one) && !out.contains(&two), "{out}");
    }
}

#[test]
fn the_setting_below_a_long_key_stays() {
    let mut random = Random::new(17);
    let keys = [
        format!("OPENAI_API_KEY=sk-proj-{}", random.text(ALNUM, 100)),
        format!("SESSION_SECRET={}==", random.text(ALNUM, 86)),
        format!("export ENCRYPTION_KEY=\"{}\"", random.text(HEX, 64)),
        format!("DATABASE_URL_TOKEN={}", random.text(ALNUM, 40)),
    ];
    for key in keys {
        for setting in [
            "NODE_ENV=production",
            "PORT=3000",
            "S3_BUCKET=acme-prod-eu1-a7f3",
            "S3_REGION=eu-west-1",
            "REDIS_HOST=cache-01.k8s.internal",
            "AWS_ACCOUNT=120547893216",
            "OAUTH2_CLIENT_ID=web-7f3a9c2e",
            "K8S_NS=qa7-blue2-x9",
            "MAIL_FROM=noreply@mail7.example.org",
            "IMAGE_TAG=v2.14.0-rc3",
            "BUILD_REF=7c1e9ab",
            "SENTRY_RELEASE=web@4.2.1-h7k2",
            "X9Q_FLAG2=",
            "MODEL=gpt-4.1-mini-2025-04-14",
            "BASE_URL=https://api7.example.org/v3",
            "TZ=Europe/Berlin",
            "LOG_LEVEL=debug",
            "ALLOWED_IPS=10.4.0.0/16",
            "CACHE_TTL_S=86400",
            "FEATURE_X2Y=on",
            "PGDATABASE=orders_7f2",
            "TRACE_ID=0af7651916cd43dd8448eb211c80319c",
            "STRIPE_PRICE=price_1Nk2bZ8qXw3",
            "QUEUE=jobs-p99-eu1-b4",
            "GA_ID=G-4K7Q2M9XZ1",
            "HOST=db-prod-7c4f9.internal",
            "db-prod-7c4f9.b2k8.internal",
            "7f3d9a1c-5b2e-4c8d-9e0f-1a2b3c4d5e6f",
        ] {
            let out = redacted(&format!("{key}\n{setting}\nDEBUG=0\n"));
            assert!(out.contains("[REDACTED:"), "{out}");
            assert_eq!(out.lines().nth(1), Some(setting), "below {key}");
        }
    }
}

#[test]
fn what_was_only_joined_to_a_secret_stays_elsewhere() {
    let (token, name) = (Random::new(19).text(ALNUM, 60), "K7qPz2Lm9Xw4Rt8V");
    let text = format!("API_TOKEN={token}\n{name}\n\nThen the run {name} was late.\n");
    assert!(redacted(&text).ends_with(&format!("Then the run {name} was late.\n")));
}
