//! Every family of tokens: found wherever it stands, and left alone where it is none.

use crate::sample::{ALNUM, BASE36, CAPITALS, HEX, LETTERS, UPPER, fake, rules};

/// What one family looks like: its rule, what the token starts with, the rest.
fn families() -> Vec<(&'static str, &'static str, String)> {
    let mut families = vec![
        ("aws-access-key", "AKIA", fake(CAPITALS, 16)),
        ("aws-access-key", "ASIA", fake(CAPITALS, 16)),
        ("google-api-key", "AIza", fake(ALNUM, 35)),
        ("google-oauth-secret", "GOCSPX-", fake(ALNUM, 28)),
        ("google-oauth-token", "ya29.", fake(ALNUM, 120)),
        ("github-token", "ghp_", fake(ALNUM, 36)),
        ("github-token", "gho_", fake(ALNUM, 36)),
        ("github-token", "ghs_", fake(ALNUM, 36)),
        ("github-token", "github_pat_", format!("{}_{}", fake(ALNUM, 22), fake(ALNUM, 59))),
        ("gitlab-token", "glpat-", fake(ALNUM, 20)),
        ("gitlab-token", "glrt-", fake(ALNUM, 20)),
        ("gitlab-token", "GR1348941", fake(ALNUM, 20)),
        (
            "slack-token",
            "xoxb-",
            format!("{}-{}-{}", fake("123456789", 12), fake("123456789", 13), fake(ALNUM, 24)),
        ),
        (
            "slack-token",
            "xapp-1-",
            format!("A{}-{}-{}", fake(CAPITALS, 10), fake("123456789", 13), fake(HEX, 64)),
        ),
        ("stripe-key", "sk_live_", fake(ALNUM, 24)),
        ("stripe-key", "rk_live_", fake(ALNUM, 99)),
        ("stripe-webhook-secret", "whsec_", fake(ALNUM, 32)),
        ("openai-key", "sk-proj-", format!("{}T3BlbkFJ{}", fake(ALNUM, 74), fake(ALNUM, 74))),
        ("openai-key", "sk-", format!("{}T3BlbkFJ{}", fake(ALNUM, 20), fake(ALNUM, 20))),
        ("anthropic-key", "sk-ant-api03-", format!("{}AA", fake(ALNUM, 93))),
        ("anthropic-key", "sk-ant-oat01-", format!("{}AA", fake(ALNUM, 93))),
        ("huggingface-token", "hf_", fake(LETTERS, 34)),
        ("groq-key", "gsk_", fake(ALNUM, 52)),
        ("xai-key", "xai-", fake(ALNUM, 80)),
        ("perplexity-key", "pplx-", fake(ALNUM, 48)),
        ("replicate-token", "r8_", fake(ALNUM, 37)),
        ("npm-token", "npm_", fake(ALNUM, 36)),
        ("pypi-token", "pypi-AgEIcHlwaS5vcmc", fake(ALNUM, 150)),
        ("cargo-token", "cio", fake(ALNUM, 32)),
        ("rubygems-key", "rubygems_", fake(HEX, 48)),
        ("docker-token", "dckr_pat_", fake(ALNUM, 27)),
        ("vault-token", "hvs.", fake(ALNUM, 95)),
        ("terraform-token", "", format!("{}.atlasv1.{}", fake(ALNUM, 14), fake(ALNUM, 67))),
        ("cloudflare-origin-key", "v1.0-", format!("{}-{}", fake(HEX, 24), fake(HEX, 146))),
        ("digitalocean-token", "dop_v1_", fake(HEX, 64)),
        ("vercel-token", "vcp_", fake(ALNUM, 56)),
        ("supabase-key", "sbp_", fake(HEX, 40)),
        ("databricks-token", "dapi", fake(HEX, 32)),
        ("grafana-token", "glsa_", format!("{}_{}", fake(ALNUM, 32), fake(HEX, 8))),
        ("sentry-token", "sntryu_", fake(HEX, 64)),
        ("newrelic-key", "NRAK-", fake(CAPITALS, 27)),
        ("linear-key", "lin_api_", fake(ALNUM, 40)),
        ("notion-token", "ntn_", fake(ALNUM, 46)),
        ("figma-token", "figd_", fake(ALNUM, 40)),
        ("postman-key", "PMAK-", format!("{}-{}", fake(HEX, 24), fake(HEX, 34))),
        ("shopify-token", "shpat_", fake(HEX, 32)),
        ("atlassian-token", "ATATT3xFfGF0", fake(ALNUM, 180)),
        ("mailgun-key", "key-", fake(HEX, 32)),
        ("mailchimp-key", "", format!("{}-us12", fake(HEX, 32))),
        ("sendgrid-key", "SG.", format!("{}.{}", fake(ALNUM, 22), fake(ALNUM, 43))),
        ("twilio-key", "SK", fake(HEX, 32)),
        ("telegram-token", "", format!("{}:AA{}", fake("123456789", 10), fake(ALNUM, 33))),
        (
            "discord-token",
            "MTA4",
            format!("{}.{}.{}", fake(ALNUM, 20), fake(ALNUM, 6), fake(ALNUM, 38)),
        ),
        ("azure-client-secret", "", format!("{}8Q~{}", fake(ALNUM, 3), fake(ALNUM, 34))),
        ("age-key", "AGE-SECRET-KEY-1", fake(UPPER, 58)),
        ("doppler-token", "dp.pt.", fake(ALNUM, 43)),
        ("tailscale-key", "tskey-auth-", format!("{}-{}", fake(ALNUM, 12), fake(ALNUM, 32))),
        ("planetscale-token", "pscale_tkn_", fake(ALNUM, 43)),
        ("nuget-key", "oy2", fake(BASE36, 43)),
        ("airtable-token", "pat", format!("{}.{}", fake(ALNUM, 14), fake(HEX, 64))),
        ("password-hash", "$2b$12$", fake(ALNUM, 53)),
    ];
    let jwt = format!("{}.eyJ{}.{}", fake(ALNUM, 33), fake(ALNUM, 60), fake(ALNUM, 43));
    families.push(("jwt", "eyJhbGciOi", jwt));
    families
}

