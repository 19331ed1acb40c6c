//! Edits to a JSON file with comments that leave every byte around them alone.
//!
//! The text is parsed for where things stand; an edit then cuts or inserts bytes at that place. Nothing
//! is ever printed back from a parsed value, which is what would lose comments, `1.0` and long numbers.
//! Not the `cst` of `jsonc-parser`: it breaks lists of one line into many and drops blank lines, so that what was put
//! in and taken out again leaves another file (`{"a":1}`, `{ }`, `{"a": 1, }`, a file with a BOM).

mod style;

use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult, parse_to_ast,
};

use style::{Style, indent_at, quoted, render};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    /// from 1
    pub line: usize,
    /// in characters, from 1
    pub column: usize,
    /// lower-case, no full stop
    pub what: String,
}

impl ParseError {
    /// A slip at a byte of the text.
    pub(super) fn at(text: &str, byte: usize, what: impl Into<String>) -> Self {
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            what: what.into(),
        }
    }
}

/// One step from a container to something inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonKey<'a> {
    /// a property
    Name(&'a str),
    /// an element
    Index(usize),
}

/// Reads bytes as a JSON text: its BOM, if it has one, and the rest. Nothing but white space counts as `{}`. Fails when
/// it is not UTF-8, or no JSON even with comments and trailing commas allowed.
pub(super) fn check(bytes: &[u8]) -> Result<(&'static str, &str), ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        ParseError::at(valid, valid.len(), "no UTF-8 text")
    })?;
    let (bom, text) = text.strip_prefix('\u{feff}').map_or(("", text), |rest| ("\u{feff}", rest));
    parse(text)?;
    Ok((bom, text))
}

/// The root value; `None` for a text without any.
pub(super) fn parse(text: &str) -> Result<Option<Value<'_>>, ParseError> {
    read(text).map(|found| found.value)
}

/// The tokens and comments that begin in a part of a text.
fn tokens(text: &str, part: Range<usize>) -> Vec<TokenAndRange<'_>> {
    let mut tokens = read(text).ok().and_then(|found| found.tokens).unwrap_or_default();
    tokens.retain(|token| part.contains(&token.range.start));
    tokens
}

/// The first comma between two values.
fn find_comma(text: &str, between: Range<usize>) -> Option<usize> {
    let tokens = tokens(text, between);
    tokens.iter().find(|token| token.token == Token::Comma).map(|comma| comma.range.start)
}

/// Where the last comment between two values ends.
fn last_comment_end(text: &str, between: Range<usize>) -> Option<usize> {
    let tokens = tokens(text, between);
    let is_comment = |token: &&TokenAndRange<'_>| {
        matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
    };
    tokens.iter().rfind(is_comment).map(|comment| comment.range.end)
}

fn read(text: &str) -> Result<ParseResult<'_>, ParseError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    parse_to_ast(text, &collect, &options).map_err(|error| {
        let words = error.kind().to_string();
        let mut letters = words.trim_end_matches('.').chars();
        let first = letters.next().into_iter().flat_map(char::to_lowercase);
        ParseError::at(text, error.range().start, first.chain(letters).collect::<String>())
    })
}

