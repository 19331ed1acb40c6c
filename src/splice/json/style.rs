//! How a JSON file is laid out, and a value of ours printed into it.

/// How the file is laid out.
pub(super) struct Style<'a> {
    pub(super) ending: &'static str,
    pub(super) unit: &'a str,
    pub(super) one_line: bool,
}

impl<'a> Style<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let body = text.trim();
        let indents = text.lines().skip(1).map(leading_space);
        let unit = indents.into_iter().find(|space| !space.is_empty()).unwrap_or("  ");
        let small =
            matches!(body.split_whitespace().collect::<String>().as_str(), "" | "{}" | "[]");
        Self { ending, unit, one_line: !body.contains('\n') && !small }
    }
}

pub(super) fn leading_space(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The white space the line around a byte begins with.
pub(super) fn indent_at(text: &str, byte: usize) -> &str {
    leading_space(&text[text[..byte].rfind('\n').map_or(0, |end| end + 1)..])
}

/// Prints a value of ours; on one line without an indent.
pub(super) fn render(
    value: &serde_json::Value,
    style: &Style<'_>,
    indent: Option<&str>,
    out: &mut String,
) {
    use serde_json::Value as Json;
    let parts: Vec<(Option<&String>, &Json)> = match value {
        Json::Object(members) => members.iter().map(|(name, value)| (Some(name), value)).collect(),
        Json::Array(elements) => elements.iter().map(|value| (None, value)).collect(),
        plain => return out.push_str(&plain.to_string()),
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    out.push(open);
    let inside = indent.map(|indent| format!("{indent}{}", style.unit));
    for (index, (name, value)) in parts.iter().enumerate() {
        if index > 0 {
            out.push_str(if inside.is_some() { "," } else { ", " });
        }
        if let Some(inside) = &inside {
            out.push_str(style.ending);
            out.push_str(inside);
        }
        if let Some(name) = name {
            out.push_str(&quoted(name));
            out.push_str(": ");
        }
        render(value, style, inside.as_deref(), out);
    }
    if let Some(indent) = indent.filter(|_| !parts.is_empty()) {
        out.push_str(style.ending);
        out.push_str(indent);
    }
    out.push(close);
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
