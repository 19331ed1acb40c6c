//! What a hook goes by: the configuration, and where that is broken, what keeps words safe until it is repaired.
//!
//! A person is told of a broken configuration by an error. A hook has a session to save that nobody may hand
//! over again, so it saves it, under the built-in rules and every rule of the user that can be had.

use std::path::Path;

use serde_json::Value;

use crate::Problem;
use crate::capture::redact::objects::Object;
use crate::capture::redact::{CustomRule, RedactionConfig, Redactor};
use crate::config::Config;
use crate::disk::{self, Folder, Write};
use crate::error::Mistake;
use crate::install::{FOLDER, RULES};
use crate::layout;
use crate::project::{self, Location, Project};
use crate::text::{pretty_json, without_bom};

/// The id of a rule whose own id cannot be used.
const OWN: &str = "own-rule";

/// A project as a hook takes it.
#[derive(Debug)]
pub(crate) struct InForce {
    /// its configuration, or the defaults where it is broken
    pub(crate) project: Project,
    pub(crate) redactor: Redactor,
    /// what is wrong with the configuration, in one line that quotes nothing of it; then nothing but saving
    /// sessions is safe
    pub(crate) broken: Option<String>,
}

/// Reads the configuration of a project whose folder is known, as far as it can be read.
pub(crate) fn of(root: &Path) -> InForce {
    let opened = project::open(root);
    let wrong = match opened.as_ref().map(|project| (project, project.redactor())) {
        Ok((project, Ok(redactor))) => {
            keep(root, &project.config.redaction.rules);
            let project = opened.unwrap_or_else(|_| bare(root));
            return InForce { project, redactor, broken: None };
        }
        Ok((_, Err(wrong))) => wrong,
        Err(wrong) => wrong.clone(),
    };
    let rules = match opened {
        Ok(project) => without_mistakes(&project.config.redaction),
        Err(_) => RedactionConfig { rules: rules_of_broken(root), ..RedactionConfig::default() },
    };
    let rules = without_mistakes(&rules);
    InForce {
        project: bare(root),
        redactor: Redactor::from_config(&rules).unwrap_or_else(|_| Redactor::standard()),
        broken: Some(broken(&wrong)),
    }
}

/// A project with its configuration, or with none and what is wrong with it.
pub(crate) fn or_bare(Location { root, worktree }: Location) -> (Project, Option<Problem>) {
    let read = project::open(&root).and_then(|project| project.redactor().map(|_| project));
    match read {
        Ok(project) => (Project { worktree, ..project }, None),
        Err(problem) => (Project { worktree, ..bare(&root) }, Some(problem)),
    }
}

/// The defaults; but what may be shared stays as it is.
pub(crate) fn bare(root: &Path) -> Project {
    let bytes = disk::read_users_file(&root.join(layout::CONFIG)).ok().flatten();
    let share = bytes.is_none_or(|bytes| memchr::memmem::find(&bytes, b"\"share\"").is_some());
    let config = Config { share, ..Config::default() };
    Project { root: root.to_path_buf(), config, notes: Vec::new(), worktree: None }
}

/// Names the place and nothing of what is there: an agent reads this, and a clone may bring the file.
fn broken(wrong: &Problem) -> String {
    let place = wrong.mistake.as_deref().map_or_else(|| layout::CONFIG.to_owned(), Mistake::place);
    format!(
        "`{place}` is no valid configuration, so sessions are saved and nothing else is done; `hipocampus status` says what is wrong"
    )
}

/// The user's rules where the file is no configuration: those it has if it is JSON at least, else those last in
/// force. Nothing that would take less out is believed.
fn rules_of_broken(root: &Path) -> Vec<CustomRule> {
    let bytes = disk::read_users_file(&root.join(layout::CONFIG)).ok().flatten();
    let bytes = bytes.unwrap_or_default();
    let written = serde_json::from_slice::<Value>(without_bom(&bytes)).ok();
    let written = written.and_then(|config| Some(config.get("redaction")?.get("rules")?.clone()));
    written.map_or_else(|| kept(root), |rules| rules_in(&rules))
}

fn rules_in(list: &Value) -> Vec<CustomRule> {
    let each = list.as_array().into_iter().flatten();
    let read = |rule: &Value| serde_json::from_value(rule.clone()).ok().map(|Object(rule)| rule);
    each.filter_map(read).collect()
}

