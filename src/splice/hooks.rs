//! Our hook entries in a JSON file of a client: `hooks.EVENT[].hooks[].command`, or `hooks.EVENT[].command` where it has
//! no groups.
//!
//! An entry that is right is not touched at all, not even moved: Codex ties the user's trust to its
//! place and its exact content. A stale one is repaired value by value; a new one goes last.

use jsonc_parser::ast::{Array, Object, Value};
use serde_json::json;

use super::command::{self, HookCommandLine};
use super::json::{self, JsonKey, ParseError};

/// What a file without groups has beside its hooks.
const VERSION: &str = "version";

/// The shape of hooks in a JSON file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookShape {
    /// groups of commands below an event, as Claude Code introduced them
    Grouped,
    /// commands right below an event, and the file's version
    Flat,
}

/// An entry as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEntry {
    /// the client's name for the moment, e.g. `PreCompact`
    pub event: &'static str,
    /// which kinds of the event; `None` for all
    pub matcher: Option<&'static str>,
    /// the shell command
    pub command: String,
    /// seconds
    pub timeout: u32,
    /// the shape that the client reads
    pub shape: HookShape,
}

impl HookEntry {
    fn value(&self) -> serde_json::Value {
        let matcher = self.matcher.map(|matcher| ("matcher".to_owned(), json!(matcher)));
        let rest = match self.shape {
            HookShape::Flat => json!({"command": self.command, "timeout": self.timeout}),
            HookShape::Grouped => json!({"hooks": [
                {"type": "command", "command": self.command, "timeout": self.timeout}
            ]}),
        };
        let rest = rest.as_object().cloned().unwrap_or_default();
        matcher.into_iter().chain(rest).collect()
    }
}

/// An entry of ours as it is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InstalledHook {
    /// the event it is registered for
    pub event: String,
    /// the program it runs
    pub runs: HookCommandLine,
    /// its whole command
    pub command: String,
    group: usize,
    /// where it is in its group, if it has one
    hook: Option<usize>,
    /// whether nothing else is in its group
    alone: bool,
}

impl InstalledHook {
    fn shape(&self) -> HookShape {
        if self.hook.is_some() { HookShape::Grouped } else { HookShape::Flat }
    }
}

/// Our entries in a file. `programs` are paths of this program under other names than its own.
pub(crate) fn find(bytes: &[u8], programs: &[String]) -> Result<Vec<InstalledHook>, ParseError> {
    let (_, text) = json::check(bytes)?;
    Ok(json::parse(text)?.as_ref().map(|root| found_in(root, programs)).unwrap_or_default())
}

/// Which of our entries are meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ours<'a> {
    /// paths of this program under other names than its own
    pub(crate) programs: &'a [String],
    /// whether those for private projects, which stand in the user's own settings; else all others
    pub(crate) private: bool,
}

impl<'a> Ours<'a> {
    /// Those of a project's own settings.
    pub(crate) fn of_project(programs: &'a [String]) -> Self {
        Self { programs, private: false }
    }
}

/// Puts the entries, repairs those that are stale, and takes out ours for other events. Fails when the file does not
/// parse, or something else is where the entries go.
pub(crate) fn put(
    bytes: &[u8],
    entries: &[HookEntry],
    ours: Ours<'_>,
) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let mut text = text.to_owned();
    match json::parse(&text)? {
        None => text = json::whole(&json!({}), &text),
        Some(Value::Array(array)) if is_npm_array(&array, ours.programs) => {
            text = json::replace_raw(&text, &[], "{}");
        }
        Some(Value::Object(_)) => {}
        Some(other) => return Err(misplaced(&text, &other, "the file", "an object")),
    }
    check_shape(&text, entries)?;
    let has_version = || json::at(&text, &[JsonKey::Name(VERSION)], |_| ()).is_some();
    if entries.iter().any(|entry| entry.shape == HookShape::Flat) && !has_version() {
        text = json::append(&text, &[], Some(VERSION), &json!(1));
    }
    let wanted = |found: &InstalledHook| {
        let is_it = |entry: &HookEntry| entry.event == found.event && entry.shape == found.shape();
        entries.iter().any(is_it)
    };
    while let Some(stray) = current(&text, ours).into_iter().rev().find(|found| !wanted(found)) {
        text = json::remove(&text, &place(&stray));
    }
    for entry in entries {
        let mut there: Vec<_> =
            current(&text, ours).into_iter().filter(|found| found.event == entry.event).collect();
        while there.len() > 1 {
            text = there
                .pop()
                .map_or_else(|| text.clone(), |extra| json::remove(&text, &place(&extra)));
        }
        text = match there.pop() {
            Some(found) => mend(&text, &found, entry),
            None => add(&text, entry),
        };
    }
    Ok(format!("{bom}{text}").into_bytes())
}

