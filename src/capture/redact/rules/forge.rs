//! Code hosts, package registries, build services.

use super::{Gate, Rule};

pub(super) static RULES: &[Rule] = &[
    Rule::token(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"gh[pousr]_[A-Za-z0-9]{36,}",
    ),
    Rule::token("github-token", &["ghs_", "ghu_"], r"gh[su]_[A-Za-z0-9_.-]{60,}").window(2048),
    Rule::token("github-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{36,}"),
    Rule::token(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glimt-", "glagent-",
            "gloas-", "glcbt-", "glsoat-", "glffct-", "glwt-",
        ],
        r"gl(?:pat|dt|rtr|rt|ptt|ft|imt|agent|oas|cbt|soat|ffct|wt)-[A-Za-z0-9_=-]{17,}(?:\.[A-Za-z0-9_-]{2,})*",
    ),
    Rule::token("gitlab-token", &["GR1348941"], r"GR1348941[A-Za-z0-9_-]{20,}"),
    Rule::token("gitlab-session", &["_gitlab_session="], r"_gitlab_session=([A-Za-z0-9%_-]{24,})"),
    Rule::token(
        "bitbucket-token",
        &["ATBB", "ATCTT3"],
        r"(?:ATBB[A-Za-z0-9_=.-]{28,}|ATCTT3xFfG[A-Za-z0-9_=.-]{40,})",
    ),
    Rule::token(
        "sourcegraph-token",
        &["sgp_", "sgd_", "slk_", "sgs_"],
        r"(?:sg[pds]|slk)_(?:[A-Za-z0-9]{60,}|(?:(?:[a-fA-F0-9]{16}|local)_){0,2}[a-fA-F0-9]{40,})",
    ),
    Rule::token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36,}"),
    Rule::after(
        "npm-token",
        &["_authtoken", ":_auth"],
        Gate::Literal,
        r#":?(?i:_auth(?:token)?)\s*=\s*["']?([A-Za-z0-9+/=_-]{16,})"#,
    ),
    Rule::token(
        "pypi-token",
        &["pypi-Ag"],
        r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{30,}",
    ),
    Rule::token("cargo-token", &["cio"], r"cio[A-Za-z0-9]{32}\b").gate(Gate::Random),
    Rule::token("rubygems-key", &["rubygems_"], r"rubygems_[a-f0-9]{48}"),
    Rule::token("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}\b"),
    Rule::token("clojars-token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{50,}"),
    Rule::token(
        "packagist-token",
        &["packagist_"],
        r"packagist_(?:uut|oat|ort|ost|ast|ost)_[a-f0-9]{60,}",
    ),
    Rule::token("artifactory-token", &["AKCp"], r"AKCp[A-Za-z0-9]{60,75}"),
    Rule::token("artifactory-token", &["cmVmdGtu"], r"cmVmdGtu[A-Za-z0-9+/=]{50,}"),
    Rule::token("cloudsmith-key", &["csa_", "csb_"], r"cs[ab]_[A-Za-z0-9]{36,}"),
    Rule::token("jsr-token", &["jsrd_", "jsrp_"], r"jsr[dp]_[A-Za-z0-9]{30,}"),
    Rule::token("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[A-Za-z0-9_-]{24,}"),
    Rule::token(
        "docker-swarm-token",
        &["SWMTKN-1-", "SWMKEY-1-"],
        r"SWM(?:TKN|KEY)-1-[A-Za-z0-9+/-]{30,}",
    ),
    Rule::token("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCI(?:PAT|PRJ)_[A-Za-z0-9_]{40,}"),
    Rule::token(
        "buildkite-token",
        &["bkua_", "bkct_", "bkrt_", "bkaj_", "bkpt_"],
        r"bk(?:ua|ct|rt|aj|pt)_[A-Za-z0-9_-]{36,}",
    ),
    Rule::token("octopus-key", &["API-"], r"API-[A-Z0-9]{26,}\b").gate(Gate::Random),
    Rule::token("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40}"),
    Rule::token("prefect-token", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36,}"),
    Rule::token("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}\b"),
    Rule::token("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[upa]_[a-z0-9]{40}"),
    Rule::token(
        "mergify-key",
        &["mergify_application_key_"],
        r"mergify_application_key_[A-Za-z0-9_-]{40,}",
    ),
    Rule::token(
        "snyk-token",
        &["snyk_uat.", "snyk_sat."],
        r"snyk_[us]at\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{20,}",
    ),
    Rule::inner(
        "terraform-token",
        &[".atlasv1."],
        20,
        r"[A-Za-z0-9]{14}\.(?i:atlasv1)\.[A-Za-z0-9_=-]{60,}",
    ),
    Rule::token("dependency-track-key", &["odt_"], r"odt_[A-Za-z0-9]{32,}"),
    Rule::token("expo-token", &["expo_pat_"], r"expo_pat_[A-Za-z0-9]{30,}"),
    Rule::token("codemagic-key", &["codemagic_"], r"codemagic_[A-Za-z0-9_-]{30,}")
        .gate(Gate::Random),
    Rule::token("ionic-token", &["ion_"], r"ion_[A-Za-z0-9]{42}\b").gate(Gate::Random),
    Rule::token("cosmo-key", &["cosmo_"], r"cosmo_[a-f0-9]{32}\b"),
    Rule::token("canva-secret", &["cnvca"], r"cnvca[A-Za-z0-9_-]{45,}").gate(Gate::Random),
    Rule::token("val-town-token", &["vtwn_"], r"vtwn_[A-Za-z0-9_-]{20,}").gate(Gate::Random),
    Rule::token("wakatime-key", &["waka_"], r"waka_(?:[a-f0-9-]{36}|[a-z0-9]{30,})")
        .gate(Gate::Random),
    Rule::token("greptile-key", &["grptl_"], r"grptl_[A-Za-z0-9]{30,}"),
    Rule::token("lichess-token", &["lip_"], r"lip_[A-Za-z0-9]{20,}").gate(Gate::Random),
];
