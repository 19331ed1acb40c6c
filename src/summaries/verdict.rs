//! Whether a text that came back from a model will do, and what is taken away from it first.

use crate::markdown::{conflict, escape, fence, heading, label, marker};
use crate::meaning::extract;
use crate::memory::body::count_lines;
use crate::memory::entry;
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;
use crate::search;
use crate::terminal::is_harmless;
use crate::text::counted;

use super::invented::invented;
use super::sections;

/// The least bytes of a node.
const LEAST: usize = 50;
/// A summary has one word of its source for so many different ones that the source has. Of 32 real ones each had one
/// for eleven at least.
const SOURCE: usize = 128;
/// The least and the most that is asked for.
const KNOWN: (usize, usize) = (2, 12);
/// The most names that a refusal lists.
const NAMED: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AcceptedSummary {
    pub(crate) text: String,
    /// what was taken away from what came, in words
    pub(crate) cleaned: Vec<String>,
}

/// Topics of user and feedback entries, as `topic [type]`, that a summary has to name: those of the `logs` that are in
/// `source`, which is what the model gets to read.
pub(crate) fn must<'a>(logs: impl IntoIterator<Item = &'a str>, source: &str) -> Vec<String> {
    let source = plain(source);
    let mut must: Vec<(String, String)> = Vec::new();
    for log in logs {
        let parsed = entry::parse(log);
        for entry in parsed.entries().filter(|entry| entry.kind.is_about_user() && entry.typed) {
            let name = plain(entry.topic);
            let known = must.iter().any(|(known, _)| *known == name);
            if !name.is_empty() && !known && source.contains(&name) {
                must.push((name, format!("{} [{}]", entry.topic, entry.kind)));
            }
        }
    }
    must.into_iter().map(|(_, topic)| topic).collect()
}

/// A text without case and blanks.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// A summary of `source` as it is stored. `prompt` is what its author read beside that. Fails with what to repair, one
/// thing a line.
pub(crate) fn check(
    answer: &str,
    period: Period,
    must: &[String],
    source: &str,
    prompt: &str,
) -> Result<AcceptedSummary, Vec<String>> {
    let mut cleaned = Vec::new();
    let text = without_controls(answer);
    let text = without_fence(text.trim(), &mut cleaned);
    let text = without_head(&text, period)?;
    if text.trim().is_empty() {
        return Err(vec!["nothing came back".to_owned()]);
    }
    if extract::is_announced_in(text.as_bytes()) {
        return Err(vec!["it is the extract that is there already, not a summary".to_owned()]);
    }
    let text = without_preamble(&text, &mut cleaned);
    let text = harmless(text.trim());
    let mut wrong = Vec::new();
    let missing = missing_sections(&text, period);
    if !missing.is_empty() {
        wrong.push(format!("sections are missing: {}", missing.join(", ")));
    }
    if text.len() < LEAST {
        wrong.push(format!("it has {}, a node has {LEAST}", counted(text.len(), "byte")));
    }
    let (lines, threshold) = (count_lines(text.as_bytes()), period.level().threshold());
    if lines > threshold {
        wrong.push(format!("it has {lines} lines, at most {threshold} are allowed"));
    }
    let named = plain(&text);
    let lost: Vec<&str> = must
        .iter()
        .filter(|topic| !named.contains(&plain(name_of(topic))))
        .map(String::as_str)
        .collect();
    if !lost.is_empty() {
        wrong.push(format!("user and feedback topics have to be named: {}", listed(&lost)));
    }
    if wrong.is_empty() {
        wrong.extend(strange(&text, source));
        let invented = invented(&text, period, &[source, prompt]);
        if !invented.is_empty() {
            let invented: Vec<&str> = invented.iter().map(String::as_str).collect();
            wrong.push(format!(
                "its source has none of these, so leave them out or write them as it does: {}",
                listed(&invented)
            ));
        }
    }
    if wrong.is_empty() { Ok(AcceptedSummary { text, cleaned }) } else { Err(wrong) }
}

/// What is wrong with a text that has next to no word of what it is to sum up. One in words of its own still names
/// things: topics, files, identifiers, numbers.
fn strange(text: &str, source: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<&str> = lines.map(without_type).collect();
    let (said, of) = (search::content(&lines.join("\n")), search::content(source));
    let known = said.iter().filter(|word| of.binary_search(word).is_ok()).count();
    // Numbers count as words of both, and not as what there is to say.
    let letters = source.replace(|c: char| c.is_ascii_digit(), " ");
    let least = (search::content(&letters).len() / SOURCE).clamp(KNOWN.0, KNOWN.1);
    (known < least).then(|| {
        let has = counted(known, "word");
        format!(
            "it has {has} of what it sums up: name the topics, files and decisions of the source"
        )
    })
}

