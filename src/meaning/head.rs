//! The `topics` of a node's head, from the text of its own sources alone.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::extract::split_topics;
use super::lexicon::{Class, cues, is_common};
use super::script::is_cjk;
use super::title::{self, only_counts};
use super::words::{WordRarity, words};
use crate::memory::entry::{self, EntryLine, EntryType};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::period::Period;
use crate::text::{short_name, single_spaced, without_lone_brackets};

/// A topic that may be in the head.
struct Source<'a> {
    topic: Cow<'a, str>,
    kind: EntryType,
}

/// At most `limit` topics with their types, in the order of the text: headings, titles of sessions, and what the
/// `## Topics` of an extract or a summary lists. No sentences, no names that only count, nothing twice.
///
/// Of more than there is room for, all about the user come first, then what comes up twice, then an even choice. One of
/// more than eight words gives the eight that weigh most.
pub fn head_topics(body: &str, limit: usize) -> Vec<(Cow<'_, str>, EntryType)> {
    let mut sources = sources(body);
    let mut apart = told_apart(sources.iter().map(|source| &*source.topic)).into_iter();
    sources.retain(|_| apart.next().unwrap_or(true));
    let chosen = choose(&sources, limit);
    let mut rarity = WordRarity::default();
    // Only what is too long has to be weighed.
    if chosen.iter().any(|at| is_long(&sources[*at].topic)) {
        for source in &sources {
            rarity.count(&words(&source.topic));
        }
    }
    let mut seen: Vec<u64> = Vec::with_capacity(chosen.len());
    let mut topics = Vec::with_capacity(chosen.len());
    for at in chosen {
        let topic = shortened(std::mem::take(&mut sources[at].topic), &rarity);
        let hash = hash_folded(&topic);
        if !topic.is_empty() && !seen.contains(&hash) {
            seen.push(hash);
            topics.push((topic, sources[at].kind));
        }
    }
    topics
}

/// Topics as they are in a head: `auth [project], "fix a, then b" [user]`. A name that YAML or a reader of the list
/// would read as more than a name is quoted.
pub fn in_one_line(topics: &[(Cow<'_, str>, EntryType)]) -> String {
    let mut line = String::with_capacity(topics.len() * 32);
    for (index, (topic, kind)) in topics.iter().enumerate() {
        let quote = topic.contains([',', ':', '#', '[', ']']).then_some('"');
        if index > 0 {
            line.push_str(", ");
        }
        line.extend(quote);
        line.push_str(topic);
        line.extend(quote);
        kind.push_to(&mut line);
    }
    // A plain scalar of YAML may neither begin with a quote nor hold these.
    let plain = !line.starts_with(['"', '\'', '&', '*', '!', '%', '@', '`', '[', '{'])
        && !line.contains(": ")
        && !line.contains(" #");
    if plain { line } else { format!("'{}'", line.replace('\'', "''")) }
}

const TOPICS: &str = "topics";
/// Headings of extracts and summaries, in lower case: they say what kind of thing follows, not what about.
const SUMMARY: [&str; 15] = [
    TOPICS,
    "key decisions",
    "tasks completed",
    "lessons learned",
    "open items",
    "entities referenced",
    "key themes",
    "major decisions",
    "completed work",
    "recurring entities",
    "lessons & patterns",
    "carried forward",
    "key findings",
    "next steps",
    "in detail",
];

fn sources(body: &str) -> Vec<Source<'_>> {
    let parsed = entry::parse(body);
    let is_summary =
        parsed.entries().any(|one| !one.typed && one.topic.eq_ignore_ascii_case(TOPICS));
    let mut sources = Vec::new();
    let mut push = |topic: Cow<'_, str>, kind: EntryType| {
        let topic = cleaned(short_name(&topic));
        if !topic.is_empty() && !only_counts(&topic) && entry::names_a_subject(&topic) {
            sources.push(Source { topic: topic.into(), kind });
        }
    };
    for entry in parsed.entries() {
        let is = |name: &&str| !entry.typed && entry.topic.eq_ignore_ascii_case(name);
        if is_summary && is(&TOPICS) {
            let texts: Vec<&str> = entry.lines.iter().map(|line| line.text).collect();
            for (topic, kind) in split_topics(&texts) {
                push(topic, kind);
            }
        } else if !(is_summary && SUMMARY.iter().any(is)) {
            // What is below the line of another day or week is not the entry's.
            let own = entry.lines.iter().position(begins_a_period).unwrap_or(entry.lines.len());
            push(title::of_lines(entry.topic, &entry.lines[..own]), entry.kind);
        }
    }
    sources
}

/// Whether a line sets the days of a week or the weeks of a month apart: `# 2026-03-09`, `# 2026-W11`.
fn begins_a_period(line: &EntryLine<'_>) -> bool {
    let label = line.text.strip_prefix("# ").filter(|_| !line.code);
    let period = label.and_then(|label| Period::read(label.trim_end()));
    matches!(period, Some(Period::Day(_) | Period::Week(_)))
}

