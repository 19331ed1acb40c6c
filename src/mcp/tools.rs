//! The tools that a model is offered, and the command that each of their calls means.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cli::{Command, FlushArgs, RecallArgs, SearchArgs, ShowArgs, StatusArgs};
use crate::error::Problem;
use crate::memory::entry::EntryType;

/// A tool as the model reads it. All of them together may take 600 tokens.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// the JSON Schema of its arguments
    pub(super) schema: &'static str,
    /// whether it changes the memory
    pub(super) writes: bool,
}

/// The argument that a server has which may read all projects.
const EVERYWHERE: &str = "everywhere";

const TOOLS: [Tool; 5] = [
    Tool {
        name: "search",
        description: "Find what past sessions said, decided or did. Use it before asking the user about earlier work.",
        schema: r#"{"type":"object","properties":{"query":{"type":"string","description":"words, a question or an \"exact phrase\""},"in":{"type":"string","description":"day, week, month or year, such as 2026-03"},"limit":{"type":"integer","minimum":1,"maximum":50},"everywhere":{"type":"boolean","description":"all projects of the user"}},"required":["query"]}"#,
        writes: false,
    },
    Tool {
        name: "show",
        description: "Read the index (`root`), a day, or a place that another tool printed.",
        schema: r#"{"type":"object","properties":{"what":{"type":"string","description":"`root`, `last` (session), a session's id, 2026-03-15, 2026-W11, 2026-03, PATH:LINE, or PATH:LINE- for what follows"}},"required":["what"]}"#,
        writes: false,
    },
    Tool {
        name: "recall",
        description: "Call it first, with the user's request: decisions, rules and open items about it.",
        schema: r#"{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}"#,
        writes: false,
    },
    Tool {
        name: "remember",
        description: "Save an entry: a decision and its reason, a rule, or what the user asks you to keep. Nothing else of this session is kept.",
        schema: r#"{"type":"object","properties":{"text":{"type":"string"},"topic":{"type":"string"},"type":{"type":"string","enum":["project","feedback","user","reference"],"description":"feedback: how the user wants work done; user: who they are; reference: where something is"}},"required":["text"]}"#,
        writes: true,
    },
    Tool {
        name: "status",
        description: "Tell whether the memory is healthy and what was saved last.",
        schema: r#"{"type":"object"}"#,
        writes: false,
    },
];

/// Those of a server that may write, or may not.
pub(super) fn offered(write: bool) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| write || !tool.writes)
}

/// The tool of a name, whether it is offered or not.
pub(super) fn by_name(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    #[serde(rename = "in")]
    within: Option<String>,
    limit: Option<usize>,
    everywhere: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Show {
    what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recall {
    prompt: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remember {
    text: String,
    topic: Option<String>,
    #[serde(rename = "type")]
    kind: Option<EntryType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Tool {
    /// The JSON Schema of its arguments, and of no others.
    pub(super) fn schema(&self, everywhere: bool) -> Map<String, Value> {
        let mut schema: Map<String, Value> = serde_json::from_str(self.schema).unwrap_or_default();
        schema.insert("additionalProperties".to_owned(), false.into());
        if let Some(properties) = schema.get_mut("properties").filter(|_| !everywhere) {
            properties.as_object_mut().map(|properties| properties.shift_remove(EVERYWHERE));
        }
        schema
    }

    /// The command that a call with these arguments means. Fails when they are not those of the schema: one that was left
    /// out in silence would make the answer a wrong one.
    pub(super) fn command(&self, arguments: Map<String, Value>) -> Result<Command, Problem> {
        Ok(match self.name {
            "search" => {
                let Search { query, within, limit, everywhere } = self.read(arguments)?;
                if limit.is_some_and(|limit| !(1..=50).contains(&limit)) {
                    return Err(self.slip("`limit` is not from 1 to 50"));
                }
                Command::Search(SearchArgs {
                    query: vec![query],
                    everywhere: everywhere.unwrap_or_default(),
                    limit,
                    within,
                    ..SearchArgs::default()
                })
            }
            "show" => {
                let Show { what } = self.read(arguments)?;
                Command::Show(ShowArgs { what: vec![what], ..ShowArgs::default() })
            }
            "recall" => {
                let Recall { prompt } = self.read(arguments)?;
                let text = vec![prompt];
                Command::Recall(RecallArgs { text, has_no_root: true, ..RecallArgs::default() })
            }
            "remember" => {
                let Remember { text, topic, kind } = self.read(arguments)?;
                let message = Some(text);
                Command::Flush(FlushArgs {
                    message,
                    topic,
                    kind,
                    has_no_skill: true,
                    ..FlushArgs::default()
                })
            }
            _ => {
                let Nothing {} = self.read(arguments)?;
                Command::Status(StatusArgs::default())
            }
        })
    }

    fn read<T: DeserializeOwned>(&self, arguments: Map<String, Value>) -> Result<T, Problem> {
        serde_json::from_value(Value::Object(arguments)).map_err(|why| self.slip(&why.to_string()))
    }

    fn slip(&self, why: &str) -> Problem {
        Problem::usage(format!(
            "`{}` was called with other arguments than it takes: {why}",
            self.name
        ))
        .hint("call it as its schema says")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(name: &str, arguments: &str) -> Result<Command, Problem> {
        by_name(name).unwrap().command(serde_json::from_str(arguments).unwrap())
    }

    #[test]
    fn every_schema_names_the_arguments_that_are_read() {
        for tool in &TOOLS {
            let schema: Value = serde_json::from_str(tool.schema).unwrap();
            assert_eq!(schema["type"], "object");
            let example = |schema: &Value| match schema["type"].as_str() {
                Some("integer") => Value::from(7),
                Some("boolean") => Value::from(true),
                _ => schema["enum"].get(1).cloned().unwrap_or_else(|| "text".into()),
            };
            let all = schema["properties"].as_object().cloned().unwrap_or_default();
            let all: Map<String, Value> =
                all.iter().map(|(name, schema)| (name.clone(), example(schema))).collect();
            assert!(tool.command(all.clone()).is_ok(), "{}", tool.name);
            for name in schema["required"].as_array().into_iter().flatten() {
                let mut less = all.clone();
                less.remove(name.as_str().unwrap());
                assert!(tool.command(less).is_err(), "{} without {name}", tool.name);
            }
            let mut more = all;
            more.insert("since".into(), "2026".into());
            assert!(tool.command(more).is_err(), "{}", tool.name);
        }
    }

    #[test]
    fn a_call_is_the_command_with_its_arguments() {
        let found = command(
            "search",
            r#"{"query":"-C x --json","in":"2026-03","limit":7,"everywhere":true}"#,
        );
        let Ok(Command::Search(args)) = found else { panic!("{found:?}") };
        assert_eq!(args.query, ["-C x --json"]);
        assert_eq!(
            (args.within.as_deref(), args.limit, args.everywhere),
            (Some("2026-03"), Some(7), true)
        );
        let saved = command("remember", r#"{"text":"- terse","topic":"Style","type":"feedback"}"#);
        let Ok(Command::Flush(args)) = saved else { panic!("{saved:?}") };
        assert_eq!(
            (args.message.as_deref(), args.topic.as_deref()),
            (Some("- terse"), Some("Style"))
        );
        assert_eq!(args.kind, Some(EntryType::Feedback));
        for limit in [0, 51] {
            let why =
                command("search", &format!(r#"{{"query":"x","limit":{limit}}}"#)).unwrap_err();
            assert!(why.what.contains("1 to 50"), "{why}");
        }
    }
}