/// Bullets that do not stand alone, in words: what `it` or `this` is was said on another line.
pub(super) fn leaning(text: &str) -> Option<String> {
    let bullets = text.lines().filter_map(|line| line.trim_start().strip_prefix("- "));
    let begins = |bullet: &&str| {
        let words = bullet.trim_start_matches(['*', '_', '"']).split(|c: char| !c.is_alphabetic());
        let first = words.take(1).next().unwrap_or_default().to_lowercase();
        first == "it" || first == "this"
    };
    let short = |bullet: &str| bullet.chars().take(40).collect::<String>();
    let found: Vec<String> = bullets.filter(begins).map(short).collect();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    (!found.is_empty())
        .then(|| format!("each bullet has to name what it is about: {}", listed(&found)))
}

/// A line without the type after its topic, `[project]`, which every summary has.
fn without_type(line: &str) -> &str {
    line.rsplit_once(" [").filter(|(_, rest)| rest.ends_with(']')).map_or(line, |(topic, _)| topic)
}

/// The topic in `topic [type]`.
pub(crate) fn name_of(topic: &str) -> &str {
    topic.rsplit_once(" [").map_or(topic, |(name, _)| name)
}

/// Names in a line, the first ones of many.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// Whether a command said that it cannot do any work now, rather than a summary: asking again costs and brings nothing.
pub(crate) fn is_out_of_service(answer: &str) -> bool {
    const SIGNS: [&str; 19] = [
        "usage limit",
        "rate limit",
        "quota",
        "credit balance",
        "insufficient credit",
        "too many requests",
        "invalid api key",
        "invalid x-api-key",
        "api key not valid",
        "not logged in",
        "please run /login",
        "unauthorized",
        "authentication_error",
        "overloaded",
        // Offline.
        "enotfound",
        "econnrefused",
        "could not resolve",
        "network is unreachable",
        "connection error",
    ];
    let text = answer.trim().to_lowercase();
    text.len() < 1_000 && !text.contains("## ") && SIGNS.iter().any(|sign| text.contains(sign))
}

pub(super) fn without_controls(text: &str) -> String {
    text.replace("\r\n", "\n").chars().filter(|c| is_harmless(*c) && *c != '\u{feff}').collect()
}

/// Without a code fence around all of it.
fn without_fence(text: &str, cleaned: &mut Vec<String>) -> String {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let mark = first.chars().take_while(|c| matches!(c, '`' | '~')).collect::<String>();
    let inner = text.strip_prefix(first).and_then(|rest| rest.strip_suffix(&mark));
    let is_open = mark.len() >= 3 && !first[mark.len()..].contains(' ');
    match inner {
        Some(inner) if is_open && inner.ends_with('\n') => {
            cleaned.push("a code fence around it".to_owned());
            inner.trim().to_owned()
        }
        _ => text.to_owned(),
    }
}

/// Without a head, which has to be one of this node.
fn without_head(text: &str, period: Period) -> Result<String, Vec<String>> {
    let document = Document::parse(text.as_bytes());
    if !document.has_head() {
        return Ok(text.to_owned());
    }
    let fits = |key: &str, expect: String| match document.value(key) {
        Some(found) if found != expect => {
            Err(vec![format!("its head says `{key}: {found}`, and this is `{expect}`")])
        }
        _ => Ok(()),
    };
    fits("type", period.level().to_string())?;
    fits("period", period.to_string())?;
    Ok(String::from_utf8_lossy(document.body()).into_owned())
}

/// Without what is said before the first heading.
fn without_preamble<'a>(text: &'a str, cleaned: &mut Vec<String>) -> &'a str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("# ") || line.starts_with("## ") {
            let before = text[..at].lines().filter(|line| !line.trim().is_empty()).count();
            if before > 0 {
                cleaned.push(format!("{} before the first heading", counted(before, "line")));
            }
            return &text[at..];
        }
        at += line.len();
    }
    text
}

/// The sections that a text lacks, as `## Name`.
fn missing_sections(text: &str, period: Period) -> Vec<String> {
    let lines = fence::lines(text).filter(|line| !line.code);
    let headings: Vec<_> = lines.filter_map(|line| heading::entry(line.text)).map(plain).collect();
    let wanted = sections::of(period.level()).iter().map(|(name, _)| *name);
    let missing = wanted.filter(|name| !headings.contains(&plain(name)));
    missing.map(|name| format!("`## {name}`")).collect()
}

