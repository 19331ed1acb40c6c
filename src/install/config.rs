//! The configuration files of a project and its tenants, as `init` writes and edits them.

use serde_json::{Value, json};

use super::Wish;
use crate::splice::{Slip, members, strings};

/// A new one.
pub(super) fn new(wish: &Wish<'_>, tenant: Option<&str>) -> Vec<u8> {
    let ids: Vec<_> = wish.platforms.iter().map(|row| row.id).collect();
    let mut search = json!({"vector": wish.vector && !wish.no_vector, "embedModel": "auto"});
    if wish.no_search {
        search["enabled"] = json!(false);
    }
    let mut config = json!({
        "platform": ids.first(),
        "search": search,
        "compaction": {"rootMaxTokens": 3000, "cooldownHours": 3},
        "summaries": {"mode": "due", "since": wish.today},
    });
    if ids.len() > 1 {
        config["platforms"] = json!(ids);
    }
    match tenant {
        Some(tenant) => config["tenant"] = json!(tenant),
        None if wish.tenants.is_empty() => {}
        None => config["tenants"] = json!(wish.tenants),
    }
    let mut text = serde_json::to_string_pretty(&config).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// One that is there, with what is wished for; every other key stays as it is.
pub(super) fn edited(old: &[u8], wish: &Wish<'_>, tenant: Option<&str>) -> Result<Vec<u8>, Slip> {
    let ids: Vec<_> = wish.platforms.iter().map(|row| row.id).collect();
    let text = old.strip_prefix(b"\xef\xbb\xbf").unwrap_or(old);
    let config: Value = serde_json::from_slice(text).unwrap_or_default();
    let mut new = old.to_vec();
    if config["platform"].is_null() {
        new = members::set(&new, &["platform"], &json!(ids.first()))?;
    }
    let listed = config["platforms"].as_array().is_some_and(|listed| !listed.is_empty());
    if listed || ids.len() > 1 {
        new = strings::put(&new, "platforms", &ids)?;
    }
    if wish.no_vector && config["search"]["vector"] != json!(false) {
        new = members::set(&new, &["search", "vector"], &json!(false))?;
    }
    if wish.no_search && config["search"]["enabled"] != json!(false) {
        new = members::set(&new, &["search", "enabled"], &json!(false))?;
    }
    if config["summaries"]["since"].is_null() {
        new = members::set(&new, &["summaries", "since"], &json!(wish.today))?;
    }
    match tenant {
        Some(tenant) if config["tenant"] != json!(tenant) => {
            new = members::set(&new, &["tenant"], &json!(tenant))?;
        }
        None if !wish.tenants.is_empty() => {
            let tenants: Vec<_> = wish.tenants.iter().map(String::as_str).collect();
            new = strings::put(&new, "tenants", &tenants)?;
        }
        _ => {}
    }
    Ok(new)
}