/// Which sources give the first topics, in the order of the text.
fn choose(sources: &[Source<'_>], limit: usize) -> Vec<usize> {
    let mut places: HashMap<u64, usize, Hashed> = HashMap::default();
    let mut times: Vec<u32> = vec![0; sources.len()];
    let mut rest: Vec<usize> = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().enumerate() {
        let first = *places.entry(hash_folded(&source.topic)).or_insert(at);
        times[first] += 1;
        if first == at {
            rest.push(at);
        }
    }
    if rest.len() <= limit {
        return rest;
    }
    let mut chosen: Vec<usize> =
        rest.extract_if(.., |at| sources[*at].kind.is_about_user()).collect();
    chosen = evenly(chosen, limit);
    let mut twice: Vec<usize> = rest.extract_if(.., |at| times[*at] > 1).collect();
    twice.sort_by_key(|at| (Reverse(times[*at]), *at));
    let (more, over) = twice.split_at(twice.len().min((limit - chosen.len()).div_ceil(2)));
    chosen.extend(more);
    rest.extend(over);
    rest.sort_unstable();
    let room = limit - chosen.len();
    chosen.extend(evenly(rest, room));
    chosen.sort_unstable();
    chosen
}

fn evenly(from: Vec<usize>, count: usize) -> Vec<usize> {
    if from.len() <= count {
        return from;
    }
    (0..count).map(|at| from[at * from.len() / count]).collect()
}

/// A topic on one line, without redaction marks, control characters, and the marks of Markdown around it.
fn cleaned(topic: &str) -> String {
    let mut text =
        topic.replace(['`', '"'], "'").replace("**", "").replace("\\[", "[").replace("\\]", "]");
    while let Some(at) = text.find("[REDACTED") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    let text = text.replace(char::is_control, " ");
    let is_mark = |c: char| c.is_ascii_punctuation() && !matches!(c, '.' | '/' | '_' | '(' | '\'');
    single_spaced(text.trim_start_matches(|c: char| c.is_whitespace() || is_mark(c)))
}

/// Of each topic, whether no other differs from it by a counter alone.
fn told_apart<'t>(topics: impl Iterator<Item = &'t str>) -> Vec<bool> {
    // What is for each that has a counter, and by that its own hash, or `None` where two different ones have it.
    let mut seen: HashMap<u64, Option<u64>, Hashed> = HashMap::default();
    let counted = topics.map(|topic| {
        topic.contains(char::is_numeric).then(|| {
            let mut rest = topic.replace(char::is_numeric, "0");
            while rest.contains("00") {
                rest = rest.replace("00", "0");
            }
            let (rest, own) = (hash_folded(&rest), Some(hash_folded(topic)));
            let known = seen.entry(rest).or_insert(own);
            *known = known.filter(|known| Some(*known) == own);
            rest
        })
    });
    let counted: Vec<Option<u64>> = counted.collect();
    counted.into_iter().map(|rest| rest.is_none_or(|rest| seen[&rest].is_some())).collect()
}

/// The most words of a topic in a head, and the most characters where words are not set apart.
const WORDS: usize = 8;
const CHARACTERS: usize = 48;

fn is_long(topic: &str) -> bool {
    topic.split_whitespace().nth(WORDS).is_some()
}