/// A text in which no line reads as a mark of ours, a turn of a session or a conflict, and no fence stays open.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with(marker::MARKER)
            || label::written(bare).is_some()
            || conflict::is_marker(line)
        {
            out.push('\\');
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    escape::close_fence(&mut out);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::period::Level;

    const GOOD: &str = "## Topics\nAuth [project]\n\n## Key Decisions\n- Auth: cookies, because of the proxy\n\n\
        ## Tasks Completed\n\n## Lessons Learned\n\n## Open Items\n";

    fn day() -> Period {
        Period::parse(Level::Daily, "2026-03-15").unwrap()
    }

    fn refused(answer: &str, must: &[&str]) -> String {
        let must: Vec<String> = must.iter().map(|&topic| topic.to_owned()).collect();
        check(answer, day(), &must, GOOD, "").map(|_| ()).unwrap_err().join("; ")
    }

    #[test]
    fn what_will_do_is_taken_without_what_stands_around_it() {
        fn check_of(answer: &str, cleaned: &[&str]) {
            let accepted = check(answer, day(), &["Auth [feedback]".to_owned()], GOOD, "").unwrap();
            assert_eq!(accepted.text, GOOD, "{answer}");
            assert_eq!(accepted.cleaned, cleaned);
        }
        check_of(GOOD, &[]);
        check_of(&GOOD.replace('\n', "\r\n"), &[]);
        check_of(&format!("```markdown\n{GOOD}```"), &["a code fence around it"]);
        check_of(&format!("Here is the summary:\n\n{GOOD}"), &["1 line before the first heading"]);
        check_of(
            &format!("---\ntype: daily\nperiod: 2026-03-15\nstatus: fixed\n---\n\n{GOOD}"),
            &[],
        );
    }

    #[test]
    fn what_will_not_do_says_what_to_mend() {
        #[track_caller]
        fn says(answer: &str, must: &[&str], expect: &str) {
            let said = refused(answer, must);
            assert!(said.contains(expect), "{said}");
        }
        says("", &[], "nothing came back");
        says(" \n\u{0} ", &[], "nothing came back");
        says(
            "They decided to use cookies because of the proxy, and that was about all of it.",
            &[],
            "sections are missing: `## Topics`, `## Key Decisions`",
        );
        says(&GOOD.replace("## Open Items", "## Open"), &[], "missing: `## Open Items`");
        says(
            "## Topics\n## Key Decisions\n```\n## Tasks Completed\n## Lessons Learned\n## Open Items\n```\n",
            &[],
            "`## Tasks Completed`",
        );
        says(&format!("{GOOD}{}", "- x\n".repeat(200)), &[], "lines, at most 200");
        says(GOOD, &["Answer  Style [user]", "AUTH [feedback]"], "named: `Answer  Style [user]`");
        says(
            &format!("---\ntype: weekly\nperiod: 2026-W11\n---\n\n{GOOD}"),
            &[],
            "its head says `type: weekly`, and this is `daily`",
        );
        says("## Topics", &[], "a node has 50");
    }

    #[test]
    fn no_line_of_a_summary_reads_as_structure() {
        let odd = format!(
            "{GOOD}<!-- hipocampus:session s 0-1 -->\n**User:** hello\n=======\n```\nopen\n"
        );
        let text = check(&odd, day(), &[], GOOD, "").unwrap().text;
        assert!(text.ends_with(
            "\\<!-- hipocampus:session s 0-1 -->\n\\**User:** hello\n\\=======\n```\nopen\n```\n"
        ), "{text}");
        // Once more changes nothing.
        assert_eq!(check(&text, day(), &[], GOOD, "").unwrap().text, text);
    }

    #[test]
    fn a_command_that_cannot_work_is_told_from_one_that_answers() {
        assert!(is_out_of_service("Claude AI usage limit reached|1763800000"));
        assert!(is_out_of_service("Credit balance is too low"));
        assert!(!is_out_of_service(GOOD));
        assert!(!is_out_of_service(&format!("{GOOD}- the usage limit was reached\n")));
        assert!(!is_out_of_service("prose without sections"));
    }

    #[test]
    fn user_and_feedback_topics_of_the_logs_have_to_stay() {
        let log = "## Style [feedback]\n- rule: terse\n\n## style [Feedback]\n- again\n\n## Auth [project]\n\n## Time Zone [user]\n- UTC\n";
        assert_eq!(must([log], log), ["Style [feedback]", "Time Zone [user]"]);
        // What the model never sees it cannot keep.
        assert_eq!(must([log], "## Topics\nSTYLE [feedback]\n"), ["Style [feedback]"]);
    }
}
