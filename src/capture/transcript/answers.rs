//! Words of a session that clients record as results of tools: answers of the person, reasons for turning a call
//! down, plans that they approved, reports of subagents.

use super::{Raw, Role, TurnPart, blocks, bounded, fields, object, string, value};

/// The most bytes of a plan that are kept.
const PLAN: usize = 16 * 1024;
/// The most bytes of a report that are kept.
const REPORT: usize = 8 * 1024;

/// How an approved plan is introduced in a log.
const PLAN_LABEL: &str = "Plan, approved by the user:";
/// How a report is introduced in a log.
const REPORT_LABEL: &str = "Report of a subagent:";

fields! {
    struct ToolResult {
        answers: "answers",
        annotations: "annotations",
        response: "response",
        /// after how long the client answered in the person's place
        timed_out: "afkTimeoutMs",
        plan: "plan",
        agent: "agentId",
        status: "status",
        content: "content",
    }
}

/// How the client writes that a question has notes instead of an answer.
const NOTES_ONLY: &str = "(notes only)";

/// What the result of a tool says; `output` is what the model was shown, `details` what the client noted besides.
pub(super) fn of_result(output: &str, failed: bool, details: Option<Raw<'_>>) -> Option<TurnPart> {
    let details: Option<ToolResult<'_>> = object(details);
    if let Some(answers) = details.as_ref().and_then(ToolResult::answered) {
        return said(Role::User, &answers);
    }
    if let Some(answers) = answers(output) {
        return said(Role::User, &answers);
    }
    if failed {
        return said(Role::User, turned_down(output)?);
    }
    let details = details?;
    if output.starts_with("User has approved your plan") {
        let shown =
            output.split_once("## Approved Plan").and_then(|(_, rest)| rest.split_once('\n'));
        let plan = string(details.plan).or_else(|| Some(shown?.1.to_owned()))?;
        return said(Role::Assistant, &labelled(PLAN_LABEL, &plan, PLAN)?);
    }
    let completed = string(details.status).is_some_and(|status| status == "completed");
    if details.agent.is_some() && completed {
        let parts = blocks(details.content);
        let texts: Vec<String> = parts.iter().map(super::Block::words).collect();
        return said(Role::Assistant, &report(&texts.join("\n\n"))?);
    }
    None
}

/// A subagent's report as it is in a log.
pub(super) fn report(words: &str) -> Option<String> {
    labelled(REPORT_LABEL, words, REPORT)
}

/// What another agent reports.
pub(super) fn reported(words: &str) -> Option<TurnPart> {
    said(Role::Assistant, &report(words)?)
}

/// Each question with its answer, in the words of the person, from what the model was shown of them.
pub(super) fn answers(output: &str) -> Option<String> {
    let begins = ["User has answered your question", "Your questions have been answered"];
    let rest = begins
        .into_iter()
        .find_map(|begin| output.strip_prefix(begin))
        .or_else(|| output.strip_prefix("The user answered").filter(|it| it.starts_with(": \"")))?;
    let rest = rest.trim_start_matches('s').trim_start_matches([':', ' ', '\n']);
    let ends = ["You can now continue", "Read the answers carefully"];
    let end = ends.into_iter().filter_map(|end| rest.rfind(end)).max().unwrap_or(rest.len());
    let pairs = rest[..end].trim().trim_end_matches('.');
    let pairs = pairs.replace("\"=\"", "\" — \"");
    (!pairs.is_empty()).then_some(pairs)
}

impl ToolResult<'_> {
    /// Each question with its answer and the notes to it, and what was written beside them. What a time-out filled in,
    /// and what is for no answer, is not the person's. `None` where these are no details of questions; the words are
    /// empty where none was answered.
    fn answered(&self) -> Option<String> {
        type Fields = serde_json::Map<String, serde_json::Value>;
        let answers: Fields = value(self.answers)?;
        let annotations: Fields = value(self.annotations).unwrap_or_default();
        let told = |question: &str, field: &str| {
            let told = annotations.get(question)?.get(field)?.as_str()?.trim();
            (!told.is_empty()).then(|| told.to_owned())
        };
        let words = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let is_given = |question: &str, answer: &str| {
            self.timed_out.is_none()
                && told(question, "unanswered").is_none()
                && !matches!(answer, "" | NOTES_ONLY)
        };
        let mut lines = Vec::new();
        for (question, answer) in &answers {
            let answer = Some(words(answer)).filter(|answer| is_given(question, answer));
            let said = [answer, told(question, "notes")].into_iter().flatten().collect::<Vec<_>>();
            lines.extend((!said.is_empty()).then(|| format!("{question} — {}", said.join("\n"))));
        }
        for question in annotations.keys().filter(|question| !answers.contains_key(*question)) {
            lines.extend(told(question, "notes").map(|notes| format!("{question} — {notes}")));
        }
        lines.extend(string(self.response));
        Some(lines.join("\n"))
    }
}

/// What somebody said when they turned a call down.
fn turned_down(output: &str) -> Option<&str> {
    if !output.starts_with("The user doesn't want to") {
        return None;
    }
    let words = output.split_once("the user said:\n")?.1;
    Some(words.split("\n\nNote: The user's next message").next().unwrap_or(words))
}

fn labelled(label: &str, words: &str, limit: usize) -> Option<String> {
    let words = words.trim();
    (!words.is_empty()).then(|| format!("{label}\n\n{}", bounded(words, limit, 50)))
}

fn said(role: Role, words: &str) -> Option<TurnPart> {
    let mut piece = TurnPart::of(role);
    piece.say(words);
    piece.unless_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_hold_words() {
        fn check(output: &str, failed: bool, details: &str, expect: Option<(Role, &str)>) {
            let raw: Raw<'_> = serde_json::from_str(details).unwrap();
            let found = of_result(output, failed, Some(raw));
            let found = found.as_ref().map(|piece| (piece.role, piece.text.as_str()));
            assert_eq!(found, expect, "{output}");
        }
        let answered = "User has answered your questions: \"Which store?\"=\"SQLite\". You can now continue with the user's answers in mind.";
        let answers =
            r#"{"questions":[],"answers":{"Which store?":"SQLite","Why?":"It is small"}}"#;
        check(
            answered,
            false,
            answers,
            Some((Role::User, "Which store? — SQLite\nWhy? — It is small")),
        );
        check(answered, false, "\"odd\"", Some((Role::User, "\"Which store?\" — \"SQLite\"")));
        let no = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse tabs";
        check(no, true, "null", Some((Role::User, "use tabs")));
        check(no, false, "null", None);
        check("The user doesn't want to proceed with this tool use.", true, "null", None);
        let plan = "User has approved your plan. You can now start coding.\n\n## Approved Plan:\n# Cache\n\n1. a";
        let expect = "Plan, approved by the user:\n\n# Cache\n\n1. a";
        check(plan, false, "{}", Some((Role::Assistant, expect)));
        let report = r#"{"status":"completed","agentId":"a1","content":[{"type":"text","text":"It is the lock."}]}"#;
        let expect = "Report of a subagent:\n\nIt is the lock.";
        check("[Subagent hand-back]", false, report, Some((Role::Assistant, expect)));
        check("x", false, &report.replace("completed", "async_launched"), None);
        check("ls output", false, r#"{"stdout":"ls output"}"#, None);
        let long = "line\n".repeat(10_000);
        let cut = super::report(&long).unwrap();
        assert!(cut.len() < REPORT + 100 && cut.ends_with("more bytes)"), "{}", cut.len());
    }
}
