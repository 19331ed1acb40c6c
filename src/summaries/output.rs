//! What a command printed: a summary as text, or in the JSON of an agent that also says what the answer cost.

use serde_json::{Deserializer, Value};

/// Where an agent's JSON has what is wanted, as JSON pointers. It prints one object, or one a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JsonForm {
    /// the answer, or a piece of it
    pub(crate) answer: &'static str,
    /// what it cost, in US dollars
    pub(crate) usd: &'static str,
    /// why there is none
    pub(crate) error: &'static str,
}

/// An answer without what was around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Output {
    pub(crate) text: String,
    /// in US dollars, where the command says so
    pub(crate) usd: Option<f64>,
}

/// Reads what a command printed. What is not in one of these forms is text.
pub(crate) fn read(printed: &str, forms: &[JsonForm]) -> Output {
    forms
        .iter()
        .find_map(|form| in_form(printed, form))
        .unwrap_or_else(|| Output { text: printed.to_owned(), usd: None })
}

fn in_form(printed: &str, form: &JsonForm) -> Option<Output> {
    let text =
        |value: &Value, at: &str| value.pointer(at).and_then(Value::as_str).map(str::to_owned);
    let (mut answer, mut error, mut usd) = (None::<String>, None, None);
    for value in Deserializer::from_str(printed).into_iter::<Value>() {
        let value = value.ok().filter(Value::is_object)?;
        if let Some(piece) = text(&value, form.answer) {
            answer.get_or_insert_default().push_str(&piece);
        }
        if let Some(cost) = value.pointer(form.usd).and_then(Value::as_f64) {
            usd = Some(usd.unwrap_or(0.0) + cost.max(0.0));
        }
        error = text(&value, form.error).or(error);
    }
    Some(Output { text: answer.or(error)?, usd })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::preset::FORMS;

    #[test]
    fn an_answer_is_taken_out_of_the_json_around_it() {
        for (printed, text, usd) in [
            ("## Topics\n- a\n", "## Topics\n- a\n", None),
            (
                "{\"is_error\":false,\"result\":\"## Topics\\n\",\"total_cost_usd\":0.25}\n",
                "## Topics\n",
                Some(0.25),
            ),
            (
                "{\"is_error\":true,\"result\":\"Not logged in\",\"total_cost_usd\":0}",
                "Not logged in",
                Some(0.0),
            ),
            (
                "{\"type\":\"text\",\"part\":{\"text\":\"one \"}}\n{\"part\":{\"text\":\"two\"}}\n{\"part\":{\"cost\":0.5}}\n",
                "one two",
                Some(0.5),
            ),
            (
                "{\"type\":\"error\",\"error\":{\"data\":{\"message\":\"invalid x-api-key\"}}}",
                "invalid x-api-key",
                None,
            ),
            // JSON of another kind, and what only begins like it.
            ("{\"a\": 1}", "{\"a\": 1}", None),
            ("{\"result\": \"x\"} and more", "{\"result\": \"x\"} and more", None),
            ("", "", None),
        ] {
            assert_eq!(read(printed, &FORMS), Output { text: text.to_owned(), usd }, "{printed}");
        }
    }
}