/// The value at a path; the last of several properties of the same name, as JSON readers have it.
pub(super) fn look<'v, 'a>(root: &'v Value<'a>, path: &[JsonKey<'_>]) -> Option<&'v Value<'a>> {
    path.iter().try_fold(root, |value, key| match (key, value) {
        (JsonKey::Name(name), Value::Object(object)) => {
            member(object, name).map(|(_, value)| value)
        }
        (JsonKey::Index(index), Value::Array(array)) => array.elements.get(*index),
        _ => None,
    })
}

/// What `tell` says of the value at a path, if there is one.
pub(super) fn at<T>(
    text: &str,
    path: &[JsonKey<'_>],
    tell: impl FnOnce(&Value<'_>) -> T,
) -> Option<T> {
    look(&parse(text).ok()??, path).map(tell)
}

fn member<'v, 'a>(object: &'v Object<'a>, name: &str) -> Option<(usize, &'v Value<'a>)> {
    let index = object.properties.iter().rposition(|member| member.name.as_str() == name)?;
    Some((index, &object.properties[index].value))
}

/// Where a container and what is in it stand.
struct Container {
    range: Range<usize>,
    parts: Vec<Range<usize>>,
}

impl Container {
    fn at(text: &str, path: &[JsonKey<'_>]) -> Option<Self> {
        let span = |range: jsonc_parser::common::Range| range.start..range.end;
        at(text, path, |value| {
            let parts = match value {
                Value::Object(object) => {
                    object.properties.iter().map(|member| span(member.range)).collect()
                }
                Value::Array(array) => array.elements.iter().map(|it| span(it.range())).collect(),
                _ => return None,
            };
            Some(Self { range: span(value.range()), parts })
        })?
    }

    fn inner(&self) -> Range<usize> {
        self.range.start + 1..self.range.end - 1
    }
}

/// The bytes of the container at a path, if it has nothing in it.
pub(super) fn empty_container<'a>(text: &'a str, path: &[JsonKey<'_>]) -> Option<&'a str> {
    let found = Container::at(text, path)?;
    found.parts.is_empty().then(|| &text[found.range])
}

/// Adds something at the end of the container at `path`: a property when `name` is given, else an element.
pub(super) fn append(
    text: &str,
    path: &[JsonKey<'_>],
    name: Option<&str>,
    value: &serde_json::Value,
) -> String {
    let Some(container) = Container::at(text, path) else { return text.to_owned() };
    let style = Style::of(text);
    let print = |indent: Option<&str>| {
        let mut out = name.map_or_else(String::new, |name| format!("{}: ", quoted(name)));
        render(value, &style, indent, &mut out);
        out
    };
    let inner = container.inner();
    let Some(last) = container.parts.last() else {
        let comments = last_comment_end(text, inner.clone()).unwrap_or(inner.start);
        let new = if style.one_line {
            print(None)
        } else {
            let outer = indent_at(text, container.range.start);
            let indent = format!("{outer}{}", style.unit);
            format!("{0}{indent}{1}{0}{outer}", style.ending, print(Some(&indent)))
        };
        return cut(text, comments..inner.end, &new);
    };
    let line = indent_at(text, last.start);
    let own_line =
        text[..last.start].ends_with(line) && text[..last.start - line.len()].ends_with('\n');
    let tail = last.end..inner.end;
    let comma = find_comma(text, tail.clone());
    let at = last_comment_end(text, tail).map_or(last.end, |end| end.max(last.end));
    let at = comma.map_or(at, |comma| at.max(comma + 1));
    // After a line comment only a new line is outside of it.
    let fresh_line = own_line || text[last.end..at].contains("//");
    let mut new = if fresh_line {
        format!("{}{line}{}", style.ending, print(Some(line).filter(|_| own_line)))
    } else {
        format!("{}{}", separator(text, &container), print(None))
    };
    if comma.is_some() {
        new.push(',');
    }
    let text = cut(text, at..at, &new);
    if comma.is_some() { text } else { cut(&text, last.end..last.end, ",") }
}

/// What is between two parts on one line, after the comma.
fn separator<'a>(text: &'a str, container: &Container) -> &'a str {
    let Some([.., a, b]) = container.parts.get(..).filter(|parts| parts.len() > 1) else {
        let spaced = text.contains(", \"") || text.contains("\": ") || !text.contains(",\"");
        return if spaced { " " } else { "" };
    };
    let between = &text[a.end..b.start];
    between
        .split_once(',')
        .map_or("", |(_, space)| if space.trim().is_empty() { space } else { " " })
}

/// Takes out what is at `path`, with its comma. Comments stay.
pub(super) fn remove(text: &str, path: &[JsonKey<'_>]) -> String {
    let Some((key, outer)) = path.split_last() else { return text.to_owned() };
    let Some(container) = Container::at(text, outer) else { return text.to_owned() };
    let Some(index) = index_in(text, outer, *key) else { return text.to_owned() };
    let inner = container.inner();
    let part = container.parts[index].clone();
    let next = container.parts.get(index + 1).map_or(inner.end, |next| next.start);
    let comma = find_comma(text, part.end..next);
    if index + 1 < container.parts.len() {
        let after = comma.map_or(part.end, |comma| comma + 1);
        let space = text[after..next].len() - text[after..next].trim_start().len();
        return cut(text, part.start..after + space, "");
    }
    let end = comma.map_or(part.end, |comma| comma + 1);
    let Some(previous) = index.checked_sub(1).map(|index| container.parts[index].end) else {
        let comments = last_comment_end(text, inner.start..part.start);
        let rest = text[end..inner.end].trim_end();
        return match comments {
            None if rest.trim().is_empty() => cut(text, inner, ""),
            None => cut(text, part.start..end, ""),
            Some(comments) => cut_after_comment(text, comments..end),
        };
    };
    let between = previous..part.start;
    let own_comma = find_comma(text, between.clone()).unwrap_or(previous);
    let from = last_comment_end(text, between).unwrap_or(previous).max(own_comma + 1);
    let text = cut_after_comment(text, from..end);
    if comma.is_some() { text } else { cut(&text, own_comma..=own_comma, "") }
}

/// As [`cut`], but what follows a line comment stays outside of it.
fn cut_after_comment(text: &str, range: Range<usize>) -> String {
    let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let is_line_comment = |token: &TokenAndRange<'_>| matches!(token.token, Token::CommentLine(_));
    let swallows = tokens(text, line..range.start).iter().any(is_line_comment)
        && !text[range.end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    cut(text, range, if swallows { "\n" } else { "" })
}

fn index_in(text: &str, outer: &[JsonKey<'_>], key: JsonKey<'_>) -> Option<usize> {
    at(text, outer, |outer| match (outer, key) {
        (Value::Object(object), JsonKey::Name(name)) => {
            member(object, name).map(|(index, _)| index)
        }
        (Value::Array(array), JsonKey::Index(index)) => {
            (index < array.elements.len()).then_some(index)
        }
        _ => None,
    })?
}

/// Puts a value in the place of the one at `path`, on one line.
pub(super) fn replace(text: &str, path: &[JsonKey<'_>], value: &serde_json::Value) -> String {
    replace_raw(text, path, &value.to_string())
}

/// Puts bytes in the place of the value at `path`.
pub(super) fn replace_raw(text: &str, path: &[JsonKey<'_>], raw: &str) -> String {
    let Some(range) = at(text, path, |found| found.range()) else { return text.to_owned() };
    cut(text, range.start..range.end, raw)
}

/// As [`remove`], with so many of the containers around it as this leaves empty, the inner ones first. One that stood
/// there empty `before` gets the bytes it had.
pub(super) fn remove_with_shells(
    text: &str,
    path: &[JsonKey<'_>],
    shells: usize,
    before: Option<&str>,
) -> String {
    let mut text = remove(text, path);
    for depth in (path.len() - shells..path.len()).rev() {
        let shell = &path[..depth];
        if empty_container(&text, shell).is_none() {
            break;
        }
        if let Some(raw) = before.and_then(|before| empty_container(before, shell)) {
            text = replace_raw(&text, shell, raw);
            break;
        }
        text = remove(&text, shell);
    }
    with_root_as_empty_as(text, before)
}

/// A text whose root has nothing in it with the bytes that this had `before`, if it was empty then, too.
pub(super) fn with_root_as_empty_as(text: String, before: Option<&str>) -> String {
    match before.and_then(|before| empty_container(before, &[])) {
        Some(raw) if empty_container(&text, &[]).is_some() => replace_raw(&text, &[], raw),
        _ => text,
    }
}

fn cut(text: &str, range: impl std::ops::RangeBounds<usize>, new: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(range, new);
    text
}

/// A whole new file.
pub(super) fn whole(value: &serde_json::Value, like: &str) -> String {
    let style = Style { one_line: false, ..Style::of(like) };
    let mut out = String::new();
    render(value, &style, Some(""), &mut out);
    out.push_str(style.ending);
    out
}

#[cfg(test)]
mod tests;
