//! `hipocampus.config.json`: reading it, with the defaults of every key.
//!
//! Unknown keys are nobody's business here, unless they look like a slip; they stay in the file because it is edited in
//! place.

mod keys;

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, de};

use crate::Problem;
use crate::capture::redact::RedactionConfig;
use crate::capture::redact::objects::object;
use crate::error::Mistake;
use crate::plan::Note;
use crate::text::without_bom;

/// The configuration of a project. Every key is optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct Config {
    /// the first configured platform
    pub platform: Option<String>,
    /// every configured platform; wins over `platform`
    pub platforms: Option<Vec<String>>,
    /// the tenant this project is, below the root project's `tenants/`
    pub tenant: Option<String>,
    /// the tenants of a root project
    pub tenants: Option<Vec<String>>,
    /// whether the project is noted among this user's projects, by default it is
    pub register: Option<bool>,
    /// whether others may read the memory: then the permissions of its files are left alone
    pub share: bool,
    /// the optional search engine
    #[serde(deserialize_with = "object")]
    pub search: SearchConfig,
    /// the limits of compaction
    #[serde(deserialize_with = "object")]
    pub compaction: Compaction,
    /// when a model is asked for summaries
    #[serde(deserialize_with = "object")]
    pub summaries: Summaries,
    /// the command that writes them
    #[serde(deserialize_with = "object")]
    pub summarizer: Summarizer,
    /// what is saved in addition to what was said
    #[serde(deserialize_with = "object")]
    pub capture: Capture,
    /// what an agent is told of the memory without asking
    #[serde(deserialize_with = "object")]
    pub recall: Recall,
    /// what the project changes about redaction
    #[serde(deserialize_with = "object")]
    pub redaction: RedactionConfig,
    /// which memory a linked git worktree of the project uses
    pub worktrees: Worktrees,
    /// whether a project in the home folder covers every folder below it
    pub home: bool,
}

/// `worktrees`: whose memory a linked git worktree has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Worktrees {
    /// that of the main worktree
    #[default]
    Shared,
    /// one of its own
    Own,
}

/// `recall`: what an agent is told of the memory without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Recall {
    /// whether something is told at a prompt
    pub prompt: bool,
    /// whether something is told at a file
    pub tool: bool,
    /// what is told at a prompt takes at most so many tokens, and half more at the first of a session
    pub max_tokens: u32,
}

impl Default for Recall {
    fn default() -> Self {
        Self { prompt: true, tool: true, max_tokens: 400 }
    }
}

impl Recall {
    /// What is told at the first prompt of a session takes at most so many tokens.
    pub(crate) fn at_first(self) -> u32 {
        self.max_tokens.saturating_add(self.max_tokens / 2)
    }
}

/// `search`: the optional engine, qmd.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SearchConfig {
    /// whether it is used at all
    pub enabled: bool,
    /// whether vectors are made
    pub vector: bool,
    /// the model they are made with
    pub embed_model: String,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self { enabled: true, vector: true, embed_model: "auto".to_owned() }
    }
}

/// `compaction`: the limits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Compaction {
    /// the most tokens ROOT.md may take, 500 to 100,000
    #[cfg_attr(test, schemars(range(min = 500, max = 100_000)))]
    pub root_max_tokens: f64,
    /// the least hours between two summaries by a model, 0 to 720; 0 means none
    #[cfg_attr(test, schemars(range(min = 0, max = 720)))]
    pub cooldown_hours: f64,
}

impl Default for Compaction {
    fn default() -> Self {
        Self { root_max_tokens: 3000.0, cooldown_hours: 3.0 }
    }
}

/// `summaries`: when a model is asked for one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct Summaries {
    /// whether a summary is ever due; `by` says it better
    pub mode: SummaryMode,
    /// who writes them
    pub by: Option<SummaryWriter>,
    /// what of a day is handed out to be summarised
    pub source: SummarySource,
    /// what ended before this day needs no summary; `init` writes the day it ran
    #[serde(deserialize_with = "date")]
    #[cfg_attr(test, schemars(with = "Option<String>", extend("format" = "date")))]
    pub since: Option<NaiveDate>,
}

