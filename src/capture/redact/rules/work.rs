//! Tools of teams: trackers, documents, design.

use super::Rule;

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule::token("atlassian-token", &["ATATT3", "ATSTT3"], r"AT(?:ATT3|STT3)[A-Za-z0-9_=.+/-]{60,}"),
    Rule::token("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{40,}"),
    Rule::token("notion-token", &["ntn_"], r"ntn_[A-Za-z0-9]{40,}"),
    Rule::token("notion-token", &["secret_"], r"secret_[A-Za-z0-9]{43}\b"),
    Rule::token("figma-token", &["figd_", "figo_", "figoh_", "figor_", "figu_", "figuh_"], r"fig(?:d|oh?|or|uh?)_[A-Za-z0-9_-]{38,}"),
    Rule::token("postman-key", &["PMAK-", "PMAT-"], r"PM(?:AK-[a-f0-9]{24}-[a-f0-9]{34}|AT-[A-Z0-9]{26})"),
    Rule::token("clickup-token", &["pk_"], r"pk_\d{6,10}_[A-Z0-9]{32}\b"),
    Rule::token("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=-]{50,}"),
    Rule::token("plane-key", &["plane_api_"], r"plane_api_[a-f0-9]{32}"),
    Rule::token("cal-key", &["cal_live_", "cal_test_"], r"cal_(?:live|test)_[a-f0-9]{32}"),
    Rule::token("ticket-tailor-key", &["sk_"], r"sk_\d{3,8}_\d{5,8}_[a-f0-9]{32}"),
    Rule::token("trello-token", &["ATTA"], r"ATTA[a-f0-9]{64}[A-Fa-f0-9]{8}\b"),
];
