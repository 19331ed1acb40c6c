//! Makes Rust tables of the rules and words of redaction, so that the program parses nothing when it starts.
//!
//! `src/capture/redact/rules/*.toml` are in the format of gitleaks' configuration, so that a rule can be pasted, with a
//! few keys of our own. `spec/redaction.md` says what each key means. What is unknown is an error of the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

/// Where the files are.
const FOLDER: &str = "src/capture/redact/rules";

/// The file that holds words instead of rules.
const WORDS: &str = "words.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "title")]
    _title: Option<String>,
    rules: Vec<Rule>,
}

/// A rule, as a file has it. `description`, `tags`, and the paths and commits of an allowlist say nothing about a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(rename = "tags")]
    _tags: Option<Vec<String>>,
    regex: String,
    keywords: Vec<String>,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    secret_group: usize,
    #[serde(default, alias = "allowlist")]
    allowlists: OneOrMore,
    anchor: Option<Anchor>,
    back: Option<usize>,
    #[serde(default)]
    gate: Gate,
    window: Option<usize>,
    probe: Option<Probe>,
    behind: Option<Behind>,
}

/// `[[rules.allowlists]]`, or the `[rules.allowlist]` of older files.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Box<Allowlist>),
    More(Vec<Allowlist>),
}

impl Default for OneOrMore {
    fn default() -> Self {
        Self::More(Vec::new())
    }
}

impl OneOrMore {
    fn iter(&self) -> impl Iterator<Item = &Allowlist> {
        match self {
            Self::One(list) => std::slice::from_ref(&**list).iter(),
            Self::More(lists) => lists.iter(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Allowlist {
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(default)]
    condition: Condition,
    #[serde(default)]
    regex_target: Target,
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    commits: Vec<String>,
}

#[derive(Deserialize, Default, PartialEq)]
enum Condition {
    #[default]
    #[serde(rename = "OR", alias = "or", alias = "||")]
    Any,
    #[serde(rename = "AND", alias = "and", alias = "&&")]
    All,
}

#[derive(Deserialize, Default, Debug)]
#[serde(rename_all = "lowercase")]
enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Anchor {
    Token,
    Whole,
    Name,
    Keyword,
}

#[derive(Deserialize, Debug, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Gate {
    #[default]
    Format,
    Random,
    Password,
    Chosen,
    Pair,
    Literal,
    Opaque,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Probe {
    at: usize,
    byte: char,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behind {
    word: String,
    within: usize,
}

/// Writes `redaction_rules.rs` and `redaction_words.rs` into `out`, and of `pasted`, a file of rules for tests,
/// `pasted_rules.rs`.
///
/// # Errors
/// With its name, for a file that cannot be read or says what no rule knows.
pub(crate) fn generate(out: &Path, pasted: &Path) -> Result<()> {
    let mut rules = String::new();
    let mut words = String::new();
    for path in files()? {
        let text = fs::read_to_string(&path)?;
        if path.ends_with(WORDS) {
            words = lists(&text).map_err(|problem| failed(&path, &problem))?;
        } else {
            rules.push_str(&table(&text).map_err(|problem| failed(&path, &problem))?);
        }
    }
    let hash = xxh3_64(format!("{rules}{words}").as_bytes());
    let source = format!(
        "/// A hash of every rule and word.\npub(super) const SOURCE: &str = \"{hash:x}\";\n"
    );
    fs::write(out.join("redaction_rules.rs"), source + &named("TABLE", &rules))?;
    fs::write(out.join("redaction_words.rs"), words)?;
    let text = fs::read_to_string(pasted).unwrap_or_else(|_| "rules = []".to_owned());
    let pasted = table(&text).map_err(|problem| failed(pasted, &problem))?;
    fs::write(out.join("pasted_rules.rs"), named("PASTED", &pasted))
}

/// The table of these rows.
fn named(name: &str, rows: &str) -> String {
    let count = rows.lines().count();
    format!(
        "/// Rules with a pattern, by the names of their files.\n\
         pub(in crate::capture::redact) static {name}: [Rule; {count}] = [\n{rows}];\n"
    )
}

/// Every file of the folder, by name.
fn files() -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(FOLDER)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    Ok(files)
}

fn failed(path: &Path, problem: &str) -> Error {
    Error::other(format!("{}: {problem}", path.display()))
}

/// One `Rule { ... }` a line.
fn table(text: &str) -> std::result::Result<String, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut table = String::new();
    for rule in &file.rules {
        let row = row(rule).map_err(|problem| format!("rule `{}`: {problem}", rule.id))?;
        writeln!(table, "{row},").map_err(|error| error.to_string())?;
    }
    Ok(table)
}

fn row(rule: &Rule) -> std::result::Result<String, String> {
    if rule.keywords.is_empty() || rule.keywords.iter().any(|word| word.len() < 3) {
        return Err("needs keywords, each of three bytes at least".to_owned());
    }
    let anchor = match (rule.anchor, rule.back) {
        (Some(anchor), None) => format!("Anchor::{anchor:?}"),
        (None, Some(back)) => format!("Anchor::Run({back})"),
        (None, None) => "Anchor::Search".to_owned(),
        (Some(_), Some(_)) => return Err("has `anchor` and `back`".to_owned()),
    };
    let probe = rule.probe.as_ref().map(|probe| (probe.at, probe.byte as u32));
    let behind = rule.behind.as_ref().map(|behind| (&behind.word, behind.within));
    // What asks for a path or a commit as well never applies: a text has none.
    let lists = rule.allowlists.iter().filter(|list| {
        list.condition == Condition::Any || list.paths.is_empty() && list.commits.is_empty()
    });
    let lists: Vec<String> = lists
        .map(|list| {
            format!(
                "Allowlist {{ all: {}, target: Target::{:?}, regexes: &{:?}, stopwords: &{:?} }}",
                list.condition == Condition::All,
                list.regex_target,
                list.regexes,
                list.stopwords,
            )
        })
        .collect();
    Ok(format!(
        "Rule {{ id: {:?}, keywords: &{:?}, pattern: {:?}, anchor: {anchor}, gate: Gate::{:?}, window: {}, \
         probe: {probe:?}, behind: {behind:?}, group: {}, entropy: {:?}, allowlists: &[{}], compiled: OnceLock::new() }}",
        rule.id,
        rule.keywords,
        rule.regex,
        rule.gate,
        rule.window.unwrap_or(512),
        rule.secret_group,
        rule.entropy,
        lists.join(", "),
    ))
}

/// One table for each list of words, with the comment above it.
fn lists(text: &str) -> std::result::Result<String, String> {
    let lists: BTreeMap<String, Vec<String>> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let mut tables = String::new();
    for (name, words) in lists {
        let name = name.to_uppercase();
        writeln!(tables, "pub(super) static {name}: &[&str] = &{words:?};")
            .map_err(|error| error.to_string())?;
    }
    Ok(tables)
}