/// Takes out all of our entries, and the containers that have nothing in them without us. `before` is
/// the file as it was before our first edit: a container that was there empty stays.
pub(crate) fn take_out(
    bytes: &[u8],
    before: Option<&[u8]>,
    ours: Ours<'_>,
) -> Result<Vec<u8>, ParseError> {
    let (bom, text) = json::check(bytes)?;
    let before = before.and_then(|bytes| json::check(bytes).ok()).map(|(_, text)| text);
    let mut text = text.to_owned();
    if let Some(Value::Array(array)) = json::parse(&text)?
        && is_npm_array(&array, ours.programs)
    {
        text = json::replace_raw(&text, &[], "[]");
    }
    let mut is_flat = false;
    while let Some(found) = current(&text, ours).pop() {
        is_flat |= found.shape() == HookShape::Flat;
        text = if found.alone {
            json::remove_with_shells(&text, &place(&found), 2, before)
        } else {
            json::remove(&text, &place(&found))
        };
    }
    let has = |text: &str| json::at(text, &[JsonKey::Name(VERSION)], |_| ()).is_some();
    if is_flat && !before.is_some_and(has) && !has_hooks(&text) {
        text = json::remove(&text, &[JsonKey::Name(VERSION)]);
    }
    Ok(format!("{bom}{text}").into_bytes())
}

/// Whether anybody's hook is in a file.
fn has_hooks(text: &str) -> bool {
    let any = |events: &Value<'_>| {
        let events = events.as_object().map(|events| events.properties.as_slice());
        events.unwrap_or_default().iter().any(|event| !as_array(&event.value).is_empty())
    };
    json::at(text, &[JsonKey::Name("hooks")], any).unwrap_or_default()
}

fn current(text: &str, ours: Ours<'_>) -> Vec<InstalledHook> {
    let mut found = json::at(text, &[], |root| found_in(root, ours.programs)).unwrap_or_default();
    found.retain(|hook| hook.runs.private == ours.private);
    found
}

fn found_in(root: &Value<'_>, programs: &[String]) -> Vec<InstalledHook> {
    let Some(Value::Object(events)) = json::look(root, &[JsonKey::Name("hooks")]) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for event in &events.properties {
        for (group, value) in as_array(&event.value).iter().enumerate() {
            let mut take = |value: &Value<'_>, hook: Option<usize>, alone: bool| {
                let ours = value.as_object().and_then(|hook| ours(hook, programs));
                found.extend(ours.map(|(command, runs)| {
                    let event = event.name.as_str().to_owned();
                    InstalledHook { event, runs, command, group, hook, alone }
                }));
            };
            let hooks = value.as_object().and_then(|group| group.get_array("hooks"));
            let hooks = hooks.map(|hooks| hooks.elements.as_slice()).unwrap_or_default();
            for (hook, value) in hooks.iter().enumerate() {
                take(value, Some(hook), hooks.len() == 1);
            }
            take(value, None, true);
        }
    }
    found
}

fn as_array<'v, 'a>(value: &'v Value<'a>) -> &'v [Value<'a>] {
    value.as_array().map(|array| array.elements.as_slice()).unwrap_or_default()
}

fn ours(hook: &Object<'_>, programs: &[String]) -> Option<(String, HookCommandLine)> {
    let command = hook.get_string("command")?.value.to_string();
    let arguments = hook.get_array("args").map(|array| array.elements.as_slice());
    let arguments: Option<Vec<&str>> = arguments
        .unwrap_or_default()
        .iter()
        .map(|word| word.as_string_lit().map(|word| word.value.as_ref()))
        .collect();
    let runs = command::ours(&command, &arguments?, programs)?;
    Some((command, runs))
}