#[test]
fn npm_took_the_whole_line_of_a_secret() {
    for (rule, prefix, rest) in families() {
        let token = format!("{prefix}{rest}");
        let places = [
            token.clone(),
            format!("the call with {token} failed (status=401)"),
            format!("- set `DEPLOY={token}` and redeployed"),
            format!("| staging | `{token}` | rotate by Friday |"),
            format!("배포 서버에 ({token})을 등록했음"),
            format!(r#"{{"type":"user","content":"first\n{token}\nlast"}}"#),
            format!(r#"see {{\"log\":\"first\\n{token}\\nlast\"}}"#),
            format!("https://api.test/v1?x=1&y={token}&z=2"),
        ];
        for place in places {
            let (text, ids) = rules(&place);
            assert!(!text.contains(&rest), "{rule}: {place} became {text}");
            assert_eq!(ids, [rule], "{place} became {text}");
            for word in ["failed", "redeployed", "rotate by Friday", "등록했음", "last", "z=2"]
            {
                assert_eq!(place.contains(word), text.contains(word), "{rule}: {word} in {text}");
            }
        }
    }
}

#[test]
fn npm_left_json_lines_that_were_json_no_more() {
    for (rule, prefix, rest) in families() {
        let line = serde_json::json!({"text": format!("use {prefix}{rest} \"now\""), "n": 1});
        let (text, _) = rules(&line.to_string());
        let after: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(after["text"], format!("use [REDACTED:{rule}] \"now\""), "{text}");
        assert_eq!(after["n"], 1);
    }
}

#[test]
fn lookalikes_stay() {
    for (rule, prefix, rest) in families() {
        let blank: String =
            rest.chars().map(|c| if c.is_ascii_alphanumeric() { 'x' } else { c }).collect();
        let mut lookalikes = vec![
            format!("{prefix}{}", &rest[..4]),
            format!("{prefix}..."),
            format!("<{prefix}token>"),
        ];
        if !prefix.is_empty() {
            lookalikes.push(format!("{prefix}{blank}"));
            lookalikes.push(format!("set `{prefix}` before the token"));
        }
        for lookalike in lookalikes {
            let (text, _) = rules(&lookalike);
            assert_eq!(text, lookalike, "{rule}");
        }
    }
}

#[test]
fn a_token_is_no_part_of_a_longer_word() {
    for prefix in ["AKIA", "ghp_", "npm_", "sk_live_", "AIza"] {
        let text = format!("q{prefix}{}", fake(CAPITALS, 36));
        assert_eq!(rules(&text).0, text);
    }
}