/// A topic of at most eight words: itself, or the eight that weigh most, in their order. A word that turns the meaning
/// of the next one round stays with it.
fn shortened<'t>(topic: Cow<'t, str>, rarity: &WordRarity) -> Cow<'t, str> {
    if !is_long(&topic) {
        let is_text = topic.split_whitespace().nth(2).is_none() && topic.contains(is_cjk);
        return if is_text || topic.len() > 160 {
            Cow::Owned(topic.chars().take(CHARACTERS).collect())
        } else {
            topic
        };
    }
    let tokens: Vec<&str> = topic.split_whitespace().collect();
    let negates = |token: &str| cues(token).begins(Class::Negation);
    let bare = |token: &str| token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let says = |token: &str| !is_common(&bare(token)) && !words(token).is_empty();
    // The word that each one turns round.
    let turned = |at: usize| (at + 1..tokens.len()).find(|next| says(tokens[*next]));
    let pairs: Vec<(usize, Option<usize>)> =
        (0..tokens.len()).filter(|at| negates(tokens[*at])).map(|at| (at, turned(at))).collect();
    let weight = |at: usize| {
        let is_of_pair = |(one, other): &(usize, Option<usize>)| *one == at || *other == Some(at);
        if pairs.iter().any(is_of_pair) {
            return u32::MAX;
        }
        let token = tokens[at];
        let weights = words(token).into_iter().map(|word| rarity.weight(word));
        if says(token) { weights.max().unwrap_or(0) } else { 0 }
    };
    let mut ranked: Vec<(u32, usize)> = (0..tokens.len()).map(|at| (weight(at), at)).collect();
    ranked.sort_by_key(|(weight, at)| (Reverse(*weight), *at));
    ranked.truncate(WORDS);
    let mut kept: Vec<usize> =
        ranked.iter().filter(|(weight, _)| *weight > 0).map(|(_, at)| *at).collect();
    kept.sort_unstable();
    // Without what it turns round, a negation would turn round what is next to it.
    let lone = pairs.iter().filter(|(_, turned)| turned.is_some_and(|at| !kept.contains(&at)));
    let lone: Vec<usize> = lone.map(|(at, _)| *at).collect();
    kept.retain(|at| !lone.contains(at));
    let kept: Vec<&str> = kept.into_iter().map(|at| tokens[at]).collect();
    let kept = without_lone_brackets(&kept.join(" "));
    Cow::Owned(kept.trim_end_matches([',', ';', ':', '.']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(body: &str, limit: usize) -> String {
        let items = head_topics(body, limit);
        let items: Vec<String> =
            items.into_iter().map(|(item, kind)| format!("{item} [{kind}]")).collect();
        items.join(", ")
    }

    #[test]
    fn topics_are_headings_and_titles() {
        fn check(body: &str, limit: usize, expect: &str) {
            assert_eq!(items(body, limit), expect, "{body}");
        }
        check(
            "## Auth Refactor [project]\n- x\n## Timezone [User]\n- y\n",
            8,
            "Auth Refactor [project], Timezone [user]",
        );
        check("## auth\n- jwt\n## AUTH\n- tax\n", 8, "auth [project]");
        check(
            "## Session — 2026-03-15 14:02:11 — fix the login, then logout\n\n**User:** go\n",
            8,
            "fix the login, then logout [project]",
        );
        check(
            "## Session — 2026-03-15 14:02:11\n\n**User:** Why does the ledger round twice?\n\n\
             **Assistant:** The ledger has to round once.\n\n**Title:** round the ledger once\n",
            8,
            "round the ledger once [project]",
        );
        // The first sentence of the next day's extract is nobody's words.
        check(
            "# 2026-03-14\n\n## Session 3\n\n**User:** ok\n\n# 2026-03-15\n\nThis daily node stands for more than 200 lines. \
             Until the skill has summarised them, it is an extract.\n\n## auth\n- z\n",
            8,
            "auth [project]",
        );
        // What only counts, or differs only by a counter, and a body without a heading name nothing.
        check("## Session 12\n- x\n## Note 17 [project]\n- y\n## 회의 3\n- z\n", 8, "");
        check(
            "## build 1 failed\n- x\n## build 2 failed\n- y\n## auth\n- z\n",
            8,
            "auth [project]",
        );
        check("# 2026-03-15\n\nloose ledgers and ledgers\n", 8, "");
        check("```\n## not this\n```\n## this\n", 8, "this [project]");
        check("## rotate [REDACTED:aws-access-key] now\n", 8, "rotate now [project]");
        check(
            "## Use the local store and not the cloud for the list of every session and its files\n",
            8,
            "local store not cloud list session files [project]",
        );
        check("", 8, "");
    }

    #[test]
    fn what_means_something_in_a_head_is_quoted() {
        for topic in ["auth", "fix a, then b", "cli: git-push #3", "don't", "*"] {
            let topics = [(topic.into(), EntryType::User), ("b".into(), EntryType::Project)];
            let line = in_one_line(&topics);
            let value: serde_yaml::Value =
                serde_yaml::from_str(&format!("topics: {line}\n")).unwrap();
            assert!(value["topics"].as_str().unwrap().contains(topic), "{line}");
        }
    }

    #[test]
    fn of_too_many_entries_the_user_and_what_recurs_come_first() {
        let words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
        let section = |n: usize| format!("## {} {}\n- text\n", words[n / 8], words[n % 8]);
        let mut body = (0..40).map(section).collect::<Vec<_>>().concat();
        body += "## again\n- x\n## terse [feedback]\n- y\n## again\n- z\n";
        let found = head_topics(&body, 8);
        let names: Vec<&str> = found.iter().map(|(item, _)| &**item).collect();
        assert_eq!(names.len(), 8);
        assert!(names.contains(&"terse") && names.contains(&"again"), "{names:?}");
        assert_eq!(names[0], "ant ant");
    }

    #[test]
    fn a_summary_gives_what_it_lists() {
        let extract = "> too long\n\n## Topics\nauth refactor [project], a, b [user],\nC# records [reference]\n\n## Key Decisions\n- auth: chose cookies\n\n## In Detail\n### x\n- y\n";
        assert_eq!(
            items(extract, 8),
            "auth refactor [project], a, b [user], C# records [reference]"
        );
        let list = "## Topics\n- auth [project, 3d]\n- billing\n\n## Lessons Learned\n- x\n";
        assert_eq!(items(list, 8), "auth [project], billing [project]");
        // Without such a list, the same headings are topics like any other.
        assert_eq!(items("## Key Decisions\n- x\n", 1), "Key Decisions [project]");
    }
}