impl Summaries {
    /// Who writes them. Configurations from before there was a choice say whether they are due at all.
    pub(crate) fn writer(&self) -> SummaryWriter {
        match (self.by, self.mode) {
            (Some(by), _) => by,
            (None, SummaryMode::Due) => SummaryWriter::Agent,
            (None, SummaryMode::Off) => SummaryWriter::Off,
        }
    }
}

/// `summaries.by`: who writes summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SummaryWriter {
    /// the agent, in its session; offered once a day
    #[default]
    Agent,
    /// `summarizer.command`, started by hooks, where this user allowed it
    Background,
    /// nobody, unless asked for by name
    Off,
}

impl SummaryWriter {
    /// The word in the configuration.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Background => "background",
            Self::Off => "off",
        }
    }
}

/// `summaries.source`: what of a day is handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SummarySource {
    /// the log up to 12,000 tokens, else its extract
    #[default]
    Auto,
    /// the log
    Log,
    /// the extract
    Extract,
}

/// `summarizer`: a command that writes summaries. It runs only where this user allowed it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Summarizer {
    /// reads a prompt on stdin and prints a summary; `hipocampus summarize --allow` lets it run
    pub command: Option<String>,
    /// the most tokens it may use a day, input and output; 100,000 by default
    pub max_tokens_per_day: Option<u64>,
}

impl Summarizer {
    /// The most tokens on a day.
    pub(crate) fn tokens_a_day(&self) -> u64 {
        self.max_tokens_per_day.unwrap_or(100_000)
    }
}

/// `capture`: what is saved in addition to what was said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Capture {
    /// whether an agent that shortens a session is asked to end its summary with entries for the memory
    pub ask_on_compact: bool,
}

/// `summaries.mode`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SummaryMode {
    /// under the conditions of `spec/compaction.md`
    #[default]
    Due,
    /// never
    Off,
}

fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NaiveDate>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    let no_date = |_| de::Error::custom(format!("`{text}` is no date, write it like `2026-03-15`"));
    text.parse().map(Some).map_err(no_date)
}

impl Config {
    /// Reads the file's bytes. Numbers out of range are clamped, each with a note. Fails when it is no JSON or a key
    /// has a value of the wrong kind; names `path`, line and column.
    pub(crate) fn parse(bytes: &[u8], path: &str) -> Result<(Self, Vec<Note>), Problem> {
        let text = without_bom(bytes);
        if let Err(error) = std::str::from_utf8(text) {
            let at = Some(keys::line_and_column(&text[..error.valid_up_to()]));
            let what = "a byte that is no UTF-8".to_owned();
            return Err(Problem::from(Mistake { path: path.to_owned(), at, what })
                .hint("save the file as UTF-8 and run the command again; nothing was changed"));
        }
        let mut unknown = Vec::new();
        let mut config = read(text, &mut unknown).map_err(|(error, key)| {
            let words = error.to_string();
            let words = in_plain_words(words.split(" at line ").next().unwrap_or_default());
            let key = key.map_or_else(String::new, |key| format!("`{key}`: "));
            let at = Some(place(text, &error));
            Problem::from(Mistake { path: path.to_owned(), at, what: format!("{key}{words}") })
                .hint("fix that line and run the command again; nothing was changed")
        })?;
        let slips = unknown.iter().filter_map(|key| keys::slip(text, path, key));
        let mut notes: Vec<Note> = slips.collect();
        for (key, value, least, most) in [
            ("rootMaxTokens", &mut config.compaction.root_max_tokens, 500.0, 100_000.0),
            ("cooldownHours", &mut config.compaction.cooldown_hours, 0.0, 720.0),
        ] {
            let clamped = value.clamp(least, most);
            #[expect(clippy::float_cmp, reason = "clamp returns the value itself where it fits")]
            if clamped != *value {
                let text = format!(
                    "`compaction.{key}` is {value}, taken as {clamped} ({least} to {most})"
                );
                notes.push(Note::remark(path, text));
                *value = clamped;
            }
        }
        Ok((config, notes))
    }

