//! Payments, shops, exchanges.

use super::{Gate, Rule};

pub(super) static RULES: &[Rule] = &[
    Rule::token(
        "stripe-key",
        &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9+/=_-]{10,}",
    )
    .gate(Gate::Random),
    Rule::token("stripe-webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{24,}"),
    Rule::token(
        "stripe-session-secret",
        &["ek_live_", "ek_test_", "pi_", "seti_"],
        r"(?:ek_(?:live|test)_[A-Za-z0-9]{20,}|(?:pi|seti)_[A-Za-z0-9]{16,}_secret_[A-Za-z0-9]{16,})",
    ),
    Rule::token(
        "square-token",
        &["sq0atp-", "sq0csp-", "sq0idp-"],
        r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}",
    ),
    Rule::token("square-token", &["EAAA"], r"EAAA[A-Za-z0-9_+=-]{56,}"),
    Rule::token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
        r"shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}",
    ),
    Rule::token(
        "paypal-token",
        &["A21AA", "access_token$"],
        r"(?:A21AA[A-Za-z0-9_-]{60,}|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32})",
    ),
    Rule::token(
        "plaid-token",
        &["access-sandbox-", "access-development-", "access-production-"],
        r"access-(?:sandbox|development|production)-[a-f0-9-]{36}",
    ),
    Rule::token(
        "flutterwave-key",
        &["FLWSECK", "FLWPUBK"],
        r"FLW(?:SECK|PUBK)(?:_TEST)?-?[A-Za-z0-9-]{12,}",
    ),
    Rule::token("paystack-key", &["psk_"], r"psk_[a-z0-9]{40,}"),
    Rule::token("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    Rule::token(
        "midtrans-key",
        &["Mid-server-", "mid-server-"],
        r"(?i:mid-server)-[A-Za-z0-9_-]{14,}",
    ),
    Rule::token("adyen-key", &["AQE"], r"AQE[a-z][A-Za-z0-9+/=_-]{60,}"),
    Rule::token(
        "duffel-token",
        &["duffel_live_", "duffel_test_"],
        r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,}",
    ),
    Rule::token("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}"),
    Rule::token(
        "shippo-token",
        &["shippo_live_", "shippo_test_"],
        r"shippo_(?:live|test)_[a-f0-9]{40}",
    ),
    Rule::token(
        "persona-key",
        &["persona_production_", "persona_sandbox_"],
        r"persona_(?:production|sandbox)_[A-Za-z0-9_-]{30,}",
    ),
    Rule::token("asaas-key", &["$aact_"], r"\$aact_[A-Za-z0-9_+/=:-]{40,}"),
    Rule::token("rainforest-key", &["apikey_"], r"apikey_[a-f0-9]{60,}"),
    Rule::token(
        "paddle-key",
        &["pdl_live_", "pdl_sdbx_"],
        r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{20,}_[A-Za-z0-9_]{20,}",
    ),
    Rule::token(
        "polar-token",
        &["polar_"],
        r"polar_(?:pat|at|oat|rt|cst|whs|sat)_[A-Za-z0-9_-]{24,}",
    )
    .gate(Gate::Random),
    Rule::token("ramp-secret", &["ramp_sec_"], r"ramp_sec_[A-Za-z0-9]{30,}"),
    Rule::token(
        "mercury-token",
        &["mercury_production_"],
        r"mercury_production_[a-z]{3}_[A-Za-z0-9_]{40,}",
    ),
    Rule::token("proof-key", &["prf_"], r"prf_(?:cli_)?[A-Za-z0-9_-]{40,}").gate(Gate::Random),
    Rule::token("storecove-key", &["storecove_"], r"storecove_[A-Za-z0-9_-]{30,}")
        .gate(Gate::Random),
    Rule::token("flexport-key", &["shltm_"], r"shltm_[A-Za-z0-9_-]{30,}"),
    Rule::token("close-key", &["api_"], r"api_[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}\b").probe(26, b'.'),
    Rule::token("gocardless-token", &["live_"], r"live_[A-Za-z0-9_=-]{40}\b").gate(Gate::Random),
    Rule::token("pandascore-key", &["live_"], r"live_[A-Za-z0-9]{27,36}-[A-Za-z0-9_]{10,}")
        .gate(Gate::Random),
];