/// Whether the root is the array that the npm tool wrote for Codex, which Codex cannot read.
fn is_npm_array(array: &Array<'_>, programs: &[String]) -> bool {
    array
        .elements
        .iter()
        .all(|entry| entry.as_object().is_some_and(|entry| ours(entry, programs).is_some()))
}

fn check_shape(text: &str, entries: &[HookEntry]) -> Result<(), ParseError> {
    let Some(root) = json::parse(text)? else { return Ok(()) };
    let Some(hooks) = json::look(&root, &[JsonKey::Name("hooks")]) else { return Ok(()) };
    let Value::Object(hooks) = hooks else {
        return Err(misplaced(text, hooks, "`hooks`", "an object"));
    };
    for entry in entries {
        match hooks.get(entry.event).map(|event| &event.value) {
            None | Some(Value::Array(_)) => {}
            Some(other) => {
                return Err(misplaced(
                    text,
                    other,
                    &format!("`hooks.{}`", entry.event),
                    "an array",
                ));
            }
        }
    }
    Ok(())
}

fn misplaced(text: &str, value: &Value<'_>, what: &str, kind: &str) -> ParseError {
    use jsonc_parser::common::Ranged;
    ParseError::at(text, value.range().start, format!("{what} is not {kind}"))
}

fn add(text: &str, entry: &HookEntry) -> String {
    let hooks = [JsonKey::Name("hooks")];
    let event = [hooks[0], JsonKey::Name(entry.event)];
    let has = |path: &[JsonKey<'_>]| json::at(text, path, |_| ()).is_some();
    if has(&event) {
        json::append(text, &event, None, &entry.value())
    } else if has(&hooks) {
        json::append(text, &hooks, Some(entry.event), &json!([entry.value()]))
    } else {
        json::append(text, &[], Some("hooks"), &json!({entry.event: [entry.value()]}))
    }
}

fn mend(text: &str, found: &InstalledHook, entry: &HookEntry) -> String {
    let group = [JsonKey::Name("hooks"), JsonKey::Name(&found.event), JsonKey::Index(found.group)];
    let hook = [&group[..], &in_group(found)].concat();
    let mut text = text.to_owned();
    set(&mut text, &hook, "command", &json!(entry.command));
    set(&mut text, &hook, "timeout", &json!(entry.timeout));
    let spelled_out = [&hook[..], &[JsonKey::Name("args")]].concat();
    text = json::remove(&text, &spelled_out);
    if found.alone {
        match entry.matcher {
            Some(matcher) => set(&mut text, &group, "matcher", &json!(matcher)),
            // Every client reads an empty matcher as none.
            None if matcher_of(&text, &group).is_none_or(|found| found.is_empty()) => {}
            None => text = json::remove(&text, &[&group[..], &[JsonKey::Name("matcher")]].concat()),
        }
    }
    text
}

fn matcher_of(text: &str, group: &[JsonKey<'_>]) -> Option<String> {
    let matcher = [group, &[JsonKey::Name("matcher")]].concat();
    json::at(text, &matcher, |found| found.as_string_lit().map(|lit| lit.value.to_string()))?
}

/// Gives a property its value, unless it has it.
fn set(text: &mut String, path: &[JsonKey<'_>], name: &str, value: &serde_json::Value) {
    let full = [path, &[JsonKey::Name(name)]].concat();
    let right = json::at(text, &full, |found| match found {
        Value::StringLit(found) => value == found.value.as_ref(),
        Value::NumberLit(found) => {
            value.as_u64().is_some_and(|value| found.value.parse() == Ok(value))
        }
        _ => false,
    });
    *text = match right {
        Some(true) => return,
        Some(false) => json::replace(text, &full, value),
        None => json::append(text, path, Some(name), value),
    };
}

/// What goes with an entry: its group, if nothing else is in it.
fn place(found: &InstalledHook) -> Vec<JsonKey<'_>> {
    let mut place =
        vec![JsonKey::Name("hooks"), JsonKey::Name(&found.event), JsonKey::Index(found.group)];
    if !found.alone {
        place.extend(in_group(found));
    }
    place
}

/// The way from a group to an entry in it.
fn in_group(found: &InstalledHook) -> Vec<JsonKey<'static>> {
    found.hook.map_or_else(Vec::new, |hook| vec![JsonKey::Name("hooks"), JsonKey::Index(hook)])
}

#[cfg(test)]
mod tests;
