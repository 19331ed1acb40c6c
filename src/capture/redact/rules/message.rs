//! Chat, mail, telephone and social services.

use super::{Gate, Rule};

pub(super) static RULES: &[Rule] = &[
    Rule::token(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxe-"],
        r"xox[bparsoce]-[A-Za-z0-9-]{18,}",
    ),
    Rule::token("slack-token", &["xoxe.xox"], r"xoxe\.xox[bp]-\d-[A-Za-z0-9]{60,}"),
    Rule::token("slack-token", &["xoxd-"], r"xoxd-[A-Za-z0-9%+/=_-]{40,}"),
    // Older exports escape the slashes of a session cookie with backslashes.
    Rule::token("slack-token", &["xoxd-"], r"xoxd-(?:[A-Za-z0-9%+/=_-]|\\[A-Za-z0-9+/=_-]){40,}"),
    Rule::token(
        "slack-token",
        &["xapp-", "xwfp-"],
        r"x(?:app|wfp)-\d-[A-Za-z0-9]{8,}-\d{6,}-[a-fA-F0-9]{24,}",
    ),
    Rule::after(
        "slack-webhook",
        &["hooks.slack.com/", "hooks.slack-gov.com/"],
        Gate::Literal,
        r"(?i:hooks\.slack(?:-gov)?\.com)/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})",
    ),
    Rule::after(
        "discord-webhook",
        &["/api/webhooks/"],
        Gate::Literal,
        r"(?i:/api/webhooks/)(\d{15,}/[A-Za-z0-9_-]{30,})",
    ),
    Rule::token("discord-token", &["mfa."], r"mfa\.[A-Za-z0-9_-]{80,}"),
    Rule::inner("telegram-token", &[":AA"], 17, r"\d{7,16}:AA[A-Za-z0-9_-]{32,34}"),
    Rule::after(
        "telegram-token",
        &["api.telegram.org/bot"],
        Gate::Literal,
        r"api\.telegram\.org/bot(\d{5,}:[A-Za-z0-9_-]{20,})",
    ),
    Rule::token(
        "twilio-key",
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb",
            "SKc", "SKd", "SKe", "SKf",
        ],
        r"SK[0-9a-f]{32}\b",
    ),
    Rule::token(
        "twilio-account",
        &[
            "AC0", "AC1", "AC2", "AC3", "AC4", "AC5", "AC6", "AC7", "AC8", "AC9", "ACa", "ACb",
            "ACc", "ACd", "ACe", "ACf",
        ],
        r"AC[0-9a-f]{32}\b",
    ),
    Rule::token("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_=-]{16,32}\.[A-Za-z0-9_=-]{36,64}"),
    Rule::token("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_=.-]{66}\b").gate(Gate::Random),
    Rule::token("mailgun-key", &["key-", "pubkey-"], r"(?:pub)?key-[a-f0-9]{32}\b")
        .gate(Gate::Random),
    Rule::inner(
        "mailchimp-key",
        &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
        33,
        r"[a-f0-9]{32}-us\d{1,2}\b",
    ),
    Rule::token("mandrill-key", &["md-"], r"md-[A-Za-z0-9_-]{22}\b").gate(Gate::Random),
    Rule::token(
        "brevo-key",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[A-Fa-f0-9]{64}-[A-Za-z0-9]{16}",
    ),
    Rule::token("mailersend-token", &["mlsn."], r"mlsn\.[A-Za-z0-9]{40,}"),
    Rule::token("resend-key", &["re_"], r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}")
        .gate(Gate::Random),
    Rule::token("messagebird-key", &["AccessKey "], r"AccessKey ([A-Za-z0-9]{25})\b")
        .gate(Gate::Random),
    Rule::token("facebook-token", &["EAA"], r"EAA[A-Za-z0-9]{30,}").gate(Gate::Random),
    Rule::token("instagram-token", &["IGQ"], r"IGQ[A-Z]{0,2}[A-Za-z0-9_-]{80,}").gate(Gate::Random),
    Rule::token("twitter-bearer", &["AAAAAAAAAAAAAAAAAAAA"], r"A{20,24}[A-Za-z0-9%]{60,}"),
    Rule::token("pinterest-token", &["pina_"], r"pina_[A-Za-z0-9_-]{40,}"),
    Rule::token("linkedin-secret", &["WPL_AP"], r"WPL_AP[01]\.[A-Za-z0-9+/=.]{16,}"),
    Rule::token("twitch-stream-key", &["live_"], r"live_\d{6,}_[A-Za-z0-9]{30}"),
    Rule::token("telnyx-key", &["KEY0"], r"KEY0[0-9A-F]{31}_[A-Za-z0-9]{22}"),
    Rule::token(
        "canada-notify-key",
        &["ApiKey-v1", "apikey-v1"],
        r"(?i:ApiKey-v1)\s{1,64}([a-z0-9_-]{10,}-?[0-9a-f-]{36,})",
    ),
    Rule::token("canada-notify-key", &["gcntfy-"], r"gcntfy-[A-Za-z0-9_-]{30,}").gate(Gate::Random),
    Rule::token("lark-token", &["cli_"], r"cli_[a-z0-9]{16}\b").gate(Gate::Random),
    Rule::token("intercom-token", &["dG9r"], r"dG9r[A-Za-z0-9+/]{50,}={0,2}"),
    Rule::token("onesignal-key", &["os_v2_"], r"os_v2_(?:app|org)_[a-z0-9]{60,}"),
    Rule::token("klaviyo-key", &["pk_"], r"pk_[A-Za-z0-9]{34}\b").gate(Gate::Random),
];