/// What of a configuration can be used, entry by entry.
fn without_mistakes(config: &RedactionConfig) -> RedactionConfig {
    let works = |config: RedactionConfig| Redactor::from_config(&config).is_ok().then_some(config);
    let rules = config.rules.iter().filter_map(|rule| {
        let alone = |rule: CustomRule| {
            works(RedactionConfig { rules: vec![rule], ..RedactionConfig::default() })
        };
        let renamed = || alone(CustomRule { id: OWN.to_owned(), ..rule.clone() });
        alone(rule.clone()).or_else(renamed)?.rules.pop()
    });
    let rules: Vec<CustomRule> = rules.collect();
    let allow = config.allow.iter().filter_map(|entry| {
        works(RedactionConfig { allow: vec![entry.clone()], ..RedactionConfig::default() })?
            .allow
            .pop()
    });
    let disable = config.disable.iter().filter_map(|id| {
        let config =
            RedactionConfig { disable: vec![id.clone()], rules: rules.clone(), allow: vec![] };
        works(config)?.disable.pop()
    });
    RedactionConfig { allow: allow.collect(), disable: disable.collect(), rules: rules.clone() }
}

/// The rules last in force.
fn kept(root: &Path) -> Vec<CustomRule> {
    let records = Folder::open(root).and_then(|root| root.folder(FOLDER));
    let Ok(Some(records)) = records else { return Vec::new() };
    let Ok((bytes, _)) = records.read(layout::name(RULES)) else { return Vec::new() };
    serde_json::from_slice(&bytes).map(|rules| rules_in(&rules)).unwrap_or_default()
}

/// Keeps the rules of a project for the day its file is broken, where it has any. They have to be in force.
pub(crate) fn keep_own(root: &Path, rules: &[CustomRule]) {
    if !rules.is_empty() {
        keep(root, rules);
    }
}

/// Keeps the rules in force for the day the file is broken. Failing to costs nothing until then.
fn keep(root: &Path, rules: &[CustomRule]) {
    let try_to = || -> std::io::Result<()> {
        let top = Folder::open(root)?;
        let records = match top.folder(FOLDER)? {
            Some(records) => records,
            None if rules.is_empty() => return Ok(()),
            None => {
                top.make_folder(FOLDER, true)?;
                top.folder(FOLDER)?.ok_or(std::io::ErrorKind::NotFound)?
            }
        };
        let name = layout::name(RULES);
        let now = records.read_if_there(name)?.map(|(bytes, _)| bytes);
        if rules.is_empty() {
            return now.map_or(Ok(()), |_| records.remove(name));
        }
        let bytes = pretty_json(rules);
        if now.as_ref() != Some(&bytes) {
            records.replace(name, &bytes, Write::KEPT)?;
        }
        Ok(())
    };
    let _ = try_to();
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    fn redacted(in_force: &InForce, text: &str) -> String {
        String::from_utf8(in_force.redactor.redact(text.as_bytes()).bytes.into_owned()).unwrap()
    }

    #[test]
    fn rules_outlive_the_file_that_brought_them() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let config = root.join(layout::CONFIG);
        let rule = r#"{"id": "badge", "regex": "B-[0-9]{4}"}"#;
        let check = |text: &str, expect: &str, place: &str| {
            std::fs::write(&config, text).unwrap();
            let in_force = of(root);
            assert_eq!(redacted(&in_force, "B-1234 and Tr0ub4dor"), expect, "{text}");
            let said = in_force.broken.unwrap_or_default();
            let named = said.contains(&format!("{}{place}` is", layout::CONFIG));
            assert!(if place == "-" { said.is_empty() } else { named }, "{text}: {said}");
            assert!(!said.contains("INJECTED"), "{said}");
        };
        let good = format!(r#"{{"redaction": {{"rules": [{rule}]}}}}"#);
        let by_rule = "[REDACTED:badge] and Tr0ub4dor";
        check("{,}", "B-1234 and Tr0ub4dor", ":1:2");
        check(&good, by_rule, "-");
        check(&good.replace("}}", "},}"), by_rule, ":1:66");
        check("", by_rule, ":1:0");
        // It still is JSON, so what it says counts; a value of the wrong kind is not quoted.
        check(
            r#"{"tenant": ["INJECTED"], "redaction": {"rules": []}}"#,
            "B-1234 and Tr0ub4dor",
            ":1:11",
        );
        let two = format!(r#"{{"redaction": {{"rules": [{{"id": "x", "regex": "("}}, {rule}]}}}}"#);
        check(&two, by_rule, "");
        let odd = good.replace("badge", "no id: INJECTED");
        check(&odd, "[REDACTED:own-rule] and Tr0ub4dor", "");
        check("{}", "B-1234 and Tr0ub4dor", "-");
        assert!(!root.join(RULES).exists());
        check("{,}", "B-1234 and Tr0ub4dor", ":1:2");
    }

    #[test]
    fn a_broken_file_takes_no_less_out_than_the_built_in_rules_do() {
        let dir = tempfile::tempdir().unwrap();
        let text = format!("password: {}", "Tr0ub4dor&3x");
        let lax = r#"{"redaction": {"allow": ["[^ ]+"], "disable": ["password"]}, "tenant": 3}"#;
        std::fs::write(dir.path().join(layout::CONFIG), lax).unwrap();
        assert_eq!(redacted(&of(dir.path()), &text), "password: [REDACTED:password]");
    }
}
