//! Watching and running systems: monitoring, secrets stores, networks.

use super::{Gate, Rule};

pub(super) static RULES: &[Rule] = &[
    Rule::token("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,}")
        .gate(Gate::Random),
    Rule::after(
        "vault-token",
        &["=s.", " s.", "\"s.", "'s.", "`s.", ":s."],
        Gate::Random,
        r#"[= "'`:](s\.[A-Za-z0-9]{24,26})\b"#,
    ),
    Rule::token(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
        r"dp\.(?:pt|ct|sa|scim|audit|said|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{36,}",
    ),
    Rule::token("grafana-token", &["glsa_"], r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    Rule::token("grafana-token", &["glc_"], r"glc_[A-Za-z0-9+/_-]{32,}={0,3}"),
    Rule::token("grafana-token", &["eyJrIjoi"], r"eyJrIjoi[A-Za-z0-9+/_-]{40,}={0,3}"),
    Rule::token("sentry-token", &["sntrys_"], r"sntrys_eyJ[A-Za-z0-9+/=_-]{60,}").window(1024),
    Rule::token("sentry-token", &["sntryu_"], r"sntryu_[a-f0-9]{64}"),
    Rule::token(
        "newrelic-key",
        &["NRAK-", "NRII-", "NRAA-", "NRIQ-", "NRJS-", "NRRA-", "NRSP-", "NRAL-"],
        r"NR(?:AK|II|AA|IQ|JS|RA|SP|AL)-[A-Za-z0-9_-]{18,}",
    ),
    Rule::inner("newrelic-key", &["NRAL"], 40, r"(?:eu\d\dxx)?[a-fA-F0-9]{30,36}NRAL\b")
        .gate(Gate::Literal),
    Rule::token("pixie-key", &["px-dep-", "px-api-"], r"px-(?:dep|api)-[a-f0-9-]{36}"),
    Rule::token("datadog-key", &["ddapp_", "ddpat_"], r"dd(?:app|pat)_[A-Za-z0-9]{32,}"),
    Rule::token("dynatrace-token", &["dt0"], r"dt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    Rule::token(
        "honeycomb-key",
        &["hcaik_", "hcalk_", "hcxik_", "hcbik_"],
        r"hc[a-z][il]k_[A-Za-z0-9]{50,}",
    ),
    Rule::token("rootly-key", &["rootly_"], r"rootly_[a-f0-9]{64}"),
    Rule::token("axiom-token", &["xaat-", "xapt-"], r"xa[ap]t-[0-9a-f-]{36}"),
    Rule::token("pagerduty-key", &["pdus+", "pdeu+"], r"pd(?:us|eu)\+_?[A-Za-z0-9_+-]{18,}"),
    Rule::token(
        "tailscale-key",
        &["tskey-"],
        r"tskey-[a-z]{2,12}-[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{3,})?",
    ),
    Rule::token(
        "defined-networking-key",
        &["dnkey-"],
        r"dnkey-[A-Za-z0-9_=-]{26,}(?:-[A-Za-z0-9_=-]{40,})?",
    ),
    Rule::token(
        "harness-key",
        &["pat.", "sat."],
        r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}",
    ),
    Rule::token(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        r"sm_[aps]at_[A-Za-z0-9]{16,}",
    )
    .gate(Gate::Random),
    Rule::token("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_=-]{60,}"),
    Rule::token("aikido-token", &["AIK_"], r"AIK_[A-Z]{2,8}_[A-Za-z0-9]{20,}"),
    Rule::token("phylum-key", &["ph0_"], r"ph0_[A-Za-z0-9_-]{40,}"),
    Rule::token(
        "workato-token",
        &["wrkaus-", "wrkus-", "wrkeu-", "wrkjp-", "wrksg-", "wrkau-"],
        r"wrk(?:aus|us|eu|jp|sg|au)-eyJ[A-Za-z0-9_.-]{60,}",
    )
    .window(1024),
    Rule::token("scrapfly-key", &["scp-live-", "scp-test-"], r"scp-(?:live|test)-[a-f0-9]{32}"),
    Rule::token("kong-key", &["kpat_", "spat_"], r"[ks]pat_[A-Za-z0-9]{40,}"),
    Rule::token("readme-key", &["rdme_"], r"rdme_[a-z0-9]{60,}"),
    Rule::token("contentful-token", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{40,}"),
    Rule::token("dropbox-token", &["sl."], r"sl\.[A-Za-z0-9_-]{100,}").window(2048),
    Rule::after(
        "thingsboard-token",
        &["/api/v1/"],
        Gate::Random,
        r"/api/v1/([A-Za-z0-9]{20})/(?:telemetry|attributes|rpc)",
    ),
    Rule::token("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{28}\b"),
];
