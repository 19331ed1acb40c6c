//! Addresses that need no other proof: whoever knows them may post.

use super::{Gate, Rule};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule::after("zapier-hook", &["hooks.zapier.com/"], Gate::Literal, r"(?i:hooks\.zapier\.com)/hooks/(?:catch|standard)/(\d+/[A-Za-z0-9]{5,})"),
    Rule::after("lark-hook", &["/open-apis/bot/"], Gate::Literal, r"/open-apis/bot/(?:v\d/)?hook/([A-Za-z0-9-]{16,})"),
    Rule::after("make-hook", &[".make.com/", "hook.integromat.com/"], Gate::Random, r"(?i:\.make|hook\.integromat)\.com/([a-z0-9]{20,})").behind("hook", 16),
    Rule::after("make-hook", &["hook.integromat.com/"], Gate::Random, r"(?i:hook\.integromat\.com)/([a-z0-9]{20,})"),
    Rule::after("ifttt-key", &["maker.ifttt.com/"], Gate::Random, r"(?i:maker\.ifttt\.com)/(?:trigger/[^\s/]{1,64}/(?:json/)?with/key|use)/([A-Za-z0-9_-]{15,})"),
    Rule::after("chat-hook", &["/hooks/"], Gate::Random, r"/hooks/([a-z0-9]{26}|[A-Za-z0-9]{17,24}/[A-Za-z0-9]{30,64})\b"),
    Rule::after("chat-hook", &["/webhooks/incoming/"], Gate::Random, r"/v\d/webhooks/incoming/([A-Za-z0-9_-]{20,})"),
    Rule::after("chat-hook", &["cgi-bin/webhook/send"], Gate::Literal, r"cgi-bin/webhook/send\?key=([A-Za-z0-9-]{16,})"),
    Rule::after("logic-app-url", &[".powerplatform.com", ".powerautomate.com"], Gate::Random, r"(?i:\.power(?:platform|automate)\.com)[^\s\x22']{0,400}?[?&]sig=([A-Za-z0-9%_-]{20,})").window(1024),
];
