//! The configuration files of a project and its tenants, as `init` writes and edits them.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::{InstallOptions, WriterChoice};
use crate::splice::{ParseError, members, strings};
use crate::text;

/// A tenant's: a copy of the project's, with whose it is.
pub(super) fn of_tenant(root: &[u8], tenant: &str) -> Vec<u8> {
    let mut config: Value = serde_json::from_slice(text::without_bom(root)).unwrap_or_default();
    if !config.is_object() {
        config = json!({});
    }
    if let Some(config) = config.as_object_mut() {
        for key in OF_THE_PROJECT {
            config.shift_remove(key);
        }
    }
    config["tenant"] = json!(tenant);
    text::pretty_json(&config)
}

/// Where editors find what may be in a configuration.
const SCHEMA: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/spec/config.schema.json");

/// Keys that say something about the project itself, so that a tenant has none of them.
const OF_THE_PROJECT: [&str; 2] = ["tenants", "home"];

/// Whether nothing is in a configuration but what `init` and the npm tool write there by themselves.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let Ok(Value::Object(config)) = serde_json::from_slice(text::without_bom(bytes)) else {
        return bytes.trim_ascii().is_empty();
    };
    let all = |value: &Value, plain: &dyn Fn(&str, &Value) -> bool| {
        value.as_object().is_some_and(|inner| inner.iter().all(|(key, value)| plain(key, value)))
    };
    config.iter().all(|(key, value)| match key.as_str() {
        "$schema" => value == SCHEMA,
        "platform" | "platforms" | "tenant" | "tenants" | "home" | "share" => true,
        "search" => all(value, &|key, value| match key {
            "enabled" | "vector" => value.is_boolean(),
            "embedModel" => value == "auto",
            _ => false,
        }),
        "compaction" => all(value, &|key, value| match key {
            "rootMaxTokens" => value.as_f64() == Some(3000.0),
            "cooldownHours" => value.as_f64() == Some(3.0),
            _ => false,
        }),
        "recall" => all(value, &|_, value| value == false),
        "summaries" => all(value, &|key, value| match key {
            "mode" => value == "due",
            "by" => matches!(value.as_str(), Some("agent" | "background" | "off")),
            "since" => value.as_str().is_some_and(|day| day.parse::<NaiveDate>().is_ok()),
            _ => false,
        }),
        _ => false,
    })
}

/// That of the user's own memory: no agent, no summaries.
pub(crate) fn of_user() -> Vec<u8> {
    text::pretty_json(&json!({
        "$schema": SCHEMA,
        "search": {"enabled": false},
        "summaries": {"by": "off"},
    }))
}

pub(super) fn new(wish: &InstallOptions<'_>) -> Vec<u8> {
    let ids: Vec<_> = wish.platforms.iter().map(|row| row.id).collect();
    let mut search = json!({"vector": wish.vector && !wish.no_vector, "embedModel": "auto"});
    if wish.no_search {
        search["enabled"] = json!(false);
    }
    let mut config = json!({
        "$schema": SCHEMA,
        "platform": ids.first(),
        "search": search,
        "compaction": {"rootMaxTokens": 3000, "cooldownHours": 3},
        "summaries": {"mode": "due", "since": wish.today},
    });
    if let Some(WriterChoice { by, command }) = &wish.summaries {
        config["summaries"] = json!({"by": by.word(), "since": wish.today});
        if let Some(command) = command {
            config["summarizer"] = json!({"command": command});
        }
    }
    if ids.len() > 1 {
        config["platforms"] = json!(ids);
    }
    if !wish.tenants.is_empty() {
        config["tenants"] = json!(wish.tenants);
    }
    if wish.share == Some(true) {
        config["share"] = json!(true);
    }
    if wish.no_recall {
        config["recall"] = json!({"prompt": false, "tool": false});
    }
    if wish.no_register {
        config["register"] = json!(false);
    }
    if wish.home {
        config["home"] = json!(true);
    }
    text::pretty_json(&config)
}

/// One that is there, with what is wished for; every other key stays as it is.
pub(super) fn edited(
    old: &[u8],
    wish: &InstallOptions<'_>,
    tenant: Option<&str>,
) -> Result<Vec<u8>, ParseError> {
    let ids: Vec<_> = wish.platforms.iter().map(|row| row.id).collect();
    let config: Value = serde_json::from_slice(text::without_bom(old)).unwrap_or_default();
    let mut new = old.to_vec();
    if config["platform"].is_null() {
        new = members::set(&new, &["platform"], &json!(ids.first()))?;
    }
    let listed = config["platforms"].as_array().is_some_and(|listed| !listed.is_empty());
    if listed || ids.len() > 1 {
        new = strings::put(&new, "platforms", &ids)?;
    }
    let of_project = tenant.is_none();
    let share = wish.share.filter(|_| of_project);
    let shared = config["share"].as_bool().unwrap_or(false);
    let is = |path: &[&str], value| path.iter().fold(&config, |at, key| &at[key]) == &json!(value);
    for (wanted, path, value) in [
        (wish.no_vector, &["search", "vector"][..], false),
        (wish.no_search, &["search", "enabled"], false),
        (wish.no_recall, &["recall", "prompt"], false),
        (wish.no_recall, &["recall", "tool"], false),
        (wish.no_register && of_project, &["register"], false),
        (share.is_some_and(|share| share != shared), &["share"], !shared),
        (wish.home && of_project, &["home"], true),
    ] {
        if wanted && !is(path, value) {
            new = members::set(&new, path, &json!(value))?;
        }
    }
    if let Some(WriterChoice { by, command }) = wish.summaries.as_ref().filter(|_| of_project) {
        let command = command.as_deref().map(|command| (["summarizer", "command"], command));
        for (path, word) in [(["summaries", "by"], by.word())].into_iter().chain(command) {
            if config[path[0]][path[1]] != json!(word) {
                new = members::set(&new, &path, &json!(word))?;
            }
        }
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