    /// The configured platforms, first one first.
    pub(crate) fn platforms(&self) -> Vec<String> {
        match (&self.platforms, &self.platform) {
            (Some(many), _) if !many.is_empty() => many.clone(),
            (_, Some(one)) => vec![one.clone()],
            _ => Vec::new(),
        }
    }
}

/// Reads the keys that there are, and puts the paths of others into `unknown`. An error comes with the path of the key
/// it is about.
fn read(
    text: &[u8],
    unknown: &mut Vec<String>,
) -> Result<Config, (serde_json::Error, Option<String>)> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let mut note = |key: serde_ignored::Path<'_>| unknown.push(key.to_string());
    let config = object(serde_ignored::Deserializer::new(tracked, &mut note));
    let config = config.map_err(|error| {
        // Of what is no JSON only the beginning of a path is known.
        let key = track.path().to_string().trim_end_matches(['?', '.']).to_owned();
        (error, (!key.is_empty()).then_some(key))
    })?;
    json.end().map_err(|error| (error, None))?;
    Ok(config)
}

/// The line and column of a slip, from 1. The reader sees that a comma trails where the object ends, people have to
/// look for the comma.
fn place(text: &[u8], error: &serde_json::Error) -> (usize, usize) {
    let place = (error.line(), error.column());
    if !error.to_string().starts_with("trailing comma") {
        return place;
    }
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.take(place.0.saturating_sub(1)).map(<[u8]>::len).sum();
    let end = (before + place.1.saturating_sub(1)).min(text.len());
    let before_comma = text[..end].trim_ascii_end().strip_suffix(b",");
    before_comma.map_or(place, keys::line_and_column)
}

/// A slip without the names of this program's types.
fn in_plain_words(slip: &str) -> String {
    let Some((found, wanted)) = slip.split_once(", expected ") else { return slip.to_owned() };
    let wanted = match wanted {
        "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        wanted if wanted.starts_with("struct ") => "an object",
        wanted => wanted,
    };
    format!("{found}, expected {wanted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(Config, Vec<Note>), Problem> {
        Config::parse(text.as_bytes(), "c.json")
    }

    #[test]
    fn every_key_has_a_default() {
        let (config, notes) = parse("\u{feff}{}").unwrap();
        assert!(config.search.enabled && config.search.vector && notes.is_empty());
        assert_eq!(config.compaction, Compaction::default());
        let (config, _) = parse(r#"{"platform":"codex","x":1,"search":{"vector":false}}"#).unwrap();
        assert_eq!(config.platforms(), ["codex"]);
        assert!(!config.search.vector && config.search.enabled);
    }

    #[test]
    fn numbers_out_of_range_are_clamped_and_told() {
        let (config, notes) =
            parse(r#"{"compaction":{"rootMaxTokens":10,"cooldownHours":9999}}"#).unwrap();
        assert_eq!(config.compaction, Compaction { root_max_tokens: 500.0, cooldown_hours: 720.0 });
        assert_eq!(
            notes[0].to_string(),
            "`c.json`: `compaction.rootMaxTokens` is 10, taken as 500 (500 to 100000)"
        );
        assert_eq!(notes.len(), 2);
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let error = Config::parse(b"{\n \"x\": \"\xff\"}", "c.json").unwrap_err();
        assert_eq!(error.what, "`c.json:2:8`: a byte that is no UTF-8");
    }

    #[test]
    fn a_slip_names_its_line() {
        let error = parse("{\n  \"platform\": \"codex\",\n}").unwrap_err();
        assert_eq!(error.what, "`c.json:2:22`: trailing comma");
        let error = parse("{\"platforms\": [\"codex\" , ]}").unwrap_err();
        assert_eq!(error.what, "`c.json:1:24`: `platforms`: trailing comma");
        for (text, what) in [
            (
                "{\"tenant\": 3}",
                "`c.json:1:12`: `tenant`: invalid type: integer `3`, expected a string",
            ),
            (
                "{\"compaction\": {\"cooldownHours\": true}}",
                "`c.json:1:37`: `compaction.cooldownHours`: invalid type: boolean `true`, expected a number",
            ),
            (
                "{\"compaction\": \"daily\"}",
                "`c.json:1:22`: `compaction`: invalid type: string \"daily\", expected an object",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().what, what);
        }
    }
}
